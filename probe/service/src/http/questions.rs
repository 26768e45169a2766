//! Questions about positions and games: those of `makruk_answers`, in a URL or as the body of a request.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use makruk_answers::{Probe, Question};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::http::response::{HttpFailure, JsonBody, UrlQuery, json_bytes, json_with};

/// The question of a position: over HTTP with its moves, unless they are not wanted.
#[derive(Debug, Deserialize)]
pub(crate) struct ProbeQuery {
    fen: String,
    moves: Option<bool>,
}

impl From<ProbeQuery> for Question {
    fn from(ProbeQuery { fen, moves }: ProbeQuery) -> Question {
        Probe { fen, moves: moves.unwrap_or(true) }.into()
    }
}

/// The answer to the question of a URL.
pub(crate) async fn ask<Q: Into<Question> + DeserializeOwned>(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(question): UrlQuery<Q>,
) -> Result<Response, HttpFailure> {
    answer(&backend, &context, question.into()).await
}

/// The answer to the question of a body.
pub(crate) async fn ask_in_body<Q: Into<Question> + DeserializeOwned>(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    JsonBody(question): JsonBody<Q>,
) -> Result<Response, HttpFailure> {
    answer(&backend, &context, question.into()).await
}

async fn answer(backend: &Backend, context: &RequestContext, question: Question) -> Result<Response, HttpFailure> {
    let text = question.fen().to_owned();
    let answered = backend.answer(context, question, |answer| json_bytes(&answer)).await;
    let (answer, permits) = answered.map_err(HttpFailure::about(&text))?;
    Ok(json_with(answer, permits))
}
