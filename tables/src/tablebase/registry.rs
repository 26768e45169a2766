//! Open tables, found without a lock.

use std::sync::{Mutex, OnceLock};

use super::lock::lock;
use crate::format::TableId;

/// Places for tables: more than three times as many as there are tables of distances (2,626 with up to seven men).
const PLACES: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = 13;

#[derive(Debug)]
struct Entry<T> {
    id: TableId,
    opened: T,
}

/// Open tables of one type of values. None is closed before the registry is dropped.
#[derive(Debug)]
pub struct Registry<T> {
    places: Box<[OnceLock<Box<Entry<T>>>]>,
    /// Locked while a table is opened.
    opening: Mutex<()>,
}

impl<T> Default for Registry<T> {
    fn default() -> Registry<T> {
        Registry { places: (0..PLACES).map(|_| OnceLock::new()).collect(), opening: Mutex::new(()) }
    }
}

impl<T> Registry<T> {
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

    /// The table, which `open` opens if it is not registered. A failure is not remembered.
    pub(super) fn get_or_open<E>(&self, id: TableId, open: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        match self.find(id) {
            Ok(found) => Ok(found),
            Err(_) => self.open(id, open),
        }
    }

    #[cold]
    fn open<E>(&self, id: TableId, open: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        let _guard = lock(&self.opening);
        match self.find(id) {
            // Another thread was quicker.
            Ok(found) => Ok(found),
            Err(place) => {
                let opened = open()?;
                Ok(&place.get_or_init(|| Box::new(Entry { id, opened })).opened)
            }
        }
    }
}

/// The first place to search.
#[inline]
fn hash(id: TableId) -> usize {
    let key = id.material.key() << 2 | id.metric as u64;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACE_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::material::Material;
    use crate::value::Metric;

    #[test]
    fn every_table_has_a_place_of_its_own() {
        let opened = Registry::default();
        let all = || {
            let materials = (3..=7).flat_map(Material::all);
            materials.flat_map(|material| Metric::DISTANCES.map(|metric| TableId { material, metric }))
        };
        assert!(3 * all().count() < PLACES);
        for (n, id) in all().enumerate() {
            let failed = opened.get_or_open(id, || Err::<usize, _>("missing"));
            assert_eq!(failed, Err("missing"), "a failure is not kept");
            let found = opened.get_or_open(id, || Ok::<_, Infallible>(n));
            assert_eq!(found, Ok(&n));
        }
        for (n, id) in all().enumerate() {
            let found = opened.get_or_open(id, || -> Result<usize, Infallible> { panic!("it is open") });
            assert_eq!(found, Ok(&n));
        }
    }
}
