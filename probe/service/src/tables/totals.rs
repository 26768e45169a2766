//! The statistics of a material's tables, as both interfaces show them.

use std::path::Path;

use makruk_probe::{TableError, TableId};
use makruk_tables::format::{FileTable, FormatError, TableFolder, ValueList};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules, ToMove};
use makruk_tables::value::{Metric, MovesLeft, Value};
use serde::Serialize;

use crate::tables::longest_win_search::LongestWins;

/// The statistics of a material's tables, with the fields of `makruk-gen info --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct TableStatistics {
    /// The canonical name of the material. White below is its first side.
    pub(crate) material: Material,
    /// The number of men, both kings included.
    pub(crate) men: usize,
    /// The table of DTM.
    pub(crate) dtm: Option<TableSummary>,
    /// The table of DTZ; `null` with a bare king and no pawn.
    pub(crate) dtz: Option<TableSummary>,
}

/// The statistics of a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct TableSummary {
    /// The length of the file in bytes.
    pub(crate) bytes: u64,
    /// With White to move.
    pub(crate) white: SideSummary,
    /// With Black to move.
    pub(crate) black: SideSummary,
}

/// Numbers of distinct legal positions with one side to move, like pieces not told apart and no symmetry folded.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SideSummary {
    /// Won by the side to move, without the count.
    pub(crate) win: u64,
    /// Drawn without the count.
    pub(crate) draw: u64,
    /// Lost by the side to move, without the count.
    pub(crate) loss: u64,
    /// The longest win in plies; `null` if there is none.
    pub(crate) max_win_plies: Option<u16>,
    /// The longest loss in plies; `null` if there is none.
    pub(crate) max_loss_plies: Option<u16>,
    /// Won also if the count begins now; `null` in the metric that does not decide the count.
    pub(crate) win_within_count: Option<u64>,
    /// Lost also if the count begins now; `null` in the metric that does not decide the count.
    pub(crate) loss_within_count: Option<u64>,
    /// The attacker's moves that the count leaves if it begins now and this side wins; `null` in the metric that does
    /// not decide the count, and with pawns, where no count begins.
    win_count_moves: Option<u32>,
    /// The same if this side loses.
    loss_count_moves: Option<u32>,
    /// Pairs of signed plies and a number of positions, wins first.
    pub(crate) histogram: Vec<(i32, u64)>,
    /// Positions of the longest wins, at most ten, if `longest` was requested and the search has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) longest_win_fens: Option<Vec<String>>,
    /// `true` while the search for the longest wins is still running; a later request returns its result. Left out
    /// otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) longest_pending: bool,
    /// The share of the table that a pending search has read, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_progress: Option<f64>,
}

impl TableStatistics {
    /// Reads the statistics from the headers of the tables. A failure names its table.
    pub(crate) fn read(folder: &Path, material: Material) -> Result<TableStatistics, TableError> {
        let read = |metric| -> Result<Option<TableSummary>, TableError> {
            if !material.distance_metrics().contains(&metric) {
                return Ok(None);
            }
            let table = open(folder, TableId { material, metric })?;
            Ok(Some(TableSummary::of(&table, TableId { material, metric })))
        };
        let (dtm, dtz) = (read(Metric::Dtm)?, read(Metric::Dtz)?);
        Ok(TableStatistics { material, men: material.men(), dtm, dtz })
    }

    /// The totals of each metric that there is.
    pub(crate) fn summaries(&mut self) -> impl Iterator<Item = (Metric, &mut TableSummary)> {
        let both = [(Metric::Dtm, &mut self.dtm), (Metric::Dtz, &mut self.dtz)];
        both.into_iter().filter_map(|(metric, summary)| Some((metric, summary.as_mut()?)))
    }

    /// Whether a search for the longest wins is still running.
    pub(crate) fn is_pending(&self) -> bool {
        [&self.dtm, &self.dtz].into_iter().flatten().any(|summary| summary.white.longest_pending)
    }
}

/// Opens a table, of which the header is read.
pub(crate) fn open(folder: &Path, id: TableId) -> Result<FileTable, TableError> {
    let table = TableFolder::open_existing(folder).and_then(|folder| folder.open::<Value>(id));
    table.map_err(|source: FormatError| TableError::of(id, folder.join(id.to_string()), source))
}

impl TableSummary {
    fn of(table: &FileTable, TableId { material, metric }: TableId) -> TableSummary {
        let left = MovesLeft::of(material, &CountingRules::MAKRUK);
        let decides_count = material.distance_metrics().last() == Some(&metric);
        let side = |turn| {
            let values: &ValueList = &table.spec().values[turn];
            let within = (metric == Metric::Dtz).then(|| values.within_count(left));
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
                loss_within_count: within.map(|(_, lost)| lost),
                win_count_moves: moves(ToMove::Attacker),
                loss_count_moves: moves(ToMove::Defender),
                histogram: occurring().filter_map(|&(value, count)| Some((value.signed_plies()?, count))).collect(),
                longest_win_fens: None,
                longest_pending: false,
                longest_progress: None,
            }
        };
        TableSummary { bytes: table.header().file_len(), white: side(Color::White), black: side(Color::Black) }
    }

    /// Adds the longest wins, as far as their search has come.
    pub(crate) fn add_longest(&mut self, search: &LongestWins) {
        for (color, side) in [(Color::White, &mut self.white), (Color::Black, &mut self.black)] {
            match search {
                LongestWins::Found(found) => side.longest_win_fens = Some(found[color].clone()),
                LongestWins::Pending { searched, slabs } => {
                    side.longest_pending = true;
                    side.longest_progress = Some(*searched as f64 / (*slabs).max(1) as f64);
                }
                LongestWins::Failed(_) => {}
            }
        }
    }
}
