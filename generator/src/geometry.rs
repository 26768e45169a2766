//! How a set's positions lie in memory while it is solved.
//!
//! A set is a list of slabs, one per king pair. A slab is an array over the squares of the other men but the last,
//! whose square is a bit in a `u64`. The innermost array axis makes a *row* of 64 words; sets of three men have rows of
//! one word. Like men have an axis each and are told apart here: the file's ranking is applied on writing.

use arrayvec::ArrayVec;
use makruk_tables::index::{Layout, MAX_AXES, Pair, Transform};
use makruk_tables::material::Material;
use makruk_tables::rules::{Bitboard, ByColor, Color, Piece, Square, king_attacks};

/// A king's move seen from the position before it: where the position after it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KingMove {
    /// The slab the king's move leads to.
    pub slab: usize,
    /// Takes squares of this slab to squares of that one.
    pub transform: Transform,
}

/// The shape of a set: slabs, rows, words.
#[derive(Debug)]
pub(crate) struct Geometry {
    layout: Layout,
    men: ArrayVec<Piece, MAX_AXES>,
    king_moves: ByColor<Vec<ArrayVec<KingMove, 8>>>,
}

/// What role a man plays in the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// An axis over rows; 0 is the slowest.
    Outer(usize),
    /// The axis over the words of a row.
    Inner,
    /// The bit in a word.
    Bit,
}

/// The men whose squares are the same all over a row.
#[derive(Clone, Debug)]
pub(crate) struct RowMen {
    /// The kings.
    pub kings: Pair,
    /// The outer axes' squares.
    pub outer: ArrayVec<Square, MAX_AXES>,
}

impl RowMen {
    /// Both kings' squares.
    pub(crate) fn king_bits(&self) -> u64 {
        Bitboard::of(self.kings.white).with(self.kings.black).0
    }

    /// The squares of kings and outer men.
    pub(crate) fn fixed(&self) -> u64 {
        self.outer.iter().fold(self.king_bits(), |bits, square| bits | 1 << square.number())
    }

    /// How many men the row fixes.
    pub(crate) fn count(&self) -> u32 {
        2 + self.outer.len() as u32
    }
}

impl Geometry {
    /// The shape of a set.
    pub(crate) fn new(material: Material) -> Geometry {
        let layout = Layout::new(material);
        let men = layout.men().collect();
        let kings = layout.kings();
        let king_moves = ByColor::from_fn(|color| {
            (0..kings.len())
                .map(|slab| {
                    let pair = kings.pair(slab);
                    king_attacks(pair[color])
                        .into_iter()
                        .filter_map(|to| {
                            let mut moved = pair;
                            moved[color] = to;
                            kings.fold(moved).map(|(slab, transform)| KingMove { slab, transform })
                        })
                        .collect()
                })
                .collect()
        });
        Geometry { layout, men, king_moves }
    }

    /// The file's order of the set.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The men besides the kings, in the order of the axes.
    pub(crate) fn men(&self) -> &[Piece] {
        &self.men
    }

    /// Which place in the array each man has.
    pub(crate) fn place(&self, man: usize) -> Place {
        match self.men.len() - man {
            1 => Place::Bit,
            2 => Place::Inner,
            _ => Place::Outer(man),
        }
    }

    /// How many slabs.
    pub(crate) fn slabs(&self) -> usize {
        self.layout.slabs()
    }

    /// How many axes lie over the rows.
    pub(crate) fn outer(&self) -> usize {
        self.men.len().saturating_sub(2)
    }

    /// How many rows a slab has.
    pub(crate) fn rows(&self) -> usize {
        1 << (6 * self.outer())
    }

    /// How many words a row has: 1 with three men, else 64.
    pub(crate) fn row_words(&self) -> usize {
        if self.men.len() == 1 { 1 } else { 64 }
    }

    /// How many words a slab has.
    pub(crate) fn slab_words(&self) -> usize {
        self.rows() * self.row_words()
    }

    /// How many words the activity mask of a slab has: a bit for each row.
    pub(crate) fn mask_words(&self) -> usize {
        self.rows().div_ceil(64)
    }

    /// The moves of a slab's king.
    pub(crate) fn king_moves(&self, color: Color, slab: usize) -> &[KingMove] {
        &self.king_moves[color][slab]
    }

    /// The men that a row fixes.
    #[inline(always)]
    pub(crate) fn row_men(&self, slab: usize, row: usize) -> RowMen {
        let mut outer = ArrayVec::new();
        for axis in (0..self.outer()).rev() {
            outer.push(Square::new((row >> (6 * axis) & 63) as u8));
        }
        RowMen { kings: self.layout.kings().pair(slab), outer }
    }

    /// The row with an outer man on another square.
    #[inline(always)]
    pub(crate) fn row_with(&self, row: usize, axis: usize, square: Square) -> usize {
        let shift = 6 * (self.outer() - 1 - axis);
        row & !(63 << shift) | square.index() << shift
    }

    /// The row under a transform of the board.
    #[inline(always)]
    pub(crate) fn row_under(&self, men: &RowMen, transform: Transform) -> usize {
        men.outer.iter().fold(0, |row, &square| row << 6 | transform.square(square).index())
    }
}
