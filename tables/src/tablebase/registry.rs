//! Open tables, found without a lock.

use std::sync::{Mutex, OnceLock};

use makruk_format::TableId;
use makruk_format::lock;

/// The number of chains: about as many as there are tables of distances with up to six men.
const CHAINS: usize = 1 << CHAIN_BITS;
const CHAIN_BITS: u32 = 10;

/// The end of a chain, or its next table. Nothing is ever removed, so that readers need no lock.
type Link<T> = OnceLock<Box<Entry<T>>>;

#[derive(Debug)]
struct Entry<T> {
    id: TableId,
    opened: T,
    next: Link<T>,
}

/// Open tables of one type of values, in chains by their hash. None is closed before the registry is dropped.
#[derive(Debug)]
pub struct Registry<T> {
    chains: Box<[Link<T>]>,
    /// Locked while a table is opened.
    opening: Mutex<()>,
}

impl<T> Default for Registry<T> {
    fn default() -> Registry<T> {
        Registry { chains: (0..CHAINS).map(|_| OnceLock::new()).collect(), opening: Mutex::new(()) }
    }
}

impl<T> Registry<T> {
    /// The table, or the end of the chain that it belongs to.
    #[inline]
    fn find(&self, id: TableId) -> Result<&T, &Link<T>> {
        let mut link = &self.chains[chain(id)];
        while let Some(entry) = link.get() {
            if entry.id == id {
                return Ok(&entry.opened);
            }
            link = &entry.next;
        }
        Err(link)
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
            Err(end) => {
                let opened = open()?;
                Ok(&end.get_or_init(|| Box::new(Entry { id, opened, next: OnceLock::new() })).opened)
            }
        }
    }
}

/// The number of a table's chain.
#[inline]
fn chain(id: TableId) -> usize {
    let key = id.material.key() << 2 | id.metric as u64;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - CHAIN_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use makruk_format::material::Material;
    use makruk_format::value::Metric;

    #[test]
    fn every_table_is_found_again() {
        let opened = Registry::default();
        let all = || {
            let materials = (3..=7).flat_map(Material::all);
            materials.flat_map(|material| Metric::DISTANCES.map(|metric| TableId { material, metric }))
        };
        assert!(all().count() > 2 * CHAINS, "chains are longer than one table");
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
