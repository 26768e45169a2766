//! A slab cut into boards: one man moves over all 64 squares, the others stand still.

use arrayvec::ArrayVec;

use super::{Layout, MAX_AXES, Pair, rank};
use crate::rules::{Bitboard, ByColor, Color, Piece, Role, Square, attacks, between, leaper_attacks, rook_attacks};

/// The squares of the men that stand still on a board, in the order of [`Layout::men`].
pub type Outer = ArrayVec<Square, MAX_AXES>;

/// How a slab of a set is cut into boards.
///
/// One man is the *runner*: the last man of its axis, so that of like men it is the one on the highest square. A board has a
/// cell for each of its squares. The other men number the boards, their axes in the layout's order, the last fastest, like
/// men as one digit.
#[derive(Clone, Debug)]
pub struct Stripes {
    layout: Layout,
    /// The runner's axis.
    axis: usize,
    /// Which man runs, in the order of [`Layout::men`].
    runner: usize,
    piece: Piece,
    /// The men that stand still, and the first of them that is of the runner's kind, with how many of these there are.
    outer: ArrayVec<Piece, MAX_AXES>,
    /// For each axis with men that stand still: how many, and how many offsets one step of its rank is.
    digits: ArrayVec<(usize, u64), MAX_AXES>,
    /// Where among the men that stand still those like the runner are.
    like: std::ops::Range<usize>,
    boards: usize,
    cell_offsets: [u64; 64],
}

/// What is to be known of a board before its values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripeFeatures {
    /// The squares on which the runner makes a legal position, of like men the highest.
    pub stored: u64,
    /// Squares that men of the other colour attack, the runner itself left off the board.
    pub attacked: u64,
    /// Squares that men of its own colour attack.
    pub defended: u64,
    /// Squares from which it attacks a man of the other colour, kings left out.
    pub attacking: u64,
}

impl Stripes {
    /// The boards of a layout on which the last man of an axis runs; `None` if there is no such axis.
    pub fn new(layout: Layout, axis: usize) -> Option<Stripes> {
        let runs = *layout.axes().get(axis)?;
        let runner = layout.axes()[..=axis].iter().map(|axis| axis.count).sum::<usize>() - 1;
        let men: ArrayVec<Piece, MAX_AXES> = layout.men().collect();
        let outer = men.iter().enumerate().filter(|&(man, _)| man != runner).map(|(_, &piece)| piece).collect();
        let still = |at: usize, count: usize| if at == axis { count - 1 } else { count };
        let digits: ArrayVec<(usize, u64), MAX_AXES> = layout
            .axes()
            .iter()
            .enumerate()
            .map(|(at, axis)| (still(at, axis.count), layout.stride(at)))
            .filter(|&(count, _)| count > 0)
            .collect();
        let boards = digits.iter().map(|&(count, _)| rank::sets(count) as usize).product();
        let cell_offsets =
            std::array::from_fn(|square| u64::from(rank::part(square as u8, runs.count)) * layout.stride(axis));
        let like = runner + 1 - runs.count..runner;
        Some(Stripes { layout, axis, runner, piece: runs.piece, outer, digits, like, boards, cell_offsets })
    }

    /// The boards on which the last man of the last axis runs; `None` for two bare kings.
    pub fn of_last_axis(layout: Layout) -> Option<Stripes> {
        let axis = layout.axes().len().checked_sub(1)?;
        Stripes::new(layout, axis)
    }

    /// The layout that numbers positions.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The axis whose last man runs.
    pub fn axis(&self) -> usize {
        self.axis
    }

    /// The man that runs.
    pub fn runner(&self) -> Piece {
        self.piece
    }

    /// Stripes per slab.
    #[allow(clippy::len_without_is_empty)] // never empty
    pub fn len(&self) -> usize {
        self.boards
    }

    /// The board and the runner's square of men in the order of [`Layout::men`]; like men in any order.
    #[inline]
    pub fn place(&self, men: &[Square]) -> Option<(usize, Square, Outer)> {
        let mut squares = ArrayVec::<Square, MAX_AXES>::new();
        squares.try_extend_from_slice(men).ok()?;
        if self.layout.like_permutations() > 1 {
            let mut start = 0;
            for axis in self.layout.axes() {
                squares.get_mut(start..start + axis.count)?.sort_unstable();
                start += axis.count;
            }
        }
        if squares.len() <= self.runner {
            return None;
        }
        let runner = squares.remove(self.runner);
        let mut rest: &[Square] = &squares;
        let mut board = 0;
        for &(count, _) in &self.digits {
            let (like, others) = rest.split_at_checked(count)?;
            rest = others;
            board = board * rank::sets(count) as usize
                + if count == 1 { like[0].index() } else { rank::rank(like) as usize };
        }
        Some((board, runner, squares))
    }

    /// The squares of the men that stand still on a board.
    pub fn outer(&self, mut board: usize) -> Outer {
        let mut squares = ArrayVec::from([Square::new(0); MAX_AXES]);
        squares.truncate(self.outer.len());
        let mut end = squares.len();
        for &(count, _) in self.digits.iter().rev() {
            let start = end - count;
            if count == 1 {
                squares[start] = Square::new((board % 64) as u8);
                board /= 64;
            } else {
                let sets = rank::sets(count) as usize;
                squares[start..end].copy_from_slice(&rank::unrank((board % sets) as u32, count));
                board /= sets;
            }
            end = start;
        }
        squares
    }

    /// The offset in the slab of a board's cell is this plus the cell's [`Stripes::cell_offset`].
    pub fn base(&self, outer: &[Square]) -> u64 {
        let mut rest = outer;
        let mut offset = 0;
        for &(count, stride) in &self.digits {
            let (like, others) = rest.split_at(count);
            rest = others;
            offset += u64::from(rank::rank(like)) * stride;
        }
        offset
    }

    /// What the runner's square adds to a board's base.
    #[inline]
    pub fn cell_offset(&self, cell: usize) -> u64 {
        self.cell_offsets[cell]
    }

    /// Calls `visit` with the offset of each legal position of a slab; of like men each set of squares once.
    pub fn each_legal(&self, slab: usize, side: Color, mut visit: impl FnMut(usize)) {
        let kings = self.layout.kings().pair(slab);
        for board in 0..self.boards {
            let outer = self.outer(board);
            let scene = self.scene(kings, &outer, side);
            if scene.stored == 0 {
                continue;
            }
            let base = self.base(&outer);
            for square in Bitboard(scene.stored) {
                visit((base + self.cell_offset(square.index())) as usize);
            }
        }
    }

    /// What is to be known of a board with these kings and men standing still, `side` to move.
    pub fn scene(&self, kings: Pair, outer: &[Square], side: Color) -> StripeFeatures {
        const NOTHING: StripeFeatures = StripeFeatures { stored: 0, attacked: 0, defended: 0, attacking: 0 };
        let kings_bits = Bitboard::of(kings.white).with(kings.black);
        let occupied = outer.iter().fold(kings_bits, |bits, &square| bits.with(square));
        if occupied.len() as usize != outer.len() + 2 {
            return NOTHING;
        }
        let own = self.piece.color;
        let mut stored = !occupied.0;
        if let Some(highest) = outer.get(self.like.clone()).and_then(<[Square]>::last) {
            stored &= !(u64::MAX >> (63 - highest.number()));
        }
        // The side that is not to move must not be in check.
        let king = kings[!side];
        let mut by = ByColor::<u64>::from_fn(|color| leaper_attacks(color, Role::King, kings[color]).0);
        let mut attacking = 0;
        for (&piece, &square) in self.outer.iter().zip(outer) {
            let attacked = attacks(piece.color, piece.role, square, occupied).0;
            by[piece.color] |= attacked;
            if piece.color != own {
                attacking |= attacks(!own, self.piece.role, square, occupied).0;
            }
            if piece.color == side && Bitboard(attacked).contains(king) {
                // Only a rook's check can be blocked.
                stored &= if piece.role == Role::Rook { between(square, king).0 } else { 0 };
            }
        }
        if own == side {
            stored &= !match self.piece.role {
                Role::Rook => rook_attacks(king, occupied).0,
                role => leaper_attacks(!own, role, king).0,
            };
        }
        StripeFeatures { stored, attacked: by[!own], defended: by[own], attacking }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;

    #[test]
    fn every_legal_position_is_one_cell_of_one_board() {
        for name in ["KRvK", "KSMvK", "KMMvK", "KRvKS", "KNvKN", "KMMMvK", "KRRvKR", "KSSvKM"] {
            let material: Material = name.parse().unwrap();
            let layout = Layout::new(material);
            for axis in 0..layout.axes().len() {
                let boards = Stripes::new(layout.clone(), axis).unwrap();
                for side in Color::ALL {
                    for slab in [0, 7, layout.slabs() - 1] {
                        let kings = layout.kings().pair(slab);
                        let mut seen = vec![false; layout.slab_len() as usize];
                        let mut visited = seen.clone();
                        boards.each_legal(slab, side, |offset| visited[offset] = true);
                        for board in 0..boards.len() {
                            let outer = boards.outer(board);
                            let base = boards.base(&outer);
                            for cell in Bitboard(boards.scene(kings, &outer, side).stored) {
                                let offset = base + boards.cell_offset(cell.index());
                                assert!(!std::mem::replace(&mut seen[offset as usize], true));
                                let men = layout.men_at(offset);
                                let (found, square, still) = boards.place(&men).unwrap();
                                assert_eq!((found, square, still), (board, cell, outer.clone()));
                            }
                        }
                        assert_eq!(visited, seen);
                        let step = if layout.slab_len() > 1 << 15 { 13 } else { 1 };
                        for offset in (0..layout.slab_len()).step_by(step) {
                            let legal = layout.position_at(side, slab as u64 * layout.slab_len() + offset).is_some();
                            assert_eq!(
                                seen[offset as usize], legal,
                                "{name} {axis} {side} slab {slab} offset {offset}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn there_is_no_other_axis() {
        assert!(Stripes::new(Layout::new("KRRvKR".parse().unwrap()), 2).is_none());
    }
}
