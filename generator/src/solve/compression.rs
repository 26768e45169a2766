//! Compression of working data.

use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};

/// The settings of zstd for working data.
#[derive(Clone, Copy)]
enum Pace {
    /// Its lowest positive level, which makes working data two to three times shorter.
    Usual,
    /// Without entropy codes: of short data, it takes longer to make the codes than to use them.
    Short,
}

/// The bytes from which data is not short.
const SHORT: usize = 16 << 10;

thread_local! {
    /// Making a context takes longer than compressing most blobs. By pace.
    static COMPRESSORS: RefCell<[Option<Compressor<'static>>; 2]> = const { RefCell::new([None, None]) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

impl Pace {
    /// zstd's level.
    const fn level(self) -> i32 {
        match self {
            Pace::Usual => 1,
            Pace::Short => -5,
        }
    }
}

/// Compresses some bytes.
pub(super) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let pace = if bytes.len() < SHORT { Pace::Short } else { Pace::Usual };
    COMPRESSORS.with_borrow_mut(|slots| {
        let compressor = match &mut slots[pace as usize] {
            Some(compressor) => compressor,
            slot => slot.insert(Compressor::new(pace.level())?),
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
