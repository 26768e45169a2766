//! A solved set in the file's order: codes into a list of values.

use makruk_tables::format::Value;
use makruk_tables::rules::{ByColor, Color};
use pulp::{Arch, WithSimd};

use crate::child::cell_offsets;
use crate::distances::transpose;
use crate::geometry::Geometry;
use crate::solved::{Legality, Solved};

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

/// What a cell is, besides its distance in moves.
#[derive(Clone, Copy)]
enum State {
    Draw,
    Won,
    Lost,
    Illegal,
}

/// The codes of one side to move: by state, then by distance.
struct SideCodes<C> {
    codes: Vec<C>,
    distances: usize,
}

impl<C: Code> SideCodes<C> {
    fn new(values: &[(Value, u64)]) -> SideCodes<C> {
        let place = |value: Value| match value {
            Value::Draw => (State::Draw, 0),
            Value::Win(plies) => (State::Won, usize::from(plies.div_ceil(2))),
            Value::Loss(plies) => (State::Lost, usize::from(plies / 2)),
        };
        let distances = values.iter().map(|&(value, _)| place(value).1 + 1).max().unwrap_or(1);
        let mut codes = vec![C::default(); 4 * distances];
        for (code, &(value, _)) in values.iter().enumerate() {
            let (state, moves) = place(value);
            codes[state as usize * distances + moves] = C::new(code);
        }
        SideCodes { codes, distances }
    }

    #[inline(always)]
    fn at(&self, state: u8, moves: u16) -> C {
        self.codes[usize::from(state) * self.distances + usize::from(moves)]
    }
}

/// Reads a solved set in the file's order.
pub(crate) struct Encoder<'a> {
    geometry: &'a Geometry,
    legality: &'a Legality,
    solved: &'a Solved,
    histograms: ByColor<Vec<(Value, u64)>>,
    /// For each offset of the file's order, a cell that holds its position.
    order: Vec<u32>,
    /// Is that the order of the cells?
    same_order: bool,
}

impl<'a> Encoder<'a> {
    /// Prepares the order and the lists of values.
    pub(crate) fn new(geometry: &'a Geometry, legality: &'a Legality, solved: &'a Solved) -> Encoder<'a> {
        let mut order = vec![0; geometry.layout().slab_len() as usize];
        for (cell, &offset) in cell_offsets(geometry.layout()).iter().enumerate().rev() {
            if offset != u32::MAX {
                order[offset as usize] = cell as u32;
            }
        }
        let same_order = geometry.layout().like_permutations() == 1;
        let histograms = ByColor::from_fn(|side| solved.histogram(geometry, side));
        Encoder { geometry, legality, solved, histograms, order, same_order }
    }

    /// The values of a side to move, ascending, with the number of distinct full-board positions of each. A code is a
    /// place in this list.
    pub(crate) fn histogram(&self, side: Color) -> &[(Value, u64)] {
        &self.histograms[side]
    }

    /// The codes of the given slabs in the file's order, one after the other. An illegal position repeats the code before
    /// it.
    pub(crate) fn slabs<C: Code>(&self, side: Color, slabs: std::ops::Range<usize>) -> Vec<C> {
        let codes = SideCodes::<C>::new(&self.histograms[side]);
        let mut out = Vec::with_capacity(slabs.len() * self.order.len());
        for slab in slabs {
            Arch::new().dispatch(SlabCodes { encoder: self, codes: &codes, side, slab, out: &mut out });
        }
        out
    }
}

/// The encoding of one slab.
struct SlabCodes<'a, C> {
    encoder: &'a Encoder<'a>,
    codes: &'a SideCodes<C>,
    side: Color,
    slab: usize,
    out: &'a mut Vec<C>,
}

impl<C: Code> WithSimd for SlabCodes<'_, C> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let Encoder { geometry, legality, solved, order, same_order, .. } = self.encoder;
        let words = geometry.slab_words();
        let range = self.slab * words..(self.slab + 1) * words;
        let legal = &legality.legal[self.side].words()[range.clone()];
        let won = &solved.won[self.side].words()[range.clone()];
        let lost = &solved.lost[!self.side].words()[range];
        let planes = &solved.planes[self.side][self.slab];
        let draw = self.codes.at(State::Draw as u8, 0);
        let mut cells = vec![draw; words * 64];
        let mut last = None;
        for (word, cells) in cells.chunks_exact_mut(64).enumerate() {
            let (legal, won, lost) = (legal[word], won[word], lost[word]);
            if legal == 0 {
                // All filler: what stands before.
                cells.fill(last.unwrap_or(draw));
                continue;
            }
            let states = transpose([won | !legal, lost | !legal, 0, 0, 0, 0, 0, 0]);
            if won | lost == 0 {
                for (cell, &state) in cells.iter_mut().zip(&states) {
                    if state != State::Illegal as u8 {
                        last = Some(draw);
                    }
                    *cell = last.unwrap_or(draw);
                }
                continue;
            }
            let moves = planes.word(word);
            for ((cell, &state), &moves) in cells.iter_mut().zip(&states).zip(&moves) {
                if state != State::Illegal as u8 {
                    last = Some(self.codes.at(state, moves));
                }
                *cell = last.unwrap_or(draw);
            }
        }
        if *same_order {
            self.out.extend_from_slice(&cells);
        } else {
            self.out.extend(order.iter().map(|&cell| cells[cell as usize]));
        }
    }
}
