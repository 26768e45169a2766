//! Random legal positions.

use fastrand::Rng;
use makruk_rules::{Board, Color, MOST_MEN, Piece, Position, Role, Square};

use crate::reference::NamedMaterial;

/// The bounds of random positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomPositions {
    /// The most men on the board, both kings included: at least 2.
    pub most_men: u32,
    /// Whether there may be unpromoted pawns.
    pub pawns: bool,
}

/// A random legal position: the number of men is drawn first, then men and squares until the position is legal. All
/// kinds of pieces occur, for both sides; small numbers of men and so bare kings are frequent.
pub fn random_position(rng: &mut Rng, shape: RandomPositions) -> Position {
    let men = rng.u32(2..=shape.most_men.clamp(2, 32));
    loop {
        let turn = if rng.bool() { Color::White } else { Color::Black };
        if let Ok(position) = Position::new(random_board(rng, men, shape.pawns), turn) {
            return position;
        }
    }
}

/// A random legal position of a material, its first side White or Black.
pub fn random_position_of(rng: &mut Rng, material: &NamedMaterial) -> Position {
    loop {
        let mut board = Board::empty();
        for color in Color::ALL {
            put(rng, &mut board, Piece::new(color, Role::King));
        }
        for &piece in material.men() {
            put(rng, &mut board, piece);
        }
        let turn = if rng.bool() { Color::White } else { Color::Black };
        if let Ok(position) = Position::new(board, turn) {
            return if rng.bool() { position.color_flipped() } else { position };
        }
    }
}

fn random_board(rng: &mut Rng, men: u32, pawns: bool) -> Board {
    let mut board = Board::empty();
    let mut roles = vec![Role::Rook, Role::Knight, Role::Khon, Role::Met];
    if pawns {
        roles.extend([Role::Pawn, Role::Pawn]);
    }
    // Sometimes one side gets all men, so that bare kings occur with many men too.
    let lopsided = rng.u8(..4) == 0;
    let favourite = if rng.bool() { Color::White } else { Color::Black };
    for color in Color::ALL {
        put(rng, &mut board, Piece::new(color, Role::King));
    }
    while board.men() < men {
        let color = if lopsided || rng.bool() { favourite } else { !favourite };
        let role = roles[rng.usize(..roles.len())];
        let kind = if role == Role::Pawn { Role::Met } else { role };
        let most = u32::from(MOST_MEN[kind]);
        let mut have = board.by_piece(Piece::new(color, kind)).len();
        if kind == Role::Met {
            have += board.by_piece(Piece::new(color, Role::Pawn)).len();
        }
        if have < most {
            put(rng, &mut board, Piece::new(color, role));
        } else if lopsided && board.by_color(favourite).len() == 16 {
            break;
        }
    }
    board
}

fn put(rng: &mut Rng, board: &mut Board, piece: Piece) {
    loop {
        let square = Square::new(rng.u8(..64));
        // Pawns begin on their third rank, and are promoted on their sixth.
        let pawns_rank = match piece.color {
            Color::White => (2..5).contains(&square.rank()),
            Color::Black => (3..6).contains(&square.rank()),
        };
        if board.piece_at(square).is_none() && (piece.role != Role::Pawn || pawns_rank) {
            return board.set(square, piece);
        }
    }
}
