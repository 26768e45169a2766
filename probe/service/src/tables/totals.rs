//! The totals of a table, from its header.

use makruk_tables::format::{FileTable, ValueList};
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, CountingRules};
use makruk_tables::value::{Metric, MovesLeft, Value};

/// The totals of a table, in the colours of its material's name.
#[derive(Clone, Debug)]
pub(crate) struct TableTotals {
    /// Length of the file in bytes.
    pub(crate) bytes: u64,
    /// The totals by side to move.
    pub(crate) sides: ByColor<SideTotals>,
}

/// The totals of a table with one side to move: numbers of distinct legal positions on the full board.
#[derive(Clone, Debug, Default)]
pub(crate) struct SideTotals {
    pub(crate) won: u64,
    pub(crate) drawn: u64,
    pub(crate) lost: u64,
    /// The longest win and the longest loss, in plies.
    pub(crate) longest_win: Option<u16>,
    pub(crate) longest_loss: Option<u16>,
    /// DTZ only: wins and losses within board's honour, if that count begins now.
    pub(crate) within_count: Option<(u64, u64)>,
    /// Pairs of signed plies and a number of positions, wins first.
    pub(crate) histogram: Vec<(i32, u64)>,
}

impl TableTotals {
    /// The totals of an open table.
    pub(crate) fn of(table: &FileTable, material: Material, metric: Metric, rules: &CountingRules) -> TableTotals {
        let side = |turn| {
            let values = &table.spec().values[turn];
            let within_count = (metric == Metric::Dtz).then(|| values.within_count(MovesLeft::of(material, rules)));
            SideTotals { within_count, ..SideTotals::of(values) }
        };
        TableTotals { bytes: table.header().file_len(), sides: ByColor::from_fn(side) }
    }
}

impl SideTotals {
    fn of(values: &ValueList) -> SideTotals {
        let occurring = || values.entries().iter().filter(|(_, positions)| *positions > 0);
        let longest = |plies: fn(Value) -> Option<u16>| occurring().filter_map(|&(value, _)| plies(value)).max();
        SideTotals {
            won: values.won(),
            drawn: values.drawn(),
            lost: values.lost(),
            longest_win: longest(|value| if let Value::Win(plies) = value { Some(plies) } else { None }),
            longest_loss: longest(|value| if let Value::Loss(plies) = value { Some(plies) } else { None }),
            within_count: None,
            histogram: occurring().filter_map(|&(value, positions)| Some((value.signed_plies()?, positions))).collect(),
        }
    }
}
