//! Reads from the disk that are issued together.
//!
//! The values of a position's moves lie in different parts of several files. Read one after the other, each part waits
//! for the disk. So the system is advised of all parts as soon as the first read was slow, and reads them together.

use super::handle::{OpenTable, Place};
use super::locate::{Located, oriented};
use super::store::TableStore;
use super::tablebase::Tablebase;
use crate::format::{Storage, StripeAddress, TableId};
use crate::index::Layout;
use crate::material::{Material, Oriented};
use crate::rules::{Color, Position};
use crate::value::Metric;

/// The most parts of files of which the system is advised at a time.
const MOST_PARTS: usize = 2048;

/// A stripe that will be read.
type ColdStripe<'a> = (&'a dyn OpenTable, Color, StripeAddress);

impl Tablebase {
    /// Advises the system, or the store, of the parts of files that hold the values of positions.
    #[cold]
    pub(super) fn prefetch_metrics(&self, positions: &[Position], metrics: &[Metric]) {
        if let Some(store) = self.store() {
            positions.iter().for_each(|position| advise_store(store, position, metrics));
            return;
        }
        let mut parts = Vec::new();
        for position in positions {
            self.add_parts(position, metrics, true, &mut parts);
        }
        // The offsets are read together too, before the blocks that they point at.
        for &(handle, side, address) in &parts {
            handle.advise_offsets(side, address);
        }
        for &(handle, side, address) in &parts {
            handle.advise_block(side, address);
        }
    }

    /// Adds the parts of a position's values; if the side is omitted and `derives`, those of its moves.
    fn add_parts<'a>(
        &'a self,
        position: &Position,
        metrics: &[Metric],
        derives: bool,
        parts: &mut Vec<ColdStripe<'a>>,
    ) {
        let Ok(Some(oriented)) = oriented(position) else { return };
        let mut is_omitted = false;
        for id in tables_of(oriented.material, metrics) {
            match self.locate_any_in(position, oriented, id) {
                Ok(Located::Omitted { .. }) => is_omitted = true,
                Ok(Located::Stored { handle, place, .. }) => {
                    if let Some(address) = handle.address(&place).filter(|_| parts.len() < MOST_PARTS) {
                        parts.push((handle, place.side, address));
                    }
                }
                Ok(Located::BareKings) | Err(_) => {}
            }
        }
        if is_omitted && derives {
            for mv in position.legal_moves() {
                self.add_parts(&position.play(mv), metrics, false, parts);
            }
        }
    }
}

/// The tables that give a material's values under some metrics.
fn tables_of(material: Material, metrics: &[Metric]) -> impl Iterator<Item = TableId> + '_ {
    metrics.iter().filter(move |&&metric| material.has_table(metric)).map(move |&metric| TableId { material, metric })
}

/// Tells a store which values will be read; if the side is omitted, those of its moves. One side of each table is
/// stored, so only captures lead from one omitted side to another.
fn advise_store(store: &dyn TableStore, position: &Position, metrics: &[Metric]) {
    let Ok(Some(Oriented { material, orientation })) = oriented(position) else { return };
    let Some(place) = Place::of(&Layout::new(material), position, orientation) else { return };
    let mut is_omitted = false;
    for id in tables_of(material, metrics) {
        is_omitted |= store.storage(id, place.side) == Some(Storage::Absent);
        store.advise(id, place.side, place.slab, &place.squares);
    }
    if is_omitted {
        for mv in position.legal_moves() {
            advise_store(store, &position.play(mv), metrics);
        }
    }
}
