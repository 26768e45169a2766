//! A sequential test of two differences in Elo (SPRT), by the scores of pairs.
//!
//! The hypotheses H0 and H1 are that the difference is `elo0` and `elo1`: that the first engine's share of the points
//! is s0 = 1 / (1 + 10^(-elo0/400)) and s1. The mean m of N pairs has the standard error e, and is nearly normal if N
//! is large. The logarithm of the likelihood ratio is then
//!
//! LLR = ((m - s0)² - (m - s1)²) / (2 e²) = (s1 - s0) (2 m - s0 - s1) / (2 e²).
//!
//! The error is that of the pairs found, by all five scores that a pair can have (generalised SPRT, pentanomial). H1 is
//! accepted if LLR >= ln((1 - β) / α), H0 if LLR <= ln(β / (1 - α)). Then H1 is accepted with the probability α at most
//! if the difference is `elo0`. H0 is accepted with β at most if it is `elo1`. The overshoot of the last pair and the
//! approximation are not counted. Both are 5%.
//!
//! If most pairs are even, a few others say little about the variance, and a normal distribution is far from theirs. So
//! nothing is accepted before [`LEAST_UNEVEN`] positions are other than even.

use std::fmt;
use std::str::FromStr;

use super::share::GroupedShare;

/// The probability of a wrong decision, of either kind.
const ERROR: f64 = 0.05;

/// The least number of positions with other than half of the points before a hypothesis is accepted.
pub const LEAST_UNEVEN: usize = 10;

/// Two hypotheses about a difference in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

/// An accepted hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// The difference is the lower one.
    H0,
    /// The difference is the higher one.
    H1,
}

/// The state of a test after the pairs so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    test: Sprt,
    /// The logarithm of the likelihood ratio; `None` with fewer than two positions, or if all have the same share.
    pub llr: Option<f64>,
    /// The hypothesis that is accepted.
    pub accepted: Option<Hypothesis>,
}

impl Sprt {
    /// A test of two differences; `None` unless the first is lower than the second.
    pub fn new(elo0: f64, elo1: f64) -> Option<Sprt> {
        (elo0.is_finite() && elo1.is_finite() && elo0 < elo1).then_some(Sprt { elo0, elo1 })
    }

    /// The LLR at which H0 is accepted, and that at which H1 is.
    pub fn bounds() -> [f64; 2] {
        let upper = ((1.0 - ERROR) / ERROR).ln();
        [-upper, upper]
    }

    /// The state of the test after these shares, whose groups are the positions.
    pub fn verdict(self, share: &GroupedShare) -> Verdict {
        let llr = share.mean().zip(share.standard_error()).filter(|&(_, error)| error > 1e-9).map(|(mean, error)| {
            let [s0, s1] = [self.elo0, self.elo1].map(|elo| 1.0 / (1.0 + 10f64.powf(-elo / 400.0)));
            (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * error * error)
        });
        let [lower, upper] = Sprt::bounds();
        let accepted = match llr {
            Some(llr) if llr >= upper => Some(Hypothesis::H1),
            Some(llr) if llr <= lower => Some(Hypothesis::H0),
            _ => None,
        };
        let uneven = share.shares().filter(|&share| share != 0.5).count();
        Verdict { test: self, llr, accepted: accepted.filter(|_| uneven >= LEAST_UNEVEN) }
    }
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let ends = text.split_once(',').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        ends.and_then(|(low, high)| Sprt::new(low, high))
            .ok_or_else(|| "expected ELO0,ELO1 with ELO0 below ELO1, such as 0,10".to_owned())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lower, upper] = Sprt::bounds();
        let Sprt { elo0, elo1 } = self.test;
        match self.llr {
            Some(llr) => write!(f, "LLR {llr:+.2} [{lower:+.2}, {upper:+.2}]")?,
            None => write!(f, "LLR - [{lower:+.2}, {upper:+.2}]")?,
        }
        match self.accepted {
            Some(Hypothesis::H0) => write!(f, ", H0 is accepted: {elo0:+} Elo, not {elo1:+}"),
            Some(Hypothesis::H1) => write!(f, ", H1 is accepted: {elo1:+} Elo, not {elo0:+}"),
            None => write!(f, " for {elo0:+} or {elo1:+} Elo"),
        }
    }
}
