//! The reasons why a text is not a position.

use std::fmt;

use thiserror::Error;

use super::super::IllegalPosition;
use super::super::text::quoted;
use super::{ChessSign, Note};

/// The longest FEN that is read, in bytes, not counting white space around it and text after it. The longest useful one
/// has about 130.
pub const MAX_FEN_BYTES: usize = 200;

/// One of the FEN's two count fields. Written `LIMIT` and `PLY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountField {
    /// The fourth field: the limit, in plies.
    Limit,
    /// The fifth field: the plies on the clock.
    Ply,
}

/// The kind of a [`FenError`], for programs that match it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FenErrorKind {
    /// The text is not a FEN.
    BadFen,
    /// The FEN's position is illegal.
    IllegalPosition,
    /// The FEN's LIMIT or PLY is not a number that a count can have.
    BadCount,
}

crate::names!(FenErrorKind: BadFen = "bad_fen", IllegalPosition = "illegal_position", BadCount = "bad_count");

impl fmt::Display for CountField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CountField::Limit => "LIMIT",
            CountField::Ply => "PLY",
        })
    }
}

/// The reason why a text is not the FEN of a legal position. Each message names the field, the text found and the text
/// expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is white space.
    #[error("the FEN is empty: expected a board and the side to move, such as \"8/8/8/8/8/4s1k1/4R3/K7 w\"")]
    Empty,
    /// The text has more bytes than [`MAX_FEN_BYTES`].
    #[error("the FEN has {bytes} bytes: expected at most {MAX_FEN_BYTES}")]
    TooLong {
        /// The number of bytes.
        bytes: usize,
    },
    /// The board has not eight ranks.
    #[error("the FEN's board has {found} rank{}: expected 8, separated by /", if *.found == 1 { "" } else { "s" })]
    RankCount {
        /// The number of ranks.
        found: usize,
    },
    /// A rank has not eight squares.
    #[error("rank {rank} of the FEN's board, {}, has {squares} squares: expected 8", quoted(.text))]
    RankLength {
        /// The rank, 1 to 8.
        rank: u8,
        /// The rank's text.
        text: String,
        /// The number of squares that the text describes.
        squares: u32,
    },
    /// A character is neither a man nor a number of empty squares.
    #[error(
        "rank {rank} of the FEN's board has {}: expected K (king), R (rook), N (knight), S (khon; or B, E), M (met; or Q, F) or \
         P (pawn) in either case, or 1 to 8",
        quoted(&.letter.to_string())
    )]
    UnknownLetter {
        /// The rank, 1 to 8.
        rank: u8,
        /// The character.
        letter: char,
    },
    /// A mark of a promoted man is not at a met.
    #[error(
        "rank {rank} of the FEN's board has a \"{mark}\" that marks no met: expected \"M~\" or \"+M\" in either case"
    )]
    PromotedMark {
        /// The rank, 1 to 8.
        rank: u8,
        /// The mark, `~` or `+`.
        mark: char,
    },
    /// The text is the name of a material.
    #[error("{} is the name of a material: expected a position, such as \"8/8/8/8/8/4s1k1/4R3/K7 w\"", quoted(.0))]
    Material(String),
    /// The text is the name of a file.
    #[error("{} is the name of a file: expected a position, such as \"8/8/8/8/8/4s1k1/4R3/K7 w\"", quoted(.0))]
    FileName(String),
    /// The second field is missing.
    #[error("the FEN's side to move is missing: expected w or b after the board")]
    MissingSide,
    /// The second field is neither `w` nor `b`.
    #[error("the FEN's side to move is {}: expected w or b", quoted(.0))]
    UnknownSide(String),
    /// The third field is neither `-` nor castling rights nor, with at most one field after it, a number.
    #[error("the FEN's third field is {}: expected -", quoted(.0))]
    Third(String),
    /// The third field is a number where `-` is expected: the fields after it do not fit a short form.
    #[error(
        "the FEN's third field is {}: expected - before LIMIT and PLY, as in \"- 128 10 78\", or \"- - 0 1\" without a count",
        quoted(.0)
    )]
    MissingDash(String),
    /// LIMIT or PLY is not a number that a count can have.
    #[error(
        "the FEN's count field {} is {}: expected {}",
        .field,
        quoted(.found),
        match .field {
            CountField::Limit => "- or a whole number of plies from 1 to 9999",
            CountField::Ply => "a whole number of plies from 0 to 9999",
        }
    )]
    Count {
        /// The field.
        field: CountField,
        /// The field's text.
        found: String,
    },
    /// The sixth field is not a number.
    #[error("the FEN's move number is {}: expected a whole number", quoted(.0))]
    Fullmove(String),
    /// A text follows the sixth field.
    #[error("the FEN has a seventh field, {}: expected board, side, -, LIMIT, PLY and move number", quoted(.0))]
    ExtraField(String),
    /// The position is one of chess.
    #[error("this is a position of chess, not of Makruk: {0}")]
    Chess(ChessSign),
    /// The position breaks the rules.
    #[error(transparent)]
    IllegalPosition(#[from] IllegalPosition),
    /// Something in the text is dropped or assumed, so that a [`Reading`](super::Reading) can be made of it, but not a
    /// [`Fen`](super::super::Fen).
    #[error("the FEN is read only with a note, as a Reading: {}", .0.iter().map(Note::to_string).collect::<Vec<_>>().join("; "))]
    Noted(Vec<Note>),
}

impl FenError {
    /// The fields that errors name, in their order.
    pub const FIELDS: [&'static str; 6] = ["board", "side", "third", "limit", "ply", "fullmove"];

    /// The error's kind.
    pub const fn kind(&self) -> FenErrorKind {
        match self {
            FenError::IllegalPosition(_) => FenErrorKind::IllegalPosition,
            FenError::Count { .. } => FenErrorKind::BadCount,
            FenError::Empty
            | FenError::TooLong { .. }
            | FenError::RankCount { .. }
            | FenError::RankLength { .. }
            | FenError::UnknownLetter { .. }
            | FenError::PromotedMark { .. }
            | FenError::Material(_)
            | FenError::FileName(_)
            | FenError::Chess(_)
            | FenError::Third(_)
            | FenError::MissingDash(_)
            | FenError::MissingSide
            | FenError::UnknownSide(_)
            | FenError::Fullmove(_)
            | FenError::ExtraField(_)
            | FenError::Noted(_) => FenErrorKind::BadFen,
        }
    }

    /// The field that is wrong, one of [`FenError::FIELDS`]; `None` if the text as a whole is.
    pub const fn field(&self) -> Option<&'static str> {
        match self {
            FenError::RankCount { .. }
            | FenError::RankLength { .. }
            | FenError::UnknownLetter { .. }
            | FenError::PromotedMark { .. }
            | FenError::Chess(ChessSign::Pawn(..))
            | FenError::IllegalPosition(_) => Some("board"),
            FenError::MissingSide | FenError::UnknownSide(_) => Some("side"),
            FenError::Third(_) | FenError::MissingDash(_) => Some("third"),
            FenError::Count { field: CountField::Limit, .. } | FenError::Chess(ChessSign::EnPassant(_)) => {
                Some("limit")
            }
            FenError::Count { field: CountField::Ply, .. } => Some("ply"),
            FenError::Fullmove(_) => Some("fullmove"),
            FenError::Empty
            | FenError::TooLong { .. }
            | FenError::Material(_)
            | FenError::FileName(_)
            | FenError::ExtraField(_)
            | FenError::Noted(_)
            | FenError::Chess(ChessSign::Library(_)) => None,
        }
    }

    /// The rank of the board that is wrong, 1 to 8; `None` if no one rank is.
    pub const fn rank(&self) -> Option<u8> {
        match self {
            FenError::RankLength { rank, .. }
            | FenError::UnknownLetter { rank, .. }
            | FenError::PromotedMark { rank, .. } => Some(*rank),
            _ => None,
        }
    }

    /// The text that was found in place of the expected one; for too few or too many ranks, their number.
    pub fn found(&self) -> Option<String> {
        match self {
            FenError::RankCount { found } => Some(found.to_string()),
            FenError::UnknownLetter { letter, .. } => Some(letter.to_string()),
            FenError::PromotedMark { mark, .. } => Some(mark.to_string()),
            FenError::RankLength { text, .. }
            | FenError::Material(text)
            | FenError::FileName(text)
            | FenError::UnknownSide(text)
            | FenError::Third(text)
            | FenError::MissingDash(text)
            | FenError::Fullmove(text)
            | FenError::ExtraField(text)
            | FenError::Count { found: text, .. }
            | FenError::Chess(ChessSign::EnPassant(text) | ChessSign::Library(text)) => Some(text.clone()),
            FenError::Chess(ChessSign::Pawn(_, square)) => Some(square.to_string()),
            FenError::Empty
            | FenError::TooLong { .. }
            | FenError::MissingSide
            | FenError::IllegalPosition(_)
            | FenError::Noted(_) => None,
        }
    }
}
