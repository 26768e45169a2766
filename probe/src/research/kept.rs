//! Slabs that several threads read more than once, a bounded number of them in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Cell;

/// A slab's cells, shared.
pub(super) type Shared = Arc<[Cell]>;

/// The place of one slab: whoever is the first fills it, others wait for that.
type Place = Arc<Mutex<Option<Shared>>>;

/// Slabs of one table, those used last.
#[derive(Debug)]
pub(super) struct Kept {
    /// By slab, the one used last at the end.
    places: Mutex<Vec<(usize, Place)>>,
    most: usize,
}

/// What slabs may take, in bytes, unless that is fewer than [`FEWEST`].
const MOST_BYTES: u64 = 64 << 20;
/// As many as one slab's moves lead to, with some to spare for several threads.
const FEWEST: usize = 20;

impl Kept {
    /// Room for slabs of so many cells.
    pub(super) fn new(slab_len: u64) -> Kept {
        let most = usize::try_from(MOST_BYTES / slab_len.max(1)).unwrap_or(usize::MAX);
        Kept { places: Mutex::default(), most: most.max(FEWEST) }
    }

    /// A slab, made if it is not here.
    pub(super) fn get<E>(&self, slab: usize, make: impl FnOnce() -> Result<Vec<Cell>, E>) -> Result<Shared, E> {
        let place = self.place(slab);
        let mut kept = lock(&place);
        if let Some(cells) = &*kept {
            return Ok(Arc::clone(cells));
        }
        let cells: Shared = make()?.into();
        *kept = Some(Arc::clone(&cells));
        Ok(cells)
    }

    fn place(&self, slab: usize) -> Place {
        let mut places = lock(&self.places);
        let found = places.iter().rposition(|(known, _)| *known == slab);
        let entry = match found {
            Some(at) => places.remove(at),
            None => {
                if places.len() >= self.most {
                    places.remove(0);
                }
                (slab, Place::default())
            }
        };
        let place = Arc::clone(&entry.1);
        places.push(entry);
        place
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn slabs_are_made_once_while_they_are_kept_and_failures_are_not() {
        let kept = Kept::new(MOST_BYTES);
        assert_eq!(kept.most, FEWEST);
        assert_eq!(kept.get(3, || Err("no")), Err("no"));
        let made = |slab: usize| kept.get(slab, || Ok::<_, Infallible>(vec![Cell::Draw; slab])).unwrap().len();
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
