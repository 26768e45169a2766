//! Sets of positions, one bit each.

use std::io;

use memmap2::MmapMut;

use crate::geometry::Geometry;

/// A set of positions of one side to move, with a mask of the rows that hold any.
#[derive(Debug)]
pub(crate) struct PositionSet {
    words: MmapMut,
    active: Vec<u64>,
}

impl PositionSet {
    /// No position.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub(crate) fn empty(geometry: &Geometry) -> io::Result<PositionSet> {
        let words = MmapMut::map_anon(geometry.slabs() * geometry.slab_words() * size_of::<u64>())?;
        // A row is read here, the next one in another slab: with small pages the processor would look up each page anew.
        // Where the system has none larger, small ones do.
        #[cfg(target_os = "linux")]
        let _ = words.advise(memmap2::Advice::HugePage);
        Ok(PositionSet { words, active: vec![0; geometry.slabs() * geometry.mask_words()] })
    }

    /// The words, slab after slab.
    pub(crate) fn words(&self) -> &[u64] {
        bytemuck::cast_slice(&self.words)
    }

    /// The words and masks, to be changed.
    pub(crate) fn parts_mut(&mut self) -> (&mut [u64], &mut [u64]) {
        (bytemuck::cast_slice_mut(&mut self.words), &mut self.active)
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

    /// A mask of the slab's rows that hold any position.
    #[inline(always)]
    pub(crate) fn active_rows<const W: usize>(&self, slab: usize) -> &'a [u64; W] {
        let start = slab * self.mask_words;
        self.active[start..start + W].try_into().expect("a mask has W words")
    }

    /// A row's words.
    #[inline(always)]
    pub(crate) fn row<const W: usize>(&self, slab: usize, row: usize) -> &'a [u64; W] {
        let start = slab * self.slab_words + row * self.row_words;
        self.words[start..start + W].try_into().expect("a row has W words")
    }
}
