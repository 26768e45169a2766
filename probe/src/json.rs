//! The answers as JSON, for the command line, the web interface and the research alike. Programs match these names;
//! fields may be added, never changed.
//!
//! An absent value is `null`; 0 is a value.

use makruk_tables::rules::{Fen, Move, Position, Reading};
use serde::Serialize;

use crate::error::ProbeError;
use crate::judged_move::JudgedMove;
use crate::line::{Line, LineEnd, LineMove};
use crate::mistake::Mistake;
use crate::ranked_move::RankedMove;
use crate::sacrifice::Sacrifice;
use crate::verdict::{Counting, Verdict};

/// A position and its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionJson {
    /// The FEN, normalised.
    pub fen: String,
    /// The canonical name of the material.
    pub material: String,
    /// The side to move.
    pub side: &'static str,
    /// The category under the count.
    pub category: &'static str,
    /// Signed plies to mate from the side to move; `null` in a draw.
    pub dtm: Option<i32>,
    /// Signed plies to the conversion; `null` if there is none.
    pub dtz: Option<i32>,
    /// The count.
    pub count: CountJson,
    /// Whether the side to move is mated.
    pub checkmate: bool,
    /// Whether it is stalemated.
    pub stalemate: bool,
    /// What was dropped from the text of the position or assumed in reading it, in sentences; left out if there is
    /// nothing to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The moves, best first, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveJson>>,
}

impl PositionJson {
    /// A verdict; with `moves`, the moves too.
    pub fn new(fen: &Fen, verdict: &Verdict, moves: Option<&[RankedMove]>) -> PositionJson {
        PositionJson {
            fen: fen.to_string(),
            material: verdict.material.to_string(),
            side: verdict.side.name(),
            category: verdict.category.name(),
            dtm: verdict.dtm.signed_plies(),
            dtz: verdict.dtz.signed_plies(),
            count: CountJson::new(&verdict.count),
            checkmate: verdict.checkmate,
            stalemate: verdict.stalemate,
            notes: Vec::new(),
            moves: moves.map(|moves| moves.iter().map(|mv| MoveJson::new(&fen.position, mv)).collect()),
        }
    }

    /// The same for a position that was read, with the notes.
    pub fn read(reading: &Reading, verdict: &Verdict, moves: Option<&[RankedMove]>) -> PositionJson {
        PositionJson { notes: reading.sentences(), ..PositionJson::new(&reading.fen, verdict, moves) }
    }
}

/// The count of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CountJson {
    /// `none`, `board` or `pieces`.
    pub rule: &'static str,
    /// LIMIT, in plies; `null` with `none`.
    pub limit: Option<u32>,
    /// PLY; `null` with `none`.
    pub ply: Option<u32>,
    /// The winner's moves left, 0 when the count is spent; with `none`, the moves that it would leave if it began now;
    /// `null` if neither side wins without the count.
    pub attacker_moves_left: Option<u32>,
}

impl CountJson {
    /// A position's count.
    pub fn new(counting: &Counting) -> CountJson {
        CountJson {
            rule: counting.rule.name(),
            limit: counting.given.map(|count| count.limit()),
            ply: counting.given.map(|count| count.ply()),
            attacker_moves_left: counting.attacker_moves_left,
        }
    }
}

/// A legal move without a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalMoveJson {
    /// UCI notation.
    pub uci: String,
    /// SAN in the letters K R N S M, with + and #.
    pub san: String,
    /// Whether it takes a man.
    pub capture: bool,
}

impl LegalMoveJson {
    /// A move made in `root`.
    pub fn new(root: &Position, mv: Move) -> LegalMoveJson {
        LegalMoveJson { uci: mv.to_string(), san: mv.to_san(root), capture: root.captured(mv).is_some() }
    }
}

/// A move and its verdict, seen by the side that makes it, the move itself counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveJson {
    /// UCI notation.
    pub uci: String,
    /// SAN in the letters K R N S M, with + and #.
    pub san: String,
    /// The category under the root's count carried on.
    pub category: &'static str,
    /// Signed plies to mate.
    pub dtm: Option<i32>,
    /// Signed plies to the conversion; for a move that begins a count 1 if the count leaves enough moves, else `null`.
    pub dtz: Option<i32>,
    /// Whether it takes a man.
    pub capture: bool,
    /// Whether a pawn becomes a met.
    pub promotion: bool,
    /// Whether it bares an opponent who had a piece left.
    pub bares_king: bool,
    /// Whether it begins a count, whatever ran before: it ends the last pawn or, without pawns, bares an armed
    /// opponent.
    pub begins_count: bool,
}

impl MoveJson {
    /// A move made in `root`.
    pub fn new(root: &Position, mv: &RankedMove) -> MoveJson {
        MoveJson::with_san(mv, mv.san(root))
    }

    /// A move whose notation is known.
    pub fn with_san(mv: &RankedMove, san: String) -> MoveJson {
        MoveJson {
            uci: mv.mv.to_string(),
            san,
            category: mv.category.name(),
            dtm: mv.dtm.signed_plies(),
            dtz: mv.dtz.signed_plies(),
            capture: mv.capture,
            promotion: mv.mv.promotion,
            bares_king: mv.bares_king,
            begins_count: mv.begins_count,
        }
    }
}

/// A mistake, or none; flattened into the move that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MistakeJson {
    /// `win`, `draw` or `time`; `null` if the move is not a mistake.
    pub gave_away: Option<&'static str>,
    /// Moves lost if time was given away; else `null`.
    pub lost_moves: Option<u32>,
}

impl MistakeJson {
    /// The mistake of a move.
    pub fn new(mistake: Option<Mistake>) -> MistakeJson {
        MistakeJson { gave_away: mistake.map(Mistake::name), lost_moves: mistake.and_then(Mistake::lost_moves) }
    }
}

/// A move that was played in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedMoveJson {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveJson,
    /// The mistake, if it is one.
    #[serde(flatten)]
    pub mistake: MistakeJson,
    /// The best move, in SAN.
    pub best: String,
}

impl JudgedMoveJson {
    /// A judged move.
    pub fn new(judged: &JudgedMove) -> JudgedMoveJson {
        JudgedMoveJson {
            mv: MoveJson::with_san(&judged.ranked, judged.san.clone()),
            mistake: MistakeJson::new(judged.mistake),
            best: judged.best.clone(),
        }
    }
}

/// A move of a line, and the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineMoveJson {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveJson,
    /// The winner's moves left after it; `null` if neither side wins without the count.
    pub attacker_moves_left: Option<u32>,
    /// The position after it, with its count.
    pub fen: String,
}

impl LineMoveJson {
    /// A move of a line.
    pub fn new(mv: &LineMove) -> LineMoveJson {
        LineMoveJson {
            mv: MoveJson::with_san(&mv.ranked, mv.san.clone()),
            attacker_moves_left: mv.ranked.attacker_moves_left(),
            fen: mv.after.to_string(),
        }
    }
}

/// A position and a line from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineJson {
    /// The position.
    #[serde(flatten)]
    pub start: PositionJson,
    /// The moves.
    pub line: Vec<LineMoveJson>,
    /// `checkmate`, `count_expired`, `draw` or `truncated`.
    pub end: &'static str,
}

impl LineJson {
    /// A line as it stands before its first move: truncated. Further moves are pushed to `line`.
    pub fn new(start: PositionJson) -> LineJson {
        LineJson { start, line: Vec::new(), end: LineEnd::Truncated.name() }
    }

    /// A whole line.
    pub fn whole(start: PositionJson, line: &Line) -> LineJson {
        LineJson { start, line: line.moves.iter().map(LineMoveJson::new).collect(), end: line.end.name() }
    }
}

/// A man that a saving move gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SacrificeJson {
    /// The capture that comes closest, in SAN.
    pub capture: String,
    /// `offer`, `exchange` or `lost_anyway`.
    pub kind: &'static str,
    /// Whether the man taken is the one that moved. Else it is one that the move abandons.
    pub offered: bool,
    /// The attacker's moves to mate after the capture, no count.
    pub needed: u32,
    /// The attacker's moves that the count leaves then; `null` if no count runs.
    pub left: Option<u32>,
}

impl SacrificeJson {
    /// A sacrifice made in `root`.
    pub fn new(root: &Position, sacrifice: &Sacrifice) -> SacrificeJson {
        SacrificeJson {
            capture: sacrifice.capture.to_san(&root.play(sacrifice.mv)),
            kind: sacrifice.kind.name(),
            offered: sacrifice.offered,
            needed: sacrifice.needed,
            left: sacrifice.left,
        }
    }
}

/// A move and everything that the tables say about it, for a page that shows a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExploredMoveJson {
    /// The move and the position after it.
    #[serde(flatten)]
    pub mv: LineMoveJson,
    /// The mistake, if it is one.
    #[serde(flatten)]
    pub mistake: MistakeJson,
    /// The man that it gives, if the move saves the draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sacrifice: Option<SacrificeJson>,
}

/// A position without a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorJson {
    /// The FEN, normalised if it could be read, else as given.
    pub fen: String,
    /// The error, in a sentence.
    pub error: String,
    /// The error in one word: `bad_fen`, `missing_table` and so on.
    pub reason: &'static str,
    /// The line of a list of positions, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

impl ErrorJson {
    /// An error; `fen` is the text that was given.
    pub fn new(fen: &str, error: &ProbeError) -> ErrorJson {
        ErrorJson {
            fen: Fen::parse(fen).map_or_else(|_| fen.to_owned(), |fen| fen.to_string()),
            error: error.to_string(),
            reason: error.reason().name(),
            line: None,
        }
    }
}
