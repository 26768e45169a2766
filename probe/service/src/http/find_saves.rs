//! `/v1/saves`: the search for count saves, wins and zugzwangs, a page at a time, and the statistics of count saves.

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
use crate::backend::save_search::{FoundSave, SaveQuery};
use crate::http::response::{HttpFailure, UrlPath, UrlQuery, json_bytes, json_with};
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

/// A page of positions.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FoundPage"))]
pub(crate) struct SavesPageJson {
    /// The positions in the order of the tables: without details (`brief`), or with those of their kind.
    saves: Vec<PositionRecord>,
    /// The cursor from which to continue; `null` at the end.
    cursor: Option<String>,
    /// The cells of the tables that were scanned for this page, including cells that are not legal positions.
    scanned: u64,
}

/// A page of saves.
pub(crate) async fn find(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(query): UrlQuery<SavesQuery>,
) -> Result<Response, HttpFailure> {
    let (page, permits) = page(&backend, &context, &save_query(query, &backend)?).await?;
    Ok(json_with(json_bytes(&page), permits))
}

/// The search that a query asks for.
fn save_query(query: SavesQuery, backend: &Backend) -> Result<SaveQuery, Failure> {
    let (limit, most) = (query.limit.unwrap_or(PAGE_SAVES), backend.limits.batch as u64);
    if limit == 0 || limit > most {
        return Err(Failure::query(format!("limit is {limit}: expected 1 to {most}")));
    }
    let side = query.side.map(|name| Color::from_name(&name).ok_or_else(|| Failure::from(Refusal::of_side(&name))));
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
        let ((found, rest), permits) = backend.search_on(context, search).await?;
        search = rest;
        saves.extend(found.into_iter().map(|FoundSave { record, .. }| record));
        let is_late = tokio::time::Instant::now() + context.time / 2 > context.deadline;
        if search.is_over() || is_late {
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
) -> Result<Response, HttpFailure> {
    Ok(Json(&*backend.save_statistics(&material, sample).await?).into_response())
}
