//! The totals of a material.

use super::error::FormatError;
use super::folder::TableFolder;
use super::table_id::TableId;
use super::values::ValueList;
use crate::material::Material;
use crate::rules::{ByColor, Color, CountingRules};
use crate::value::{MovesLeft, Value};

/// The totals of a material, both sides to move taken together. They count distinct legal positions on the full board;
/// White is the first side of the material's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialTotals {
    /// The longest mate without a count, in moves.
    pub longest_mate: u16,
    /// The longest way to a conversion that the count, begun now, leaves time for, in moves; against a bare king to
    /// mate.
    pub longest_conversion: u16,
    /// Positions that White wins without a count.
    pub white: u64,
    /// Positions that Black wins without a count.
    pub black: u64,
    /// Positions that nobody wins.
    pub drawn: u64,
    /// Wins, of either side, that the count, begun now, leaves time for.
    pub within_count: u64,
    /// The lengths of the tables of distances.
    pub bytes: u64,
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
        let (dtm, dtz) = (&tables[0].spec().values, &tables[tables.len() - 1].spec().values);
        let longest = |values: &ByColor<ValueList>| {
            let plies = values.iter().map(|values| values.max_win_plies().max(values.max_loss_plies())).max();
            plies.unwrap_or(0).div_ceil(2)
        };
        let left = MovesLeft::of(material, rules);
        let within = Color::ALL.map(|turn| dtz[turn].within_count(left));
        let longest_within = Color::ALL.map(|turn| dtz[turn].longest_within_count(left));
        let longest_within = longest_within.iter().map(|(wins, losses)| wins.max(losses)).max();
        Ok(MaterialTotals {
            longest_mate: longest(dtm),
            longest_conversion: longest_within.map_or(0, |plies| plies.div_ceil(2)),
            white: dtm.white.won() + dtm.black.lost(),
            black: dtm.black.won() + dtm.white.lost(),
            drawn: dtm.iter().map(ValueList::drawn).sum(),
            within_count: within.iter().map(|(wins, losses)| wins + losses).sum(),
            bytes: tables.iter().map(|table| table.header().file_len()).sum(),
        })
    }
}
