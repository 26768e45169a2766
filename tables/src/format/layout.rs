//! Where the parts of a file lie.

use std::ops::Range;

use super::group::{GROUP_BLOCKS, OFFSET_BYTES};
use super::header::Header;
use super::spec::Storage;
use crate::index::{Layout, Stripes};
use crate::rules::{ByColor, Color};

/// Bytes that one checksum of the list covers.
pub(super) const CHUNK_BYTES: u64 = 1 << 16;
/// The parts behind the header, end to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sections {
    pub(super) models: ByColor<Range<u64>>,
    pub(super) blocks: ByColor<Range<u64>>,
    pub(super) indexes: ByColor<Range<u64>>,
    /// A checksum for each [`CHUNK_BYTES`] of the parts before.
    pub(super) checksums: Range<u64>,
    /// The file's length.
    pub(super) end: u64,
}

impl Sections {
    /// The parts that a header describes. Sums of lengths don't overflow: each is below 2^48.
    pub(super) fn of(header: &Header) -> Sections {
        let spec = header.spec();
        let body = spec.header_len() as u64;
        let mut at = body;
        let mut next = |len: u64| {
            at += len;
            at - len..at
        };
        let models = ByColor::from_fn(|side| next(u64::from(header.side(side).model_len)));
        let blocks = ByColor::from_fn(|side| next(header.side(side).blocks_len));
        let indexes = ByColor::from_fn(|side| {
            // Where each group begins, and where the last ends.
            let groups = block_count(header, side).div_ceil(GROUP_BLOCKS as u64);
            next(if groups == 0 { 0 } else { (groups + 1) * OFFSET_BYTES as u64 })
        });
        let chunks = (indexes.black.end - body).div_ceil(CHUNK_BYTES);
        let checksums = next(4 * chunks);
        let end = checksums.end;
        Sections { models, blocks, indexes, checksums, end }
    }

    /// Where the part that the checksums cover begins.
    pub(super) fn body(&self) -> u64 {
        self.models.white.start
    }

    /// The name of the part that holds an offset.
    pub(super) fn name(&self, offset: u64) -> &'static str {
        let parts = [
            (&self.models.white, "White's model"),
            (&self.models.black, "Black's model"),
            (&self.blocks.white, "White's blocks"),
            (&self.blocks.black, "Black's blocks"),
            (&self.indexes.white, "White's index"),
            (&self.indexes.black, "Black's index"),
        ];
        parts.into_iter().find(|(part, _)| part.contains(&offset)).map_or("checksums", |(_, name)| name)
    }
}

/// The blocks that a side has; 0 if it has none or the header's set is no set.
pub(super) fn block_count(header: &Header, side: Color) -> u64 {
    if header.spec().storage(side) != Storage::Blocks {
        return 0;
    }
    match boards(header, side) {
        Some(boards) => {
            header.spec().slabs * (boards.len() as u64).div_ceil(u64::from(header.side(side).block_stripes))
        }
        None => 0,
    }
}

/// The boards of a side; `None` if the set is none or has no such axis.
pub(super) fn boards(header: &Header, side: Color) -> Option<Stripes> {
    let material = header.spec().material.parse().ok()?;
    Stripes::new(Layout::new(material), usize::from(header.side(side).axis))
}
