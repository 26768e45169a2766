//! The checksums of a file's parts. Each is compared once; of bytes that may change, every read is compared with the
//! bytes whose checksum was.

use std::ops::Range;
#[cfg(feature = "mmap")]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::Problem;
#[cfg(feature = "mmap")]
use super::fingerprint::{PIECE_BYTES, fingerprint};
use super::sections::Sections;
use super::source::Source;

/// The list of checksums, and which of them were compared.
#[derive(Debug)]
pub(super) struct Guard {
    checksums: Vec<u32>,
    /// A bit for each chunk whose bytes were as they should be.
    verified: Vec<AtomicU64>,
    /// The fingerprints of the pieces of each chunk that was compared, if the bytes may change.
    #[cfg(feature = "mmap")]
    pieces: Vec<OnceLock<Box<[u32]>>>,
}

/// The chunks of a checksum each that hold these offsets.
#[inline]
fn chunks(sections: &Sections, range: &Range<u64>) -> Range<u64> {
    let body = sections.body();
    (range.start - body) / sections.chunk_bytes..(range.end - body).div_ceil(sections.chunk_bytes)
}

impl Guard {
    /// The guard of bytes that their source checks: every chunk counts as compared.
    pub(super) fn of_checked(sections: &Sections) -> Guard {
        let chunks = (sections.checksums.start - sections.body()).div_ceil(sections.chunk_bytes) as usize;
        Guard {
            checksums: Vec::new(),
            verified: (0..chunks.div_ceil(64)).map(|_| AtomicU64::new(u64::MAX)).collect(),
            #[cfg(feature = "mmap")]
            pieces: Vec::new(),
        }
    }

    /// Reads the list.
    pub(super) fn read<B: Source>(bytes: &B, sections: &Sections, crc: u32) -> Result<Guard, Problem> {
        let part = &sections.checksums;
        let mut buffer = Vec::new();
        let raw = bytes.read(part.start, (part.end - part.start) as usize, &mut buffer).map_err(Problem::reading)?;
        let found = crc32c::crc32c(raw);
        if found != crc {
            return Err(Problem::ListChecksum { offset: part.start, expected: crc, found });
        }
        let checksums: Vec<u32> =
            raw.chunks_exact(4).map(|raw| u32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]])).collect();
        let verified = (0..checksums.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        #[cfg(feature = "mmap")]
        let pieces = (0..if bytes.may_change() { checksums.len() } else { 0 }).map(|_| OnceLock::new()).collect();
        Ok(Guard {
            checksums,
            verified,
            #[cfg(feature = "mmap")]
            pieces,
        })
    }

    /// Checks the chunks that hold these offsets, unless they were verified before.
    #[inline]
    pub(super) fn check<B: Source>(
        &self,
        bytes: &B,
        sections: &Sections,
        range: Range<u64>,
        buffer: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        if range.is_empty() {
            return Ok(());
        }
        for chunk in chunks(sections, &range) {
            if !self.is_chunk_verified(chunk) {
                self.check_chunk(bytes, sections, chunk, buffer)?;
            }
        }
        Ok(())
    }

    /// Reads bytes that may change, and the rest of the last piece with them. They are those whose checksums were
    /// compared.
    #[cfg(feature = "mmap")]
    #[inline]
    pub(super) fn read_compared<'a, B: Source>(
        &self,
        bytes: &'a B,
        sections: &Sections,
        range: Range<u64>,
        buffer: &'a mut Vec<u8>,
        spare: &mut Vec<u8>,
    ) -> Result<&'a [u8], Problem> {
        let too_short = || Problem::reading(std::io::ErrorKind::UnexpectedEof.into());
        let (body, piece_bytes) = (sections.body(), PIECE_BYTES as u64);
        let first = (range.start - body) / piece_bytes;
        let start = body + first * piece_bytes;
        let end = (body + (range.end - body).next_multiple_of(piece_bytes)).min(sections.checksums.start);
        if range.end > end {
            return Err(too_short());
        }
        let copy = bytes.read(start, (end - start) as usize, buffer).map_err(Problem::reading)?;
        // Chunks have a power of two of bytes.
        let of_chunk = (sections.chunk_bytes / piece_bytes).trailing_zeros();
        for (number, piece) in (first..).zip(copy.chunks(PIECE_BYTES)) {
            let chunk = number >> of_chunk;
            let known = match self.pieces.get(chunk as usize).ok_or_else(too_short)?.get() {
                Some(known) => known,
                None => self.take_fingerprints(bytes, sections, chunk, spare)?,
            };
            if known.get((number - (chunk << of_chunk)) as usize) != Some(&fingerprint(piece)) {
                return Err(Problem::Changed);
            }
        }
        copy.get((range.start - start) as usize..).ok_or_else(too_short)
    }

    /// Compares a chunk's checksum, and takes the fingerprints of the same bytes.
    #[cfg(feature = "mmap")]
    #[cold]
    fn take_fingerprints<B: Source>(
        &self,
        bytes: &B,
        sections: &Sections,
        chunk: u64,
        buffer: &mut Vec<u8>,
    ) -> Result<&[u32], Problem> {
        let raw = self.check_chunk(bytes, sections, chunk, buffer)?;
        Ok(self.pieces[chunk as usize].get_or_init(|| raw.chunks(PIECE_BYTES).map(fingerprint).collect()))
    }

    /// Whether the chunks that hold these offsets were verified before.
    #[inline]
    pub(super) fn is_verified(&self, sections: &Sections, range: &Range<u64>) -> bool {
        chunks(sections, range).all(|chunk| self.is_chunk_verified(chunk))
    }

    /// Whether a chunk was verified before.
    #[inline]
    fn is_chunk_verified(&self, chunk: u64) -> bool {
        let known = self.verified.get((chunk / 64) as usize).map_or(0, |word| word.load(Ordering::Relaxed));
        known >> (chunk % 64) & 1 == 1
    }

    /// Compares a chunk's checksum; returns the bytes.
    #[cold]
    fn check_chunk<'a, B: Source>(
        &self,
        bytes: &'a B,
        sections: &Sections,
        chunk: u64,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Problem> {
        let start = sections.body() + chunk * sections.chunk_bytes;
        let end = sections.checksums.start.min(start + sections.chunk_bytes);
        // A page fault alone would have the system read around it, often much more than the chunk.
        bytes.advise(start, end.saturating_sub(start));
        let raw = bytes.read(start, end.saturating_sub(start) as usize, buffer).map_err(Problem::reading)?;
        let found = crc32c::crc32c(raw);
        let expected = self.checksums.get(chunk as usize).copied().unwrap_or(!found);
        if found != expected {
            return Err(Problem::ChunkChecksum { part: sections.name(start), offset: start, expected, found });
        }
        if let Some(word) = self.verified.get((chunk / 64) as usize) {
            word.fetch_or(1 << (chunk % 64), Ordering::Relaxed);
        }
        Ok(raw)
    }

    /// Checks all chunks, also those that were verified before.
    pub(super) fn check_all<B: Source>(&self, bytes: &B, sections: &Sections) -> Result<(), Problem> {
        let mut buffer = Vec::new();
        (0..self.checksums.len() as u64)
            .try_for_each(|chunk| self.check_chunk(bytes, sections, chunk, &mut buffer).map(drop))
    }
}
