//! A solved set in the file's order: codes into a list of values.

use makruk_tables::format::{FormatError, Value};
use makruk_tables::rules::{Bitboard, ByColor, Color};
use pulp::{Arch, WithSimd};

use crate::child::cell_offsets;
use crate::geometry::Geometry;
use crate::legality::RowLegality;
use crate::solved::Solved;

/// A place in a value list, as wide as the list needs it.
pub(crate) trait Code: Copy + Default + Eq + Send + Sync {
    /// The code of a place.
    fn new(place: usize) -> Self;
}

impl Code for u8 {
    fn new(place: usize) -> u8 {
        place as u8
    }
}

impl Code for u16 {
    fn new(place: usize) -> u16 {
        place as u16
    }
}

/// The codes of one side to move.
struct SideCodes<C> {
    draw: C,
    /// By moves, for each state.
    wins: Vec<C>,
    losses: Vec<C>,
}

impl<C: Code> SideCodes<C> {
    fn new(values: &[(Value, u64)]) -> SideCodes<C> {
        let mut codes = SideCodes { draw: C::default(), wins: Vec::new(), losses: Vec::new() };
        for (code, &(value, _)) in values.iter().enumerate() {
            let moves = usize::from(value.moves().unwrap_or(0));
            let list = match value {
                Value::Draw => {
                    codes.draw = C::new(code);
                    continue;
                }
                Value::Win(_) => &mut codes.wins,
                Value::Loss(_) => &mut codes.losses,
            };
            list.resize(list.len().max(moves + 1), C::default());
            list[moves] = C::new(code);
        }
        codes
    }
}

/// Reads a solved set in the file's order.
pub(crate) struct Encoder<'a> {
    geometry: &'a Geometry,
    solved: &'a Solved,
    histograms: ByColor<Vec<(Value, u64)>>,
    /// For each offset of the file's order, a cell that holds its position.
    order: Vec<u32>,
    /// Is that the order of the cells?
    same_order: bool,
}

impl<'a> Encoder<'a> {
    /// Prepares the order and the lists of values.
    pub(crate) fn new(geometry: &'a Geometry, solved: &'a Solved) -> Encoder<'a> {
        let mut order = vec![0; geometry.layout().slab_len() as usize];
        for (cell, &offset) in cell_offsets(geometry.layout()).iter().enumerate().rev() {
            if offset != u32::MAX {
                order[offset as usize] = cell as u32;
            }
        }
        let same_order = geometry.layout().like_permutations() == 1;
        let histograms = ByColor::from_fn(|side| solved.histogram(geometry, side));
        Encoder { geometry, solved, histograms, order, same_order }
    }

    /// The values of a side to move, ascending, with the number of distinct full-board positions of each. A code is a
    /// place in this list.
    pub(crate) fn histogram(&self, side: Color) -> &[(Value, u64)] {
        &self.histograms[side]
    }

    /// The codes of a slab in the file's order. An illegal position repeats the code of a legal one before it.
    ///
    /// # Errors
    ///
    /// If what was found is in a file and cannot be read back.
    pub(crate) fn slab<C: Code>(&self, side: Color, slab: usize) -> Result<Vec<C>, FormatError> {
        let codes = SideCodes::<C>::new(&self.histograms[side]);
        if self.geometry.row_words() == 1 {
            Arch::new().dispatch(SlabCodes::<C, 1> { encoder: self, codes: &codes, side, slab })
        } else {
            Arch::new().dispatch(SlabCodes::<C, 64> { encoder: self, codes: &codes, side, slab })
        }
    }
}

/// The encoding of one slab.
struct SlabCodes<'a, C, const W: usize> {
    encoder: &'a Encoder<'a>,
    codes: &'a SideCodes<C>,
    side: Color,
    slab: usize,
}

impl<C: Code, const W: usize> WithSimd for SlabCodes<'_, C, W> {
    type Output = Result<Vec<C>, FormatError>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Result<Vec<C>, FormatError> {
        let Encoder { geometry, solved, order, same_order, .. } = self.encoder;
        let (side, slab) = (self.side, self.slab);
        let mut cells = vec![self.codes.draw; geometry.slab_words() * 64];
        for (attacker, codes) in [(side, &self.codes.wins), (!side, &self.codes.losses)] {
            solved.layers.each_word((attacker, side), slab, W, |moves, word, bits| {
                let code = codes[usize::from(moves)];
                let cells = &mut cells[word * 64..word * 64 + 64];
                for bit in Bitboard(bits) {
                    cells[bit.index()] = code;
                }
            })?;
        }
        let mut last = None;
        for row in 0..geometry.rows() {
            let men = geometry.row_men(slab, row);
            let legal = RowLegality::<W>::new(geometry, &men).legal(side);
            for (word, &legal) in cells[row * W * 64..(row + 1) * W * 64].chunks_exact_mut(64).zip(&legal) {
                if legal == 0 {
                    word.fill(last.unwrap_or(self.codes.draw));
                    continue;
                }
                for (bit, cell) in word.iter_mut().enumerate() {
                    if legal >> bit & 1 != 0 {
                        last = Some(*cell);
                    } else {
                        *cell = last.unwrap_or(self.codes.draw);
                    }
                }
            }
        }
        Ok(if *same_order { cells } else { order.iter().map(|&cell| cells[cell as usize]).collect() })
    }
}
