//! The slab cache: slabs in memory up to a number of bytes, for several threads.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};

use makruk_format::lock;

/// A slab's cells, shared.
pub(crate) type SharedSlab<T> = Arc<[T]>;

/// The cells of one slab: the first thread fills them in, the others wait.
type SlabSlot<T> = Arc<Mutex<Option<SharedSlab<T>>>>;

/// The slabs that were used last. The key is a slab's number, or what else tells the slabs apart.
pub(crate) struct SlabCache<T, K = usize> {
    cached: Mutex<CachedSlabs<T, K>>,
    most_bytes: u64,
}

/// The slabs in the cache; the one used last is at the end.
struct CachedSlabs<T, K> {
    slabs: VecDeque<CachedSlab<T, K>>,
    bytes: u64,
}

struct CachedSlab<T, K> {
    key: K,
    bytes: u64,
    slot: SlabSlot<T>,
}

/// Bytes of slabs to cache per side. Of a side with large slabs `USUAL_SLABS` are cached instead.
const USUAL_BYTES: u64 = 64 << 20;
/// The slabs that are read again soon: those that one slab's moves lead to, and some more for several threads.
const USUAL_SLABS: u64 = 20;

impl<T, K: PartialEq> SlabCache<T, K> {
    /// A cache of at most `most_bytes` bytes, or of one slab that is larger.
    pub(crate) fn new(most_bytes: u64) -> SlabCache<T, K> {
        SlabCache { cached: Mutex::new(CachedSlabs { slabs: VecDeque::new(), bytes: 0 }), most_bytes }
    }

    /// The bound in bytes.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// The bytes beyond which a larger cache saves few reads, for a side with this number of slabs of `slab_len` cells.
    pub(crate) fn usual_bytes(slab_len: u64, slabs: usize) -> u64 {
        let slab_bytes = slab_len * size_of::<T>() as u64;
        USUAL_BYTES.max(USUAL_SLABS * slab_bytes).min(slabs as u64 * slab_bytes)
    }

    /// A slab of `slab_len` cells, which `make` reads if it is not cached.
    ///
    /// # Errors
    ///
    /// The errors of `make`; the next call tries again.
    pub(crate) fn get<E>(
        &self,
        key: K,
        slab_len: u64,
        make: impl FnOnce() -> Result<Vec<T>, E>,
    ) -> Result<SharedSlab<T>, E> {
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
    pub(crate) fn drop_slabs(&self, is_dropped: impl Fn(&K) -> bool) {
        let mut cached = lock(&self.cached);
        cached.slabs.retain(|slab| !is_dropped(&slab.key));
        cached.bytes = cached.slabs.iter().map(|slab| slab.bytes).sum();
    }

    fn slot(&self, key: K, bytes: u64) -> SlabSlot<T> {
        let mut cached = lock(&self.cached);
        let found = cached.slabs.iter().rposition(|slab| slab.key == key);
        let slab = match found.and_then(|at| cached.slabs.remove(at)) {
            Some(slab) => slab,
            None => {
                while cached.bytes + bytes > self.most_bytes
                    && let Some(oldest) = cached.slabs.pop_front()
                {
                    cached.bytes -= oldest.bytes;
                }
                cached.bytes += bytes;
                CachedSlab { key, bytes, slot: SlabSlot::default() }
            }
        };
        let slot = Arc::clone(&slab.slot);
        cached.slabs.push_back(slab);
        slot
    }
}

impl<T, K> fmt::Debug for SlabCache<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CachedSlabs { slabs, bytes } = &*lock(&self.cached);
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
    fn slabs_are_made_once_while_they_are_cached_and_failures_are_not() {
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
        // One slab is always cached.
        made(12, 1000);
        assert!(here(12) && !here(11));
    }

    #[test]
    fn the_usual_bytes_are_bounded_by_the_slabs_that_there_are() {
        let usual = SlabCache::<u16>::usual_bytes;
        assert_eq!(usual(1 << 10, 100), 200 << 10);
        assert_eq!(usual(1 << 15, 2000), USUAL_BYTES);
        assert_eq!(usual(1 << 24, 2000), USUAL_SLABS << 25);
    }
}
