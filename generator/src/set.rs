//! Sets of positions, one bit each.

use bitvec::prelude::{BitVec, Lsb0};

use rayon::prelude::*;

use crate::geometry::Geometry;

/// A set of positions of one side to move, with a mask of the rows that hold any.
#[derive(Clone, Debug)]
pub(crate) struct PositionSet {
    bits: BitVec<u64, Lsb0>,
    active: Vec<u64>,
}

impl PositionSet {
    /// No position.
    pub(crate) fn empty(geometry: &Geometry) -> PositionSet {
        let words = geometry.slabs() * geometry.slab_words();
        PositionSet {
            bits: BitVec::repeat(false, words * 64),
            active: vec![0; geometry.slabs() * geometry.mask_words()],
        }
    }

    /// Becomes empty.
    pub(crate) fn clear(&mut self) {
        self.bits.fill(false);
        self.active.fill(0);
    }

    /// Becomes the union of two sets.
    pub(crate) fn assign_union(&mut self, a: &PositionSet, b: &PositionSet) {
        self.assign(a, b, |a, b| a | b);
        for (rows, (&a, &b)) in self.active.iter_mut().zip(a.active.iter().zip(&b.active)) {
            *rows = a | b;
        }
    }

    /// Becomes a set less another. Rows that hold nothing for that may stay marked.
    pub(crate) fn assign_difference(&mut self, a: &PositionSet, b: &PositionSet) {
        self.assign(a, b, |a, b| a & !b);
        self.active.copy_from_slice(&a.active);
    }

    /// Becomes the same as another set.
    pub(crate) fn assign_copy(&mut self, other: &PositionSet) {
        self.assign(other, other, |word, _| word);
        self.active.copy_from_slice(&other.active);
    }

    fn assign(&mut self, a: &PositionSet, b: &PositionSet, word: impl Fn(u64, u64) -> u64 + Sync) {
        let chunk = 1 << 12;
        let pairs = a.words().par_chunks(chunk).zip(b.words().par_chunks(chunk));
        self.bits.as_raw_mut_slice().par_chunks_mut(chunk).zip(pairs).for_each(|(out, (a, b))| {
            for (out, (&a, &b)) in out.iter_mut().zip(a.iter().zip(b)) {
                *out = word(a, b);
            }
        });
    }

    /// How many positions of the full board the set stands for, like men told apart.
    pub(crate) fn weighted_len(&self, geometry: &Geometry) -> u64 {
        let slabs = self.words().par_chunks(geometry.slab_words()).enumerate();
        let len = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        slabs.map(|(slab, words)| len(words) * geometry.layout().kings().weight(slab)).sum()
    }

    /// The words, slab after slab.
    pub(crate) fn words(&self) -> &[u64] {
        self.bits.as_raw_slice()
    }

    /// The words and masks, to be changed.
    pub(crate) fn parts_mut(&mut self) -> (&mut [u64], &mut [u64]) {
        (self.bits.as_raw_mut_slice(), &mut self.active)
    }

    /// The set as a move's destination.
    pub(crate) fn source<'a>(&'a self, geometry: &'a Geometry) -> Source<'a> {
        Source {
            words: self.words(),
            active: &self.active,
            slab_words: geometry.slab_words(),
            row_words: geometry.row_words(),
            mask_words: geometry.mask_words(),
        }
    }
}

/// A set that a pass reads from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    words: &'a [u64],
    active: &'a [u64],
    slab_words: usize,
    row_words: usize,
    mask_words: usize,
}

impl<'a> Source<'a> {
    /// Does the row hold any position?
    #[inline(always)]
    pub(crate) fn is_active(&self, slab: usize, row: usize) -> bool {
        self.active[slab * self.mask_words + row / 64] >> (row % 64) & 1 != 0
    }

    /// Does any row of the slab hold a position?
    #[inline(always)]
    pub(crate) fn is_slab_active(&self, slab: usize) -> bool {
        self.active[slab * self.mask_words..][..self.mask_words].iter().any(|&rows| rows != 0)
    }

    /// A row's words.
    #[inline(always)]
    pub(crate) fn row<const W: usize>(&self, slab: usize, row: usize) -> &'a [u64; W] {
        let start = slab * self.slab_words + row * self.row_words;
        self.words[start..start + W].try_into().expect("a row has W words")
    }
}
