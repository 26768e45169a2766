//! Answers as JSON: one object per position. Programs match these names; fields may be added, never changed.

use makruk_tables::rules::{Fen, Position};
use serde::Serialize;

use crate::{Counting, Mistake, Played, ProbeError, RankedMove, Verdict};

/// A position that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionJson {
    /// The FEN, normalised.
    pub fen: String,
    /// The set's canonical name.
    pub material: String,
    /// The side to move.
    pub side: &'static str,
    /// Its worth under the count.
    pub category: &'static str,
    /// Signed plies to mate from the side to move; `null` in a draw.
    pub dtm: Option<i32>,
    /// Signed plies to the event that settles the count; `null` where there is none.
    pub dtz: Option<i32>,
    /// The count.
    pub count: CountJson,
    /// Is the side to move mated?
    pub checkmate: bool,
    /// Is it stalemated?
    pub stalemate: bool,
    /// The moves, best first, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveJson>>,
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
    /// Moves the winner has left, 0 when the count is spent; with `none`, what it would leave if it began now; `null`
    /// where nobody wins without the count.
    pub attacker_moves_left: Option<u32>,
}

/// A move: all seen by the side that makes it, the move itself counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveJson {
    /// UCI notation.
    pub uci: String,
    /// SAN in the letters K R N S M, with + and #.
    pub san: String,
    /// Its worth under the root's count carried on.
    pub category: &'static str,
    /// Signed plies to mate.
    pub dtm: Option<i32>,
    /// Signed plies to the event; of a zeroing move 1 if the count it starts suffices, else `null`.
    pub dtz: Option<i32>,
    /// Does it take a man?
    pub capture: bool,
    /// Does it bare an opponent who had a piece left?
    pub zeroing: bool,
}

/// A move that was played in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayedMoveJson {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveJson,
    /// What it gave away: `win`, `draw` or `time`; `null` if nothing.
    pub gave_away: Option<&'static str>,
    /// Moves lost, of `time`.
    pub lost_moves: Option<u32>,
    /// The best move, in SAN.
    pub best: String,
}

/// A position without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorJson {
    /// The FEN, normalised if it could be read, else as given.
    pub fen: String,
    /// What is wrong, in a sentence.
    pub error: String,
    /// The same in one word: `bad_fen`, `missing_table` and so on.
    pub reason: &'static str,
}

impl PositionJson {
    /// An answer; with `moves`, these too.
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
            moves: moves.map(|moves| moves.iter().map(|mv| MoveJson::new(&fen.position, mv)).collect()),
        }
    }
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
            zeroing: mv.zeroing,
        }
    }
}

impl PlayedMoveJson {
    /// A move played in `root`.
    pub fn new(root: &Position, played: &Played) -> PlayedMoveJson {
        PlayedMoveJson {
            mv: MoveJson::new(root, &played.ranked),
            gave_away: played.mistake.map(Mistake::name),
            lost_moves: played.mistake.and_then(Mistake::lost_moves),
            best: played.best.clone(),
        }
    }
}

impl ErrorJson {
    /// An error; `fen` is the text that was given.
    pub fn new(fen: &str, error: &ProbeError) -> ErrorJson {
        ErrorJson {
            fen: Fen::parse(fen).map_or_else(|_| fen.to_owned(), |fen| fen.to_string()),
            error: error.to_string(),
            reason: error.reason().name(),
        }
    }
}
