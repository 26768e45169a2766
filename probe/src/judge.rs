//! The rules by which distances and a count become a verdict. Pure functions: no table, no position.
//!
//! All follow the rules page: *Values* and *Category*. The winner below is the side that wins without the count.

pub use makruk_rules::Category;
use makruk_rules::{Count, ToMove};
pub use makruk_tables::value::Distances;
use makruk_tables::value::{MovesLeft, TableValue, Value};

/// The value of the position after a move, from the value of the move to the side that makes it.
pub const fn after_move(mv: Value) -> Value {
    match mv {
        Value::Win(plies) => Value::Loss(plies.saturating_sub(1)),
        Value::Loss(plies) => Value::Win(plies.saturating_sub(1)),
        Value::Draw => Value::Draw,
    }
}

/// The number of the winner's own moves in a number of plies, whichever side begins.
pub const fn moves_in(plies: u16) -> u32 {
    plies.div_ceil(2) as u32
}

/// The winner's moves that a count leaves, the final one included; `None` where neither side wins, so that the
/// count says nothing, and where no count runs.
pub fn moves_left(count: Option<Count>, distances: Distances) -> Option<u32> {
    Some(count?.attacker_moves_left(ToMove::attacker_if(distances.mover_wins()?)))
}

/// The category of a position under the count that runs there; `None` if the rules have no count for it.
///
/// A mate on the board is lost, though no moves are left, if the one final move gave it. A mate beyond that is a draw:
/// the count had drawn the game before.
pub fn category(distances: Distances, count: Option<Count>) -> Category {
    if distances.dtm == Value::Loss(0) && count.is_some_and(|count| count.draws(true)) {
        return Category::Draw;
    }
    category_in(distances, moves_left(count, distances))
}

/// The category of a position if the winner has `left` moves left; `None` if no count runs at all.
fn category_in(distances: Distances, left: Option<u32>) -> Category {
    let in_time = match (distances.dtz.plies(), left) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(plies), Some(left)) => moves_in(plies) <= left,
    };
    match (distances.dtm, in_time) {
        (Value::Draw, _) => Category::Draw,
        (Value::Win(_), true) => Category::Win,
        (Value::Win(_), false) => Category::CursedWin,
        (Value::Loss(_), true) => Category::Loss,
        (Value::Loss(_), false) => Category::BlessedLoss,
    }
}

/// The distances of a move, seen by the side that makes it. If the move begins a count, `begun` has the moves that this
/// count leaves. Then DTZ is 1 if the move is a conversion, and none if the count leaves too few moves.
pub fn move_distances(child: Distances, begun: Option<MovesLeft>) -> Distances {
    Distances { dtm: child.dtm.one_ply_earlier(), dtz: child.dtz.before_move(begun) }
}

/// The category of a move, seen by the side that makes it: `before` is the count that runs when it is made, `after` the
/// one that runs then, `child` the position reached.
///
/// If the count had run out before the move, the game was drawn then, and a mate does not change that.
pub fn move_category(before: Option<Count>, after: Option<Count>, child: Distances) -> Category {
    if before.is_some_and(Count::is_expired) {
        category_in(Distances { dtm: child.dtm, dtz: Value::Draw }, Some(0)).flip()
    } else {
        category(child, after).flip()
    }
}

/// The winner's moves left less those needed: negative if the winner is short of moves. `None` without a conversion or
/// a count.
pub fn slack(to_conversion: Value, left: Option<u32>) -> Option<i32> {
    Some(left? as i32 - moves_in(to_conversion.plies()?) as i32)
}

/// The number of moves that the winner lacks: those needed less those left. `None` if those left suffice, or if there
/// is no conversion to count to.
pub fn short_by(to_conversion: Value, left: Option<u32>) -> Option<u32> {
    let lacking = moves_in(to_conversion.plies()?).checked_sub(left?)?;
    (lacking > 0).then_some(lacking)
}

#[cfg(test)]
mod tests {
    use Category::{BlessedLoss, CursedWin, Draw, Loss, Win};

    use super::*;

    fn count(limit: u32, ply: u32) -> Option<Count> {
        Some(Count::new(limit, ply).unwrap())
    }

    fn armed(dtm: Value, dtz: Value) -> Distances {
        Distances { dtm, dtz }
    }

    #[test]
    fn bare_kings_are_judged_by_dtm_against_the_moves_left() {
        // K+2R v K+R after the rook is given up: 4 moves.
        for (plies, after_capture) in [(0, Loss), (2, Loss), (8, Loss), (10, BlessedLoss)] {
            assert_eq!(category(Distances::bare(Value::Loss(plies)), count(16, 8)), after_capture, "{plies}");
        }
        // The attacker to move on the last move allowed, and one too late.
        assert_eq!(category(Distances::bare(Value::Win(1)), count(16, 16)), Win);
        assert_eq!(category(Distances::bare(Value::Win(1)), count(16, 17)), CursedWin);
        assert_eq!(category(Distances::bare(Value::Win(3)), count(16, 16)), CursedWin);
        assert_eq!(category(Distances::bare(Value::Win(3)), count(16, 14)), Win);
        assert_eq!(category(Distances::bare(Value::Win(3)), count(16, 15)), CursedWin);
        // The defender to move: a count that runs out by his move leaves nothing.
        assert_eq!(category(Distances::bare(Value::Loss(2)), count(16, 16)), BlessedLoss);
        assert_eq!(category(Distances::bare(Value::Loss(2)), count(16, 15)), Loss);
        // Odd limits.
        assert_eq!(category(Distances::bare(Value::Win(1)), count(15, 15)), Win);
        assert_eq!(category(Distances::bare(Value::Loss(2)), count(15, 14)), Loss);
        assert_eq!(category(Distances::bare(Value::Loss(2)), count(15, 15)), BlessedLoss);
    }

    #[test]
    fn a_mate_on_the_board_counts_if_the_one_final_move_gave_it() {
        for count in [count(16, 0), count(16, 16), count(16, 17), count(15, 16), count(1, 2), None] {
            assert_eq!(category(Distances::MATED, count), Loss, "{count:?}");
        }
        for count in [count(16, 18), count(15, 17), count(1, 3), count(1, 9999)] {
            assert_eq!(category(Distances::MATED, count), Draw, "{count:?}");
        }
    }

    #[test]
    fn a_draw_is_a_draw_under_any_count() {
        for count in [count(16, 0), count(16, 17), None] {
            assert_eq!(category(Distances::DRAW, count), Draw);
            assert_eq!(moves_left(count, Distances::DRAW), None);
        }
    }

    #[test]
    fn boards_honour_has_64_moves_with_the_defender_to_move_and_65_with_the_attacker() {
        let long = Value::Win(301);
        assert_eq!(category(armed(long, Value::Win(129)), count(128, 0)), Win);
        assert_eq!(category(armed(long, Value::Win(131)), count(128, 0)), CursedWin);
        assert_eq!(category(armed(Value::Loss(300), Value::Loss(128)), count(128, 0)), Loss);
        assert_eq!(category(armed(Value::Loss(300), Value::Loss(130)), count(128, 0)), BlessedLoss);
    }

    #[test]
    fn armed_positions_are_judged_by_dtz_alone() {
        // 8/8/8/8/8/4s1k1/4R3/K7 w: DTM 31 by Rxe3, DTZ 45.
        let distances = armed(Value::Win(31), Value::Win(45));
        assert_eq!(category(distances, count(128, 0)), Win);
        assert_eq!(category(distances, count(128, 84)), Win);
        assert_eq!(category(distances, count(128, 85)), CursedWin);
        // No conversion within reach, however long the count.
        assert_eq!(category(armed(Value::Win(31), Value::Draw), count(9999, 0)), CursedWin);
        assert_eq!(category(armed(Value::Win(31), Value::Draw), None), CursedWin);
        assert_eq!(category(distances, None), Win);
    }

    #[test]
    fn a_move_is_judged_by_the_count_that_it_leaves() {
        let bare = |value| Distances::bare(value);
        // A mate by the move on which the count runs out still wins; no later move does.
        assert_eq!(move_category(count(16, 16), count(16, 17), Distances::MATED), Win);
        assert_eq!(move_category(count(16, 17), count(16, 18), Distances::MATED), CursedWin);
        assert_eq!(move_category(count(16, 17), count(16, 17), bare(Value::Loss(2))), CursedWin);
        assert_eq!(move_category(count(16, 17), count(16, 17), bare(Value::Win(1))), BlessedLoss);
        assert_eq!(move_category(count(16, 17), count(16, 17), Distances::DRAW), Draw);
        // A baring capture on the last move of board's honour: the new count decides.
        assert_eq!(move_category(count(128, 128), count(32, 6), bare(Value::Loss(26))), Win);
        assert_eq!(move_category(count(128, 128), count(32, 6), bare(Value::Loss(28))), CursedWin);
        assert_eq!(move_category(count(16, 15), count(16, 16), bare(Value::Win(1))), Loss);
        assert_eq!(move_category(count(16, 16), count(16, 17), bare(Value::Win(1))), BlessedLoss);
        assert_eq!(move_category(None, None, bare(Value::Win(1))), Loss);
    }

    #[test]
    fn moves_that_are_lacking() {
        assert_eq!(short_by(Value::Loss(14), Some(4)), Some(3));
        assert_eq!(short_by(Value::Loss(8), Some(4)), None);
        assert_eq!(short_by(Value::Win(131), Some(65)), Some(1));
        assert_eq!(short_by(Value::Draw, Some(64)), None);
        assert_eq!(short_by(Value::Win(131), None), None);
    }
}
