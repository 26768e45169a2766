//! The slab that a move leads to, as its offsets are counted.

use crate::index::{Layout, Region, Transform};
use crate::material::Orientation;
use crate::rules::{Bitboard, Piece};

/// The places of squares and axes in the order of the material itself or of a child.
pub(super) struct Target<'a> {
    pub(super) layout: &'a Layout,
    pub(super) orientation: Orientation,
    pub(super) transform: Transform,
}

/// An axis of the order that moves lead to, for men of the material itself.
#[derive(Clone, Copy)]
pub(super) struct TargetAxis {
    /// The squares that the men may stand on, and the number of offsets between neighbouring digits; `None` without such an axis.
    place: Option<(Region, u32)>,
    orientation: Orientation,
    transform: Transform,
}

impl Target<'_> {
    /// The axis of men like a piece of the material itself.
    pub(super) fn axis(&self, piece: Piece) -> TargetAxis {
        let Target { layout, orientation, transform } = *self;
        let piece = orientation.piece(piece);
        let at = layout.axes().iter().position(|axis| axis.piece == piece);
        let place = at.map(|at| (layout.axes()[at].region, layout.stride(at) as u32));
        TargetAxis { place, orientation, transform }
    }
}

impl TargetAxis {
    /// The part of like men on these squares in the offset; 0 without such men.
    #[inline]
    pub(super) fn part(&self, men: Bitboard) -> u32 {
        let there = self.transform.bits(self.orientation.bits(men.0));
        self.place.map_or(0, |(region, stride)| region.rank_of(Bitboard(there)) * stride)
    }
}
