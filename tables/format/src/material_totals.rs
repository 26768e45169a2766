//! The totals of a material.

use super::error::FormatError;
use super::folder::TableFolder;
use super::table::FileTable;
use super::table_id::TableId;
use super::values::ValueList;
use crate::material::Material;
use crate::value::{MovesLeft, Value};
use makruk_rules::{ByColor, Color, CountingRules};

/// Numbers of positions, both sides to move taken together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MaterialTotals {
    /// The length of the files in bytes.
    pub bytes: u64,
    /// Won by White, without the count.
    #[cfg_attr(feature = "serde", serde(rename = "white_wins"))]
    pub white: u64,
    /// Won by Black, without the count.
    #[cfg_attr(feature = "serde", serde(rename = "black_wins"))]
    pub black: u64,
    /// Drawn without the count.
    #[cfg_attr(feature = "serde", serde(rename = "draws"))]
    pub drawn: u64,
    /// Won also if the count begins now.
    pub within_count: u64,
    /// The longest distance to mate in moves, without a count.
    #[cfg_attr(feature = "serde", serde(rename = "mate_moves"))]
    pub longest_mate: u16,
    /// The longest distance in moves to the conversion that the count allows.
    #[cfg_attr(feature = "serde", serde(rename = "conversion_moves"))]
    pub longest_conversion: u16,
}

impl MaterialTotals {
    /// Reads a material's totals from its tables' headers.
    ///
    /// # Errors
    ///
    /// If a table is missing or cannot be opened.
    pub fn read(
        folder: &TableFolder,
        material: Material,
        rules: &CountingRules,
    ) -> Result<MaterialTotals, FormatError> {
        let open = |&metric| folder.open::<Value>(TableId { material, metric });
        let tables: Vec<_> = material.distance_metrics().iter().map(open).collect::<Result<_, _>>()?;
        Ok(MaterialTotals::of(&tables.iter().collect::<Vec<_>>(), material, rules))
    }

    /// The totals of a material by its tables of distances, that of DTM first.
    pub fn of(tables: &[&FileTable], material: Material, rules: &CountingRules) -> MaterialTotals {
        let (dtm, dtz) = (&tables[0].spec().values, &tables[tables.len() - 1].spec().values);
        let longest = |values: &ByColor<ValueList>| {
            let plies = values.iter().map(|values| values.max_win_plies().max(values.max_loss_plies())).max();
            plies.unwrap_or(0).div_ceil(2)
        };
        let left = MovesLeft::of(material, rules);
        let within = Color::ALL.map(|turn| dtz[turn].within_count(left));
        let longest_within = Color::ALL.map(|turn| dtz[turn].longest_within_count(left));
        let longest_within = longest_within.iter().map(|(wins, losses)| wins.max(losses)).max();
        MaterialTotals {
            longest_mate: longest(dtm),
            longest_conversion: longest_within.map_or(0, |plies| plies.div_ceil(2)),
            white: dtm.white.won() + dtm.black.lost(),
            black: dtm.black.won() + dtm.white.lost(),
            drawn: dtm.iter().map(ValueList::drawn).sum(),
            within_count: within.iter().map(|(wins, losses)| wins + losses).sum(),
            bytes: tables.iter().map(|table| table.header().file_len()).sum(),
        }
    }
}
