//! The bytes of a server's files that are here, and those that are wanted.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use makruk_tables::format::{Outline, SharedSource, Storage, TableId};
use makruk_tables::rules::{Color, Square};
use makruk_tables::tablebase::TableStore;
use thiserror::Error;

use crate::catalogue::Catalogue;
use crate::file::{Family, RemoteFile};
use crate::heads::Heads;
use crate::packed::PackedError;
use crate::records::{GroupRecord, RecordLayout};
use crate::table::RemoteTable;

/// The most wants that are remembered at a time. A question that wants more asks for them later.
const MOST_WANTS: usize = 4096;
/// The most wants that callers may have in hand.
const MOST_AWAITED: usize = 8 * MOST_WANTS;

/// Bytes that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Want {
    /// The file.
    pub file: RemoteFile,
    /// Where they begin.
    pub offset: u64,
    /// Their number; `None` for the whole file.
    pub len: Option<u64>,
}

/// Bytes that are refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GiveError {
    /// They are more or fewer than were wanted.
    #[error("{file}: expected {expected} bytes from offset {offset}, found {found}")]
    Length {
        /// The file.
        file: RemoteFile,
        /// Where they begin.
        offset: u64,
        /// The number wanted.
        expected: u64,
        /// The number given.
        found: u64,
    },
    /// They are not those that the guide describes: damaged, or of other tables.
    #[error(
        "{file}: the bytes from offset {offset} are not those that the guide describes: they are damaged, or the file was replaced"
    )]
    Damaged {
        /// The file.
        file: RemoteFile,
        /// Where they begin.
        offset: u64,
        /// The part of the guide that describes them, which may be the one that is damaged. It is wanted again.
        guide: Option<(RemoteFile, u64)>,
    },
    /// A file of the guide cannot be read.
    #[error("{file}: {source}")]
    Packed {
        /// The file.
        file: RemoteFile,
        /// The reason.
        source: PackedError,
    },
}

/// How many bytes a store has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreCounts {
    /// Bytes of groups and of their records.
    pub bytes: usize,
    /// Pieces of files that they are in.
    pub pieces: usize,
}

/// A place in a file.
type Place = (RemoteFile, u64);

/// A piece of a file.
struct Piece {
    bytes: Arc<[u8]>,
    /// When it was used last.
    used: u64,
}

/// What is known of bytes that are wanted.
#[derive(Clone, Copy)]
struct Wanted {
    len: Option<u64>,
    /// The checksum of a group, and the place of the record that has it.
    check: Option<(u32, Place)>,
}

#[derive(Default)]
struct State {
    heads: HashMap<Family, Heads>,
    pieces: HashMap<Place, Piece>,
    /// Bytes of all pieces.
    held: usize,
    clock: u64,
    /// What the question under way wants.
    wants: BTreeMap<Place, Wanted>,
    /// What callers were told to fetch, for this question or for others.
    awaited: BTreeMap<Place, Wanted>,
}

/// What a store and the tables that it opened share.
pub(crate) struct Shared {
    catalogue: Catalogue,
    layouts: HashMap<Family, RecordLayout>,
    most_bytes: usize,
    state: Mutex<State>,
}

/// The tables of a server as far as their bytes are here.
#[derive(Clone)]
pub struct RemoteStore {
    shared: Arc<Shared>,
}

impl RemoteStore {
    /// The tables of a catalogue, none of whose bytes are here. The pieces of tables take at most about `most_bytes`; those of
    /// one question must fit.
    pub fn new(catalogue: Catalogue, most_bytes: usize) -> RemoteStore {
        let mut families: BTreeMap<Family, Vec<(TableId, &Outline)>> = BTreeMap::new();
        for (id, outline) in catalogue.tables() {
            families.entry(Family::of(id)).or_default().push((id, outline));
        }
        let layouts = families.iter().map(|(&family, tables)| (family, RecordLayout::new(tables))).collect();
        RemoteStore { shared: Arc::new(Shared { catalogue, layouts, most_bytes, state: Mutex::default() }) }
    }

    /// The tables.
    pub fn catalogue(&self) -> &Catalogue {
        &self.shared.catalogue
    }

    /// Takes the wants: bytes that were asked for since the last call and are not here, by file and offset. They can be given
    /// at any time from now on, also after others were taken.
    pub fn take_wants(&self) -> Vec<Want> {
        let mut state = self.shared.state();
        let wants = std::mem::take(&mut state.wants);
        // Bytes that nobody gives any more, since nobody waits for the question.
        if state.awaited.len() > MOST_AWAITED {
            state.awaited.clear();
        }
        let taken = wants.iter().map(|(&(file, offset), wanted)| Want { file, offset, len: wanted.len }).collect();
        state.awaited.extend(wants);
        taken
    }

    /// How many wants there are.
    pub fn want_count(&self) -> usize {
        self.shared.state().wants.len()
    }

    /// Takes bytes that were wanted. Bytes that are not wanted are ignored.
    ///
    /// # Errors
    ///
    /// They are not the bytes that were wanted.
    pub fn give(&self, file: RemoteFile, offset: u64, bytes: &[u8]) -> Result<(), GiveError> {
        let mut state = self.shared.state();
        let Some(wanted) = state.awaited.get(&(file, offset)).copied() else { return Ok(()) };
        let found = bytes.len() as u64;
        if let Some(expected) = wanted.len.filter(|&len| len != found) {
            return Err(GiveError::Length { file, offset, expected, found });
        }
        let damaged = |guide| GiveError::Damaged { file, offset, guide };
        match file {
            RemoteFile::Heads(family) => {
                let tables = self.shared.tables_of(family);
                let heads = Heads::read(bytes, &tables).map_err(|source| GiveError::Packed { file, source })?;
                state.heads.insert(family, heads.ok_or(damaged(None))?);
            }
            RemoteFile::Groups(family) => {
                let is_in_order = |layout: &RecordLayout| layout.is_in_order(offset, bytes);
                if !self.shared.layouts.get(&family).is_some_and(is_in_order) {
                    return Err(damaged(None));
                }
                state.keep((file, offset), bytes, self.shared.most_bytes);
            }
            RemoteFile::Table(_) => {
                if let Some((crc, guide)) = wanted.check
                    && crc32c::crc32c(bytes) != crc
                {
                    state.forget(guide);
                    state.awaited.remove(&(file, offset));
                    return Err(damaged(Some(guide)));
                }
                state.keep((file, offset), bytes, self.shared.most_bytes);
            }
        }
        state.awaited.remove(&(file, offset));
        Ok(())
    }

    /// How many bytes are here.
    pub fn counts(&self) -> StoreCounts {
        let state = self.shared.state();
        StoreCounts { bytes: state.held, pieces: state.pieces.len() }
    }
}

impl fmt::Debug for RemoteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteStore").field("counts", &self.counts()).finish_non_exhaustive()
    }
}

impl State {
    fn want(&mut self, place: Place, wanted: Wanted) {
        if self.wants.len() < MOST_WANTS {
            self.wants.entry(place).or_insert(wanted);
        }
    }

    fn find(&mut self, place: Place) -> Option<Arc<[u8]>> {
        self.clock += 1;
        let piece = self.pieces.get_mut(&place)?;
        piece.used = self.clock;
        Some(Arc::clone(&piece.bytes))
    }

    fn forget(&mut self, place: Place) {
        if let Some(piece) = self.pieces.remove(&place) {
            self.held -= piece.bytes.len();
        }
    }

    /// Keeps a piece; if there are too many bytes, those that were used longest ago go.
    fn keep(&mut self, place: Place, bytes: &[u8], most_bytes: usize) {
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
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables of a family that the server has, in order.
    fn tables_of(&self, family: Family) -> Vec<(TableId, &Outline)> {
        family.tables().filter_map(|id| Some((id, self.catalogue.outline(id)?))).collect()
    }

    /// The header and models of a table, which are wanted if they are not here.
    fn head(&self, id: TableId) -> Option<Arc<[u8]>> {
        let (mut state, family) = (self.state(), Family::of(id));
        if let Some(heads) = state.heads.get(&family) {
            return heads.of(id);
        }
        state.want((RemoteFile::Heads(family), 0), Wanted { len: None, check: None });
        None
    }

    /// The record of a group. If that is not here it is wanted; if the group is not, that.
    pub(crate) fn want_group(&self, id: TableId, side: Color, group: u64) -> Option<GroupRecord> {
        let (family, outline) = (Family::of(id), self.catalogue.outline(id)?);
        let layout = self.layouts.get(&family)?;
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

impl TableStore for RemoteStore {
    fn open(&self, id: TableId) -> io::Result<Box<dyn SharedSource>> {
        let outline = self.shared.catalogue.outline(id).ok_or(io::ErrorKind::NotFound)?;
        let head = self.shared.head(id).ok_or(io::ErrorKind::WouldBlock)?;
        Ok(Box::new(RemoteTable { store: Arc::clone(&self.shared), id, outline: outline.clone(), head }))
    }

    fn storage(&self, id: TableId, side: Color) -> Option<Storage> {
        Some(self.shared.catalogue.outline(id)?.side(side).storage)
    }

    fn advise(&self, id: TableId, side: Color, slab: usize, squares: &[Square]) {
        let Some(outline) = self.shared.catalogue.outline(id) else { return };
        self.shared.head(id);
        if let Some(group) = outline.group_of(side, slab, squares) {
            self.shared.want_group(id, side, group);
        }
    }
}
