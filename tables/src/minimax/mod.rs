//! One ply of minimax: the value of a position, or of a whole slab, from the positions that its moves lead to.
//!
//! Tables omit a side to move whose values follow from the other side's; [`minimax_dtm`], [`minimax_dtz`] and
//! [`minimax_wdl`] derive them one position at a time, [`SlabMinimax`] one slab at a time.

mod slab;

pub use slab::{After, SlabCapture, SlabMinimax};

use crate::rules::{CountingRules, Piece, Position};
use crate::value::{Metric, PlyRange, Score, SearchValue, Value, Wdl};

/// The DTM value of a position. `dtm` is called with the positions that moves lead to; two bare kings are a draw without a
/// call.
///
/// # Errors
///
/// Those of `dtm`.
pub fn minimax_dtm<E>(position: &Position, mut dtm: impl FnMut(&Position) -> Result<Value, E>) -> Result<Value, E> {
    let best = best(position, |after| match is_bare(after) {
        (true, true) => Ok(Score::DRAW),
        _ => dtm(after).map(Score::before),
    })?;
    Ok(best.unwrap_or(if position.is_check() { Score::MATED } else { Score::DRAW }).value())
}

/// The DTZ value of a position in which both sides are armed. `value` is called with the positions that moves lead to, under
/// DTM where one of their kings is bare.
///
/// # Errors
///
/// Those of `value`.
pub fn minimax_dtz<E>(
    position: &Position,
    rules: &CountingRules,
    mut value: impl FnMut(&Position, Metric) -> Result<Value, E>,
) -> Result<Value, E> {
    let best = best(position, |after| match is_bare(after) {
        (true, true) => Ok(Score::DRAW),
        (false, false) => value(after, Metric::Dtz).map(Score::before),
        _ => {
            let mate = Score::before(value(after, Metric::Dtm)?);
            Ok(moves_after_baring(position, after, rules).map_or(mate, |moves| mate.if_within(moves)))
        }
    })?;
    Ok(best.unwrap_or(if position.is_check() { Score::MATED } else { Score::DRAW }).value())
}

/// The WDL value of a position. `wdl` is called with the positions that moves lead to; two bare kings are a draw without a
/// call. Right only where tables may omit the side: see [`MovesLeft::follow`](crate::value::MovesLeft::follow).
///
/// # Errors
///
/// Those of `wdl`.
pub fn minimax_wdl<E>(position: &Position, mut wdl: impl FnMut(&Position) -> Result<Wdl, E>) -> Result<Wdl, E> {
    let best = best(position, |after| match is_bare(after) {
        (true, true) => Ok(Wdl::Draw),
        _ => wdl(after).map(Wdl::one_ply_earlier),
    })?;
    Ok(best.unwrap_or(if position.is_check() { Wdl::Loss } else { Wdl::Draw }))
}

/// The value of a position in a search table. `value` is called with the positions that moves lead to; two bare kings are a
/// draw without a call.
///
/// # Errors
///
/// Those of `value`.
pub fn minimax_search<E>(
    position: &Position,
    rules: &CountingRules,
    mut value: impl FnMut(&Position) -> Result<SearchValue, E>,
) -> Result<SearchValue, E> {
    let mut best: Option<SearchValue> = None;
    for mv in position.legal_moves() {
        let after = position.play(mv);
        let found = match is_bare(&after) {
            (true, true) => SearchValue::Draw,
            _ => {
                let found = value(&after)?.one_ply_earlier();
                moves_after_baring(position, &after, rules).map_or(found, |moves| found.converted(moves))
            }
        };
        best = Some(best.map_or(found, |best| best.or(found)));
    }
    let mated = SearchValue::Loss(PlyRange::exactly(0));
    Ok(best.unwrap_or(if position.is_check() { mated } else { SearchValue::Draw }))
}

/// The best of a position's moves by `rate`, which is given the position after each; `None` without a legal move.
#[inline]
fn best<T: Ord, E>(position: &Position, mut rate: impl FnMut(&Position) -> Result<T, E>) -> Result<Option<T>, E> {
    let mut best = None;
    for mv in position.legal_moves() {
        best = best.max(Some(rate(&position.play(mv))?));
    }
    Ok(best)
}

/// Whether the side that has just moved has a bare king, and whether the side to move has.
fn is_bare(after: &Position) -> (bool, bool) {
    let (board, turn) = (after.board(), after.turn());
    (board.is_bare(!turn), board.is_bare(turn))
}

/// The moves that the count leaves which a move begins; `None` unless the move bares an opponent who had a man.
fn moves_after_baring(before: &Position, after: &Position, rules: &CountingRules) -> Option<u32> {
    let (mover, board) = (before.turn(), after.board());
    let bares = board.is_bare(!mover) && !before.board().is_bare(!mover);
    bares.then(|| rules.moves_after_baring(board.men(), |role| board.by_piece(Piece::new(mover, role)).len()))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::rules::{Color, Fen};
    use crate::value::Distances;

    fn value(text: &str, metric: Metric, child: impl Fn(&Position, Metric) -> Value) -> Value {
        let position = text.parse::<Fen>().unwrap().position;
        let found: Result<Value, Infallible> = match metric {
            Metric::Dtm => minimax_dtm(&position, |after| Ok(child(after, metric))),
            Metric::Dtz => minimax_dtz(&position, &CountingRules::MAKRUK, |after, metric| Ok(child(after, metric))),
            Metric::Wdl => {
                let wdl = |after: &Position| Ok(Wdl::from_value(child(after, metric)).unwrap());
                minimax_wdl(&position, wdl).map(Wdl::to_value)
            }
            Metric::Search => unreachable!("bounds are no values"),
        };
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
    fn a_baring_capture_is_a_conversion_if_the_count_it_starts_suffices() {
        // Rxe3 needs 15 moves and has 13; a shorter mate would be a conversion.
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

    /// The outcome of minimax of both distances, the distances after moves being these.
    fn exact(position: &Position, after: impl Fn(&Position) -> Distances) -> SearchValue {
        let by_metric = |position: &Position, metric| match metric {
            Metric::Dtm => Ok::<Value, Infallible>(after(position).dtm),
            _ => Ok(after(position).dtz),
        };
        let dtm = minimax_dtm(position, |position| by_metric(position, Metric::Dtm)).unwrap();
        let is_armed = !Color::ALL.into_iter().any(|color| position.board().is_bare(color));
        let dtz = if is_armed { minimax_dtz(position, &CountingRules::MAKRUK, by_metric).unwrap() } else { dtm };
        SearchValue::of(Distances { dtm, dtz })
    }

    fn widened(value: SearchValue, by: u16) -> SearchValue {
        let range = |range: PlyRange| match range.most {
            PlyRange::NEVER => range,
            most => PlyRange { least: range.least.saturating_sub(by), most: most + by },
        };
        match value {
            SearchValue::Draw => SearchValue::Draw,
            SearchValue::Win(exact) => SearchValue::Win(range(exact)),
            SearchValue::Loss(exact) => SearchValue::Loss(range(exact)),
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
        ] {
            let position = text.parse::<Fen>().unwrap().position;
            for salt in 0..1000 {
                let after = |after: &Position| {
                    let dtm = some_value(after, salt);
                    let lacks_conversion = is_bare(after) == (false, false) && some_value(after, !salt) == Value::Draw;
                    Distances { dtm, dtz: if lacks_conversion { Value::Draw } else { dtm } }
                };
                let expected = exact(&position, after);
                for by in [0, 4] {
                    let bounds = |position: &Position| Ok(widened(SearchValue::of(after(position)), by));
                    let found: Result<SearchValue, Infallible> =
                        minimax_search(&position, &CountingRules::MAKRUK, bounds);
                    match (found.unwrap(), expected) {
                        (found, expected) if by == 0 => assert_eq!(found, expected, "{text} {salt}"),
                        (SearchValue::Draw, SearchValue::Draw) => {}
                        (SearchValue::Win(found), SearchValue::Win(exact))
                        | (SearchValue::Loss(found), SearchValue::Loss(exact)) => {
                            assert!(found.least <= exact.least && exact.most <= found.most, "{text} {salt}");
                        }
                        pair => panic!("{text} {salt}: {pair:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn the_best_category_counts() {
        let lone = "8/8/3k4/8/8/3K4/8/R7 b - - 0 1";
        let wdl = |text, after: Wdl| Wdl::from_value(value(text, Metric::Wdl, |_, _| after.to_value())).unwrap();
        assert_eq!(wdl(lone, Wdl::Win), Wdl::Loss);
        assert_eq!(wdl(lone, Wdl::WinInTimeIfAttackerMoves), Wdl::BlessedLoss);
        assert_eq!(wdl("R5k1/8/6K1/8/8/8/8/8 b - - 0 1", Wdl::Draw), Wdl::Loss, "mate");
        assert_eq!(wdl("k7/1R6/1K6/8/8/8/8/8 b - - 0 1", Wdl::Win), Wdl::Draw, "stalemate");
    }
}
