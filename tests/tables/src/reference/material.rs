//! The men on a board, named White first.

use std::fmt;

use arrayvec::ArrayVec;
use makruk_rules::{Board, Color, Piece, Role};

/// The most men besides the kings that a name may have.
const MAX_NAMED: usize = 8;

/// Both sides' men besides the kings, White's first, each side's in the order R N S M P.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedMaterial {
    men: ArrayVec<Piece, MAX_NAMED>,
}

impl NamedMaterial {
    /// The material of a name, White's men first: `KRvKS`, `KNvKPP`.
    ///
    /// # Panics
    ///
    /// If the name is not a material of at most ten men.
    pub fn named(name: &str) -> NamedMaterial {
        let (white, black) = name.split_once('v').expect("two sides");
        let men_of = |color, letters: &str| {
            let letters = letters.strip_prefix('K').expect("a king");
            letters
                .chars()
                .map(|letter| Piece::new(color, Role::from_letter(letter).expect("a piece's letter")))
                .collect::<Vec<_>>()
        };
        NamedMaterial::with(men_of(Color::White, white).into_iter().chain(men_of(Color::Black, black)))
    }

    /// The material on a board.
    pub fn of(board: &Board) -> NamedMaterial {
        NamedMaterial::with(board.pieces().map(|(_, piece)| piece).filter(|piece| piece.role != Role::King))
    }

    fn with(men: impl IntoIterator<Item = Piece>) -> NamedMaterial {
        let mut men: ArrayVec<Piece, MAX_NAMED> = men.into_iter().collect();
        men.sort_unstable();
        NamedMaterial { men }
    }

    /// The men besides the kings.
    pub fn men(&self) -> &[Piece] {
        &self.men
    }

    /// Whether there are no men besides the kings.
    pub fn is_bare_kings(&self) -> bool {
        self.men.is_empty()
    }

    /// Whether both sides have a man besides the king.
    pub fn is_armed(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.men.iter().any(|piece| piece.color == color))
    }

    /// Whether either side has an unpromoted pawn.
    pub fn has_pawns(&self) -> bool {
        self.men.iter().any(|piece| piece.role == Role::Pawn)
    }

    /// The materials that are left when a man is taken, and when a pawn is promoted. A pawn that takes and is promoted
    /// leads to one of the materials that these lead to.
    pub fn after_an_exit(&self) -> Vec<NamedMaterial> {
        let others = |at| self.men.iter().enumerate().filter(move |&(other, _)| other != at).map(|(_, &piece)| piece);
        let taken = (0..self.men.len()).map(|at| NamedMaterial::with(others(at)));
        let pawns = (0..self.men.len()).filter(|&at| self.men[at].role == Role::Pawn);
        let promoted =
            pawns.map(|at| NamedMaterial::with(others(at).chain([Piece::new(self.men[at].color, Role::Met)])));
        taken.chain(promoted).collect()
    }
}

impl fmt::Display for NamedMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            f.write_str(if color == Color::White { "K" } else { "vK" })?;
            for piece in self.men.iter().filter(|piece| piece.color == color) {
                write!(f, "{}", piece.role.letter())?;
            }
        }
        Ok(())
    }
}
