//! Working data of a solve, in memory and in a file.
//!
//! Blobs are written once and read back by the place that writing returned.

use std::path::Path;

use makruk_tables::format::FormatError;

use super::allowance::Allowance;
use super::working_file::{PackedPlace, WorkingFile};

/// A store of blobs: in memory up to a limit, beyond it in a file.
#[derive(Debug)]
pub(crate) struct SpillStore {
    memory: Allowance,
    /// The file for the others; without one, all blobs stay in memory.
    file: Option<WorkingFile>,
}

/// The bytes that a blob in memory takes besides its content: its entry in a list, and the allocator's header.
const BLOB_OVERHEAD: u64 = size_of::<Blob>() as u64 + 16;

/// A blob's place in its store.
#[derive(Debug)]
pub(crate) enum Blob {
    /// In memory.
    Memory(Box<[u8]>),
    /// In the file, compressed.
    File(PackedPlace),
}

impl SpillStore {
    /// A store without limit in memory.
    pub(crate) fn in_memory() -> SpillStore {
        SpillStore { memory: Allowance::new(0), file: None }
    }

    /// A store of `memory` bytes in memory; further blobs go to a file in this folder.
    ///
    /// # Errors
    ///
    /// The file cannot be created.
    pub(crate) fn in_folder(folder: &Path, memory: u64) -> Result<SpillStore, FormatError> {
        Ok(SpillStore { memory: Allowance::new(memory), file: Some(WorkingFile::create(folder)?) })
    }

    /// Appends a blob. Any thread may do so.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn append(&self, bytes: Vec<u8>) -> Result<Blob, FormatError> {
        match &self.file {
            Some(file) if !self.memory.take(bytes.len() as u64 + BLOB_OVERHEAD) => {
                file.append_packed(&bytes).map(Blob::File)
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
            (&Blob::File(place), Some(file)) => {
                *buffer = file.read_packed(place)?;
                Ok(buffer)
            }
            (Blob::File(_), None) => unreachable!("a blob is read from the store that it was appended to"),
        }
    }
}
