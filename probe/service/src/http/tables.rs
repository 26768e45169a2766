//! `/v1/tables`: the list of tables, and their statistics.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use serde::Deserialize;

use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::http::model::{StatisticsJson, TableJson, TablesJson};
use crate::http::response::{UrlPath, UrlQuery, logged_failure};

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
