//! Games as JSON.

use makruk_probe::json::{JudgedMoveJson, PositionJson};
use makruk_probe::{JudgedMove, Verdict};
use makruk_tables::rules::{Fen, Game, GameNote, Move, PgnError};
use serde::Serialize;

use crate::explored_json::PositionPart;
use crate::{GameErrorJson, UnjudgedJson};

/// Games, in order.
#[derive(Debug, Serialize)]
pub struct GamesJson {
    /// The games.
    pub games: Vec<GameJson>,
}

/// A game, or the reason why it cannot be read.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum GameJson {
    /// The game was read.
    Read {
        /// The number of the game, from 1.
        game: usize,
        /// Pairs of a name and a value, in order.
        tags: Vec<(String, String)>,
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: String,
        /// The positions, in order.
        positions: Vec<GamePositionJson>,
        /// What was dropped or assumed when the game was read, in sentences; left out if there is nothing to say.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// The game cannot be read.
    Failed(GameErrorJson),
}

impl GameJson {
    /// A game of this number, from 1, and its positions.
    pub fn new(number: usize, game: &Game, positions: Vec<GamePositionJson>) -> GameJson {
        let notes = game.notes.iter().map(GameNote::to_string).collect();
        GameJson::Read { game: number, tags: game.tags.clone(), result: game.result.to_string(), positions, notes }
    }

    /// The game of this number cannot be read.
    pub fn failed(number: usize, error: &PgnError) -> GameJson {
        GameJson::Failed(GameErrorJson::new(number, error))
    }
}

/// A position of a game, with or without a verdict.
#[derive(Debug, Serialize)]
pub struct GamePositionJson {
    /// Plies before the position.
    ply: usize,
    /// The number of times that the position has occurred in the game; the third time draws the game.
    occurrence: u32,
    #[serde(flatten)]
    position: PositionPart,
    #[serde(flatten)]
    unjudged: Option<UnjudgedJson>,
    /// The move that was played; `null` in the last position.
    played: Option<PlayedInGame>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum PlayedInGame {
    Judged(JudgedMoveJson),
    Legal { uci: String, san: String },
}

impl GamePositionJson {
    pub(crate) fn new(
        ply: usize,
        occurrence: u32,
        fen: &Fen,
        mv: Option<Move>,
        outcome: Result<(Verdict, Option<JudgedMove>), UnjudgedJson>,
    ) -> GamePositionJson {
        let legal = || mv.map(|mv| PlayedInGame::Legal { uci: mv.to_string(), san: mv.to_san(&fen.position) });
        let (position, played, unjudged) = match outcome {
            Ok((verdict, played)) => {
                let played = played.map(|played| PlayedInGame::Judged(JudgedMoveJson::new(&played)));
                (PositionPart::Judged(Box::new(PositionJson::new(fen, &verdict, None))), played.or_else(legal), None)
            }
            Err(why) => {
                let position = PositionPart::Unjudged { fen: fen.to_string(), side: fen.position.turn().name() };
                (position, legal(), Some(why))
            }
        };
        GamePositionJson { ply, occurrence, position, unjudged, played }
    }
}
