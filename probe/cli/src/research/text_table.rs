//! Tables for people.

/// The lines of a table, each column as wide as its widest cell; the first ones are names and stand at the left.
pub(super) fn aligned(lines: &[Vec<String>], names: usize) -> Vec<String> {
    let width = |at: usize| lines.iter().map(|line| line[at].len()).max().unwrap_or(0);
    let padded = |(at, cell): (usize, &String)| match width(at) {
        width if at < names => format!("{cell:<width$}"),
        width => format!("{cell:>width$}"),
    };
    let line = |line: &Vec<String>| line.iter().enumerate().map(padded).collect::<Vec<_>>().join(" ");
    lines.iter().map(line).collect()
}
