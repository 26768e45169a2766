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

/// Reads a solved material in the file's order.
pub(crate) struct Encoder<'a> {
    geometry: &'a Geometry,
    decisions: &'a Decisions,
    histograms: ByColor<Vec<(Value, u64)>>,
    /// For each offset of the file's order, a cell that holds its position.
    order: Vec<u32>,
    /// Whether that is the order of the cells.
    same_order: bool,
}

impl<'a> Encoder<'a> {
    /// Prepares the order and the lists of values.
    pub(crate) fn new(geometry: &'a Geometry, decisions: &'a Decisions) -> Encoder<'a> {
        let order = geometry.cells_in_file_order();
        let same_order = order.len() == geometry.slab_words() * 64 && order.is_sorted();
        let histograms = ByColor::from_fn(|side| decisions.histogram(geometry, side));
        Encoder { geometry, decisions, histograms, order, same_order }
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
        let Encoder { geometry, decisions, order, same_order, .. } = encoder;
        let SideCodes { draw, wins, losses } = SideCodes::new(&encoder.histograms[side]);
        let by_cell = if *same_order { &mut *codes } else { &mut *cells };
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
        if !same_order {
            codes.clear();
            codes.extend(order.iter().map(|&cell| cells[cell as usize]));
        }
        Ok(())
    }
}
