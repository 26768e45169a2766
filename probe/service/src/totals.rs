//! What a table says on the whole.

use makruk_tables::format::{FileTable, Metric, MovesLeft, Value, ValueList};
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, CountingRules};

/// A table on the whole, in the colours of its set's name.
#[derive(Clone, Debug)]
pub(super) struct Totals {
    /// The file's length.
    pub(super) bytes: u64,
    /// With each side to move.
    pub(super) sides: ByColor<SideTotals>,
}

/// A table with one side to move: numbers of distinct legal positions on the full board.
#[derive(Clone, Debug, Default)]
pub(super) struct SideTotals {
    pub(super) won: u64,
    pub(super) drawn: u64,
    pub(super) lost: u64,
    /// The longest win and the longest loss, in plies.
    pub(super) longest_win: Option<u16>,
    pub(super) longest_loss: Option<u16>,
    /// In DTZ: wins and losses that board's honour, begun now, leaves time for.
    pub(super) within_count: Option<(u64, u64)>,
    /// Signed plies, wins first, and how many positions have them.
    pub(super) histogram: Vec<(i32, u64)>,
}

impl Totals {
    /// Reads the totals off a table's header.
    pub(super) fn of(table: &FileTable, set: Material, metric: Metric, rules: &CountingRules) -> Totals {
        let side = |turn| {
            let values = &table.spec().values[turn];
            let within_count = (metric == Metric::Dtz).then(|| values.within_count(MovesLeft::of(set, rules)));
            SideTotals { within_count, ..SideTotals::of(values) }
        };
        Totals { bytes: table.header().file_len(), sides: ByColor::from_fn(side) }
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
