//! Games as text: tags, moves and results, with comments and variations passed over.

use std::fmt;

use thiserror::Error;

use super::text::quoted;
use super::{CountingRules, Fen, FenError, Move, SanError, read_san};

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Names and values of its tags, in order.
    pub tags: Vec<(String, String)>,
    /// Where it starts: its `FEN` tag, or the array.
    pub start: Fen,
    /// The moves of its main line.
    pub moves: Vec<GameMove>,
    /// How it ended.
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

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`.
    White,
    /// `0-1`.
    Black,
    /// `1/2-1/2`.
    Draw,
    /// `*`, or nothing was said.
    #[default]
    Unknown,
}

impl GameResult {
    /// The result a PGN token stands for.
    pub fn from_token(token: &str) -> Option<GameResult> {
        Some(match token {
            "1-0" => GameResult::White,
            "0-1" => GameResult::Black,
            "1/2-1/2" | "1/2" => GameResult::Draw,
            "*" => GameResult::Unknown,
            _ => return None,
        })
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

/// A game that could not be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}, line {line}: {problem}")]
pub struct PgnError {
    /// The number of the game in the file, the first being 1.
    pub game: usize,
    /// The line of the file, the first being 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: PgnProblem,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnProblem {
    /// A tag that is none.
    #[error("{} is no tag: expected [Name \"value\"]", quoted(.0))]
    Tag(
        /// The line it is on.
        String,
    ),
    /// The `FEN` tag cannot be used.
    #[error("the FEN tag cannot be used: {0}")]
    Start(#[source] FenError),
    /// A move that cannot be read or played.
    #[error("move {number}{} cannot be played: {error}", if *.white { "." } else { "..." })]
    Move {
        /// Its number.
        number: u32,
        /// Is it White's?
        white: bool,
        /// Why not.
        #[source]
        error: SanError,
    },
    /// A comment that the text ends in.
    #[error("a comment is not closed: expected a }}")]
    OpenComment,
    /// A variation that the game ends in.
    #[error("a variation is not closed: expected a )")]
    OpenVariation,
    /// A variation's end without a beginning.
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

/// Reads the games of a PGN text, one after the other. A game that cannot be read gives an error, and the next one
/// is read all the same.
///
/// Comments, variations, annotation glyphs and move numbers are passed over. Without a `FEN` tag a game starts from
/// the array.
///
/// ```
/// use makruk_tables::rules::{Fen, read_pgn};
///
/// let text = "[FEN \"8/8/8/8/8/4b1k1/4R3/K7 w - - 0 1\"]\n1. Rxe3+ {bares the king} Kf4 (1... Kg2) 2. Ra3 *";
/// let game = read_pgn(text).next().expect("one game")?;
/// assert_eq!(game.moves.len(), 3);
/// assert_eq!(game.fens(&Default::default())[1].to_string(), "8/8/8/8/8/4R1k1/8/K7 b - 32 6 1");
/// # Ok::<(), makruk_tables::rules::PgnError>(())
/// ```
pub fn read_pgn(text: &str) -> Games<'_> {
    Games { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1, at_line_start: true, game: 0 }
}

/// The games of a text: see [`read_pgn`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    rest: &'a str,
    line: usize,
    at_line_start: bool,
    game: usize,
}

enum Token<'a> {
    Tag(&'a str),
    Open,
    Close,
    OpenComment,
    Word(&'a str),
}

impl<'a> Games<'a> {
    /// Takes so many bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        if !taken.is_empty() {
            self.at_line_start = taken.ends_with('\n');
        }
        self.rest = rest;
        taken
    }

    fn take_line(&mut self) -> &'a str {
        self.take(self.rest.find('\n').unwrap_or(self.rest.len()))
    }

    /// Passes over white space, comments, escaped lines and glyphs. False if a comment is not closed.
    fn skip_idle(&mut self) -> bool {
        loop {
            let idle = self.rest.len() - self.rest.trim_start().len();
            self.take(idle);
            match self.rest.as_bytes() {
                [b'{', ..] => match self.rest.find('}') {
                    Some(end) => _ = self.take(end + 1),
                    None => {
                        self.take(self.rest.len());
                        return false;
                    }
                },
                [b';', ..] => _ = self.take_line(),
                [b'%', ..] if self.at_line_start => _ = self.take_line(),
                [b'$', ..] => {
                    let digits = self.rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    self.take(1 + digits);
                }
                _ => return true,
            }
        }
    }

    fn next_token(&mut self) -> Option<Token<'a>> {
        if !self.skip_idle() {
            return Some(Token::OpenComment);
        }
        Some(match self.rest.bytes().next()? {
            b'[' => Token::Tag(self.take_line()),
            b'(' => {
                self.take(1);
                Token::Open
            }
            b')' => {
                self.take(1);
                Token::Close
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
                let first = self.rest.chars().next().map_or(1, char::len_utf8);
                let length = self.rest[first..].find(ends).map_or(self.rest.len(), |at| at + first);
                Token::Word(self.take(length))
            }
        })
    }
}

/// What is known of a game while it is read.
struct Draft {
    tags: Vec<(String, String)>,
    start: Fen,
    at: Fen,
    moves: Vec<GameMove>,
    error: Option<PgnError>,
}

impl Draft {
    /// Keeps the first thing that is wrong; what follows it is only read over.
    fn fail(&mut self, game: usize, line: usize, problem: PgnProblem) {
        self.error.get_or_insert(PgnError { game, line, problem });
    }

    fn tag(&mut self, game: usize, line: usize, text: &str) {
        let Some((name, value)) = parse_tag(text) else {
            return self.fail(game, line, PgnProblem::Tag(text.trim_end().to_owned()));
        };
        if name == "FEN" {
            match Fen::parse(&value) {
                Ok(fen) => (self.at, self.start) = (fen.clone(), fen),
                Err(error) => self.fail(game, line, PgnProblem::Start(error)),
            }
        }
        self.tags.push((name, value));
    }

    fn play(&mut self, game: usize, line: usize, san: &str) {
        if self.error.is_some() {
            return;
        }
        match read_san(&self.at.position, san) {
            Ok(mv) => {
                self.at = self.at.play(&CountingRules::MAKRUK, mv);
                self.moves.push(GameMove { mv, san: san.to_owned(), line });
            }
            Err(error) => {
                let white = self.at.position.turn() == super::Color::White;
                self.fail(game, line, PgnProblem::Move { number: self.at.fullmove, white, error });
            }
        }
    }

    fn finish(self, result: Option<GameResult>) -> Result<Game, PgnError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let tagged = || self.tags.iter().find(|(name, _)| name == "Result").map(|(_, value)| value.as_str());
        let result = result.or_else(|| GameResult::from_token(tagged()?)).unwrap_or_default();
        Ok(Game { tags: self.tags, start: self.start, moves: self.moves, result })
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Result<Game, PgnError>> {
        let line = self.line;
        let closed = self.skip_idle();
        if closed && self.rest.is_empty() {
            return None;
        }
        self.game += 1;
        let game = self.game;
        if !closed {
            return Some(Err(PgnError { game, line, problem: PgnProblem::OpenComment }));
        }
        let start = Fen::start();
        let mut draft = Draft { tags: Vec::new(), at: start.clone(), start, moves: Vec::new(), error: None };
        let mut depth = 0usize;
        let mut in_moves = false;
        let mut result = None;
        loop {
            // A tag after the moves begins the next game, if this one has no result.
            let here = self.clone();
            let token = self.next_token();
            let line = self.line;
            match token {
                None => break,
                Some(Token::Tag(_)) if in_moves => {
                    *self = here;
                    break;
                }
                Some(Token::Tag(text)) => draft.tag(game, line, text),
                Some(Token::Open) => (in_moves, depth) = (true, depth + 1),
                Some(Token::Close) if depth == 0 => draft.fail(game, line, PgnProblem::StrayClose),
                Some(Token::Close) => depth -= 1,
                Some(Token::OpenComment) => draft.fail(game, here.line, PgnProblem::OpenComment),
                Some(Token::Word(word)) => {
                    in_moves = true;
                    if depth > 0 {
                        continue;
                    }
                    result = GameResult::from_token(word);
                    if result.is_some() {
                        break;
                    }
                    let san = without_number(word);
                    if !san.trim_matches(['+', '#', '!', '?', '=']).is_empty() {
                        draft.play(game, line, san);
                    }
                }
            }
        }
        if depth > 0 {
            draft.fail(game, self.line, PgnProblem::OpenVariation);
        }
        Some(draft.finish(result))
    }
}

/// A move without the number it may be glued to: `12.Nf3` and `12...Nf3` are `Nf3`, `12.` and `12` nothing.
fn without_number(word: &str) -> &str {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let moved = after.trim_start_matches('.');
    if after.len() == word.len() || moved.len() < after.len() || after.is_empty() { moved } else { word }
}

/// `[Name "value"]`, with `\"` and `\\` in the value.
fn parse_tag(text: &str) -> Option<(String, String)> {
    let inner = text.trim_end().strip_prefix('[')?;
    let (name, rest) = inner.split_once('"')?;
    let name = name.trim();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return None;
    }
    let mut value = String::new();
    let mut letters = rest.chars();
    loop {
        match letters.next()? {
            '"' => break,
            '\\' => value.push(letters.next()?),
            letter => value.push(letter),
        }
    }
    letters.as_str().trim_start().starts_with(']').then(|| (name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ROOK: &str = "[FEN \"8/8/8/8/8/4b1k1/4R3/K7 w - - 0 1\"]\n";

    fn all(text: &str) -> Vec<Result<Game, PgnError>> {
        read_pgn(text).collect()
    }

    fn sans(game: &Game) -> Vec<&str> {
        game.moves.iter().map(|played| played.san.as_str()).collect()
    }

    #[test]
    fn comments_variations_and_glyphs_are_passed_over() {
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
    fn what_is_wrong_is_told() {
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
                prop_assert!(read_pgn(&text).count() <= text.len());
            }
        }
    }
}
