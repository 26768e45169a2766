//! The slab cache: a bounded number of slabs in memory, for several threads.

use std::sync::{Arc, Mutex};

use super::lock::lock;

/// A slab's cells, shared.
pub type SharedSlab<T> = Arc<[T]>;

/// The place of one slab: the first thread fills it, the others wait.
type SlabSlot<T> = Arc<Mutex<Option<SharedSlab<T>>>>;

/// The slabs of one table that were used last. The key is the slab's number, or its number and a part of it.
#[derive(Debug)]
pub struct SlabCache<T, K = usize> {
    /// By slab; the slab used last is at the end.
    places: Mutex<Vec<(K, SlabSlot<T>)>>,
    most: usize,
}

/// The memory of one source's slabs in bytes. Twenty slabs are always allowed.
const MOST_BYTES: u64 = 64 << 20;
/// The fewest slabs: those that one slab's moves lead to, and some more for several threads.
const FEWEST: usize = 20;

impl<T, K: PartialEq> SlabCache<T, K> {
    /// A cache for slabs of this number of cells.
    pub fn new(slab_len: u64) -> SlabCache<T, K> {
        let most = usize::try_from(MOST_BYTES / (slab_len * size_of::<T>() as u64).max(1)).unwrap_or(usize::MAX);
        SlabCache { places: Mutex::new(Vec::new()), most: most.max(FEWEST) }
    }

    /// The most memory that a cache of a side with this number of slabs takes, in bytes.
    pub fn most_bytes(slab_len: u64, slabs: usize) -> u64 {
        SlabCache::<T, K>::new(slab_len).most.min(slabs) as u64 * slab_len * size_of::<T>() as u64
    }

    /// A slab, which `make` reads if it is not cached.
    ///
    /// # Errors
    ///
    /// The errors of `make`; the next call tries again.
    pub fn get<E>(&self, slab: K, make: impl FnOnce() -> Result<Vec<T>, E>) -> Result<SharedSlab<T>, E> {
        let place = self.place(slab);
        let mut kept = lock(&place);
        if let Some(cells) = &*kept {
            return Ok(Arc::clone(cells));
        }
        let cells: SharedSlab<T> = make()?.into();
        *kept = Some(Arc::clone(&cells));
        Ok(cells)
    }

    fn place(&self, slab: K) -> SlabSlot<T> {
        let mut places = lock(&self.places);
        let found = places.iter().rposition(|(known, _)| *known == slab);
        let entry = match found {
            Some(at) => places.remove(at),
            None => {
                if places.len() >= self.most {
                    places.remove(0);
                }
                (slab, SlabSlot::default())
            }
        };
        let place = Arc::clone(&entry.1);
        places.push(entry);
        place
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn slabs_are_made_once_while_they_are_kept_and_failures_are_not() {
        let kept = SlabCache::<u8>::new(MOST_BYTES);
        assert_eq!(kept.most, FEWEST);
        assert_eq!(kept.get(3, || Err("no")), Err("no"));
        let made = |slab: usize| kept.get(slab, || Ok::<_, Infallible>(vec![1; slab])).unwrap().len();
        let here = |slab: usize| kept.get(slab, || Err(())).is_ok();
        for slab in 0..FEWEST {
            assert_eq!(made(slab), slab);
        }
        assert!((0..FEWEST).all(here));
        // The first is used again, so the second is dropped.
        assert!(here(0));
        made(FEWEST);
        assert!(here(0) && here(FEWEST) && !here(1));
    }
}
