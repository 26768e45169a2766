//! The positions of one kind in consecutive slabs of an order: the parts of every scan.

use std::ops::Range;

use makruk_format::index::Layout;
use makruk_probe::{ProbeError, Prober, ValueSource};
use makruk_rules::Color;
use rayon::prelude::*;

use crate::cells::Cells;
use crate::kind::PositionKind;
use crate::order::{Order, Stretch};
use crate::position::LocatedPosition;

/// Reads the slabs in which some places of an order lie, in order.
#[derive(Debug)]
pub(crate) struct SlabScan {
    kind: PositionKind,
    order: Order,
    /// The place after the last slab read.
    next: u64,
    end: u64,
    /// The cells of the material that was read last.
    cells: Option<Cells>,
}

/// The positions of a kind in a slab, each once.
#[derive(Debug)]
pub(crate) struct FoundInSlab {
    /// The side to move.
    pub(crate) side: Color,
    /// The positions' cells, ascending.
    pub(crate) numbers: Vec<u64>,
    /// The place of the side's cell 0 in the order.
    pub(crate) base: u64,
    /// The place after the slab, or after its last cell that the scan covers.
    pub(crate) end: u64,
}

impl SlabScan {
    pub(crate) fn new(kind: PositionKind, order: Order, places: Range<u64>) -> SlabScan {
        SlabScan { kind, order, next: places.start, end: places.end, cells: None }
    }

    pub(crate) fn order(&self) -> &Order {
        &self.order
    }

    /// Reads the next slabs, at most `most` of them: more than one on the threads of the rayon pool that this is called
    /// in. All are of the same material and side to move. None at the end.
    pub(crate) fn advance<S: ValueSource + Sync>(
        &mut self,
        prober: &Prober<S>,
        most: usize,
    ) -> Result<Vec<FoundInSlab>, ProbeError> {
        let Some(stretch) = self.order.stretches(self.next..self.end).next() else { return Ok(Vec::new()) };
        let cells = match self.cells.take() {
            Some(cells) if cells.layout().material() == stretch.material => cells,
            _ => Cells::open(prober, stretch.material)?,
        };
        let slabs: Vec<Range<u64>> = by_slab(cells.layout(), &stretch).take(most).collect();
        let base = stretch.start - stretch.numbers.start;
        let read = |numbers: &Range<u64>| -> Result<FoundInSlab, ProbeError> {
            let end = base + numbers.end;
            let numbers = found_in_slab(self.kind, prober, &cells, stretch.side, numbers.clone())?;
            Ok(FoundInSlab { side: stretch.side, numbers, base, end })
        };
        let found: Vec<FoundInSlab> = match &slabs[..] {
            [slab] => vec![read(slab)?],
            slabs => slabs.par_iter().map(read).collect::<Result<_, _>>()?,
        };
        self.next = found.last().map_or(self.next, |slab| slab.end);
        self.cells = Some(cells);
        Ok(found)
    }

    /// A position of the slabs read last.
    pub(crate) fn position(&self, side: Color, number: u64) -> Option<LocatedPosition> {
        LocatedPosition::at(self.cells.as_ref()?.layout(), side, number)
    }
}

/// The numbers of a stretch, slab by slab.
fn by_slab(layout: &Layout, stretch: &Stretch) -> impl Iterator<Item = Range<u64>> + use<> {
    let (len, numbers) = (layout.slab_len(), stretch.numbers.clone());
    (numbers.start / len..numbers.end.div_ceil(len))
        .map(move |slab| numbers.start.max(slab * len)..numbers.end.min((slab + 1) * len))
}

/// The cells of one slab, among these numbers, that hold positions of a kind; of a position with two cells only the
/// first.
pub(crate) fn found_in_slab<S: ValueSource>(
    kind: PositionKind,
    prober: &Prober<S>,
    cells: &Cells,
    side: Color,
    numbers: Range<u64>,
) -> Result<Vec<u64>, ProbeError> {
    let layout = cells.layout();
    let (slab, len) = ((numbers.start / layout.slab_len()) as usize, layout.slab_len());
    let start = slab as u64 * len;
    let (mut own, mut opposite) = (Vec::new(), Vec::new());
    cells.slab(prober, side, slab, &mut own)?;
    if kind == PositionKind::Zugzwangs {
        cells.slab(prober, !side, slab, &mut opposite)?;
    }
    let is_found = |number: &u64| {
        let offset = (number - start) as usize;
        own[offset].is_some_and(|cell| kind.includes(cell, opposite.get(offset).copied().flatten()))
    };
    let found = numbers.filter(is_found);
    if layout.kings().is_diagonal(slab) {
        Ok(found.filter(|&number| layout.first_at(side, number).is_some()).collect())
    } else {
        Ok(found.collect())
    }
}
