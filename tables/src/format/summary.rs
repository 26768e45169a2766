//! A set on the whole.

use super::error::FormatError;
use super::folder::TableFolder;
use super::values::ValueList;
use crate::index::Layout;
use crate::material::Material;
use crate::rules::{ByColor, Color, CountingRules};
use crate::value::MovesLeft;

/// What a set comes to, both sides to move taken together. Numbers of distinct legal positions on the full board; White is
/// the first side of the set's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The longest mate without a count, in moves.
    pub longest_mate: u16,
    /// The longest way to the event that settles the count, in moves.
    pub longest_event: u16,
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

impl Summary {
    /// Reads a set's totals off its tables' headers.
    ///
    /// # Errors
    ///
    /// If a table is missing or cannot be opened.
    pub fn read(folder: &TableFolder, set: Material, rules: &CountingRules) -> Result<Summary, FormatError> {
        let layout = Layout::new(set);
        let metrics = set.distance_metrics();
        let tables: Vec<_> =
            metrics.iter().map(|&metric| folder.open_set(&layout, metric)).collect::<Result<_, _>>()?;
        let (mates, events) = (&tables[0].spec().values, &tables[tables.len() - 1].spec().values);
        let longest = |values: &ByColor<ValueList>| {
            let plies = values.iter().map(|values| values.max_win_plies().max(values.max_loss_plies())).max();
            plies.unwrap_or(0).div_ceil(2)
        };
        let within = Color::ALL.map(|turn| events[turn].within_count(MovesLeft::of(set, rules)));
        Ok(Summary {
            longest_mate: longest(mates),
            longest_event: longest(events),
            white: mates.white.won() + mates.black.lost(),
            black: mates.black.won() + mates.white.lost(),
            drawn: mates.iter().map(ValueList::drawn).sum(),
            within_count: within.iter().map(|(wins, losses)| wins + losses).sum(),
            bytes: tables.iter().map(|table| table.header().file_len()).sum(),
        })
    }
}
