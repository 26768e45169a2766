//! What the reader of a game drops or assumes.

use std::fmt;

use super::super::text::quoted;
use super::super::{MoveNote, Note};
use super::GameResult;

/// Something in a game's text that was dropped or assumed, and its line. Written as a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameNote {
    /// The line of the text, the first being 1.
    pub line: usize,
    /// What was dropped or assumed.
    pub about: GameNoteKind,
}

/// What was dropped or assumed when a game was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameNoteKind {
    /// A note of the position that the game starts from.
    Start(Note),
    /// The `FEN` tag is empty, or the `SetUp` tag promises one that is missing: the game begins from the initial array.
    NoStart,
    /// The moves were played from the position that the caller gave.
    FromGiven,
    /// A note of that position.
    Given(Note),
    /// A text in brackets is not a tag.
    NotATag(String),
    /// A tag occurs again; its first value counts.
    RepeatedTag(String),
    /// The `Result` tag is not a result.
    UnknownResult(String),
    /// The `Result` tag and the end of the moves differ; the moves' counts.
    OtherResult {
        /// The tag's.
        tag: GameResult,
        /// The moves'.
        moves: GameResult,
    },
    /// A move, by its number, was read with an assumption.
    Move {
        /// The move's number.
        number: u32,
        /// Whether the move is White's.
        white: bool,
        /// What was assumed.
        note: MoveNote,
    },
    /// Variations were skipped; the line is that of the first.
    Variations(usize),
    /// More notes than are kept; the line is that of the first of them.
    More(usize),
}

impl fmt::Display for GameNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.about {
            GameNoteKind::Start(note) => write!(f, "{note}"),
            GameNoteKind::NoStart => {
                f.write_str("the game has no position of its own: it begins from the initial array")
            }
            GameNoteKind::FromGiven => {
                f.write_str("the moves were played from the position given, as the game has no FEN tag")
            }
            GameNoteKind::Given(note) => write!(f, "of the position given: {note}"),
            GameNoteKind::NotATag(text) => {
                write!(f, "{} was skipped: expected a tag, [Name \"value\"]", quoted(text))
            }
            GameNoteKind::RepeatedTag(name) => {
                write!(f, "the tag {} occurs again: its first value counts", quoted(name))
            }
            GameNoteKind::UnknownResult(value) => {
                write!(f, "the Result tag, {}, was ignored: expected 1-0, 0-1, 1/2-1/2 or *", quoted(value))
            }
            GameNoteKind::OtherResult { tag, moves } => {
                write!(f, "the Result tag is {tag} and the moves end with {moves}: the latter counts")
            }
            GameNoteKind::Move { number, white, note } => {
                write!(f, "move {number}{} {note}", if *white { ".:" } else { "...:" })
            }
            GameNoteKind::More(number) => write!(f, "{number} more notes are left out"),
            GameNoteKind::Variations(1) => f.write_str("a variation was skipped"),
            GameNoteKind::Variations(number) => write!(f, "{number} variations were skipped, the first of them here"),
        }
    }
}
