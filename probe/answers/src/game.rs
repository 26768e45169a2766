//! Games, every position of them judged.

use makruk_rules::{Fen, Move};
use serde::Serialize;

use crate::explored::PositionPart;
use crate::{GameRefusal, JudgedMoveAnswer, Refusal, json};

/// The games, in order.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Games"))]
pub struct GamesAnswer {
    /// The games.
    pub games: Vec<GameAnswer>,
}

/// A game, or the reason why it cannot be read.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Game"))]
pub enum GameAnswer {
    /// A game, position by position.
    Read {
        /// The number of the game, from 1.
        game: usize,
        /// The tags in order: pairs of a name and a value.
        tags: Vec<(String, String)>,
        /// The result.
        #[cfg_attr(feature = "schema", schemars(extend("enum" = ["1-0", "0-1", "1/2-1/2", "*"])))]
        result: String,
        /// The positions, the first one included.
        positions: Vec<GamePosition>,
        /// Notes in sentences: parts of the text that were dropped or assumed, a count that is supposed, a result that
        /// is not the board's. Left out if there are none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// The game cannot be read.
    Refused(GameRefusal),
}

/// A position of a game, with or without a verdict.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = Refusal::within))]
pub struct GamePosition {
    /// The plies before the position.
    pub ply: usize,
    /// The number of times that the position has occurred in the game; the third time draws the game.
    pub occurrence: u32,
    /// The position.
    #[serde(flatten)]
    pub position: PositionPart,
    /// The position as long as nobody has claimed board's honour; left out if `fen` is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unclaimed_fen: Option<Fen>,
    /// The reason why the position, or the move that was played, has no verdict.
    #[serde(flatten)]
    pub unjudged: Option<Refusal>,
    /// The move that was played; `null` in the last position.
    pub played: Option<PlayedMove>,
}

/// The move that was played, with or without a verdict.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum PlayedMove {
    /// A move with a verdict.
    Judged(JudgedMoveAnswer),
    /// A move without a verdict.
    Unjudged {
        /// UCI notation.
        #[serde(rename = "uci")]
        mv: Move,
        /// SAN.
        san: String,
    },
}

impl GamePosition {
    /// The move that was played, if it has a verdict.
    pub fn judged_move(&self) -> Option<&JudgedMoveAnswer> {
        match &self.played {
            Some(PlayedMove::Judged(played)) => Some(played),
            _ => None,
        }
    }

    /// The position as a line of JSON, with the number of its game.
    pub fn json_of_game(&self, game: usize) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            game: usize,
            #[serde(flatten)]
            position: &'a GamePosition,
        }

        json(&Line { game, position: self })
    }
}
