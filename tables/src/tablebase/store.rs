//! Tables that are in no folder.

use std::fmt;
use std::io;

use super::handle::Place;
use super::locate::oriented;
use super::tablebase::Tablebase;
use crate::format::{SharedSource, Storage, TableId};
use crate::index::Layout;
use crate::material::Oriented;
use crate::rules::{Color, Position, Square};
use crate::value::Metric;

/// A place of tables other than folders: a web server, memory. It need not have the bytes of a table when they are
/// read. A read of bytes that it lacks fails with [`WouldBlock`](io::ErrorKind::WouldBlock), and the store remembers
/// that they are wanted. The same question is asked again when it has them
/// ([`TableError::wants_bytes`](super::TableError::wants_bytes)).
pub trait TableStore: fmt::Debug + Send + Sync {
    /// The bytes of a table.
    ///
    /// # Errors
    ///
    /// [`NotFound`](io::ErrorKind::NotFound) if there is no such table, `WouldBlock` if bytes are wanted.
    fn open(&self, id: TableId) -> io::Result<Box<dyn SharedSource>>;

    /// How a side of a table is stored, as far as that is known without opening it.
    fn storage(&self, id: TableId, side: Color) -> Option<Storage>;

    /// Tells the store that the value of a position will be read whose men are on these squares of a slab.
    fn want(&self, id: TableId, side: Color, slab: usize, squares: &[Square]);
}

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
