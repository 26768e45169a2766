//! The bytes of blocks.

use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

use super::error::Problem;
use super::group::{self, GROUP_BLOCKS, MAX_HEAD_BYTES, OFFSET_BYTES};
use super::guard::Guard;
use super::sections::Sections;
use super::source::{Source, prefetch};
use makruk_rules::{ByColor, Color};

thread_local! {
    /// Buffers for the bytes of a source that is not in memory; they are here for their allocation alone.
    static BUFFERS: RefCell<(Vec<u8>, Vec<u8>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// The groups of a part of an index.
const PART_GROUPS: u64 = 1 << 8;

/// Reads blocks and compares the checksums of what it reads.
#[derive(Debug)]
pub struct BlockReader<B> {
    bytes: B,
    sections: Sections,
    guard: Guard,
    /// The parts of each side's index that were read, if the bytes may change: a copy need not be compared again.
    indexes: ByColor<Vec<OnceLock<Vec<u8>>>>,
}

impl<B: Source> BlockReader<B> {
    /// Reads the list of checksums of the file that has these sections.
    pub(super) fn new(bytes: B, sections: Sections, checksums_crc: u32) -> Result<BlockReader<B>, Problem> {
        let guard = match bytes.checks_its_bytes() {
            true => Guard::of_checked(&sections),
            false => Guard::read(&bytes, &sections, checksums_crc)?,
        };
        let parts = |side| {
            let index: &Range<u64> = &sections.indexes[side];
            let parts = ((index.end - index.start) / OFFSET_BYTES as u64).div_ceil(PART_GROUPS);
            (0..if bytes.may_change() { parts } else { 0 }).map(|_| OnceLock::new()).collect()
        };
        let indexes = ByColor { white: parts(Color::White), black: parts(Color::Black) };
        Ok(BlockReader { bytes, sections, guard, indexes })
    }

    /// The places of the file's parts.
    pub(super) fn sections(&self) -> &Sections {
        &self.sections
    }

    /// Compares the checksums of the whole file.
    pub(super) fn check_all(&self) -> Result<(), Problem> {
        if self.bytes.checks_its_bytes() {
            return Err(Problem::reading(io::ErrorKind::Unsupported.into()));
        }
        self.guard.check_all(&self.bytes, &self.sections)
    }

    /// Calls `read` with the bytes of a side's model, and where they begin.
    pub(super) fn with_model<T>(
        &self,
        side: Color,
        read: impl FnOnce(&[u8], u64) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let part = self.sections.models[side].clone();
        let (mut buffer, mut spare) = (Vec::new(), Vec::new());
        read(self.read(part.start, (part.end - part.start) as usize, &mut buffer, &mut spare)?, part.start)
    }

    /// Has the processor load a block's place in the index while it does something else, if the file is mapped.
    #[inline]
    pub fn prefetch_index(&self, side: Color, block: u64) {
        self.bytes.prefetch(self.index_entry(side, block / GROUP_BLOCKS as u64));
    }

    /// The same for the lengths of the blocks in its group, if the group's place was verified before.
    #[inline]
    pub fn prefetch_lengths(&self, side: Color, block: u64) {
        if let Some(range) = self.group_ahead(side, block / GROUP_BLOCKS as u64) {
            self.bytes.prefetch(range.start);
        }
    }

    /// The bytes of a block, which the processor begins to load, if the file is mapped and they were verified before.
    #[inline]
    pub fn bytes_ahead(&self, side: Color, block: u64) -> Option<&[u8]> {
        let (group, place) = (block / GROUP_BLOCKS as u64, (block % GROUP_BLOCKS as u64) as usize);
        let range = self.group_ahead(side, group)?;
        if !self.guard.is_verified(&self.sections, &range) {
            return None;
        }
        let bytes = self.bytes.in_memory(range.start, (range.end - range.start) as usize)?;
        let bytes = group::block(bytes, side, group, place).ok()?;
        prefetch(bytes.as_ptr());
        Some(bytes)
    }

    /// The place of a group in the file, if that is in memory and was verified before.
    #[inline]
    fn group_ahead(&self, side: Color, group: u64) -> Option<Range<u64>> {
        let (at, len) = (self.index_entry(side, group), 2 * OFFSET_BYTES);
        let offsets = match self.known_entry(side, group) {
            Some(offsets) => offsets,
            None if self.guard.is_verified(&self.sections, &(at..at + len as u64)) => self.bytes.in_memory(at, len)?,
            None => return None,
        };
        let blocks = &self.sections.blocks[side];
        let range = group::range(offsets, blocks.end - blocks.start).ok()?;
        Some(blocks.start + range.start..blocks.start + range.end)
    }

    /// Calls `decode` with the bytes of a block, which exists.
    #[inline]
    pub(super) fn with_block<T>(&self, side: Color, block: u64, decode: impl FnOnce(&[u8]) -> T) -> Result<T, Problem> {
        let (group, place) = (block / GROUP_BLOCKS as u64, (block % GROUP_BLOCKS as u64) as usize);
        if !self.bytes.copies() {
            return self.with_group(side, group, |bytes| Ok(decode(group::block(bytes, side, group, place)?)));
        }
        BUFFERS.with_borrow_mut(|(buffer, spare)| {
            self.unless_changed(|| {
                let range = self.range(side, group, buffer, spare)?;
                let (start, len) = (self.sections.blocks[side].start + range.start, (range.end - range.start) as usize);
                // Mostly the first piece of a group has the whole head and some blocks.
                let mut head = self.read_on(start, 1, buffer, spare)?;
                let head_len = group::head_len(head[0].into()).min(MAX_HEAD_BYTES).min(len);
                if head.len() < head_len {
                    head = self.read_on(start, head_len, buffer, spare)?;
                }
                let block = group::find(&head[..head.len().min(len)], len, side, group, place)?;
                match head.get(block.clone()) {
                    Some(bytes) => Ok(decode(bytes)),
                    None => Ok(decode(self.read(start + block.start as u64, block.len(), buffer, spare)?)),
                }
            })
        })
    }

    /// `len` bytes from an offset, whose chunks are checked.
    #[inline]
    fn read<'a>(
        &'a self,
        offset: u64,
        len: usize,
        buffer: &'a mut Vec<u8>,
        spare: &mut Vec<u8>,
    ) -> Result<&'a [u8], Problem> {
        Ok(&self.read_on(offset, len, buffer, spare)?[..len])
    }

    /// `len` bytes from an offset, and those after them that are checked anyway.
    #[inline]
    fn read_on<'a>(
        &'a self,
        offset: u64,
        len: usize,
        buffer: &'a mut Vec<u8>,
        spare: &mut Vec<u8>,
    ) -> Result<&'a [u8], Problem> {
        #[cfg(feature = "mmap")]
        if self.bytes.may_change() {
            return self.guard.read_compared(&self.bytes, &self.sections, offset..offset + len as u64, buffer, spare);
        }
        self.guard.check(&self.bytes, &self.sections, offset..offset + len as u64, spare)?;
        self.bytes.read(offset, len, buffer).map_err(Problem::reading)
    }

    /// Calls `read` with the bytes of a group of blocks, which exists.
    #[inline]
    pub(super) fn with_group<T>(
        &self,
        side: Color,
        group: u64,
        read: impl FnOnce(&[u8]) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        BUFFERS.with_borrow_mut(|(buffer, spare)| {
            self.unless_changed(|| {
                let range = self.range(side, group, buffer, spare)?;
                let start = self.sections.blocks[side].start + range.start;
                read(self.read(start, (range.end - range.start) as usize, buffer, spare)?)
            })
        })
    }

    /// Calls `read`, which reads bytes of the file, and returns its result. If the file changed meanwhile, the error of
    /// a checksum is not that of a damaged file, and says that the file changed.
    #[inline]
    pub(super) fn unless_changed<T>(&self, read: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
        let found = read();
        // Bytes that may change were compared when they were read.
        if found.is_err() && !self.bytes.is_unchanged().map_err(Problem::reading)? {
            Err(Problem::Changed)
        } else {
            found
        }
    }

    /// The place of a group within the side's blocks.
    pub(super) fn group_range(&self, side: Color, group: u64) -> Result<Range<u64>, Problem> {
        BUFFERS.with_borrow_mut(|(buffer, spare)| self.range(side, group, buffer, spare))
    }

    /// The offsets of a group, if their part of the index was read.
    #[inline]
    fn known_entry(&self, side: Color, group: u64) -> Option<&[u8]> {
        entry(self.indexes[side].get((group / PART_GROUPS) as usize)?.get()?, group % PART_GROUPS)
    }

    /// The place of a group's offset in the file.
    #[inline]
    fn index_entry(&self, side: Color, group: u64) -> u64 {
        self.sections.indexes[side].start + group * OFFSET_BYTES as u64
    }

    #[inline]
    fn range(&self, side: Color, group: u64, buffer: &mut Vec<u8>, spare: &mut Vec<u8>) -> Result<Range<u64>, Problem> {
        let part = self.indexes[side].get((group / PART_GROUPS) as usize);
        let offsets = match (self.known_entry(side, group), part) {
            (Some(offsets), _) => offsets,
            (None, Some(part)) => {
                let first = group / PART_GROUPS * PART_GROUPS;
                let (start, after) = (self.index_entry(side, first), self.index_entry(side, first + PART_GROUPS + 1));
                let end = after.min(self.sections.indexes[side].end);
                let read = self.read(start, (end - start) as usize, buffer, spare)?.to_vec();
                entry(part.get_or_init(|| read), group - first)
                    .ok_or_else(|| Problem::reading(io::ErrorKind::UnexpectedEof.into()))?
            }
            _ => self.read(self.index_entry(side, group), 2 * OFFSET_BYTES, buffer, spare)?,
        };
        let blocks = &self.sections.blocks[side];
        let len = blocks.end - blocks.start;
        group::range(offsets, len).map_err(|found| group::no_range(&found, side, group, len))
    }
}

/// The offsets of a group and of the next in an index.
#[inline]
fn entry(index: &[u8], group: u64) -> Option<&[u8]> {
    let start = usize::try_from(group).ok()?.checked_mul(OFFSET_BYTES)?;
    index.get(start..start + 2 * OFFSET_BYTES)
}
