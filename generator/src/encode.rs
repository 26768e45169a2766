//! A solved set in the file's order: codes into a list of values.

use makruk_tables::format::Value;
use makruk_tables::rules::{ByColor, Color};

use crate::child::cell_offsets;
use crate::geometry::Geometry;
use crate::solved::{Legality, Solved};

/// Stands for a cell that is no legal position until a filler replaces it.
const ILLEGAL: u16 = u16::MAX;

/// The codes of one side to move.
struct SideCodes {
    draw: u16,
    wins: Vec<u16>,
    losses: Vec<u16>,
}

impl SideCodes {
    fn new(values: &[(Value, u64)]) -> SideCodes {
        let mut codes = SideCodes { draw: 0, wins: Vec::new(), losses: Vec::new() };
        for (code, &(value, _)) in values.iter().enumerate() {
            let mut set = |list: &mut Vec<u16>, moves: u16| {
                list.resize(list.len().max(usize::from(moves) + 1), 0);
                list[usize::from(moves)] = code as u16;
            };
            match value {
                Value::Draw => codes.draw = code as u16,
                Value::Win(plies) => set(&mut codes.wins, plies.div_ceil(2)),
                Value::Loss(plies) => set(&mut codes.losses, plies / 2),
            }
        }
        codes
    }
}

/// Reads a solved set in the file's order.
pub(crate) struct Encoder<'a> {
    geometry: &'a Geometry,
    legality: &'a Legality,
    solved: &'a Solved,
    histograms: ByColor<Vec<(Value, u64)>>,
    codes: ByColor<SideCodes>,
    /// For each offset of the file's order, a cell that holds its position.
    order: Vec<u32>,
}

impl<'a> Encoder<'a> {
    /// Prepares the order and the codes.
    pub(crate) fn new(geometry: &'a Geometry, legality: &'a Legality, solved: &'a Solved) -> Encoder<'a> {
        let mut order = vec![0; geometry.layout().slab_len() as usize];
        for (cell, &offset) in cell_offsets(geometry.layout()).iter().enumerate().rev() {
            if offset != u32::MAX {
                order[offset as usize] = cell as u32;
            }
        }
        let histograms = ByColor::from_fn(|side| solved.histogram(geometry, side));
        let codes = ByColor::from_fn(|side| SideCodes::new(&histograms[side]));
        Encoder { geometry, legality, solved, histograms, codes, order }
    }

    /// The values of a side to move, ascending, with the number of distinct full-board positions of each. A code is a
    /// place in this list.
    pub(crate) fn histogram(&self, side: Color) -> &[(Value, u64)] {
        &self.histograms[side]
    }

    /// The codes of a slab in the file's order, appended to `codes`. An illegal position repeats the code before it.
    pub(crate) fn slab(&self, side: Color, slab: usize, codes: &mut Vec<u16>) {
        let words = self.geometry.slab_words();
        let range = slab * words..(slab + 1) * words;
        let side_codes = &self.codes[side];
        let legal = &self.legality.legal[side].words()[range.clone()];
        let won = &self.solved.won[side].words()[range.clone()];
        let lost = &self.solved.lost[!side].words()[range];
        let planes = &self.solved.planes[side][slab];
        let mut cells = vec![ILLEGAL; words * 64];
        for (word, cells) in cells.chunks_exact_mut(64).enumerate() {
            let (legal, won, lost) = (legal[word], won[word], lost[word]);
            if legal == 0 {
                continue;
            }
            if won | lost == 0 {
                for (bit, cell) in cells.iter_mut().enumerate() {
                    *cell = if legal >> bit & 1 != 0 { side_codes.draw } else { ILLEGAL };
                }
                continue;
            }
            let moves = planes.word(word);
            for (bit, cell) in cells.iter_mut().enumerate() {
                let moves = usize::from(moves[bit]);
                *cell = if won >> bit & 1 != 0 {
                    side_codes.wins[moves]
                } else if lost >> bit & 1 != 0 {
                    side_codes.losses[moves]
                } else if legal >> bit & 1 != 0 {
                    side_codes.draw
                } else {
                    ILLEGAL
                };
            }
        }
        let start = codes.len();
        codes.extend(self.order.iter().map(|&cell| cells[cell as usize]));
        // Illegal positions compress best as a run of what stands before them; at the start of a slab, after them.
        let slab = &mut codes[start..];
        let mut filler = slab.iter().copied().find(|&code| code != ILLEGAL).unwrap_or(0);
        for code in slab {
            if *code == ILLEGAL {
                *code = filler;
            } else {
                filler = *code;
            }
        }
    }
}
