//! Text from outside, quoted in an error.

/// The most characters of a foreign text that an error repeats.
const LONGEST_QUOTE: usize = 40;

/// The text in quotes, on one line of plain ASCII, shortened, so that the message around it stays readable.
pub(super) fn quoted(text: &str) -> String {
    let mut quote = String::from("\"");
    for (shown, letter) in text.chars().enumerate() {
        if shown == LONGEST_QUOTE {
            quote.push_str("...");
            break;
        }
        match letter {
            '\'' => quote.push(letter),
            _ => quote.extend(letter.escape_default()),
        }
    }
    quote.push('"');
    quote
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_stay_short_and_plain() {
        assert_eq!(quoted("e4'"), "\"e4'\"");
        assert_eq!(quoted("a\u{202e}\n\u{7}\"ก"), r#""a\u{202e}\n\u{7}\"\u{e01}""#);
        assert_eq!(quoted(&"x".repeat(5000)).len(), 40 + 5);
    }
}
