//! The evaluation of positions that no table has: men, and their squares.

use makruk_rules::{Board, Color, Piece, Position, Role, Square};

/// The value of a man, in hundredths of a pawn.
pub(super) const fn worth(role: Role) -> i32 {
    match role {
        Role::King => 0,
        Role::Rook => 500,
        Role::Knight => 300,
        Role::Khon => 280,
        Role::Met => 160,
        Role::Pawn => 100,
    }
}

/// The value of one side's men less the value of the other side's men.
pub(super) fn material(board: &Board, color: Color) -> i32 {
    let men = |role, color| board.by_piece(Piece::new(color, role)).len() as i32;
    Role::ALL.into_iter().map(|role| worth(role) * (men(role, color) - men(role, !color))).sum()
}

/// The evaluation from the side to move, in hundredths of a pawn.
pub(super) fn evaluate(position: &Position) -> i32 {
    let board = position.board();
    let mover = position.turn();
    let placed = |color| placement(position, color);
    material(board, mover) + placed(mover) - placed(!mover)
}

/// Men gain near the centre, pawns near promotion; the weaker side's king loses near an edge and near the enemy king.
fn placement(position: &Position, color: Color) -> i32 {
    let board = position.board();
    let ahead = material(board, color);
    let enemy_king = position.king(!color);
    let mut sum = 0;
    for (square, piece) in board.pieces().filter(|(_, piece)| piece.color == color) {
        sum += match piece.role {
            Role::Pawn => {
                let rank = i32::from(square.rank());
                4 * if color == Color::White { rank } else { 7 - rank }
            }
            Role::King if ahead < -200 => -6 * edge(square),
            Role::King => 0,
            // The stronger side gains by approaching the king.
            _ if ahead > 200 => 2 * (7 - i32::from(square.distance(enemy_king))) - edge(square),
            _ => -3 * edge(square),
        };
    }
    if ahead > 200 {
        sum += 4 * (7 - i32::from(position.king(color).distance(enemy_king)));
    }
    sum
}

/// Twice the steps from the board's centre.
fn edge(square: Square) -> i32 {
    let from_centre = |line: u8| (2 * i32::from(line) - 7).abs();
    from_centre(square.file()).max(from_centre(square.rank()))
}

#[cfg(test)]
mod tests {
    use makruk_rules::Fen;

    use super::*;

    #[test]
    fn both_sides_see_the_same() {
        let fen: Fen = "r1smk2r/3n4/p1p1pppp/1p6/4P3/PPPP1PPP/4N3/R1SK1M1R w - - 0 1".parse().unwrap();
        let position = &fen.position;
        assert_eq!(evaluate(position), evaluate(&position.color_flipped()));
        assert!(evaluate(position) > -200 && evaluate(&Fen::start().position) == 0);
        assert_eq!(material(position.board(), Color::White), -material(position.board(), Color::Black));
    }
}
