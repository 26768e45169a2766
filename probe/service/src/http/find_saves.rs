//! `/v1/saves`: the search for count saves, wins and zugzwangs, a page at a time, and the statistics of count saves.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use makruk_answers::Refusal;
use makruk_research::{PositionKind, PositionRecord};
use makruk_tables::rules::Color;
use serde::{Deserialize, Serialize};

use crate::admission::pool::Grant;
use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::backend::save_counts::{SaveCounts, SideSaves};
use crate::backend::save_query::SaveQuery;
use crate::backend::save_search::FoundSave;
use crate::http::response::{UrlPath, UrlQuery, json_bytes, logged_failure, respond_json};
use crate::status::Failure;

/// The default limit of a page.
const PAGE_SAVES: u64 = 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavesQuery {
    /// `saves` (the default), `wins` or `zugzwangs`.
    kind: Option<String>,
    /// Names of materials, separated by commas.
    material: String,
    #[serde(default, rename = "where")]
    filter: String,
    #[serde(default)]
    cursor: String,
    #[serde(default)]
    until: String,
    limit: Option<u64>,
    side: Option<String>,
    #[serde(default)]
    images: bool,
    #[serde(default)]
    brief: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StatisticsQuery {
    #[serde(default)]
    sample: u32,
}

/// A page of saves, or of positions of another kind.
#[derive(Debug, Serialize)]
struct SavesPageJson {
    saves: Vec<PositionRecord>,
    /// The cursor from which to continue; `null` at the end.
    cursor: Option<String>,
    /// Cells that were scanned for this page.
    scanned: u64,
}

/// The statistics of a material's saves.
#[derive(Debug, Serialize)]
struct SaveStatisticsJson {
    material: String,
    white: SideSavesJson,
    black: SideSavesJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<SampleJson>,
}

#[derive(Debug, Serialize)]
struct SideSavesJson {
    win: u64,
    win_within_count: u64,
    draw: u64,
    loss: u64,
    loss_within_count: u64,
    saves: u64,
}

#[derive(Debug, Serialize)]
struct SampleJson {
    saves: u64,
    complete: bool,
    unique: u64,
    by_sacrifice: u64,
    by_last_sacrifice: u64,
    /// Numbers of saves by the moves that the attacker is short.
    short_by: BTreeMap<u32, u64>,
    short_by_unknown: u64,
}

/// A page of saves.
pub(crate) async fn find(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(query): UrlQuery<SavesQuery>,
) -> Response {
    let found = async {
        let (page, permits) = page(&backend, &context, &save_query(query, &backend)?).await?;
        Ok((json_bytes(&page), permits))
    };
    respond_json("", found.await)
}

/// The search that a query asks for.
fn save_query(query: SavesQuery, backend: &Backend) -> Result<SaveQuery, Failure> {
    let (limit, most) = (query.limit.unwrap_or(PAGE_SAVES), backend.limits.batch as u64);
    if limit == 0 || limit > most {
        return Err(Failure::query(format!("limit is {limit}: expected 1 to {most}")));
    }
    let side = query.side.map(|name| match Color::ALL.into_iter().find(|side| side.name() == name) {
        Some(side) => Ok(side),
        None => Err(Failure::from(Refusal::of_side(&name))),
    });
    let kind = match &query.kind {
        None => PositionKind::Saves,
        Some(name) => name.parse().map_err(|error| Failure::query(format!("kind: {error}")))?,
    };
    Ok(SaveQuery {
        kind,
        materials: query.material.split(',').map(str::to_owned).collect(),
        filter: query.filter,
        cursor: query.cursor,
        until: query.until,
        limit,
        side: side.transpose()?,
        images: query.images,
        brief: query.brief,
    })
}

/// As many saves as the limit allows and half of the time suffices to find.
async fn page(
    backend: &Backend,
    context: &RequestContext,
    query: &SaveQuery,
) -> Result<(SavesPageJson, Grant), Failure> {
    let mut search = backend.search(context, query)?;
    let mut saves = Vec::new();
    loop {
        // A page holds the permits of its last piece only: pages that held more would wait for each other.
        let ((piece, rest), permits) = backend.search_on(context, search).await?;
        search = rest;
        saves.extend(piece.saves.into_iter().map(|FoundSave { record, .. }| record));
        let is_late = tokio::time::Instant::now() + context.time / 2 > context.deadline;
        if piece.is_over || is_late {
            let cursor = search.cursor().map(|cursor| cursor.to_string());
            return Ok((SavesPageJson { saves, cursor, scanned: search.scanned().0 }, permits));
        }
    }
}

/// The statistics of a material's saves.
pub(crate) async fn statistics(
    State(backend): State<Arc<Backend>>,
    UrlPath(material): UrlPath,
    UrlQuery(StatisticsQuery { sample }): UrlQuery<StatisticsQuery>,
) -> Response {
    match backend.save_statistics(&material, sample).await {
        Ok(counts) => Json(SaveStatisticsJson::new(&counts)).into_response(),
        Err(failure) => logged_failure(&material, "", failure),
    }
}

impl SaveStatisticsJson {
    fn new(counts: &SaveCounts) -> SaveStatisticsJson {
        SaveStatisticsJson {
            material: counts.material.to_string(),
            white: SideSavesJson::new(counts.sides.white),
            black: SideSavesJson::new(counts.sides.black),
            sample: counts.sample.as_ref().map(|sample| SampleJson {
                saves: sample.saves,
                complete: sample.complete,
                unique: sample.unique,
                by_sacrifice: sample.by_sacrifice,
                by_last_sacrifice: sample.by_last_sacrifice,
                short_by: sample.short_by.iter().filter_map(|(moves, &saves)| Some(((*moves)?, saves))).collect(),
                short_by_unknown: sample.short_by.get(&None).copied().unwrap_or_default(),
            }),
        }
    }
}

impl SideSavesJson {
    fn new(side: SideSaves) -> SideSavesJson {
        SideSavesJson {
            win: side.won,
            win_within_count: side.won_within_count,
            draw: side.drawn,
            loss: side.lost,
            loss_within_count: side.lost_within_count,
            saves: side.saves(),
        }
    }
}
