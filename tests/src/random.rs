//! Random legal positions.

use fastrand::Rng;
use makruk_tables::rules::{ALL_MEN_LIMITS, Board, Color, Piece, Position, Role, Square};

/// The bounds of random positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomPositions {
    /// The most men on the board, both kings included: at least 2.
    pub most_men: u32,
    /// May there be unpromoted pawns?
    pub pawns: bool,
}

impl RandomPositions {
    /// Pawnless positions of 2 to so many men.
    pub const fn pawnless(most_men: u32) -> RandomPositions {
        RandomPositions { most_men, pawns: false }
    }

    /// Positions of 2 to so many men, pawns among them.
    pub const fn with_pawns(most_men: u32) -> RandomPositions {
        RandomPositions { most_men, pawns: true }
    }
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
        let most = ALL_MEN_LIMITS.iter().find(|(limited, _)| *limited == kind).map_or(0, |&(_, most)| most);
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
        let before_promotion = match piece.color {
            Color::White => square.rank() < piece.color.promotion_rank(),
            Color::Black => square.rank() > piece.color.promotion_rank(),
        };
        if board.piece_at(square).is_none() && (piece.role != Role::Pawn || before_promotion) {
            return board.set(square, piece);
        }
    }
}
