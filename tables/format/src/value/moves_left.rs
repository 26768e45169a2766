//! The moves that a count leaves the attacker.

use super::distance::Value;
use super::score::{Bounds, Score};
use crate::material::{Exit, Material};
use makruk_rules::{Board, Category, Color, CountingRules, Piece, Position, Role, Square, ToMove, begins_count};

/// The moves that a count leaves the attacker if it begins now, in positions of a material; `None` where there is no
/// count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovesLeft {
    attacker_to_move: Option<u32>,
    defender_to_move: Option<u32>,
}

impl MovesLeft {
    /// In positions of a material.
    pub fn of(material: Material, rules: &CountingRules) -> MovesLeft {
        // The count that begins in a position depends on the material alone, so that any squares do.
        let kings = Color::ALL.map(|color| Piece::new(color, Role::King));
        let board: Board = Square::all().zip(kings.into_iter().chain(material.pieces())).collect();
        MovesLeft::on(&board, rules)
    }

    /// In positions with the men of a board.
    pub fn on(board: &Board, rules: &CountingRules) -> MovesLeft {
        // A bare king defends; where both sides are armed it does not matter which one does.
        let attacker = if board.is_bare(Color::White) { Color::Black } else { Color::White };
        let left = |turn| Some(rules.start(board, turn)?.attacker_moves_left(ToMove::attacker_if(turn == attacker)));
        MovesLeft { attacker_to_move: left(attacker), defender_to_move: left(!attacker) }
    }

    /// In the positions that an exit leads to, if a count begins there.
    pub fn begun_by(exit: &Exit, rules: &CountingRules) -> Option<MovesLeft> {
        exit.begins_count().then(|| MovesLeft::of(exit.child.material, rules))
    }

    /// In the position after a move, if a count begins there.
    pub fn begun_in(after: &Position, before: &Position, rules: &CountingRules) -> Option<MovesLeft> {
        let begins = begins_count(before.board(), after.board(), before.turn());
        begins.then(|| MovesLeft::on(after.board(), rules))
    }

    /// The number of moves, with this side to move when the count begins.
    pub const fn moves(self, to_move: ToMove) -> Option<u32> {
        match to_move {
            ToMove::Attacker => self.attacker_to_move,
            ToMove::Defender => self.defender_to_move,
        }
    }

    /// Whether a decided value leaves time, with this side to move when the count begins. A mate on the board always
    /// does.
    pub fn suffice(self, value: Value, to_move: ToMove) -> bool {
        value.plies().is_some_and(|plies| self.are_enough(plies, to_move))
    }

    fn are_enough(self, plies: u16, to_move: ToMove) -> bool {
        let left = self.moves(to_move);
        plies == 0 || left.is_none_or(|left| u32::from(plies.div_ceil(2)) <= left)
    }

    /// The score of a move that begins this count, to the side that makes it. `after` is the score of the position
    /// after the move: by DTZ, or by DTM under pieces' honour.
    ///
    /// The attacker's move is the conversion if the count leaves time for what follows. After the defender's, the
    /// distance goes on if there is time. Without time the move draws.
    #[must_use]
    pub(crate) fn conversion(self, after: Score) -> Score {
        match after {
            Score::Loss(plies) if self.are_enough(plies, ToMove::Defender) => Score::Win(1),
            Score::Loss(_) | Score::BlessedLoss => Score::CursedWin,
            Score::Draw => Score::Draw,
            Score::Win(plies) if self.are_enough(plies, ToMove::Attacker) => after.one_ply_earlier(),
            Score::CursedWin | Score::Win(_) => Score::BlessedLoss,
        }
    }

    /// The category of a position with this score, for a count that begins now.
    pub fn category(self, score: Score) -> Category {
        match score {
            Score::Loss(plies) if self.are_enough(plies, ToMove::Defender) => Category::Loss,
            Score::Loss(_) | Score::BlessedLoss => Category::BlessedLoss,
            Score::Draw => Category::Draw,
            Score::Win(plies) if self.are_enough(plies, ToMove::Attacker) => Category::Win,
            Score::CursedWin | Score::Win(_) => Category::CursedWin,
        }
    }

    /// The category of a position with such a score, for a count that begins now; `None` if these bounds do not decide
    /// it.
    pub fn category_within(self, bounds: Bounds) -> Option<Category> {
        let category = self.category(bounds.worst);
        (category == self.category(bounds.best)).then_some(category)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bounds, TableValue};
    use super::*;

    fn left(material: &str) -> MovesLeft {
        MovesLeft::of(material.parse().unwrap(), &CountingRules::MAKRUK)
    }

    const fn both(attacker: u32, defender: u32) -> MovesLeft {
        MovesLeft { attacker_to_move: Some(attacker), defender_to_move: Some(defender) }
    }

    #[test]
    fn moves_left_are_those_of_the_rules() {
        assert_eq!(left("KRRvK"), both(5, 4));
        assert_eq!(left("KRvK"), both(14, 13));
        assert_eq!(left("KRRvKR"), both(65, 64));
        assert_eq!(left("KRPvKR"), MovesLeft { attacker_to_move: None, defender_to_move: None });
    }

    #[test]
    fn a_value_says_whether_there_is_time() {
        let rooks = left("KRRvK");
        let of = |score| rooks.category(score);
        assert_eq!(of(Score::Win(9)), Category::Win);
        // To the opponent, whose move led here and was the first that counts.
        assert_eq!(of(Score::Win(9).one_ply_earlier()), Category::BlessedLoss);
        assert_eq!(of(Score::Win(7).one_ply_earlier()), Category::Loss);
        assert_eq!(of(Score::Win(11)), Category::CursedWin);
        assert_eq!(of(Score::Loss(8)), Category::Loss);
        assert_eq!(of(Score::Loss(10)), Category::BlessedLoss);
        assert_eq!(of(Score::Draw), Category::Draw);
        // No conversion at all.
        assert_eq!(left("KRvKR").category(Score::CursedWin), Category::CursedWin);
        // With a pawn a conversion needs no time.
        let pawn = left("KRPvKR");
        assert_eq!(pawn.category(Score::Loss(300)), Category::Loss);
        assert_eq!(pawn.category(Score::CursedWin), Category::CursedWin);
        let within = |best, worst| rooks.category_within(Bounds { worst: Score::Win(worst), best: Score::Win(best) });
        assert_eq!(within(1, 9), Some(Category::Win));
        assert_eq!(within(11, 13), Some(Category::CursedWin));
        assert_eq!(within(9, 11), None);
        assert!(rooks.suffice(Value::Win(9), ToMove::Attacker) && !rooks.suffice(Value::Win(9), ToMove::Defender));
        assert!(!rooks.suffice(Value::Draw, ToMove::Attacker));
    }

    #[test]
    fn an_exit_begins_the_count_of_the_material_that_it_reaches() {
        let begun = |material: &str, mover: Color| {
            let material: Material = material.parse().unwrap();
            let exits = material.exits(mover);
            exits.map(|exit| MovesLeft::begun_by(&exit, &CountingRules::MAKRUK)).collect::<Vec<_>>()
        };
        assert_eq!(begun("KRvKS", Color::White), [Some(both(14, 13))]);
        assert_eq!(begun("KSSvKR", Color::Black), [None]);
        // The pawn is taken, the rook is taken; the bare king moves next, or has just taken the last pawn.
        assert_eq!(begun("KRPvK", Color::Black), [Some(both(14, 13)), None]);
        assert_eq!(begun("KRPvK", Color::White), [Some(both(13, 12))]);
        assert_eq!(begun("KRPvKR", Color::White), [None, Some(both(13, 12)), Some(both(65, 64))]);
    }

    #[test]
    fn a_move_that_begins_a_count_converts_if_there_is_time() {
        let rook = left("KRvK");
        for (after, expected) in [
            (Score::Loss(0), Score::Win(1)),
            (Score::Loss(26), Score::Win(1)),
            (Score::Loss(28), Score::CursedWin),
            (Score::BlessedLoss, Score::CursedWin),
            (Score::Win(27), Score::Loss(28)),
            (Score::Win(29), Score::BlessedLoss),
            (Score::CursedWin, Score::BlessedLoss),
            (Score::Draw, Score::Draw),
        ] {
            assert_eq!(rook.conversion(after), expected, "{after:?}");
            assert_eq!(after.distance().before_move(Some(rook)), rook.conversion(after.distance().into()).distance());
            assert_eq!(Bounds::exactly(after).before_move(Some(rook)), Bounds::exactly(expected));
        }
        let lost = Bounds { worst: Score::Loss(24), best: Score::Loss(28) };
        assert_eq!(lost.before_move(Some(rook)), Bounds { worst: Score::CursedWin, best: Score::Win(1) });
        assert_eq!(lost.before_move(None), Bounds { worst: Score::Win(29), best: Score::Win(25) });
        // The mate on the board needs no move, even where none is left.
        assert_eq!(both(0, 0).conversion(Score::Loss(0)), Score::Win(1));
        assert_eq!(both(0, 0).conversion(Score::Loss(2)), Score::CursedWin);
    }
}
