//! A playable position: a legal board and the side to move.

use std::fmt;

use thiserror::Error;

use super::{
    Bitboard, Board, Color, MOST_MEN, MOST_METS_AND_PAWNS, Move, MoveList, Piece, Role, Square, attacks, leaper_attacks,
};

/// A legal position without its count. Each side has one king and no more men of a role than the game has. The kings do
/// not touch, and the side that is not to move is not in check. Pawns stand on the third to the fifth rank from their
/// side.
///
/// ```
/// use makruk_rules::{Fen, Move};
///
/// let position = Fen::parse("8/8/8/8/8/4s1k1/4R3/K7 w - 128 0")?.position;
/// assert_eq!(position.legal_moves().len(), 12);
///
/// let capture = Move::from_uci(&position, "e2e3")?;
/// assert!(position.is_legal(capture) && position.captured(capture).is_some());
/// let after = position.play(capture);
/// assert!(after.is_check() && !after.is_checkmate());
/// assert_eq!(after.legal_moves().len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    turn: Color,
}

/// One reason why a board is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Illegality {
    /// The side has no king.
    MissingKing(Color),
    /// The side has more men of a role than the game: the piece, the number found, the most possible.
    TooMany(Piece, u32, u32),
    /// The kings stand on adjacent squares.
    TouchingKings,
    /// The side that is not to move is in check.
    OppositeCheck(Color),
    /// The side has more mets and pawns together than the game: the side, the number found.
    TooManyMetsAndPawns(Color, u32),
    /// A pawn stands on or beyond the rank on which it becomes a met.
    PawnBeyondPromotion(Square),
    /// A pawn stands behind the rank on which it begins.
    PawnBehindStart(Square),
}

impl fmt::Display for Illegality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegality::MissingKing(color) => write!(f, "{color} has no king"),
            Illegality::TooMany(piece, found, most) => {
                let are = if *most == 1 { "is" } else { "are" };
                write!(f, "{} has {found} {}s, at most {most} {are} possible", piece.color, piece.role.name())
            }
            Illegality::TooManyMetsAndPawns(color, found) => {
                write!(f, "{color} has {found} mets and pawns, at most {MOST_METS_AND_PAWNS} are possible")
            }
            Illegality::TouchingKings => f.write_str("the kings touch"),
            Illegality::OppositeCheck(color) => write!(f, "{color} is in check and it is not {color}'s move"),
            Illegality::PawnBeyondPromotion(square) => {
                write!(f, "the pawn on {square} is on or beyond its promotion rank")
            }
            Illegality::PawnBehindStart(square) => {
                write!(f, "the pawn on {square} is behind the rank on which pawns begin")
            }
        }
    }
}

/// Every reason why a board is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the position is illegal: {}", .reasons.iter().map(Illegality::to_string).collect::<Vec<_>>().join("; "))]
pub struct IllegalPosition {
    /// The reasons, at least one.
    pub reasons: Vec<Illegality>,
}

impl Position {
    /// Checks a board.
    ///
    /// # Errors
    ///
    /// If the board breaks a rule; the error lists every rule that it breaks.
    pub fn new(board: Board, turn: Color) -> Result<Position, IllegalPosition> {
        let mut reasons = Vec::new();
        for color in Color::ALL {
            if board.king(color).is_none() {
                reasons.push(Illegality::MissingKing(color));
            }
            let found = |role| board.by_piece(Piece::new(color, role)).len();
            let limits =
                MOST_MEN.iter().filter(|&(role, _)| role != Role::Met).map(|(role, &most)| (role, u32::from(most)));
            for (role, most) in std::iter::once((Role::King, 1)).chain(limits) {
                if found(role) > most {
                    reasons.push(Illegality::TooMany(Piece::new(color, role), found(role), most));
                }
            }
            let (mets, pawns) = (found(Role::Met), found(Role::Pawn));
            if mets + pawns > u32::from(MOST_METS_AND_PAWNS) {
                reasons.push(Illegality::TooManyMetsAndPawns(color, mets + pawns));
            }
            for square in board.by_piece(Piece::new(color, Role::Pawn)) - color.pawn_squares() {
                let is_beyond = match color {
                    Color::White => square.rank() >= color.promotion_rank(),
                    Color::Black => square.rank() <= color.promotion_rank(),
                };
                reasons.push(match is_beyond {
                    true => Illegality::PawnBeyondPromotion(square),
                    false => Illegality::PawnBehindStart(square),
                });
            }
        }
        if let (Some(white), Some(black)) = (board.king(Color::White), board.king(Color::Black)) {
            if white.distance(black) <= 1 {
                reasons.push(Illegality::TouchingKings);
            } else if board.is_attacked(!turn) {
                reasons.push(Illegality::OppositeCheck(!turn));
            }
        }
        if reasons.is_empty() { Ok(Position { board, turn }) } else { Err(IllegalPosition { reasons }) }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The square of a side's king.
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color).expect("a position has both kings")
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.board.is_attacked(self.turn)
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.any_legal_move(|_| true)
    }

    /// Whether a legal move is such a one; the first ends the search.
    pub(super) fn any_legal_move(&self, is_such: impl Fn(Move) -> bool) -> bool {
        let mut found = false;
        let exposed = self.exposed();
        self.each_pseudo_legal(|mv| {
            found = self.leaves_king_safe(mv, exposed) && is_such(mv);
            !found
        });
        found
    }

    /// Whether the side to move is in check without a legal move.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Whether the side to move is without a legal move, but not in check. That is a draw.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// All legal moves, in the order of the square left, then of the square reached.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        let exposed = self.exposed();
        self.each_pseudo_legal(|mv| {
            if self.leaves_king_safe(mv, exposed) {
                moves.push(mv);
            }
            true
        });
        moves
    }

    /// Whether the move is one of the legal ones.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.leaves_king_safe(mv, Bitboard::FULL)
    }

    /// Whether the move is legal, its own king's safety left out.
    pub(super) fn is_pseudo_legal(&self, mv: Move) -> bool {
        let mut found = false;
        self.each_pseudo_legal(|other| {
            found = other == mv;
            !found
        });
        found
    }

    /// The man that a move captures.
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        self.board.piece_at(mv.to)
    }

    /// The position after a legal move.
    ///
    /// # Panics
    ///
    /// If no man stands on the square left. An illegal move gives an illegal position.
    #[must_use]
    pub fn play(&self, mv: Move) -> Position {
        Position { board: self.board_after(mv), turn: !self.turn }
    }

    /// The positions from which a move without capture leads here, pawns' moves left out.
    pub fn quiet_predecessors(&self) -> impl Iterator<Item = Position> + '_ {
        let mover = !self.turn;
        let occupied = self.board.occupied();
        self.board.by_color(mover).into_iter().filter_map(|to| Some((to, self.board.piece_at(to)?))).flat_map(
            move |(to, piece)| {
                // A man's squares of origin are the squares that the same man of the other colour attacks.
                let from = if piece.role == Role::Pawn {
                    Bitboard::EMPTY
                } else {
                    attacks(!mover, piece.role, to, occupied) - occupied
                };
                from.into_iter().filter_map(move |from| {
                    let mut board = self.board.clone();
                    board.clear(to);
                    board.set(from, piece);
                    Position::new(board, mover).ok()
                })
            },
        )
    }

    /// The same game seen from the other side: colours exchanged, ranks flipped.
    #[must_use]
    pub fn color_flipped(&self) -> Position {
        Position { board: self.board.color_flipped(), turn: !self.turn }
    }

    fn board_after(&self, mv: Move) -> Board {
        let mut board = self.board.clone();
        let mut piece = board.clear(mv.from).expect("a move starts from a man");
        if mv.promotion {
            piece.role = Role::Met;
        }
        board.set(mv.to, piece);
        board
    }

    /// The squares from which a move may leave the king in check; moves from other squares never do. In check, every
    /// square; otherwise the king's own and its rank and file, since only rooks attack from afar.
    fn exposed(&self) -> Bitboard {
        if self.is_check() {
            return Bitboard::FULL;
        }
        let king = self.king(self.turn);
        if self.board.by_piece(Piece::new(!self.turn, Role::Rook)).is_empty() {
            Bitboard::of(king)
        } else {
            leaper_attacks(self.turn, Role::Rook, king).with(king)
        }
    }

    fn leaves_king_safe(&self, mv: Move, exposed: Bitboard) -> bool {
        !exposed.contains(mv.from) || !self.board_after(mv).is_attacked(self.turn)
    }

    /// Calls `visit` with each pseudo-legal move until it returns false.
    fn each_pseudo_legal(&self, mut visit: impl FnMut(Move) -> bool) {
        let occupied = self.board.occupied();
        let own = self.board.by_color(self.turn);
        let enemy = self.board.by_color(!self.turn);
        for from in own {
            let Some(piece) = self.board.piece_at(from) else { continue };
            let attacked = attacks(piece.color, piece.role, from, occupied);
            let targets = if piece.role == Role::Pawn {
                let ahead = from.offset(0, piece.color.forward()).map_or(Bitboard::EMPTY, Bitboard::of);
                (attacked & enemy) | (ahead - occupied)
            } else {
                attacked - own
            };
            // The enemy king is never taken: it would have been in check with the other side to move.
            for to in targets - self.board.by_piece(Piece::new(!self.turn, Role::King)) {
                let promotion = piece.role == Role::Pawn && to.rank() == piece.color.promotion_rank();
                if !visit(Move { from, to, promotion }) {
                    return;
                }
            }
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.board, self.turn.letter())
    }
}
