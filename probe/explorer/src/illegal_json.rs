//! An illegal position as JSON.

use makruk_tables::rules::{IllegalPosition, Illegality, MOST_METS_AND_PAWNS};
use serde::Serialize;

/// An illegal position, and every rule that it breaks.
#[derive(Debug, Serialize)]
pub struct IllegalJson {
    fen: String,
    error: String,
    reason: &'static str,
    problems: Vec<ProblemJson>,
}

/// A rule that a position breaks.
#[derive(Debug, Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
enum ProblemJson {
    MissingKing { side: &'static str },
    TooMany { side: &'static str, role: &'static str, found: u32, most: u32 },
    TouchingKings,
    OppositeCheck { side: &'static str },
    TooManyMetsAndPawns { side: &'static str, found: u32, most: u8 },
    PawnBeyondPromotion { square: String },
    PawnBehindStart { square: String },
}

impl IllegalJson {
    /// The rules that the position of a FEN breaks.
    pub fn new(text: &str, illegal: &IllegalPosition) -> IllegalJson {
        let problem = |problem: &Illegality| match *problem {
            Illegality::MissingKing(color) => ProblemJson::MissingKing { side: color.name() },
            Illegality::TooMany(piece, found, most) => {
                ProblemJson::TooMany { side: piece.color.name(), role: piece.role.name(), found, most }
            }
            Illegality::TooManyMetsAndPawns(color, found) => {
                ProblemJson::TooManyMetsAndPawns { side: color.name(), found, most: MOST_METS_AND_PAWNS }
            }
            Illegality::TouchingKings => ProblemJson::TouchingKings,
            Illegality::OppositeCheck(color) => ProblemJson::OppositeCheck { side: color.name() },
            Illegality::PawnBeyondPromotion(square) => ProblemJson::PawnBeyondPromotion { square: square.to_string() },
            Illegality::PawnBehindStart(square) => ProblemJson::PawnBehindStart { square: square.to_string() },
        };
        IllegalJson {
            fen: text.to_owned(),
            error: illegal.to_string(),
            reason: "illegal_position",
            problems: illegal.reasons.iter().map(problem).collect(),
        }
    }
}
