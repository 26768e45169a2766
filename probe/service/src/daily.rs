//! The puzzle of a day, as the page determines it: the list's entry for the day, or the next one with tables.

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use makruk_research::material_totals;
use makruk_rules::Fen;
use makruk_tables::material::Material;

use crate::page_files::file;
use crate::tables::snapshot::SnapshotProber;

/// The list of the trainer's puzzles.
const PUZZLES_FILE: &str = "puzzles.txt";
const DAY_SECONDS: u64 = 24 * 3600;
/// The clock of the islands where a day begins first is so far ahead.
const AHEAD_SECONDS: u64 = 14 * 3600;

/// A puzzle: its theme's name, its difficulty from 1 to 3, and its position.
#[derive(Clone, Debug)]
pub(crate) struct Puzzle {
    pub(crate) theme: String,
    pub(crate) level: usize,
    pub(crate) fen: Fen,
}

static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let text = file(PUZZLES_FILE).unwrap_or_default();
    let puzzle = |line: &str| {
        let mut fields = line.splitn(3, ' ');
        let (theme, level, fen) = (fields.next()?, fields.next()?, fields.next()?);
        Some(Puzzle { theme: theme.to_owned(), level: level.parse().ok()?, fen: fen.parse().ok()? })
    };
    String::from_utf8_lossy(&text).lines().filter_map(puzzle).collect()
});

/// The days from 1970 to a day written as 2026-11-28, if it has come somewhere on Earth: until then the page has
/// another puzzle at the day's address.
pub(crate) fn number_of(day: &str) -> Option<u64> {
    let mut fields = day.split('-').map(|field| field.parse::<u64>().ok());
    let (year, month, date) = (fields.next()??, fields.next()??, fields.next()??);
    let is_month = (1970..=9999).contains(&year) && (1..=12).contains(&month);
    if !is_month || date == 0 || day != format!("{year:04}-{month:02}-{date:02}") {
        return None;
    }
    let number = first_of(year, month) + date - 1;
    let after = if month < 12 { first_of(year, month + 1) } else { first_of(year + 1, 1) };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    (number < after && number <= (now + AHEAD_SECONDS) / DAY_SECONDS).then_some(number)
}

/// The days from 1970 to the first of a month.
fn first_of(year: u64, month: u64) -> u64 {
    // A year begins in March, so that a leap day is its last.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 - 719_468
}

/// The puzzle of the day with this number; `None` where no table of any puzzle is there.
pub(crate) fn puzzle_of(prober: &SnapshotProber, number: u64) -> Option<Puzzle> {
    let from = usize::try_from(number).ok()?.checked_rem(PUZZLES.len())?;
    let is_there = |puzzle: &&Puzzle| {
        let material = Material::of(puzzle.fen.position.board());
        material.is_ok_and(|oriented| material_totals(prober, oriented.material).is_ok())
    };
    PUZZLES[from..].iter().chain(&PUZZLES[..from]).find(is_there).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_numbered_as_the_page_numbers_them() {
        assert_eq!(number_of("1970-01-01"), Some(0));
        assert_eq!(number_of("2000-02-29"), Some(11_016));
        assert_eq!(number_of("2000-03-01"), Some(11_017));
        assert_eq!(number_of("2024-12-31"), Some(20_088));
        for wrong in [
            "",
            "2024",
            "2024-13-01",
            "2024-1-x",
            "9999-01-01",
            "1969-12-31",
            "2026-02-31",
            "2026-11-28-x",
            "2026-2-03",
            "+2026-02-03",
            "2023-02-29",
            "2024-04-00",
        ] {
            assert_eq!(number_of(wrong), None, "{wrong}");
        }
        assert_eq!(PUZZLES.len(), 2000);
    }
}
