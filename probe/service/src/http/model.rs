//! The JSON of answers other than positions.

use makruk_explorer::ErrorPlace;
use makruk_probe::RankedMove;
use makruk_probe::json::{LineMoveJson, MoveJson, PositionJson};
use makruk_tables::rules::{Color, Fen, ToMove};
use makruk_tables::value::{Metric, MovesLeft};
use serde::Serialize;

use crate::backend::TableStatistics;
use crate::tables::longest_win_search::LongestWins;
use crate::tables::monitor::ListedTable;
use crate::tables::totals::TableTotals;

/// One of many positions.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum BatchItem {
    Position(PositionJson),
    Error(ErrorJson),
}

/// The reason why there is no answer.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorJson {
    /// The FEN of the request, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fen: Option<String>,
    pub(crate) error: String,
    pub(crate) reason: String,
    #[serde(flatten)]
    pub(crate) place: ErrorPlace,
}

/// The move of a perfect player.
#[derive(Debug, Serialize)]
pub(crate) struct PlayJson {
    #[serde(flatten)]
    position: PositionJson,
    /// `null` if the game is over.
    #[serde(rename = "move")]
    mv: Option<LineMoveJson>,
}

impl PlayJson {
    pub(crate) fn new(position: PositionJson, made: Option<(RankedMove, Fen, Fen)>) -> PlayJson {
        let mv = made.map(|(mv, before, after)| LineMoveJson {
            mv: MoveJson::new(&before.position, &mv),
            attacker_moves_left: mv.attacker_moves_left(),
            fen: after.to_string(),
        });
        PlayJson { position, mv }
    }
}

/// The tables.
#[derive(Debug, Serialize)]
pub(crate) struct TablesJson {
    pub(crate) tables: Vec<TableJson>,
}

/// A table.
#[derive(Debug, Serialize)]
pub(crate) struct TableJson {
    material: String,
    metric: &'static str,
    men: usize,
    bytes: u64,
}

impl TableJson {
    pub(crate) fn new(table: &ListedTable) -> TableJson {
        TableJson {
            material: table.material.to_string(),
            metric: table.metric.name(),
            men: table.material.men(),
            bytes: table.bytes,
        }
    }
}

/// The statistics of a material's tables, with the fields of `makruk-gen info --json`.
#[derive(Debug, Serialize)]
pub(crate) struct StatisticsJson {
    material: String,
    men: usize,
    dtm: Option<SummaryJson>,
    dtz: Option<SummaryJson>,
}

#[derive(Debug, Serialize)]
struct SummaryJson {
    bytes: u64,
    white: SideJson,
    black: SideJson,
}

#[derive(Debug, Serialize)]
struct SideJson {
    win: u64,
    draw: u64,
    loss: u64,
    max_win_plies: Option<u16>,
    max_loss_plies: Option<u16>,
    win_within_count: Option<u64>,
    loss_within_count: Option<u64>,
    /// The winner's moves that the count leaves, if it begins now and this side wins; only in the metric that decides
    /// the count: DTZ, or DTM with a bare king.
    win_count_moves: Option<u32>,
    /// The same if this side loses.
    loss_count_moves: Option<u32>,
    /// Pairs of signed plies and a number of positions.
    histogram: Vec<(i32, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_win_fens: Option<Vec<String>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    longest_pending: bool,
    /// The share of the table that a pending search has gone through, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_progress: Option<f64>,
}

impl StatisticsJson {
    pub(crate) fn new(statistics: &TableStatistics) -> StatisticsJson {
        let of = |metric| {
            let found = statistics.metrics.iter().find(|(of, ..)| *of == metric);
            // The last metric of the material decides the count.
            let is_counted = statistics.metrics.last().is_some_and(|(of, ..)| *of == metric);
            let moves_left = is_counted.then_some(statistics.moves_left);
            found.map(|(_, totals, search)| SummaryJson::new(totals, search.as_ref(), moves_left))
        };
        StatisticsJson {
            material: statistics.material.to_string(),
            men: statistics.material.men(),
            dtm: of(Metric::Dtm),
            dtz: of(Metric::Dtz),
        }
    }
}

impl SummaryJson {
    fn new(totals: &TableTotals, search: Option<&LongestWins>, moves_left: Option<MovesLeft>) -> SummaryJson {
        let side = |color| {
            let side = &totals.sides[color];
            SideJson {
                win: side.won,
                draw: side.drawn,
                loss: side.lost,
                max_win_plies: side.longest_win,
                max_loss_plies: side.longest_loss,
                win_within_count: side.within_count.map(|(won, _)| won),
                loss_within_count: side.within_count.map(|(_, lost)| lost),
                win_count_moves: moves_left.and_then(|left| left.moves(ToMove::Attacker)),
                loss_count_moves: moves_left.and_then(|left| left.moves(ToMove::Defender)),
                histogram: side.histogram.clone(),
                longest_win_fens: match search {
                    Some(LongestWins::Found(found)) => Some(found[color].clone()),
                    _ => None,
                },
                longest_pending: search.is_some_and(LongestWins::is_pending),
                longest_progress: search.and_then(LongestWins::progress),
            }
        };
        SummaryJson { bytes: totals.bytes, white: side(Color::White), black: side(Color::Black) }
    }
}
