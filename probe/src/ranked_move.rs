//! Moves with their verdicts, ranked.

use std::cmp::{Ordering, Reverse};

use makruk_rules::{Count, Move, Position, ToMove};
use makruk_tables::value::Value;

use crate::judge::{self, Category, Distances};
use crate::verdict::Counting;

/// A move and its verdict, all seen by the side that makes it, with the move itself counted (a mating move has 1 ply),
/// under the root's count carried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RankedMove {
    /// The move; its `Display` is UCI notation.
    pub mv: Move,
    /// The category under the count.
    pub category: Category,
    /// Plies to mate, no count.
    pub dtm: Value,
    /// Plies to the conversion; 1 for a move that begins a count, if the count leaves the mover enough moves, else
    /// none.
    pub dtz: Value,
    /// Plies to the first conversion after the move: `dtz`, unless the move itself begins a count.
    pub onward: Value,
    /// Whether it takes a man.
    pub capture: bool,
    /// Whether it bares an opponent who had a piece left.
    pub bares_king: bool,
    /// Whether it begins a count, whatever ran before: it ends the last pawn or, without pawns, bares an armed
    /// opponent.
    pub begins_count: bool,
    /// The count that runs after it.
    pub count: Option<Count>,
}

impl RankedMove {
    /// Standard algebraic notation, with `+` and `#`; `root` is the position it is made in.
    pub fn san(&self, root: &Position) -> String {
        self.mv.to_san(root)
    }

    /// Both distances.
    pub const fn distances(&self) -> Distances {
        Distances { dtm: self.dtm, dtz: self.dtz }
    }

    /// The distances of the position after it, seen by the opponent.
    pub fn after(&self) -> Distances {
        Distances { dtm: judge::after_move(self.dtm), dtz: judge::after_move(self.onward) }
    }

    /// The winner's moves left after it; `None` where neither side wins by it, or no count runs then.
    pub fn attacker_moves_left(&self) -> Option<u32> {
        Some(self.count?.attacker_moves_left(ToMove::attacker_if(!self.distances().mover_wins()?)))
    }

    /// The winner's moves left after it, less those that are needed then; `None` if nobody converts, or no count runs.
    pub fn slack(&self) -> Option<i32> {
        if self.dtz == Value::Draw {
            return None;
        }
        judge::slack(self.after().dtz, self.attacker_moves_left())
    }

    /// The count after it; `after` is the position that it leads to.
    pub fn counting(&self, after: &Position) -> Counting {
        Counting::running(self.count, after, self.attacker_moves_left())
    }
}

/// Best first: win by DTZ then DTM, cursed win by DTM, draw, blessed loss by longest DTM, loss by longest DTZ then DTM;
/// ties by UCI notation.
pub fn rank(moves: &mut [RankedMove]) {
    moves.sort_by(compare);
}

fn compare(a: &RankedMove, b: &RankedMove) -> Ordering {
    let plies = |value: Value| value.plies().unwrap_or(u16::MAX);
    let worth = Reverse(a.category).cmp(&Reverse(b.category)).then_with(|| match a.category {
        Category::Win => (plies(a.dtz), plies(a.dtm)).cmp(&(plies(b.dtz), plies(b.dtm))),
        Category::CursedWin => plies(a.dtm).cmp(&plies(b.dtm)),
        Category::Draw => Ordering::Equal,
        Category::BlessedLoss => plies(b.dtm).cmp(&plies(a.dtm)),
        Category::Loss => (plies(b.dtz), plies(b.dtm)).cmp(&(plies(a.dtz), plies(a.dtm))),
    });
    worth.then_with(|| a.mv.uci_order().cmp(&b.mv.uci_order()))
}

/// The shortest way to mate for the winner, the longest for the loser, no count; ties by UCI notation.
pub fn best_by_dtm(moves: &[RankedMove]) -> Option<&RankedMove> {
    moves.iter().min_by(|a, b| compare_by_dtm(a, b))
}

fn compare_by_dtm(a: &RankedMove, b: &RankedMove) -> Ordering {
    let key = |mv: &RankedMove| match mv.dtm {
        Value::Win(plies) => (0, i32::from(plies)),
        Value::Draw => (1, 0),
        Value::Loss(plies) => (2, -i32::from(plies)),
    };
    (key(a), a.mv.uci_order()).cmp(&(key(b), b.mv.uci_order()))
}

/// The part of the count in games. Without it, DTM alone decides who wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CountMode {
    /// A count that runs out draws the game.
    #[default]
    Applied,
    /// There is no count.
    Ignored,
}

impl CountMode {
    /// Sorts the ranked moves of a position, best first: with the count as [`Prober::moves`](crate::Prober::moves),
    /// without it by DTM alone.
    pub fn rank(self, moves: &mut [RankedMove]) {
        moves.sort_by(match self {
            CountMode::Applied => compare,
            CountMode::Ignored => compare_by_dtm,
        });
    }

    /// The best of the ranked moves of a position.
    pub fn best(self, ranked: &[RankedMove]) -> Option<&RankedMove> {
        match self {
            CountMode::Applied => ranked.first(),
            CountMode::Ignored => best_by_dtm(ranked),
        }
    }

    /// Whether a move keeps the result that the best one has.
    pub fn keeps(self, best: &RankedMove, mv: &RankedMove) -> bool {
        match self {
            CountMode::Applied => mv.category == best.category,
            CountMode::Ignored => mv.distances().mover_wins() == best.distances().mover_wins(),
        }
    }

    /// Whether a move is drawn.
    pub fn is_drawn(self, mv: &RankedMove) -> bool {
        match self {
            CountMode::Applied => mv.category.is_drawn(),
            CountMode::Ignored => mv.dtm == Value::Draw,
        }
    }
}

/// Whether a move bares an opponent who has a piece.
pub(crate) fn bares_king(position: &Position, mv: Move) -> bool {
    position.captured(mv).is_some() && position.board().by_color(!position.turn()).len() == 2
}

#[cfg(test)]
mod tests {
    use makruk_rules::Square;

    use super::*;

    fn mv(to: u8, category: Category, dtm: Value, dtz: Value) -> RankedMove {
        let mv = Move { from: Square::new(0), to: Square::new(to), promotion: false };
        RankedMove {
            mv,
            category,
            dtm,
            dtz,
            onward: dtz,
            capture: false,
            bares_king: false,
            begins_count: false,
            count: None,
        }
    }

    #[test]
    fn best_first_and_ties_by_uci() {
        use Category::{BlessedLoss, CursedWin, Draw, Loss, Win};
        let (win, loss, none) = (Value::Win, Value::Loss, Value::Draw);
        let ranked = [
            mv(20, Win, win(1), win(1)),
            mv(19, Win, win(21), win(1)),
            mv(18, Win, win(31), win(45)),
            mv(8, Win, win(5), win(47)),
            mv(17, CursedWin, win(31), none),
            mv(16, CursedWin, win(33), win(3)),
            mv(9, Draw, none, none),
            mv(15, Draw, none, none), // b2 before h2
            mv(14, BlessedLoss, loss(40), none),
            mv(13, BlessedLoss, loss(2), loss(80)),
            mv(12, Loss, loss(10), loss(20)),
            mv(11, Loss, loss(12), loss(18)),
            mv(10, Loss, loss(8), loss(18)),
        ];
        for shift in 0..ranked.len() {
            let mut moves = ranked;
            moves.rotate_left(shift);
            moves.reverse();
            rank(&mut moves);
            assert_eq!(moves, ranked);
        }
        let mut ties = [mv(1, Draw, none, none), mv(8, Draw, none, none)];
        rank(&mut ties);
        assert_eq!(ties.map(|mv| mv.mv.to_string()), ["a1a2", "a1b1"], "letters, not squares");
    }

    #[test]
    fn dtm_alone() {
        use Category::{CursedWin, Loss, Win};
        let moves = [
            mv(1, Win, Value::Win(31), Value::Win(45)),
            mv(2, CursedWin, Value::Win(15), Value::Draw),
            mv(3, Loss, Value::Loss(2), Value::Loss(2)),
        ];
        assert_eq!(best_by_dtm(&moves), Some(&moves[1]));
        let lost = [mv(1, Loss, Value::Loss(2), Value::Loss(2)), mv(2, Loss, Value::Loss(8), Value::Loss(2))];
        assert_eq!(best_by_dtm(&lost), Some(&lost[1]));
        assert_eq!(best_by_dtm(&[]), None);
    }
}
