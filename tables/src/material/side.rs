//! One side's men besides its king.

use std::cmp::Reverse;
use std::fmt;

use crate::rules::{Board, Color, Piece, Role};

/// The numbers of rooks, knights, khons and mets of a side, which has a king besides.
///
/// Ordered as in a material's name: more men come first, then the side whose letters come first in R N S M.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaterialSide([u8; 4]);

impl MaterialSide {
    /// No man but the king.
    pub const BARE: MaterialSide = MaterialSide([0; 4]);
    /// The most of R, N, S and M that a side can have: every promoted pawn is a met.
    pub const MOST: [u8; 4] = [2, 2, 2, 9];

    /// The side with these numbers of R, N, S and M.
    pub const fn new(counts: [u8; 4]) -> MaterialSide {
        MaterialSide(counts)
    }

    /// One side's men on a board.
    pub fn of(board: &Board, color: Color) -> MaterialSide {
        MaterialSide(Role::PIECES.map(|role| board.by_piece(Piece::new(color, role)).len() as u8))
    }

    /// The number of men of a role; 0 for kings and pawns.
    pub fn count(self, role: Role) -> u32 {
        Role::PIECES.iter().position(|&piece| piece == role).map_or(0, |at| u32::from(self.0[at]))
    }

    /// A number that no other side has, below 2^31.
    #[inline]
    pub(super) const fn key(self) -> u64 {
        u32::from_le_bytes(self.0) as u64
    }

    /// The number of men besides the king.
    pub fn total(self) -> usize {
        self.0.iter().map(|&n| usize::from(n)).sum()
    }

    /// Is the king alone?
    pub fn is_bare(self) -> bool {
        self.total() == 0
    }

    /// The role of each man besides the king, in the order R N S M.
    pub fn roles(self) -> impl Iterator<Item = Role> {
        Role::PIECES.into_iter().zip(self.0).flat_map(|(role, n)| std::iter::repeat_n(role, usize::from(n)))
    }

    /// The side after the capture of a man of this role; `None` if it has none.
    pub fn without(self, role: Role) -> Option<MaterialSide> {
        let at = Role::PIECES.iter().position(|&piece| piece == role)?;
        let mut counts = self.0;
        counts[at] = counts[at].checked_sub(1)?;
        Some(MaterialSide(counts))
    }

    /// Does the game have this many men of every role?
    pub fn is_possible(self) -> bool {
        self.0.iter().zip(Self::MOST).all(|(&n, most)| n <= most)
    }

    /// All sides of `total` men besides the king that the game has, in order.
    pub fn all(total: usize) -> Vec<MaterialSide> {
        let mut all = Vec::new();
        for rooks in 0..=MaterialSide::MOST[0] {
            for knights in 0..=MaterialSide::MOST[1] {
                for khons in 0..=MaterialSide::MOST[2] {
                    let others = usize::from(rooks + knights + khons);
                    if let Some(mets) = total.checked_sub(others).and_then(|n| u8::try_from(n).ok()) {
                        all.push(MaterialSide([rooks, knights, khons, mets]));
                    }
                }
            }
        }
        all.retain(|men| men.is_possible());
        all.sort();
        all
    }
}

impl Ord for MaterialSide {
    fn cmp(&self, other: &MaterialSide) -> std::cmp::Ordering {
        let key = |men: &MaterialSide| (Reverse(men.total()), men.0.map(Reverse));
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for MaterialSide {
    fn partial_cmp(&self, other: &MaterialSide) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The king first, as in `KRN`.
impl fmt::Display for MaterialSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "K")?;
        self.roles().try_for_each(|role| write!(f, "{}", role.letter()))
    }
}
