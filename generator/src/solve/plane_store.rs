//! Packed planes: in memory up to a limit, beyond it compressed in a file whose room is used again.

use std::path::Path;
use std::sync::Mutex;

use makruk_tables::format::FormatError;

use super::allowance::Allowance;
use super::working_file::{PackedPlace, WorkingFile};
use crate::lock::lock;

/// The place of a packed plane in its store.
#[derive(Debug)]
pub(super) enum Place {
    /// In memory.
    Memory(Box<[u8]>),
    /// In the file, compressed once more.
    File(PackedPlace),
}

/// A store of packed planes.
#[derive(Debug)]
pub(super) struct PlaneStore {
    memory: Allowance,
    room: Mutex<Room>,
    file: WorkingFile,
}

/// The room of the file, in units.
#[derive(Debug, Default)]
struct Room {
    /// The units that were ever used.
    end: u64,
    /// By length: places that are free.
    free: Vec<Vec<u64>>,
}

/// The bytes of a unit of the file.
const UNIT: usize = 1 << 10;

/// The allocator gives a little more than it is asked for.
const OVERHEAD: u64 = 24;

impl PlaneStore {
    /// An empty store: `memory` bytes in memory, and a file in this folder.
    ///
    /// # Errors
    ///
    /// The file cannot be created.
    pub(super) fn in_folder(folder: &Path, memory: u64) -> Result<PlaneStore, FormatError> {
        let file = WorkingFile::create(folder)?;
        Ok(PlaneStore { memory: Allowance::new(memory), room: Mutex::default(), file })
    }

    /// Keeps some bytes.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn keep(&self, bytes: &[u8]) -> Result<Place, FormatError> {
        if self.memory.take(bytes.len() as u64 + OVERHEAD) {
            return Ok(Place::Memory(bytes.into()));
        }
        let room = |stored: usize| lock(&self.room).take(stored.div_ceil(UNIT)) * UNIT as u64;
        self.file.write_packed(bytes, room).map(Place::File)
    }

    /// Calls `read` with the bytes of a place.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or `read` fails.
    pub(super) fn read(
        &self,
        place: &Place,
        read: impl FnOnce(&[u8]) -> std::io::Result<()>,
    ) -> Result<(), FormatError> {
        let done = match place {
            Place::Memory(bytes) => read(bytes),
            &Place::File(place) => read(&self.file.read_packed(place)?),
        };
        done.map_err(|error| self.file.cannot_read(error))
    }

    /// Gives up a place.
    pub(super) fn release(&self, place: Place) {
        match place {
            Place::Memory(bytes) => self.memory.give_back(bytes.len() as u64 + OVERHEAD),
            Place::File(PackedPlace { offset, stored, .. }) => {
                lock(&self.room).give_back((stored as usize).div_ceil(UNIT), offset / UNIT as u64);
            }
        }
    }
}

impl Room {
    fn take(&mut self, units: usize) -> u64 {
        self.free.get_mut(units).and_then(Vec::pop).unwrap_or_else(|| {
            let place = self.end;
            self.end += units as u64;
            place
        })
    }

    fn give_back(&mut self, units: usize, place: u64) {
        if self.free.len() <= units {
            self.free.resize_with(units + 1, Vec::new);
        }
        self.free[units].push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_reads_back_and_room_is_used_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = PlaneStore::in_folder(folder.path(), 5000).unwrap();
        let mut rng = fastrand::Rng::with_seed(3);
        let mut kept: Vec<(Vec<u8>, Place)> = Vec::new();
        let mut in_file = 0;
        for _ in 0..2000 {
            if kept.len() == 20 {
                let (bytes, place) = kept.swap_remove(rng.usize(..20));
                let mut found = Vec::new();
                let copy = |read: &[u8]| {
                    found.extend_from_slice(read);
                    Ok(())
                };
                store.read(&place, copy).unwrap();
                assert_eq!(found, bytes);
                store.release(place);
            }
            let bytes: Vec<u8> = (0..rng.usize(1..6000)).map(|_| rng.u8(..)).collect();
            let place = store.keep(&bytes).unwrap();
            in_file += usize::from(matches!(place, Place::File(_)));
            kept.push((bytes, place));
        }
        assert!(in_file > 500);
        // Twenty places at most are in use: of each of six lengths no more were ever made.
        assert!(lock(&store.room).end <= 20 * (1 + 2 + 3 + 4 + 5 + 6));
        kept.into_iter().for_each(|(_, place)| store.release(place));
        assert_eq!(store.memory.left(), 5000);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "a working file has no name");
    }
}
