//! Room for what solving finds, in memory or in a file.
//!
//! Chunks are written once and read back by the place that writing gave them. The file has no name: it is gone with the
//! process, however that ends.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use makruk_tables::format::FormatError;

/// Chunks of bytes.
#[derive(Debug)]
pub(crate) enum Spool {
    /// For sets that fit: each chunk lies in its [`Chunk`].
    Memory,
    /// For sets that don't.
    File(FileSpool),
}

/// A file without a name.
#[derive(Debug)]
pub(crate) struct FileSpool {
    file: File,
    folder: std::path::PathBuf,
    end: Mutex<u64>,
}

/// A chunk that was put into a spool.
#[derive(Debug)]
pub(crate) enum Chunk {
    /// Its bytes.
    Memory(Box<[u8]>),
    /// Where in the file it begins, and its length in bytes.
    File(u64, u32),
}

impl Spool {
    /// Room in a file in this folder.
    pub(crate) fn in_folder(folder: &Path) -> Result<Spool, FormatError> {
        let file =
            tempfile::tempfile_in(folder).map_err(|error| FormatError::io("create a working file", folder, error))?;
        Ok(Spool::File(FileSpool { file, folder: folder.to_owned(), end: Mutex::new(0) }))
    }

    /// Puts a chunk away. Any thread may.
    pub(crate) fn put(&self, bytes: Vec<u8>) -> Result<Chunk, FormatError> {
        match self {
            Spool::Memory => Ok(Chunk::Memory(bytes.into_boxed_slice())),
            Spool::File(spool) => spool.put(&bytes),
        }
    }

    /// Reads a part of a chunk: `len` bytes from `start` on, in place or through `buffer`.
    pub(crate) fn read<'a>(
        &self,
        chunk: &'a Chunk,
        start: usize,
        len: usize,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], FormatError> {
        match (self, chunk) {
            (_, Chunk::Memory(bytes)) => Ok(&bytes[start..start + len]),
            (Spool::File(spool), &Chunk::File(offset, _)) => {
                buffer.resize(len, 0);
                spool
                    .file
                    .read_exact_at(buffer, offset + start as u64)
                    .map_err(|error| FormatError::io("read the working file", &spool.folder, error))?;
                Ok(buffer)
            }
            (Spool::Memory, Chunk::File(..)) => unreachable!("a chunk is read from the spool that it was put into"),
        }
    }

    /// Forgets all chunks; none may be read any more.
    pub(crate) fn clear(&self) -> Result<(), FormatError> {
        if let Spool::File(spool) = self {
            *spool.end.lock().unwrap_or_else(PoisonError::into_inner) = 0;
            spool.file.set_len(0).map_err(|error| FormatError::io("empty the working file", &spool.folder, error))?;
        }
        Ok(())
    }
}

impl Chunk {
    /// Its length in bytes.
    pub(crate) fn len(&self) -> usize {
        match self {
            Chunk::Memory(bytes) => bytes.len(),
            &Chunk::File(_, len) => len as usize,
        }
    }
}

impl FileSpool {
    fn put(&self, bytes: &[u8]) -> Result<Chunk, FormatError> {
        let len = u32::try_from(bytes.len()).expect("a slab's chunk is below 4 GiB");
        // One writer at a time keeps the file sequential, as disks like it.
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = *end;
        self.file
            .write_all_at(bytes, offset)
            .map_err(|error| FormatError::io("write the working file", &self.folder, error))?;
        *end += bytes.len() as u64;
        Ok(Chunk::File(offset, len))
    }
}
