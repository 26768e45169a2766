//! The result of a game.

use std::fmt;
use std::str::FromStr;

use super::super::UnknownTextError;
use super::super::san::plain;

/// The result of a game.
///
/// Written as PGN's token; `1/2`, `½-½`, `1/2 - 1/2` and the like are read too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`.
    White,
    /// `0-1`.
    Black,
    /// `1/2-1/2`.
    Draw,
    /// `*`, or no result at all.
    #[default]
    Unknown,
}

impl GameResult {
    /// The result at the beginning of a text, and the number of its bytes. A blank, a bracket or the text's end follows
    /// it.
    pub(super) fn at_start_of(text: &str) -> Option<(GameResult, usize)> {
        if !text.starts_with(['0', '1', '½', '*', '๐', '๑', '０', '１']) {
            return None;
        }
        if let Some(rest) = text.strip_prefix('*') {
            return is_end(rest).then_some((GameResult::Unknown, 1));
        }
        let (white, after) = Points::at_start_of(text)?;
        if let Some((black, rest)) = second_score(after)
            && is_end(rest)
        {
            let result = match (white, black) {
                (Points::One, Points::Zero) => GameResult::White,
                (Points::Zero, Points::One) => GameResult::Black,
                (Points::Half, Points::Half) => GameResult::Draw,
                _ => return None,
            };
            return Some((result, text.len() - rest.len()));
        }
        (white == Points::Half && is_end(after)).then_some((GameResult::Draw, text.len() - after.len()))
    }
}

/// What a player gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    One,
    Half,
    Zero,
}

impl Points {
    /// The score at the beginning of a text, and the rest.
    fn at_start_of(text: &str) -> Option<(Points, &str)> {
        let halves = ["1/2", "½", "0.5", "0,5", "๑/๒", "１/２", "１／２"];
        let ones = ["1", "๑", "１"].map(|text| (text, Points::One));
        let zeros = ["0", "๐", "０"].map(|text| (text, Points::Zero));
        let scores = halves.map(|text| (text, Points::Half)).into_iter().chain(ones).chain(zeros);
        scores.into_iter().find_map(|(written, score)| Some((score, text.strip_prefix(written)?)))
    }
}

/// The score after a dash or a colon, with blanks or without, and the rest.
fn second_score(text: &str) -> Option<(Points, &str)> {
    let text = text.trim_start();
    let dash = text.chars().next().filter(|&dash| plain(dash.encode_utf8(&mut [0; 4])) == "-")?;
    Points::at_start_of(text[dash.len_utf8()..].trim_start())
}

fn is_end(text: &str) -> bool {
    text.chars().next().is_none_or(|next| next.is_whitespace() || "{}()[];,.\u{feff}".contains(next))
}

impl FromStr for GameResult {
    type Err = UnknownTextError;

    fn from_str(text: &str) -> Result<GameResult, UnknownTextError> {
        match GameResult::at_start_of(text) {
            Some((result, length)) if length == text.len() => Ok(result),
            _ => Err(UnknownTextError::new(text, "a result: expected 1-0, 0-1, 1/2-1/2 or *")),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_in_any_form() {
        for (text, result) in [
            ("1-0", GameResult::White),
            ("1 - 0", GameResult::White),
            ("0\u{2013}1", GameResult::Black),
            ("\u{e51}-\u{e50}", GameResult::White),
            ("1/2-1/2", GameResult::Draw),
            ("1/2", GameResult::Draw),
            ("\u{bd}-\u{bd}", GameResult::Draw),
            ("1/2 - 1/2", GameResult::Draw),
            ("0.5-0.5", GameResult::Draw),
            ("*", GameResult::Unknown),
        ] {
            assert_eq!(text.parse(), Ok(result), "{text}");
            assert_eq!(result.to_string().parse(), Ok(result));
        }
        for text in ["", "1", "0-0", "1-1", "1/2-0", "1-0x", "12-0", "draw", " 1-0"] {
            assert!(text.parse::<GameResult>().is_err(), "{text}");
        }
        assert_eq!(GameResult::at_start_of("1/2 {agreed} 1-0"), Some((GameResult::Draw, 3)));
        assert_eq!(GameResult::at_start_of("1-0."), Some((GameResult::White, 3)));
        assert_eq!(GameResult::at_start_of("1. e4"), None);
        assert_eq!(GameResult::at_start_of("0-0-0"), None);
    }
}
