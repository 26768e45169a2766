//! Draws that are even over categories or distances.

use std::collections::HashMap;

use makruk_probe::judge::{moves_in, plies};
use makruk_probe::{Category, Verdict};

use super::record_rng::RecordRng;

/// The classes of positions that are to be equally frequent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Evenness {
    /// No classes: every position is accepted.
    #[default]
    None,
    /// The categories under the count.
    Categories,
    /// Wins and losses by the moves to the conversion, wins and losses without a conversion, and draws.
    Distances,
}

/// A class of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    All,
    Category(Category),
    Draw,
    /// A win or loss with this number of moves to the conversion.
    Conversion {
        mover_wins: bool,
        moves: u32,
    },
    /// A win or loss without a conversion that the count allows.
    NoConversion {
        mover_wins: bool,
    },
}

impl Evenness {
    /// The class of a position.
    pub(super) fn class(self, verdict: &Verdict) -> Class {
        match self {
            Evenness::None => Class::All,
            Evenness::Categories => Class::Category(verdict.category),
            Evenness::Distances => match (verdict.distances().mover_wins(), plies(verdict.dtz)) {
                (None, _) => Class::Draw,
                (Some(mover_wins), None) => Class::NoConversion { mover_wins },
                (Some(mover_wins), Some(plies)) => Class::Conversion { mover_wins, moves: moves_in(plies) },
            },
        }
    }
}

/// The share of each class's positions that are accepted, so that classes become equally frequent.
///
/// The rarest class, and each class rarer than the least share (one in `rarest`), is accepted whole. Of a more frequent class so
/// many positions are rejected that it becomes as frequent as the rarest class or the least share, whichever is more. So a record
/// costs at most some `rarest` draws, and classes rarer than the least share stay rarer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AcceptanceRates {
    by_class: HashMap<Class, f64>,
}

impl AcceptanceRates {
    /// The rates for classes that occur so often, the least share being one in `rarest`.
    pub(super) fn new(frequencies: &HashMap<Class, u64>, rarest: u32) -> AcceptanceRates {
        let all: u64 = frequencies.values().sum();
        let share = |&count: &u64| count as f64 / all as f64;
        let least = frequencies.values().map(share).fold(1.0, f64::min).max(1.0 / f64::from(rarest));
        AcceptanceRates {
            by_class: frequencies.iter().map(|(&class, count)| (class, (least / share(count)).min(1.0))).collect(),
        }
    }

    /// Whether a position of this class is accepted.
    pub(super) fn accepts(&self, class: Class, rng: &mut RecordRng) -> bool {
        // A class that the first sample did not contain is rare.
        self.by_class.get(&class).is_none_or(|&rate| rate >= 1.0 || rng.share() < rate)
    }
}

#[cfg(test)]
mod tests {
    use super::super::record_rng::Stream;
    use super::*;

    #[test]
    fn classes_become_equally_frequent_down_to_the_least_share() {
        let classes = [Category::Loss, Category::Draw, Category::CursedWin, Category::Win].map(Class::Category);
        let frequencies: HashMap<Class, u64> = classes.into_iter().zip([9000, 900, 99, 1]).collect();
        let accepted = |rarest: u32| {
            let rates = AcceptanceRates::new(&frequencies, rarest);
            classes.map(|class| {
                let shares = frequencies[&class] as f64 * rates.by_class[&class];
                (shares * 1000.0).round() / 1000.0
            })
        };
        assert_eq!(accepted(1_000_000), [1.0, 1.0, 1.0, 1.0]);
        assert_eq!(accepted(1000), [10.0, 10.0, 10.0, 1.0]);
        assert_eq!(accepted(1), [9000.0, 900.0, 99.0, 1.0]);
        let rates = AcceptanceRates::new(&frequencies, 1000);
        let mut rng = RecordRng::new(0, Stream::Records, 0);
        let drawn = (0..100_000).filter(|_| rates.accepts(classes[1], &mut rng)).count();
        assert!(drawn.abs_diff(1111) < 165, "{drawn}");
        assert!(rates.accepts(Class::Draw, &mut rng), "a class that was not met");
    }
}
