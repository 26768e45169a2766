//! Stripes of a slab: the placements of one piece, the other men fixed.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::{Layout, MAX_AXES, Pair, Region, SlabPart};
use makruk_rules::{Bitboard, ByColor, Color, Piece, Role, Square, attacks, between, leaper_attacks, rook_attacks};

/// The squares of a stripe's fixed pieces, in the order of [`Layout::men`].
pub type FixedSquares = ArrayVec<Square, MAX_AXES>;

/// The stripes of a material's slabs.
///
/// One man is the *fast piece*: the last man of its axis, so among like men the one on the highest square. A
/// stripe has an entry for each square of the fast piece. The other men are the *fixed pieces*; they number the
/// stripes, their axes in the layout's order, the last fastest, like men as one digit.
#[derive(Clone, Debug)]
pub struct Stripes {
    layout: Layout,
    /// The fast piece's axis.
    axis: usize,
    /// The fast piece's place in the order of [`Layout::men`].
    fast_man: usize,
    fast_piece: Piece,
    /// The squares of the fast piece's region.
    fast_squares: u64,
    /// The fixed pieces, in the order of [`Layout::men`].
    fixed_pieces: ArrayVec<Piece, MAX_AXES>,
    digits: ArrayVec<FixedDigit, MAX_AXES>,
    /// The places, among the fixed pieces, of those like the fast piece.
    like: Range<usize>,
    count: usize,
    square_offsets: [u64; 64],
}

/// The fixed pieces of one axis, a digit of the stripe's number.
#[derive(Clone, Copy, Debug)]
struct FixedDigit {
    /// The number of pieces.
    count: usize,
    /// The squares that they may stand on.
    region: Region,
    /// The number of offsets between neighbouring digits of the axis.
    stride: u64,
}

impl FixedDigit {
    fn sets(&self) -> usize {
        self.region.sets(self.count) as usize
    }
}

/// Features of a stripe that can be computed without decoding it. Each is a set of squares, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StripeFeatures {
    /// The squares on which the fast piece makes a legal position, like men below it.
    pub legal: u64,
    /// The squares that men of the other colour attack, the fast piece itself left off the board.
    pub attacked: u64,
    /// The squares that men of the fast piece's colour attack.
    pub defended: u64,
    /// The squares from which the fast piece attacks a man of the other colour, kings left out.
    pub attacking: u64,
}

impl Stripes {
    /// The stripes whose fast piece is the last man of an axis; `None` if there is no such axis.
    pub(crate) fn new(layout: Layout, axis: usize) -> Option<Stripes> {
        let fast_axis = *layout.axes().get(axis)?;
        let fast_man = layout.axes()[..=axis].iter().map(|axis| axis.count).sum::<usize>() - 1;
        let men: ArrayVec<Piece, MAX_AXES> = layout.men().collect();
        let fixed_pieces =
            men.iter().enumerate().filter(|&(man, _)| man != fast_man).map(|(_, &piece)| piece).collect();
        let fixed = |at: usize, count: usize| if at == axis { count - 1 } else { count };
        let digits: ArrayVec<FixedDigit, MAX_AXES> = layout
            .axes()
            .iter()
            .enumerate()
            .map(|(at, axis)| FixedDigit {
                count: fixed(at, axis.count),
                region: axis.region,
                stride: layout.stride(at),
            })
            .filter(|digit| digit.count > 0)
            .collect();
        let count = digits.iter().map(FixedDigit::sets).product();
        // No entry of a stripe has the fast piece outside of its region.
        let square_offsets = std::array::from_fn(|square| match Square::new(square as u8) {
            square if fast_axis.region.contains(square) => {
                u64::from(fast_axis.region.summand(square, fast_axis.count)) * layout.stride(axis)
            }
            _ => 0,
        });
        let like = fast_man + 1 - fast_axis.count..fast_man;
        let fast_piece = fast_axis.piece;
        let fast_squares = fast_axis.region.squares().0;
        Some(Stripes {
            fast_squares,
            layout,
            axis,
            fast_man,
            fast_piece,
            fixed_pieces,
            digits,
            like,
            count,
            square_offsets,
        })
    }

    /// The stripes whose fast piece is the last man of the last axis; `None` for two bare kings.
    pub fn of_last_axis(layout: Layout) -> Option<Stripes> {
        let axis = layout.axes().len().checked_sub(1)?;
        Stripes::new(layout, axis)
    }

    /// The layout of the positions.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The fast piece's axis.
    pub(crate) fn axis(&self) -> usize {
        self.axis
    }

    /// The fast piece.
    pub fn fast_piece(&self) -> Piece {
        self.fast_piece
    }

    /// The number of stripes in a slab.
    #[allow(clippy::len_without_is_empty)] // never empty
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The stripe, the fast piece's square and the fixed pieces' squares of a position with men on these squares, given
    /// in the order of [`Layout::men`]; like men in any order. `None` if there are more or fewer men.
    #[inline]
    pub(crate) fn stripe_of(&self, men: &[Square]) -> Option<(usize, Square, FixedSquares)> {
        let mut squares = ArrayVec::<Square, MAX_AXES>::new();
        squares.try_extend_from_slice(men).ok()?;
        if self.layout.like_permutations() > 1 {
            let mut start = 0;
            for axis in self.layout.axes() {
                squares.get_mut(start..start + axis.count)?.sort_unstable();
                start += axis.count;
            }
        }
        if squares.len() <= self.fast_man {
            return None;
        }
        let fast_square = squares.remove(self.fast_man);
        let mut rest: &[Square] = &squares;
        let mut stripe = 0;
        for digit in &self.digits {
            let (like, others) = rest.split_at_checked(digit.count)?;
            rest = others;
            stripe = stripe * digit.sets()
                + if digit.count == 1 { digit.region.place(like[0]) } else { digit.region.rank(like) as usize };
        }
        Some((stripe, fast_square, squares))
    }

    /// The squares of a stripe's fixed pieces.
    pub(crate) fn fixed_squares(&self, mut stripe: usize) -> FixedSquares {
        let mut squares = ArrayVec::from([Square::new(0); MAX_AXES]);
        squares.truncate(self.fixed_pieces.len());
        let mut end = squares.len();
        for digit in self.digits.iter().rev() {
            let start = end - digit.count;
            if digit.count == 1 && digit.region == Region::BOARD {
                squares[start] = Square::new((stripe % 64) as u8);
                stripe /= 64;
            } else {
                let sets = digit.sets();
                squares[start..end].copy_from_slice(&digit.region.unrank((stripe % sets) as u32, digit.count));
                stripe /= sets;
            }
            end = start;
        }
        squares
    }

    /// The squares of all stripes' fixed pieces, from the first stripe to the last.
    #[inline(always)]
    pub(crate) fn all_fixed_squares(&self) -> impl Iterator<Item = FixedSquares> + '_ {
        let (region, count) = self.digits.last().map_or((Region::BOARD, 0), |last| (last.region, last.count));
        (0..self.count).step_by(region.sets(count) as usize).flat_map(move |first| {
            let mut squares = self.fixed_squares(first);
            let start = squares.len() - count;
            region.all_sets(count).map(move |set| {
                squares[start..].iter_mut().zip(set).for_each(|(to, square)| *to = square);
                squares.clone()
            })
        })
    }

    /// The summand of the fixed pieces in the offset of a stripe's entries; [`Stripes::square_offset`] is the other.
    pub(crate) fn base_offset(&self, fixed: &[Square]) -> u64 {
        let mut rest = fixed;
        let mut offset = 0;
        for digit in &self.digits {
            let (like, others) = rest.split_at(digit.count);
            rest = others;
            offset += u64::from(digit.region.rank(like)) * digit.stride;
        }
        offset
    }

    /// Whether each of these stripes has its entries one offset after those of the stripe before, for all squares of
    /// the fast piece.
    pub(crate) fn are_neighbours(&self, stripes: &Range<usize>) -> bool {
        let last = self.layout.axes().len() - 1;
        let sets = self.digits.last().map_or(1, FixedDigit::sets);
        self.axis != last && !stripes.is_empty() && stripes.start / sets == (stripes.end - 1) / sets
    }

    /// The summand of the fast piece's square, by its number, in the offset of a stripe's entry.
    #[inline]
    pub(crate) fn square_offset(&self, square: usize) -> u64 {
        self.square_offsets[square]
    }

    /// The squares of the fast piece with which a stripe is in a part of a slab.
    pub(crate) fn squares_in(&self, part: SlabPart, fixed: &[Square]) -> u64 {
        let piece = self.layout.axes()[part.axis].piece;
        let mut men = fixed.iter().zip(&self.fixed_pieces).filter(|&(_, &of)| of == piece);
        match men.any(|(&square, _)| part.squares.contains(square)) {
            true => !0,
            false if part.axis == self.axis => part.squares.0,
            false => 0,
        }
    }

    /// Calls `visit` with the offset of each legal position of a slab, or of a part of it.
    pub fn for_each_legal(&self, slab: usize, part: Option<SlabPart>, side: Color, mut visit: impl FnMut(usize)) {
        let kings = self.layout.kings().pair(slab);
        for fixed in self.all_fixed_squares() {
            let squares = part.map_or(!0, |part| self.squares_in(part, &fixed));
            if squares == 0 {
                continue;
            }
            let features = self.features(kings, &fixed, side);
            if features.legal == 0 {
                continue;
            }
            let base = self.base_offset(&fixed);
            for square in Bitboard(features.legal & squares) {
                visit((base + self.square_offset(square.index())) as usize);
            }
        }
    }

    /// The features of the stripe with these kings and fixed pieces, `side` to move. All are empty if the fixed pieces
    /// and the kings do not stand on distinct squares.
    pub(crate) fn features(&self, kings: Pair, fixed: &[Square], side: Color) -> StripeFeatures {
        const EMPTY: StripeFeatures = StripeFeatures { legal: 0, attacked: 0, defended: 0, attacking: 0 };
        let kings_bits = Bitboard::of(kings.white).with(kings.black);
        let occupied = fixed.iter().fold(kings_bits, |bits, &square| bits.with(square));
        if occupied.len() as usize != fixed.len() + 2 {
            return EMPTY;
        }
        let own = self.fast_piece.color;
        let mut legal = self.fast_squares & !occupied.0;
        if let Some(highest) = fixed.get(self.like.clone()).and_then(<[Square]>::last) {
            legal &= !(u64::MAX >> (63 - highest.number()));
        }
        // The side that is not to move must not be in check.
        let king = kings[!side];
        let mut by = ByColor::<u64>::from_fn(|color| leaper_attacks(color, Role::King, kings[color]).0);
        let mut attacking = 0;
        for (&piece, &square) in self.fixed_pieces.iter().zip(fixed) {
            let attacked = attacks(piece.color, piece.role, square, occupied).0;
            by[piece.color] |= attacked;
            if piece.color != own {
                attacking |= attacks(!own, self.fast_piece.role, square, occupied).0;
            }
            if piece.color == side && Bitboard(attacked).contains(king) {
                // Only a rook's check can be blocked.
                legal &= if piece.role == Role::Rook { between(square, king).0 } else { 0 };
            }
        }
        if own == side {
            legal &= !match self.fast_piece.role {
                Role::Rook => rook_attacks(king, occupied).0,
                role => leaper_attacks(!own, role, king).0,
            };
        }
        StripeFeatures { legal, attacked: by[!own], defended: by[own], attacking }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;

    #[test]
    fn every_legal_position_is_one_entry_of_one_stripe() {
        for name in
            ["KRvK", "KSMvK", "KMMvK", "KRvKS", "KNvKN", "KMMMvK", "KRRvKR", "KSSvKM", "KPvK", "KRPvKP", "KMPPvK"]
        {
            let material: Material = name.parse().unwrap();
            let layout = Layout::new(material);
            for axis in 0..layout.axes().len() {
                let stripes = Stripes::new(layout.clone(), axis).unwrap();
                assert_eq!(stripes.all_fixed_squares().count(), stripes.len());
                for side in Color::ALL {
                    for slab in [0, 7, layout.slabs() - 1] {
                        let kings = layout.kings().pair(slab);
                        let mut seen = vec![false; layout.slab_len() as usize];
                        let mut visited = seen.clone();
                        stripes.for_each_legal(slab, None, side, |offset| visited[offset] = true);
                        let part = SlabPart { axis, squares: Bitboard(0xff << 40) };
                        let mut visited_in_part = vec![false; visited.len()];
                        stripes.for_each_legal(slab, Some(part), side, |offset| visited_in_part[offset] = true);
                        let mut expected = vec![false; visited.len()];
                        part.offsets(&layout)
                            .into_iter()
                            .flatten()
                            .for_each(|offset| expected[offset] = visited[offset]);
                        assert!(visited_in_part == expected, "{name} {axis}");
                        for (stripe, fixed) in stripes.all_fixed_squares().enumerate() {
                            assert_eq!(fixed, stripes.fixed_squares(stripe));
                            let base = stripes.base_offset(&fixed);
                            if stripe > 0 && stripes.are_neighbours(&(stripe - 1..stripe + 1)) {
                                assert_eq!(base, stripes.base_offset(&stripes.fixed_squares(stripe - 1)) + 1);
                            }
                            for square in Bitboard(stripes.features(kings, &fixed, side).legal) {
                                let offset = base + stripes.square_offset(square.index());
                                assert!(!std::mem::replace(&mut seen[offset as usize], true));
                                let men = layout.squares_at(offset);
                                assert_eq!(stripes.stripe_of(&men), Some((stripe, square, fixed.clone())));
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
    fn an_axis_that_the_layout_lacks_has_no_stripes() {
        assert!(Stripes::new(Layout::new("KRRvKR".parse().unwrap()), 2).is_none());
    }
}
