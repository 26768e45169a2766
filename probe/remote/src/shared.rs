//! The pieces of files that are here, and those that are wanted, as a store and its tables share them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use makruk_format::{Outline, TableId};
use makruk_rules::Color;

use crate::catalogue::Catalogue;
use crate::file::{Family, RemoteFile};
use crate::records::{GroupRecord, RecordLayout};

/// The most wants that are remembered at a time. A question that wants more asks for them later.
pub(crate) const MOST_WANTS: usize = 4096;

/// A place in a file.
pub(crate) type Place = (RemoteFile, u64);

/// A piece of a file.
pub(crate) struct Piece {
    bytes: Arc<[u8]>,
    /// When it was used last.
    used: u64,
}

/// The length and the checksum of bytes that are wanted.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) len: Option<u64>,
    /// The checksum of a group, and the place of the record that has it.
    pub(crate) check: Option<(u32, Place)>,
}

/// The pieces that are here, and the wants.
#[derive(Default)]
pub(crate) struct State {
    /// The headers and models of tables.
    pub(crate) heads: HashMap<TableId, Arc<[u8]>>,
    pub(crate) pieces: HashMap<Place, Piece>,
    /// Bytes of all pieces.
    pub(crate) held: usize,
    clock: u64,
    /// The wants of the question under way, in order.
    pub(crate) wants: Vec<(Place, Wanted)>,
    /// The bytes that callers have to fetch, for this question or for others.
    pub(crate) awaited: HashMap<Place, Wanted>,
}

/// The state that a store shares with the tables that it opened.
pub(crate) struct Shared {
    pub(crate) catalogue: Catalogue,
    /// The families, in order, with the places of their records.
    layouts: Vec<(Family, RecordLayout)>,
    pub(crate) most_bytes: usize,
    pub(crate) state: Mutex<State>,
}

impl State {
    fn want(&mut self, place: Place, wanted: Wanted) {
        if self.wants.len() < MOST_WANTS
            && let Err(at) = self.wants.binary_search_by_key(&place, |(of, _)| *of)
        {
            self.wants.insert(at, (place, wanted));
        }
    }

    fn find(&mut self, place: Place) -> Option<Arc<[u8]>> {
        self.clock += 1;
        let piece = self.pieces.get_mut(&place)?;
        piece.used = self.clock;
        Some(Arc::clone(&piece.bytes))
    }

    pub(crate) fn forget(&mut self, place: Place) {
        if let Some(piece) = self.pieces.remove(&place) {
            self.held -= piece.bytes.len();
        }
    }

    /// Keeps a piece; if there are too many bytes, those that were used longest ago go.
    pub(crate) fn keep(&mut self, place: Place, bytes: &[u8], most_bytes: usize) {
        self.forget(place);
        self.clock += 1;
        self.held += bytes.len();
        self.pieces.insert(place, Piece { bytes: bytes.into(), used: self.clock });
        if self.held <= most_bytes {
            return;
        }
        let mut uses: Vec<u64> = self.pieces.values().map(|piece| piece.used).collect();
        uses.sort_unstable();
        let oldest_kept = uses.get(uses.len() / 4).copied().unwrap_or(0);
        let old: Vec<Place> =
            self.pieces.iter().filter(|(_, piece)| piece.used < oldest_kept).map(|(&place, _)| place).collect();
        old.into_iter().for_each(|place| self.forget(place));
    }
}

impl Shared {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn new(catalogue: Catalogue, most_bytes: usize) -> Shared {
        let tables: Vec<(TableId, &Outline)> = catalogue.tables().collect();
        let families = tables.chunk_by(|(one, _), (other, _)| Family::of(*one) == Family::of(*other));
        let layouts = families.map(|tables| (Family::of(tables[0].0), RecordLayout::new(tables))).collect();
        Shared { catalogue, layouts, most_bytes, state: Mutex::default() }
    }

    /// The places of the records of a family.
    pub(crate) fn layout(&self, family: Family) -> Option<&RecordLayout> {
        let at = self.layouts.binary_search_by_key(&family, |(of, _)| *of).ok()?;
        Some(&self.layouts[at].1)
    }

    /// The tables of a family that the server has, in order.
    pub(crate) fn tables_of(&self, family: Family) -> Vec<(TableId, &Outline)> {
        family.tables().filter_map(|id| Some((id, self.catalogue.outline(id)?))).collect()
    }

    /// The header and models of a table, which are wanted if they are not here.
    pub(crate) fn head(&self, id: TableId) -> Option<Arc<[u8]>> {
        let mut state = self.state();
        let head = state.heads.get(&id).cloned();
        if head.is_none() {
            state.want((RemoteFile::Heads(Family::of(id)), 0), Wanted { len: None, check: None });
        }
        head
    }

    /// The record of a group. If the record is not here, it is wanted; if the group is not here, the group is wanted.
    pub(crate) fn want_group(&self, id: TableId, side: Color, group: u64) -> Option<GroupRecord> {
        let (family, outline) = (Family::of(id), self.catalogue.outline(id)?);
        let layout = self.layout(family)?;
        let piece = layout.piece_of(side, group)?;
        let records = (RemoteFile::Groups(family), piece.start);
        let mut state = self.state();
        let Some(bytes) = state.find(records) else {
            state.want(records, Wanted { len: Some(piece.end - piece.start), check: None });
            return None;
        };
        let record = layout.group(&bytes, id, side, group)?;
        let blocks = outline.blocks(side);
        let place = (RemoteFile::Table(id), blocks.start + record.range.start);
        if state.find(place).is_none() {
            let len = Some(record.range.end.saturating_sub(record.range.start));
            state.want(place, Wanted { len, check: Some((record.crc, records)) });
        }
        Some(record)
    }

    /// Copies a group that begins at an offset of a table, if it is here.
    pub(crate) fn copy_group(&self, id: TableId, offset: u64, len: usize, out: &mut Vec<u8>) -> Option<()> {
        let bytes = self.state().find((RemoteFile::Table(id), offset)).filter(|bytes| bytes.len() == len)?;
        out.extend_from_slice(&bytes);
        Some(())
    }
}
