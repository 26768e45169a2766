//! How often engines win positions that are won, from matches that play each position several times.

use std::collections::BTreeMap;
use std::fmt;

use super::record::Results;
use super::score::Estimate;
use super::share::GroupedShare;

/// The shares of the games that the side to move at the start has won, by the engine that had it. A starting position
/// is a group.
#[derive(Clone, Debug, Default)]
pub struct Conversions {
    /// The shares of the first and the second engine.
    pub shares: [GroupedShare; 2],
    /// The first engine's share less the second's.
    pub difference: GroupedShare,
}

impl Conversions {
    /// The conversions in complete pairs.
    pub fn of(results: &Results) -> Conversions {
        // By position: the pairs, and each engine's wins as the side to move.
        let mut positions: BTreeMap<&str, (f64, [f64; 2])> = BTreeMap::new();
        for first in results.games().filter(|game| game.game == 0) {
            let Some(second) = results.game(first.pair, 1) else { continue };
            let (pairs, wins) = positions.entry(&first.fen).or_default();
            *pairs += 1.0;
            wins[0] += f64::from(u8::from(first.half_points == 2));
            wins[1] += f64::from(u8::from(second.half_points == 0));
        }
        let mut conversions = Conversions::default();
        for (pairs, wins) in positions.into_values() {
            conversions.shares.iter_mut().zip(wins).for_each(|(share, wins)| share.add(wins, pairs));
            conversions.difference.add(wins[0] - wins[1], pairs);
        }
        conversions
    }
}

impl fmt::Display for Conversions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |share: &GroupedShare| {
            let percent = |value: f64| 100.0 * value;
            share.estimate().map_or_else(
                || "-".to_owned(),
                |Estimate { low, middle, high }| {
                    format!("{:.1}% [{:.1}, {:.1}]", percent(middle), percent(low), percent(high))
                },
            )
        };
        let [first, second] = &self.shares;
        write!(
            f,
            "{} positions in {} pairs; the side to move wins: {} and {}, difference {}",
            first.groups(),
            first.cases(),
            show(first),
            show(second),
            show(&self.difference)
        )
    }
}
