//! What is common to questions and answers over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::response::{IntoResponse, Response};
use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use makruk_tables::rules::Fen;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::engine::Engine;
use super::jobs::Held;
use super::status::Failure;
use super::web_json::ErrorAnswer;

/// A position and nothing else.
#[derive(Debug, Deserialize)]
pub(super) struct FenQuery {
    pub(super) fen: String,
}

/// A body of JSON.
pub(super) fn read_body<T: DeserializeOwned>(
    engine: &Engine,
    body: Result<Bytes, BytesRejection>,
) -> Result<T, Failure> {
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Failure::TooLarge { most: engine.limits.message_bytes },
        _ => Failure::Query(rejection.body_text()),
    })?;
    serde_json::from_slice(&body).map_err(|error| Failure::Query(format!("the body is not as expected: {error}")))
}

/// FENs may have underscores for spaces, as where people type addresses.
pub(super) fn spaced(fen: String) -> String {
    if fen.contains(' ') { fen } else { fen.replace('_', " ") }
}

/// An answer as JSON; the places of its positions go with it.
pub(super) fn respond<T: serde::Serialize>(text: &str, outcome: Result<(T, Held), Failure>) -> Response {
    match outcome {
        Ok((answer, held)) => {
            let mut response = Json(answer).into_response();
            response.extensions_mut().insert(Unread::new(held));
            response
        }
        Err(failure) => {
            failure.log(text);
            failure_response(text, failure)
        }
    }
}

/// The places of an answer's positions, on their way to the body that frees them when it is written.
#[derive(Clone, Debug)]
pub(super) struct Unread {
    _held: Arc<Held>,
}

impl Unread {
    pub(super) fn new(held: Held) -> Unread {
        Unread { _held: Arc::new(held) }
    }
}

/// A failure as JSON.
pub(super) fn failure_response(text: &str, failure: Failure) -> Response {
    let asks_for_token = matches!(failure, Failure::Unauthenticated);
    let ((status, retry), answer) = error_answer(text, failure);
    let mut response = (status, Json(answer)).into_response();
    if asks_for_token {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if retry.is_some() {
        // The header knows whole seconds only.
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// A failure as an object, with its status and when to come again.
pub(super) fn error_answer(text: &str, failure: Failure) -> ((StatusCode, Option<std::time::Duration>), ErrorAnswer) {
    let (status, reason, error, retry) = failure.into_http();
    let fen = (!text.is_empty()).then(|| Fen::parse(text).map_or_else(|_| text.to_owned(), |fen| fen.to_string()));
    ((status, retry), ErrorAnswer { fen, error, reason })
}
