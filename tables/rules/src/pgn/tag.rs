//! A tag of a game.

/// The quotation marks that may be around a value.
const QUOTES: [char; 5] = ['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ff02}'];

/// The most bytes of a tag after its name: far more than the standard allows.
const LONGEST_TAG: usize = 1024;

/// The name and the value of a tag, and the bytes that it takes, if a text begins with a whole tag: `[Name "value"]` on
/// one line.
///
/// The value ends at the first quotation mark that `]` follows, so that it may have quotation marks in it. `\"` and
/// `\\` are escapes.
pub(super) fn tag_at_start_of(text: &str) -> Option<(String, String, usize)> {
    let inner = text.strip_prefix('[')?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter.is_whitespace();
    let quote = inner.find(|letter: char| !is_name(letter))?;
    let (name, rest) = (inner[..quote].trim(), &inner[quote..]);
    if name.is_empty() || name.contains(char::is_whitespace) || inner[..quote].contains(['\n', '\r']) {
        return None;
    }
    let rest = rest.strip_prefix(QUOTES)?;
    let longest = (0..=LONGEST_TAG.min(rest.len())).rev().find(|&at| rest.is_char_boundary(at))?;
    let line = &rest[..longest];
    let line = &line[..line.find(['\n', '\r']).unwrap_or(line.len())];
    let value_and_end = |with_escapes: bool| {
        let mut value = String::new();
        let mut letters = line.chars();
        loop {
            match letters.next()? {
                '\\' if with_escapes => value.push(letters.next()?),
                letter if QUOTES.contains(&letter) => {
                    if let Some(end) = letters.as_str().trim_start().strip_prefix(']') {
                        return Some((value, end));
                    }
                    value.push(letter);
                }
                letter => value.push(letter),
            }
        }
    };
    // A value such as a path on Windows may end in a backslash.
    let (value, end) = value_and_end(true).or_else(|| value_and_end(false))?;
    let length = text.len() - rest.len() + line.len() - end.len();
    Some((name.to_owned(), value, length))
}

/// Whether a value says that it is not known.
pub(super) fn is_blank(value: &str) -> bool {
    value.chars().all(|letter| letter.is_whitespace() || matches!(letter, '?' | '-'))
}

/// Whether the value of a `Variant` tag names Makruk, or nothing.
pub(super) fn is_makruk(variant: &str) -> bool {
    let is_letter = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '\u{e00}'..='\u{e7f}');
    let name: String = variant.chars().filter(is_letter).map(|letter| letter.to_ascii_lowercase()).collect();
    is_blank(variant)
        || [
            "makruk",
            "makrukthai",
            "thaimakruk",
            "thaichess",
            "makrukthaichess",
            "thaichessmakruk",
            "หมากรุก",
            "หมากรุกไทย",
        ]
        .contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_in_any_form() {
        let read = |text: &str| tag_at_start_of(text).map(|(name, value, length)| (name, value, text.len() - length));
        let of = |name: &str, value: &str, rest| Some((name.to_owned(), value.to_owned(), rest));
        assert_eq!(read("[Event \"a \\\"b\\\\\"] 1. d4"), of("Event", "a \"b\\", 6));
        assert_eq!(read("[Event \"The \"Big\" one\"][Site \"x\"]"), of("Event", "The \"Big\" one", 10));
        assert_eq!(read("[ Site  \"C:\\games\\\" ]"), of("Site", "C:\\games\\", 0));
        assert_eq!(read("[White \u{201c}x\u{201d}]\r"), of("White", "x", 1));
        for text in
            ["[Event x]", "[Event \"x]", "[Event \"x\n\"]", "[%clk \"1\"]", "[\"x\"]", "[a b \"x\"]", "Event \"x\"]"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn only_makruk_is_makruk() {
        for name in
            ["makruk", "Makruk", "MAKRUK", "Mak-ruk", "Thai Chess", "Makruk (Thai chess)", "หมากรุกไทย", "", "?", "-"]
        {
            assert!(is_makruk(name), "{name}");
        }
        for name in [
            "Makpong",
            "Cambodian",
            "Ouk Chatrang",
            "ASEAN",
            "chess",
            "Standard",
            "Crazyhouse",
            "Makrukhouse",
            "makruk960",
        ] {
            assert!(!is_makruk(name), "{name}");
        }
    }
}
