//! A position as the verifier has it: kings, and men in the order of the material's axes.

use arrayvec::ArrayVec;
use makruk_tables::index::{Layout, MAX_AXES, Pair};
use makruk_tables::rules::{Bitboard, ByColor, Color, Piece, Role, Square, attacks};

/// The part that all positions of a material share.
pub(super) struct Shape {
    layout: Layout,
    slab_len: u64,
    pieces: ArrayVec<Piece, MAX_AXES>,
    /// The stride of one square, for a man that is the only one of its kind.
    strides: ArrayVec<Option<u64>, MAX_AXES>,
}

impl Shape {
    pub(super) fn new(layout: Layout) -> Shape {
        let mut stride = layout.slab_len();
        let mut strides = ArrayVec::new();
        for axis in layout.axes() {
            // The digit of one man alone is his square's place; the digits of the axes after his are what a step of it
            // spans.
            stride /= u64::from(axis.sets());
            let of_one = (axis.count == 1).then_some(stride);
            strides.extend(std::iter::repeat_n(of_one, axis.count));
        }
        Shape { slab_len: layout.slab_len(), pieces: layout.men().collect(), strides, layout }
    }
}

/// Men on squares, no two on the same.
#[derive(Clone, Copy)]
pub(super) struct Setup<'a> {
    shape: &'a Shape,
    pub(super) kings: Pair,
    /// By man; of more than there are men, the last have no meaning.
    pub(super) squares: [Square; MAX_AXES],
    by_color: ByColor<Bitboard>,
    /// The slab, if the kings stand as they do in one, and whether it has two places for a position.
    home: Option<(usize, bool)>,
}

impl<'a> Setup<'a> {
    /// The men at a number, if no two share a square there.
    pub(super) fn at(shape: &'a Shape, number: u64) -> Option<Setup<'a>> {
        let layout = &shape.layout;
        let slab = (number / shape.slab_len) as usize;
        let kings = layout.kings().pair(slab);
        let men = layout.squares_at(number % shape.slab_len);
        let mut by_color = ByColor { white: Bitboard::of(kings.white), black: Bitboard::of(kings.black) };
        let mut squares = [Square::A1; MAX_AXES];
        for (man, (piece, &square)) in shape.pieces.iter().zip(&men).enumerate() {
            if (by_color.white | by_color.black).contains(square) {
                return None;
            }
            by_color[piece.color] = by_color[piece.color].with(square);
            squares[man] = square;
        }
        Some(Setup { shape, kings, squares, by_color, home: Some((slab, layout.kings().is_diagonal(slab))) })
    }

    /// The men besides the kings.
    pub(super) fn pieces(&self) -> &'a [Piece] {
        &self.shape.pieces
    }

    /// The squares of one side's men.
    pub(super) fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color]
    }

    /// The squares of all men.
    pub(super) fn occupied(&self) -> Bitboard {
        self.by_color.white | self.by_color.black
    }

    pub(super) fn has_rooks(&self, color: Color) -> bool {
        self.shape.pieces.contains(&Piece::new(color, Role::Rook))
    }

    /// The man of a colour on a square, the king left out.
    #[inline]
    pub(super) fn man_on(&self, color: Color, square: Square) -> Option<usize> {
        if !self.by_color[color].contains(square) {
            return None;
        }
        (0..self.shape.pieces.len()).find(|&man| self.squares[man] == square && self.shape.pieces[man].color == color)
    }

    /// Whether the men of a colour, but for one, attack a square, with these squares occupied.
    #[inline]
    pub(super) fn attack(&self, by: Color, target: Square, occupied: Bitboard, but: Option<usize>) -> bool {
        let mut men = self.shape.pieces.iter().zip(&self.squares).enumerate();
        men.any(|(man, (piece, &square))| {
            piece.color == by && Some(man) != but && attacks(by, piece.role, square, occupied).contains(target)
        })
    }

    /// The setup with a king elsewhere. A man that stands there stays.
    pub(super) fn with_king(&self, color: Color, to: Square) -> Setup<'a> {
        let mut after = *self;
        after.by_color[color] = after.by_color[color].without(self.kings[color]).with(to);
        after.kings[color] = to;
        after.home = None;
        after
    }

    /// The setup with a man elsewhere. Another man that stands there stays.
    pub(super) fn with_man(&self, man: usize, to: Square) -> Setup<'a> {
        let mut after = *self;
        let color = self.shape.pieces[man].color;
        after.by_color[color] = after.by_color[color].without(self.squares[man]).with(to);
        after.squares[man] = to;
        after
    }

    /// Whether there are two places for a setup with these kings.
    pub(super) fn is_twofold(&self) -> bool {
        self.home.is_none_or(|(_, twofold)| twofold)
    }

    /// The number at which the setup is looked up.
    #[inline]
    pub(super) fn number(&self) -> u64 {
        let Shape { layout, slab_len, pieces, .. } = self.shape;
        let men = &self.squares[..pieces.len()];
        let (slab, offset) = match self.home {
            Some((slab, false)) => (slab, layout.offset(men)),
            _ => layout.slab_and_offset_of(self.kings, men).expect("the kings are apart"),
        };
        slab as u64 * slab_len + offset
    }

    /// The number of the setup with a man elsewhere, this one's number being `number`.
    #[inline]
    pub(super) fn number_with_man(&self, number: u64, man: usize, to: Square) -> u64 {
        match (self.home, self.shape.strides[man]) {
            (Some((_, false)), Some(stride)) => {
                let step = to.index() as i64 - self.squares[man].index() as i64;
                number.wrapping_add_signed(step * stride as i64)
            }
            _ => self.with_man(man, to).number(),
        }
    }
}
