//! A game while it is read.

use super::super::{Color, CountingRules, Fen, Move};
use super::game::{Game, GameMove, GameResult, PgnError, PgnProblem};
use super::tokens::Token;

/// The parts of a game that were read so far, and the first error.
pub(super) struct Draft {
    number: usize,
    tags: Vec<(String, String)>,
    start: Fen,
    current: Fen,
    moves: Vec<GameMove>,
    /// Variations that are open.
    depth: usize,
    has_movetext: bool,
    result: Option<GameResult>,
    error: Option<PgnError>,
}

impl Draft {
    /// A game without a token, by its number in the text.
    pub(super) fn new(number: usize) -> Draft {
        let start = Fen::start();
        Draft {
            number,
            tags: Vec::new(),
            current: start.clone(),
            start,
            moves: Vec::new(),
            depth: 0,
            has_movetext: false,
            result: None,
            error: None,
        }
    }

    /// Whether a move, a result or a variation has been read. A tag then begins the next game.
    pub(super) fn has_movetext(&self) -> bool {
        self.has_movetext
    }

    /// Whether the game's result has been read. Then the game is complete.
    pub(super) fn has_result(&self) -> bool {
        self.result.is_some()
    }

    /// Adds a token, which ended on a line.
    pub(super) fn add(&mut self, token: Token<'_>, line: usize) {
        match token {
            Token::Tag(text) => self.add_tag(text, line),
            Token::OpenVariation => {
                self.has_movetext = true;
                self.depth += 1;
            }
            Token::CloseVariation if self.depth == 0 => self.fail(line, PgnProblem::StrayClose),
            Token::CloseVariation => self.depth -= 1,
            Token::OpenComment => self.fail(line, PgnProblem::OpenComment),
            Token::Word(word) => {
                self.has_movetext = true;
                if self.depth == 0 {
                    self.add_word(word, line);
                }
            }
        }
    }

    /// Keeps the first error; the tokens after it are consumed and ignored.
    fn fail(&mut self, line: usize, problem: PgnProblem) {
        self.error.get_or_insert(PgnError { game: self.number, line, problem });
    }

    fn add_tag(&mut self, text: &str, line: usize) {
        let Some((name, value)) = parse_tag(text) else {
            return self.fail(line, PgnProblem::Tag(text.trim_end().to_owned()));
        };
        if name == "FEN" {
            match Fen::parse(&value) {
                Ok(fen) => (self.current, self.start) = (fen.clone(), fen),
                Err(error) => self.fail(line, PgnProblem::Start(error)),
            }
        }
        self.tags.push((name, value));
    }

    fn add_word(&mut self, word: &str, line: usize) {
        self.result = word.parse().ok();
        if self.result.is_some() || self.error.is_some() {
            return;
        }
        let san = without_number(word);
        if san.trim_matches(['+', '#', '!', '?', '=']).is_empty() {
            return;
        }
        match Move::from_san(&self.current.position, san) {
            Ok(mv) => {
                self.current = self.current.play(&CountingRules::MAKRUK, mv);
                self.moves.push(GameMove { mv, san: san.to_owned(), line });
            }
            Err(error) => {
                let white = self.current.position.turn() == Color::White;
                self.fail(line, PgnProblem::Move { number: self.current.fullmove, white, error });
            }
        }
    }

    /// The game, whose last token ended on a line.
    pub(super) fn finish(mut self, line: usize) -> Result<Game, PgnError> {
        if self.depth > 0 {
            self.fail(line, PgnProblem::OpenVariation);
        }
        if let Some(error) = self.error {
            return Err(error);
        }
        let tagged = || self.tags.iter().find(|(name, _)| name == "Result").and_then(|(_, value)| value.parse().ok());
        let result = self.result.or_else(tagged).unwrap_or_default();
        Ok(Game { tags: self.tags, start: self.start, moves: self.moves, result })
    }
}

/// A move without the number that may stand before it: `12.Nf3` and `12...Nf3` are `Nf3`, `12.` and `12` are empty.
fn without_number(word: &str) -> &str {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let moved = after.trim_start_matches('.');
    if after.len() == word.len() || moved.len() < after.len() || after.is_empty() { moved } else { word }
}

/// Splits `[Name "value"]`, with `\"` and `\\` in the value.
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
