//! The list of tables.

use makruk_probe::{Inventory, Prober, ValueSource};
use makruk_tables::material::Material;
use makruk_tables::value::{Metric, Value};
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

impl TableList {
    /// The tables of distances, or those of a number of men.
    pub fn read<S: ValueSource>(prober: &Prober<S>, men: Option<usize>) -> TableList {
        let Some(tablebase) = prober.source().tablebase() else { return TableList { tables: Vec::new() } };
        let inventory = Inventory::of(tablebase.folders());
        let is_asked_for = |material: Material| match men {
            Some(men) => material.men() == men,
            // Bare kings need no table.
            None => material != Material::BARE_KINGS,
        };
        let ids = inventory.tables().filter(|id| id.metric.is_distance() && is_asked_for(id.material));
        let listed = ids.filter_map(|id| {
            let bytes = tablebase.table::<Value>(id).ok()?.header().file_len();
            Some(ListedTable { material: id.material, metric: id.metric, men: id.material.men(), bytes })
        });
        let mut tables: Vec<ListedTable> = listed.collect();
        tables.sort_by_key(|table| (table.men, table.material, table.metric));
        TableList { tables }
    }
}
