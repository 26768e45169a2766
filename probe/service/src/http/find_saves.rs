//! `/v1/saves`: the search for count saves, wins and zugzwangs, a page at a time, and the statistics of count saves.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use makruk_research::PositionRecord;
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
    UrlQuery(query): UrlQuery<SaveQuery>,
) -> Result<Response, HttpFailure> {
    let most = backend.limits.batch as u64;
    if let Some(limit) = query.limit.filter(|limit| !(1..=most).contains(limit)) {
        return Err(Failure::query(format!("limit is {limit}: expected 1 to {most}")).into());
    }
    let (page, permits) = page(&backend, &context, &query).await?;
    Ok(json_with(json_bytes(&page), permits))
}

/// As many saves as the limit allows and half of the time suffices to find.
async fn page(
    backend: &Backend,
    context: &RequestContext,
    query: &SaveQuery,
) -> Result<(SavesPageJson, Grant), Failure> {
    let mut search = backend.search(context, query, PAGE_SAVES)?;
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
