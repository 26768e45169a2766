//! What files leave out of a set's children, worked out once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use makruk_tables::format::{Metric, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

use crate::child::Children;
use crate::error::BuildError;
use crate::stored::StoredTables;

/// The most that is kept, in bytes.
pub(crate) const KEPT_BYTES: u64 = 2 << 30;

/// The children of one set while it is solved. Both attackers ask for the same slabs, and a bare king's again under DTZ: those
/// of sides that files leave out, which take long, are kept in memory as far as there is room.
pub(crate) struct KeptChildren<'a> {
    stored: &'a StoredTables<'a>,
    /// One metric of each side: nobody comes back to the one before.
    sides: Mutex<HashMap<(Material, Color), Arc<Side>>>,
    /// Bytes that slabs may still take.
    room: AtomicU64,
}

/// The slabs of a side, each a list of codes once it is worked out. Whoever is the first to ask for one works it out, others
/// wait for that.
struct Side {
    metric: Metric,
    values: Vec<Value>,
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
    pub(crate) fn new(stored: &'a StoredTables<'a>) -> KeptChildren<'a> {
        KeptChildren { stored, sides: Mutex::default(), room: AtomicU64::new(KEPT_BYTES) }
    }

    /// A side that the child's file leaves out; `None` if it is there.
    fn left_out(&self, child: Material, metric: Metric, side: Color) -> Result<Option<Arc<Side>>, BuildError> {
        let Some((values, slabs)) = self.stored.left_out(child, metric, side)? else { return Ok(None) };
        let mut sides = lock(&self.sides);
        if let Some(kept) = sides.get(&(child, side)).filter(|kept| kept.metric == metric) {
            return Ok(Some(Arc::clone(kept)));
        }
        let kept = Arc::new(Side { metric, values, slabs: (0..slabs).map(|_| Mutex::default()).collect() });
        if let Some(before) = sides.insert((child, side), Arc::clone(&kept)) {
            self.room.fetch_add(before.bytes(), Ordering::Relaxed);
        }
        Ok(Some(kept))
    }
}

impl Children for KeptChildren<'_> {
    fn read_slab(
        &self,
        child: Material,
        metric: Metric,
        side: Color,
        slab: usize,
        values: &mut Vec<Value>,
    ) -> Result<(), BuildError> {
        let Some(kept) = self.left_out(child, metric, side)? else {
            return self.stored.read_slab(child, metric, side, slab, values);
        };
        let mut codes = lock(&kept.slabs[slab]);
        if let Some(codes) = &*codes {
            values.clear();
            values.extend(codes.iter().map(|&code| kept.values[usize::from(code)]));
            return Ok(());
        }
        self.stored.read_slab(child, metric, side, slab, values)?;
        // What is no legal position has a value that the list need not have.
        let code = |value: &Value| kept.values.binary_search(value).unwrap_or(0) as u16;
        let bytes = 2 * values.len() as u64;
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(bytes)).is_ok() {
            *codes = Some(values.iter().map(code).collect());
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use makruk_tables::format::TableFolder;
    use makruk_tables::index::Layout;
    use makruk_tables::rules::CountingRules;

    use super::*;
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
                    let start = slab as u64 * layout.slab_len();
                    for (offset, (found, expected)) in found.into_iter().zip(expected).enumerate() {
                        if layout.position_at(Color::Black, start + offset as u64).is_some() {
                            assert_eq!(found, expected);
                        }
                    }
                }
                // Only the last metric's slabs take room.
                let taken = if has_room { KEPT_BYTES - slab_bytes } else { slab_bytes - 1 };
                assert_eq!(kept.room.load(Ordering::Relaxed), taken, "slab {slab} {metric}");
            }
            kept = KeptChildren::new(&stored);
        }
        let mut white = Vec::new();
        kept.read_slab(set, Metric::Dtm, Color::White, 0, &mut white).unwrap();
        assert!(lock(&kept.sides).is_empty(), "what is stored is not kept");
    }
}
