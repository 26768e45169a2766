//! The totals of a material's tables.

use makruk_format::{FileTable, FormatError, TableFolder, TableId};
use makruk_rules::{Color, CountingRules};
use makruk_tables::material::Material;
use makruk_tables::value::{Metric, MovesLeft, Value};

/// Totals of a material. The fields' names are those of `info --json`; White is the first side of the material's name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MaterialInfo {
    /// The material's canonical name.
    pub material: String,
    /// Distance to mate.
    pub dtm: MetricInfo,
    /// Distance to the conversion that settles the count, if both sides are armed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub dtz: Option<MetricInfo>,
}

/// Totals of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MetricInfo {
    /// The file's length.
    pub bytes: u64,
    /// With White to move.
    pub white: SideInfo,
    /// With Black to move.
    pub black: SideInfo,
}

/// Totals with one side to move: numbers of distinct legal positions on the full board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SideInfo {
    /// Won by the side to move.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost by the side to move.
    pub loss: u64,
    /// The longest win in plies, 0 if there is none.
    pub max_win_plies: u16,
    /// The longest loss in plies, 0 if there is none.
    pub max_loss_plies: u16,
    /// The wins that the count, begun now, leaves time for: in DTZ or, with a bare king and no pawn, in DTM. The next
    /// two are in the same table.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub win_within_count: Option<u64>,
    /// The longest of these wins, in plies; 0 if there is none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_win_within_count_plies: Option<u16>,
    /// The losses that the count, begun now, leaves time for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub loss_within_count: Option<u64>,
}

impl MaterialInfo {
    /// Reads the totals off the tables' headers.
    ///
    /// # Errors
    ///
    /// If a table is missing or cannot be opened.
    pub fn read(folder: &TableFolder, material: Material, rules: &CountingRules) -> Result<MaterialInfo, FormatError> {
        let mut tables = material.distance_metrics().iter().map(|&metric| {
            let table = folder.open::<Value>(TableId { material, metric })?;
            Ok(MetricInfo::of(&table, material, metric, rules))
        });
        let dtm = tables.next().expect("every material has a DTM table")?;
        Ok(MaterialInfo { material: material.to_string(), dtm, dtz: tables.next().transpose()? })
    }
}

impl MetricInfo {
    fn of(table: &FileTable, material: Material, metric: Metric, rules: &CountingRules) -> MetricInfo {
        let side = |color| {
            let values = &table.spec().values[color];
            let decides_count = material.distance_metrics().last() == Some(&metric);
            let left = decides_count.then(|| MovesLeft::of(material, rules));
            let within = left.map(|left| values.within_count(left));
            SideInfo {
                win: values.won(),
                draw: values.drawn(),
                loss: values.lost(),
                max_win_plies: values.max_win_plies(),
                max_loss_plies: values.max_loss_plies(),
                win_within_count: within.map(|(wins, _)| wins),
                max_win_within_count_plies: left.map(|left| values.longest_within_count(left).0),
                loss_within_count: within.map(|(_, losses)| losses),
            }
        };
        MetricInfo { bytes: table.header().file_len(), white: side(Color::White), black: side(Color::Black) }
    }
}
