//! What the reader of a move assumes.

use std::fmt;

use super::super::text::quoted;
use super::super::{Role, Square};

/// Something that was assumed when a move was read. Written as a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MoveNote {
    /// The text has the mark of a capture, and the square reached is empty.
    NoCapture {
        /// The text.
        found: String,
        /// The square reached.
        to: Square,
    },
    /// The letter is that of another man here; the square left names the man, and the rules of BE 2569 write it so.
    Letter {
        /// The text.
        found: String,
        /// The letter.
        letter: char,
        /// The man on the square left.
        role: Role,
    },
}

impl fmt::Display for MoveNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveNote::NoCapture { found, to } => {
                write!(f, "{} was read as a move without a capture: {to} is empty", quoted(found))
            }
            MoveNote::Letter { found, letter, role } => {
                write!(
                    f,
                    "the letter {letter} of {} was read as the {}, which is on the square left",
                    quoted(found),
                    role.name()
                )
            }
        }
    }
}
