//! The squares that a man may stand on, and ranks of like men on them.

use arrayvec::ArrayVec;

use super::MAX_AXES;
use makruk_rules::{Bitboard, Piece, Role, Square};

/// Binomial coefficients: `CHOOSE[n][k]` sets of `k` of `n` squares.
const CHOOSE: [[u32; MAX_AXES + 1]; 65] = {
    let mut choose = [[0; MAX_AXES + 1]; 65];
    let mut n = 0;
    while n <= 64 {
        choose[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MAX_AXES {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// The squares that an axis runs over, consecutive ones: the board, or the 24 of a side's unpromoted pawns.
///
/// A set of `k` of these squares has a *rank*, one number below [`sets`](Region::sets). Sets are ordered by their
/// highest square, then by the next one down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    first: u8,
    len: u8,
}

impl Region {
    /// All 64 squares.
    pub const BOARD: Region = Region { first: 0, len: 64 };

    /// The squares on which a piece may stand.
    pub const fn of(piece: Piece) -> Region {
        match piece.role {
            Role::Pawn => {
                let Bitboard(squares) = piece.color.pawn_squares();
                Region { first: squares.trailing_zeros() as u8, len: squares.count_ones() as u8 }
            }
            _ => Region::BOARD,
        }
    }

    /// The number of squares.
    #[inline]
    #[allow(clippy::len_without_is_empty)] // never empty
    pub(crate) const fn len(self) -> usize {
        self.len as usize
    }

    /// The squares.
    pub const fn squares(self) -> Bitboard {
        Bitboard((u64::MAX >> (64 - self.len)) << self.first)
    }

    /// Whether the square is one of the region's.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        square.number().wrapping_sub(self.first) < self.len
    }

    /// The square's place in the region, counted from 0. Without a meaning for a square outside of the region.
    #[inline]
    pub(crate) const fn place(self, square: Square) -> usize {
        (square.number().wrapping_sub(self.first) & 63) as usize
    }

    /// The square at a place, which is below [`Region::len`].
    #[inline]
    const fn square(self, place: usize) -> Square {
        Square::new(self.first + place as u8)
    }

    /// The number of sets of `k` squares.
    pub const fn sets(self, k: usize) -> u32 {
        CHOOSE[self.len()][k]
    }

    /// The rank of a set of distinct squares of the region given in ascending order.
    #[inline]
    pub fn rank(self, squares: &[Square]) -> u32 {
        squares.iter().enumerate().map(|(at, &square)| self.summand(square, at + 1)).sum()
    }

    /// The rank of a set of squares of the region.
    #[inline]
    pub(crate) fn rank_of(self, squares: Bitboard) -> u32 {
        (1..).zip(squares).map(|(k, square)| self.summand(square, k)).sum()
    }

    /// The sets of `k` squares in the order of their ranks.
    pub fn all_sets(self, k: usize) -> impl Iterator<Item = Bitboard> {
        // As numbers, sets of as many squares are in the order of their ranks. The next larger number moves the lowest
        // square that has a free one above it there, and those below it to the region's first squares.
        let mut set = ((1u128 << k) - 1) as u64;
        (0..self.sets(k)).map(move |_| {
            let found = Bitboard(set << self.first);
            let lowest = set & set.wrapping_neg();
            let raised = set.wrapping_add(lowest);
            let dropped = (set ^ raised).checked_shr(2 + lowest.trailing_zeros()).unwrap_or(0);
            set = raised | dropped;
            found
        })
    }

    /// The summand of a square in the rank of a set in which it is the `k`-th from below, counted from 1.
    #[inline]
    pub(super) fn summand(self, square: Square, k: usize) -> u32 {
        CHOOSE[self.place(square)][k]
    }

    /// The set of `k` squares with this rank, ascending.
    ///
    /// # Panics
    ///
    /// If there is no such set: `rank` must be below [`sets`](Region::sets).
    pub fn unrank(self, rank: u32, k: usize) -> ArrayVec<Square, MAX_AXES> {
        let mut squares = ArrayVec::from([Square::A1; MAX_AXES]);
        squares.truncate(k);
        self.unrank_into(rank, &mut squares);
        squares
    }

    /// The set with this rank of as many squares as there is room for.
    #[inline]
    pub(super) fn unrank_into(self, mut rank: u32, squares: &mut [Square]) {
        let (k, sets) = (squares.len(), self.sets(squares.len()));
        assert!(rank < sets, "there are {sets} sets of {k} squares, none has rank {rank}");
        for (at, square) in squares.iter_mut().enumerate().rev() {
            let k = at + 1;
            // The rank of one square is its place.
            let place = if k == 1 { rank as usize } else { self.highest(rank, k) };
            rank -= CHOOSE[place][k];
            *square = self.square(place);
        }
    }

    /// The highest place whose summand as the `k`-th of a set is at most `rank`.
    fn highest(self, rank: u32, k: usize) -> usize {
        // C(0, k) is 0, so there is such a place.
        CHOOSE[..self.len()].partition_point(|row| row[k] <= rank) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use makruk_rules::Color;

    #[test]
    fn ranks_are_a_bijection() {
        let board = Region::BOARD;
        assert_eq!([1, 2, 3, 5].map(|k| board.sets(k)), [64, 2016, 41_664, 7_624_512]);
        let pawns = Color::ALL.map(|color| Region::of(Piece::new(color, Role::Pawn)));
        assert_eq!([1, 2, 3, 5].map(|k| pawns[0].sets(k)), [24, 276, 2024, 42_504]);
        for region in [board, pawns[0], pawns[1]] {
            for (k, step) in [(1, 1), (2, 1), (3, 7), (5, 997)] {
                let in_order = region.all_sets(k);
                assert_eq!(in_order.size_hint(), (region.sets(k) as usize, Some(region.sets(k) as usize)));
                for (n, set) in (0..).zip(in_order).filter(|(n, _)| n % step == 0 || *n == region.sets(k) - 1) {
                    let squares = region.unrank(n, k);
                    assert!(squares.iter().copied().collect::<Bitboard>() == set && region.rank_of(set) == n);
                    assert!(squares.windows(2).all(|two| two[0] < two[1]));
                    assert!(squares.iter().all(|&square| region.contains(square)));
                    assert_eq!(region.rank(&squares), n);
                }
            }
        }
    }

    #[test]
    fn a_region_has_the_squares_of_its_piece() {
        for color in Color::ALL {
            let pawns = Region::of(Piece::new(color, Role::Pawn));
            assert_eq!(pawns.squares(), color.pawn_squares());
            assert!(Square::all().all(|square| pawns.contains(square) == pawns.squares().contains(square)));
            assert_eq!(Region::of(Piece::new(color, Role::King)), Region::BOARD);
        }
        assert_eq!(Region::BOARD.squares(), Bitboard::FULL);
    }
}
