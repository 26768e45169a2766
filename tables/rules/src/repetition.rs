//! The same position for the third time.

use std::collections::HashMap;

use super::Position;

/// The number of occurrences of a position that draws the game.
pub const REPETITIONS_TO_DRAW: u32 = 3;

/// The number of occurrences of each position of a game.
///
/// Two positions are the same if the same men stand on the same squares and the same side is to move; the count's LIMIT
/// and PLY are not compared. A game is drawn when a position occurs for the third time (competition rules of the Thai
/// Traditional Sports Association, BE 2569, page 9). No value of a table depends on it, since a forced win never needs
/// to repeat a position.
///
/// ```
/// use makruk_rules::{CountingRules, Fen, Move, REPETITIONS_TO_DRAW, Repetitions};
///
/// let mut fen: Fen = "8/8/8/8/8/4s1k1/4R3/K7 w - 128 10".parse()?;
/// let mut repetitions = Repetitions::new();
/// let mut times = repetitions.record(&fen.position);
/// for uci in ["e2e1", "g3g2", "e1e2", "g2g3", "e2e1", "g3g2", "e1e2", "g2g3"] {
///     fen = fen.play(&CountingRules::MAKRUK, Move::from_uci(&fen.position, uci)?);
///     times = repetitions.record(&fen.position);
/// }
/// assert_eq!(times, REPETITIONS_TO_DRAW);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repetitions {
    occurrences: HashMap<Position, u32>,
}

impl Repetitions {
    /// No position has occurred yet.
    pub fn new() -> Repetitions {
        Repetitions::default()
    }

    /// Adds a position that the game has reached, its start included. Returns how often it has now occurred, 1 for the
    /// first time.
    pub fn record(&mut self, position: &Position) -> u32 {
        if let Some(occurrences) = self.occurrences.get_mut(position) {
            *occurrences += 1;
            return *occurrences;
        }
        self.occurrences.insert(position.clone(), 1);
        1
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CountingRules, Fen, Move};
    use super::*;

    /// The positions of a game, its start first.
    fn game(start: &str, moves: &[&str]) -> Vec<Position> {
        let mut fen: Fen = start.parse().unwrap();
        let mut positions = vec![fen.position.clone()];
        for uci in moves {
            fen = fen.play(&CountingRules::MAKRUK, Move::from_uci(&fen.position, uci).unwrap());
            positions.push(fen.position.clone());
        }
        positions
    }

    /// The indices are those at which pyffish 0.0.90's `is_optional_game_end` begins to be true. It too counts the
    /// start as an occurrence, compares no count field, and tells the sides to move apart.
    #[test]
    fn the_third_occurrence_is_where_pyffish_has_it() {
        let rook = ["e2e1", "g3g2", "e1e2", "g2g3"];
        let knights = ["b1d2", "b8d7", "d2b1", "d7b8"];
        // White loses a move by a triangle: the squares come back with Black to move, which is another position.
        let triangle =
            ["a1b1", "g3g4", "b1a2", "g4g3", "a2a1", "g3g4", "e2e1", "g4g3", "e1e2", "g3g4", "e2e1", "g4g3", "e1e2"];
        for (start, moves, third) in [
            ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 10 1", rook.repeat(3), Some(8)),
            ("8/8/8/8/8/6k1/4R3/K7 w - - 0 1", rook.repeat(3), Some(8)),
            (Fen::START, knights.repeat(2), Some(8)),
            (Fen::START, knights.repeat(2)[..7].to_vec(), None),
            ("8/8/8/8/8/6k1/4R3/K7 w - 32 6 1", triangle.to_vec(), Some(13)),
        ] {
            let positions = game(start, &moves);
            let mut repetitions = Repetitions::new();
            let found = positions.iter().position(|position| repetitions.record(position) == REPETITIONS_TO_DRAW);
            assert_eq!(found, third, "{start} {moves:?}");
        }
    }
}
