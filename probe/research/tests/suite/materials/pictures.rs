//! Pictures are valid SVG, and show the numbers of the tables.

use makruk_research::{PlotError, plot_distances, plot_squares};
use makruk_rules::Color;

use super::{material, prober};

/// The texts of an SVG, in order.
fn texts(svg: &str) -> Vec<String> {
    let parsed = roxmltree::Document::parse(svg).unwrap();
    let texts = parsed.descendants().filter(|node| node.is_text()).filter_map(|node| node.text());
    texts.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

#[test]
fn a_histogram_has_its_limit_drawn_in() {
    // 8 less four men, and one more with the attacker to move.
    let svg = plot_distances(&prober(), material("KRRvK"), Color::White).unwrap();
    let shown = texts(&svg);
    assert!(
        shown.contains(&"the count: 5 moves".to_owned()) && shown.contains(&"moves to mate".to_owned()),
        "{shown:?}"
    );
    assert_eq!(svg.matches("#b41428").count(), 1);
    // Wins of six and seven moves are late.
    assert_eq!((svg.matches("#2c6e9b").count(), svg.matches("#e08a2e").count()), (5, 2));
    let armed = texts(&plot_distances(&prober(), material("KRvKN"), Color::White).unwrap());
    assert!(armed.contains(&"the count: 65 moves".to_owned()), "{armed:?}");
    assert!(armed.iter().any(|text| text.contains("won only without the count")), "{armed:?}");
    let error = plot_distances(&prober(), material("KRRvK"), Color::Black).unwrap_err();
    assert!(matches!(error, PlotError::Nothing));
}

#[test]
fn squares_have_their_means_and_shares() {
    let board = |name: &str| texts(&plot_squares(&prober(), material(name), Color::White).unwrap())[2..130].to_vec();
    // Without a pawn, all corners are alike; with one, those of either rank.
    let [rook, pawn] = ["KRvKN", "KRPvK"].map(board);
    let at = |board: &[String], square: usize| board[2 * square..2 * square + 2].to_vec();
    assert!([7, 56, 63].iter().all(|&corner| at(&rook, corner) == at(&rook, 0)), "{rook:?}");
    assert!(at(&pawn, 0) == at(&pawn, 7) && at(&pawn, 0) != at(&pawn, 56), "{pawn:?}");
    assert!(rook.iter().skip(1).step_by(2).all(|share| share.ends_with('%')));
    let error = plot_squares(&prober(), material("KRvKN"), Color::Black).unwrap_err();
    assert!(matches!(error, PlotError::Omitted(_)), "{error}");
}
