//! Working data of a solve: in memory up to a limit, beyond it in a file whose room is used again.

use std::io;
use std::path::Path;
use std::sync::Mutex;

use makruk_format::FormatError;
use makruk_format::lock;

use crate::allowance::Allowance;

use super::working_file::{BlobPlace, WorkingFile};

/// A store of blobs. Each is read back by the place that writing returned.
#[derive(Debug)]
pub(crate) struct WorkStore {
    memory: Allowance,
    /// The file for the others; without one, all blobs stay in memory.
    file: Option<(WorkingFile, Mutex<FileRoom>)>,
    /// Whether blobs in the file are compressed.
    compresses: bool,
}

/// The place of a blob in its store.
#[derive(Debug)]
pub(crate) enum Blob {
    /// In memory.
    Memory(Box<[u8]>),
    /// In the file.
    File(BlobPlace),
}

/// The bytes that a blob in memory takes besides its content: its entry in a list, and the allocator's header.
const BLOB_OVERHEAD: u64 = size_of::<Blob>() as u64 + 16;

impl WorkStore {
    /// A store without limit in memory.
    pub(crate) fn in_memory() -> WorkStore {
        WorkStore { memory: Allowance::new(u64::MAX), file: None, compresses: false }
    }

    /// A store of `memory` bytes in memory; further blobs go to a file in this folder, compressed unless they are coded
    /// so well that it would not pay. The room of a blob that is given up serves one of as many units of `unit` bytes.
    ///
    /// # Errors
    ///
    /// The file cannot be created.
    pub(crate) fn in_folder(
        folder: &Path,
        memory: u64,
        unit: usize,
        compresses: bool,
    ) -> Result<WorkStore, FormatError> {
        let room = FileRoom { unit, end: 0, free: Vec::new() };
        let file = Some((WorkingFile::create(folder)?, Mutex::new(room)));
        Ok(WorkStore { memory: Allowance::new(memory), file, compresses })
    }

    /// Keeps a blob. Any thread may do so.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn keep(&self, bytes: impl AsRef<[u8]> + Into<Box<[u8]>>) -> Result<Blob, FormatError> {
        let len = bytes.as_ref().len() as u64;
        match &self.file {
            Some((file, room)) if !self.memory.take(len + BLOB_OVERHEAD) => {
                file.write_blob(bytes.as_ref(), self.compresses, |stored| lock(room).take(stored)).map(Blob::File)
            }
            _ => Ok(Blob::Memory(bytes.into())),
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
            (&Blob::File(place), Some((file, _))) => {
                file.read_blob(place, buffer)?;
                Ok(buffer)
            }
            (Blob::File(_), None) => unreachable!("a blob is read from the store that keeps it"),
        }
    }

    /// The error of a blob in the file that makes no sense.
    pub(super) fn cannot_read(&self, error: io::Error) -> FormatError {
        let (file, _) = self.file.as_ref().expect("a store without a file reads what it was given");
        file.cannot_read(error)
    }

    /// Gives up a blob of this store.
    pub(super) fn release(&self, blob: Blob) {
        match (blob, &self.file) {
            (Blob::Memory(bytes), Some(_)) => self.memory.give_back(bytes.len() as u64 + BLOB_OVERHEAD),
            (Blob::File(BlobPlace { offset, stored, .. }), Some((_, room))) => {
                lock(room).give_back(stored as usize, offset);
            }
            (_, None) => {}
        }
    }
}

/// The room of a file.
#[derive(Debug)]
struct FileRoom {
    /// The bytes of a unit.
    unit: usize,
    /// The units that were ever used.
    end: u64,
    /// By the number of units: the first units of places that are free.
    free: Vec<Vec<u64>>,
}

impl FileRoom {
    /// The offset of a place for some bytes.
    fn take(&mut self, bytes: usize) -> u64 {
        let units = bytes.div_ceil(self.unit);
        let first = self.free.get_mut(units).and_then(Vec::pop).unwrap_or_else(|| {
            let end = self.end;
            self.end += units as u64;
            end
        });
        first * self.unit as u64
    }

    fn give_back(&mut self, bytes: usize, offset: u64) {
        let units = bytes.div_ceil(self.unit);
        if self.free.len() <= units {
            self.free.resize_with(units + 1, Vec::new);
        }
        self.free[units].push(offset / self.unit as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_reads_back_and_room_is_used_again() {
        let folder = tempfile::tempdir().unwrap();
        for compresses in [false, true] {
            let store = WorkStore::in_folder(folder.path(), 5000, 1 << 10, compresses).unwrap();
            let mut rng = fastrand::Rng::with_seed(3);
            let mut kept: Vec<(Vec<u8>, Blob)> = Vec::new();
            let mut in_file = 0;
            for _ in 0..2000 {
                if kept.len() == 20 {
                    let (bytes, blob) = kept.swap_remove(rng.usize(..20));
                    assert_eq!(store.read(&blob, &mut Vec::new()).unwrap(), bytes);
                    store.release(blob);
                }
                let bytes: Vec<u8> = (0..rng.usize(1..6000)).map(|_| rng.u8(..)).collect();
                let blob = store.keep(bytes.as_slice()).unwrap();
                in_file += usize::from(matches!(blob, Blob::File(_)));
                kept.push((bytes, blob));
            }
            assert!(in_file > 500);
            // Twenty places at most are in use: of each of six lengths no more were ever made.
            assert!(lock(&store.file.as_ref().unwrap().1).end <= 20 * (1 + 2 + 3 + 4 + 5 + 6));
            kept.into_iter().for_each(|(_, blob)| store.release(blob));
            assert_eq!(store.memory.left(), 5000);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a working file has no name");
    }
}
