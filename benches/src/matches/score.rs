//! The score of pairs of games, as Elo with an interval.
//!
//! Two games from one position, with colours exchanged, are not independent: a position that is won for one side gives
//! a point to each engine. So the unit is the pair. Its score, 0 to 2 points in steps of a half, is one of five numbers
//! (pentanomial). With N pairs of mean m (as a share of 2) and variance v, the standard error of the mean is sqrt(v /
//! (N - 1)). The interval is m ± 1.96 standard errors, and Elo(m) = -400 log10(1/m - 1) at the mean and both ends. If
//! positions are played several times, the unit is the position ([`Results::share`](super::Results::share)).

use std::fmt;

/// Standard errors of a 95% interval.
pub(super) const DEVIATES: f64 = 1.96;

/// The pairs of a match by the first engine's points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// Pairs with 0, 0.5, 1, 1.5 and 2 points.
    pub pairs: [u64; 5],
}

/// A number with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The lower end.
    pub low: f64,
    /// The number.
    pub middle: f64,
    /// The upper end.
    pub high: f64,
}

impl MatchScore {
    /// Adds a pair by the half points of its games, 0 to 2 each.
    ///
    /// # Panics
    ///
    /// If a game has more than two half points.
    pub fn add(&mut self, half_points: [u8; 2]) {
        self.pairs[usize::from(half_points[0] + half_points[1])] += 1;
    }

    /// The number of pairs.
    pub fn count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The share of the points; `None` with fewer than two pairs.
    pub fn share(&self) -> Option<Estimate> {
        let count = self.count();
        if count < 2 {
            return None;
        }
        let (weight, scores) = (count as f64, [0.0, 0.25, 0.5, 0.75, 1.0]);
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            self.pairs.iter().zip(scores).map(|(&pairs, score)| pairs as f64 * of(score)).sum()
        };
        let mean = sum(&|score| score) / weight;
        let variance = sum(&|score| (score - mean).powi(2)) / weight;
        let error = DEVIATES * (variance / (weight - 1.0)).sqrt();
        Some(Estimate { low: mean - error, middle: mean, high: mean + error })
    }

    /// The difference in Elo, infinite where the share is 0 or 1.
    pub fn elo(&self) -> Option<Estimate> {
        self.share().map(Estimate::elo)
    }
}

impl Estimate {
    /// The differences in Elo that give these shares of the points.
    #[must_use]
    pub fn elo(self) -> Estimate {
        Estimate { low: elo(self.low), middle: elo(self.middle), high: elo(self.high) }
    }
}

/// The difference in Elo that gives a share of the points.
pub fn elo(share: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    -400.0 * (1.0 / share - 1.0).log10()
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.0} [{:+.0}, {:+.0}]", self.middle, self.low, self.high)
    }
}
