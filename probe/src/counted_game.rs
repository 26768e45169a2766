//! The positions of a game with their counts, and the end that the rules give it.

use makruk_rules::{CountingRules, Fen, Game, Outcome, Repetitions};

use crate::prober::Prober;
use crate::source::ValueSource;

/// The positions of a game with their counts.
#[derive(Clone, Debug)]
pub struct CountedGame {
    /// The positions under which moves are judged, the start first: one more than there are moves.
    pub fens: Vec<Fen>,
    /// The same as long as nobody has claimed board's honour.
    pub unclaimed: Vec<Fen>,
    /// The number of times that each position has occurred, itself counted.
    pub occurrences: Vec<u32>,
}

impl CountedGame {
    /// The positions of a game. Where no count is written, one is supposed that begins with the first position without
    /// pawns; if `is_unclaimed`, board's honour is not.
    pub fn new<S: ValueSource>(prober: &Prober<S>, game: &Game, is_unclaimed: bool) -> CountedGame {
        let rules = prober.rules();
        let unclaimed = positions(rules, game, game.start.clone(), true);
        // The count is resolved once, in the first position, and carried on from there.
        let mut supposed = positions(rules, game, prober.resolved(&game.start), false);
        supposed[0] = game.start.clone();
        let mut repetitions = Repetitions::new();
        let occurrences = unclaimed.iter().map(|fen| repetitions.record(&fen.position)).collect();
        CountedGame { fens: if is_unclaimed { unclaimed.clone() } else { supposed }, unclaimed, occurrences }
    }

    /// The plies before the first position in which the rules end the game, and its outcome; `None` if they do not. A
    /// count of board's honour that is only supposed ends no game.
    pub fn outcome(&self) -> Option<(usize, Outcome)> {
        // No game comes from a dead position to one that is not.
        let ends_dead = self.unclaimed.last().is_some_and(|fen| fen.position.is_dead());
        let outcome = if ends_dead { Outcome::of } else { Outcome::of_living };
        let ends = |(ply, fen): (usize, &Fen)| Some((ply, outcome(&fen.position, fen.count, self.occurrences[ply])?));
        self.unclaimed.iter().enumerate().find_map(ends)
    }
}

/// The positions of a game, which begins with this one. If `is_unclaimed`, nobody has claimed board's honour.
fn positions(rules: &CountingRules, game: &Game, start: Fen, is_unclaimed: bool) -> Vec<Fen> {
    let mut fens = vec![start];
    for played in &game.moves {
        let before = &fens[fens.len() - 1];
        let after = before.play(rules, played.mv);
        let unclaimed = if is_unclaimed { before.unclaimed(&after) } else { None };
        fens.push(unclaimed.unwrap_or(after));
    }
    fens
}
