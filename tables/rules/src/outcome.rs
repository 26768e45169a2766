//! The end of a game.

use super::{Color, Count, GameResult, Position, REPETITIONS_TO_DRAW};

/// The way in which a game has ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side has mated.
    Mate(Color),
    /// The side to move has no move and is not in check: a draw.
    Stalemate,
    /// The count has run out: a draw.
    CountExpired,
    /// A dead position, from which no series of legal moves leads to a mate by either side: a draw.
    Dead,
    /// The position is on the board for the third time: a draw.
    Repetition,
}

impl Outcome {
    /// The outcome of a game that has come to a position, if the game is over there. `count` is the count that runs;
    /// `occurrences` is how often the position has been on the board, itself counted.
    pub fn of(position: &Position, count: Option<Count>, occurrences: u32) -> Option<Outcome> {
        match Outcome::of_living(position, count, occurrences) {
            None | Some(Outcome::Repetition) if position.is_dead() => Some(Outcome::Dead),
            outcome => outcome,
        }
    }

    /// The same for a position that is not dead, or from which the game went on to one that is not.
    pub fn of_living(position: &Position, count: Option<Count>, occurrences: u32) -> Option<Outcome> {
        let is_checkmate = position.is_checkmate();
        if count.is_some_and(|count| count.draws(is_checkmate)) {
            Some(Outcome::CountExpired)
        } else if is_checkmate {
            Some(Outcome::Mate(!position.turn()))
        } else if !position.has_legal_move() {
            Some(Outcome::Stalemate)
        } else {
            (occurrences >= REPETITIONS_TO_DRAW).then_some(Outcome::Repetition)
        }
    }

    /// The result of the game.
    pub const fn result(self) -> GameResult {
        match self {
            Outcome::Mate(Color::White) => GameResult::White,
            Outcome::Mate(Color::Black) => GameResult::Black,
            _ => GameResult::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Fen;
    use super::*;

    #[test]
    fn games_end_by_the_rules() {
        let outcome = |fen: &str, occurrences| {
            let fen: Fen = fen.parse().unwrap();
            Outcome::of(&fen.position, fen.count, occurrences)
        };
        assert_eq!(outcome("R5k1/8/6K1/8/8/8/8/8 b - 32 33 1", 1), Some(Outcome::Mate(Color::White)));
        assert_eq!(outcome("R5k1/8/6K1/8/8/8/8/8 b - 32 34 1", 1), Some(Outcome::CountExpired), "before the mate");
        assert_eq!(outcome("k7/1R6/1K6/8/8/8/8/8 b - - 0 1", 1), Some(Outcome::Stalemate));
        assert_eq!(outcome("8/8/8/8/8/4s1k1/4R3/K7 w - 128 129 1", 1), Some(Outcome::CountExpired));
        assert_eq!(outcome("8/8/8/8/8/4s1k1/4R3/K7 w - 128 128 1", 2), None);
        assert_eq!(outcome("8/8/8/8/8/4s1k1/4R3/K7 w - 128 128 1", 3), Some(Outcome::Repetition));
        for fen in
            ["8/8/8/8/8/6k1/8/K7 w - - 0 1", "8/8/8/8/3M4/2M3k1/8/K7 b - 128 6 1", "8/8/8/8/8/8/1R4K1/k7 b - 32 6 1"]
        {
            assert_eq!(outcome(fen, 3), Some(Outcome::Dead), "{fen}");
        }
        assert_eq!(outcome(Fen::START, 1), None);
        assert_eq!(Outcome::Mate(Color::Black).result().to_string(), "0-1");
        assert_eq!(Outcome::CountExpired.result().to_string(), "1/2-1/2");
    }
}
