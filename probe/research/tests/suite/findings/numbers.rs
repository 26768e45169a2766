//! The numbers of a page.

/// The numbers of a Markdown text, as they are printed, with `%`, `billion` or `million` (or the Thai words) after
/// them. Code, the targets of links, and digits in names such as K+2R, e4 or 1/n do not count as numbers.
pub(crate) fn numbers(text: &str) -> Vec<String> {
    let chars: Vec<char> = without_code(text).chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if !digit(at) {
            at += 1;
            continue;
        }
        let start = at;
        while digit(at) || (chars.get(at) == Some(&',') && digit(at + 1)) {
            at += 1;
        }
        if chars.get(at) == Some(&'.') && digit(at + 1) {
            at += 1;
            while digit(at) {
                at += 1;
            }
        }
        let mut printed: String = chars[start..at].iter().collect();
        let rest: String = chars[at..].iter().take(" billion".len()).collect();
        if let Some(unit) =
            ["%", " billion", " million", " พันล้าน", " ล้าน"].into_iter().find(|unit| rest.starts_with(unit))
        {
            printed.push_str(unit);
            at += unit.chars().count();
        }
        let joined_before = start > 0 && (is_word(chars[start - 1]) || "+/.√-".contains(chars[start - 1]));
        let joined_behind = chars.get(at).is_some_and(|&char| is_word(char) || char == '/')
            || (chars.get(at) == Some(&'.') && digit(at + 1));
        if !joined_before && !joined_behind {
            numbers.push(printed);
        }
        while at < chars.len() && (is_word(chars[at]) || digit(at)) {
            at += 1;
        }
    }
    numbers
}

/// The text without blocks and spans of code and without the targets of links.
fn without_code(text: &str) -> String {
    let mut lines = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            let spans: Vec<&str> = line.split('`').step_by(2).collect();
            lines.push(spans.join("`"));
        }
    }
    let mut left = lines.join("\n");
    while let Some(start) = left.find("](") {
        let end = left[start..].find(')').map_or(left.len(), |end| start + end + 1);
        left.replace_range(start + 1..end, "");
    }
    left
}

#[test]
fn numbers_are_told_from_names() {
    let text =
        "K+2R wins 1,234,567 of `12` positions, 9.5% ([3](x4.md), e4, 1/n), 2.3 billion.\n```\n7\n```\nIn 2026, 4.";
    assert_eq!(numbers(text), ["1,234,567", "9.5%", "3", "2.3 billion", "2026", "4"]);
}
