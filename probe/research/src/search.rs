//! A search for positions that is done step by step: for callers that have little time at once.

use std::ops::Range;

use makruk_probe::{ProbeError, Prober, ValueSource};

use crate::analysis::SaveAnalysis;
use crate::order::{Cursor, Order};
use crate::position::LocatedPosition;
use crate::selector::SaveSelector;
use crate::slabs::{FoundInSlab, SlabScan};

/// A search for the positions that a selector accepts, in order, up to a number of them.
#[derive(Debug)]
pub struct SaveSearch {
    slabs: SlabScan,
    selector: SaveSelector,
    places: Range<u64>,
    /// The place that comes next.
    next: u64,
    /// The slab read last, and the number of its positions that were tested.
    slab: Option<FoundInSlab>,
    tested: usize,
    /// The number of positions that are still wanted.
    left: u64,
    found: u64,
}

impl SaveSearch {
    /// A search of these places of an order, which ends when `limit` positions were found.
    pub fn new(order: Order, places: Range<u64>, selector: SaveSelector, limit: u64) -> SaveSearch {
        let slabs = SlabScan::new(selector.kind(), order, places.clone());
        SaveSearch { slabs, selector, next: places.start, places, slab: None, tested: 0, left: limit, found: 0 }
    }

    /// Reads the next slab, or tests the next position: if it is selected, returns the results of `render` for it and
    /// its images. A step takes at most as long as reading one slab.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, and the errors of `render`.
    pub fn step<S: ValueSource + Sync, T>(
        &mut self,
        prober: &Prober<S>,
        render: impl FnMut(&SaveAnalysis<'_, S>) -> Result<T, ProbeError>,
    ) -> Result<Vec<T>, ProbeError> {
        if self.left == 0 {
            return Ok(Vec::new());
        }
        let Some(save) = self.read(prober)? else { return Ok(Vec::new()) };
        let selected = self.selector.select(prober, save, render)?;
        self.left = self.left.saturating_sub(selected.len() as u64);
        self.found += selected.len() as u64;
        Ok(selected)
    }

    /// The next position; `None` if a slab was read instead, or everything is read.
    fn read<S: ValueSource + Sync>(&mut self, prober: &Prober<S>) -> Result<Option<LocatedPosition>, ProbeError> {
        if let Some(slab) = &self.slab {
            while let Some(&number) = slab.numbers.get(self.tested) {
                self.tested += 1;
                self.next = slab.base + number + 1;
                if let Some(position) = self.slabs.position(slab.side, number) {
                    return Ok(Some(position));
                }
            }
            self.next = slab.end;
        }
        (self.slab, self.tested) = (self.slabs.advance(prober, 1)?.pop(), 0);
        if self.slab.is_none() {
            self.left = 0;
        }
        Ok(None)
    }

    /// Whether everything is read, or enough positions are found.
    pub const fn is_over(&self) -> bool {
        self.left == 0
    }

    /// The cell from which another search continues this one; `None` if everything is read.
    pub fn cursor(&self) -> Option<Cursor> {
        self.slabs.order().cursor(self.next).filter(|_| self.next < self.places.end)
    }

    /// The number of positions found.
    pub const fn found(&self) -> u64 {
        self.found
    }

    /// The number of cells that were scanned, and of those that were asked for.
    pub fn scanned(&self) -> (u64, u64) {
        (self.next - self.places.start, self.places.end.saturating_sub(self.places.start))
    }
}
