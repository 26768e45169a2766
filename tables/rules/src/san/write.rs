//! Moves written in standard algebraic notation.

use super::super::{Move, Position, Role, Square};

impl Move {
    /// Writes a legal move in standard algebraic notation: letters K R N S M, pawns by their squares. Of the square
    /// left it writes no more than is needed to tell the move from the others. `=M` is a promotion, `+` check and `#`
    /// mate.
    ///
    /// # Panics
    ///
    /// If no piece stands on the square left.
    pub fn to_san(self, position: &Position) -> String {
        let role = position.board().piece_at(self.from).expect("a move starts from a man").role;
        let captures = position.captured(self).is_some();
        let mut san = String::new();
        let file = (b'a' + self.from.file()) as char;
        let rank = (b'1' + self.from.rank()) as char;
        if role == Role::Pawn {
            if captures {
                san.push(file);
            }
        } else {
            san.push(role.letter());
            let rivals: Vec<Square> = position
                .legal_moves()
                .into_iter()
                .filter(|other| other.to == self.to && other.from != self.from)
                .map(|other| other.from)
                .filter(|&from| position.board().piece_at(from).is_some_and(|piece| piece.role == role))
                .collect();
            let same_file = rivals.iter().any(|from| from.file() == self.from.file());
            let same_rank = rivals.iter().any(|from| from.rank() == self.from.rank());
            if !rivals.is_empty() && (!same_file || same_rank) {
                san.push(file);
            }
            if same_file {
                san.push(rank);
            }
        }
        if captures {
            san.push('x');
        }
        san.push_str(&self.to.to_string());
        if self.promotion {
            san.push('=');
            san.push(Role::Met.letter());
        }
        let after = position.play(self);
        if after.is_checkmate() {
            san.push('#');
        } else if after.is_check() {
            san.push('+');
        }
        san
    }
}
