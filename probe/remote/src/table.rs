//! A table whose bytes a store has, or wants.

use std::fmt;
use std::io;
use std::sync::Arc;

use makruk_format::{Outline, Source, TableId};
use makruk_rules::Color;

use crate::shared::Shared;

/// The bytes of a table on the server.
pub(crate) struct RemoteTable {
    pub(crate) store: Arc<Shared>,
    pub(crate) id: TableId,
    pub(crate) outline: Outline,
    /// Its header and models.
    pub(crate) head: Arc<[u8]>,
}

impl Source for RemoteTable {
    fn total(&self) -> u64 {
        self.outline.file_len()
    }

    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let range = offset..offset.checked_add(len as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
        if range.end <= self.head.len() as u64 {
            return Ok(&self.head[offset as usize..range.end as usize]);
        }
        buffer.clear();
        if let Some((side, group)) = self.outline.index_entry(&range) {
            let record = self.store.want_group(self.id, side, group).ok_or(io::ErrorKind::WouldBlock)?;
            Outline::write_index_entry(&record.range, buffer);
            return Ok(buffer);
        }
        // Groups are read whole, each after its entry of the index.
        if Color::ALL.into_iter().any(|side| self.outline.blocks(side).contains(&offset)) {
            self.store.copy_group(self.id, offset, len, buffer).ok_or(io::ErrorKind::WouldBlock)?;
            return Ok(buffer);
        }
        Err(io::ErrorKind::Unsupported.into())
    }

    fn checks_its_bytes(&self) -> bool {
        true
    }
}

impl fmt::Debug for RemoteTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteTable").field("id", &self.id).finish_non_exhaustive()
    }
}
