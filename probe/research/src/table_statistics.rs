//! The statistics of a material's tables, with the fields of `makruk-gen info --json`.

use makruk_format::{FileTable, ValueList};
use makruk_probe::{ProbeError, Prober, TableId, ValueSource};
use makruk_rules::{ByColor, Color, CountingRules, ToMove};
use makruk_tables::material::Material;
use makruk_tables::value::{Metric, MovesLeft, Value};
use serde::{Deserialize, Serialize};

use crate::longest_positions::{known_longest_positions, longest_positions};
use crate::stats::tablebase;

/// The statistics of a material's tables, with the fields of `makruk-gen info --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableStatistics {
    /// The canonical name of the material. White below is its first side.
    pub material: Material,
    /// The number of men, both kings included.
    pub men: usize,
    /// The table of DTM.
    pub dtm: Option<TableSummary>,
    /// The table of DTZ; `null` with a bare king and no pawn.
    pub dtz: Option<TableSummary>,
}

/// The statistics of a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableSummary {
    /// The length of the file in bytes.
    pub bytes: u64,
    /// With White to move.
    pub white: SideSummary,
    /// With Black to move.
    pub black: SideSummary,
}

/// Numbers of distinct legal positions with one side to move, like pieces not told apart and no symmetry folded.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SideSummary {
    /// Won by the side to move, without the count.
    pub win: u64,
    /// Drawn without the count.
    pub draw: u64,
    /// Lost by the side to move, without the count.
    pub loss: u64,
    /// The longest win in plies; `null` if there is none.
    pub max_win_plies: Option<u16>,
    /// The longest loss in plies; `null` if there is none.
    pub max_loss_plies: Option<u16>,
    /// Won also if the count begins now; `null` in the metric that does not decide the count. DTZ decides it or, with a
    /// bare king and no pawn, DTM.
    pub win_within_count: Option<u64>,
    /// The longest of these wins in plies; `null` if there is none, and in the other metric.
    pub max_win_within_count_plies: Option<u16>,
    /// Lost also if the count begins now; `null` in the metric that does not decide the count.
    pub loss_within_count: Option<u64>,
    /// The attacker's moves that the count leaves if it begins now and this side wins; `null` in the metric that does
    /// not decide the count, and with pawns, where no count begins.
    pub win_count_moves: Option<u32>,
    /// The same if this side loses.
    pub loss_count_moves: Option<u32>,
    /// Pairs of signed plies and a number of positions, wins first.
    pub histogram: Vec<(i32, u64)>,
    /// Positions of the longest wins, at most ten, if `longest` was requested. Left out if the program does not know
    /// them and did not search the table: the service does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_win_fens: Option<Vec<String>>,
}

/// Positions of the longest wins that are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Longest {
    /// Those that the program knows: of the tables of up to five men.
    Known,
    /// Those of any table, which is searched if they are not known.
    Searched,
}

impl TableStatistics {
    /// Reads the statistics from the headers of the tables, and adds positions of the longest wins if requested.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn read<S: ValueSource>(
        prober: &Prober<S>,
        material: Material,
        longest: Option<Longest>,
    ) -> Result<TableStatistics, ProbeError> {
        let mut statistics = TableStatistics { material, men: material.men(), dtm: None, dtz: None };
        for &metric in material.distance_metrics() {
            let id = TableId { material, metric };
            let table = tablebase(prober, material)?.table::<Value>(id)?;
            let mut summary = TableSummary::of(table, id);
            let known = longest.and_then(|_| known_longest_positions(id, table.header().checksum()));
            let found = match longest {
                Some(Longest::Searched) if known.is_none() => Some(longest_positions(prober, id)?),
                _ => known,
            };
            (summary.white.longest_win_fens, summary.black.longest_win_fens) =
                found.map(|ByColor { white, black }| (white, black)).unzip();
            *(if metric == Metric::Dtm { &mut statistics.dtm } else { &mut statistics.dtz }) = Some(summary);
        }
        Ok(statistics)
    }
}

impl TableSummary {
    fn of(table: &FileTable, TableId { material, metric }: TableId) -> TableSummary {
        let left = MovesLeft::of(material, &CountingRules::MAKRUK);
        let decides_count = material.distance_metrics().last() == Some(&metric);
        let side = |turn| {
            let values: &ValueList = &table.spec().values[turn];
            let within = decides_count.then(|| values.within_count(left));
            let longest_within = decides_count.then(|| values.longest_within_count(left).0);
            let moves = |side| if decides_count { left.moves(side) } else { None };
            let occurring = || values.entries().iter().filter(|(_, positions)| *positions > 0);
            let longest = |plies: fn(Value) -> Option<u16>| occurring().filter_map(|&(value, _)| plies(value)).max();
            SideSummary {
                win: values.won(),
                draw: values.drawn(),
                loss: values.lost(),
                max_win_plies: longest(|value| if let Value::Win(plies) = value { Some(plies) } else { None }),
                max_loss_plies: longest(|value| if let Value::Loss(plies) = value { Some(plies) } else { None }),
                win_within_count: within.map(|(won, _)| won),
                max_win_within_count_plies: longest_within.filter(|&plies| plies > 0),
                loss_within_count: within.map(|(_, lost)| lost),
                win_count_moves: moves(ToMove::Attacker),
                loss_count_moves: moves(ToMove::Defender),
                histogram: occurring().filter_map(|&(value, count)| Some((value.signed_plies()?, count))).collect(),
                longest_win_fens: None,
            }
        };
        TableSummary { bytes: table.header().file_len(), white: side(Color::White), black: side(Color::Black) }
    }
}
