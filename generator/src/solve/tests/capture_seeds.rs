//! Capture seeds, cell by cell, against the values of the positions after the captures.

use std::collections::BTreeMap;

use fastrand::Rng;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules, Position};
use makruk_tables::tablebase::{SideSource, TableId};
use makruk_tables::value::{Metric, Value};

use super::kernels::{Setup, places, some_rows};
use crate::memory::{MemoryTables, solve_in_memory};
use crate::progress::Silent;
use crate::solve::capture_seeds::{CaptureRule, CaptureSeeds, capture_seeds};
use crate::solve::geometry::Geometry;
use crate::solve::spill_store::SpillStore;

const RULES: CountingRules = CountingRules::MAKRUK;

/// The tables of all that captures lead to from a material.
fn children_of(parent: Material) -> MemoryTables {
    let mut tables = MemoryTables::default();
    for material in Material::with_descendants([parent]).into_iter().filter(|&material| material != parent) {
        for (metric, table) in solve_in_memory(material, &RULES, &tables, &Silent).unwrap() {
            tables.insert(TableId { material, metric }, table);
        }
    }
    tables
}

/// In how many moves the position after a capture is decided for the attacker, if it is. The value of that position says
/// so; only of a capture that bares the defender under DTZ the count does.
fn expected(after: &Position, attacker: Color, metric: Metric, children: &MemoryTables) -> Option<u16> {
    let oriented = Material::of(after.board()).unwrap();
    if oriented.material == Material::BARE_KINGS {
        return None;
    }
    let id = TableId::of(oriented.material, metric);
    let side = children.side(id, oriented.orientation.color(after.turn())).unwrap();
    let value = side.value(after).unwrap();
    if after.turn() == attacker {
        let Value::Win(plies) = value else { return None };
        return Some(plies.div_ceil(2));
    }
    let Value::Loss(plies) = value else { return None };
    let moves = plies / 2;
    if metric == Metric::Dtm || !after.board().is_bare(!attacker) {
        return Some(moves);
    }
    let count = RULES.start(after.board(), after.turn()).unwrap();
    (after.is_checkmate() || u32::from(moves) <= count.attacker_moves_left(false)).then_some(0)
}

fn seeds_by_cell(seeds: &CaptureSeeds, slab: usize) -> BTreeMap<u32, u16> {
    let mut by_cell = BTreeMap::new();
    for moves in 0..=seeds.longest() {
        for cell in seeds.at(slab, moves).unwrap() {
            assert_eq!(by_cell.insert(cell, moves), None, "cell {cell} of slab {slab} is decided twice");
        }
    }
    by_cell
}

/// Compares all cells of some rows; returns how many of them are decided.
fn check<const W: usize>(geometry: &Geometry, rows: &[(usize, usize)]) -> usize {
    let material = geometry.layout().material();
    let children = children_of(material);
    let mut decided = 0;
    for &metric in material.distance_metrics() {
        for attacker in Color::ALL.into_iter().filter(|&color| !material.side(color).is_bare()) {
            for mover in Color::ALL {
                let rule = CaptureRule { attacker, metric, rules: &RULES };
                let store = SpillStore::in_memory();
                let seeds = capture_seeds::<W>(geometry, mover, rule, &children, store, &Silent).unwrap();
                for &(slab, row) in rows {
                    let by_cell = seeds_by_cell(&seeds, slab);
                    for (word, bit) in places::<W>() {
                        let setup = Setup::at(geometry, slab, row, word, bit);
                        let captures = (0..geometry.men().len()).filter_map(|man| {
                            let board = setup.board(geometry, Some(man))?;
                            let taker = board.piece_at(setup.square(man))?;
                            let is_capture = taker.color == mover && geometry.men()[man].color != mover;
                            is_capture.then(|| Position::new(board, !mover).ok()).flatten()
                        });
                        let found = by_cell.get(&(((row * W + word) * 64 + bit) as u32)).copied();
                        let mut wanted = captures.map(|after| expected(&after, attacker, metric, &children));
                        let wanted = wanted.next().flatten();
                        assert_eq!(found, wanted, "{material} {metric} {attacker} attacks, {mover} takes: {setup:?}");
                        decided += usize::from(found.is_some());
                    }
                }
            }
        }
    }
    decided
}

fn check_some(geometry: &Geometry, rng: &mut Rng) {
    let decided = match geometry.row_words() {
        64 => check::<64>(geometry, &some_rows(geometry, rng, 10)),
        _ => check::<1>(geometry, &some_rows(geometry, rng, 600)),
    };
    let material = geometry.layout().material();
    assert!(decided > 50, "{material}: {decided} cells are decided");
}

#[test]
fn seeds_are_the_values_after_captures() {
    let mut rng = Rng::with_seed(17);
    for name in ["KRvKR", "KRvKS", "KSvKR", "KNvKR", "KRRvK", "KSMvKS", "KRNvKR", "KNMvKM"] {
        check_some(&Geometry::new(name.parse().unwrap()), &mut rng);
    }
}

#[test]
fn seeds_are_the_values_after_captures_in_rows_of_one_word() {
    let mut rng = Rng::with_seed(18);
    for name in ["KRvKR", "KRvKN", "KRMvK", "KRMvKS"] {
        check_some(&Geometry::with_rows_of_one_word(name.parse().unwrap()), &mut rng);
    }
}
