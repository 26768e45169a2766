//! A solved material in the file's order: codes into a list of values.

use makruk_format::FormatError;
use makruk_rules::{ByColor, Color};
use makruk_tables::value::Value;

use super::geometry::Geometry;
use super::kernel::{Kernel, widest};
use super::solution::Decisions;

/// A place in a value list.
type Code = u16;

/// The codes of one side to move.
struct SideCodes {
    draw: Code,
    /// By moves, for each state.
    wins: Vec<Code>,
    losses: Vec<Code>,
}

impl SideCodes {
    fn new(values: &[(Value, u64)]) -> SideCodes {
        let mut codes = SideCodes { draw: 0, wins: Vec::new(), losses: Vec::new() };
        for (code, &(value, _)) in (0..).zip(values) {
            let moves = usize::from(value.moves().unwrap_or(0));
            let list = match value {
                Value::Draw => {
                    codes.draw = code;
                    continue;
                }
                Value::Win(_) => &mut codes.wins,
                Value::Loss(_) => &mut codes.losses,
            };
            list.resize(list.len().max(moves + 1), 0);
            list[moves] = code;
        }
        codes
    }
}

/// The digits of each of two axes in a tile.
const TILE: usize = 64;

/// The order of files against that of a solver's cells.
pub(crate) struct FileOrder {
    /// The number of offsets in a slab.
    len: usize,
    /// The other axes: for each digit its part in an offset, and its part in the number of a cell.
    outer: Vec<Vec<(usize, u32)>>,
    /// The axis whose cells are neighbours, if it is not the last.
    near: Vec<(usize, u32)>,
    /// The last axis, whose offsets are neighbours: the parts in the number of a cell.
    last: Vec<u32>,
    /// Whether the offsets are the numbers of the cells.
    is_same: bool,
}

impl FileOrder {
    pub(crate) fn new(geometry: &Geometry) -> FileOrder {
        let layout = geometry.layout();
        let len = layout.slab_len() as usize;
        let mut parts = geometry.parts_in_file_order();
        let last = parts.pop().unwrap_or_default();
        let of_axis = |(axis, parts)| (0..).step_by(layout.stride(axis) as usize).zip::<Vec<u32>>(parts).collect();
        let mut outer: Vec<Vec<(usize, u32)>> = parts.into_iter().enumerate().map(of_axis).collect();
        let mut all = outer.iter().flatten().copied().chain((0..).zip(last.iter().copied()));
        let is_same = len == 64 * geometry.slab_words() && all.all(|(offset, cell)| offset == cell as usize);
        let bit = layout.axes().iter().position(|axis| Some(&axis.piece) == geometry.men().last());
        let near = match bit.filter(|&axis| axis < outer.len()) {
            Some(axis) => outer.remove(axis),
            None => vec![(0, 0)],
        };
        FileOrder { len, outer, near, last, is_same }
    }

    /// Copies what is known of each cell of a slab to the position's offset.
    pub(crate) fn copy<T: Copy + Default>(&self, cells: &[T], to: &mut Vec<T>) {
        to.clear();
        to.resize(self.len, T::default());
        // Neighbours in one order are far apart in the other, often by a power of two. Tiles are read and written by
        // whole lines of the processor's cache.
        let mut tile = [[T::default(); TILE]; TILE];
        each(&self.outer, (0, 0), &mut |offset, cell| {
            for (first, last) in (offset..).step_by(TILE).zip(self.last.chunks(TILE)) {
                for near in self.near.chunks(TILE) {
                    for (column, part) in last.iter().enumerate() {
                        let cell = cell.wrapping_add(*part);
                        for (row, (_, part)) in tile.iter_mut().zip(near) {
                            row[column] = cells[cell.wrapping_add(*part) as usize];
                        }
                    }
                    for (row, (more, _)) in tile.iter().zip(near) {
                        to[first + more..][..last.len()].copy_from_slice(&row[..last.len()]);
                    }
                }
            }
        });
    }
}

/// Calls `visit` with the sums of each combination of the digits of some axes.
fn each(axes: &[Vec<(usize, u32)>], (offset, cell): (usize, u32), visit: &mut impl FnMut(usize, u32)) {
    match axes {
        [] => visit(offset, cell),
        [first, rest @ ..] => {
            first.iter().for_each(|&(more, part)| each(rest, (offset + more, cell.wrapping_add(part)), visit));
        }
    }
}

/// Reads a solved material in the file's order.
pub(crate) struct Encoder<'a> {
    geometry: &'a Geometry,
    decisions: &'a Decisions,
    histograms: ByColor<Vec<(Value, u64)>>,
    order: FileOrder,
}

impl<'a> Encoder<'a> {
    /// Prepares the order and the lists of values.
    pub(crate) fn new(geometry: &'a Geometry, decisions: &'a Decisions) -> Encoder<'a> {
        let histograms = ByColor::from_fn(|side| decisions.histogram(geometry, side));
        Encoder { geometry, decisions, histograms, order: FileOrder::new(geometry) }
    }

    /// The values of a side to move, in the order of lists, with the number of distinct full-board positions of each. A
    /// code is a place in this list.
    pub(crate) fn histogram(&self, side: Color) -> &[(Value, u64)] {
        &self.histograms[side]
    }

    /// The codes of a slab in the file's order. That of an illegal position means nothing. `cells` is room for them in
    /// the order of the cells.
    ///
    /// # Errors
    ///
    /// If what was found is in a file and cannot be read back.
    pub(crate) fn slab(
        &self,
        side: Color,
        slab: usize,
        codes: &mut Vec<Code>,
        cells: &mut Vec<Code>,
    ) -> Result<(), FormatError> {
        widest(EncodedSlab { encoder: self, side, slab, codes, cells })
    }
}

/// Sets the code of the cells that a word has bits for. Most words have few bits, but a branch for each would take
/// longer than all 64 cells in vectors.
#[inline(always)]
fn set(cells: &mut [Code; 64], word: u64, code: Code) {
    for (bit, cell) in cells.iter_mut().enumerate() {
        if word & 1 << bit != 0 {
            *cell = code;
        }
    }
}

/// A slab whose codes are asked for.
struct EncodedSlab<'a> {
    encoder: &'a Encoder<'a>,
    side: Color,
    slab: usize,
    codes: &'a mut Vec<Code>,
    cells: &'a mut Vec<Code>,
}

impl Kernel for EncodedSlab<'_> {
    type Output = Result<(), FormatError>;

    #[inline(always)]
    fn run(self) -> Result<(), FormatError> {
        let EncodedSlab { encoder, side, slab, codes, cells } = self;
        let Encoder { geometry, decisions, order, .. } = encoder;
        let SideCodes { draw, wins, losses } = SideCodes::new(&encoder.histograms[side]);
        let by_cell = if order.is_same { &mut *codes } else { &mut *cells };
        by_cell.clear();
        by_cell.resize(geometry.slab_words() * 64, draw);
        let (by_cell, _) = by_cell.as_chunks_mut::<64>();
        let (log, buffer) = (&decisions.log, &mut Vec::new());
        for (attacker, codes) in [(side, wins), (!side, losses)] {
            for entry in log.entries((attacker, side), slab) {
                let code = codes[usize::from(entry.moves)];
                for block in log.blocks(entry, buffer)? {
                    for (word, bits) in block.words() {
                        set(&mut by_cell[word], bits, code);
                    }
                }
            }
        }
        if !order.is_same {
            order.copy(cells, codes);
        }
        Ok(())
    }
}
