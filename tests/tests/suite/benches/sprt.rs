//! The sequential test of `makruk-match`: ratios computed by hand, and when it decides.

#![allow(clippy::unwrap_used)]

use makruk_benches::matches::sprt::LEAST_UNEVEN;
use makruk_benches::matches::{GroupedShare, Hypothesis, Sprt};

/// Pairs with 0, 0.5, 1, 1.5 and 2 points, each from a position of its own.
fn pairs(pairs: [usize; 5]) -> GroupedShare {
    let mut share = GroupedShare::default();
    for (half_points, count) in pairs.into_iter().enumerate() {
        (0..count).for_each(|_| share.add(half_points as f64 / 2.0, 2.0));
    }
    share
}

fn llr(elo0: f64, elo1: f64, counts: [usize; 5]) -> f64 {
    Sprt::new(elo0, elo1).unwrap().verdict(&pairs(counts)).llr.unwrap()
}

/// By hand: 100 pairs, 20 of 0.5, 50 of 1, 30 of 1.5. The mean is 0.525. The sum of squares is 20 * 0.275² + 50 *
/// 0.025² + 30 * 0.225² = 3.0625. The square of the error is 3.0625 / 100 / 99 = 3.09343e-4. Shares of 0 and 10 Elo:
/// 0.5 and 0.514387. So LLR = 0.014387 * (1.05 - 1.014387) / (2 * 3.09343e-4) = 0.82815.
#[test]
fn a_ratio_is_that_computed_by_hand() {
    assert!((llr(0.0, 10.0, [0, 20, 50, 30, 0]) - 0.82815).abs() < 5e-4);
    // All five scores: mean 0.5125, squares 1 * 0.512500² + 3 * 0.2625² + 12 * 0.0125² + 2 * 0.2375² + 2 * 0.4875².
    let squares = 0.5125f64.powi(2) + 3.0 * 0.2625f64.powi(2) + 12.0 * 0.0125f64.powi(2);
    let squares = squares + 2.0 * 0.2375f64.powi(2) + 2.0 * 0.4875f64.powi(2);
    let share = 1.0 / (1.0 + 10f64.powf(-5.0 / 400.0));
    let expected = (share - 0.5) * (1.025 - share - 0.5) / (2.0 * squares / 20.0 / 19.0);
    assert!((llr(0.0, 5.0, [1, 3, 12, 2, 2]) - expected).abs() < 1e-9);
}

#[test]
fn exchanged_engines_and_hypotheses_change_the_sign() {
    let there = llr(-3.0, 8.0, [2, 7, 40, 12, 4]);
    let back = llr(-8.0, 3.0, [4, 12, 40, 7, 2]);
    assert!((there + back).abs() < 1e-9, "{there} {back}");
    assert!(llr(-6.0, 6.0, [5, 9, 30, 9, 5]).abs() < 1e-9);
}

#[test]
fn twice_the_pairs_give_twice_the_ratio() {
    // Nearly: the error has N - 1.
    let once = llr(0.0, 10.0, [0, 30, 100, 50, 0]);
    let twice = llr(0.0, 10.0, [0, 60, 200, 100, 0]);
    assert!((twice / once - 2.0 * 359.0 / 358.0).abs() < 1e-6);
}

#[test]
fn without_variance_there_is_no_ratio() {
    let test = Sprt::new(0.0, 10.0).unwrap();
    for counts in [[0; 5], [0, 0, 1, 0, 0], [0, 0, 70, 0, 0], [0, 0, 0, 40, 0]] {
        let verdict = test.verdict(&pairs(counts));
        assert_eq!((verdict.llr, verdict.accepted), (None, None), "{counts:?}");
    }
    assert_eq!(test.verdict(&pairs([0; 5])).to_string(), "LLR - [-2.94, +2.94] for +0 or +10 Elo");
}

#[test]
fn bounds_decide() {
    let test = Sprt::new(0.0, 10.0).unwrap();
    let verdict = test.verdict(&pairs([0, 10, 50, 60, 0]));
    assert_eq!(verdict.accepted, Some(Hypothesis::H1), "{verdict}");
    assert!(verdict.to_string().ends_with(", H1 is accepted: +10 Elo, not +0"), "{verdict}");
    let verdict = test.verdict(&pairs([0, 60, 50, 10, 0]));
    assert_eq!(verdict.accepted, Some(Hypothesis::H0), "{verdict}");
    // Few pairs that are not even say little about the variance.
    let few = test.verdict(&pairs([0, LEAST_UNEVEN - 1, 300, 0, 0]));
    assert!(few.llr.unwrap() < Sprt::bounds()[0] && few.accepted.is_none(), "{few}");
    let enough = test.verdict(&pairs([0, LEAST_UNEVEN, 300, 0, 0]));
    assert_eq!(enough.accepted, Some(Hypothesis::H0), "{enough}");
}

#[test]
fn a_position_that_is_played_several_times_counts_once() {
    let mut share = GroupedShare::default();
    for (half_points, count) in [(1.0, 5), (2.0, 10), (3.0, 9)] {
        (0..count).for_each(|_| share.add(3.0 * half_points / 2.0, 6.0));
    }
    let once = llr(0.0, 10.0, [0, 5, 10, 9, 0]);
    let thrice = Sprt::new(0.0, 10.0).unwrap().verdict(&share).llr.unwrap();
    assert!((once - thrice).abs() < 1e-9);
}

#[test]
fn hypotheses_are_read() {
    assert_eq!("-2.5,4".parse().ok(), Sprt::new(-2.5, 4.0));
    for text in ["4", "4,4", "5,4", "a,4", "0,inf", "0,nan", ""] {
        assert!(text.parse::<Sprt>().is_err(), "{text}");
    }
}
