//! Where each man goes: from the colours and squares of a material into the slabs of the material that a move leads to.

use arrayvec::ArrayVec;

use super::{Layout, MAX_AXES, Pair, Region, SlabPart, Transform};
use crate::material::{Exit, Orientation};
use makruk_rules::{Bitboard, Piece, Role, Square};

/// Where the men of a material go by a move: an exit, or a quiet move within the material.
#[derive(Clone, Copy, Debug)]
pub struct ExitMap<'a> {
    /// The layout of the material that is reached.
    pub layout: &'a Layout,
    /// The orientation of the material that is left against it.
    pub orientation: Orientation,
}

impl<'a> ExitMap<'a> {
    /// The place of each man among [`Layout::men`] after an exit; none for the man that is taken. Of like men, the
    /// first takes the first place. `taken` and `promoted` are numbers in `men`.
    pub fn men(
        self,
        men: &[Piece],
        taken: Option<usize>,
        promoted: Option<usize>,
    ) -> ArrayVec<Option<usize>, MAX_AXES> {
        let mut free: ArrayVec<Option<Piece>, MAX_AXES> = self.layout.men().map(Some).collect();
        let place = |(man, &piece): (usize, &Piece)| {
            if taken == Some(man) {
                return None;
            }
            let role = if promoted == Some(man) { Role::Met } else { piece.role };
            let piece = self.orientation.piece(Piece::new(piece.color, role));
            let place = free.iter().position(|&found| found == Some(piece))?;
            free[place] = None;
            Some(place)
        };
        men.iter().enumerate().map(place).collect()
    }

    /// The map into the slab that the squares of the kings after a move lead to; `None` if the kings touch.
    pub fn slab(self, kings: Pair) -> Option<SlabMap<'a>> {
        let kings = if self.orientation.is_flipped() { kings.swap().map(Square::flip_rank) } else { kings };
        let (slab, transform) = self.layout.kings().fold(kings)?;
        Some(SlabMap { to: self, slab, transform })
    }
}

/// Where men and squares go in one slab.
#[derive(Clone, Copy, Debug)]
pub struct SlabMap<'a> {
    to: ExitMap<'a>,
    /// The slab's number.
    pub slab: usize,
    transform: Transform,
}

impl<'a> SlabMap<'a> {
    /// The square of the slab that a square goes to.
    #[inline]
    pub fn square(&self, square: Square) -> Square {
        self.transform.square(self.to.orientation.square(square))
    }

    /// The number of the axis for men like a piece of the material that is left, if there are any.
    fn axis_of(&self, piece: Piece) -> Option<usize> {
        let piece = self.to.orientation.piece(piece);
        self.to.layout.axes().iter().position(|axis| axis.piece == piece)
    }

    /// The digits of men like a piece of the material that is left.
    pub fn axis(&self, piece: Piece) -> AxisMap {
        let layout = self.to.layout;
        let place = self.axis_of(piece).map(|at| (layout.axes()[at].region, layout.stride(at) as u32));
        AxisMap { place, orientation: self.to.orientation, transform: self.transform }
    }

    /// The part of the slab with men like a piece of the material that is left on some of its squares. `None` if the
    /// material that is reached has no such men.
    pub fn part(&self, piece: Piece, squares: Bitboard) -> Option<SlabPart> {
        let squares = Bitboard(self.transform.bits(self.to.orientation.bits(squares.0)));
        Some(SlabPart { axis: self.axis_of(piece)?, squares })
    }

    /// The part of the slab that a promotion leads to: the positions with a met on a promotion square. `None` if the
    /// exit does not promote.
    pub fn promotion_part(&self, exit: &Exit) -> Option<SlabPart> {
        let pawn = exit.promoted()?;
        self.part(Piece::new(pawn.color, Role::Met), exit.mover.promotion_squares())
    }
}

/// Where the squares of like men go in a slab's offsets.
#[derive(Clone, Copy, Debug)]
pub struct AxisMap {
    /// The squares that the men may stand on, and the number of offsets between neighbouring digits; `None` without
    /// such an axis.
    place: Option<(Region, u32)>,
    orientation: Orientation,
    transform: Transform,
}

impl AxisMap {
    /// The part of the men on these squares in the offset; 0 without an axis for them.
    #[inline]
    pub fn offset(&self, men: Bitboard) -> u32 {
        let there = self.transform.bits(self.orientation.bits(men.0));
        self.place.map_or(0, |(region, stride)| region.rank_of(Bitboard(there)) * stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;
    use makruk_rules::Color;

    #[test]
    fn men_go_where_the_position_after_the_exit_has_them() {
        for name in ["KRRvKR", "KNMvKS", "KMMPvKP", "KPPvKN"] {
            let layout = Layout::new(name.parse::<Material>().unwrap());
            let men: Vec<Piece> = layout.men().collect();
            let exits = Color::ALL.into_iter().flat_map(|mover| layout.material().exits(mover));
            for exit in exits.filter(|exit| exit.child.material != Material::BARE_KINGS) {
                let child = Layout::new(exit.child.material);
                let map = ExitMap { layout: &child, orientation: exit.child.orientation };
                let of = |piece: Option<Piece>| piece.and_then(|piece| men.iter().rposition(|&man| man == piece));
                let (taken, promoted) = (of(exit.captured), of(exit.promoted()));
                // Kings on the same rank, men on distinct squares of their regions, a promoted pawn on its last rank.
                let kings = Pair { white: Square::new(28), black: Square::new(31) };
                let mut seed = 7u64;
                for _ in 0..50 {
                    let mut squares: Vec<Square> = Vec::new();
                    for (man, &piece) in men.iter().enumerate() {
                        let region = if promoted == Some(man) {
                            exit.mover.promotion_squares()
                        } else {
                            Region::of(piece).squares()
                        };
                        let is_free =
                            |square: &Square| !squares.contains(square) && ![kings.white, kings.black].contains(square);
                        let free: Vec<Square> = region.into_iter().filter(is_free).collect();
                        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                        squares.push(free[(seed >> 33) as usize % free.len()]);
                    }
                    let slab = map.slab(kings).unwrap();
                    let places = map.men(&men, taken, promoted);
                    let mut there = vec![None; child.men().count()];
                    for (place, &square) in places.iter().zip(&squares) {
                        place.iter().for_each(|&place| there[place] = Some(slab.square(square)));
                    }
                    let there: Vec<Square> = there.into_iter().map(Option::unwrap).collect();
                    let mut by_axes = 0;
                    for axis in child.axes() {
                        let piece = exit.child.orientation.piece(axis.piece);
                        let is_such = |man: usize| {
                            let role = if promoted == Some(man) { Role::Met } else { men[man].role };
                            taken != Some(man) && piece == Piece::new(men[man].color, role)
                        };
                        let such: Bitboard =
                            (0..men.len()).filter(|&man| is_such(man)).map(|man| squares[man]).collect();
                        by_axes += u64::from(slab.axis(piece).offset(such));
                        let part = slab.part(piece, such).unwrap();
                        assert_eq!((child.axes()[part.axis], part.squares.len()), (*axis, such.len()));
                    }
                    assert_eq!(child.offset(&there), by_axes, "{name} {exit:?}");
                }
            }
        }
    }
}
