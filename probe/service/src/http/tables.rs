//! `/v1/tables`: the list of tables, and their statistics.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use makruk_tables::rules::{Color, ToMove};
use makruk_tables::value::{Metric, MovesLeft};
use serde::{Deserialize, Serialize};

use crate::admission::request_context::RequestContext;
use crate::backend::{Backend, TableStatistics};
use crate::http::response::{UrlPath, UrlQuery, logged_failure};
use crate::tables::longest_win_search::LongestWins;
use crate::tables::monitor::ListedTable;
use crate::tables::totals::TableTotals;

#[derive(Debug, Deserialize)]
pub(crate) struct TablesQuery {
    men: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StatisticsQuery {
    #[serde(default)]
    longest: bool,
}

pub(crate) async fn list(
    State(backend): State<Arc<Backend>>,
    UrlQuery(TablesQuery { men }): UrlQuery<TablesQuery>,
) -> Response {
    let tables = backend.tables(men).iter().map(TableJson::new).collect();
    Json(TablesJson { tables }).into_response()
}

pub(crate) async fn statistics(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlPath(material): UrlPath,
    UrlQuery(StatisticsQuery { longest }): UrlQuery<StatisticsQuery>,
) -> Response {
    match backend.statistics(&context, &material, longest).await {
        Ok(statistics) if statistics.is_pending() => {
            // The next answer will have more.
            ([(CACHE_CONTROL, "no-store")], Json(StatisticsJson::new(&statistics))).into_response()
        }
        Ok(statistics) => Json(StatisticsJson::new(&statistics)).into_response(),
        Err(failure) => logged_failure(&material, "", failure),
    }
}

/// The tables.
#[derive(Debug, Serialize)]
struct TablesJson {
    tables: Vec<TableJson>,
}

/// A table.
#[derive(Debug, Serialize)]
struct TableJson {
    material: String,
    metric: &'static str,
    men: usize,
    bytes: u64,
}

impl TableJson {
    fn new(table: &ListedTable) -> TableJson {
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
struct StatisticsJson {
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
    fn new(statistics: &TableStatistics) -> StatisticsJson {
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
