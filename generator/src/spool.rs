//! Room for what solving finds, in memory and in a file.
//!
//! Chunks are written once and read back by the place that writing gave them. The file has no name: it is gone with the
//! process, however that ends.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use makruk_tables::format::{FormatError, working_file};
use zstd::bulk::{Compressor, Decompressor};

/// Chunks of bytes: in memory as long as there is room for them, then in a file.
#[derive(Debug)]
pub(crate) struct Spool {
    /// Bytes of memory that chunks may still take.
    room: AtomicU64,
    /// Where the others go; without one all are kept in memory.
    file: Option<FileSpool>,
}

/// What a chunk in memory takes besides its bytes: its place in a list, and the allocator's own.
const CHUNK_OVERHEAD: u64 = 48;

/// A file without a name.
#[derive(Debug)]
struct FileSpool {
    file: File,
    folder: std::path::PathBuf,
    end: Mutex<u64>,
}

/// A chunk that was put into a spool.
#[derive(Debug)]
pub(crate) enum Chunk {
    /// Its bytes.
    Memory(Box<[u8]>),
    /// Where in the file it is, compressed.
    File {
        /// Where it begins.
        offset: u64,
        /// Its length in the file, in bytes.
        stored: u32,
        /// Its own length, in bytes.
        len: u32,
    },
}

/// zstd's level for chunks in a file: the quickest, which already makes them a half to a third as long.
const LEVEL: i32 = 1;

thread_local! {
    /// Contexts take longer to make than most chunks to compress.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

impl Spool {
    /// Room in memory for whatever comes.
    pub(crate) fn in_memory() -> Spool {
        Spool { room: AtomicU64::new(0), file: None }
    }

    /// Room for so many bytes in memory, and for what comes after them in a file in this folder.
    pub(crate) fn in_folder(folder: &Path, memory: u64) -> Result<Spool, FormatError> {
        let file = FileSpool { file: working_file(folder)?, folder: folder.to_owned(), end: Mutex::new(0) };
        Ok(Spool { room: AtomicU64::new(memory), file: Some(file) })
    }

    /// Puts a chunk away. Any thread may.
    pub(crate) fn put(&self, bytes: Vec<u8>) -> Result<Chunk, FormatError> {
        let len = bytes.len() as u64 + CHUNK_OVERHEAD;
        let take = |room: u64| room.checked_sub(len);
        match &self.file {
            Some(file) if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() => {
                file.put(&bytes)
            }
            _ => Ok(Chunk::Memory(bytes.into_boxed_slice())),
        }
    }

    /// Reads a chunk, in place or through `buffer`.
    pub(crate) fn read<'a>(&self, chunk: &'a Chunk, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], FormatError> {
        match (chunk, &self.file) {
            (Chunk::Memory(bytes), _) => Ok(bytes),
            (&Chunk::File { offset, stored, len }, Some(spool)) => {
                *buffer = spool
                    .read(offset, stored as usize, len as usize)
                    .map_err(|error| FormatError::io("read the working file", &spool.folder, error))?;
                Ok(buffer)
            }
            (Chunk::File { .. }, None) => unreachable!("a chunk is read from the spool that it was put into"),
        }
    }
}

impl FileSpool {
    fn put(&self, bytes: &[u8]) -> Result<Chunk, FormatError> {
        let failed = |error| FormatError::io("write the working file", &self.folder, error);
        let packed = COMPRESSOR.with_borrow_mut(|slot| {
            let compressor = match slot {
                Some(compressor) => compressor,
                None => slot.insert(Compressor::new(LEVEL)?),
            };
            compressor.compress(bytes)
        });
        let packed = packed.map_err(failed)?;
        let short = |len: usize| u32::try_from(len).expect("a slab's chunk is below 4 GiB");
        // One writer at a time keeps the file sequential, as disks like it.
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = *end;
        self.file.write_all_at(&packed, offset).map_err(failed)?;
        *end += packed.len() as u64;
        Ok(Chunk::File { offset, stored: short(packed.len()), len: short(bytes.len()) })
    }

    fn read(&self, offset: u64, stored: usize, len: usize) -> io::Result<Vec<u8>> {
        let mut packed = vec![0; stored];
        self.file.read_exact_at(&mut packed, offset)?;
        DECOMPRESSOR.with_borrow_mut(|slot| {
            let decompressor = match slot {
                Some(decompressor) => decompressor,
                None => slot.insert(Decompressor::new()?),
            };
            decompressor.decompress(&packed, len)
        })
    }
}
