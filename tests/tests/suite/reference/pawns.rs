//! The count that the last pawn's end begins in the reference solver, worked out by hand, is that of the rules.

use fastrand::Rng;
use makruk_rules::{Color, CountingRules, Fen, ToMove};
use makruk_tables::material::Material;
use test_tables::random_position_of;
use test_tables::reference::{NamedMaterial, moves_left_after_last_pawn};

/// Materials of more men, besides all with a pawn of three and four.
const LARGER: [&str; 6] = ["KRPvKN", "KSPvKMP", "KRRPvKS", "KNNPvK", "KSSPvKP", "KRNSMPvKP"];

#[test]
fn the_last_pawns_end_begins_the_count_of_the_rules() {
    let rules = CountingRules::MAKRUK;
    let mut rng = Rng::with_seed(26);
    let mut ends = [0; 3];
    let small = (3..=4).flat_map(Material::all).filter(|material| material.has_pawns());
    let names: Vec<String> = small.map(|material| material.to_string()).chain(LARGER.map(str::to_owned)).collect();
    for name in names.iter().cycle().take(12_000) {
        let position = random_position_of(&mut rng, &NamedMaterial::named(name));
        for mv in position.legal_moves() {
            let child = position.play(mv);
            let count = Fen { position: position.clone(), count: None, fullmove: 1 }.play(&rules, mv).count;
            let attackers = Color::ALL.into_iter().filter(|&color| !child.board().is_bare(color));
            assert!(!child.board().has_pawns() || count.is_none(), "{position:?} {mv}");
            let Some(count) = count else { continue };
            for attacker in attackers {
                let to_move = child.turn() == attacker;
                let left = moves_left_after_last_pawn(&rules, &child, attacker);
                assert_eq!(left, Some(count.attacker_moves_left(ToMove::attacker_if(to_move))), "{position:?} {mv}");
                let kind = if !child.board().is_bare(!attacker) { 0 } else { 1 + usize::from(to_move) };
                ends[kind] += 1;
            }
        }
    }
    // Both sides armed, a bare king to move, and a bare king that took the last pawn.
    assert!(ends.into_iter().all(|number| number > 100), "{ends:?}");
}
