//! Conditional requests: answers change only with the tables, so browsers and content networks may keep them.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, ETAG, HeaderMap, IF_NONE_MATCH};
use http::{HeaderName, HeaderValue, StatusCode};

use crate::backend::Backend;

/// The time for which an answer may be used without asking whether the tables have changed.
const FRESH: Duration = Duration::from_secs(60);

/// Tags answers, and answers "not modified" to those who have the answer from the same tables.
pub(crate) async fn tagged(State(backend): State<Arc<Backend>>, request: Request, next: Next) -> Response {
    let checksum = backend.checksum();
    // Weak: the answer is the same, its bytes need not be. Another version may answer otherwise.
    let tag = format!("W/\"{checksum:016x}-{}\"", env!("CARGO_PKG_VERSION"));
    let is_known = lists(request.headers(), IF_NONE_MATCH, |known| known == tag || known == "*");
    let mut response = next.run(request).await;
    // A request that fails does so whatever its client knows.
    if is_known && response.status() == StatusCode::OK {
        response = StatusCode::NOT_MODIFIED.into_response();
    }
    let is_answer = response.status() == StatusCode::OK || response.status() == StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    if headers.contains_key(CACHE_CONTROL) {
        return response;
    }
    if !is_answer {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return response;
    }
    // Shared caches must not keep answers that only holders of a token may see.
    let scope = if backend.tokens.are_needed() { "private" } else { "public" };
    let control = format!("{scope}, max-age={}", FRESH.as_secs());
    for (name, value) in [(CACHE_CONTROL, control), (ETAG, tag)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
    response
}

/// Whether one of the comma-separated values of a header passes the test.
pub(crate) fn lists(headers: &HeaderMap, name: HeaderName, test: impl Fn(&str) -> bool) -> bool {
    let values = headers.get_all(name);
    values.iter().filter_map(|value| value.to_str().ok()).any(|value| value.split(',').map(str::trim).any(&test))
}
