//! One ply of minimax: the value of a position, or of a whole slab, from the positions that its moves lead to.
//!
//! Tables omit a side to move whose values follow from the other side's; [`minimax`] derives them one position at a
//! time, `SlabMinimax` one slab at a time.

mod slab;

pub(crate) use slab::{Lead, SlabMinimax};

use makruk_format::value::{MovesLeft, TableValue};
use makruk_rules::{CountingRules, Position};

/// The value of a position. `rules` are those of the counts that moves begin, if the metric knows counts. `value` is
/// called with the positions that moves lead to, and returns their DTM for DTZ under pieces' honour; two bare kings are
/// a draw without a call.
///
/// # Errors
///
/// If `value` fails.
pub fn minimax<V: TableValue, E>(
    position: &Position,
    rules: Option<&CountingRules>,
    mut value: impl FnMut(&Position) -> Result<V, E>,
) -> Result<V, E> {
    let of_move = |mv| {
        let after = position.play(mv);
        let value = if after.board().men() == 2 { V::DRAW } else { value(&after)? };
        Ok(value_of_move(value, &after, position, rules))
    };
    Ok(best_of(position.legal_moves(), of_move, |_| false)?.unwrap_or_else(|| without_moves(position)))
}

/// The best of some moves' values, to the side that makes them; `None` without moves. No move is read after one that
/// `ends` the search, the best so far being its argument.
pub(crate) fn best_of<M, V: TableValue, E>(
    moves: impl IntoIterator<Item = M>,
    mut value: impl FnMut(M) -> Result<V, E>,
    ends: impl Fn(V) -> bool,
) -> Result<Option<V>, E> {
    let mut best = None;
    for mv in moves {
        let found = value(mv)?;
        let found = best.map_or(found, |best: V| best.or(found));
        best = Some(found);
        if ends(found) {
            break;
        }
    }
    Ok(best)
}

/// The value of a move to the side that makes it, by the value of the position after it.
#[inline]
pub(crate) fn value_of_move<V: TableValue>(
    value: V,
    after: &Position,
    before: &Position,
    rules: Option<&CountingRules>,
) -> V {
    value.before_move(rules.and_then(|rules| MovesLeft::begun_in(after, before, rules)))
}

/// The value of a position without moves: mate, or stalemate.
pub(crate) fn without_moves<V: TableValue>(position: &Position) -> V {
    if position.is_check() { V::MATED } else { V::DRAW }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use makruk_format::material::Material;
    use makruk_format::value::{Bounds, Distances, Score, Value};
    use makruk_rules::{Color, Fen};

    /// The value of a position under a metric that knows counts, or under DTM.
    fn value_of<V: TableValue>(text: &str, knows_counts: bool, child: impl Fn(&Position) -> V) -> V {
        let position = text.parse::<Fen>().unwrap().position;
        let rules = knows_counts.then_some(&CountingRules::MAKRUK);
        minimax(&position, rules, |after| Ok::<V, Infallible>(child(after))).unwrap()
    }

    fn dtm(text: &str, child: impl Fn(&Position) -> Value) -> Value {
        value_of(text, false, child)
    }

    fn dtz(text: &str, child: impl Fn(&Position) -> Value) -> Value {
        value_of(text, true, child)
    }

    #[test]
    fn the_best_move_counts() {
        // Fast wins before slow ones, draws before losses, slow losses before fast ones.
        let lone = "8/8/3k4/8/8/3K4/8/R7 b - - 0 1";
        assert_eq!(dtm(lone, |_| Value::Win(5)), Value::Loss(6));
        assert_eq!(dtm(lone, |_| Value::Draw), Value::Draw);
        let by_square = |after: &Position| Value::Win(2 * after.king(Color::Black).number() as u16 + 1);
        assert_eq!(dtm(lone, by_square), Value::Loss(2 * 52 + 2), "the longest, by Ke7");
    }

    #[test]
    fn mate_and_stalemate_need_no_moves() {
        assert_eq!(dtm("R5k1/8/6K1/8/8/8/8/8 b - - 0 1", |_| Value::Draw), Value::Loss(0));
        assert_eq!(dtm("k7/1R6/1K6/8/8/8/8/8 b - - 0 1", |_| Value::Win(1)), Value::Draw);
    }

    #[test]
    fn a_baring_capture_is_a_conversion_if_the_count_it_starts_suffices() {
        // Rxe3 needs 15 moves and has 13; a shorter mate would be a conversion.
        let armed = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
        let rest = |after: &Position, mate| match after.board().men() {
            3 => Value::Loss(mate),
            _ => Value::Draw,
        };
        assert_eq!(dtm(armed, |after| rest(after, 30)), Value::Win(31));
        assert_eq!(dtz(armed, |after| rest(after, 30)), Value::Draw);
        assert_eq!(dtz(armed, |after| rest(after, 26)), Value::Win(1));
    }

    #[test]
    fn the_last_pawns_end_begins_a_count_for_both_sides() {
        // White's only good move promotes. The bare king then has 64 - 4 moves less what is counted: 60 moves to mate
        // him.
        let promotes = "8/8/8/3P4/8/4k3/8/KM6 w";
        let rest = |after: &Position, value| if after.board().has_pawns() { Value::Draw } else { value };
        assert_eq!(dtz(promotes, |after| rest(after, Value::Loss(120))), Value::Win(1));
        assert_eq!(dtz(promotes, |after| rest(after, Value::Loss(122))), Value::Draw);
        assert_eq!(dtm(promotes, |after| rest(after, Value::Loss(122))), Value::Win(123));
        // The bare king takes the last pawn, and the rook's count leaves 16 - 3 + 1 moves; other moves lose sooner.
        let takes = "8/8/8/8/8/3P4/4k3/K6R b";
        let rest = |after: &Position, value| if after.board().has_pawns() { Value::Win(1) } else { value };
        assert_eq!(dtz(takes, |after| rest(after, Value::Win(27))), Value::Loss(28));
        assert_eq!(dtz(takes, |after| rest(after, Value::Win(29))), Value::Draw);
        assert_eq!(dtm(takes, |after| rest(after, Value::Win(29))), Value::Loss(30));
        // To the score such a count is one that begins now.
        let of = |score| value_of(takes, true, |after| if after.board().has_pawns() { Score::Win(1) } else { score });
        assert_eq!(of(Score::Win(27)), Score::Loss(28));
        assert_eq!(of(Score::Win(29)), Score::BlessedLoss);
    }

    /// A value for a position, the same whenever it is asked for: none, or an even or odd number of plies.
    fn some_value(after: &Position, salt: u64) -> Value {
        let board = after.board();
        let hash = Color::ALL.into_iter().fold(salt, |hash, color| {
            (hash ^ board.by_color(color).0).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        });
        let plies = (hash >> 8) as u16 % 40;
        match hash % 5 {
            0 => Value::Draw,
            1 => Value::Win(2 * plies + 1),
            _ => Value::Loss(2 * plies),
        }
    }

    fn has_dtz(position: &Position) -> bool {
        Material::of(position.board()).unwrap().material.has_dtz()
    }

    /// The score of minimax of both distances, the distances after moves being these.
    fn exact(position: &Position, after: impl Fn(&Position) -> Distances) -> Score {
        let dtm = minimax(position, None, |position| Ok::<Value, Infallible>(after(position).dtm)).unwrap();
        let rules = Some(&CountingRules::MAKRUK);
        let dtz = minimax(position, rules, |position| Ok::<Value, Infallible>(after(position).dtz)).unwrap();
        Distances { dtm, dtz: if has_dtz(position) { dtz } else { dtm } }.into()
    }

    /// Bounds that are wider by some plies at either end.
    fn widened(score: Score, by: u16) -> Bounds {
        match score {
            Score::Win(plies) => Bounds { worst: Score::Win(plies + by), best: Score::Win(plies.saturating_sub(by)) },
            Score::Loss(plies) => {
                Bounds { worst: Score::Loss(plies.saturating_sub(by)), best: Score::Loss(plies + by) }
            }
            score => Bounds::exactly(score),
        }
    }

    #[test]
    fn bounds_hold_what_minimax_of_distances_gives() {
        for text in [
            "8/8/3k4/8/8/3K4/8/R7 b",
            "8/8/8/8/8/4s1k1/4R3/K7 w",
            "8/8/8/8/3k4/3n4/3R4/3KS3 b",
            "8/8/2m5/8/3k4/3n4/3R4/3K4 w",
            "R5k1/8/6K1/8/8/8/8/8 b",
            "k7/1R6/1K6/8/8/8/8/8 b",
            "8/8/8/3P4/8/4k3/8/KM6 w",
            "8/8/8/8/8/3P4/4k3/K6R b",
            "8/8/2p5/3P4/4k3/8/8/K7 w",
        ] {
            let position = text.parse::<Fen>().unwrap().position;
            for salt in 0..1000 {
                let after = |after: &Position| {
                    let dtm = some_value(after, salt);
                    let lacks_conversion = has_dtz(after) && some_value(after, !salt) == Value::Draw;
                    Distances { dtm, dtz: if lacks_conversion { Value::Draw } else { dtm } }
                };
                let expected = exact(&position, after);
                for by in [0, 4] {
                    let found = value_of(text, true, |position| widened(after(position).into(), by));
                    assert!(found.contain(expected), "{text} {salt}: {found:?} {expected:?}");
                    assert!(by > 0 || found == Bounds::exactly(expected), "{text} {salt}: {found:?} {expected:?}");
                }
            }
        }
    }

    #[test]
    fn the_best_score_counts() {
        let lone = "8/8/3k4/8/8/3K4/8/R7 b - - 0 1";
        let score = |text, after: Score| value_of(text, true, |_| after);
        assert_eq!(score(lone, Score::Win(5)), Score::Loss(6));
        assert_eq!(score(lone, Score::CursedWin), Score::BlessedLoss);
        assert_eq!(score("R5k1/8/6K1/8/8/8/8/8 b - - 0 1", Score::Draw), Score::Loss(0), "mate");
        assert_eq!(score("k7/1R6/1K6/8/8/8/8/8 b - - 0 1", Score::Win(1)), Score::Draw, "stalemate");
    }
}
