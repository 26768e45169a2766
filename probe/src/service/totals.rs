//! What a table says on the whole.

use std::path::Path;

use makruk_tables::format::{MappedTable, Metric, MovesLeft, TableFolder, Value, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules};

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
    pub(super) fn of(table: &MappedTable, set: Material, metric: Metric, rules: &CountingRules) -> Totals {
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

/// A set on the whole, both sides to move taken together.
#[derive(Clone, Debug)]
pub(super) struct SetTotals {
    /// The length of its files.
    pub(super) bytes: u64,
    /// Positions won by either side, in the colours of the set's name.
    pub(super) wins: ByColor<u64>,
    pub(super) draws: u64,
    /// Wins that the count, begun now, leaves time for.
    pub(super) within_count: u64,
    /// The longest ways to mate without a count and to the event that settles it, in the winner's moves.
    pub(super) mate_moves: u16,
    pub(super) event_moves: u16,
}

impl SetTotals {
    /// Reads them off the set's tables; `None` unless all can be opened.
    pub(super) fn read(folder: &Path, set: Material, rules: &CountingRules) -> Option<SetTotals> {
        let (folder, layout) = (TableFolder::open_existing(folder).ok()?, Layout::new(set));
        let dtm = folder.open_set(&layout, Metric::Dtm).ok()?;
        let dtz = if set.is_armed() { Some(folder.open_set(&layout, Metric::Dtz).ok()?) } else { None };
        let (to_mate, to_event) = (&dtm.spec().values, &dtz.as_ref().unwrap_or(&dtm).spec().values);
        let longest = |values: &ByColor<ValueList>| {
            values.iter().map(|side| side.max_win_plies().div_ceil(2).max(side.max_loss_plies() / 2)).max().unwrap_or(0)
        };
        let left = MovesLeft::of(set, rules);
        let counted = Color::ALL.map(|turn| to_event[turn].within_count(left));
        Some(SetTotals {
            bytes: dtm.header().file_len() + dtz.as_ref().map_or(0, |table| table.header().file_len()),
            wins: ByColor::from_fn(|side| to_mate[side].won() + to_mate[!side].lost()),
            draws: to_mate.iter().map(ValueList::drawn).sum(),
            within_count: counted.iter().map(|(wins, losses)| wins + losses).sum(),
            mate_moves: longest(to_mate),
            event_moves: longest(to_event),
        })
    }
}
