//! The layout of a material's positions in memory while it is solved.
//!
//! A material is a list of slabs, one per pair of kings. A slab is an array over the squares of the other men except
//! the last, whose square is a bit in a `u64`. The innermost array axis makes a *row* of 64 words. Materials of three
//! men have rows of one word, and so have those whose like men would else be told apart too often. Men within the rows
//! have an axis each, also like men, which are told apart there; like men whose squares a row fixes share one
//! ([`Rows`]). Every axis has 64 squares, also those of pawns, so that all kernels are alike.
//!
//! The order of the men decides how many rows there are ([`order_of_men`]).

use std::sync::{LazyLock, OnceLock};

use arrayvec::ArrayVec;
use makruk_format::index::{KingPairs, Layout, MAX_AXES, Pair, Region, Symmetry, Transform};
use makruk_rules::{Bitboard, ByColor, Color, Piece, Role, Square, king_attacks};
use makruk_tables::material::Material;

use super::plane::PLANE_WORDS;
use super::row_moves::RowMoves;
use super::rows::{OuterSquares, Rows};
use crate::options::Budget;

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
    /// The place of each man among those of the layout.
    in_file: ArrayVec<usize, MAX_AXES>,
    /// The squares of each man in a position of the material, as bits.
    regions: ArrayVec<u64, MAX_AXES>,
    has_inner: bool,
    /// The placements of the outer men.
    rows: Rows,
    row_moves: OnceLock<RowMoves>,
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
    pub outer: OuterSquares,
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
}

/// The men of a layout in the order of the solver's axes, of which the first `outer` are outer ones.
///
/// Like men among the outer ones make fewer rows. Of an outer pawn's rows, half are skipped, since the pawn can
/// neither stand nor be promoted there. So pawns or a group of like men may come first; otherwise the order is the
/// file's.
fn order_of_men(layout: &Layout, outer: usize) -> ArrayVec<Piece, MAX_AXES> {
    let in_file: ArrayVec<Piece, MAX_AXES> = layout.men().collect();
    let first = |is_first: &dyn Fn(Piece) -> bool| {
        let mut men = in_file.clone();
        men.sort_by_key(|&piece| !is_first(piece));
        men
    };
    let pawns_first = first(&|piece| piece.role == Role::Pawn);
    // Mets have fewer moves than knights and rooks, which are cheaper within the rows.
    let groups = layout.axes().iter().rev().filter(|axis| axis.count > 1);
    let orders = std::iter::once(pawns_first).chain(groups.map(|axis| first(&|piece| piece == axis.piece)));
    let cost = |men: &ArrayVec<Piece, MAX_AXES>| {
        let outer = &men[..outer];
        Rows::of(outer).len() >> outer.iter().filter(|piece| piece.role == Role::Pawn).count()
    };
    orders.min_by_key(cost).expect("there is an order")
}

impl Geometry {
    /// The shape that a material is solved in under the usual budget.
    #[cfg(test)]
    pub(crate) fn new(material: Material) -> Geometry {
        Geometry::within(material, &Budget::default())
    }

    /// The shape that a material is solved in: rows of 64 words, whose kernels are several times as quick, or of one
    /// word where that makes sets of positions small.
    pub(crate) fn within(material: Material, budget: &Budget) -> Geometry {
        let shape = Geometry::with_inner(material, true);
        let of_one_word = Geometry::with_inner(material, false);
        let is_worth_it = of_one_word.slab_words() * budget.one_word_saving <= shape.slab_words();
        if is_worth_it { of_one_word } else { shape }
    }

    /// A shape. Without an inner axis its rows have one word, and all men but the last an outer axis: with five men as
    /// many outer axes as six usually have.
    pub(crate) fn with_inner(material: Material, inner: bool) -> Geometry {
        let layout = Layout::new(material);
        let has_inner = inner && material.men() > 3;
        let outer = material.men() - 3 - usize::from(has_inner);
        let men = order_of_men(&layout, outer);
        let king_moves = king_moves_under(layout.symmetry());
        let mut in_file: ArrayVec<usize, MAX_AXES> = (0..men.len()).collect();
        let layout_men: ArrayVec<Piece, MAX_AXES> = layout.men().collect();
        in_file.sort_by_key(|&place| men.iter().position(|&piece| piece == layout_men[place]));
        let regions = men.iter().map(|&piece| Region::of(piece).squares().0).collect();
        let (rows, row_moves) = (Rows::of(&men[..outer]), OnceLock::new());
        Geometry { layout, has_inner, rows, row_moves, men, in_file, regions, king_moves }
    }

    /// The order of the material's positions in files.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The men besides the kings, in the order of the axes.
    pub(crate) fn men(&self) -> &[Piece] {
        &self.men
    }

    /// The squares on which a man may stand in a position of the material, as bits.
    #[inline(always)]
    pub(crate) fn region(&self, man: usize) -> u64 {
        self.regions[man]
    }

    /// Whether no bit of a row can be a position, or stand for one, because a pawn is where none may stand or be
    /// promoted.
    pub(crate) fn is_void(&self, men: &RowMen) -> bool {
        let outer = men.outer.iter().zip(self.men.iter().zip(&self.regions));
        outer.filter(|(_, (piece, _))| piece.role == Role::Pawn).any(|(&square, (piece, &region))| {
            region >> square.number() & 1 == 0 && square.rank() != piece.color.promotion_rank()
        })
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
        self.rows.len()
    }

    /// The moves from row to row. `None` if a mask of the rows is itself like a row, of one word or of 64, so that
    /// kernels find them. This needs an axis for each outer man, and at most two of them.
    #[inline(always)]
    pub(crate) fn row_moves(&self) -> Option<&RowMoves> {
        let has_moves = self.has_row_moves();
        has_moves.then(|| self.row_moves.get_or_init(|| RowMoves::new(&self.men[..self.outer()], &self.rows)))
    }

    fn has_row_moves(&self) -> bool {
        let masks_are_rows = self.rows.is_plain() && self.outer() <= 2;
        !masks_are_rows
    }

    /// The most bytes of the moves from row to row.
    pub(crate) fn row_moves_bytes(&self) -> u64 {
        if self.has_row_moves() { RowMoves::bytes(&self.men[..self.outer()], &self.rows) } else { 0 }
    }

    /// The number of cells that stand for one position, like men being named in every order within the rows.
    pub(crate) fn cells_of_a_position(&self) -> u64 {
        self.layout.like_permutations() / self.rows.orders()
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

    /// The number of planes of a slab.
    #[inline(always)]
    pub(crate) fn planes(&self) -> usize {
        self.slab_words().div_ceil(PLANE_WORDS)
    }

    /// The number of words of a mask with a bit for each row.
    #[inline(always)]
    pub(crate) fn mask_words(&self) -> usize {
        self.rows().div_ceil(64)
    }

    /// The number of words of a plane; the last of a slab may need fewer.
    pub(crate) fn plane_words(&self) -> usize {
        self.slab_words().min(PLANE_WORDS)
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
        RowMen { kings: self.layout.kings().pair(slab), outer: self.rows.squares(row) }
    }

    /// The row with an outer man on another square; `None` if a like man stands there.
    #[inline(always)]
    pub(crate) fn row_with(&self, row: usize, men: &RowMen, axis: usize, square: Square) -> Option<usize> {
        if self.rows.is_plain() {
            let shift = 6 * (self.outer() - 1 - axis);
            return Some(row & !(63 << shift) | square.index() << shift);
        }
        self.row_of_like_men_with(men, axis, square)
    }

    // Not inlined into the passes, as in `Rows`.
    #[inline(never)]
    fn row_of_like_men_with(&self, men: &RowMen, axis: usize, square: Square) -> Option<usize> {
        let mut outer = men.outer.clone();
        outer[axis] = square;
        self.rows.number(&outer)
    }

    /// A cell of the position in which the men of the layout stand on these squares.
    fn cell(&self, in_file: &[Square]) -> u32 {
        let squares: OuterSquares = self.in_file.iter().map(|&place| in_file[place]).collect();
        let (outer, within) = squares.split_at(self.outer());
        let row = self.row_of(&outer.iter().copied().collect());
        within.iter().fold(row as u32, |cell, square| cell << 6 | square.index() as u32)
    }

    /// The parts that the axes of the layout have in the number of a cell, by digit: each has its own, whatever the
    /// other men do. A cell of a position is the sum, beyond the largest number from 0 again.
    pub(crate) fn parts_in_file_order(&self) -> Vec<Vec<u32>> {
        let axes = self.layout.axes();
        let first: ArrayVec<Square, MAX_AXES> =
            axes.iter().flat_map(|axis| axis.region.unrank(0, axis.count)).collect();
        let (mut man, mut before) = (0, 0);
        let parts = axes.iter().map(|axis| {
            let part = |rank| {
                let mut squares = first.clone();
                squares[man..man + axis.count].copy_from_slice(&axis.region.unrank(rank, axis.count));
                self.cell(&squares).wrapping_sub(before)
            };
            let parts = (0..axis.sets()).map(part).collect();
            // The first axis has the first cell in its parts.
            (man, before) = (man + axis.count, self.cell(&first));
            parts
        });
        parts.collect()
    }

    /// The row under a transform of the board.
    #[inline(always)]
    pub(crate) fn row_under(&self, men: &RowMen, transform: Transform) -> usize {
        if self.rows.is_plain() {
            return men.outer.iter().fold(0, |row, &square| row << 6 | transform.square(square).index());
        }
        self.row_of_like_men_under(men, transform)
    }

    // Not inlined into the passes, as in `Rows`.
    #[inline(never)]
    fn row_of_like_men_under(&self, men: &RowMen, transform: Transform) -> usize {
        let mut outer = men.outer.clone();
        outer.iter_mut().for_each(|square| *square = transform.square(*square));
        self.row_of(&outer)
    }

    /// The row of the outer men's squares, which like men do not share.
    #[inline(always)]
    pub(crate) fn row_of(&self, outer: &OuterSquares) -> usize {
        self.rows.number(outer).expect("like men stand on squares of their own")
    }
}
