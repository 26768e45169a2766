//! King pairs, folded by symmetry: the slabs of a table.

use std::sync::OnceLock;

use super::{Symmetry, Transform};
use makruk_rules::{ByColor, Square};

/// The two kings' squares.
pub type Pair = ByColor<Square>;

/// The king pairs of one symmetry, numbered: 462 with all eight transforms, 1806 with the mirror alone.
#[derive(Debug)]
pub struct KingPairs {
    pairs: Vec<Pair>,
    folds: Vec<Option<(u16, Transform)>>,
    symmetry: Symmetry,
}

impl KingPairs {
    /// The numbering of a symmetry's pairs, computed once per process.
    #[inline]
    pub fn of(symmetry: Symmetry) -> &'static KingPairs {
        static FULL: OnceLock<KingPairs> = OnceLock::new();
        static MIRROR: OnceLock<KingPairs> = OnceLock::new();
        let pairs = match symmetry {
            Symmetry::EightFold => &FULL,
            Symmetry::Mirror => &MIRROR,
        };
        pairs.get_or_init(|| KingPairs::new(symmetry))
    }

    fn new(symmetry: Symmetry) -> KingPairs {
        let mut pairs = Vec::new();
        for white in Square::all() {
            for black in Square::all() {
                let pair = Pair { white, black };
                if white.distance(black) > 1 && is_home(symmetry, pair) {
                    pairs.push(pair);
                }
            }
        }
        let mut folds = vec![None; 64 * 64];
        for white in Square::all() {
            for black in Square::all() {
                folds[white.index() * 64 + black.index()] = symmetry.transforms().find_map(|transform| {
                    let image = Pair { white: transform.square(white), black: transform.square(black) };
                    let slab = pairs.iter().position(|&pair| pair == image)?;
                    Some((slab as u16, transform))
                });
            }
        }
        KingPairs { pairs, folds, symmetry }
    }

    /// The number of slabs.
    #[allow(clippy::len_without_is_empty)] // never empty
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The kings of a slab.
    #[inline]
    pub fn pair(&self, slab: usize) -> Pair {
        self.pairs[slab]
    }

    /// The slab of a king pair, and the transform that maps a position with these kings into it; `None` if the kings
    /// touch.
    #[inline]
    pub fn fold(&self, pair: Pair) -> Option<(usize, Transform)> {
        self.folds[pair.white.index() * 64 + pair.black.index()].map(|(slab, transform)| (usize::from(slab), transform))
    }

    /// Whether both kings of the slab are on the diagonal a1-h8, with eight-fold symmetry. Then the slab holds every
    /// position twice, or once if the position is its own mirror image.
    #[inline]
    pub fn is_diagonal(&self, slab: usize) -> bool {
        let pair = self.pairs[slab];
        self.symmetry == Symmetry::EightFold && pair.iter().all(|&king| Transform::DIAGONAL.square(king) == king)
    }

    /// The number of positions of the full board that one offset of the slab stands for.
    pub fn weight(&self, slab: usize) -> u64 {
        match self.symmetry {
            Symmetry::Mirror => 2,
            Symmetry::EightFold if self.is_diagonal(slab) => 4,
            Symmetry::EightFold => 8,
        }
    }
}

/// Whether the pair is the one among its symmetric images that has a slab.
fn is_home(symmetry: Symmetry, pair: Pair) -> bool {
    let Pair { white, black } = pair;
    match symmetry {
        Symmetry::Mirror => white.file() < 4,
        Symmetry::EightFold => {
            white.file() < 4
                && white.rank() <= white.file()
                && (white.rank() < white.file() || black.rank() <= black.file())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_one_home_pair() {
        for (symmetry, slabs) in [(Symmetry::EightFold, 462), (Symmetry::Mirror, 1806)] {
            let pairs = KingPairs::of(symmetry);
            assert_eq!(pairs.len(), slabs);
            let mut images = vec![0u64; slabs];
            for white in Square::all() {
                for black in Square::all() {
                    match pairs.fold(Pair { white, black }) {
                        None => assert!(white.distance(black) <= 1),
                        Some((slab, transform)) => {
                            let home = pairs.pair(slab);
                            assert_eq!((transform.square(white), transform.square(black)), (home.white, home.black));
                            images[slab] += 1;
                        }
                    }
                }
            }
            assert!((0..slabs).all(|slab| images[slab] == pairs.weight(slab)));
            assert!((0..slabs).all(|slab| pairs.fold(pairs.pair(slab)) == Some((slab, Transform::IDENTITY))));
        }
        assert_eq!((0..462).filter(|&slab| KingPairs::of(Symmetry::EightFold).is_diagonal(slab)).count(), 21);
    }
}
