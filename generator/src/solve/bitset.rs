//! Sets of positions, one bit each.

use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;
use makruk_format::FormatError;
use makruk_rules::Bitboard;

use super::geometry::Geometry;
use super::plane::{PLANE_WORDS, Plane};
use super::plane_memory::PlaneMemory;

/// The number of a bit in its slab, as exit seeds are stored.
pub(crate) type Seed = [u8; size_of::<u32>()];

/// The words of a row.
pub(crate) type Row<const W: usize> = [u64; W];

/// Bits in words, the lowest first.
pub(crate) type Bits = BitSlice<u64, Lsb0>;

/// The rows that one word of a mask is about.
const MASK_ROWS: usize = 64;

/// The rows of `W` words of a plane.
const fn plane_rows<const W: usize>() -> usize {
    PLANE_WORDS / W
}

/// A set of positions of one side to move, with a mask of the rows that hold any.
#[derive(Debug)]
pub(crate) struct PositionSet<'m> {
    slabs: Vec<Slab<'m>>,
}

/// One slab of a set.
#[derive(Debug, Default)]
pub(crate) struct Slab<'m> {
    planes: Box<[Plane<'m>]>,
    /// A bit for each row that holds any position.
    active: Box<[u64]>,
}

impl<'m> PositionSet<'m> {
    /// The empty set. If all planes stay in memory, it takes them here.
    pub(crate) fn empty(geometry: &Geometry, memory: &PlaneMemory<'m>) -> PositionSet<'m> {
        let plane = || if memory.is_whole() { Plane::Words(memory.take()) } else { Plane::Empty };
        let slab = |_| Slab {
            planes: (0..geometry.planes()).map(|_| plane()).collect(),
            active: vec![0; geometry.mask_words()].into(),
        };
        PositionSet { slabs: (0..geometry.slabs()).map(slab).collect() }
    }

    /// The bytes of the words of a slab.
    pub(crate) fn slab_bytes(geometry: &Geometry) -> u64 {
        (size_of::<u64>() * geometry.planes() * geometry.plane_words()) as u64
    }

    /// The bytes that a set takes besides its words.
    pub(crate) fn index_bytes(geometry: &Geometry) -> u64 {
        let planes = geometry.planes() * size_of::<Plane<'_>>() + geometry.mask_words() * size_of::<u64>();
        (geometry.slabs() * (size_of::<Slab<'_>>() + planes)) as u64
    }

    /// Takes a slab out, to be written by one thread.
    pub(super) fn take(&mut self, slab: usize) -> Slab<'m> {
        std::mem::take(&mut self.slabs[slab])
    }

    /// Puts a slab back.
    pub(super) fn put(&mut self, slab: usize, content: Slab<'m>) {
        self.slabs[slab] = content;
    }

    /// After a pass has read a slab: gives up the words of packed planes that have no room.
    pub(super) fn after_reading(&mut self, slab: usize, memory: &PlaneMemory<'m>) {
        self.slabs[slab].planes.iter_mut().for_each(|plane| plane.after_reading(memory));
    }

    /// Gives up all planes, unless they stay in memory.
    pub(super) fn give_up(&mut self, slab: usize, memory: &PlaneMemory<'m>) {
        if !memory.is_whole() {
            let Slab { planes, active } = &mut self.slabs[slab];
            planes.iter_mut().for_each(|plane| plane.empty(memory));
            active.fill(0);
        }
    }

    /// Adds some bits of a slab, by their numbers in it.
    #[cfg(test)]
    pub(crate) fn add<const W: usize>(&mut self, slab: usize, bits: &[u32], memory: &PlaneMemory<'m>) {
        let bits: Vec<Seed> = bits.iter().map(|bit| bit.to_le_bytes()).collect();
        self.slabs[slab].rows(memory).add::<W>(&bits);
    }

    /// The set, to be read.
    pub(crate) fn view<'a>(&'a self, memory: &'a PlaneMemory<'m>) -> BitsetView<'a, 'm> {
        BitsetView { slabs: &self.slabs, memory }
    }
}

impl<'m> Slab<'m> {
    /// The rows, to be written.
    pub(super) fn rows<'a>(&'a mut self, memory: &'a PlaneMemory<'m>) -> SlabRows<'a, 'm> {
        SlabRows { slab: self, memory }
    }

    /// After a pass has written the slab: packs planes that have no room.
    ///
    /// # Errors
    ///
    /// The working file cannot be written.
    pub(super) fn after_writing(&mut self, memory: &PlaneMemory<'m>) -> Result<(), FormatError> {
        if memory.is_whole() {
            Ok(())
        } else {
            self.planes.iter_mut().try_for_each(|plane| plane.after_writing(memory))
        }
    }
}

/// A set that a pass reads from.
#[derive(Clone, Copy)]
pub(crate) struct BitsetView<'a, 'm> {
    slabs: &'a [Slab<'m>],
    memory: &'a PlaneMemory<'m>,
}

impl<'a, 'm> BitsetView<'a, 'm> {
    /// Whether the row holds any position.
    #[inline(always)]
    pub(crate) fn is_active(&self, slab: usize, row: usize) -> bool {
        self.slabs[slab].active[row / MASK_ROWS] >> (row % MASK_ROWS) & 1 != 0
    }

    /// The mask of a slab's rows that hold any position.
    #[inline(always)]
    pub(crate) fn active_rows<const W: usize>(&self, slab: usize) -> &'a Row<W> {
        self.slabs[slab].active[..W].try_into().expect("a mask has W words")
    }

    /// The rows of a slab that hold any position.
    #[inline(always)]
    pub(crate) fn active_in(&self, slab: usize) -> impl Iterator<Item = usize> + 'a {
        let rows = |(word, &active): (usize, &u64)| {
            Bitboard(active).into_iter().map(move |row| word * MASK_ROWS + row.index())
        };
        self.slabs[slab].active.iter().enumerate().flat_map(rows)
    }

    /// The words of a row.
    #[inline(always)]
    pub(crate) fn row<const W: usize>(&self, slab: usize, row: usize) -> &'a Row<W> {
        self.slab(slab).row(row)
    }

    /// A slab.
    #[inline(always)]
    pub(crate) fn slab(&self, slab: usize) -> SlabView<'a, 'm> {
        SlabView { planes: &self.slabs[slab].planes, memory: self.memory }
    }
}

/// One slab of a set that a pass reads from.
#[derive(Clone, Copy)]
pub(crate) struct SlabView<'a, 'm> {
    planes: &'a [Plane<'m>],
    memory: &'a PlaneMemory<'m>,
}

impl<'a> SlabView<'a, '_> {
    /// The words of a row.
    #[inline(always)]
    pub(crate) fn row<const W: usize>(&self, row: usize) -> &'a Row<W> {
        row_of(self.planes[row / plane_rows::<W>()].words(self.memory), row)
    }
}

/// A row among the words of its plane.
#[inline(always)]
fn row_of<const W: usize>(plane: &[u64], row: usize) -> &Row<W> {
    let start = row % plane_rows::<W>() * W;
    plane[start..start + W].try_into().expect("a row has W words")
}

/// One slab of a set, to be written.
pub(crate) struct SlabRows<'a, 'm> {
    slab: &'a mut Slab<'m>,
    memory: &'a PlaneMemory<'m>,
}

impl SlabRows<'_, '_> {
    /// The mask of the rows that hold any position, in words.
    #[inline(always)]
    pub(crate) fn active_words(&self) -> impl Iterator<Item = u64> + '_ {
        self.slab.active.iter().copied()
    }

    /// The words of a row, to be read.
    #[inline(always)]
    pub(crate) fn read<const W: usize>(&self, row: usize) -> &Row<W> {
        row_of(self.slab.planes[row / plane_rows::<W>()].words(self.memory), row)
    }

    /// The words of a row.
    #[inline(always)]
    pub(crate) fn row<const W: usize>(&mut self, row: usize) -> &mut Row<W> {
        let words = self.slab.planes[row / plane_rows::<W>()].words_mut(self.memory);
        let start = row % plane_rows::<W>() * W;
        (&mut words[start..start + W]).try_into().expect("a row has W words")
    }

    /// Marks a row as holding a position, or none.
    #[inline(always)]
    pub(crate) fn set_active(&mut self, row: usize, active: bool) {
        let (mask, bit) = (&mut self.slab.active[row / MASK_ROWS], 1 << (row % MASK_ROWS));
        if active { *mask |= bit } else { *mask &= !bit }
    }

    /// Replaces a row.
    #[inline(always)]
    pub(crate) fn set_row<const W: usize>(&mut self, row: usize, bits: &Row<W>) {
        let active = !is_empty(bits);
        if active || !matches!(self.slab.planes[row / plane_rows::<W>()], Plane::Empty) {
            *self.row(row) = *bits;
        }
        self.set_active(row, active);
    }

    /// Empties the slab, touching only rows that hold something.
    #[inline(always)]
    pub(crate) fn clear<const W: usize>(&mut self) {
        let SlabRows { slab, memory } = self;
        let masks = slab.active.chunks_mut(plane_rows::<W>() / MASK_ROWS);
        for (plane, masks) in slab.planes.iter_mut().zip(masks) {
            match plane {
                Plane::Words(words) => {
                    for (mask, words) in masks.iter().zip(words.chunks_mut(MASK_ROWS * W)) {
                        Bitboard(*mask).into_iter().for_each(|row| words[row.index() * W..][..W].fill(0));
                    }
                }
                Plane::Packed { .. } | Plane::Empty => plane.empty(memory),
            }
            masks.fill(0);
        }
    }

    /// Adds some bits, by their numbers in the slab.
    #[inline(always)]
    pub(crate) fn add<const W: usize>(&mut self, bits: &[Seed]) {
        for bit in bits.iter().map(|&bit| u32::from_le_bytes(bit)) {
            let (row, word) = place_of::<W>(bit);
            self.row::<W>(row)[word] |= 1 << (bit % 64);
            self.set_active(row, true);
        }
    }

    /// Adds some words, by their numbers in the slab.
    #[inline(always)]
    pub(crate) fn add_words<const W: usize>(&mut self, words: impl Iterator<Item = (usize, u64)>) {
        for (word, added) in words {
            self.row::<W>(word / W)[word % W] |= added;
            self.set_active(word / W, true);
        }
    }

    /// Takes some words away, by their numbers in the slab.
    #[inline(always)]
    pub(crate) fn remove_words<const W: usize>(&mut self, words: impl Iterator<Item = (usize, u64)>) {
        for (word, removed) in words {
            let bits = self.row::<W>(word / W);
            bits[word % W] &= !removed;
            if is_empty(bits) {
                self.set_active(word / W, false);
            }
        }
    }

    /// Takes some bits away; their rows stay marked.
    #[inline(always)]
    pub(crate) fn remove<const W: usize>(&mut self, bits: &[Seed]) {
        for bit in bits.iter().map(|&bit| u32::from_le_bytes(bit)) {
            let (row, word) = place_of::<W>(bit);
            self.row::<W>(row)[word] &= !(1 << (bit % 64));
        }
    }
}

/// The row of a bit, and its word in the row.
#[inline(always)]
const fn place_of<const W: usize>(bit: u32) -> (usize, usize) {
    let word = bit as usize / 64;
    (word / W, word % W)
}

/// Whether the row is empty.
#[inline(always)]
pub(crate) fn is_empty<const W: usize>(row: &Row<W>) -> bool {
    row.iter().fold(0, |any, &word| any | word) == 0
}

/// The number of positions in a row.
#[inline(always)]
pub(crate) fn len<const W: usize>(row: &Row<W>) -> u64 {
    row.iter().map(|word| u64::from(word.count_ones())).sum()
}
