//! A game: tags, moves and result.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::super::text::quoted;
use super::super::{CountingRules, Fen, FenError, Move, SanError};

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    /// The position that the game starts from: that of its `FEN` tag, or the starting array.
    pub start: Fen,
    /// The moves of the main line.
    pub moves: Vec<GameMove>,
    /// The result.
    pub result: GameResult,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameMove {
    /// The move.
    pub mv: Move,
    /// The move as the file has it.
    pub san: String,
    /// The line of the file it stands on, the first being 1.
    pub line: usize,
}

/// The result of a game.
///
/// Written and read as PGN's token; `1/2` is read too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`.
    White,
    /// `0-1`.
    Black,
    /// `1/2-1/2`.
    Draw,
    /// `*`, or no result at all.
    #[default]
    Unknown,
}

/// A text that is not a game's result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} is not a result: expected 1-0, 0-1, 1/2-1/2 or *", quoted(.found))]
pub struct ParseGameResultError {
    /// The text.
    pub found: String,
}

impl FromStr for GameResult {
    type Err = ParseGameResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseGameResultError> {
        match text {
            "1-0" => Ok(GameResult::White),
            "0-1" => Ok(GameResult::Black),
            "1/2-1/2" | "1/2" => Ok(GameResult::Draw),
            "*" => Ok(GameResult::Unknown),
            _ => Err(ParseGameResultError { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}

/// A game that cannot be read, and the place of the error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}, line {line}: {problem}")]
pub struct PgnError {
    /// The number of the game in the file, the first being 1.
    pub game: usize,
    /// The line of the file, the first being 1.
    pub line: usize,
    /// The problem in that line.
    pub problem: PgnProblem,
}

/// A problem that makes a game unreadable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PgnProblem {
    /// A line begins as a tag and is none.
    #[error("{} is not a tag: expected [Name \"value\"]", quoted(.0))]
    Tag(
        /// The line.
        String,
    ),
    /// The `FEN` tag cannot be used.
    #[error("the FEN tag cannot be used: {0}")]
    Start(FenError),
    /// A move cannot be read or is illegal.
    #[error("move {number}{} cannot be played: {error}", if *.white { "." } else { "..." })]
    Move {
        /// The move's number.
        number: u32,
        /// Whether the move is White's.
        white: bool,
        /// The error of the move.
        error: SanError,
    },
    /// The text ends in a comment.
    #[error("a comment is not closed: expected a }}")]
    OpenComment,
    /// The game ends in a variation.
    #[error("a variation is not closed: expected a )")]
    OpenVariation,
    /// A variation ends that has not begun.
    #[error("a ) closes no variation")]
    StrayClose,
}

impl Game {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Every position of the game with its count, the start first: one more than there are moves.
    pub fn fens(&self, rules: &CountingRules) -> Vec<Fen> {
        let mut fens = vec![self.start.clone()];
        for played in &self.moves {
            let next = fens.last().unwrap_or(&self.start).play(rules, played.mv);
            fens.push(next);
        }
        fens
    }
}
