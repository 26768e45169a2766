//! The sections of a file.

use std::ops::Range;

use super::group::OFFSET_BYTES;
use super::listed::Listed;
use super::side_layout::SideLayout;
use super::values::{ENTRY_BYTES, ValueList};
use crate::value::Metric;
use makruk_rules::ByColor;

/// Bytes of the header before the value lists.
pub(super) const FIXED_HEADER_BYTES: usize = 188;
/// Bytes of a checksum.
pub(super) const CRC_BYTES: usize = 4;

/// A checksum of the list covers 2 to this power bytes. A search must not wait for a checksum of many bytes.
pub(super) const fn chunk_bits(metric: Metric) -> u32 {
    match metric {
        Metric::Dtm | Metric::Dtz => 16,
        Metric::Category => 12,
    }
}

/// Bytes that one checksum of the list covers.
pub(super) const fn chunk_bytes(metric: Metric) -> u64 {
    1 << chunk_bits(metric)
}

/// Bytes of the header.
pub(super) fn header_len<V: Listed>(values: &ByColor<ValueList<V>>) -> usize {
    FIXED_HEADER_BYTES + (values.white.len() + values.black.len()) * ENTRY_BYTES + CRC_BYTES
}

/// The ranges of the sections after the header, end to end, in bytes from the file's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sections {
    pub(super) models: ByColor<Range<u64>>,
    pub(super) blocks: ByColor<Range<u64>>,
    pub(super) indexes: ByColor<Range<u64>>,
    /// A checksum for each chunk of the sections before.
    pub(super) checksums: Range<u64>,
    /// Bytes of a chunk.
    pub(super) chunk_bytes: u64,
    /// The file's length.
    pub(super) end: u64,
}

impl Sections {
    /// The sections after a header of `body` bytes, with this number of groups a side and of bytes a chunk. The sums of
    /// lengths cannot overflow: each length is below 2^48.
    pub(super) fn new(body: u64, sides: &ByColor<SideLayout>, groups: ByColor<u64>, chunk_bytes: u64) -> Sections {
        let mut at = body;
        let mut next = |len: u64| {
            at += len;
            at - len..at
        };
        let models = ByColor::from_fn(|side| next(u64::from(sides[side].model_len)));
        let blocks = ByColor::from_fn(|side| next(sides[side].blocks_len));
        // The start of each group, and the end of the last.
        let indexes = ByColor::from_fn(|side| match groups[side] {
            0 => next(0),
            groups => next((groups + 1) * OFFSET_BYTES as u64),
        });
        let chunks = (indexes.black.end - body).div_ceil(chunk_bytes);
        let checksums = next(CRC_BYTES as u64 * chunks);
        let end = checksums.end;
        Sections { models, blocks, indexes, checksums, chunk_bytes, end }
    }

    /// The start of the bytes that the checksums cover.
    pub(super) fn body(&self) -> u64 {
        self.models.white.start
    }

    /// The name of the section that contains an offset.
    pub(super) fn name(&self, offset: u64) -> &'static str {
        let sections = [
            (&self.models.white, "White's model"),
            (&self.models.black, "Black's model"),
            (&self.blocks.white, "White's blocks"),
            (&self.blocks.black, "Black's blocks"),
            (&self.indexes.white, "White's index"),
            (&self.indexes.black, "Black's index"),
        ];
        sections.into_iter().find(|(section, _)| section.contains(&offset)).map_or("checksums", |(_, name)| name)
    }
}
