//! Men on squares, legal or not.

use std::fmt;

use arrayvec::ArrayString;

use super::{Bitboard, ByColor, ByRole, Color, Piece, Role, Square, attacks};

/// The most men of each role besides the king that one side can have: two rooks, knights and khons, nine mets (since
/// every promoted pawn is one) and eight pawns.
pub const MOST_MEN: ByRole<u8> = ByRole::new([2, 2, 2, 9, 8]);

/// The most mets and pawns that one side can have together.
pub const MOST_METS_AND_PAWNS: u8 = MOST_MEN.values()[3];

/// The men on their squares. Any placement is possible here, legal or not; a [`Position`](super::Position) is checked.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Board {
    colors: ByColor<Bitboard>,
    roles: [Bitboard; 6],
}

impl Board {
    /// The empty board.
    pub fn empty() -> Board {
        Board::default()
    }

    /// Puts a man on a square and removes the man that stood there.
    pub fn set(&mut self, square: Square, piece: Piece) {
        self.clear(square);
        self.colors[piece.color] |= Bitboard::of(square);
        self.roles[piece.role as usize] |= Bitboard::of(square);
    }

    /// Removes the man on a square, and returns it.
    pub fn clear(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.colors[piece.color] = self.colors[piece.color].without(square);
        self.roles[piece.role as usize] = self.roles[piece.role as usize].without(square);
        Some(piece)
    }

    /// The man on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::ALL.into_iter().find(|&color| self.colors[color].contains(square))?;
        let role = Role::ALL.into_iter().find(|&role| self.roles[role as usize].contains(square))?;
        Some(Piece { color, role })
    }

    /// All squares with a man on them.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors.white | self.colors.black
    }

    /// The squares of one side's men.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// The squares of all men of one role.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// The squares of one side's men of one role.
    #[inline]
    pub fn by_piece(&self, piece: Piece) -> Bitboard {
        self.colors[piece.color] & self.roles[piece.role as usize]
    }

    /// The square of a side's king; the first, if a board that is not a position has several.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.by_piece(Piece::new(color, Role::King)).first()
    }

    /// The number of men on the board, kings included.
    #[inline]
    pub fn men(&self) -> u32 {
        self.occupied().len()
    }

    /// Whether the side's king is its only man.
    #[inline]
    pub fn is_bare(&self, color: Color) -> bool {
        self.by_color(color).len() == 1
    }

    /// Whether any unpromoted pawn is on the board.
    #[inline]
    pub fn has_pawns(&self) -> bool {
        !self.by_role(Role::Pawn).is_empty()
    }

    /// The men and their squares, a1 first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| self.piece_at(square).map(|piece| (square, piece)))
    }

    /// The men of one side that attack a square.
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let occupied = self.occupied();
        // A man attacks the square just when the same man of the other colour, standing on it, would attack the man.
        Role::ALL.into_iter().fold(Bitboard::EMPTY, |found, role| match self.by_piece(Piece::new(by, role)) {
            Bitboard::EMPTY => found,
            men => found | (attacks(!by, role, square, occupied) & men),
        })
    }

    /// Whether a side's king is attacked.
    pub fn is_attacked(&self, king_of: Color) -> bool {
        let Some(king) = self.king(king_of) else { return false };
        let enemy = !king_of;
        let occupied = self.occupied();
        let men = self.by_color(enemy);
        // As in `attackers`, but roles that the enemy lacks are skipped, and the first attacker ends the search.
        Role::ALL.into_iter().any(|role| {
            let men = men & self.by_role(role);
            !men.is_empty() && attacks(king_of, role, king, occupied).intersects(men)
        })
    }

    /// The board with colours exchanged and ranks flipped: the same game seen from the other side.
    pub fn color_flipped(&self) -> Board {
        let mut flipped = Board::empty();
        for (square, piece) in self.pieces() {
            flipped.set(square.flip_rank(), piece.color_flipped());
        }
        flipped
    }
}

impl FromIterator<(Square, Piece)> for Board {
    fn from_iter<I: IntoIterator<Item = (Square, Piece)>>(men: I) -> Board {
        let mut board = Board::empty();
        for (square, piece) in men {
            board.set(square, piece);
        }
        board
    }
}

/// The FEN's first field, in Fairy-Stockfish's letters.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Written at once: a FEN is part of every answer.
        let mut text = ArrayString::<{ 64 + 7 }>::new();
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..=8 {
                let piece = if file < 8 { self.piece_at(Square::new(rank * 8 + file)) } else { None };
                if gap > 0 && (piece.is_some() || file == 8) {
                    text.push(char::from(b'0' + gap));
                    gap = 0;
                }
                match piece {
                    Some(piece) => text.push(piece.letter()),
                    None => gap += 1,
                }
            }
            if rank > 0 {
                text.push('/');
            }
        }
        f.write_str(&text)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
