//! The reasons why a text is not a move.

use thiserror::Error;

use super::super::text::quoted;
use super::super::{Piece, UciError};

/// The reason why a text is not a move of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not a move.
    #[error("{} is not a move: {expected}", quoted(.found))]
    Syntax {
        /// The text.
        found: String,
        /// The notation that was expected in its place.
        expected: &'static str,
    },
    /// The text names a promotion, but no pawn reaches its sixth rank.
    #[error("{} has the letter of a promotion, but no pawn reaches its sixth rank by that move", quoted(.found))]
    NoPromotion {
        /// The text.
        found: String,
    },
    /// The text has the square left and the square reached, and that move is illegal.
    #[error(transparent)]
    Squares(#[from] UciError),
    /// No legal move matches.
    #[error("{} is illegal: {}{}", quoted(.found), legal(*.mover, *.has_man, .candidates), remark(*.letter))]
    Illegal {
        /// The text.
        found: String,
        /// The man that should move: its role, and the side to move.
        mover: Piece,
        /// Whether the side to move has such a man.
        has_man: bool,
        /// The Latin letter that was read as this role.
        letter: Option<char>,
        /// The legal moves of that role, in SAN.
        candidates: Vec<String>,
    },
    /// More than one legal move matches.
    #[error("{} is ambiguous: it may be {}", quoted(.found), .candidates.join(", "))]
    Ambiguous {
        /// The text.
        found: String,
        /// The legal moves that match, in SAN.
        candidates: Vec<String>,
    },
}

/// The legal moves of a man, or why there are none.
fn legal(Piece { color, role }: Piece, has_man: bool, moves: &[String]) -> String {
    let role = role.name();
    match (has_man, moves) {
        (false, _) => format!("it is {color}'s move, and {color} has no {role}"),
        (true, []) => format!("it is {color}'s move, and no {role} of {color}'s has a legal move"),
        (true, _) => format!("the legal {role} moves are {}", moves.join(", ")),
    }
}

/// A remark about a letter that others write for another man.
const fn remark(letter: Option<char>) -> &'static str {
    match letter {
        Some('M') => {
            "; M is read as the met (makruk-js and the rules of BE 2569 write M for the knight, which is N here)"
        }
        Some('B') => "; B is read as the khon (makruk-js and the rules of BE 2569 write B for the pawn)",
        Some('P') => "; P is read as the pawn, and in a game that promotes with =P also as a met that was one",
        Some('E') => "; E is read as the khon (makruk-js writes E for the met, which is M here)",
        _ => "",
    }
}
