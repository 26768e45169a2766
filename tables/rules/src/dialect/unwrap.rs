//! A position's text without what comes along when it is copied.

use std::borrow::Cow;

/// The text of a position without link, quotes and invisible characters, its fields separated by white space; and
/// whether it was a link.
pub(super) fn unwrapped(text: &str) -> (Cow<'_, str>, bool) {
    if text.is_ascii() {
        return unwrapped_visible(text);
    }
    let visible: String = text.chars().filter(|&letter| !is_invisible(letter)).collect();
    let (text, is_link) = unwrapped_visible(&visible);
    (Cow::Owned(text.into_owned()), is_link)
}

fn unwrapped_visible(text: &str) -> (Cow<'_, str>, bool) {
    let text = trim(text);
    let linked = linked(text);
    let is_link = linked.is_some();
    let text = linked.map_or_else(|| Cow::Borrowed(named(text)), Cow::Owned);
    if text.contains(' ') || text.contains(char::is_whitespace) {
        return (text, is_link);
    }
    let text = if text.contains('%') { Cow::Owned(decoded(&text)) } else { text };
    let text = match text {
        text if text.contains('_') => Cow::Owned(text.replace('_', " ")),
        text if text.contains('+') => Cow::Owned(plus_as_spaces(&text)),
        text => text,
    };
    (text, is_link)
}

/// Characters without a width, which come along when text is copied from web pages: zero-width spaces and joiners,
/// marks of direction, the soft hyphen, the byte order mark.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The text without white space and quotes around it, and without a comma after it.
pub(super) fn trim(text: &str) -> &str {
    let is_quote = |letter| matches!(letter, '"' | '\'' | '`' | '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '<' | '>');
    let is_around = |letter: char| letter.is_whitespace() || is_quote(letter);
    text.trim_start_matches(is_around).trim_end_matches(|letter| is_around(letter) || letter == ',')
}

/// The text without a word before it that says that a FEN follows, as in `fen: ...` and UCI's `position fen ...`.
fn named(text: &str) -> &str {
    let after = |text: &'_ str, word: &str| {
        let head = text.get(..word.len())?;
        let rest = text.get(word.len()..)?;
        let ends = rest.starts_with(|letter: char| letter.is_whitespace() || matches!(letter, ':' | '='));
        (head.eq_ignore_ascii_case(word) && ends).then_some(word.len())
    };
    let skip = |text: &'_ str, word: &str| after(text, word).unwrap_or(0);
    let is_between = |letter: char| letter.is_whitespace() || matches!(letter, ':' | '=');
    let text = text[skip(text, "position")..].trim_start_matches(is_between);
    match skip(text, "fen") {
        0 => text,
        length => trim(text[length..].trim_start_matches(is_between)),
    }
}

/// The position of a link: its parameter `fen`, or else the end of its path, as lichess and others write it.
fn linked(text: &str) -> Option<String> {
    let is_link = ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme)));
    if !is_link {
        return None;
    }
    let parameter = ["?fen=", "&fen="].iter().find_map(|name| text.split_once(name));
    if let Some((_, value)) = parameter {
        let value = value.split(|letter: char| matches!(letter, '&' | '#') || letter.is_whitespace()).next()?;
        return Some(decoded(&value.replace('+', " ")));
    }
    let path = decoded(text.split(['?', '#']).next()?);
    let from = path.rmatch_indices('/').nth(7)?.0 + 1;
    Some(path[from..].to_owned())
}

/// A text with its percent escapes undone; an escape that is not one, or not of UTF-8, stays.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = || {
            let digits = after.get(..2).filter(|digits| first == b'%' && digits.iter().all(u8::is_ascii_hexdigit))?;
            u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
        };
        match escaped() {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// A text without blanks whose side to move is between two `+`, or after the last one, with spaces for these and all
/// later ones. In the board a `+` is the mark of a promoted man.
fn plus_as_spaces(text: &str) -> String {
    let last_rank = text.rfind('/').unwrap_or(0);
    let side = text[last_rank..].match_indices('+').map(|(at, _)| last_rank + at).find(|at| {
        let mut fields = text[at + 1..].split('+');
        matches!(fields.next(), Some("w" | "b" | "W" | "B"))
    });
    match side {
        Some(at) => format!("{}{}", &text[..at], text[at..].replace('+', " ")),
        None => text.to_owned(),
    }
}
