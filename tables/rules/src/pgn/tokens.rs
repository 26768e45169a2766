//! The tokens of a text with games.

use std::borrow::Cow;

use super::super::san::{is_invisible, is_thai_man, plain};
use super::GameResult;
use super::tag::tag_at_start_of;

/// Bytes of a word to which no further part is joined: no move is longer.
const LONGEST_JOINED: usize = 64;
/// The slashes of a board.
const SLASHES_OF_BOARD: usize = 7;
/// The Thai letters of the files.
const THAI_FILES: [char; 8] = ['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ญ'];
/// Words that say that a position follows: of UCI and XBoard, and of people.
const POSITION_WORDS: [&str; 3] = ["position", "setboard", "fen"];

/// A part of a game.
#[derive(Debug)]
pub(super) enum Token<'a> {
    /// A tag.
    Tag {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// A text in brackets that is not a tag.
    NotATag(&'a str),
    /// A position outside a tag: the rest of the line, or its part before UCI's `moves`.
    Position(&'a str),
    /// The beginning of a variation.
    OpenVariation,
    /// The end of a variation.
    CloseVariation,
    /// A comment without an end.
    OpenComment,
    /// A game's result.
    Result(GameResult),
    /// A move or its number: anything else.
    Word(Cow<'a, str>),
}

/// Splits a text into tokens. Comments, escaped lines and annotation glyphs are skipped.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    at_line_start: bool,
}

impl<'a> Tokens<'a> {
    /// The tokens of a text.
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text, line: 1, at_line_start: true }
    }

    /// The number of the line on which the last token ended, the first line being 1.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Consumes a number of bytes. A line ends with LF, CR LF, CR CR LF or CR.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        let ends = taken.match_indices(['\n', '\r']).filter(|&(at, end)| {
            let after = &self.rest[at + 1..];
            end == "\n" || !after.starts_with('\n') && !after.starts_with("\r\n")
        });
        self.line += ends.count();
        if !taken.is_empty() {
            self.at_line_start = taken.ends_with(['\n', '\r']);
        }
        self.rest = rest;
        taken
    }

    /// The bytes of the rest of the line, without its end.
    fn line_len(&self) -> usize {
        self.rest.find(['\n', '\r']).unwrap_or(self.rest.len())
    }

    /// Consumes white space, comments, escaped lines and glyphs. False if a comment is not closed.
    fn skip_idle(&mut self) -> bool {
        loop {
            let was_at_start = self.at_line_start;
            let is_idle = |letter: char| letter.is_whitespace() || letter == ',' || is_invisible(letter);
            let idle = self.take(self.rest.len() - self.rest.trim_start_matches(is_idle).len());
            self.at_line_start = was_at_start || idle.contains(['\n', '\r']);
            match self.rest.as_bytes() {
                [b'{', ..] => {
                    let (length, is_closed) = comment(self.rest);
                    self.take(length);
                    if !is_closed {
                        return false;
                    }
                }
                [b';', ..] => _ = self.take(self.line_len()),
                [b'%' | b'#', ..] if self.at_line_start => _ = self.take(self.line_len()),
                [b'$', ..] => {
                    let digits = self.rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    self.take(1 + digits);
                }
                _ => return true,
            }
        }
    }

    /// A position at this place: after a word that says so at a line's start, or a word with slashes.
    fn position(&mut self) -> Option<Token<'a>> {
        let names_one = |word: &&str| {
            self.rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
                && self.rest[word.len()..].starts_with(|next: char| next.is_whitespace() || matches!(next, ':' | '='))
        };
        let named = if self.at_line_start { POSITION_WORDS.into_iter().find(names_one) } else { None };
        if named.is_none() {
            let word = self.rest.split(char::is_whitespace).next().unwrap_or_default();
            // At a line's start one slash is enough for a board that begins with empty squares; elsewhere a word may
            // be a date.
            let least = match self.at_line_start {
                true if word.starts_with(|letter: char| letter.is_ascii_digit()) => 1,
                true => 2,
                false => SLASHES_OF_BOARD,
            };
            let slashes = word.matches(['/', '／']).take(least).count();
            if slashes < least || GameResult::at_start_of(self.rest).is_some() {
                return None;
            }
        }
        let line = &self.rest[..self.line_len()];
        let end = line.match_indices("moves").find(|&(at, word)| {
            let is_blank = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
            is_blank(line[..at].chars().next_back()) && is_blank(line[at + word.len()..].chars().next())
        });
        // Only the two words of XBoard and people are left out here.
        let skipped = named.filter(|word| *word == "setboard").map_or(0, str::len);
        self.take(skipped);
        let text = self.take(end.map_or(line.len(), |(at, _)| at) - skipped).trim();
        if let Some((_, word)) = end {
            self.take(word.len());
        }
        Some(Token::Position(text))
    }

    /// A move or a number, with the parts after blanks that belong to it: `e1 - d2`, `ร.ก๔ × บ.ง๔`, `ข ง๑-จ๒`,
    /// `ม . ข ๑ — ง ๒`.
    fn word(&mut self) -> Cow<'a, str> {
        let mut word = Cow::Borrowed(self.take(word_len(self.rest)));
        loop {
            if word.len() > LONGEST_JOINED {
                return word;
            }
            let after = self.rest.trim_start();
            let goes_on = match after.chars().next() {
                None => false,
                Some(next) if next == 'x' || plain_dash_or_takes(next) => {
                    is_lone_mark(after, next) && ends_in_square(&word)
                }
                Some('.') => is_thai_man(without_number(&word)) || is_thai_man_after_capture(&plain(&word)),
                Some(_) if begins_with_rank(after) => word.ends_with(THAI_FILES),
                Some(next) => begins_square(next) && (is_open(&word) || is_thai_man(without_number(&word))),
            };
            if !goes_on {
                return word;
            }
            self.take(self.rest.len() - after.len());
            let part = self.take(word_len(self.rest));
            word.to_mut().push_str(part);
        }
    }
}

/// The length of the word at the beginning of a text.
fn word_len(text: &str) -> usize {
    let ends = |letter: char| letter.is_whitespace() || "{}()[];$,".contains(letter);
    let first = text.chars().next().map_or(1, char::len_utf8);
    text[first..].find(ends).map_or(text.len(), |at| at + first)
}

/// The length of the comment at the beginning of a text, and whether it is closed. A comment that has a tag on a line
/// of its own is not.
fn comment(text: &str) -> (usize, bool) {
    for (at, end) in text.match_indices(['}', '\n', '\r']) {
        let after = at + end.len();
        if end == "}" {
            return (after, true);
        }
        if tag_at_start_of(&text[after..]).is_some() {
            return (after, false);
        }
    }
    (text.len(), false)
}

fn plain_dash_or_takes(letter: char) -> bool {
    letter == '-' || !letter.is_ascii() && matches!(&*plain(letter.encode_utf8(&mut [0; 4])), "-" | "x")
}

/// Whether a text begins with a mark of a move or capture, and a square or a man follows, possibly after blanks.
fn is_lone_mark(text: &str, mark: char) -> bool {
    let after = text[mark.len_utf8()..].strip_prefix('>').unwrap_or(&text[mark.len_utf8()..]);
    let is_apart = mark != 'x' || after.starts_with(char::is_whitespace);
    is_apart && after.trim_start().starts_with(begins_square)
}

/// Whether a character may be the first of a square or of a man's letter.
const fn begins_square(letter: char) -> bool {
    letter.is_ascii_alphabetic() || !letter.is_ascii()
}

/// Whether a text begins with a rank, not with a move's number.
fn begins_with_rank(text: &str) -> bool {
    let mut letters = text.chars();
    let is_digit = |letter: char| letter.is_ascii_digit() || matches!(letter, '๐'..='๙');
    matches!(letters.next(), Some('1'..='8' | '๑'..='๘'))
        && letters.next().is_none_or(|next| !is_digit(next) && next != '.')
}

/// Whether a word ends with a rank, as that of the square left.
fn ends_in_square(word: &str) -> bool {
    let plain = plain(word);
    matches!(plain.as_bytes(), [.., file, b'1'..=b'8'] if !file.is_ascii() || file.is_ascii_lowercase())
}

/// Whether a word ends with the mark of a move or capture, so that the square reached is missing.
fn is_open(word: &str) -> bool {
    let plain = plain(word);
    let before = plain.strip_suffix("->").or_else(|| plain.strip_suffix(['-', 'x']));
    before.is_some_and(ends_in_square) || plain.strip_suffix('.').is_some_and(is_thai_man_after_capture)
}

/// Whether a word ends with the letter of the man taken, whose dot was removed.
fn is_thai_man_after_capture(word: &str) -> bool {
    word.rsplit_once('x').is_some_and(|(_, man)| is_thai_man(man))
}

/// A move without the number that may precede it: `12.Nf3` and `12...Nf3` are `Nf3`, `12.` and `12` are empty.
pub(super) fn without_number(word: &str) -> &str {
    let is_digit = |letter: char| letter.is_ascii_digit() || matches!(letter, '๐'..='๙');
    let after = word.trim_start_matches(is_digit);
    let moved = after.trim_start_matches(['.', '…']);
    if after.len() == word.len() || moved.len() < after.len() || after.is_empty() { moved } else { word }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if !self.skip_idle() {
            return Some(Token::OpenComment);
        }
        Some(match self.rest.bytes().next()? {
            b'[' => match tag_at_start_of(self.rest) {
                Some((name, value, length)) => {
                    self.take(length);
                    Token::Tag { name, value }
                }
                None => {
                    let end = self.rest.find([']', '\n', '\r']).unwrap_or(self.rest.len());
                    let bracket = usize::from(self.rest[end..].starts_with(']'));
                    Token::NotATag(self.take(end + bracket).trim_end())
                }
            },
            b'(' => {
                self.take(1);
                Token::OpenVariation
            }
            b')' => {
                self.take(1);
                Token::CloseVariation
            }
            _ => {
                if let Some(position) = self.position() {
                    return Some(position);
                }
                if let Some((result, length)) = GameResult::at_start_of(self.rest) {
                    self.take(length);
                    return Some(Token::Result(result));
                }
                Token::Word(self.word())
            }
        })
    }
}
