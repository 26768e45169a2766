//! The part of a table that has arrived.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use makruk_format::{FormatError, TableFolder, TableId, publish};
use sha2::{Digest, Sha256};

use crate::manifest::hashed;
use crate::unfinished::part_of;

/// The bytes of a table that have arrived, under a name that no reader takes for a table's. A later run continues after
/// them. An advisory lock keeps other processes away.
#[derive(Debug)]
pub(super) struct Partial {
    path: PathBuf,
    file: File,
    bytes: u64,
    hash: Sha256,
}

impl Partial {
    /// Opens what an earlier run left, or begins anew. Bytes beyond the length of the table are dropped with the rest.
    /// `None` if another process has it.
    pub(super) fn open(folder: &TableFolder, id: TableId, length: u64) -> Result<Option<Partial>, FormatError> {
        let path = part_of(folder.path(), id);
        let step = |error| FormatError::io("open the part of a table", &path, error);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(step)?;
        match file.try_lock() {
            // The process that had the lock may have published or removed the file.
            Ok(()) if !path.exists() => return Ok(None),
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let (bytes, hash) = hashed(&file).map_err(|error| FormatError::io("read the file", &path, error))?;
        let mut partial = Partial { path, file, bytes, hash };
        if partial.bytes > length {
            partial.restart()?;
        }
        Ok(Some(partial))
    }

    /// The number of bytes that are here.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), FormatError> {
        self.file.write_all(bytes).map_err(|error| self.error("write the file", error))?;
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Drops all bytes; returns their number.
    pub(super) fn restart(&mut self) -> Result<u64, FormatError> {
        self.file.set_len(0).and_then(|()| self.file.rewind()).map_err(|error| self.error("write the file", error))?;
        self.hash = Sha256::new();
        Ok(std::mem::take(&mut self.bytes))
    }

    /// The first bytes, 512 at most.
    pub(super) fn start(&mut self) -> Result<Vec<u8>, FormatError> {
        let mut start = Vec::new();
        let read = self.file.rewind().and_then(|()| (&self.file).take(512).read_to_end(&mut start));
        let read = read.and_then(|_| self.file.seek(SeekFrom::End(0)));
        read.map_err(|error| self.error("read the file", error))?;
        Ok(start)
    }

    /// The SHA-256 of the bytes.
    pub(super) fn sha256(&self) -> [u8; 32] {
        self.hash.clone().finalize().into()
    }

    /// Gives the file the name of its table.
    pub(super) fn publish(self, target: &Path) -> Result<(), FormatError> {
        self.file.sync_all().map_err(|error| self.error("sync the file", error))?;
        let Partial { path, file, .. } = self;
        drop(file);
        publish(&path, target)
    }

    /// Closes the file, and removes it if it has no bytes.
    pub(super) fn close(self) {
        if self.bytes == 0 {
            // An empty file that stays harms nobody.
            let _ = fs::remove_file(&self.path);
        }
    }

    fn error(&self, doing: &'static str, error: io::Error) -> FormatError {
        FormatError::io(doing, &self.path, error)
    }
}
