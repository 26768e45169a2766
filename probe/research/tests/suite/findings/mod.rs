//! Every number of `tables/FINDINGS.md`, and of its Thai summary, against the data in `tables/stats`.
//!
//! `claims.tsv` and `claims.th.tsv` have a line for each number of a text, in the order of the text: the number as it
//! is printed, and
//! its source. A source is an expression over the data, evaluated from left to right, or `stated`. A stated number is
//! of the rules, of a cited work, or of an example; no data file has it.

mod data;
mod lists;
mod numbers;

use std::fs;
use std::path::PathBuf;

use data::Data;
use numbers::numbers;

fn tables() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tables"))
}

/// The value of a printed number, and the value of its last decimal.
fn parse(printed: &str) -> (f64, f64) {
    let (digits, unit) = match printed.split_once([' ', '%']) {
        Some((digits, "billion" | "พันล้าน")) => (digits, 1e9),
        Some((digits, "million" | "ล้าน")) => (digits, 1e6),
        Some((digits, _)) => (digits, 1e-2),
        None => (printed, 1.0),
    };
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    (digits.replace(',', "").parse::<f64>().unwrap() * unit, unit * 10f64.powi(-decimals))
}

#[test]
fn every_number_of_the_text_is_that_of_the_data() {
    let checked = compare("FINDINGS.md", "claims.tsv");
    assert!(checked > 200, "{checked} numbers come from the data");
}

#[test]
fn every_number_of_the_thai_summary_is_that_of_the_data() {
    let checked = compare("FINDINGS.th.md", "claims.th.tsv");
    assert!(checked > 60, "{checked} numbers come from the data");
}

/// Compares the numbers of a text with its claims, and these with the data. Returns the number of claims that come from
/// the data.
fn compare(text: &str, claims: &str) -> usize {
    let text = fs::read_to_string(tables().join(text)).unwrap();
    let claims = fs::read_to_string(tables().join("stats").join(claims)).unwrap();
    let claims: Vec<(&str, &str)> = claims.lines().skip(1).map(|line| line.split_once('\t').unwrap()).collect();
    let printed = numbers(&text);
    for (at, (printed, (claimed, source))) in printed.iter().zip(&claims).enumerate() {
        let before = printed_before(&printed_list(&claims), at);
        assert_eq!(printed, claimed, "number {at} of the text, after {before}; its source is {source}");
    }
    assert_eq!(printed.len(), claims.len(), "numbers of the text, and claims");

    let data = Data::read(&tables().join("stats"));
    let mut checked = 0;
    for (at, (printed, source)) in claims.iter().enumerate() {
        if *source == "stated" {
            continue;
        }
        let (value, step) = parse(printed);
        let found = data.value(source);
        // Shares have four decimals in the data, so a fourth decimal's rounding may add to the text's.
        let tolerance = 0.5 * step + if source.contains("_share") { 0.5e-4 } else { 1e-9 * found.abs() };
        assert!((value - found).abs() <= tolerance + 1e-9, "claim {at}, {printed}: {source} is {found}");
        checked += 1;
    }
    assert!(checked * 2 > claims.len(), "{checked} of {} numbers come from the data", claims.len());
    checked
}

fn printed_list<'a>(claims: &[(&'a str, &str)]) -> Vec<&'a str> {
    claims.iter().map(|claim| claim.0).collect()
}

/// The numbers before one, for a message.
fn printed_before(numbers: &[&str], at: usize) -> String {
    numbers[at.saturating_sub(3)..at].join(", ")
}

#[test]
fn a_wrong_number_is_found() {
    let data = Data::read(&tables().join("stats"));
    let found = data.value("totals KSMvK white taken - totals KSMvK white saves");
    assert_eq!(found, 278_040.0, "the wins that the count takes with White to move, as published");
    assert_eq!(parse("9.54%"), (0.0954, 1e-4));
    assert_eq!(parse("59.73 billion").0, 59.73e9);
    assert_eq!(parse("278,040"), (278_040.0, 1.0));
    assert!((parse("9.53%").0 - data.value("totals all both taken / totals all both won")).abs() > 0.5e-4);
}
