//! The saves of consecutive slabs of an order: what every scan is made of.

use std::ops::Range;

use makruk_tables::index::Layout;
use makruk_tables::rules::Color;
use makruk_tables::value::Wdl;
use rayon::prelude::*;

use super::{Cells, LocatedPosition, Order, SlabSource, Stretch};
use makruk_probe::{ProbeError, Prober};

/// Reads the slabs in which some places of an order lie, in order.
#[derive(Debug)]
pub(crate) struct SlabScan {
    order: Order,
    /// The place after the last slab read.
    next: u64,
    end: u64,
    /// The cells of the material that was read last.
    cells: Option<Cells>,
}

/// The saves of a slab, each position once.
#[derive(Debug)]
pub(crate) struct SlabSaves {
    /// The side to move.
    pub(crate) side: Color,
    /// The saves' cells, ascending.
    pub(crate) numbers: Vec<u64>,
    /// The place of the side's cell 0 in the order.
    pub(crate) base: u64,
    /// The place after the slab, or after its last cell that the scan covers.
    pub(crate) end: u64,
}

impl SlabScan {
    pub(crate) fn new(order: Order, places: Range<u64>) -> SlabScan {
        SlabScan { order, next: places.start, end: places.end, cells: None }
    }

    pub(crate) fn order(&self) -> &Order {
        &self.order
    }

    /// Reads the next slabs, at most `most` of them: more than one on the threads of the rayon pool that this is called in.
    /// All are of the same material and side to move. None at the end.
    pub(crate) fn advance<S: SlabSource + Sync>(
        &mut self,
        prober: &Prober<S>,
        most: usize,
    ) -> Result<Vec<SlabSaves>, ProbeError> {
        let Some(stretch) = self.order.stretches(self.next..self.end).next() else { return Ok(Vec::new()) };
        let cells = match self.cells.take() {
            Some(cells) if cells.layout().material() == stretch.material => cells,
            _ => Cells::open(prober, stretch.material)?,
        };
        let slabs: Vec<Range<u64>> = by_slab(cells.layout(), &stretch).take(most).collect();
        let base = stretch.start - stretch.numbers.start;
        let read = |numbers: &Range<u64>| -> Result<SlabSaves, ProbeError> {
            let end = base + numbers.end;
            let numbers = saves_of_slab(prober, &cells, stretch.side, numbers.clone())?;
            Ok(SlabSaves { side: stretch.side, numbers, base, end })
        };
        let saves: Vec<SlabSaves> = match &slabs[..] {
            [slab] => vec![read(slab)?],
            slabs => slabs.par_iter().map(read).collect::<Result<_, _>>()?,
        };
        self.next = saves.last().map_or(self.next, |slab| slab.end);
        self.cells = Some(cells);
        Ok(saves)
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

/// The cells of one slab, among these numbers, that hold saves; of a position with two cells only the first.
pub(crate) fn saves_of_slab<S: SlabSource>(
    prober: &Prober<S>,
    cells: &Cells,
    side: Color,
    numbers: Range<u64>,
) -> Result<Vec<u64>, ProbeError> {
    let layout = cells.layout();
    let (slab, len) = ((numbers.start / layout.slab_len()) as usize, layout.slab_len());
    let start = slab as u64 * len;
    let mut categories = Vec::new();
    cells.slab(prober, side, slab, &mut categories)?;
    let offsets = (numbers.start - start) as usize..(numbers.end - start) as usize;
    let saves = (numbers.start..numbers.end)
        .zip(&categories[offsets])
        .filter(|&(_, &cell)| cell == Some(Wdl::BlessedLoss))
        .map(|(number, _)| number);
    if layout.kings().is_diagonal(slab) {
        Ok(saves.filter(|&number| layout.first_at(side, number).is_some()).collect())
    } else {
        Ok(saves.collect())
    }
}
