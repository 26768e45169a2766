//! Blocks: runs of codes, compressed one by one.

use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};

use super::values::CodeWidth;

/// Positions per block unless there is reason for another size: 32 KiB of one-byte codes.
pub const DEFAULT_BLOCK_LEN: u32 = 1 << 15;

/// The most positions per block. It bounds what a reader allocates for a block: 2 MiB.
pub const MAX_BLOCK_LEN: u32 = 1 << 20;

/// The codes of a block, as wide as the side's value list needs them.
#[derive(Clone, Copy, Debug)]
pub enum Codes<'a> {
    /// For 2 to 256 values.
    One(&'a [u8]),
    /// For 257 to 65,536 values.
    Two(&'a [u16]),
}

/// A compressed block, ready to be pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedBlock {
    pub(super) width: CodeWidth,
    pub(super) positions: u64,
    pub(super) crc: u32,
    pub(super) bytes: Vec<u8>,
}

impl EncodedBlock {
    /// Compresses the codes of one block at a zstd level (1 to 22). A pure function, for any thread: the same codes, level
    /// and version of zstd give the same bytes. Nothing that matters is kept from block to block for that reason.
    ///
    /// # Panics
    ///
    /// Like any allocation, if there is no memory left.
    pub fn encode(codes: Codes<'_>, level: i32) -> EncodedBlock {
        let wide: Vec<u8>;
        let (width, positions, raw) = match codes {
            Codes::One(codes) => (CodeWidth::One, codes.len(), codes),
            Codes::Two(codes) => {
                wide = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
                (CodeWidth::Two, codes.len(), wide.as_slice())
            }
        };
        // The buffer is as large as zstd's bound for this input and the level is clamped by zstd: memory is all that is left.
        let bytes = COMPRESSOR.with_borrow_mut(|slot| {
            let (_, compressor) = match slot {
                Some(kept) if kept.0 == level => kept,
                _ => slot.insert((level, Compressor::new(level).expect("memory for a zstd context"))),
            };
            compressor.compress(raw).expect("memory for a zstd context")
        });
        EncodedBlock { width, positions: positions as u64, crc: crc32c::crc32c(&bytes), bytes }
    }

    /// The compressed length in bytes.
    #[allow(clippy::len_without_is_empty)] // a frame has a header even if it holds nothing
    pub fn len(&self) -> usize {
        self.bytes.len()
    }
}

thread_local! {
    /// A context, with its level, is half a megabyte and longer to make than a block to compress. It begins every frame
    /// afresh, so that a block's bytes do not depend on the blocks before it.
    static COMPRESSOR: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };

    /// A context takes 150 KiB and longer to make than a block to decode.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Decodes a block into `out`, which holds exactly `expected` bytes afterwards, or says how many there were instead.
pub(super) fn decode(block: &[u8], expected: usize, out: &mut Vec<u8>) -> io::Result<Result<(), usize>> {
    out.clear();
    // zstd writes no further than the capacity, so a block that would decode to more is an error, not an allocation.
    out.reserve(expected);
    let found = DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(Decompressor::new()?),
        };
        decompressor.decompress_to_buffer(block, out)
    })?;
    Ok(if found == expected { Ok(()) } else { Err(found) })
}
