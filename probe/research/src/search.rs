//! A search for positions that is done step by step: for callers that have little time at once.

use std::ops::Range;

use makruk_probe::{ProbeError, Prober, SlabSource};

use crate::analysis::SaveAnalysis;
use crate::order::{Cursor, Order};
use crate::reader::{ReadStep, SaveReader};
use crate::selector::SaveSelector;

/// A search for the positions that a selector accepts, in order, up to a number of them.
#[derive(Debug)]
pub struct SaveSearch {
    reader: SaveReader,
    selector: SaveSelector,
    places: Range<u64>,
    /// The number of positions that are still wanted.
    left: u64,
    found: u64,
}

impl SaveSearch {
    /// A search of these places of an order, which ends when `limit` positions were found.
    pub fn new(order: Order, places: Range<u64>, selector: SaveSelector, limit: u64) -> SaveSearch {
        let reader = SaveReader::of_kind(selector.kind(), order, places.clone());
        SaveSearch { reader, selector, places, left: limit, found: 0 }
    }

    /// Reads the next slab, or tests the next position: if it is selected, returns the results of `render` for it and
    /// its images. A step takes at most as long as reading one slab.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, and the errors of `render`.
    pub fn step<S: SlabSource + Sync, T>(
        &mut self,
        prober: &Prober<S>,
        render: impl FnMut(&SaveAnalysis<'_, S>) -> Result<T, ProbeError>,
    ) -> Result<Vec<T>, ProbeError> {
        if self.left == 0 {
            return Ok(Vec::new());
        }
        let save = match self.reader.step(prober)? {
            ReadStep::Save(save) => save,
            ReadStep::Slab => return Ok(Vec::new()),
            ReadStep::End => {
                self.left = 0;
                return Ok(Vec::new());
            }
        };
        let selected = self.selector.select(prober, save, render)?;
        self.left = self.left.saturating_sub(selected.len() as u64);
        self.found += selected.len() as u64;
        Ok(selected)
    }

    /// Whether everything is read, or enough positions are found.
    pub const fn is_over(&self) -> bool {
        self.left == 0
    }

    /// The cell from which another search continues this one; `None` if everything is read.
    pub fn cursor(&self) -> Option<Cursor> {
        let place = self.reader.place();
        self.reader.order().cursor(place).filter(|_| place < self.places.end)
    }

    /// The number of positions found.
    pub const fn found(&self) -> u64 {
        self.found
    }

    /// The number of cells that were scanned, and of those that were asked for.
    pub fn scanned(&self) -> (u64, u64) {
        let all = self.places.end.saturating_sub(self.places.start);
        (self.reader.place() - self.places.start, all)
    }
}
