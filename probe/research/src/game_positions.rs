//! The positions of games and of lists.

use std::collections::HashSet;

use makruk_rules::{CountingRules, Fen, FenError, Games, PgnError, PgnProblem, Reading};
use makruk_tables::material::Material;
use thiserror::Error;

/// A game or a line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GamePositionsError {
    /// A game of a PGN text.
    #[error(transparent)]
    Game(#[from] PgnError),
    /// A line of a list of FENs.
    #[error("line {line}: {error}")]
    Line {
        /// The line, the first being 1.
        line: usize,
        /// The problem of its FEN.
        error: FenError,
    },
}

/// The positions of games or of a list.
#[derive(Clone, Debug, Default)]
pub struct GamePositions {
    /// The positions that have a material, with their counts, each once, in order.
    pub fens: Vec<Fen>,
    /// What was dropped or assumed, in sentences.
    pub notes: Vec<String>,
    /// The games and lines that cannot be read.
    pub errors: Vec<GamePositionsError>,
}

impl GamePositions {
    /// The positions of a text with games, or with positions, one a line, or both.
    pub fn parse(text: &str, rules: &CountingRules) -> GamePositions {
        let mut positions = GamePositions::default();
        for (at, game) in Games::parse(text).enumerate() {
            match game {
                Ok(game) => {
                    positions.fens.extend(game.fens(rules));
                    positions.notes.extend(game.notes.iter().map(|note| format!("game {}, {note}", at + 1)));
                }
                Err(PgnError { problem: PgnProblem::Position(text), line, .. }) => match Reading::parse(&text) {
                    Ok(reading) => {
                        positions
                            .notes
                            .extend(reading.sentences().into_iter().map(|note| format!("line {line}: {note}")));
                        positions.fens.push(reading.fen);
                    }
                    Err(error) => positions.errors.push(GamePositionsError::Line { line, error }),
                },
                Err(error) => positions.errors.push(error.into()),
            }
        }
        let mut known = HashSet::new();
        positions.fens.retain(|fen| {
            Material::of(fen.position.board()).is_ok() && known.insert((fen.position.clone(), fen.count))
        });
        positions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PGN: &str = "\u{feff}\n[FEN \"8/8/8/8/8/4b1k1/4R3/K7 w - - 0 7\"]\n1. Rxe3+ Kf4 2. Ra3 *\n\n\
                       [FEN \"8/8/8/8/8/4b1k1/4R3/K7 w - - 0 9\"]\n1. Rxe3+ Kh9 *\n\n\
                       [FEN \"8/8/8/8/8/4b1k1/4R3/K7 w - - 0 9\"]\n1. Rxe3+ Kf4 *\n\n1. d4 *\n\n\
                       [FEN \"8/8/8/3P4/8/4k3/8/KR6 w\"]\n1. d6=M *\n";

    #[test]
    fn positions_have_the_counts_of_their_games_and_occur_once() {
        let GamePositions { fens, notes, errors } = GamePositions::parse(PGN, &CountingRules::MAKRUK);
        let fens: Vec<String> = fens.iter().map(Fen::to_string).collect();
        assert_eq!(
            fens,
            [
                "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 7",
                "8/8/8/8/8/4R1k1/8/K7 b - 32 6 7",
                "8/8/8/8/5k2/4R3/8/K7 w - 32 7 8",
                "8/8/8/8/5k2/R7/8/K7 b - 32 8 8",
                "8/8/8/3P4/8/4k3/8/KR6 w - - 0 1",
                "8/8/3M4/8/8/4k3/8/KR6 b - 32 8 1"
            ]
        );
        assert_eq!(notes[0], "game 1, line 2: B was read as a khon (S)");
        let [error] = &errors[..] else { panic!("{errors:?}") };
        assert!(error.to_string().starts_with("game 2, line 6: move"), "{error}");
    }

    #[test]
    fn lists_name_the_line_of_an_error() {
        let text = "8/8/8/3k4/8/8/1R6/K7 b - 32 7 12\n# one\n8/8 b\n8/8/8/3k4/8/8/1R6/K7 b - 32 7 40\n8/8/8/3k4/8/8/1R6/K7 b\n";
        let GamePositions { fens, errors, .. } = GamePositions::parse(text, &CountingRules::MAKRUK);
        assert_eq!(
            fens.iter().map(|fen| (fen.count.is_some(), fen.fullmove)).collect::<Vec<_>>(),
            [(true, 12), (false, 1)]
        );
        assert!(errors.len() == 1 && errors[0].to_string().starts_with("line 3: "), "{errors:?}");
    }
}
