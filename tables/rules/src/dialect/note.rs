//! What the reader of a position drops or assumes.

use std::fmt;

use super::super::Count;
use super::super::text::quoted;
use super::ImpossibleCount;

/// Something that a position's text has and that was dropped, or something that was assumed. Written as a sentence
/// without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Note {
    /// The text is a link; only its position was read.
    Link,
    /// The text goes on after the FEN: operations of an EPD, or a comment.
    Remainder(String),
    /// Letters of another lettering, in capitals, in order: some of B, E, F and Q.
    Lettering(Vec<char>),
    /// The third field has castling rights.
    Castling(String),
    /// Four fields, the third a number: XBoard's short form, which has no count.
    ShortForm {
        /// The third field: plies since the last capture or pawn's move.
        clock: u32,
        /// The fourth field: the move number.
        fullmove: u32,
    },
    /// Three fields, the third a number: the move number.
    MoveNumberThird(u32),
    /// No count runs, and the fifth field is not 0.
    PlyWithoutCount(u32),
    /// LIMIT and PLY are given, and an unpromoted pawn is on the board.
    CountWithPawns(Count),
    /// A king is bare and PLY is missing: it was read as that of the count that begins in the position.
    MissingPly(u32),
    /// No game reaches LIMIT and PLY with the men on the board. They were read as given.
    ImpossibleCount(ImpossibleCount),
    /// The move number is 0, and was read as 1.
    MoveNumberZero,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Link => f.write_str("the text is a link: only its position was read"),
            Note::Remainder(text) => write!(f, "the text after the position, {}, was not read", quoted(text)),
            Note::Lettering(letters) => {
                for (at, letter) in letters.iter().enumerate() {
                    let role = if matches!(letter, 'B' | 'E') { "khon (S)" } else { "met (M)" };
                    let comma = if at > 0 { ", " } else { "" };
                    write!(f, "{comma}{letter} was read as a {role}")?;
                }
                Ok(())
            }
            Note::Castling(text) => {
                write!(f, "the third field, {}, was ignored: Makruk has no castling", quoted(text))
            }
            Note::ShortForm { clock, fullmove } => write!(
                f,
                "the four fields were read as board, side, half-move clock and move number: no count runs at move {fullmove}; \
                 a count of LIMIT {clock} and PLY {fullmove} is written \"- {clock} {fullmove}\""
            ),
            Note::MoveNumberThird(number) => write!(f, "the third field, {number}, was read as the move number"),
            Note::PlyWithoutCount(ply) => {
                write!(f, "PLY, {ply}, was ignored: no count runs without a LIMIT in the fourth field")
            }
            Note::CountWithPawns(count) => {
                let (limit, ply) = (count.limit(), count.ply());
                write!(
                    f,
                    "the count, LIMIT {limit} and PLY {ply}, was ignored: none runs with an unpromoted pawn on the board"
                )
            }
            Note::MissingPly(ply) => {
                write!(f, "PLY is missing and was read as {ply}, that of a count that begins now against a bare king")
            }
            Note::ImpossibleCount(count) => write!(f, "{count}"),
            Note::MoveNumberZero => f.write_str("move number 0 was read as 1"),
        }
    }
}
