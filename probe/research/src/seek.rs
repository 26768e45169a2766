//! Seeks saves in order, piece by piece, on one thread: for who has little time at once.

use std::ops::Range;
use std::vec::IntoIter;

use super::scan::{find, saves_of};
use super::{Cells, Found, Order, SlabSource};
use makruk_probe::{ProbeError, Prober};

/// A scan that can be left and taken up again.
#[derive(Debug)]
pub struct Seeker {
    order: Order,
    places: Range<u64>,
    /// The place that comes next.
    next: u64,
    cells: Option<Cells>,
    /// Saves of the slab at hand, and the place of the number 0 of their side.
    pending: IntoIter<u64>,
    base: u64,
    /// The end of the slab at hand.
    end: u64,
}

/// What one step has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A save.
    Save(Found),
    /// A slab was read; its saves, if it has any, come next.
    Read,
    /// There is nothing more.
    End,
}

impl Seeker {
    /// A scan of places of an order.
    pub fn new(order: Order, places: Range<u64>) -> Seeker {
        let next = places.start;
        Seeker { order, places, next, cells: None, pending: Vec::new().into_iter(), base: 0, end: next }
    }

    /// The order.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The place that comes next: to go on from there is to go on.
    pub fn place(&self) -> u64 {
        self.next
    }

    /// Goes one step on: to the next save, or reads the next slab.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn step<S: SlabSource>(&mut self, prober: &Prober<S>) -> Result<Sought, ProbeError> {
        if let Some(cells) = &self.cells {
            for number in self.pending.by_ref() {
                self.next = self.base + number + 1;
                let Some(cursor) = self.order.cursor(self.base + number) else { continue };
                if let Some(found) = find(cells.layout(), cursor.side, number) {
                    return Ok(Sought::Save(found));
                }
            }
            self.next = self.next.max(self.end);
        }
        let Some(stretch) = self.order.stretches(self.next..self.places.end).next() else { return Ok(Sought::End) };
        let cells = match self.cells.take() {
            Some(cells) if cells.layout().material() == stretch.material => cells,
            _ => Cells::open(prober, stretch.material)?,
        };
        let len = cells.layout().slab_len();
        let first = stretch.numbers.start;
        let numbers = first..stretch.numbers.end.min((first / len + 1) * len);
        self.base = stretch.start - first;
        self.end = self.base + numbers.end;
        self.pending = saves_of(prober, &cells, stretch.side, numbers)?.into_iter();
        self.cells = Some(cells);
        Ok(Sought::Read)
    }
}
