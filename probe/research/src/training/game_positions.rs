//! The positions of games and of lists.

use std::collections::HashSet;

use makruk_tables::material::Material;
use makruk_tables::rules::{CountingRules, Fen, FenError, Games, PgnError, Reading};
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

/// The positions of a text that have a material, with their counts, each once, in order; and the errors. The text is PGN if its first line
/// that is not empty begins with `[`; otherwise it is a list of FENs, one a line.
pub fn game_positions(text: &str, rules: &CountingRules) -> (Vec<Fen>, Vec<GamePositionsError>) {
    let (mut fens, mut errors) = (Vec::new(), Vec::new());
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('[') {
        for game in Games::parse(text) {
            match game {
                Ok(game) => fens.extend(game.fens(rules)),
                Err(error) => errors.push(error.into()),
            }
        }
    } else {
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !Reading::is_left_out(line)) {
            match Fen::parse(line) {
                Ok(fen) => fens.push(fen),
                Err(error) => errors.push(GamePositionsError::Line { line: at + 1, error }),
            }
        }
    }
    let mut known = HashSet::new();
    fens.retain(|fen| Material::of(fen.position.board()).is_ok() && known.insert((fen.position.clone(), fen.count)));
    (fens, errors)
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
        let (fens, errors) = game_positions(PGN, &CountingRules::MAKRUK);
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
        let [error] = &errors[..] else { panic!("{errors:?}") };
        assert!(error.to_string().starts_with("game 2, line 6: move"), "{error}");
    }

    #[test]
    fn lists_name_the_line_of_an_error() {
        let text = "8/8/8/3k4/8/8/1R6/K7 b - 32 7 12\n# one\n8/8 b\n8/8/8/3k4/8/8/1R6/K7 b - 32 7 40\n8/8/8/3k4/8/8/1R6/K7 b\n";
        let (fens, errors) = game_positions(text, &CountingRules::MAKRUK);
        assert_eq!(
            fens.iter().map(|fen| (fen.count.is_some(), fen.fullmove)).collect::<Vec<_>>(),
            [(true, 12), (false, 1)]
        );
        assert!(errors.len() == 1 && errors[0].to_string().starts_with("line 3: "), "{errors:?}");
    }
}
