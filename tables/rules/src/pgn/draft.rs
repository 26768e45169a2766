//! A game while it is read.

use std::mem::discriminant;

use super::super::san::{MARKS, plain};
use super::super::{Bitboard, Color, CountingRules, Fen, MoveNote, MoveReading, Reading};
use super::tag::{is_blank, is_makruk};
use super::tokens::{Token, without_number};
use super::{Game, GameMove, GameNote, GameNoteKind, GameResult, PgnError, PgnProblem};

/// The most notes of a game; more are counted.
const MOST_NOTES: usize = 50;

/// The parts of a game that were read so far, and the first error.
pub(super) struct Draft<'a> {
    number: usize,
    tags: Vec<(String, String)>,
    start: Fen,
    origin: Origin<'a>,
    current: Fen,
    /// Mets that were promoted with `=P`, and are called P.
    promoted: Bitboard,
    moves: Vec<GameMove>,
    /// Variations that are open.
    depth: usize,
    /// The line of the first move of each variation, those within it left out.
    variations: Vec<usize>,
    /// Whether the open variation has a move.
    is_variation_noted: bool,
    has_movetext: bool,
    result: Option<GameResult>,
    notes: Vec<GameNote>,
    error: Option<PgnError>,
}

/// The source of the position that a game starts from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin<'a> {
    /// The array, or the position that the caller gave.
    Given,
    /// The `FEN` tag.
    Tag,
    /// A line before the moves, with its number.
    Line(&'a str, usize),
}

impl<'a> Draft<'a> {
    /// A game without a token, by its number in the text and the position that it starts from unless it has another.
    pub(super) fn new(number: usize, start: Fen) -> Draft<'a> {
        Draft {
            number,
            tags: Vec::new(),
            current: start.clone(),
            start,
            promoted: Bitboard::EMPTY,
            origin: Origin::Given,
            moves: Vec::new(),
            depth: 0,
            variations: Vec::new(),
            is_variation_noted: false,
            has_movetext: false,
            result: None,
            notes: Vec::new(),
            error: None,
        }
    }

    /// Whether a token is one of this game. After moves, a tag or a position begins the next game. A game with a `FEN`
    /// tag has no moves if that tag or its first one occurs again.
    pub(super) fn continues_with(&self, token: &Token<'_>) -> bool {
        match token {
            Token::Tag { name, .. } => match self.origin {
                Origin::Line(..) => false,
                Origin::Tag if self.repeats(name) => false,
                Origin::Tag | Origin::Given => !self.has_movetext,
            },
            Token::Position(_) => !self.has_movetext && self.origin == Origin::Given,
            _ => true,
        }
    }

    /// Whether the game's result has been read. Then the game is complete.
    pub(super) fn has_result(&self) -> bool {
        self.result.is_some()
    }

    /// Whether the game has a position of its own to start from.
    pub(super) fn has_start(&self) -> bool {
        self.origin != Origin::Given
    }

    /// Whether the game has no tags.
    pub(super) fn is_bare(&self) -> bool {
        self.tags.is_empty()
    }

    /// The number of moves that were read.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Adds a token, which ended on a line.
    pub(super) fn add(&mut self, token: Token<'a>, line: usize) {
        match token {
            Token::Tag { name, value } => self.add_tag(name, value, line),
            Token::NotATag(text) => self.add_brackets(text, line),
            Token::Position(text) => {
                self.origin = Origin::Line(text, line);
                let is_array = text.split_whitespace().next_back().is_some_and(|word| word == "startpos");
                self.set_start(if is_array { Fen::START } else { text }, line);
            }
            Token::OpenVariation => {
                self.has_movetext = true;
                self.is_variation_noted &= self.depth > 0;
                self.depth += 1;
            }
            Token::CloseVariation if self.depth == 0 => self.fail(line, PgnProblem::StrayClose),
            Token::CloseVariation => self.depth -= 1,
            Token::OpenComment => {
                // The tag that ended the comment is the next game's.
                self.has_movetext = true;
                self.fail(line, PgnProblem::OpenComment);
            }
            Token::Result(result) => {
                self.has_movetext = true;
                if self.depth == 0 {
                    self.result = Some(result);
                }
            }
            Token::Word(word) => {
                self.has_movetext = true;
                if self.depth == 0 && self.error.is_none() {
                    self.add_word(&word, line);
                } else if self.depth > 0 && !self.is_variation_noted && !is_mark(without_number(&word)) {
                    self.is_variation_noted = true;
                    self.variations.push(line);
                }
            }
        }
    }

    /// Keeps the first error; the tokens after it are consumed and ignored.
    pub(super) fn fail(&mut self, line: usize, problem: PgnProblem) {
        self.error.get_or_insert(PgnError { game: self.number, line, problem });
    }

    pub(super) fn note(&mut self, line: usize, about: GameNoteKind) {
        if let Some(GameNote { about: GameNoteKind::More(number), .. }) = self.notes.last_mut() {
            *number += 1;
            return;
        }
        let is_full = self.notes.len() == MOST_NOTES;
        self.notes.push(GameNote { line, about: if is_full { GameNoteKind::More(1) } else { about } });
    }

    fn has_tag(&self, name: &str) -> bool {
        self.tags.iter().any(|(found, _)| found.eq_ignore_ascii_case(name))
    }

    /// Whether a tag is the `FEN` tag again, or the first one.
    fn repeats(&self, name: &str) -> bool {
        let is_first = self.tags.first().is_some_and(|(first, _)| first.eq_ignore_ascii_case(name));
        is_first || name.eq_ignore_ascii_case("FEN")
    }

    /// Whether the game has such a note about the letters of its writer: one is enough.
    fn repeats_note(&self, note: &MoveNote) -> bool {
        let is_such = |other: &GameNote| matches!(&other.about, GameNoteKind::Move { note: other, .. } if discriminant(other) == discriminant(note));
        note.is_about_letters() && self.notes.iter().any(is_such)
    }

    fn set_start(&mut self, text: &str, line: usize) {
        match Reading::parse(text) {
            Ok(Reading { fen, notes }) => {
                (self.current, self.start) = (fen.clone(), fen);
                notes.into_iter().for_each(|note| self.note(line, GameNoteKind::Start(note)));
            }
            Err(error) => self.fail(line, PgnProblem::Start(error)),
        }
    }

    fn add_tag(&mut self, name: String, value: String, line: usize) {
        if self.has_tag(&name) {
            self.note(line, GameNoteKind::RepeatedTag(name.clone()));
        }
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("FEN") && is_blank(&value) {
            self.note(line, GameNoteKind::NoStart);
        } else if is("FEN") {
            self.origin = Origin::Tag;
            self.set_start(&value, line);
        } else if is("Variant") && !is_makruk(&value) {
            self.fail(line, PgnProblem::Variant(value.clone()));
        } else if is("Result") && !is_blank(&value) && value.parse::<GameResult>().is_err() {
            self.note(line, GameNoteKind::UnknownResult(value.clone()));
        }
        self.tags.push((name, value));
    }

    /// A text in brackets that is not a tag: it is skipped unless the game depends on it.
    fn add_brackets(&mut self, text: &str, line: usize) {
        let name = text.trim_start_matches(['[', ' ']).to_ascii_lowercase();
        if self.depth > 0 {
        } else if ["fen", "variant"].iter().any(|tag| name.starts_with(tag)) {
            self.fail(line, PgnProblem::Tag(text.to_owned()));
        } else {
            self.note(line, GameNoteKind::NotATag(text.to_owned()));
        }
    }

    fn add_word(&mut self, word: &str, line: usize) {
        let text = without_number(word);
        if is_mark(text) {
            return;
        }
        let (number, white) = (self.current.fullmove, self.current.position.turn() == Color::White);
        match MoveReading::parse_in_game(&self.current.position, self.promoted, text) {
            Ok(MoveReading { mv, notes }) => {
                let stays_p = notes.iter().any(|note| matches!(note, MoveNote::PromotedToP { .. }));
                let is_promoted = stays_p || self.promoted.contains(mv.from);
                self.promoted = self.promoted.without(mv.from).without(mv.to);
                if is_promoted {
                    self.promoted = self.promoted.with(mv.to);
                }
                for note in notes {
                    if !self.repeats_note(&note) {
                        self.note(line, GameNoteKind::Move { number, white, note });
                    }
                }
                self.current = self.current.play(&CountingRules::MAKRUK, mv);
                self.moves.push(GameMove { mv, san: text.to_owned(), line });
            }
            Err(error) => {
                let from_array = self.origin == Origin::Given && self.start == Fen::start() && self.moves.len() < 2;
                self.fail(line, PgnProblem::Move { number, white, from_array, error });
            }
        }
    }

    /// The game, whose last token ended on a line.
    pub(super) fn finish(mut self, line: usize) -> Result<Game, PgnError> {
        if self.depth > 0 {
            self.fail(line, PgnProblem::OpenVariation);
        }
        if let (Origin::Line(text, line), false) = (self.origin, self.has_movetext) {
            self.error = Some(PgnError { game: self.number, line, problem: PgnProblem::Position(text.to_owned()) });
        }
        if let Some(error) = self.error {
            return Err(error);
        }
        if let [first, ..] = self.variations[..] {
            self.note(first, GameNoteKind::Variations(self.variations.len()));
        }
        let mut game = Game {
            tags: self.tags,
            start: self.start,
            moves: self.moves,
            result: GameResult::Unknown,
            notes: self.notes,
        };
        let tagged: Option<GameResult> = game.tag("Result").and_then(|value| value.parse().ok());
        game.result = self.result.or(tagged).unwrap_or_default();
        if let (Some(moves), Some(tag)) = (self.result, tagged)
            && moves != tag
        {
            game.notes.push(GameNote { line, about: GameNoteKind::OtherResult { tag, moves } });
        }
        if self.origin == Origin::Given
            && game.tag("SetUp") == Some("1")
            && !game.tags.iter().any(|(name, _)| name.eq_ignore_ascii_case("FEN"))
        {
            game.notes.push(GameNote { line, about: GameNoteKind::NoStart });
        }
        game.notes.sort_by_key(|note| note.line);
        Ok(game)
    }
}

/// Whether a word is a remark on a move or on the position, such as `!?`, `+-` or `±`, or nothing.
fn is_mark(word: &str) -> bool {
    let is_remark = |letter: char| MARKS.contains(&letter) || "-/±∓⩲⩱∞".contains(letter);
    let word = plain(word);
    word.chars().all(is_remark) && (word.is_empty() || word.contains(|letter: char| !matches!(letter, '-' | '/')))
}
