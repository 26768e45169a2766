//! Text for people: wrapped lines, short numbers.

/// Appends words, separated by spaces and broken into lines of at most `width` columns that each begin with `indent`;
/// the last line is ended.
pub(crate) fn push_wrapped<'a>(
    text: &mut String,
    indent: &str,
    width: usize,
    words: impl IntoIterator<Item = &'a str>,
) {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > width {
            text.push('\n');
            column = 0;
        }
        if column == 0 {
            text.push_str(indent);
            column = indent.len();
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}

/// A number with at most one decimal and a unit: 1234567 as `1.2M`.
pub fn short_number(number: u64) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    let Some((unit, letter)) = units.into_iter().find(|&(unit, _)| number >= unit) else { return number.to_string() };
    let scaled = format!("{:.1}", number as f64 / unit as f64);
    format!("{}{letter}", scaled.trim_end_matches(".0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_and_indented() {
        let wrapped = |indent: &str, width, words: &str| {
            let mut text = String::new();
            push_wrapped(&mut text, indent, width, words.split(' '));
            text
        };
        assert_eq!(wrapped("", 7, "one two three"), "one two\nthree\n");
        assert_eq!(wrapped("  ", 7, "one two three"), "  one\n  two\n  three\n");
        assert_eq!(wrapped("", 2, "longer"), "longer\n");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0, 999, 1000, 1_260_000, 3_000_000_000].map(short_number), ["0", "999", "1k", "1.3M", "3G"]);
    }
}
