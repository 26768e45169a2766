//! The name of a table.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::material::{Material, ParseMaterialError};
use crate::value::{Metric, ParseMetricError};

/// The identity of a table: a material under a metric. Its text is the name of the table's file: `KRRvKR.dtm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId {
    /// The material.
    pub material: Material,
    /// The metric.
    pub metric: Metric,
}

/// A text that is not a table's name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseTableIdError {
    /// There is no dot between material and metric.
    #[error("a table's name has a dot between material and metric: KRRvKR.dtm")]
    NoDot,
    /// The part before the dot is not a material.
    #[error(transparent)]
    Material(#[from] ParseMaterialError),
    /// The part after the dot is not a metric.
    #[error(transparent)]
    Metric(#[from] ParseMetricError),
    /// The material has another name.
    #[error("the material's canonical name is {0}")]
    NotCanonical(Material),
}

impl TableId {
    /// The table of a material that gives its values under a metric: DTM instead of DTZ where a king is bare.
    #[inline]
    pub fn of(material: Material, metric: Metric) -> TableId {
        TableId { material, metric: material.table_metric(metric) }
    }
}

impl Material {
    /// The tables that a build makes: of the distances, and of the category, which follows from them.
    pub fn tables(self) -> impl Iterator<Item = TableId> {
        let metrics = Metric::ALL.into_iter().filter(move |&metric| self.has_table(metric));
        metrics.map(move |metric| TableId { material: self, metric })
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.material, self.metric)
    }
}

impl FromStr for TableId {
    type Err = ParseTableIdError;

    fn from_str(text: &str) -> Result<TableId, ParseTableIdError> {
        let (name, metric) = text.split_once('.').ok_or(ParseTableIdError::NoDot)?;
        let (material, metric) = (name.parse::<Material>()?, metric.parse()?);
        // Files are looked for under the canonical name alone.
        if material.to_string() == name {
            Ok(TableId { material, metric })
        } else {
            Err(ParseTableIdError::NotCanonical(material))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for material in (3..=4).flat_map(Material::all) {
            for metric in Metric::ALL {
                let id = TableId { material, metric };
                assert_eq!(id.to_string().parse(), Ok(id));
            }
        }
    }

    #[test]
    fn other_texts_are_no_names() {
        let error = |text: &str| text.parse::<TableId>().unwrap_err();
        assert_eq!(error("KRvK"), ParseTableIdError::NoDot);
        assert_eq!(error("KRvK.txt"), ParseTableIdError::Metric(ParseMetricError));
        assert!(matches!(error("notes.dtm"), ParseTableIdError::Material(_)));
        let canonical = "KRvKS".parse().unwrap();
        assert_eq!(error("KSvKR.dtm"), ParseTableIdError::NotCanonical(canonical));
    }
}
