//! Requests and responses in JSON.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::admission::pool::Grant;
use crate::backend::Backend;
use crate::status::Failure;

/// The query of a URL; a request whose query cannot be parsed fails.
pub(crate) struct UrlQuery<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for UrlQuery<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<UrlQuery<T>, Response> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(query)) => Ok(UrlQuery(query)),
            Err(rejection) => {
                let text = rejection.body_text();
                let problem = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
                Err(failure_response("", Failure::query(format!("the address's query: {problem}"))))
            }
        }
    }
}

/// The parameter of a URL's path; a request whose path is not UTF-8 fails.
pub(crate) struct UrlPath(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for UrlPath {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<UrlPath, Response> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(parameter)) => Ok(UrlPath(parameter)),
            Err(rejection) => Err(failure_response("", Failure::query(rejection.body_text()))),
        }
    }
}

/// A body of JSON; a request whose body is too large or cannot be parsed fails.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<Backend>> for JsonBody<T> {
    type Rejection = Response;

    async fn from_request(request: Request, backend: &Arc<Backend>) -> Result<JsonBody<T>, Response> {
        if let Some(coding) = request.headers().get(CONTENT_ENCODING).filter(|coding| *coding != "identity") {
            let coding = String::from_utf8_lossy(coding.as_bytes()).into_owned();
            let failure = Failure::body(format!("the body has the content coding {coding:?}: send it without one"));
            return Err(failure_response("", failure));
        }
        let read = match Bytes::from_request(request, backend).await {
            Ok(body) => serde_json::from_slice(&body)
                .map_err(|error| Failure::body(format!("the body is not as /v1/openapi.json has it: {error}"))),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Failure::TooLarge { most: backend.limits.message_bytes })
            }
            Err(rejection) => Err(Failure::query(rejection.body_text())),
        };
        read.map(JsonBody).map_err(|failure| failure_response("", failure))
    }
}

/// The response to a request about `text`, with the answer as JSON; the permits of its positions go with it.
pub(crate) fn respond_json(text: &str, outcome: Result<(Bytes, Grant), Failure>) -> Response {
    match outcome {
        Ok((answer, permits)) => {
            let mut response = json_response(answer);
            response.extensions_mut().insert(Arc::new(permits));
            response
        }
        Err(failure) => logged_failure(text, text, failure),
    }
}

/// A response of serialised JSON.
pub(crate) fn json_response(answer: Bytes) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], answer).into_response()
}

/// A value as JSON, for use in jobs.
pub(crate) fn json_bytes<T: Serialize>(value: &T) -> Bytes {
    // Serialising fails only for maps whose keys are not texts, and no answer has one.
    serde_json::to_vec(value).map(Bytes::from).unwrap_or_default()
}

/// The response to a request that fails, which is logged under a name.
pub(crate) fn logged_failure(name: &str, text: &str, failure: Failure) -> Response {
    failure.log(name);
    failure_response(text, failure)
}

/// A failure as JSON.
pub(crate) fn failure_response(text: &str, failure: Failure) -> Response {
    let expects_token = matches!(failure, Failure::Unauthenticated);
    let retry = failure.retry_delay();
    let refusal = failure.refusal().into_owned().about(text);
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
