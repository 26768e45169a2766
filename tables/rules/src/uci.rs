//! Moves in UCI notation.

use thiserror::Error;

use super::text::quoted;
use super::{Color, Move, Piece, Position, Role, Square};

/// The reason why a UCI text is not a legal move of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UciError {
    /// The text is not two squares, with or without a letter after them.
    #[error("{} is not a move in UCI notation: expected two squares, such as e2e3, and m after a promotion", quoted(.0))]
    Syntax(String),
    /// The text promotes to another role; a pawn becomes a met and nothing else.
    #[error("{} promotes to another piece: a pawn becomes a met, so the letter is m or missing", quoted(.0))]
    PromotionRole(String),
    /// The text has the letter of a promotion after a move that is not one.
    #[error("{} has the letter of a promotion, but no pawn reaches its sixth rank by that move", quoted(.0))]
    NoPromotion(String),
    /// The square to move from is empty.
    #[error("{mv} is illegal: no man stands on {}", .mv.from)]
    NoMan {
        /// The move.
        mv: Move,
    },
    /// The piece belongs to the other side.
    #[error("{mv} is illegal: the {} on {} is {}'s and it is {turn}'s move", .piece.role.name(), .mv.from, .piece.color)]
    OtherSide {
        /// The move.
        mv: Move,
        /// The piece on the square to move from.
        piece: Piece,
        /// The side to move.
        turn: Color,
    },
    /// The piece cannot go there.
    #[error("{mv} is illegal: the {} cannot go from {} to {}", .role.name(), .mv.from, .mv.to)]
    Unreachable {
        /// The move.
        mv: Move,
        /// The piece that should move.
        role: Role,
    },
    /// The move leaves or puts its own king in check.
    #[error("{mv} is illegal: it leaves {turn}'s king in check")]
    LeavesCheck {
        /// The move.
        mv: Move,
        /// The side to move.
        turn: Color,
    },
}

impl Move {
    /// Reads a move in UCI notation: `e2e3`, or `e5e6m` for a promotion, whose letter may be left out or be another
    /// lettering's (`q`, `f`).
    ///
    /// ```
    /// use makruk_rules::{Fen, Move};
    ///
    /// let position = Fen::parse("8/8/8/4P3/8/k7/8/K1R5 w")?.position;
    /// let mv = Move::from_uci(&position, "e5e6")?;
    /// assert!(mv.promotion);
    /// assert_eq!(mv.to_string(), "e5e6m");
    /// assert!(Move::from_uci(&position, "a1a2").is_err()); // beside the other king
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not UCI notation, or the move is not legal.
    pub fn from_uci(position: &Position, text: &str) -> Result<Move, UciError> {
        let syntax = || UciError::Syntax(text.to_owned());
        let (squares, suffix) = text.split_at_checked(4).ok_or_else(syntax)?;
        let (from, to) = squares.split_at_checked(2).ok_or_else(syntax)?;
        let from: Square = from.parse().map_err(|_| syntax())?;
        let to: Square = to.parse().map_err(|_| syntax())?;
        let mut letters = suffix.chars();
        let suffix = match (letters.next(), letters.next()) {
            (None, _) => None,
            (Some(letter), None) => Some(Role::from_letter(letter).ok_or_else(syntax)?),
            _ => return Err(syntax()),
        };

        let mv = Move::between(position, from, to)?;
        match suffix {
            Some(_) if !mv.promotion => Err(UciError::NoPromotion(text.to_owned())),
            Some(role) if role != Role::Met => Err(UciError::PromotionRole(text.to_owned())),
            _ => Ok(mv),
        }
    }

    /// The legal move between two squares.
    pub(super) fn between(position: &Position, from: Square, to: Square) -> Result<Move, UciError> {
        let turn = position.turn();
        let plain = Move { from, to, promotion: false };
        let piece = position.board().piece_at(from).ok_or(UciError::NoMan { mv: plain })?;
        let promotion = piece.role == Role::Pawn && to.rank() == piece.color.promotion_rank();
        let mv = Move { from, to, promotion };
        if piece.color != turn {
            Err(UciError::OtherSide { mv, piece, turn })
        } else if position.is_legal(mv) {
            Ok(mv)
        } else if position.is_pseudo_legal(mv) {
            Err(UciError::LeavesCheck { mv, turn })
        } else {
            Err(UciError::Unreachable { mv, role: piece.role })
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Fen;
    use super::*;

    fn read(fen: &str, text: &str) -> Result<Move, UciError> {
        Move::from_uci(&Fen::parse(fen).unwrap().position, text)
    }

    #[test]
    fn promotions_in_any_form() {
        for text in ["e5e6", "e5e6m", "e5e6M", "e5e6q", "e5e6f"] {
            assert_eq!(read("8/8/8/4P3/8/k7/8/K1R5 w", text).unwrap().to_string(), "e5e6m");
        }
    }

    #[test]
    fn each_error_names_its_reason() {
        let fen = "4r3/8/8/4P3/8/k3N3/8/2R1K3 w";
        let kinds = ["", "e2", "e2e3mm", "e2e9", "i1a1", "e3c4x", "ก2e3", "0000"];
        for text in kinds {
            assert!(matches!(read(fen, text), Err(UciError::Syntax(_))), "{text}");
        }
        let message = |fen, text| read(fen, text).unwrap_err().to_string();
        assert!(message(fen, "e5e6r").contains("a pawn becomes a met"));
        assert!(message(fen, "e3c4m").contains("no pawn reaches"));
        assert!(message(fen, "a1a2").contains("no man stands on a1"));
        assert!(message(fen, "a3a2").contains("the king on a3 is Black's and it is White's move"));
        assert!(message(fen, "e3e4").contains("the knight cannot go from e3 to e4"));
        assert!(message("4r3/8/8/8/8/k3N3/8/2R1K3 w", "e3c4").contains("leaves White's king in check"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,8}", near in "[a-i][0-9][a-i][0-9][mqrx]?") {
            for text in [text, near] {
                let position = Fen::start().position;
                if let Ok(mv) = Move::from_uci(&position, &text) {
                    prop_assert!(position.is_legal(mv));
                }
            }
        }
    }
}
