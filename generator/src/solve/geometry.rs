//! The layout of a material's positions in memory while it is solved.
//!
//! A material is a list of slabs, one per pair of kings. A slab is an array over the squares of the other men except the
//! last, whose square is a bit in a `u64`. The innermost array axis makes a *row* of 64 words; materials of three men have
//! rows of one word. Like men have an axis each and are told apart here: the file's ranking is applied on writing.

use std::sync::LazyLock;

use arrayvec::ArrayVec;
use makruk_tables::index::{KingPairs, Layout, MAX_AXES, Pair, Symmetry, Transform};
use makruk_tables::material::Material;
use makruk_tables::rules::{Bitboard, ByColor, Color, Piece, Square, king_attacks};

/// A king's move, seen from the position before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KingMove {
    /// The slab of the position after the move.
    pub slab: usize,
    /// Takes squares of the slab before the move to squares of that slab.
    pub transform: Transform,
}

/// The moves of both kings, slab by slab. They depend on the symmetry alone.
type KingMoves = ByColor<Vec<ArrayVec<KingMove, 8>>>;

fn king_moves_under(symmetry: Symmetry) -> &'static KingMoves {
    static EIGHT_FOLD: LazyLock<KingMoves> = LazyLock::new(|| list_king_moves(Symmetry::EightFold));
    static MIRROR: LazyLock<KingMoves> = LazyLock::new(|| list_king_moves(Symmetry::Mirror));
    match symmetry {
        Symmetry::EightFold => &EIGHT_FOLD,
        Symmetry::Mirror => &MIRROR,
    }
}

fn list_king_moves(symmetry: Symmetry) -> KingMoves {
    let kings = KingPairs::of(symmetry);
    let moves = |color, slab| {
        let pair = kings.pair(slab);
        let arrive = |to| {
            let mut moved = pair;
            moved[color] = to;
            kings.fold(moved).map(|(slab, transform)| KingMove { slab, transform })
        };
        king_attacks(pair[color]).into_iter().filter_map(arrive).collect()
    };
    ByColor::from_fn(|color| (0..kings.len()).map(|slab| moves(color, slab)).collect())
}

/// The shape of a material: slabs, rows, words.
#[derive(Debug)]
pub(crate) struct Geometry {
    layout: Layout,
    men: ArrayVec<Piece, MAX_AXES>,
    has_inner: bool,
    king_moves: &'static KingMoves,
}

/// The axis of the array that a man's square runs along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AxisKind {
    /// An axis over rows; 0 is the slowest.
    Outer(usize),
    /// The axis over the words of a row.
    Inner,
    /// The bits of a word.
    Bit,
}

/// The men whose squares are the same throughout a row.
#[derive(Clone, Debug)]
pub(crate) struct RowMen {
    /// The kings.
    pub kings: Pair,
    /// The squares of the outer axes.
    pub outer: ArrayVec<Square, MAX_AXES>,
}

impl RowMen {
    /// The squares of both kings.
    pub(crate) fn king_bits(&self) -> u64 {
        Bitboard::of(self.kings.white).with(self.kings.black).0
    }

    /// The squares of the kings and the outer men.
    pub(crate) fn fixed(&self) -> u64 {
        self.outer.iter().fold(self.king_bits(), |bits, square| bits | 1 << square.number())
    }

    /// The number of men that the row fixes.
    pub(crate) fn count(&self) -> u32 {
        2 + self.outer.len() as u32
    }
}

impl Geometry {
    /// The shape that a material is solved in.
    pub(crate) fn new(material: Material) -> Geometry {
        Geometry::with_inner(material, true)
    }

    /// A shape with rows of one word, so that all men but the last have an outer axis: a material of five men then has as
    /// many outer axes as one of six usually has.
    #[cfg(test)]
    pub(crate) fn with_rows_of_one_word(material: Material) -> Geometry {
        Geometry::with_inner(material, false)
    }

    fn with_inner(material: Material, inner: bool) -> Geometry {
        let layout = Layout::new(material);
        let men: ArrayVec<Piece, MAX_AXES> = layout.men().collect();
        let king_moves = king_moves_under(layout.symmetry());
        Geometry { layout, has_inner: inner && men.len() > 1, men, king_moves }
    }

    /// The order of the material's positions in files.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The men besides the kings, in the order of the axes.
    pub(crate) fn men(&self) -> &[Piece] {
        &self.men
    }

    /// The axis of each man.
    #[inline(always)]
    pub(crate) fn axis_kind(&self, man: usize) -> AxisKind {
        match self.men.len() - man {
            1 => AxisKind::Bit,
            2 if self.has_inner => AxisKind::Inner,
            _ => AxisKind::Outer(man),
        }
    }

    /// The number of slabs.
    pub(crate) fn slabs(&self) -> usize {
        self.layout.slabs()
    }

    /// The number of axes over the rows.
    #[inline(always)]
    pub(crate) fn outer(&self) -> usize {
        self.men.len() - 1 - usize::from(self.has_inner)
    }

    /// The number of rows of a slab.
    #[inline(always)]
    pub(crate) fn rows(&self) -> usize {
        1 << (6 * self.outer())
    }

    /// The number of words of a row: 1 with three men, else 64.
    #[inline(always)]
    pub(crate) fn row_words(&self) -> usize {
        if self.has_inner { 64 } else { 1 }
    }

    /// The number of words of a slab.
    #[inline(always)]
    pub(crate) fn slab_words(&self) -> usize {
        self.rows() * self.row_words()
    }

    /// The number of words of a slab's row mask, which has a bit for each row.
    #[inline(always)]
    pub(crate) fn mask_words(&self) -> usize {
        self.rows().div_ceil(64)
    }

    /// The number of words of all slabs.
    pub(crate) fn words(&self) -> usize {
        self.slabs() * self.slab_words()
    }

    /// The moves of a king in a slab.
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
