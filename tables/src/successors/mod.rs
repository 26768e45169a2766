//! What a position's moves make its value: one ply of minimax.

mod score;

pub use score::Score;

use crate::format::{Metric, Value, wdl_before};
use crate::material::Material;
use crate::rules::{CountingRules, Piece, Position, Role};

/// The value of a position as its moves make it, for sides to move that tables do not store. `value` is asked for the
/// positions that moves lead to, in DTM in place of DTZ where one of their kings is bare; two bare kings are a draw without
/// being asked.
///
/// # Errors
///
/// Those of `value`.
pub fn minimax_one_ply<E>(
    position: &Position,
    metric: Metric,
    rules: &CountingRules,
    mut value: impl FnMut(&Position, Metric) -> Result<Value, E>,
) -> Result<Value, E> {
    let mut best = None;
    let mover = position.turn();
    for mv in position.legal_moves() {
        let after = position.play(mv);
        let board = after.board();
        let (own_bare, other_bare) = (board.is_bare(mover), board.is_bare(!mover));
        let worth = if own_bare && other_bare {
            Value::Draw
        } else if metric == Metric::Wdl {
            wdl_before(value(&after, metric)?)
        } else if metric == Metric::Dtm || (!own_bare && !other_bare) {
            before(value(&after, metric)?)
        } else {
            let mate = before(value(&after, Metric::Dtm)?);
            // Two men of the other side before the move: its king, and the one that is taken.
            if other_bare && position.board().by_color(!mover).len() > 1 {
                let left =
                    rules.moves_after_baring(board.men(), |role: Role| board.by_piece(Piece::new(mover, role)).len());
                Score::of(mate).if_within(left).value()
            } else {
                mate
            }
        };
        best = best.max(Some(Score::of(worth)));
    }
    let mated = if metric == Metric::Wdl { Value::Loss(2) } else { Value::Loss(0) };
    Ok(best.map_or(if position.is_check() { mated } else { Value::Draw }, Score::value))
}

/// Whether a set has a table of its own for a metric: where a king is bare, DTM serves as DTZ.
pub fn has_table(set: Material, metric: Metric) -> bool {
    set != Material::BARE_KINGS && (metric != Metric::Dtz || set.is_armed())
}

/// The metric of the table that a set has for one: DTM where it has none of its own.
pub fn metric_for(set: Material, metric: Metric) -> Metric {
    if has_table(set, metric) { metric } else { Metric::Dtm }
}

/// A move's worth to the side that makes it, from the value of the position after it.
pub const fn before(after: Value) -> Value {
    match after {
        Value::Draw => Value::Draw,
        Value::Win(plies) => Value::Loss(plies.saturating_add(1)),
        Value::Loss(plies) => Value::Win(plies.saturating_add(1)),
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::rules::Fen;

    fn value(text: &str, metric: Metric, child: impl Fn(&Position, Metric) -> Value) -> Value {
        let fen: Fen = text.parse().unwrap();
        let found = minimax_one_ply(&fen.position, metric, &CountingRules::MAKRUK, |after, metric| {
            Ok::<_, Infallible>(child(after, metric))
        });
        found.unwrap()
    }

    #[test]
    fn the_best_move_counts() {
        // Fast wins before slow ones, draws before losses, slow losses before fast ones.
        let lone = "8/8/3k4/8/8/3K4/8/R7 b - - 0 1";
        assert_eq!(value(lone, Metric::Dtm, |_, _| Value::Win(5)), Value::Loss(6));
        assert_eq!(value(lone, Metric::Dtm, |_, _| Value::Draw), Value::Draw);
        let by_square =
            |after: &Position, _: Metric| Value::Win(2 * after.king(crate::rules::Color::Black).number() as u16 + 1);
        assert_eq!(value(lone, Metric::Dtm, by_square), Value::Loss(2 * 52 + 2), "the longest, by Ke7");
    }

    #[test]
    fn mate_and_stalemate_need_no_moves() {
        assert_eq!(value("R5k1/8/6K1/8/8/8/8/8 b - - 0 1", Metric::Dtm, |_, _| Value::Draw), Value::Loss(0));
        assert_eq!(value("k7/1R6/1K6/8/8/8/8/8 b - - 0 1", Metric::Dtm, |_, _| Value::Win(1)), Value::Draw);
    }

    #[test]
    fn a_baring_capture_is_an_event_if_the_count_it_starts_suffices() {
        // Rxe3 needs 15 moves and has 13; a shorter mate would be an event.
        let armed = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
        let rest = |after: &Position, metric: Metric, mate| match after.board().men() {
            3 => {
                assert_eq!(metric, Metric::Dtm);
                Value::Loss(mate)
            }
            _ => Value::Draw,
        };
        assert_eq!(value(armed, Metric::Dtm, |after, metric| rest(after, metric, 30)), Value::Win(31));
        assert_eq!(value(armed, Metric::Dtz, |after, metric| rest(after, metric, 30)), Value::Draw);
        assert_eq!(value(armed, Metric::Dtz, |after, metric| rest(after, metric, 26)), Value::Win(1));
    }
}
