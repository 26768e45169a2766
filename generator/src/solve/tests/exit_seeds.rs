//! Exit seeds, cell by cell, against the values of the positions after the exits.

use std::collections::BTreeMap;

use fastrand::Rng;
use makruk_rules::{Color, CountRule, CountingRules, Position, ToMove};
use makruk_tables::material::Material;
use makruk_tables::tablebase::Tablebase;
use makruk_tables::value::{Metric, Value};

use super::kernels::{CellSetup, places, some_rows};
use crate::progress::Silent;
use crate::solve::exit_seeds::{ExitRule, ExitSeeds, exit_seeds};
use crate::solve::geometry::Geometry;
use crate::solve::legality::ExitMen;
use crate::solve::work_store::WorkStore;

const RULES: CountingRules = CountingRules::MAKRUK;

/// The tables of all that exits lead to from a material. They come from files: the unit tests would compile the whole
/// solver once more to solve them.
fn children_of(parent: Material) -> Tablebase {
    let children = Material::with_descendants([parent]).into_iter().filter(|&material| material != parent);
    Tablebase::new(test_tables::usual(children).path())
}

/// In how many moves the position after an exit from `parent` is decided for the attacker, if it is. The value of that
/// position says so; under DTZ it must also leave time, if a count begins.
fn expected(parent: Material, after: &Position, attacker: Color, metric: Metric, children: &Tablebase) -> Option<u16> {
    let oriented = Material::of(after.board()).unwrap();
    if oriented.material == Material::BARE_KINGS {
        return None;
    }
    let value = children.value(after, metric).unwrap();
    let attacker_moves = after.turn() == attacker;
    let ((Value::Win(plies), true) | (Value::Loss(plies), false)) = (value, attacker_moves) else { return None };
    let moves = plies.div_ceil(2);
    let rule = oriented.material.count_rule();
    if metric == Metric::Dtm || rule == CountRule::None || rule == parent.count_rule() {
        return Some(moves);
    }
    let count = RULES.start(after.board(), after.turn()).unwrap();
    let is_in_time =
        after.is_checkmate() || u32::from(moves) <= count.attacker_moves_left(ToMove::attacker_if(attacker_moves));
    is_in_time.then_some(if attacker_moves { moves } else { 0 })
}

fn seeds_by_cell(seeds: &ExitSeeds, slab: usize, attacker: Color) -> BTreeMap<u32, u16> {
    let mut by_cell = BTreeMap::new();
    for moves in 0..=seeds.longest(attacker) {
        for &cell in seeds.at(slab, (attacker, moves), &mut Vec::new()).unwrap() {
            let cell = u32::from_le_bytes(cell);
            assert_eq!(by_cell.insert(cell, moves), None, "cell {cell} of slab {slab} is decided twice");
        }
    }
    by_cell
}

/// Compares all cells of some rows; returns how many of them are decided.
fn check<const W: usize>(geometry: &Geometry, rows: &[(usize, usize)], children: &Tablebase) -> usize {
    let material = geometry.layout().material();
    let mut decided = 0;
    for &metric in material.distance_metrics() {
        for mover in Color::ALL {
            let rule = ExitRule { metric, rules: &RULES };
            let exits = ExitMen::all(geometry, mover);
            let seeds = exit_seeds::<W>(geometry, mover, rule, children, WorkStore::in_memory(), &Silent).unwrap();
            for &(slab, row) in rows {
                let by_cell = Color::ALL.map(|attacker| (attacker, seeds_by_cell(&seeds, slab, attacker)));
                for (word, bit) in places::<W>() {
                    let setup = CellSetup::at(geometry, slab, row, word, bit);
                    let mut after = exits.iter().filter_map(|&exit| setup.after_exit(geometry, mover, exit));
                    let exit = after.next();
                    assert!(after.next().is_none(), "{material} {setup:?} stands for two exits");
                    for (attacker, by_cell) in &by_cell {
                        let found = by_cell.get(&(((row * W + word) * 64 + bit) as u32)).copied();
                        let wanted =
                            exit.as_ref().and_then(|after| expected(material, after, *attacker, metric, children));
                        assert_eq!(found, wanted, "{material} {metric} {attacker} attacks, {mover} leaves: {setup:?}");
                        decided += usize::from(found.is_some());
                    }
                }
            }
        }
    }
    decided
}

/// Compares some rows of 64 words, or as many cells in rows of one.
fn check_some(geometry: &Geometry, children: &Tablebase, rng: &mut Rng, rows: usize) {
    let decided = match geometry.row_words() {
        64 => check::<64>(geometry, &some_rows(geometry, rng, rows), children),
        _ => check::<1>(geometry, &some_rows(geometry, rng, 64 * rows), children),
    };
    let material = geometry.layout().material();
    assert!(decided > 50, "{material}: {decided} cells are decided");
}

#[test]
fn seeds_are_the_values_after_exits() {
    compare(&["KSvKR", "KRRvK", "KRPvK"], Geometry::new, 5);
}

fn compare(names: &[&str], geometry: fn(Material) -> Geometry, rows: usize) {
    let mut rng = Rng::with_seed(17);
    for name in names {
        let material = name.parse().unwrap();
        check_some(&geometry(material), &children_of(material), &mut rng, rows);
    }
}

#[test]
#[ignore = "five men with pawns, and all that they lead to"]
fn seeds_are_the_values_after_captures_that_promote() {
    compare(&["KRPvKN"], Geometry::new, 10);
}

#[test]
fn seeds_are_the_values_after_exits_in_rows_of_one_word() {
    compare(&["KRPvK"], |material| Geometry::with_inner(material, false), 10);
}
