//! Requests and responses in JSON.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderValue, StatusCode};
use makruk_answers::Reason;
use serde::de::DeserializeOwned;

use crate::admission::pool::Grant;
use crate::backend::Backend;
use crate::status::Failure;

/// A failure over HTTP, which is logged.
impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        self.log(self.refusal.fen.as_deref().unwrap_or_default());
        failure_response(self)
    }
}

/// The query of a URL; a request whose query cannot be parsed fails.
pub(crate) struct UrlQuery<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for UrlQuery<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<UrlQuery<T>, Failure> {
        let Query(query) = Query::try_from_uri(&parts.uri).map_err(|rejection| {
            let text = rejection.body_text();
            let problem = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
            Failure::unreadable("query", format!("the address's query: {}", plain(problem)))
        })?;
        Ok(UrlQuery(query))
    }
}

/// The error of a reader of texts in words for people.
fn plain(error: &str) -> String {
    error
        .replace("invalid digit found in string", "expected a whole number")
        .replace("provided string was not `true` or `false`", "expected true or false")
        .replace("a sequence", "a list")
}

/// The parameter of a URL's path; a request whose path is not UTF-8 fails.
pub(crate) struct UrlPath(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for UrlPath {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<UrlPath, Failure> {
        let path = Path::from_request_parts(parts, state).await;
        let Path(parameter) = path.map_err(|rejection| Failure::unreadable("query", rejection.body_text()))?;
        Ok(UrlPath(parameter))
    }
}

/// A body of JSON; a request whose body is too large or cannot be parsed fails.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<Backend>> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, backend: &Arc<Backend>) -> Result<JsonBody<T>, Failure> {
        if let Some(coding) = request.headers().get(CONTENT_ENCODING).filter(|coding| *coding != "identity") {
            let coding = String::from_utf8_lossy(coding.as_bytes());
            let problem = format!("the body has the content coding {coding:?}: send it without one");
            return Err(Failure::unreadable("body", problem));
        }
        let body = Bytes::from_request(request, backend).await.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Failure::too_large(backend.pools.limits.message_bytes),
            _ => Failure::unreadable("query", rejection.body_text()),
        })?;
        let parsed = serde_json::from_slice(&body);
        let problem = |error: serde_json::Error| plain(&error.to_string());
        let problem = |error| {
            Failure::unreadable("body", format!("the body is not as /v1/openapi.json has it: {}", problem(error)))
        };
        Ok(JsonBody(parsed.map_err(problem)?))
    }
}

/// An answer as JSON; the permits of its positions go with it.
pub(crate) fn json_with(answer: Bytes, permits: Grant) -> Response {
    let mut response = json_response(answer);
    response.extensions_mut().insert(Arc::new(permits));
    response
}

/// A response of serialised JSON.
pub(crate) fn json_response(answer: Bytes) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], answer).into_response()
}

/// A failure as JSON.
pub(crate) fn failure_response(failure: Failure) -> Response {
    let (retry, refusal) = (failure.retry_delay(), Arc::unwrap_or_clone(failure.refusal));
    let expects_token = refusal.reason == Reason::Unauthenticated;
    let status = StatusCode::from_u16(refusal.reason.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(refusal)).into_response();
    if expects_token {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if retry.is_some() {
        // The header has whole seconds only.
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}
