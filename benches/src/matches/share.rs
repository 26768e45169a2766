//! Shares whose cases hang together in groups, such as the positions of one game.
//!
//! With h of n cases in the groups together, hᵢ of nᵢ in group i, the share is R = h/n. Its standard error by the
//! groups is sqrt(G/(G-1) Σ (hᵢ - R nᵢ)²) / n, that of a ratio of sums over G groups. The interval is R ± 1.96 standard
//! errors.

use super::score::{DEVIATES, Estimate};

/// A share by groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupedShare {
    /// The hits and the cases of each group.
    groups: Vec<[f64; 2]>,
}

impl GroupedShare {
    /// Adds a group with this number of hits in this number of cases. A group without cases does not count. Hits may be
    /// negative, as those of a difference are.
    pub fn add(&mut self, hits: f64, cases: f64) {
        if cases > 0.0 {
            self.groups.push([hits, cases]);
        }
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The hits of all groups.
    pub fn hits(&self) -> f64 {
        self.groups.iter().map(|[hits, _]| hits).sum()
    }

    /// The cases of all groups.
    pub fn cases(&self) -> f64 {
        self.groups.iter().map(|[_, cases]| cases).sum()
    }

    /// The share of each group.
    pub fn shares(&self) -> impl Iterator<Item = f64> {
        self.groups.iter().map(|[hits, cases]| hits / cases)
    }

    /// The share of all groups together; `None` without a group.
    pub fn mean(&self) -> Option<f64> {
        (!self.groups.is_empty()).then(|| self.hits() / self.cases())
    }

    /// The standard error of the share; `None` with fewer than two groups.
    pub fn standard_error(&self) -> Option<f64> {
        let (groups, mean) = (self.groups.len() as f64, self.mean()?);
        let squares: f64 = self.groups.iter().map(|[hits, cases]| (hits - mean * cases).powi(2)).sum();
        (groups >= 2.0).then(|| (squares * groups / (groups - 1.0)).sqrt() / self.cases())
    }

    /// The share with its interval; `None` with fewer than two groups.
    pub fn estimate(&self) -> Option<Estimate> {
        let (middle, error) = (self.mean()?, DEVIATES * self.standard_error()?);
        Some(Estimate { low: middle - error, middle, high: middle + error })
    }
}
