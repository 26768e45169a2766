//! One side's men besides its king.

use std::cmp::Reverse;
use std::fmt;

use makruk_rules::{Board, ByRole, Color, MOST_MEN, MOST_METS_AND_PAWNS, Piece, Role};

/// The numbers of rooks, knights, khons, mets and pawns of a side, which has a king besides.
///
/// Ordered as in a material's name: more men come first, then the side whose letters come first in R N S M P.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaterialSide(ByRole<u8>);

/// The bits of a role's number in a side's key.
const KEY_BITS: u32 = 4;

impl MaterialSide {
    /// No man but the king.
    pub(crate) const BARE: MaterialSide = MaterialSide(ByRole::new([0; 5]));

    /// The side with these numbers of men.
    pub(crate) const fn new(counts: ByRole<u8>) -> MaterialSide {
        MaterialSide(counts)
    }

    /// One side's men on a board.
    #[inline]
    pub fn of(board: &Board, color: Color) -> MaterialSide {
        MaterialSide(ByRole::from_fn(|role| board.by_piece(Piece::new(color, role)).len() as u8))
    }

    /// The number of men of a role; 0 for kings.
    #[inline]
    pub fn count(self, role: Role) -> u32 {
        self.0.get(role).map_or(0, |&count| u32::from(count))
    }

    /// A number that no other side of the game has, below 2^20.
    #[inline]
    pub(super) const fn key(self) -> u64 {
        let counts = self.0.values();
        let (mut key, mut at) = (0, 0);
        while at < counts.len() {
            key = key << KEY_BITS | counts[at] as u64;
            at += 1;
        }
        key
    }

    /// The number of men besides the king.
    pub fn total(self) -> usize {
        self.0.values().iter().map(|&n| usize::from(n)).sum()
    }

    /// Whether the king is alone.
    pub fn is_bare(self) -> bool {
        self.total() == 0
    }

    /// The role of each man besides the king, in the order R N S M P.
    pub fn roles(self) -> impl Iterator<Item = Role> {
        Role::IN_NAMES.into_iter().flat_map(move |role| std::iter::repeat_n(role, usize::from(self.0[role])))
    }

    /// The side after the capture of a man of this role; `None` if it has none.
    pub(crate) fn without(self, role: Role) -> Option<MaterialSide> {
        let mut counts = self.0;
        self.0.get(role)?;
        counts[role] = counts[role].checked_sub(1)?;
        Some(MaterialSide(counts))
    }

    /// The side after a promotion; `None` if it has no pawn.
    pub(crate) fn promoted(self) -> Option<MaterialSide> {
        let MaterialSide(mut counts) = self.without(Role::Pawn)?;
        counts[Role::Met] += 1;
        Some(MaterialSide(counts))
    }

    /// Whether the game has this many men of every role.
    pub(crate) fn is_possible(self) -> bool {
        let MaterialSide(counts) = self;
        counts.values().iter().zip(MOST_MEN.values()).all(|(n, most)| n <= most)
            && counts[Role::Met] + counts[Role::Pawn] <= MOST_METS_AND_PAWNS
    }

    /// All sides of `total` men besides the king that the game has, in order.
    pub(crate) fn all(total: usize) -> Vec<MaterialSide> {
        let mut all = vec![MaterialSide::BARE];
        for role in Role::IN_NAMES {
            let more = |&MaterialSide(counts): &MaterialSide| {
                (0..=MOST_MEN[role]).map(move |n| {
                    let mut counts = counts;
                    counts[role] = n;
                    MaterialSide(counts)
                })
            };
            all = all.iter().flat_map(more).filter(|side| side.total() <= total).collect();
        }
        all.retain(|men| men.total() == total && men.is_possible());
        all.sort();
        all
    }
}

impl Ord for MaterialSide {
    fn cmp(&self, other: &MaterialSide) -> std::cmp::Ordering {
        let key = |men: &MaterialSide| (Reverse(men.total()), men.0.values().map(Reverse));
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
