//! Text from outside, quoted in an error.

use thiserror::Error;

/// A text that does not name what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} is not {expected}", quoted(.found))]
pub struct UnknownTextError {
    /// The text.
    pub found: String,
    /// The end of the message: what was expected, and how it is written; such as "a colour: expected white or black".
    pub expected: &'static str,
}

impl UnknownTextError {
    pub(super) fn new(found: &str, expected: &'static str) -> UnknownTextError {
        UnknownTextError { found: found.to_owned(), expected }
    }
}

/// The most characters of a foreign text that an error repeats.
const LONGEST_QUOTE: usize = 40;

/// The text in quotes, on one line, shortened, so that the message around it stays readable. Letters of any script are
/// shown as they are; characters that cannot be seen are escaped.
pub fn quoted(text: &str) -> String {
    quoted_within(text, LONGEST_QUOTE)
}

/// The same with at most `most` characters of the text.
pub fn quoted_within(text: &str, most: usize) -> String {
    let mut quote = String::from("\"");
    for (shown, letter) in text.chars().enumerate() {
        if shown == most {
            quote.push_str("...");
            break;
        }
        match letter {
            // Thai vowels and tone marks above and below a letter are escaped in Rust's own way of quoting.
            '\'' | '\u{e00}'..='\u{e7f}' => quote.push(letter),
            letter if letter.is_control() => quote.extend(letter.escape_default()),
            _ => quote.extend(letter.escape_debug()),
        }
    }
    quote.push('"');
    quote
}

/// A text for people, such as the name of a file: characters that cannot be seen, such as those that move a terminal's
/// cursor, are escaped.
pub fn printable(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    let mut shown = String::new();
    for part in text.split_inclusive(['\'', '"', '\\']) {
        let plain = part.trim_end_matches(['\'', '"', '\\']);
        shown.extend(plain.escape_debug());
        shown.push_str(&part[plain.len()..]);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{printable, quoted};

    #[test]
    fn quotes_stay_short_and_readable() {
        assert_eq!(quoted("e4'"), "\"e4'\"");
        assert_eq!(quoted("a\u{202e}\n\u{7}\"\u{200b}"), r#""a\u{202e}\n\u{7}\"\u{200b}""#);
        assert_eq!(quoted("ที่ ๑๒๘ é"), "\"ที่ ๑๒๘ é\"");
        assert_eq!(quoted(&"x".repeat(5000)).len(), 40 + 5);
    }

    #[test]
    fn a_text_keeps_what_can_be_seen() {
        assert_eq!(printable("\u{1b}[2J\n\u{202e}\u{7}"), r"\u{1b}[2J\n\u{202e}\u{7}");
        for text in ["it's \"tables\\data\"", "ตาราง e\u{301} ที่"] {
            assert_eq!(printable(text), text);
        }
    }
}
