//! Games in PGN: tags, moves and results. Comments and variations are skipped.

mod draft;
mod tokens;

use std::fmt;
use std::iter::FusedIterator;
use std::str::FromStr;

use thiserror::Error;

use self::draft::Draft;
use self::tokens::{Token, Tokens};
use super::text::quoted;
use super::{CountingRules, Fen, FenError, Move, SanError};

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    /// The position that the game starts from: that of its `FEN` tag, or the starting array.
    pub start: Fen,
    /// The moves of the main line.
    pub moves: Vec<GameMove>,
    /// The result.
    pub result: GameResult,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameMove {
    /// The move.
    pub mv: Move,
    /// The move as the file has it.
    pub san: String,
    /// The line of the file it stands on, the first being 1.
    pub line: usize,
}

/// The result of a game.
///
/// Written and read as PGN's token; `1/2` is read too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`.
    White,
    /// `0-1`.
    Black,
    /// `1/2-1/2`.
    Draw,
    /// `*`, or no result at all.
    #[default]
    Unknown,
}

/// A text that is no game's result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} is no result: expected 1-0, 0-1, 1/2-1/2 or *", quoted(.found))]
pub struct ParseGameResultError {
    /// The text.
    pub found: String,
}

impl FromStr for GameResult {
    type Err = ParseGameResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseGameResultError> {
        match text {
            "1-0" => Ok(GameResult::White),
            "0-1" => Ok(GameResult::Black),
            "1/2-1/2" | "1/2" => Ok(GameResult::Draw),
            "*" => Ok(GameResult::Unknown),
            _ => Err(ParseGameResultError { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}

/// A game that cannot be read, and the place of the error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}, line {line}: {problem}")]
pub struct PgnError {
    /// The number of the game in the file, the first being 1.
    pub game: usize,
    /// The line of the file, the first being 1.
    pub line: usize,
    /// The problem in that line.
    pub problem: PgnProblem,
}

/// A problem that makes a game unreadable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PgnProblem {
    /// A line begins as a tag and is none.
    #[error("{} is no tag: expected [Name \"value\"]", quoted(.0))]
    Tag(
        /// The line.
        String,
    ),
    /// The `FEN` tag cannot be used.
    #[error("the FEN tag cannot be used: {0}")]
    Start(FenError),
    /// A move cannot be read or is illegal.
    #[error("move {number}{} cannot be played: {error}", if *.white { "." } else { "..." })]
    Move {
        /// The move's number.
        number: u32,
        /// Is the move White's?
        white: bool,
        /// The error of the move.
        error: SanError,
    },
    /// The text ends in a comment.
    #[error("a comment is not closed: expected a }}")]
    OpenComment,
    /// The game ends in a variation.
    #[error("a variation is not closed: expected a )")]
    OpenVariation,
    /// A variation ends that has not begun.
    #[error("a ) closes no variation")]
    StrayClose,
}

impl Game {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
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
