//! Slabs that several threads read more than once, a bounded number of them in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A slab's cells, shared.
pub type SharedSlab<T> = Arc<[T]>;

/// The place of one slab: whoever is the first fills it, others wait for that.
type SlabSlot<T> = Arc<Mutex<Option<SharedSlab<T>>>>;

/// Slabs of one table, those used last.
#[derive(Debug)]
pub struct SlabCache<T> {
    /// By slab, the one used last at the end.
    places: Mutex<Vec<(usize, SlabSlot<T>)>>,
    most: usize,
}

/// What the slabs of one source may take, in bytes, unless these are fewer than twenty.
const MOST_BYTES: u64 = 64 << 20;
/// As many as one slab's moves lead to, with some to spare for several threads.
const FEWEST: usize = 20;

impl<T> SlabCache<T> {
    /// Room for slabs of so many cells.
    pub fn new(slab_len: u64) -> SlabCache<T> {
        let most = usize::try_from(MOST_BYTES / (slab_len * size_of::<T>() as u64).max(1)).unwrap_or(usize::MAX);
        SlabCache { places: Mutex::new(Vec::new()), most: most.max(FEWEST) }
    }

    /// What all that are kept take at most, of so many slabs, in bytes.
    pub fn most_bytes(slab_len: u64, slabs: usize) -> u64 {
        SlabCache::<T>::new(slab_len).most.min(slabs) as u64 * slab_len * size_of::<T>() as u64
    }

    /// A slab, made if it is not here.
    ///
    /// # Errors
    ///
    /// Those of `make`; the slab is made when it is asked for again.
    pub fn get<E>(&self, slab: usize, make: impl FnOnce() -> Result<Vec<T>, E>) -> Result<SharedSlab<T>, E> {
        let place = self.place(slab);
        let mut kept = lock(&place);
        if let Some(cells) = &*kept {
            return Ok(Arc::clone(cells));
        }
        let cells: SharedSlab<T> = make()?.into();
        *kept = Some(Arc::clone(&cells));
        Ok(cells)
    }

    fn place(&self, slab: usize) -> SlabSlot<T> {
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

fn lock<P>(mutex: &Mutex<P>) -> MutexGuard<'_, P> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        // The first is used again, so the second is the one that goes.
        assert!(here(0));
        made(FEWEST);
        assert!(here(0) && here(FEWEST) && !here(1));
    }
}
