//! The metrics of tables.

use std::str::FromStr;

use thiserror::Error;

use crate::material::Material;
use makruk_rules::CountRule;

/// The metric of a table: the kind of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "lowercase"))]
pub enum Metric {
    /// Distance to mate, no count.
    Dtm,
    /// Distance to the conversion that settles the count: mate, or a move that begins a count and wins in time. Without
    /// pawns that is a capture that bares the defender's king, with pawns the attacker's move that ends the last pawn.
    /// The literature's name for this kind of distance is DTC; nothing is zeroed here.
    Dtz,
    /// Bounds of the distance to the conversion, which decide the category for a count that begins now and for most
    /// counts that run: [`Bounds`](super::Bounds).
    Category,
}

/// A text that names no metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not the name of a metric: expected dtm, dtz or category")]
pub struct ParseMetricError;

// The names are the extensions of the tables' files, too.
makruk_rules::names!(Metric: Dtm = "dtm", Dtz = "dtz", Category = "category");

impl Metric {
    /// The metrics that are distances, DTM first.
    pub const DISTANCES: [Metric; 2] = [Metric::Dtm, Metric::Dtz];

    /// Whether it is a distance, so that tables have it exactly.
    pub const fn is_distance(self) -> bool {
        matches!(self, Metric::Dtm | Metric::Dtz)
    }
}

impl FromStr for Metric {
    type Err = ParseMetricError;

    fn from_str(text: &str) -> Result<Metric, ParseMetricError> {
        Metric::ALL.into_iter().find(|metric| metric.name() == text).ok_or(ParseMetricError)
    }
}

impl Material {
    /// Whether DTZ differs from DTM. It does not where pieces' honour runs: mate is the only conversion left.
    #[inline]
    pub fn has_dtz(&self) -> bool {
        *self != Material::BARE_KINGS && self.count_rule() != CountRule::Pieces
    }

    /// The distances that are solved for this material: under pieces' honour DTM serves as DTZ.
    pub fn distance_metrics(&self) -> &'static [Metric] {
        match (*self == Material::BARE_KINGS, self.has_dtz()) {
            (true, _) => &[],
            (false, true) => &Metric::DISTANCES,
            (false, false) => &[Metric::Dtm],
        }
    }

    /// Whether this material has a separate table for a metric.
    #[inline]
    pub fn has_table(&self, metric: Metric) -> bool {
        *self != Material::BARE_KINGS && (metric != Metric::Dtz || self.has_dtz())
    }

    /// The metric of the table that gives this material's values under a metric: DTM instead of DTZ under pieces'
    /// honour.
    #[inline]
    pub(crate) fn table_metric(&self, metric: Metric) -> Metric {
        if metric == Metric::Dtz && !self.has_dtz() { Metric::Dtm } else { metric }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for metric in Metric::ALL {
            assert_eq!(metric.to_string().parse(), Ok(metric));
        }
        assert_eq!("DTM".parse::<Metric>(), Err(ParseMetricError));
    }

    #[test]
    fn a_bare_king_leaves_no_table_of_conversions() {
        let all = "dtm dtz category";
        for (name, expected) in [("KRvK", "dtm category"), ("KRvKM", all), ("KPvK", all), ("KvK", "")] {
            let material: Material = name.parse().unwrap_or(Material::BARE_KINGS);
            let metrics: Vec<&str> = material.tables().map(|id| id.metric.name()).collect();
            assert_eq!(metrics.join(" "), expected);
            for metric in Metric::ALL {
                let is_distance = material.has_table(metric) && metric != Metric::Category;
                assert_eq!(material.distance_metrics().contains(&metric), is_distance);
            }
        }
        let bare: Material = "KRvK".parse().unwrap();
        let metrics = [Metric::Dtm, Metric::Dtm, Metric::Category];
        assert_eq!(Metric::ALL.map(|metric| bare.table_metric(metric)), metrics);
    }
}
