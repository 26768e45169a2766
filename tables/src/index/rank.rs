//! Ranks of like men: a set of k squares as one number below C(64, k).

use arrayvec::ArrayVec;

use crate::material::MAX_MEN;
use crate::rules::Square;

/// The most men besides the kings, alike or not: the most axes of a layout, and the most squares of a rank.
pub const MAX_AXES: usize = MAX_MEN - 2;

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

/// The number of sets of `k` squares.
pub const fn sets(k: usize) -> u32 {
    CHOOSE[64][k]
}

/// The rank of a set of distinct squares given in ascending order: sets are ordered by their highest square, then by the
/// next one down.
pub fn rank(squares: &[Square]) -> u32 {
    squares.iter().enumerate().map(|(i, square)| CHOOSE[square.index()][i + 1]).sum()
}

/// The summand of a square in the rank of a set in which it is the `k`-th from below, counted from 1.
pub(super) fn summand(square: u8, k: usize) -> u32 {
    CHOOSE[usize::from(square)][k]
}

/// The set of `k` squares with this rank, ascending.
///
/// # Panics
///
/// If there is no such set: `rank` must be below [`sets`]`(k)`.
pub fn unrank(mut rank: u32, k: usize) -> ArrayVec<Square, MAX_AXES> {
    assert!(rank < sets(k), "there are {} sets of {k} squares, none has rank {rank}", sets(k));
    let mut squares = ArrayVec::new();
    for k in (1..=k).rev() {
        // The rank of one square is its number.
        let square = if k == 1 { rank as usize } else { highest(rank, k) };
        rank -= CHOOSE[square][k];
        squares.push(Square::new(square as u8));
    }
    squares.reverse();
    squares
}

/// The highest square whose summand as the `k`-th of a set is at most `rank`.
fn highest(rank: u32, k: usize) -> usize {
    // C(0, k) is 0, so there is such a square.
    CHOOSE[..64].partition_point(|row| row[k] <= rank) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_a_bijection() {
        assert_eq!((sets(1), sets(2), sets(3), sets(5)), (64, 2016, 41_664, 7_624_512));
        for k in 1..=3 {
            for n in 0..sets(k) {
                let squares = unrank(n, k);
                assert!(squares.windows(2).all(|two| two[0] < two[1]));
                assert_eq!(rank(&squares), n);
            }
        }
        for n in (0..sets(5)).step_by(997).chain([sets(5) - 1]) {
            assert_eq!(rank(&unrank(n, 5)), n);
        }
    }
}
