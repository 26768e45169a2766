//! The reasons why a game cannot be read.

use thiserror::Error;

use super::super::text::quoted;
use super::super::{FenError, SanError};

/// A game that cannot be read, and the place of the error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}, line {line}: {problem}")]
pub struct PgnError {
    /// The number of the game in the text, the first being 1.
    pub game: usize,
    /// The line of the text, the first being 1.
    pub line: usize,
    /// The problem in that line.
    pub problem: PgnProblem,
}

/// A problem that makes a game unreadable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PgnProblem {
    /// The text has neither a tag nor a move.
    #[error("the text has no game: expected PGN, such as tags in brackets and moves, \"1. e4 e5\"")]
    NoGame,
    /// The text is JSON.
    #[error("the text is JSON: expected PGN, such as tags in brackets and moves, \"1. e4 e5\"")]
    Json,
    /// A position on a line of its own, without moves.
    #[error(
        "{} is a position, not a game: expected moves after it, or a tag such as [FEN \"8/8/8/8/8/4s1k1/4R3/K7 w\"]",
        quoted(.0)
    )]
    Position(String),
    /// The `FEN` tag is none.
    #[error("{} is not a tag: expected [Name \"value\"]", quoted(.0))]
    Tag(String),
    /// The `Variant` tag names another game.
    #[error("the Variant tag is {}: only games of Makruk are read, whose tag is [Variant \"makruk\"] or missing", quoted(.0))]
    Variant(String),
    /// The position that the game starts from cannot be used.
    #[error("the position that the game starts from cannot be used: {0}")]
    Start(FenError),
    /// A move cannot be read or is illegal.
    #[error(
        "move {number}{} cannot be played: {error}{}",
        if *.white { "." } else { "..." },
        if *.from_array { "; the game has no FEN tag, so it begins from the initial array" } else { "" }
    )]
    Move {
        /// The move's number.
        number: u32,
        /// Whether the move is White's.
        white: bool,
        /// Whether the game begins from the initial array for want of a `FEN` tag, and this is its first move or the
        /// reply.
        from_array: bool,
        /// The error of the move.
        error: SanError,
    },
    /// A comment does not end before the next tag on a line of its own, or the text's end.
    #[error("a comment is not closed: expected a }}")]
    OpenComment,
    /// The game ends in a variation.
    #[error("a variation is not closed: expected a )")]
    OpenVariation,
    /// A variation ends that has not begun.
    #[error("a ) closes no variation")]
    StrayClose,
}
