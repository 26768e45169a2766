//! The plies of an attack.

use makruk_rules::Color;

/// A ply of an attack: the positions with `side` to move that are decided in the same number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlyId {
    pub attacker: Color,
    pub side: Color,
    pub moves: u16,
}

impl PlyId {
    /// An attack's ply by its number, from 0: for each number of moves the attacker's, then the defender's.
    pub(crate) fn nth(attacker: Color, number: usize) -> PlyId {
        let side = if number.is_multiple_of(2) { attacker } else { !attacker };
        PlyId { attacker, side, moves: (number / 2) as u16 }
    }
}
