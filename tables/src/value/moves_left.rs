//! The moves that a count leaves the attacker.

use super::distance::Value;
use super::wdl::Wdl;
use crate::material::Material;
use crate::rules::{Board, Color, CountingRules, Piece, Role, Square};

/// The moves that a count leaves the attacker if it begins now, in positions of a material; `None` where there is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovesLeft {
    attacker_to_move: Option<u32>,
    defender_to_move: Option<u32>,
}

impl MovesLeft {
    /// In positions of a material.
    pub fn of(material: Material, rules: &CountingRules) -> MovesLeft {
        // The count that begins in a position depends on the material alone. A bare king defends; where both sides are armed
        // it does not matter which one does.
        let kings = Color::ALL.map(|color| Piece::new(color, Role::King));
        let board: Board = Square::all().zip(kings.into_iter().chain(material.pieces())).collect();
        let left = |turn, attacker_to_move| Some(rules.start(&board, turn)?.attacker_moves_left(attacker_to_move));
        MovesLeft { attacker_to_move: left(Color::White, true), defender_to_move: left(Color::Black, false) }
    }

    /// The moves that the count leaves which a capture starts, if the capture bares the opponent; else `None`.
    pub fn after_baring(material: Material, captured: Piece, rules: &CountingRules) -> Option<u32> {
        material.side(captured.color).without(captured.role).filter(|left| left.is_bare())?;
        let mover = material.side(!captured.color);
        Some(rules.moves_after_baring(material.men() as u32 - 1, |role| mover.count(role)))
    }

    /// The number of moves, `attacker_to_move` when the count begins.
    pub const fn moves(self, attacker_to_move: bool) -> Option<u32> {
        if attacker_to_move { self.attacker_to_move } else { self.defender_to_move }
    }

    /// Does a decided value leave time, `attacker_to_move` when the count begins?
    pub fn suffice(self, value: Value, attacker_to_move: bool) -> bool {
        let left = self.moves(attacker_to_move);
        value.moves().is_some_and(|moves| left.is_none_or(|left| u32::from(moves) <= left))
    }

    /// The WDL value of a position with these distances.
    pub fn wdl(self, dtm: Value, dtz: Value) -> Wdl {
        match dtm {
            Value::Draw => Wdl::Draw,
            Value::Win(_) if self.suffice(dtz, false) => Wdl::Win,
            Value::Win(_) if self.suffice(dtz, true) => Wdl::WinInTimeIfAttackerMoves,
            Value::Win(_) => Wdl::CursedWin,
            Value::Loss(_) if self.suffice(dtz, false) => Wdl::Loss,
            Value::Loss(_) => Wdl::BlessedLoss,
        }
    }

    /// Whether the WDL values of a side that has these values in DTZ follow from those of the positions that its moves lead
    /// to. They do where both sides are armed (else a capture may change the limit of a count that runs on), unless the side
    /// has wins that are in time only if the attacker moves first.
    pub fn follow(self, material: Material, dtz: impl IntoIterator<Item = Value>) -> bool {
        material.is_armed() && dtz.into_iter().all(|value| self.wdl(value, value) != Wdl::WinInTimeIfAttackerMoves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Category;

    fn left(material: &str) -> MovesLeft {
        MovesLeft::of(material.parse().unwrap(), &CountingRules::MAKRUK)
    }

    #[test]
    fn moves_left_are_those_of_the_rules() {
        let both =
            |attacker, defender| MovesLeft { attacker_to_move: Some(attacker), defender_to_move: Some(defender) };
        assert_eq!(left("KRRvK"), both(5, 4));
        assert_eq!(left("KRvK"), both(14, 13));
        assert_eq!(left("KRRvKR"), both(65, 64));
    }

    #[test]
    fn a_value_says_whether_there_is_time() {
        let rooks = left("KRRvK");
        let of = |dtm| rooks.wdl(dtm, dtm).category();
        assert_eq!(of(Value::Win(9)), Category::Win);
        assert_eq!(rooks.wdl(Value::Win(9), Value::Win(9)), Wdl::WinInTimeIfAttackerMoves);
        assert_eq!(rooks.wdl(Value::Win(7), Value::Win(7)), Wdl::Win);
        assert_eq!(of(Value::Win(11)), Category::CursedWin);
        assert_eq!(of(Value::Loss(8)), Category::Loss);
        assert_eq!(of(Value::Loss(10)), Category::BlessedLoss);
        assert_eq!(of(Value::Draw), Category::Draw);
        // No conversion at all.
        assert_eq!(left("KRvKR").wdl(Value::Win(9), Value::Draw), Wdl::CursedWin);
    }

    #[test]
    fn a_capture_that_bares_starts_its_own_count() {
        let material: Material = "KRvKS".parse().unwrap();
        let after = |piece| MovesLeft::after_baring(material, piece, &CountingRules::MAKRUK);
        assert_eq!(after(Piece::new(Color::Black, Role::Khon)), Some(13));
        assert_eq!(after(Piece::new(Color::Black, Role::Rook)), None);
        let two: Material = "KRvKSS".parse().unwrap();
        assert_eq!(MovesLeft::after_baring(two, Piece::new(Color::Black, Role::Khon), &CountingRules::MAKRUK), None);
    }
}
