//! Files of the guide that are read as a whole: compressed, with a checksum.

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use thiserror::Error;

/// The first bytes: the kind of file, and its version.
const MAGIC: [u8; 8] = *b"\x89MKG\r\n\x1a\x01";
/// Bytes before the compressed ones: the magic, the length and the checksum of the bytes that were compressed.
const START: usize = MAGIC.len() + 8;
/// The most bytes that a file is unpacked to. The largest has some 60,000.
const MOST: usize = 1 << 24;

/// A file of the guide that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackedError {
    /// The bytes are not such a file.
    #[error("it is not a file of a guide, or has another version")]
    Foreign,
    /// The bytes are not those that were written.
    #[error("its bytes differ from those that were written")]
    Damaged,
}

#[cfg(feature = "publish")]
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(&crc32c::crc32c(bytes).to_le_bytes());
    out.extend_from_slice(&miniz_oxide::deflate::compress_to_vec(bytes, 10));
    out
}

pub(crate) fn unpack(file: &[u8]) -> Result<Vec<u8>, PackedError> {
    let (start, packed) = file.split_at_checked(START).ok_or(PackedError::Foreign)?;
    let (magic, numbers) = start.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(PackedError::Foreign);
    }
    let number = |at: usize| u32::from_le_bytes([numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]]);
    let bytes = decompress_to_vec_with_limit(packed, MOST).map_err(|_| PackedError::Damaged)?;
    if bytes.len() != number(0) as usize || crc32c::crc32c(&bytes) != number(4) {
        return Err(PackedError::Damaged);
    }
    Ok(bytes)
}

#[cfg(all(test, feature = "publish"))]
mod tests {
    use super::*;

    #[test]
    fn no_changed_byte_gives_other_bytes() {
        let bytes: Vec<u8> = (0..2000u32).map(|n| ((n * n) >> 5) as u8).collect();
        let packed = pack(&bytes);
        assert_eq!(unpack(&packed).as_ref(), Ok(&bytes));
        for at in 0..packed.len() {
            let mut changed = packed.clone();
            changed[at] ^= 0x10;
            // Some bits before a stored block mean nothing.
            assert!(unpack(&changed).is_err() || unpack(&changed).as_ref() == Ok(&bytes), "byte {at}");
            assert!(unpack(&packed[..at]).is_err(), "{at} bytes");
        }
    }
}
