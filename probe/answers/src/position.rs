//! The verdict on a position and on its moves.

use makruk_probe::{Category, CountRule, Counting, JudgedMove, Mistake, RankedMove, Sacrifice, Verdict};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Count, Fen, Move, Position, Reading};
use serde::Serialize;

/// A position and its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionAnswer {
    /// The FEN, normalised.
    pub fen: String,
    /// The canonical name of the material.
    pub material: Material,
    /// The side to move.
    pub side: Color,
    /// The category under the count.
    pub category: Category,
    /// Signed plies to mate from the side to move; `null` in a draw.
    pub dtm: Option<i32>,
    /// Signed plies to the conversion; `null` if there is none.
    pub dtz: Option<i32>,
    /// The count.
    pub count: CountAnswer,
    /// Whether the side to move is mated.
    pub checkmate: bool,
    /// Whether it is stalemated.
    pub stalemate: bool,
    /// Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The moves, best first, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveAnswer>>,
}

impl PositionAnswer {
    /// A verdict; with `moves`, the moves too.
    pub fn new(fen: &Fen, verdict: &Verdict, moves: Option<&[RankedMove]>) -> PositionAnswer {
        PositionAnswer {
            fen: fen.to_string(),
            material: verdict.material,
            side: verdict.side,
            category: verdict.category,
            dtm: verdict.dtm.signed_plies(),
            dtz: verdict.dtz.signed_plies(),
            count: CountAnswer::new(&verdict.count),
            checkmate: verdict.checkmate,
            stalemate: verdict.stalemate,
            notes: Vec::new(),
            moves: moves.map(|moves| moves.iter().map(|mv| MoveAnswer::new(&fen.position, mv)).collect()),
        }
    }

    /// The side that wins without the count, if any.
    pub fn winner(&self) -> Option<Color> {
        self.dtm.map(|plies| if plies > 0 { self.side } else { !self.side })
    }

    /// Whether the count that runs has drawn the game when this position is reached.
    pub fn is_drawn_by_count(&self) -> bool {
        self.count.running().is_some_and(|count| count.draws(self.checkmate))
    }

    /// The same for a position that was read, with the notes.
    pub fn read(reading: &Reading, verdict: &Verdict, moves: Option<&[RankedMove]>) -> PositionAnswer {
        PositionAnswer { notes: reading.sentences(), ..PositionAnswer::new(&reading.fen, verdict, moves) }
    }
}

/// The count of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CountAnswer {
    /// `none`, `board` or `pieces`.
    pub rule: CountRule,
    /// LIMIT, in plies; `null` with `none`.
    pub limit: Option<u32>,
    /// PLY; `null` with `none`.
    pub ply: Option<u32>,
    /// The winner's moves left, 0 when the count is spent; with `none`, the moves that it would leave if it began now;
    /// `null` if neither side wins without the count.
    pub attacker_moves_left: Option<u32>,
}

impl CountAnswer {
    /// A position's count.
    pub fn new(counting: &Counting) -> CountAnswer {
        CountAnswer {
            rule: counting.rule,
            limit: counting.given.map(Count::limit),
            ply: counting.given.map(Count::ply),
            attacker_moves_left: counting.attacker_moves_left,
        }
    }

    /// The count that runs, if one does.
    pub fn running(&self) -> Option<Count> {
        Count::new(self.limit?, self.ply?).ok()
    }
}

/// A legal move without a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalMoveAnswer {
    /// UCI notation.
    pub uci: String,
    /// SAN in the letters K R N S M, with + and #.
    pub san: String,
    /// Whether it takes a man.
    pub capture: bool,
}

impl LegalMoveAnswer {
    /// A move made in `root`.
    pub fn new(root: &Position, mv: Move) -> LegalMoveAnswer {
        LegalMoveAnswer { uci: mv.to_string(), san: mv.to_san(root), capture: root.captured(mv).is_some() }
    }
}

/// A move and its verdict, seen by the side that makes it, the move itself counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveAnswer {
    /// UCI notation.
    pub uci: String,
    /// SAN in the letters K R N S M, with + and #.
    pub san: String,
    /// The category under the root's count carried on.
    pub category: Category,
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

impl MoveAnswer {
    /// A move made in `root`.
    pub fn new(root: &Position, mv: &RankedMove) -> MoveAnswer {
        MoveAnswer::with_san(mv, mv.san(root))
    }

    /// A move whose notation is known.
    pub fn with_san(mv: &RankedMove, san: String) -> MoveAnswer {
        MoveAnswer {
            uci: mv.mv.to_string(),
            san,
            category: mv.category,
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
pub struct MistakeAnswer {
    /// `win`, `draw` or `time`; `null` if the move is not a mistake.
    pub gave_away: Option<&'static str>,
    /// Moves lost if time was given away; else `null`.
    pub lost_moves: Option<u32>,
}

impl MistakeAnswer {
    /// The mistake of a move.
    pub fn new(mistake: Option<Mistake>) -> MistakeAnswer {
        MistakeAnswer { gave_away: mistake.map(Mistake::name), lost_moves: mistake.and_then(Mistake::lost_moves) }
    }
}

/// A move that was played in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedMoveAnswer {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveAnswer,
    /// The mistake, if it is one.
    #[serde(flatten)]
    pub mistake: MistakeAnswer,
    /// The best move, in SAN.
    pub best: String,
}

impl JudgedMoveAnswer {
    /// A judged move.
    pub fn new(judged: &JudgedMove) -> JudgedMoveAnswer {
        JudgedMoveAnswer {
            mv: MoveAnswer::with_san(&judged.ranked, judged.san.clone()),
            mistake: MistakeAnswer::new(judged.mistake),
            best: judged.best.clone(),
        }
    }
}

/// A man that a saving move gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SacrificeAnswer {
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

impl SacrificeAnswer {
    /// A sacrifice made in `root`.
    pub fn new(root: &Position, sacrifice: &Sacrifice) -> SacrificeAnswer {
        SacrificeAnswer {
            capture: sacrifice.capture.to_san(&root.play(sacrifice.mv)),
            kind: sacrifice.kind.name(),
            offered: sacrifice.offered,
            needed: sacrifice.needed,
            left: sacrifice.left,
        }
    }
}
