//! Working data of a solve, in memory and in a file.
//!
//! Blobs are written once and read back by the place that writing returned. The file has no name: it is gone with the
//! process, however that ends.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use makruk_tables::format::FormatError;
use zstd::bulk::{Compressor, Decompressor};

use crate::lock::lock;

/// A store of blobs: in memory up to a limit, beyond it in a file.
#[derive(Debug)]
pub(crate) struct SpillStore {
    /// Bytes that further blobs may take in memory.
    memory_left: AtomicU64,
    /// The file for the others; without one, all blobs stay in memory.
    file: Option<SpillFile>,
}

/// The bytes that a blob in memory takes besides its content: its entry in a list, and the allocator's header.
const BLOB_OVERHEAD: u64 = size_of::<Blob>() as u64 + 16;

/// A file without a name.
#[derive(Debug)]
struct SpillFile {
    file: Mutex<File>,
    /// The folder that it lies in, for messages.
    folder: PathBuf,
}

/// A blob's place in its store.
#[derive(Debug)]
pub(crate) enum Blob {
    /// In memory.
    Memory(Box<[u8]>),
    /// In the file, compressed.
    File {
        /// Its offset in the file.
        offset: u64,
        /// Its compressed length in bytes.
        stored: u32,
        /// Its length in bytes.
        len: u32,
    },
}

/// zstd's level for blobs in a file: the quickest, which already makes them two to three times shorter.
const LEVEL: i32 = 1;

thread_local! {
    /// Making a context takes longer than compressing most blobs.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

impl SpillStore {
    /// A store without limit in memory.
    pub(crate) fn in_memory() -> SpillStore {
        SpillStore { memory_left: AtomicU64::new(0), file: None }
    }

    /// A store of so many bytes in memory; further blobs go to a file in this folder.
    ///
    /// # Errors
    ///
    /// The file cannot be created.
    pub(crate) fn in_folder(folder: &Path, memory: u64) -> Result<SpillStore, FormatError> {
        let file = tempfile::tempfile_in(folder);
        let file = file.map_err(|error| FormatError::io("create a working file", folder, error))?;
        let file = SpillFile { file: Mutex::new(file), folder: folder.to_owned() };
        Ok(SpillStore { memory_left: AtomicU64::new(memory), file: Some(file) })
    }

    /// Appends a blob. Any thread may do so.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn append(&self, bytes: Vec<u8>) -> Result<Blob, FormatError> {
        let len = bytes.len() as u64 + BLOB_OVERHEAD;
        let take = |left: u64| left.checked_sub(len);
        match &self.file {
            Some(file) if self.memory_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() => {
                file.append(&bytes).map_err(|error| FormatError::io("write the working file", &file.folder, error))
            }
            _ => Ok(Blob::Memory(bytes.into_boxed_slice())),
        }
    }

    /// Reads a blob of this store, in place or through `buffer`.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(crate) fn read<'a>(&self, blob: &'a Blob, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], FormatError> {
        match (blob, &self.file) {
            (Blob::Memory(bytes), _) => Ok(bytes),
            (&Blob::File { offset, stored, len }, Some(file)) => {
                *buffer = file
                    .read(offset, stored as usize, len as usize)
                    .map_err(|error| FormatError::io("read the working file", &file.folder, error))?;
                Ok(buffer)
            }
            (Blob::File { .. }, None) => unreachable!("a blob is read from the store that it was appended to"),
        }
    }
}

impl SpillFile {
    fn append(&self, bytes: &[u8]) -> io::Result<Blob> {
        let packed = COMPRESSOR.with_borrow_mut(|slot| {
            let compressor = match slot {
                Some(compressor) => compressor,
                None => slot.insert(Compressor::new(LEVEL)?),
            };
            compressor.compress(bytes)
        })?;
        let short = |len: usize| u32::try_from(len).map_err(|_| io::ErrorKind::FileTooLarge);
        let (stored, len) = (short(packed.len())?, short(bytes.len())?);
        // One writer at a time keeps the file sequential, which suits disks.
        let mut file = lock(&self.file);
        let offset = file.seek(SeekFrom::End(0))?;
        file.write_all(&packed)?;
        Ok(Blob::File { offset, stored, len })
    }

    fn read(&self, offset: u64, stored: usize, len: usize) -> io::Result<Vec<u8>> {
        let mut packed = vec![0; stored];
        {
            let mut file = lock(&self.file);
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(&mut packed)?;
        }
        DECOMPRESSOR.with_borrow_mut(|slot| {
            let decompressor = match slot {
                Some(decompressor) => decompressor,
                None => slot.insert(Decompressor::new()?),
            };
            decompressor.decompress(&packed, len)
        })
    }
}
