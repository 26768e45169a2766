//! The bytes of a server's files that are here, and those that are wanted.

use std::fmt;
use std::io;
use std::sync::Arc;

use makruk_format::{SharedSource, Storage, TableId};
use makruk_rules::{Color, Square};
use makruk_tables::tablebase::TableStore;
use thiserror::Error;

use crate::catalogue::Catalogue;
use crate::file::RemoteFile;
use crate::heads::read_heads;
use crate::packed::PackedError;
use crate::records::RecordLayout;
use crate::shared::{MOST_WANTS, Shared};
use crate::table::RemoteTable;

/// The most wants that callers may have in hand.
const MOST_AWAITED: usize = 8 * MOST_WANTS;

/// Bytes that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Want {
    /// The file.
    pub file: RemoteFile,
    /// The offset of the first byte.
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
        /// The offset of the first byte.
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
        /// The offset of the first byte.
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

/// The tables of a server as far as their bytes are here.
#[derive(Clone)]
pub struct RemoteStore {
    shared: Arc<Shared>,
}

impl RemoteStore {
    /// The tables of a catalogue, none of whose bytes are here. The pieces of tables take at most about `most_bytes`;
    /// those of one question must fit.
    pub fn new(catalogue: Catalogue, most_bytes: usize) -> RemoteStore {
        RemoteStore { shared: Arc::new(Shared::new(catalogue, most_bytes)) }
    }

    /// The tables.
    pub fn catalogue(&self) -> &Catalogue {
        &self.shared.catalogue
    }

    /// Takes the wants: bytes that were asked for since the last call and are not here, by file and offset. They can be
    /// given at any time from now on, also after others were taken.
    pub fn take_wants(&self) -> Vec<Want> {
        let mut state = self.shared.state();
        let wants = std::mem::take(&mut state.wants);
        // Bytes that nobody gives any more, since nobody waits for the question.
        if state.awaited.len() > MOST_AWAITED {
            state.awaited.clear();
        }
        let taken = wants.iter().map(|&((file, offset), wanted)| Want { file, offset, len: wanted.len }).collect();
        state.awaited.extend(wants);
        taken
    }

    /// The number of wants.
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
                let heads = read_heads(bytes, &tables).map_err(|source| GiveError::Packed { file, source })?;
                state.heads.extend(heads.ok_or(damaged(None))?);
            }
            RemoteFile::Groups(family) => {
                let is_in_order = |layout: &RecordLayout| layout.is_in_order(offset, bytes);
                if !self.shared.layout(family).is_some_and(is_in_order) {
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

    /// Bytes of groups and of their records that are here.
    pub fn held_bytes(&self) -> usize {
        self.shared.state().held
    }
}

impl fmt::Debug for RemoteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteStore").field("held_bytes", &self.held_bytes()).finish_non_exhaustive()
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

    fn want(&self, id: TableId, side: Color, slab: usize, squares: &[Square]) {
        let Some(outline) = self.shared.catalogue.outline(id) else { return };
        self.shared.head(id);
        if let Some(group) = outline.group_of(side, slab, squares) {
            self.shared.want_group(id, side, group);
        }
    }
}
