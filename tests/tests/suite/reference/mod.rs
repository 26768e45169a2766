//! The tables agree with the reference solver in every position of all three-men materials, in both colourings, and of
//! some with four men. These are with and without khons and pawns, with like men, with captures and promotions into
//! other symmetries and into colour-flipped materials. And the reference solver by itself agrees with known facts about
//! these endings.

mod pawns;

use std::time::Instant;

use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules};
use makruk_tables::value::Metric;
use makruk_tests::whole_table::Decoded;
use rayon::prelude::*;
use test_tables::reference::{Distance, Reference, Totals};

/// Compares every position of the material, as it is named: `KvKR` is compared with the table KRvK. Returns the
/// reference's totals of DTM with White to move.
fn compare(name: &str) -> Totals {
    let material: Material = name.parse().expect("a material");
    let folder = test_tables::usual([material]);
    let start = Instant::now();
    let mut reference = Reference::new(CountingRules::MAKRUK);
    reference.solve(name);
    let solved = start.elapsed();

    let dtm = Decoded::read(&folder, material, Metric::Dtm);
    let dtz = material.has_dtz().then(|| Decoded::read(&folder, material, Metric::Dtz));
    let positions = reference
        .positions(name)
        .map(|position| {
            let expected = reference.value(&position, Distance::Mate);
            assert_eq!(dtm.value(&position).signed_plies(), expected, "DTM of {position:?}");
            let expected = reference.value(&position, Distance::Conversion);
            let found = dtz.as_ref().unwrap_or(&dtm).value(&position);
            assert_eq!(found.signed_plies(), expected, "DTZ of {position:?}");
        })
        .count();
    assert_eq!(2 * positions as u64, reference.legal(name));
    println!("{name}: {positions} positions agree in DTM and DTZ; solved in {:.1} s", solved.as_secs_f64());
    reference.totals(name, Color::White, Distance::Mate)
}

/// The longest win with White to move, in moves.
fn longest(totals: Totals) -> u16 {
    totals.max_win_plies.div_ceil(2)
}

#[test]
fn three_men() {
    assert_eq!(longest(compare("KRvK")), 16);
    let khon = compare("KSvK");
    assert!(khon.win > 0 && khon.win < 1000, "a few wins: {khon:?}");
    assert_eq!(compare("KvKM").win, 0, "a bare king wins nothing");
    compare("KPvK");
}

#[test]
#[ignore = "the other materials of three men, in both colours, and two pawns: ten seconds"]
fn all_three_men_and_two_pawns() {
    for name in ["KNvK", "KMvK"] {
        let totals = compare(name);
        assert_eq!((totals.win, totals.loss), (0, 0), "{name}: nothing is won");
    }
    for name in ["KvKR", "KvKN", "KvKS"] {
        assert_eq!(compare(name).win, 0, "a bare king wins nothing");
    }
    compare("KvKP");
    compare("KPPvK");
}

#[test]
#[ignore = "four men: ten seconds each"]
fn khon_and_met() {
    compare("KSMvK");
}

#[test]
#[ignore = "more of the same, for half a minute"]
fn knight_and_met() {
    let totals = compare("KNMvK");
    assert_eq!((totals.win, longest(totals)), (472_900, 36));
}

#[test]
#[ignore = "more of the same, for half a minute"]
fn two_knights_or_two_mets_win_little() {
    for name in ["KNNvK", "KMMvK"] {
        let totals = compare(name);
        assert!(totals.win > 0 && totals.win < 1000, "{name}: {totals:?}");
    }
}

#[test]
#[ignore = "more of the same, for half a minute"]
fn two_khons() {
    compare("KSSvK");
}

#[test]
#[ignore = "more of the same, for half a minute"]
fn rook_against_rook() {
    assert_eq!(longest(compare("KRvKR")), 19);
}

#[test]
#[ignore = "more of the same, for half a minute"]
fn rook_against_knight() {
    assert_eq!(longest(compare("KRvKN")), 40);
}

#[test]
#[ignore = "four men: ten seconds each"]
fn rook_against_khon() {
    compare("KRvKS");
}

#[test]
#[ignore = "more of the same, for minutes"]
fn all_with_a_pawn() {
    for name in ["KRPvK", "KNPvK", "KSPvK", "KMPvK", "KRvKP", "KvKPS", "KNvKP", "KSvKP", "KMvKP", "KPvKP"] {
        compare(name);
    }
}

#[test]
#[ignore = "four men: ten seconds each"]
fn colour_twins() {
    compare("KMvKS");
    compare("KvKRR");
}
