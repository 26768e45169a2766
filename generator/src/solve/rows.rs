//! The rows of a slab: a number for each placement of the outer men.
//!
//! The outer men are digits of a row's number, the slowest first. The digit of a single man is its square. The digit of
//! like men is the rank of their squares, so that a placement of like men has one row, in whatever order they are
//! named.

use std::sync::OnceLock;

use arrayvec::ArrayVec;
use makruk_format::index::{MAX_AXES, Region};
use makruk_rules::{Piece, Square};

/// The squares of the outer men, in the order of their axes; those of like men ascend.
pub(crate) type OuterSquares = ArrayVec<Square, MAX_AXES>;

/// The numbers of a slab's rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    /// The number of like men of each digit, the slowest first.
    digits: ArrayVec<usize, MAX_AXES>,
    /// The number of rows.
    len: usize,
    /// Whether each outer man has a digit of his own.
    is_plain: bool,
    /// By row, the squares of like men.
    squares: OnceLock<Vec<OuterSquares>>,
}

impl Rows {
    /// The rows of some outer men. Like men are next to each other.
    pub(crate) fn of(outer: &[Piece]) -> Rows {
        let digits: ArrayVec<usize, MAX_AXES> = outer.chunk_by(|a, b| a == b).map(<[Piece]>::len).collect();
        let len = digits.iter().map(|&men| Region::BOARD.sets(men) as usize).product();
        Rows { is_plain: digits.iter().all(|&men| men == 1), digits, len, squares: OnceLock::new() }
    }

    /// The number of rows.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether each outer man has a digit of his own, of six bits.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// The number of orders in which like men of a row can be named.
    pub(crate) fn orders(&self) -> u64 {
        self.digits.iter().map(|&men| (1..=men as u64).product::<u64>()).product()
    }

    /// The squares of the outer men in a row.
    #[inline(always)]
    pub(crate) fn squares(&self, row: usize) -> OuterSquares {
        if !self.is_plain {
            return self.listed_squares(row);
        }
        let mut squares = OuterSquares::new();
        for axis in (0..self.digits.len()).rev() {
            squares.push(Square::new((row >> (6 * axis) & 63) as u8));
        }
        squares
    }

    /// The bytes of the list of the squares of this number of rows.
    pub(crate) const fn squares_bytes(rows: u64) -> u64 {
        rows * size_of::<OuterSquares>() as u64
    }

    // Not inlined into the passes, which would be slower for it where no men are alike.
    #[inline(never)]
    fn listed_squares(&self, row: usize) -> OuterSquares {
        let list = || (0..self.len).map(|row| self.squares_of_like_men(row)).collect();
        self.squares.get_or_init(list)[row].clone()
    }

    fn squares_of_like_men(&self, mut row: usize) -> OuterSquares {
        let mut squares = OuterSquares::new();
        // The fastest digit first, its men from above.
        for &men in self.digits.iter().rev() {
            let sets = Region::BOARD.sets(men) as usize;
            squares.extend(Region::BOARD.unrank((row % sets) as u32, men).into_iter().rev());
            row /= sets;
        }
        squares.reverse();
        squares
    }

    /// The row of the outer men's squares, those of like men in any order; `None` if like men share a square.
    #[inline(always)]
    pub(crate) fn number(&self, squares: &OuterSquares) -> Option<usize> {
        if self.is_plain {
            return Some(squares.iter().fold(0, |row, square| row << 6 | square.index()));
        }
        self.number_of_like_men(squares)
    }

    #[inline(never)]
    fn number_of_like_men(&self, squares: &OuterSquares) -> Option<usize> {
        // Most materials of six men have a pair.
        if let ([2], &[a, b]) = (&self.digits[..], &squares[..]) {
            return (a != b).then(|| Region::BOARD.rank(&[a.min(b), a.max(b)]) as usize);
        }
        let mut squares = squares.clone();
        let (mut row, mut rest) = (0, &mut squares[..]);
        for &men in &self.digits {
            let (like, others) = rest.split_at_mut(men);
            rest = others;
            if men > 1 {
                like.sort_unstable();
                if like.windows(2).any(|two| two[0] == two[1]) {
                    return None;
                }
            }
            row = row * Region::BOARD.sets(men) as usize + Region::BOARD.rank(like) as usize;
        }
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(outer: &str) -> Rows {
        let men: Vec<Piece> = outer.chars().map(|letter| Piece::from_letter(letter).unwrap()).collect();
        Rows::of(&men)
    }

    #[test]
    fn rows_and_squares_are_a_bijection() {
        let mut rng = fastrand::Rng::with_seed(31);
        for (outer, len, orders) in [
            ("", 1, 1),
            ("R", 64, 1),
            ("RN", 4096, 1),
            ("Mm", 4096, 1),
            ("MM", 2016, 2),
            ("MMM", 41_664, 6),
            ("MMMM", 635_376, 24),
            ("SMM", 129_024, 2),
            ("MMr", 129_024, 2),
        ] {
            let rows = rows(outer);
            assert_eq!((rows.len(), rows.orders()), (len, orders), "{outer}");
            for row in (0..len).step_by(len / 2000 + 1).chain([len - 1]) {
                let mut squares = rows.squares(row);
                assert_eq!(squares.len(), outer.len());
                assert_eq!(rows.number(&squares), Some(row), "{outer}");
                // Like men in another order.
                let mut start = 0;
                for &men in &rows.digits {
                    assert!(squares[start..start + men].is_sorted());
                    rng.shuffle(&mut squares[start..start + men]);
                    start += men;
                }
                assert_eq!(rows.number(&squares), Some(row), "{outer}");
            }
        }
        let two_on_one = [Square::new(9); 2].into_iter().collect();
        assert_eq!(rows("MM").number(&two_on_one), None);
        assert_eq!(rows("Mm").number(&two_on_one), Some(9 << 6 | 9));
    }
}
