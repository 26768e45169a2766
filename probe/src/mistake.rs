//! The mistake of a move, against the best one.

use makruk_tables::value::Value;

use crate::judge::Category;
use crate::ranked_move::RankedMove;

/// The loss that a move brings about, against the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mistake {
    /// A win under the count: now drawn or lost.
    Win,
    /// A draw, by the count or without: now lost.
    Draw,
    /// Time: the result is kept, but the winner's way has become longer or the loser's shorter by this number of moves.
    Time {
        /// Moves of the winner, at least one.
        moves: u32,
    },
}

impl Mistake {
    /// `win`, `draw` or `time`.
    pub const fn name(self) -> &'static str {
        match self {
            Mistake::Win => "win",
            Mistake::Draw => "draw",
            Mistake::Time { .. } => "time",
        }
    }

    /// The moves lost, for [`Mistake::Time`].
    pub const fn lost_moves(self) -> Option<u32> {
        match self {
            Mistake::Time { moves } => Some(moves),
            Mistake::Win | Mistake::Draw => None,
        }
    }

    /// Judges a move against the best of the same position, the first of [`Prober::moves`](crate::Prober::moves). Drawn
    /// positions have no time to lose.
    pub fn judge(best: &RankedMove, played: &RankedMove) -> Option<Mistake> {
        match (best.category, played.category) {
            (Category::Win, Category::Win) => {
                // If the ways to the conversion are equally long and both moves are conversions, the rest of the way is
                // compared. Ways under different rules of the count cannot be compared.
                let longer = lost(played.dtz, best.dtz);
                let are_alike = played.begins_count && best.begins_count && played.bares_king == best.bares_king;
                longer.or_else(|| are_alike.then(|| lost(played.onward, best.onward)).flatten())
            }
            (Category::Loss, Category::Loss) => lost(best.dtz, played.dtz),
            (Category::Win, _) => return Some(Mistake::Win),
            (best, Category::Loss) if best.is_drawn() => return Some(Mistake::Draw),
            _ => None,
        }
        .map(|moves| Mistake::Time { moves })
    }
}

/// The number of moves by which one way is longer than the other.
fn lost(longer: Value, shorter: Value) -> Option<u32> {
    let moves = u32::from(longer.plies()?.checked_sub(shorter.plies()?)?) / 2;
    (moves > 0).then_some(moves)
}

#[cfg(test)]
mod tests {
    use makruk_rules::{Move, Square};

    use super::*;

    fn mv(category: Category, dtm: Value, dtz: Value, bares_king: bool) -> RankedMove {
        let mv = Move { from: Square::new(0), to: Square::new(1), promotion: false };
        let (onward, begins_count) = (if bares_king { dtm } else { dtz }, bares_king);
        RankedMove { mv, category, dtm, dtz, onward, capture: bares_king, bares_king, begins_count, count: None }
    }

    #[test]
    fn mistakes_by_category_and_by_time() {
        use Category::{BlessedLoss, CursedWin, Draw, Loss, Win};
        let win = |dtm, dtz| mv(Win, Value::Win(dtm), Value::Win(dtz), false);
        let bare = |dtm| mv(Win, Value::Win(dtm), Value::Win(1), true);
        let loss = |dtz| mv(Loss, Value::Loss(dtz), Value::Loss(dtz), false);
        let drawn = |category| mv(category, Value::Draw, Value::Draw, false);
        let judge = |best, played| Mistake::judge(&best, &played);
        assert_eq!(judge(win(31, 45), win(33, 45)), None, "the winner does not follow DTM");
        assert_eq!(judge(win(31, 45), win(31, 49)), Some(Mistake::Time { moves: 2 }));
        assert_eq!(judge(bare(1), bare(9)), Some(Mistake::Time { moves: 4 }));
        assert_eq!(judge(win(31, 45), drawn(CursedWin)), Some(Mistake::Win));
        assert_eq!(judge(win(31, 45), loss(2)), Some(Mistake::Win));
        assert_eq!(judge(loss(20), loss(20)), None);
        assert_eq!(judge(loss(20), loss(14)), Some(Mistake::Time { moves: 3 }));
        for kept in [BlessedLoss, Draw, CursedWin] {
            assert_eq!(judge(drawn(kept), loss(4)), Some(Mistake::Draw));
            assert_eq!(judge(drawn(kept), drawn(BlessedLoss)), None);
        }
    }
}
