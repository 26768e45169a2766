//! A game under way.

use makruk_probe::CountMode;
use makruk_rules::{CountingRules, Fen, FenError, Move, Outcome, Position, UciError};
use thiserror::Error;

/// A position and the moves made since, the count carried through them. A count that the first position does not have
/// begins there with the defender's next move, as soon as no pawn is left.
#[derive(Clone, Debug)]
pub struct Game {
    rules: CountingRules,
    /// The positions, from the first on; never empty.
    positions: Vec<Fen>,
}

/// A position or a move that is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move.
    #[error("move {number}: {source}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The error in it.
        source: UciError,
    },
}

impl Game {
    /// A game from a position.
    pub fn new(first: Fen) -> Game {
        let rules = CountingRules::MAKRUK;
        let count = first.count.or_else(|| rules.start(first.position.board(), first.position.turn()));
        Game { rules, positions: vec![Fen { count, ..first }] }
    }

    /// A game from the array.
    pub fn start() -> Game {
        Game::new(Fen::start())
    }

    /// A game from a position and moves in UCI notation.
    ///
    /// # Errors
    ///
    /// The first move that cannot be read or breaks the rules.
    pub fn from_uci<'a>(first: Fen, moves: impl IntoIterator<Item = &'a str>) -> Result<Game, GameError> {
        let mut game = Game::new(first);
        for (at, text) in moves.into_iter().enumerate() {
            game.play_uci(text).map_err(|source| GameError::Move { number: at + 1, source })?;
        }
        Ok(game)
    }

    /// The counting rules.
    pub const fn rules(&self) -> &CountingRules {
        &self.rules
    }

    /// The position now, with its count.
    pub fn now(&self) -> &Fen {
        self.positions.last().expect("a game has its first position")
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        let next = self.now().play(&self.rules, mv);
        self.positions.push(next);
    }

    /// Makes a move in UCI notation.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is not legal; the game stays as it is.
    pub fn play_uci(&mut self, text: &str) -> Result<(), UciError> {
        let mv = Move::from_uci(&self.now().position, text)?;
        self.play(mv);
        Ok(())
    }

    /// Takes back this number of moves, or as many as there are.
    pub fn take_back(&mut self, moves: usize) {
        let left = self.positions.len().saturating_sub(moves).max(1);
        self.positions.truncate(left);
    }

    /// The positions before this one.
    pub fn before(&self) -> impl Iterator<Item = &Position> {
        self.positions.iter().rev().skip(1).map(|fen| &fen.position)
    }

    /// The number of times that the position has been on the board, now included.
    pub fn occurrences(&self) -> u32 {
        let now = &self.now().position;
        self.positions.iter().filter(|fen| fen.position == *now).count() as u32
    }

    /// The outcome of the game, if it is over. With [`CountMode::Applied`] a count that has run out ends it.
    pub fn outcome(&self, mode: CountMode) -> Option<Outcome> {
        let Fen { position, count, .. } = self.now();
        Outcome::of(position, count.filter(|_| mode == CountMode::Applied), self.occurrences())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_goes_with_the_moves() {
        let now = |fen, moves: &str| {
            Game::from_uci(Fen::parse(fen).unwrap(), moves.split_whitespace()).unwrap().now().to_string()
        };
        let armed = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
        assert_eq!(now(armed, ""), "8/8/8/8/8/4s1k1/4R3/K7 w - 128 0 1");
        assert_eq!(now(armed, "e2e1 g3f2"), "8/8/8/8/8/4s3/5k2/K3R3 w - 128 2 2");
        assert_eq!(now("8/8/8/8/8/4s1k1/4R3/K7 w - 128 50 1", "e2e3"), "8/8/8/8/8/4R1k1/8/K7 b - 32 6 1");
        // With pawns it begins when the last pawn is promoted or captured.
        assert_eq!(now("8/8/8/3P4/8/3k4/8/K3R3 w - - 0 1", "a1a2"), "8/8/8/3P4/8/3k4/K7/4R3 b - - 0 1");
        assert_eq!(now("8/8/8/3P4/8/3k4/8/K3R3 w - - 0 1", "a1a2 d3c4 d5d6"), "8/8/3M4/8/2k5/8/K7/4R3 b - 32 8 2");
    }

    #[test]
    fn a_refused_move_changes_nothing() {
        let error = Game::from_uci(Fen::start(), ["d3d4", "d6d4"]).unwrap_err();
        assert!(error.to_string().starts_with("move 2: "), "{error}");
        let mut game = Game::from_uci(Fen::start(), ["d3d4"]).unwrap();
        assert!(game.play_uci("d4d5").is_err());
        game.take_back(1);
        assert_eq!(game.now().to_string(), Fen::START);
        game.take_back(9);
        assert_eq!(game.now().to_string(), Fen::START);
    }

    #[test]
    fn endings() {
        let outcome = |fen: &str| Game::new(fen.parse().unwrap()).outcome(CountMode::Applied);
        assert_eq!(outcome("8/8/8/8/8/4s1k1/4R3/K7 w - 128 129 1"), Some(Outcome::CountExpired));
        assert_eq!(
            Game::new("8/8/8/8/8/4s1k1/4R3/K7 w - 128 129 1".parse().unwrap()).outcome(CountMode::Ignored),
            None
        );
    }

    #[test]
    fn the_third_time_draws() {
        let shuffle = ["e2e1", "g3g4", "e1e2", "g4g3"];
        let game = |plies: usize| {
            let moves = shuffle.iter().copied().cycle().take(plies);
            Game::from_uci(Fen::parse("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1").unwrap(), moves).unwrap()
        };
        assert_eq!((game(4).occurrences(), game(4).outcome(CountMode::Ignored)), (2, None));
        assert_eq!((game(7).occurrences(), game(7).outcome(CountMode::Ignored)), (2, None));
        assert_eq!(game(8).outcome(CountMode::Applied), Some(Outcome::Repetition));
        // Taking a move back takes its repetition back.
        let mut game = game(8);
        game.take_back(1);
        assert_eq!(game.outcome(CountMode::Applied), None);
    }
}
