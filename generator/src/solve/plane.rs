//! A plane: 4,096 words of a slab, so that in rows of 64 words only the last outer man and the men within the rows move.
//!
//! Where memory is short, planes that no pass needs are packed: only the words with a position are kept, with masks of their places, and
//! compressed. A pass unpacks the planes that it touches.

use std::cell::RefCell;
use std::sync::OnceLock;

use makruk_tables::format::FormatError;

use super::compression::{compress, decompress};
use super::plane_memory::PlaneMemory;
use super::plane_store::Place;

/// The words of a plane; a slab with fewer words is one plane.
pub(super) const PLANE_WORDS: usize = 64 * 64;

/// The words that one mask is about.
const GROUP: usize = 64;

/// A plane of a set, in one of three states.
#[derive(Debug, Default)]
pub(super) enum Plane<'m> {
    /// No position, and no memory.
    #[default]
    Empty,
    /// The words, ready to be read and written.
    Words(&'m mut [u64]),
    /// Packed, and the words while a pass reads them.
    Packed { place: Place, words: OnceLock<&'m mut [u64]> },
}

/// The words of an empty plane.
static NO_WORDS: [u64; PLANE_WORDS] = [0; PLANE_WORDS];

impl<'m> Plane<'m> {
    /// The words, to be read.
    #[inline(always)]
    pub(super) fn words(&self, memory: &PlaneMemory<'m>) -> &[u64] {
        match self {
            Plane::Words(words) => words,
            Plane::Packed { place, words } => words.get_or_init(|| unpacked(place, memory)),
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
            Plane::Packed { place, words } => {
                let words = words.into_inner().unwrap_or_else(|| unpacked(&place, memory));
                memory.release(place);
                words
            }
        };
        *self = Plane::Words(words);
    }

    /// Gives up the memory and the content.
    pub(super) fn empty(&mut self, memory: &PlaneMemory<'m>) {
        match std::mem::take(self) {
            Plane::Words(words) => memory.give_back(words),
            Plane::Packed { place, words } => {
                memory.release(place);
                words.into_inner().into_iter().for_each(|words| memory.give_back(words));
            }
            Plane::Empty => {}
        }
    }

    /// Gives up the words of a plane that is packed.
    pub(super) fn forget(&mut self, memory: &PlaneMemory<'m>) {
        if let Plane::Packed { words, .. } = self {
            words.take().into_iter().for_each(|words| memory.give_back(words));
        }
    }

    /// Packs words that a pass has written, and gives up those that it has read.
    ///
    /// # Errors
    ///
    /// The working file cannot be written.
    pub(super) fn pack(&mut self, memory: &PlaneMemory<'m>) -> Result<(), FormatError> {
        self.forget(memory);
        if let Plane::Words(words) = self {
            let packed = PACKING.with_borrow_mut(|buffer| {
                write_words(words, buffer);
                if buffer.is_empty() { Ok(None) } else { compress(buffer).map(Some) }
            });
            let place = match packed.map_err(|error| memory.cannot_pack(error))? {
                None => None,
                Some(packed) => Some(memory.keep(packed)?),
            };
            self.empty(memory);
            if let Some(place) = place {
                *self = Plane::Packed { place, words: OnceLock::new() };
            }
        }
        Ok(())
    }
}

thread_local! {
    static PACKING: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The words of a packed plane. If they cannot be read, the memory remembers the failure, and the words are empty.
#[cold]
fn unpacked<'m>(place: &Place, memory: &PlaneMemory<'m>) -> &'m mut [u64] {
    let words = memory.take();
    let most = most_bytes(words.len());
    memory.read(place, |packed| {
        read_words(&decompress(packed, most)?, words);
        Ok(())
    });
    words
}

/// The most bytes that some words are written in.
const fn most_bytes(words: usize) -> usize {
    let groups = words.div_ceil(GROUP);
    8 * (groups.div_ceil(64) + groups + words)
}

/// Writes the words that are not zero: for 64 groups of words a mask of those that hold any, and for each of these a mask of its
/// words, then these words. Writes nothing if all are zero.
fn write_words(words: &[u64], out: &mut Vec<u8>) {
    out.clear();
    let mut is_empty = true;
    for groups in words.chunks(64 * GROUP) {
        let start = out.len();
        let mut held = 0u64;
        out.extend_from_slice(&held.to_le_bytes());
        for (group, words) in groups.chunks(GROUP).enumerate() {
            let mask = words.iter().rev().fold(0u64, |mask, &word| mask << 1 | u64::from(word != 0));
            if mask != 0 {
                held |= 1 << group;
                out.extend_from_slice(&mask.to_le_bytes());
                words.iter().filter(|&&word| word != 0).for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
            }
        }
        out[start..start + 8].copy_from_slice(&held.to_le_bytes());
        is_empty &= held == 0;
    }
    if is_empty {
        out.clear();
    }
}

/// Reads what [`write_words`] wrote into words that are zero.
fn read_words(bytes: &[u8], words: &mut [u64]) {
    let mut numbers = bytes.as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes));
    let mut next = || numbers.next().unwrap_or(0);
    for groups in words.chunks_mut(64 * GROUP) {
        let held = next();
        for (group, words) in groups.chunks_mut(GROUP).enumerate() {
            if held >> group & 1 != 0 {
                let mut mask = next();
                while mask != 0 {
                    words[mask.trailing_zeros() as usize] = next();
                    mask &= mask - 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        let mut rng = fastrand::Rng::with_seed(4);
        for len in (0..300).map(|_| rng.usize(1..9000)).collect::<Vec<_>>().into_iter().chain([1, 64, 4096, 4097]) {
            let density = rng.u8(..4);
            let words: Vec<u64> =
                (0..len).map(|_| if rng.u8(..4) < density { rng.u64(..) & rng.u64(..) } else { 0 }).collect();
            let mut bytes = Vec::new();
            write_words(&words, &mut bytes);
            assert_eq!(bytes.is_empty(), words.iter().all(|&word| word == 0));
            assert!(bytes.len() <= most_bytes(len));
            let mut read = vec![0; len];
            read_words(&bytes, &mut read);
            assert_eq!(read, words);
        }
    }
}
