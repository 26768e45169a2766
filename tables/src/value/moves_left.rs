//! The moves that a count leaves the attacker.

use super::distance::Value;
use super::score::Score;
use super::wdl::Wdl;
use crate::material::{Exit, Material};
use crate::rules::{Board, Color, CountRule, CountingRules, Piece, Position, Role, Square, ToMove, begins_count};

/// The moves that a count leaves the attacker if it begins now, in positions of a material; `None` where there is no count.
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

    /// Whether a decided value leaves time, with this side to move when the count begins. A mate on the board always does.
    pub fn suffice(self, value: Value, to_move: ToMove) -> bool {
        value.plies().is_some_and(|plies| self.are_enough(plies, to_move))
    }

    fn are_enough(self, plies: u16, to_move: ToMove) -> bool {
        let left = self.moves(to_move);
        plies == 0 || left.is_none_or(|left| u32::from(plies.div_ceil(2)) <= left)
    }

    /// The score of a move that begins this count, to the side that makes it. `after` is the score of the position after the
    /// move: by DTZ, or by DTM under pieces' honour.
    ///
    /// The attacker's move is the conversion if the count leaves time for what follows. After the defender's, the distance goes
    /// on if there is time. Without time the move draws.
    #[must_use]
    pub fn conversion(self, after: Score) -> Score {
        match after {
            Score::Loss(plies) if self.are_enough(plies, ToMove::Defender) => Score::Win(1),
            Score::Loss(_) | Score::BlessedLoss => Score::CursedWin,
            Score::Draw => Score::Draw,
            Score::Win(plies) if self.are_enough(plies, ToMove::Attacker) => after.one_ply_earlier(),
            Score::CursedWin | Score::Win(_) => Score::BlessedLoss,
        }
    }

    /// The WDL value of a position with this score.
    pub fn wdl(self, score: Score) -> Wdl {
        match score {
            Score::Loss(plies) if self.are_enough(plies, ToMove::Defender) => Wdl::Loss,
            Score::Loss(_) | Score::BlessedLoss => Wdl::BlessedLoss,
            Score::Draw => Wdl::Draw,
            Score::Win(plies) if self.are_enough(plies, ToMove::Defender) => Wdl::Win,
            Score::Win(plies) if self.are_enough(plies, ToMove::Attacker) => Wdl::WinInTimeIfAttackerMoves,
            Score::CursedWin | Score::Win(_) => Wdl::CursedWin,
        }
    }

    /// Whether the WDL values of a side that has these values in DTZ follow from those of the positions that its moves lead
    /// to. With a pawn on the board they always do. Under pieces' honour they do not, since a capture may change the limit of a
    /// count that runs on; under board's honour they do unless the side has wins that are in time only if the attacker moves
    /// first.
    pub fn follow(self, material: Material, dtz: impl IntoIterator<Item = Value>) -> bool {
        match material.count_rule() {
            CountRule::None => true,
            CountRule::Board => dtz.into_iter().all(|value| self.wdl(value.into()) != Wdl::WinInTimeIfAttackerMoves),
            CountRule::Pieces => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bounds, TableValue};
    use super::*;
    use crate::rules::Category;

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
        let of = |score| rooks.wdl(score).category();
        assert_eq!(of(Score::Win(9)), Category::Win);
        assert_eq!(rooks.wdl(Score::Win(9)), Wdl::WinInTimeIfAttackerMoves);
        assert_eq!(rooks.wdl(Score::Win(7)), Wdl::Win);
        assert_eq!(of(Score::Win(11)), Category::CursedWin);
        assert_eq!(of(Score::Loss(8)), Category::Loss);
        assert_eq!(of(Score::Loss(10)), Category::BlessedLoss);
        assert_eq!(of(Score::Draw), Category::Draw);
        // No conversion at all.
        assert_eq!(left("KRvKR").wdl(Score::CursedWin), Wdl::CursedWin);
        // With a pawn a conversion needs no time.
        let pawn = left("KRPvKR");
        assert_eq!(pawn.wdl(Score::Loss(300)), Wdl::Loss);
        assert_eq!(pawn.wdl(Score::CursedWin), Wdl::CursedWin);
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
