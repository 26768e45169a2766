//! Rows of made-up statistics.

use makruk_rules::ByColor;

use super::*;
use crate::stats::{BaringCaptures, Totals};

/// A material of which White wins 1,000 positions, and every `stride`th was searched for captures.
fn sampled(name: &str, stride: u64, captures: u64, draws: u64) -> MaterialStats {
    let attacker = AttackerTotals { won: 1_000, in_time: 1_000, ..AttackerTotals::default() };
    let totals = Totals {
        material: name.parse().unwrap(),
        positions: 3_000,
        drawn: 2_000,
        attackers: ByColor { white: attacker, black: AttackerTotals::default() },
    };
    let found = BaringCaptures { cells: captures, positions: captures, draws, ..BaringCaptures::default() };
    let survey = Survey {
        captures: ByColor { white: found, black: BaringCaptures::default() },
        capture_strides: ByColor { white: stride, black: 1 },
        ..Survey::default()
    };
    MaterialStats { totals, longest: None, survey: Some(survey) }
}

#[test]
fn samples_weigh_as_much_as_they_stand_for() {
    let rows = StatsRow::of(&[sampled("KRvKS", 1, 900, 90), sampled("KRvKN", 11, 100, 60)]);
    assert_eq!(rows.iter().map(|row| row.captures).collect::<Vec<_>>(), [Some(900), Some(100), Some(1000)]);
    assert_eq!((rows[0].capture_draws_share, rows[1].capture_draws_share), (Some(Share(0.1)), Some(Share(0.6))));
    // 750 of 2,000, and not 150 of 1,000.
    assert_eq!(rows[2].capture_draws_share, Some(Share(0.375)));
}

#[test]
fn columns_are_the_fields_in_order() {
    let rows = StatsRow::of(&[sampled("KRvKS", 1, 3, 1)]);
    let line = rows[0].to_csv();
    let fields: Vec<&str> = line.split(',').collect();
    assert_eq!((StatsRow::COLUMNS[0], StatsRow::COLUMNS.len(), fields.len()), ("material", 54, 54));
    let column = |name| StatsRow::COLUMNS.iter().position(|column| *column == name).unwrap();
    assert_eq!((fields[0], fields[column("capture_draws_share")]), ("KRvKS", "0.3333"));
}
