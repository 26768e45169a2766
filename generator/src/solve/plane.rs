//! A plane: 4,096 words of a slab, so that in rows of 64 words only the last outer man and the men within the rows
//! move.
//!
//! If there is no room for all planes, those that no pass needs are packed by their [code](super::plane_code), until
//! there is room for the others. A pass unpacks the planes that it touches.

use std::cell::RefCell;
use std::sync::OnceLock;

use makruk_format::FormatError;

use super::plane_code::pack;
use super::plane_memory::PlaneMemory;
use super::work_store::Blob;

/// The words of a plane; a slab with fewer words is one plane.
pub(super) const PLANE_WORDS: usize = 64 * 64;

/// A plane of a set, in one of three states.
#[derive(Debug, Default)]
pub(super) enum Plane<'m> {
    /// No position, and no memory.
    #[default]
    Empty,
    /// The words, ready to be read and written.
    Words(&'m mut [u64]),
    /// Packed, and the words while a pass reads them.
    Packed { packed: Blob, words: OnceLock<&'m mut [u64]> },
}

/// The words of an empty plane.
static NO_WORDS: [u64; PLANE_WORDS] = [0; PLANE_WORDS];

impl<'m> Plane<'m> {
    /// The words, to be read.
    #[inline(always)]
    pub(super) fn words(&self, memory: &PlaneMemory<'m>) -> &[u64] {
        match self {
            Plane::Words(words) => words,
            Plane::Packed { packed, words } => words.get_or_init(|| unpacked(packed, memory)),
            Plane::Empty => &NO_WORDS,
        }
    }

    /// The words, to be written. They are in memory until the plane is packed again.
    #[inline(always)]
    pub(super) fn words_mut(&mut self, memory: &PlaneMemory<'m>) -> &mut [u64] {
        if !matches!(self, Plane::Words(_)) {
            self.bring(memory);
        }
        let Plane::Words(words) = self else { unreachable!("the words were brought") };
        words
    }

    #[cold]
    fn bring(&mut self, memory: &PlaneMemory<'m>) {
        let words = match std::mem::take(self) {
            Plane::Words(words) => words,
            Plane::Empty => memory.take(),
            Plane::Packed { packed, words } => {
                let words = words.into_inner().unwrap_or_else(|| unpacked(&packed, memory));
                memory.release(packed);
                words
            }
        };
        *self = Plane::Words(words);
    }

    /// Gives up the memory and the content.
    pub(super) fn empty(&mut self, memory: &PlaneMemory<'m>) {
        match std::mem::take(self) {
            Plane::Words(words) => memory.give_back(words),
            Plane::Packed { packed, words } => {
                memory.release(packed);
                words.into_inner().into_iter().for_each(|words| memory.give_back(words));
            }
            Plane::Empty => {}
        }
    }

    /// The words of a packed plane that a pass has read stay if there is room for them, and are given up if not.
    pub(super) fn after_reading(&mut self, memory: &PlaneMemory<'m>) {
        if let Plane::Packed { words, .. } = self
            && words.get().is_some()
        {
            if memory.has_room() {
                self.bring(memory);
            } else {
                words.take().into_iter().for_each(|words| memory.give_back(words));
            }
        }
    }

    /// The words that a pass has written stay if there is room for them, and are packed if not. Some of the words that
    /// it has read may be given up, too.
    ///
    /// # Errors
    ///
    /// The working file cannot be written.
    pub(super) fn after_writing(&mut self, memory: &PlaneMemory<'m>) -> Result<(), FormatError> {
        self.after_reading(memory);
        if memory.has_room() {
            return Ok(());
        }
        if let Plane::Words(words) = self {
            let packed = PACKING.with_borrow_mut(|room| match pack(words, room) {
                [] => Ok(None),
                packed => memory.keep(packed).map(Some),
            })?;
            self.empty(memory);
            if let Some(packed) = packed {
                *self = Plane::Packed { packed, words: OnceLock::new() };
            }
        }
        Ok(())
    }
}

thread_local! {
    /// The bytes of a plane that a thread packs.
    static PACKING: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The words of a packed plane. If they cannot be read, the memory remembers the failure, and the words are empty.
#[cold]
fn unpacked<'m>(packed: &Blob, memory: &PlaneMemory<'m>) -> &'m mut [u64] {
    let words = memory.take();
    memory.unpack(packed, words);
    words
}
