//! Slabs of a set's children that take long to read, read once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use makruk_tables::format::{Metric, Value};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

use crate::budget::KEPT_BYTES;
use crate::child::Children;
use crate::error::BuildError;

/// The children of one set while it is solved. Both attackers ask for the same slabs, and a bare king's again under DTZ: those
/// that are worth it are kept in memory as far as there is room.
pub(crate) struct KeptChildren<'a> {
    children: &'a dyn Children,
    /// One metric of each side: nobody comes back to the one before.
    sides: Mutex<HashMap<(Material, Color), Arc<Side>>>,
    /// Bytes that slabs may still take.
    room: AtomicU64,
}

/// The slabs of a side, each a list of codes once it is read. Whoever is the first to ask for one reads it, others wait for
/// that.
struct Side {
    metric: Metric,
    /// None, if they are not worth keeping.
    slabs: Vec<Mutex<Option<Box<[u16]>>>>,
}

impl Side {
    fn bytes(&self) -> u64 {
        let kept = |slab: &Mutex<Option<Box<[u16]>>>| lock(slab).as_ref().map_or(0, |codes| 2 * codes.len() as u64);
        self.slabs.iter().map(kept).sum()
    }
}

impl<'a> KeptChildren<'a> {
    /// Nothing yet.
    pub(crate) fn new(children: &'a dyn Children) -> KeptChildren<'a> {
        KeptChildren { children, sides: Mutex::default(), room: AtomicU64::new(KEPT_BYTES) }
    }

    /// What is kept of a child's side.
    fn side(&self, child: Material, metric: Metric, side: Color) -> Result<Arc<Side>, BuildError> {
        let mut sides = lock(&self.sides);
        if let Some(kept) = sides.get(&(child, side)).filter(|kept| kept.metric == metric) {
            return Ok(Arc::clone(kept));
        }
        let slabs = if self.children.is_worth_keeping(child, metric, side)? { Layout::new(child).slabs() } else { 0 };
        let kept = Arc::new(Side { metric, slabs: (0..slabs).map(|_| Mutex::default()).collect() });
        if let Some(before) = sides.insert((child, side), Arc::clone(&kept)) {
            self.room.fetch_add(before.bytes(), Ordering::Relaxed);
        }
        Ok(kept)
    }
}

impl Children for KeptChildren<'_> {
    fn values(&self, child: Material, metric: Metric, side: Color) -> Result<Vec<Value>, BuildError> {
        self.children.values(child, metric, side)
    }

    fn read_slab(
        &self,
        child: Material,
        metric: Metric,
        side: Color,
        slab: usize,
        codes: &mut Vec<u16>,
    ) -> Result<(), BuildError> {
        let kept = self.side(child, metric, side)?;
        let Some(kept) = kept.slabs.get(slab) else {
            return self.children.read_slab(child, metric, side, slab, codes);
        };
        let mut kept = lock(kept);
        if let Some(kept) = &*kept {
            codes.clear();
            codes.extend_from_slice(kept);
            return Ok(());
        }
        self.children.read_slab(child, metric, side, slab, codes)?;
        let bytes = 2 * codes.len() as u64;
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(bytes)).is_ok() {
            *kept = Some(codes.as_slice().into());
        }
        Ok(())
    }

    fn is_worth_keeping(&self, _: Material, _: Metric, _: Color) -> Result<bool, BuildError> {
        Ok(false)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use makruk_tables::format::TableFolder;
    use makruk_tables::rules::CountingRules;

    use super::*;
    use crate::stored::StoredTables;
    use crate::{Options, Silent, StoredSides, build};

    #[test]
    fn what_is_kept_is_what_was_worked_out() {
        let place = tempfile::tempdir().unwrap();
        let folder = TableFolder::create(place.path()).unwrap();
        let set: Material = "KRvKM".parse().unwrap();
        let options = Options { stored: StoredSides::White, ..Options::default() };
        build(&folder, [set], &options, &Silent).unwrap();
        let stored = StoredTables::new(&folder, &CountingRules::MAKRUK);
        let layout = Layout::new(set);
        let mut kept = KeptChildren::new(&stored);
        let slab_bytes = 2 * layout.slab_len();
        for (slab, has_room) in [(0, true), (100, true), (461, false)] {
            for metric in Metric::DISTANCES {
                for _ in 0..2 {
                    if !has_room {
                        kept.room = AtomicU64::new(slab_bytes - 1);
                    }
                    let (mut expected, mut found) = (Vec::new(), Vec::new());
                    stored.read_slab(set, metric, Color::Black, slab, &mut expected).unwrap();
                    kept.read_slab(set, metric, Color::Black, slab, &mut found).unwrap();
                    assert_eq!(found, expected);
                }
                // Only the last metric's slabs take room.
                let taken = if has_room { KEPT_BYTES - slab_bytes } else { slab_bytes - 1 };
                assert_eq!(kept.room.load(Ordering::Relaxed), taken, "slab {slab} {metric}");
            }
            kept = KeptChildren::new(&stored);
        }
        // What is stored and small is kept too; what is there already is not kept once more.
        let twice = KeptChildren::new(&kept);
        let mut white = Vec::new();
        twice.read_slab(set, Metric::Dtm, Color::White, 0, &mut white).unwrap();
        assert_eq!(kept.room.load(Ordering::Relaxed), KEPT_BYTES - slab_bytes);
        assert_eq!(twice.room.load(Ordering::Relaxed), KEPT_BYTES);
    }
}
