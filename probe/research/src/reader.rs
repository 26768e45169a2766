//! Reads positions of one kind in order on the calling thread, one step at a time.

use std::ops::Range;
use std::vec::IntoIter;

use makruk_probe::{ProbeError, Prober, SlabSource};
use makruk_tables::rules::Color;

use crate::kind::PositionKind;
use crate::order::Order;
use crate::position::LocatedPosition;
use crate::slabs::SlabScan;

/// A scan that the caller advances step by step, and may leave between any two steps.
#[derive(Debug)]
pub struct SaveReader {
    slabs: SlabScan,
    /// The place that comes next.
    next: u64,
    pending: Option<PendingSaves>,
}

/// The saves of a slab that were not yet returned.
#[derive(Debug)]
struct PendingSaves {
    side: Color,
    numbers: IntoIter<u64>,
    /// The place of the side's cell 0.
    base: u64,
    /// The place after the slab.
    end: u64,
}

/// The outcome of one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadStep {
    /// A save, or a position of the kind that is read.
    Save(LocatedPosition),
    /// A slab was read; its positions of the kind, if there are any, come next.
    Slab,
    /// Everything was read.
    End,
}

impl SaveReader {
    /// A scan of these places of an order for saves.
    pub fn new(order: Order, places: Range<u64>) -> SaveReader {
        SaveReader::of_kind(PositionKind::Saves, order, places)
    }

    /// A scan of these places of an order for positions of another kind.
    pub fn of_kind(kind: PositionKind, order: Order, places: Range<u64>) -> SaveReader {
        SaveReader { next: places.start, slabs: SlabScan::new(kind, order, places), pending: None }
    }

    /// The order.
    pub fn order(&self) -> &Order {
        self.slabs.order()
    }

    /// The place that comes next: a new scan from there continues this one.
    pub fn place(&self) -> u64 {
        self.next
    }

    /// Returns the next save, or reads the next slab.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn step<S: SlabSource + Sync>(&mut self, prober: &Prober<S>) -> Result<ReadStep, ProbeError> {
        if let Some(mut pending) = self.pending.take() {
            for number in pending.numbers.by_ref() {
                self.next = pending.base + number + 1;
                if let Some(position) = self.slabs.position(pending.side, number) {
                    self.pending = Some(pending);
                    return Ok(ReadStep::Save(position));
                }
            }
            self.next = pending.end;
        }
        let Some(slab) = self.slabs.advance(prober, 1)?.pop() else { return Ok(ReadStep::End) };
        let numbers = slab.numbers.into_iter();
        self.pending = Some(PendingSaves { side: slab.side, numbers, base: slab.base, end: slab.end });
        Ok(ReadStep::Slab)
    }
}
