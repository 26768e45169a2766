//! The bytes that a position's values need, announced to a store.

use super::handle::Place;
use super::locate::oriented;
use super::store::TableStore;
use super::tablebase::Tablebase;
use makruk_format::index::Layout;
use makruk_format::material::Oriented;
use makruk_format::value::Metric;
use makruk_format::{Storage, TableId};
use makruk_rules::Position;

impl Tablebase {
    /// Tells the store that the value of a position under these metrics will be read. If a table omits the side to
    /// move, the values after its moves are read.
    pub fn want(&self, position: &Position, metrics: &[Metric]) {
        if let Some(store) = self.store() {
            want(store, position, metrics);
        }
    }
}

/// One side of each table is stored, so only captures lead from one omitted side to another.
fn want(store: &dyn TableStore, position: &Position, metrics: &[Metric]) {
    let Ok(Some(Oriented { material, orientation })) = oriented(position) else { return };
    let Some(place) = Place::of(&Layout::new(material), position, orientation) else { return };
    let mut is_omitted = false;
    for &metric in metrics.iter().filter(|&&metric| material.has_table(metric)) {
        let id = TableId { material, metric };
        is_omitted |= store.storage(id, place.side) == Some(Storage::Absent);
        store.want(id, place.side, place.slab, &place.squares);
    }
    if is_omitted {
        for mv in position.legal_moves() {
            want(store, &position.play(mv), metrics);
        }
    }
}
