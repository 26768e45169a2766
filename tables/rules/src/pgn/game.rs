//! A game: tags, moves and result.

use super::super::{CountingRules, Fen, Move};
use super::{GameNote, GameResult};

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    /// The position that the game starts from: that of its `FEN` tag or of a line before its moves, or the starting
    /// array.
    pub start: Fen,
    /// The moves of the main line.
    pub moves: Vec<GameMove>,
    /// The result.
    pub result: GameResult,
    /// What was dropped or assumed, in the order of the text.
    pub notes: Vec<GameNote>,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameMove {
    /// The move.
    pub mv: Move,
    /// The move as the text has it.
    pub san: String,
    /// The line of the text it stands on, the first being 1.
    pub line: usize,
}

impl Game {
    /// The value of a tag, whose name may be in either case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
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
