//! The memory of planes: a map of huge pages from which sets take their words, and the store of planes that are packed.

use std::io;
use std::slice::ChunksMut;
use std::sync::Mutex;

use makruk_format::FormatError;
use makruk_format::lock;
use memmap2::MmapMut;

use super::plane_code::unpack;
use super::work_store::{Blob, WorkStore};

/// Room for the words of a number of planes.
#[derive(Debug)]
pub(crate) struct PlaneArena {
    map: MmapMut,
    plane_words: usize,
}

impl PlaneArena {
    /// Room for `planes` planes of `plane_words` words.
    ///
    /// # Errors
    ///
    /// The system has no memory for them.
    pub(crate) fn new(planes: usize, plane_words: usize) -> io::Result<PlaneArena> {
        let map = MmapMut::map_anon(planes * plane_words * size_of::<u64>())?;
        // Passes jump between slabs: with small pages the processor would look up each page again. Systems without huge
        // pages ignore the advice.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(PlaneArena { map, plane_words })
    }
}

/// The memory that the planes of some sets share.
#[derive(Debug)]
pub(crate) struct PlaneMemory<'m> {
    room: Mutex<FreePlanes<'m>>,
    /// The planes that passes over a group of slabs need at one time: packed planes leave room for them.
    needed: usize,
    /// The store of planes that no pass needs; without one, all stay in memory.
    store: Option<WorkStore>,
    /// The first failure to read a plane.
    failure: Mutex<Option<FormatError>>,
}

#[derive(Debug)]
struct FreePlanes<'m> {
    /// Words that were never used: zeros.
    fresh: ChunksMut<'m, u64>,
    /// Words that were given back.
    used: Vec<&'m mut [u64]>,
}

impl<'m> PlaneMemory<'m> {
    /// Without a store all planes stay in memory; the arena has room for them. Otherwise planes that no pass needs, and
    /// for which the arena has no room, wait in the store. A pass over a group of slabs needs up to `needed` planes at
    /// one time; the arena has room for these at least.
    pub(crate) fn new(arena: &'m mut PlaneArena, needed: usize, store: Option<WorkStore>) -> PlaneMemory<'m> {
        let words: &mut [u64] = bytemuck::cast_slice_mut(&mut arena.map);
        let room = FreePlanes { fresh: words.chunks_mut(arena.plane_words), used: Vec::new() };
        PlaneMemory { room: Mutex::new(room), needed, store, failure: Mutex::default() }
    }

    /// Whether all planes stay in memory.
    pub(super) fn is_whole(&self) -> bool {
        self.store.is_none()
    }

    /// Whether a pass over a group of slabs finds the room that it needs, if no more planes are packed.
    pub(super) fn has_room(&self) -> bool {
        let room = lock(&self.room);
        room.fresh.len() + room.used.len() >= self.needed
    }

    /// Words of a plane, all zero.
    pub(super) fn take(&self) -> &'m mut [u64] {
        let mut room = lock(&self.room);
        if let Some(words) = room.used.pop() {
            drop(room);
            words.fill(0);
            return words;
        }
        room.fresh.next().expect("the arena has room for all planes that are needed at one time")
    }

    /// Gives words back.
    pub(super) fn give_back(&self, words: &'m mut [u64]) {
        lock(&self.room).used.push(words);
    }

    /// Keeps a packed plane.
    ///
    /// # Errors
    ///
    /// The working file cannot be written.
    pub(super) fn keep(&self, packed: &[u8]) -> Result<Blob, FormatError> {
        self.store().keep(packed)
    }

    /// Unpacks a plane. [`PlaneMemory::check`] reports a failure.
    pub(super) fn unpack(&self, packed: &Blob, words: &mut [u64]) {
        let store = self.store();
        let mut buffer = Vec::new();
        let read = store
            .read(packed, &mut buffer)
            .and_then(|bytes| unpack(bytes, words).map_err(|error| store.cannot_read(error)));
        if let Err(error) = read {
            lock(&self.failure).get_or_insert(error);
        }
    }

    /// Gives up a packed plane.
    pub(super) fn release(&self, packed: Blob) {
        self.store().release(packed);
    }

    /// Whether all planes could be read since the last call.
    ///
    /// # Errors
    ///
    /// The first failure.
    pub(super) fn check(&self) -> Result<(), FormatError> {
        lock(&self.failure).take().map_or(Ok(()), Err)
    }

    fn store(&self) -> &WorkStore {
        self.store.as_ref().expect("planes are packed for a store")
    }
}
