//! Compression of working data.

use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};

/// zstd's level. Most working data is coded already, or it is short: below zero there are no entropy codes, which would
/// take more time than they save.
const LEVEL: i32 = -5;

thread_local! {
    /// Making a context takes longer than compressing most blobs.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Compresses some bytes.
pub(super) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = match slot {
            Some(compressor) => compressor,
            slot => slot.insert(Compressor::new(LEVEL)?),
        };
        compressor.compress(bytes)
    })
}

/// The most bytes that `bytes` bytes are compressed to.
pub(super) fn most_compressed(bytes: usize) -> usize {
    zstd::zstd_safe::compress_bound(bytes)
}

/// Decompresses to at most `most` bytes.
pub(super) fn decompress(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(Decompressor::new()?),
        };
        decompressor.decompress(packed, most)
    })
}
