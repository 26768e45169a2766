//! `/v1/tables`: the list of tables, and their statistics.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use serde::{Deserialize, Serialize};

use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::http::response::{HttpFailure, UrlPath, UrlQuery};
use crate::tables::monitor::ListedTable;

#[derive(Debug, Deserialize)]
pub(crate) struct TablesQuery {
    men: Option<usize>,
}

/// The tables that can be opened, by number of men, then by name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TableList"))]
pub(crate) struct TablesJson {
    /// The tables.
    tables: Vec<ListedTable>,
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
    Json(TablesJson { tables: backend.tables(men) }).into_response()
}

pub(crate) async fn statistics(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlPath(material): UrlPath,
    UrlQuery(StatisticsQuery { longest }): UrlQuery<StatisticsQuery>,
) -> Result<Response, HttpFailure> {
    let statistics = backend.statistics(&context, &material, longest).await?;
    // The next answer will have more.
    let no_store = statistics.is_pending().then_some([(CACHE_CONTROL, "no-store")]);
    Ok((no_store, Json(statistics)).into_response())
}
