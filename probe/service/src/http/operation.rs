//! Health and metrics.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};

use crate::backend::Backend;
use crate::metrics;

pub(crate) async fn alive() -> &'static str {
    "alive\n"
}

pub(crate) async fn ready(State(backend): State<Arc<Backend>>) -> (StatusCode, &'static str) {
    if backend.is_ready().await {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready\n")
    }
}

pub(crate) async fn metrics(State(backend): State<Arc<Backend>>) -> Response {
    backend.pools.report();
    let text = backend.pools.metrics.text(backend.tables.load().tables.cache_counts());
    ([(CONTENT_TYPE, HeaderValue::from_static(metrics::CONTENT_TYPE))], text).into_response()
}
