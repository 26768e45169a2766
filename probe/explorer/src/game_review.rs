//! The positions of a game, one after the other.

use makruk_probe::{Analysis, ProbeError, Prober, ValueSource};
use makruk_tables::rules::{CountingRules, Fen, Game, Repetitions};

use crate::{GamePositionJson, UnjudgedJson};

/// A game whose positions are judged one at a time, in any order, so that a caller may stop between two or ask for one
/// again.
#[derive(Clone, Debug)]
pub struct GameReview<'a> {
    game: &'a Game,
    fens: Vec<Fen>,
    /// The number of times that each position has occurred, itself counted.
    occurrences: Vec<u32>,
}

impl<'a> GameReview<'a> {
    /// The review of a game, whose counts are carried on by these rules.
    pub fn new(rules: &CountingRules, game: &'a Game) -> GameReview<'a> {
        let fens = game.fens(rules);
        let mut repetitions = Repetitions::new();
        let occurrences = fens.iter().map(|fen| repetitions.record(&fen.position)).collect();
        GameReview { game, fens, occurrences }
    }

    /// The number of positions: one more than moves.
    #[allow(clippy::len_without_is_empty)] // a game has a first position
    pub fn len(&self) -> usize {
        self.fens.len()
    }

    /// The position after `ply` plies and the move played there, judged; `None` beyond the last. `describe` makes a
    /// failure readable.
    pub fn position<S: ValueSource>(
        &self,
        prober: &Prober<S>,
        ply: usize,
        describe: impl Fn(ProbeError) -> UnjudgedJson,
    ) -> Option<GamePositionJson> {
        let (fen, &occurrence) = self.fens.get(ply).zip(self.occurrences.get(ply))?;
        let mv = self.game.moves.get(ply).map(|played| played.mv);
        let judge = |analysis: Analysis<'_, _>| {
            let played = mv.map(|mv| analysis.judge_move(mv)).transpose()?;
            Ok((analysis.verdict().clone(), played.flatten()))
        };
        let outcome = prober.analysis(fen).and_then(judge).map_err(describe);
        Some(GamePositionJson::new(ply, occurrence, fen, mv, outcome))
    }
}
