//! Open tables, found without a lock.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::format::TableId;

/// Places for tables: more than twice as many as there are tables of all materials that have any (2,060 with up to seven men).
const PLACES: usize = 8192;

#[derive(Debug)]
struct Entry<T> {
    id: TableId,
    opened: T,
}

/// Open tables. None is closed before the registry is dropped.
#[derive(Debug)]
pub(super) struct Registry<T> {
    places: Box<[OnceLock<Box<Entry<T>>>]>,
    /// The number of open tables; locked while one is opened.
    count: Mutex<u16>,
}

impl<T> Registry<T> {
    pub(super) fn new() -> Registry<T> {
        Registry { places: (0..PLACES).map(|_| OnceLock::new()).collect(), count: Mutex::new(0) }
    }

    /// The entry, or the place where it would be.
    #[inline]
    fn find(&self, id: TableId) -> Result<&T, &OnceLock<Box<Entry<T>>>> {
        let mut at = hash(id);
        loop {
            let place = &self.places[at % PLACES];
            match place.get() {
                Some(entry) if entry.id == id => return Ok(&entry.opened),
                Some(_) => at += 1,
                None => return Err(place),
            }
        }
    }

    /// The table, if it is open.
    #[inline]
    pub(super) fn get(&self, id: TableId) -> Option<&T> {
        self.find(id).ok()
    }

    /// The table, which `open` opens if it is not registered; each table gets a number of its own. A failure is not remembered.
    pub(super) fn get_or_open<E>(&self, id: TableId, open: impl FnOnce(u16) -> Result<T, E>) -> Result<&T, E> {
        match self.find(id) {
            Ok(found) => Ok(found),
            Err(_) => self.open(id, open),
        }
    }

    #[cold]
    fn open<E>(&self, id: TableId, open: impl FnOnce(u16) -> Result<T, E>) -> Result<&T, E> {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        match self.find(id) {
            // Another thread was quicker.
            Ok(found) => Ok(found),
            Err(place) => {
                let opened = open(*count)?;
                *count += 1;
                Ok(&place.get_or_init(|| Box::new(Entry { id, opened })).opened)
            }
        }
    }
}

/// The first place to search.
#[inline]
fn hash(id: TableId) -> usize {
    let key = id.material.key() << 2 | id.metric as u64;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::material::Material;
    use crate::value::Metric;

    #[test]
    fn every_table_has_a_place_of_its_own() {
        let opened = Registry::new();
        let all = || {
            let materials = (3..=7).flat_map(Material::all);
            materials.flat_map(|material| Metric::ALL.map(|metric| TableId { material, metric }))
        };
        assert!(2 * all().count() < PLACES);
        for (n, id) in all().enumerate() {
            let failed = opened.get_or_open(id, |_| Err::<usize, _>("missing"));
            assert_eq!(failed, Err("missing"), "a failure is not kept");
            let found = opened.get_or_open(id, |number| Ok::<_, Infallible>(usize::from(number)));
            assert_eq!(found, Ok(&n));
        }
        for (n, id) in all().enumerate() {
            let found = opened.get_or_open(id, |_| -> Result<usize, Infallible> { panic!("it is open") });
            assert_eq!(found, Ok(&n));
        }
    }
}
