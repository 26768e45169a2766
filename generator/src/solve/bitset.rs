//! Sets of positions, one bit each.

use std::io;
use std::ops::Range;

use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use bitvec::view::BitView;
use memmap2::MmapMut;
use rayon::prelude::*;

use super::geometry::Geometry;

/// The words of a row.
pub(crate) type Row<const W: usize> = [u64; W];

/// Bits in words, the lowest first.
pub(crate) type Bits = BitSlice<u64, Lsb0>;

/// Sizes of a slab.
#[derive(Clone, Copy, Debug)]
struct SlabShape {
    /// Words of a slab.
    words: usize,
    /// Words of a row.
    row_words: usize,
    /// Words of the row mask.
    mask_words: usize,
}

/// A set of positions of one side to move, with a mask of the rows that hold any.
#[derive(Debug)]
pub(crate) struct PositionSet {
    words: MmapMut,
    /// A bit for each row, slab after slab; each slab begins at a word.
    active: BitVec<u64, Lsb0>,
    shape: SlabShape,
}

impl PositionSet {
    /// The empty set.
    ///
    /// # Errors
    ///
    /// The system has no memory for it.
    pub(crate) fn empty(geometry: &Geometry) -> io::Result<PositionSet> {
        let words = MmapMut::map_anon(geometry.words() * size_of::<u64>())?;
        // Passes jump between slabs: with small pages the processor would look up each page anew. Systems without huge
        // pages ignore the advice.
        #[cfg(target_os = "linux")]
        let _ = words.advise(memmap2::Advice::HugePage);
        let shape = SlabShape {
            words: geometry.slab_words(),
            row_words: geometry.row_words(),
            mask_words: geometry.mask_words(),
        };
        let active = BitVec::repeat(false, geometry.slabs() * shape.mask_words * 64);
        Ok(PositionSet { words, active, shape })
    }

    /// The bytes that a set of this geometry takes.
    pub(crate) fn bytes(geometry: &Geometry) -> u64 {
        (size_of::<u64>() * (geometry.words() + geometry.slabs() * geometry.mask_words())) as u64
    }

    /// Some slabs, each to be written by one thread.
    pub(crate) fn slabs_mut(&mut self, slabs: Range<usize>) -> impl IndexedParallelIterator<Item = SlabRows<'_>> {
        let SlabShape { words, mask_words, .. } = self.shape;
        let all: &mut [u64] = bytemuck::cast_slice_mut(&mut self.words);
        let masks = &mut self.active.as_raw_mut_slice()[slabs.start * mask_words..slabs.end * mask_words];
        all[slabs.start * words..slabs.end * words]
            .par_chunks_mut(words)
            .zip(masks.par_chunks_mut(mask_words))
            .map(|(words, mask)| SlabRows { words, active: mask.view_bits_mut() })
    }

    /// Adds some bits of a slab, by their numbers in it.
    #[cfg(test)]
    pub(crate) fn add<const W: usize>(&mut self, slab: usize, bits: &[u32]) {
        self.slabs_mut(slab..slab + 1).for_each(|mut slab| slab.add::<W>(bits));
    }

    /// The set, to be read.
    pub(crate) fn view(&self) -> BitsetView<'_> {
        BitsetView { words: bytemuck::cast_slice(&self.words), active: &self.active, shape: self.shape }
    }
}

/// A set that a pass reads from.
#[derive(Clone, Copy)]
pub(crate) struct BitsetView<'a> {
    words: &'a [u64],
    active: &'a BitVec<u64, Lsb0>,
    shape: SlabShape,
}

impl<'a> BitsetView<'a> {
    /// Does the row hold any position?
    #[inline(always)]
    pub(crate) fn is_active(&self, slab: usize, row: usize) -> bool {
        self.active[slab * self.shape.mask_words * 64 + row]
    }

    /// The mask of a slab's rows that hold any position.
    #[inline(always)]
    pub(crate) fn active_rows<const W: usize>(&self, slab: usize) -> &'a Row<W> {
        let start = slab * self.shape.mask_words;
        self.active.as_raw_slice()[start..start + W].try_into().expect("a mask has W words")
    }

    /// The words of a row.
    #[inline(always)]
    pub(crate) fn row<const W: usize>(&self, slab: usize, row: usize) -> &'a Row<W> {
        let start = slab * self.shape.words + row * self.shape.row_words;
        self.words[start..start + W].try_into().expect("a row has W words")
    }
}

/// One slab of a set, to be written.
pub(crate) struct SlabRows<'a> {
    words: &'a mut [u64],
    active: &'a mut Bits,
}

impl SlabRows<'_> {
    /// The mask of the rows that hold any position, in words.
    #[inline(always)]
    pub(crate) fn active_words(&self) -> impl Iterator<Item = u64> + '_ {
        self.active.domain()
    }

    /// The words of a row.
    #[inline(always)]
    pub(crate) fn row<const W: usize>(&mut self, row: usize) -> &mut Row<W> {
        (&mut self.words[row * W..row * W + W]).try_into().expect("a row has W words")
    }

    /// Marks a row as holding a position, or none.
    #[inline(always)]
    pub(crate) fn set_active(&mut self, row: usize, active: bool) {
        self.active.set(row, active);
    }

    /// Replaces a row.
    #[inline(always)]
    pub(crate) fn set_row<const W: usize>(&mut self, row: usize, bits: &Row<W>) {
        *self.row(row) = *bits;
        self.set_active(row, !is_empty(bits));
    }

    /// Empties the slab, touching only rows that hold something.
    #[inline(always)]
    pub(crate) fn clear<const W: usize>(&mut self) {
        for row in self.active.iter_ones() {
            self.words[row * W..row * W + W].fill(0);
        }
        self.active.fill(false);
    }

    /// Adds some bits, by their numbers in the slab.
    #[inline(always)]
    pub(crate) fn add<const W: usize>(&mut self, bits: &[u32]) {
        let words: &mut Bits = self.words.view_bits_mut();
        for &bit in bits {
            self.active.set(bit as usize / (W * 64), true);
            words.set(bit as usize, true);
        }
    }

    /// Takes some bits away; their rows stay marked.
    #[inline(always)]
    pub(crate) fn remove(&mut self, bits: &[u32]) {
        let words: &mut Bits = self.words.view_bits_mut();
        for &bit in bits {
            words.set(bit as usize, false);
        }
    }
}

/// Has the row no position?
#[inline(always)]
pub(crate) fn is_empty<const W: usize>(row: &Row<W>) -> bool {
    row.iter().fold(0, |any, &word| any | word) == 0
}

/// The number of positions in a row.
#[inline(always)]
pub(crate) fn len<const W: usize>(row: &Row<W>) -> u64 {
    row.iter().map(|word| u64::from(word.count_ones())).sum()
}
