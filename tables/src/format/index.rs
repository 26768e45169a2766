//! Where the blocks lie.

use super::header::{u32_at, u64_at};

/// Bytes of one entry: the block's offset in the file (u64), its length (u32) and its checksum (u32).
pub(super) const INDEX_ENTRY_BYTES: u64 = 16;

/// One block's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexEntry {
    /// From the start of the file, in bytes.
    pub(super) offset: u64,
    /// Compressed, in bytes.
    pub(super) len: u32,
    /// CRC-32C of the compressed bytes.
    pub(super) crc: u32,
}

impl IndexEntry {
    pub(super) fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.offset.to_le_bytes());
        out.extend_from_slice(&self.len.to_le_bytes());
        out.extend_from_slice(&self.crc.to_le_bytes());
    }

    /// Reads the entry at `at`. The caller has checked the length.
    pub(super) fn read(bytes: &[u8], at: usize) -> IndexEntry {
        IndexEntry { offset: u64_at(bytes, at), len: u32_at(bytes, at + 8), crc: u32_at(bytes, at + 12) }
    }
}
