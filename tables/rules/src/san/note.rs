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
    /// The letter of the promotion is P: PlayOK goes on to call the met so.
    PromotedToP {
        /// The text.
        found: String,
    },
    /// The letter P is that of a met that was a pawn, as PlayOK writes it.
    PromotedPawn {
        /// The text.
        found: String,
    },
    /// The letter Q is that of the met with which a side began, as PlayOK writes it: mets that were pawns are called P.
    FirstMet {
        /// The text.
        found: String,
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

impl MoveNote {
    /// Whether it is about the writer's letters, so that the first such note of a game says enough.
    pub(in super::super) fn is_about_letters(&self) -> bool {
        matches!(self, MoveNote::PromotedToP { .. } | MoveNote::PromotedPawn { .. } | MoveNote::FirstMet { .. })
    }
}

impl fmt::Display for MoveNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveNote::NoCapture { found, to } => {
                write!(f, "{} was read as a move without a capture: {to} is empty", quoted(found))
            }
            MoveNote::PromotedToP { found } => {
                write!(
                    f,
                    "the =P of {} was read as a promotion to a met, which is called P from here on",
                    quoted(found)
                )
            }
            MoveNote::PromotedPawn { found } => {
                write!(f, "the P of {} was read as a met that was a pawn", quoted(found))
            }
            MoveNote::FirstMet { found } => {
                write!(f, "the Q of {} was read as the met with which the side began", quoted(found))
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
