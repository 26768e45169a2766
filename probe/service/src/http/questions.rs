//! The questions of `makruk_answers`, in a URL or as the body of a request.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use http::header::CACHE_CONTROL;
use makruk_answers::{Probe, Question, Whole, WholeAnswer, json};
use makruk_tables::material::Material;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::http::response::{HttpFailure, JsonBody, UrlPath, UrlQuery, json_response, json_with};

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
    let answered = backend.answer(context, question, |answer| json(&answer).into()).await;
    let (answer, permits) = answered.map_err(HttpFailure::about(&text))?;
    Ok(json_with(answer, permits))
}

/// Tables or materials may be those of a number of men.
#[derive(Debug, Deserialize)]
pub(crate) struct OfMen {
    pub(crate) men: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StatisticsQuery {
    #[serde(default)]
    pub(crate) longest: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SavesQuery {
    #[serde(default)]
    pub(crate) sample: u32,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NoQuery {}

/// The answers to a question about tables.
pub(crate) fn of_tables(question: fn(OfMen) -> Whole) -> MethodRouter<Arc<Backend>> {
    get(move |State(backend), Extension(context), UrlQuery(query)| kept(backend, context, question(query)))
}

/// The answers to a question about the material that the path names.
pub(crate) fn of_material<Q: DeserializeOwned + Send + 'static>(
    question: fn(Material, Q) -> Whole,
) -> MethodRouter<Arc<Backend>> {
    get(move |State(backend), Extension(context), UrlPath(name), UrlQuery(query)| async move {
        kept(backend, context, question(Whole::material(&name)?, query)).await
    })
}

async fn kept(backend: Arc<Backend>, context: RequestContext, question: Whole) -> Result<Response, HttpFailure> {
    let kept = backend.kept_answer(&context, question).await?;
    // The next answer will have more.
    let is_pending = matches!(&kept.0, WholeAnswer::Statistics(statistics) if statistics.is_pending());
    Ok((is_pending.then_some([(CACHE_CONTROL, "no-store")]), json_response(kept.1.clone())).into_response())
}
