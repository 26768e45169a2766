//! The slab cache: slabs in memory up to a number of bytes, for several threads.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};

use crate::lock::lock;

/// A slab's cells, shared.
pub type SharedSlab<T> = Arc<[T]>;

/// The cells of one slab: the first thread fills them in, the others wait.
type SlabSlot<T> = Arc<Mutex<Option<SharedSlab<T>>>>;

/// The slabs that were used last. The key is a slab's number, or what else tells the slabs apart.
pub struct SlabCache<T, K = usize> {
    kept: Mutex<Kept<T, K>>,
    most_bytes: u64,
}

/// The slabs that are kept; the one used last is at the end.
struct Kept<T, K> {
    slabs: VecDeque<KeptSlab<T, K>>,
    bytes: u64,
}

struct KeptSlab<T, K> {
    key: K,
    bytes: u64,
    slot: SlabSlot<T>,
}

/// Bytes of slabs to keep per side. A side with large slabs keeps `USUAL_SLABS` instead.
const USUAL_BYTES: u64 = 64 << 20;
/// The slabs that are worth it: those that one slab's moves lead to, and some more for several threads.
const USUAL_SLABS: u64 = 20;

impl<T, K: PartialEq> SlabCache<T, K> {
    /// A cache of at most `most_bytes` bytes, or of one slab that is larger.
    pub fn new(most_bytes: u64) -> SlabCache<T, K> {
        SlabCache { kept: Mutex::new(Kept { slabs: VecDeque::new(), bytes: 0 }), most_bytes }
    }

    /// The bound in bytes.
    pub fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// The bytes that are worth it for a side with this number of slabs of `slab_len` cells.
    pub fn usual_bytes(slab_len: u64, slabs: usize) -> u64 {
        let slab_bytes = slab_len * size_of::<T>() as u64;
        USUAL_BYTES.max(USUAL_SLABS * slab_bytes).min(slabs as u64 * slab_bytes)
    }

    /// A slab of `slab_len` cells, which `make` reads if it is not kept.
    ///
    /// # Errors
    ///
    /// The errors of `make`; the next call tries again.
    pub fn get<E>(&self, key: K, slab_len: u64, make: impl FnOnce() -> Result<Vec<T>, E>) -> Result<SharedSlab<T>, E> {
        let slot = self.slot(key, slab_len * size_of::<T>() as u64);
        let mut cells = lock(&slot);
        if let Some(cells) = &*cells {
            return Ok(Arc::clone(cells));
        }
        let made: SharedSlab<T> = make()?.into();
        *cells = Some(Arc::clone(&made));
        Ok(made)
    }

    /// Drops the slabs with such a key.
    pub fn drop_slabs(&self, is_dropped: impl Fn(&K) -> bool) {
        let mut kept = lock(&self.kept);
        kept.slabs.retain(|slab| !is_dropped(&slab.key));
        kept.bytes = kept.slabs.iter().map(|slab| slab.bytes).sum();
    }

    fn slot(&self, key: K, bytes: u64) -> SlabSlot<T> {
        let mut kept = lock(&self.kept);
        let found = kept.slabs.iter().rposition(|slab| slab.key == key);
        let slab = match found.and_then(|at| kept.slabs.remove(at)) {
            Some(slab) => slab,
            None => {
                while kept.bytes + bytes > self.most_bytes
                    && let Some(oldest) = kept.slabs.pop_front()
                {
                    kept.bytes -= oldest.bytes;
                }
                kept.bytes += bytes;
                KeptSlab { key, bytes, slot: SlabSlot::default() }
            }
        };
        let slot = Arc::clone(&slab.slot);
        kept.slabs.push_back(slab);
        slot
    }
}

impl<T, K> fmt::Debug for SlabCache<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Kept { slabs, bytes } = &*lock(&self.kept);
        let (slabs, most_bytes) = (slabs.len(), self.most_bytes);
        f.debug_struct("SlabCache")
            .field("slabs", &slabs)
            .field("bytes", bytes)
            .field("most_bytes", &most_bytes)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn slabs_are_made_once_while_they_are_kept_and_failures_are_not() {
        let cache = SlabCache::<u8>::new(100);
        assert_eq!(cache.get(3, 10, || Err("no")), Err("no"));
        let made =
            |slab: usize, len: usize| cache.get(slab, len as u64, || Ok::<_, Infallible>(vec![1; len])).unwrap().len();
        let here = |slab: usize| cache.get(slab, 10, || Err(())).is_ok();
        for slab in 0..10 {
            assert_eq!(made(slab, 10), 10);
        }
        assert!((0..10).all(here));
        // The first is used again, so the second is dropped.
        assert!(here(0));
        made(10, 10);
        assert!(here(0) && here(10) && !here(1));
        // A failure has taken the place of the third, a larger slab takes that of the next two.
        made(11, 20);
        assert!(here(11) && here(5) && !here(3));
        cache.drop_slabs(|&slab| slab != 11);
        assert!(here(11) && !here(5) && !here(0));
        // One slab is always kept.
        made(12, 1000);
        assert!(here(12) && !here(11));
    }

    #[test]
    fn what_is_worth_it_is_bounded_by_the_slabs_that_there_are() {
        let usual = SlabCache::<u16>::usual_bytes;
        assert_eq!(usual(1 << 10, 100), 200 << 10);
        assert_eq!(usual(1 << 15, 2000), USUAL_BYTES);
        assert_eq!(usual(1 << 24, 2000), USUAL_SLABS << 25);
    }
}
