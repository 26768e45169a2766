//! The list of tables.

use makruk_tables::material::Material;
use makruk_tables::value::Metric;
use serde::Serialize;

/// The tables that can be opened, by number of men, then by name.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableList {
    /// The tables.
    pub tables: Vec<ListedTable>,
}

/// A table that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Table"))]
pub struct ListedTable {
    /// The canonical name of the material.
    pub material: Material,
    /// The metric of the table.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["dtm", "dtz"])))]
    pub metric: Metric,
    /// The number of men, both kings included.
    pub men: usize,
    /// The length of the file in bytes.
    pub bytes: u64,
}
