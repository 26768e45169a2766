//! Open tables by set and metric, found without a lock.

use std::sync::{Mutex, OnceLock, PoisonError};

use makruk_tables::format::Metric;
use makruk_tables::material::Material;

/// Places for tables: more than twice as many as there are tables of all sets that have any (1,803 with up to seven men).
const PLACES: usize = 4096;

#[derive(Debug)]
struct Entry<T> {
    material: Material,
    metric: Metric,
    opened: T,
}

/// Tables that were opened. They stay.
#[derive(Debug)]
pub(crate) struct Opened<T> {
    places: Box<[OnceLock<Box<Entry<T>>>]>,
    /// How many there are; held while one is opened.
    count: Mutex<u16>,
}

impl<T> Opened<T> {
    pub(crate) fn new() -> Opened<T> {
        Opened { places: (0..PLACES).map(|_| OnceLock::new()).collect(), count: Mutex::new(0) }
    }

    /// The entry, or the place where it would be.
    #[inline]
    fn find(&self, material: Material, metric: Metric) -> Result<&T, &OnceLock<Box<Entry<T>>>> {
        let mut at = hash(material, metric);
        loop {
            let place = &self.places[at % PLACES];
            match place.get() {
                Some(entry) if entry.material == material && entry.metric == metric => return Ok(&entry.opened),
                Some(_) => at += 1,
                None => return Err(place),
            }
        }
    }

    /// The table, opened by `open` if it is not here; it is given a number that no other has. Nothing is kept of a failure.
    #[inline]
    pub(crate) fn get_or_open<E>(
        &self,
        material: Material,
        metric: Metric,
        open: impl FnOnce(u16) -> Result<T, E>,
    ) -> Result<&T, E> {
        match self.find(material, metric) {
            Ok(found) => Ok(found),
            Err(_) => self.open(material, metric, open),
        }
    }

    #[cold]
    fn open<E>(&self, material: Material, metric: Metric, open: impl FnOnce(u16) -> Result<T, E>) -> Result<&T, E> {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        match self.find(material, metric) {
            // Another thread was quicker.
            Ok(found) => Ok(found),
            Err(place) => {
                let opened = open(*count)?;
                *count += 1;
                Ok(&place.get_or_init(|| Box::new(Entry { material, metric, opened })).opened)
            }
        }
    }
}

/// Where to begin to look.
#[inline]
fn hash(material: Material, metric: Metric) -> usize {
    let key = material.key() << 2 | metric as u64;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn every_table_has_a_place_of_its_own() {
        let opened = Opened::new();
        let all = || (3..=7).flat_map(Material::all).flat_map(|set| Metric::ALL.map(|metric| (set, metric)));
        assert!(2 * all().count() < PLACES);
        for (n, (set, metric)) in all().enumerate() {
            let failed = opened.get_or_open(set, metric, |_| Err::<usize, _>("missing"));
            assert_eq!(failed, Err("missing"), "a failure is not kept");
            let found = opened.get_or_open(set, metric, |number| Ok::<_, Infallible>(usize::from(number)));
            assert_eq!(found, Ok(&n));
        }
        for (n, (set, metric)) in all().enumerate() {
            let found = opened.get_or_open(set, metric, |_| -> Result<usize, Infallible> { panic!("it is open") });
            assert_eq!(found, Ok(&n));
        }
    }
}
