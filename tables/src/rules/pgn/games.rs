//! The games of a text, one after the other.

use std::iter::FusedIterator;

use super::draft::Draft;
use super::game::{Game, PgnError, PgnProblem};
use super::tokens::{Token, Tokens};

/// The games of a PGN text, one after the other.
///
/// Comments, variations, annotation glyphs and move numbers are skipped. Without a `FEN` tag a game starts from the array. A
/// game that cannot be read is an error, and the next game is read nevertheless.
///
/// ```
/// use makruk_tables::rules::{CountingRules, Games};
///
/// let text = "[FEN \"8/8/8/8/8/4b1k1/4R3/K7 w - - 0 1\"]\n1. Rxe3+ {bares the king} Kf4 (1... Kg2) 2. Ra3 *";
/// let game = Games::parse(text).next().expect("one game")?;
/// assert_eq!(game.moves.len(), 3);
/// assert_eq!(game.fens(&CountingRules::MAKRUK)[1].to_string(), "8/8/8/8/8/4R1k1/8/K7 b - 32 6 1");
/// # Ok::<(), makruk_tables::rules::PgnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Games<'a> {
    tokens: Tokens<'a>,
    /// Games begun so far.
    count: usize,
}

impl<'a> Games<'a> {
    /// The games of a text.
    pub fn parse(text: &'a str) -> Games<'a> {
        Games { tokens: Tokens::new(text), count: 0 }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Result<Game, PgnError>> {
        let start = self.tokens.clone();
        let first = self.tokens.next()?;
        self.count += 1;
        if matches!(first, Token::OpenComment) {
            return Some(Err(PgnError { game: self.count, line: start.line(), problem: PgnProblem::OpenComment }));
        }
        self.tokens = start;
        let mut draft = Draft::new(self.count);
        while !draft.has_result() {
            let before = self.tokens.clone();
            let Some(token) = self.tokens.next() else { break };
            // Without a result, the next game's first tag ends this game.
            if matches!(token, Token::Tag(_)) && draft.has_movetext() {
                self.tokens = before;
                break;
            }
            // A comment that is not closed takes the rest of the text; the error is where it begins.
            let line = if matches!(token, Token::OpenComment) { before.line() } else { self.tokens.line() };
            draft.add(token, line);
        }
        Some(draft.finish(self.tokens.line()))
    }
}

impl FusedIterator for Games<'_> {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::{Fen, FenError};
    use super::super::GameResult;
    use super::*;

    const ROOK: &str = "[FEN \"8/8/8/8/8/4b1k1/4R3/K7 w - - 0 1\"]\n";

    fn all(text: &str) -> Vec<Result<Game, PgnError>> {
        Games::parse(text).collect()
    }

    fn sans(game: &Game) -> Vec<&str> {
        game.moves.iter().map(|played| played.san.as_str()).collect()
    }

    #[test]
    fn comments_variations_and_glyphs_are_skipped() {
        let text = format!(
            "\u{feff}% escaped [\n[Event \"a \\\"b\\\\\"]\n{ROOK}\n{{a (comment}} 1.Re1$14 ; rest ( of line\n (1. Rxe3+ {{)}} (1. Ka2)) \
             1...Kf2 $1 !? 2. Rd1+! e.p.\n"
        );
        let [Err(error)] = &all(&text)[..] else { panic!("{:?}", all(&text)) };
        assert_eq!((error.game, error.line), (1, 6), "{error}");
        let text = text.replace("e.p.", "0-1 {after} ");
        let [Ok(game)] = &all(&text)[..] else { panic!("{:?}", all(&text)) };
        assert_eq!(sans(game), ["Re1", "Kf2", "Rd1+!"]);
        assert_eq!(game.tag("Event"), Some("a \"b\\"));
        assert_eq!(game.result, GameResult::Black);
        assert_eq!(game.moves[2].line, 6);
    }

    #[test]
    fn several_games_and_a_bad_one_between() {
        let text =
            format!("{ROOK}1. Rxe3+ 1-0\n\n{ROOK}1. Rxe3+ Kh9 2. Re1 *\n[Result \"1/2-1/2\"]\n1. d4\n{ROOK}\n\n");
        let games = all(&text);
        assert_eq!(games.len(), 4, "{games:?}");
        assert_eq!(games[0].as_ref().unwrap().result, GameResult::White);
        let error = games[1].as_ref().unwrap_err().to_string();
        assert!(error.starts_with("game 2, line 5: move 1... cannot be played: \"Kh9\""), "{error}");
        assert_eq!(games[2].as_ref().unwrap().result, GameResult::Draw);
        assert_eq!(games[2].as_ref().unwrap().start, Fen::start());
        assert!(games[3].as_ref().unwrap().moves.is_empty());
    }

    #[test]
    fn each_problem_is_named() {
        let problem = |text: &str| all(text)[0].clone().unwrap_err().problem;
        assert!(matches!(problem("[Event x]\n1. d4 *"), PgnProblem::Tag(_)));
        assert!(matches!(problem("[Event \"x]\n1. d4 *"), PgnProblem::Tag(_)));
        assert!(matches!(problem("[FEN \"8 w\"]\n1. d4 *"), PgnProblem::Start(FenError::RankCount { found: 1 })));
        assert_eq!(problem("1. d4 {never"), PgnProblem::OpenComment);
        assert_eq!(problem("{never"), PgnProblem::OpenComment);
        assert_eq!(problem("1. d4 (1. e4 *"), PgnProblem::OpenVariation);
        assert_eq!(problem("1. d4 ) *"), PgnProblem::StrayClose);
        assert!(all("").is_empty() && all(" \n{only a comment}\n").is_empty());
    }

    #[test]
    fn numbers_may_be_glued_or_wrong() {
        let games = all("1.d4 d5 2... c4 17 c5 3.... * 1-0");
        assert_eq!(sans(games[0].as_ref().unwrap()), ["d4", "d5", "c4", "c5"]);
        assert!(games[1].as_ref().is_ok_and(|game| game.result == GameResult::White && game.moves.is_empty()));
    }

    proptest! {
        #[test]
        fn any_text_comes_to_an_end(text in "\\PC*", near in "([\\[\\](){};$%\n\" ]|d4|1\\.|\\*|FEN|e5| ก){0,60}") {
            for text in [text, near] {
                prop_assert!(Games::parse(&text).count() <= text.len());
            }
        }
    }
}
