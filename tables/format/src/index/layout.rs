//! The order of a table's positions: position <-> (slab, offset).

use arrayvec::ArrayVec;

use super::{KingPairs, MAX_AXES, Pair, Region, Symmetry, Transform};
use crate::material::{Material, Orientation, Oriented};
use makruk_rules::{Board, ByColor, Color, Piece, Position, Role, Square};

/// All men of one role and colour, a digit of the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Axis {
    /// The piece, in the colours of the material's canonical name.
    pub piece: Piece,
    /// The number of such men.
    pub count: usize,
    /// The squares that they may stand on.
    pub region: Region,
}

impl Axis {
    /// The number of digits: of sets of squares.
    pub fn sets(&self) -> u32 {
        self.region.sets(self.count)
    }
}

/// The squares of a position's men, in the colours of the material's canonical name, not folded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The squares of the kings.
    pub kings: Pair,
    /// The squares of the other men, in the order of [`Layout::men`].
    pub men: ArrayVec<Square, MAX_AXES>,
}

/// The order of a material's positions.
///
/// A position has a slab (its kings) and an offset in it. The offset's digits are the axes: the men by role in the
/// order P R N S M and, within a role, White's before Black's; the last varies fastest. The digit of a single man is
/// its square's place in its [`Region`], the digit of like men is the rank of their squares there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    material: Material,
    symmetry: Symmetry,
    axes: ArrayVec<Axis, MAX_AXES>,
}

impl Layout {
    /// The layout of a material.
    pub fn new(material: Material) -> Layout {
        let mut axes = ArrayVec::new();
        for role in Role::IN_LAYOUTS {
            for color in Color::ALL {
                let count = material.side(color).count(role) as usize;
                if count > 0 {
                    let piece = Piece::new(color, role);
                    axes.push(Axis { piece, count, region: Region::of(piece) });
                }
            }
        }
        Layout { material, symmetry: Symmetry::of(material), axes }
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The material's symmetry.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// The king pairs of the slabs.
    #[inline]
    pub fn kings(&self) -> &'static KingPairs {
        KingPairs::of(self.symmetry)
    }

    /// The axes, the digits of an offset, the slowest first.
    #[inline]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The men besides the kings, one by one, in the order of the axes.
    pub fn men(&self) -> impl Iterator<Item = Piece> + '_ {
        self.axes.iter().flat_map(|axis| std::iter::repeat_n(axis.piece, axis.count))
    }

    /// The number of slabs.
    pub fn slabs(&self) -> usize {
        self.kings().len()
    }

    /// The number of offsets in a slab.
    pub fn slab_len(&self) -> u64 {
        self.axes.iter().map(|axis| u64::from(axis.sets())).product()
    }

    /// The number of offsets between neighbouring digits of an axis.
    pub fn stride(&self, axis: usize) -> u64 {
        self.axes[axis + 1..].iter().map(|axis| u64::from(axis.sets())).product()
    }

    /// The number of permutations of like men: a count of placements that distinguishes like men is larger by this
    /// factor.
    #[inline]
    pub fn like_permutations(&self) -> u64 {
        self.axes.iter().map(|axis| (1..=axis.count as u64).product::<u64>()).product()
    }

    /// The squares of a board's men in this material's colours. `None` if the board has other men, or a pawn where none
    /// may stand.
    pub fn placement(&self, board: &Board, orientation: Orientation) -> Option<Placement> {
        let king = |color| board.king(orientation.color(color)).map(|square| orientation.square(square));
        let kings = Pair { white: king(Color::White)?, black: king(Color::Black)? };
        let mut men = ArrayVec::new();
        for axis in &self.axes {
            let squares = board.by_piece(orientation.piece(axis.piece));
            if squares.len() as usize != axis.count {
                return None;
            }
            men.extend(squares.into_iter().map(|square| orientation.square(square)));
            if axis.piece.role == Role::Pawn && men.iter().rev().take(axis.count).any(|&man| !axis.region.contains(man))
            {
                return None;
            }
        }
        (men.len() + 2 == board.men() as usize).then_some(Placement { kings, men })
    }

    /// The slab and offset of a placement. A slab with both kings on the diagonal has two offsets for it; this is the
    /// smaller one. `None` if the kings touch.
    fn slab_and_offset(&self, &Placement { kings, ref men }: &Placement) -> Option<(usize, u64)> {
        let (slab, transform) = self.kings().fold(kings)?;
        let mut offset = self.offset_under(men, |square| transform.square(square));
        if self.kings().is_diagonal(slab) {
            let mirrored = |square| Transform::DIAGONAL.square(transform.square(square));
            offset = offset.min(self.offset_under(men, mirrored));
        }
        Some((slab, offset))
    }

    /// The offset of men on distinct squares of their regions, given in the order of [`Layout::men`]; like men in any
    /// order.
    pub fn offset(&self, squares: &[Square]) -> u64 {
        self.offset_under(squares, |square| square)
    }

    /// The offset of men on the images of these squares.
    #[inline]
    fn offset_under(&self, squares: &[Square], image: impl Fn(Square) -> Square) -> u64 {
        let mut rest = squares;
        let mut offset = 0;
        for axis in &self.axes {
            let (like, others) = rest.split_at(axis.count);
            rest = others;
            let digit = match *like {
                [one] => axis.region.place(image(one)) as u32,
                _ => axis.region.rank_of(like.iter().map(|&square| image(square)).collect()),
            };
            offset = offset * u64::from(axis.sets()) + u64::from(digit);
        }
        offset
    }

    /// The squares of the men at an offset, in the order of [`Layout::men`].
    pub fn squares_at(&self, mut offset: u64) -> ArrayVec<Square, MAX_AXES> {
        let mut squares = ArrayVec::from([Square::A1; MAX_AXES]);
        squares.truncate(self.axes.iter().map(|axis| axis.count).sum());
        let mut rest = &mut squares[..];
        for axis in self.axes.iter().rev() {
            let sets = u64::from(axis.sets());
            let (others, like) = rest.split_at_mut(rest.len() - axis.count);
            axis.region.unrank_into((offset % sets) as u32, like);
            offset /= sets;
            rest = others;
        }
        squares
    }

    /// The board of a slab and offset, in the colours of the canonical name; `None` if two men share a square.
    pub fn board_at(&self, slab: usize, offset: u64) -> Option<Board> {
        let kings = self.kings().pair(slab);
        let mut board = Board::empty();
        board.set(kings.white, Piece::new(Color::White, Role::King));
        board.set(kings.black, Piece::new(Color::Black, Role::King));
        for (piece, square) in self.men().zip(self.squares_at(offset)) {
            if board.piece_at(square).is_some() {
                return None;
            }
            board.set(square, piece);
        }
        Some(board)
    }

    /// The side to move in the colours of the canonical name, and the number of a position among those of that side:
    /// `slab * slab_len + offset`. `None` if the position has other men than the material.
    pub fn number(&self, position: &Position) -> Option<(Color, u64)> {
        let Oriented { material, orientation } = Material::of(position.board()).ok()?;
        if material != self.material {
            return None;
        }
        let (slab, offset) = self.slab_and_offset(&self.placement(position.board(), orientation)?)?;
        let side = orientation.color(position.turn());
        Some((side, slab as u64 * self.slab_len() + offset))
    }

    /// The legal position with a number, if there is one.
    pub fn position_at(&self, side: Color, number: u64) -> Option<Position> {
        let slab = usize::try_from(number / self.slab_len()).ok().filter(|&slab| slab < self.slabs())?;
        Position::new(self.board_at(slab, number % self.slab_len())?, side).ok()
    }

    /// As [`position_at`](Layout::position_at), but `None` for the larger of the two numbers that a position may have.
    pub fn first_at(&self, side: Color, number: u64) -> Option<Position> {
        self.position_at(side, number).filter(|position| self.number(position) == Some((side, number)))
    }

    /// The letters of the men besides the kings, as in a table file's header: `RrN`.
    pub(crate) fn axis_letters(&self) -> String {
        self.men().map(Piece::letter).collect()
    }

    /// The numbers of offsets of each side to move, in all slabs, legal positions or not.
    pub fn positions(&self) -> ByColor<u64> {
        ByColor::from_fn(|_| self.slabs() as u64 * self.slab_len())
    }
}
