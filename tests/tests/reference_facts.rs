//! The reference solver by itself gives what is known of Makruk endings.

use makruk_tables::rules::{Color, CountingRules};
use makruk_tests::reference::{Distance, Reference, Totals};

fn solved(name: &str) -> (Reference, Totals) {
    let mut reference = Reference::new(CountingRules::MAKRUK);
    reference.solve(name);
    let totals = reference.totals(name, Color::White, Distance::Mate);
    println!("{name}: {} legal positions, White to move: {totals:?}", reference.legal(name));
    (reference, totals)
}

/// The longest win, in the winner's moves.
fn moves(plies: u16) -> u16 {
    plies.div_ceil(2)
}

#[test]
fn three_men() {
    let (_, rook) = solved("KRvK");
    assert_eq!(moves(rook.longest_win), 16);
    for name in ["KNvK", "KMvK"] {
        assert_eq!(solved(name).1, Totals::default(), "{name}");
    }
    let (_, khon) = solved("KSvK");
    assert!(khon.wins > 0 && khon.wins < 1000, "a few wins only");
}

#[test]
fn four_men_against_a_bare_king() {
    let (_, totals) = solved("KNMvK");
    assert_eq!((totals.wins, moves(totals.longest_win)), (472_900, 36));
}

#[test]
fn rook_against_rook_and_knight() {
    assert_eq!(moves(solved("KRvKN").1.longest_win), 40);
    assert_eq!(moves(solved("KRvKR").1.longest_win), 19);
}

#[test]
fn two_knights_and_two_mets_force_nothing() {
    for name in ["KNNvK", "KMMvK"] {
        let (reference, totals) = solved(name);
        assert!(totals.wins > 0 && totals.wins * 100 < reference.legal(name), "{name}: a few wins only");
    }
}
