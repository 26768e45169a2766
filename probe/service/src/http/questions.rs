//! The questions of `makruk_answers`, in a URL or as the body of a request.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use makruk_answers::{Field, FieldValue, Probe, Question, json};
use makruk_rules::Reading;
use makruk_tables::material::Material;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::http::response::{JsonBody, UrlPath, UrlQuery, json_response, json_with};
use crate::status::Failure;

/// The question of a position: over HTTP with its moves, unless they are not wanted.
#[derive(Debug, Deserialize)]
pub(crate) struct ProbeQuery {
    fen: Field<Reading>,
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
) -> Result<Response, Failure> {
    answer(&backend, &context, question.into()).await
}

/// The answer to the question of a body.
pub(crate) async fn ask_in_body<Q: Into<Question> + DeserializeOwned>(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    JsonBody(question): JsonBody<Q>,
) -> Result<Response, Failure> {
    answer(&backend, &context, question.into()).await
}

async fn answer(backend: &Backend, context: &RequestContext, question: Question) -> Result<Response, Failure> {
    let text = question.position().map(Field::text).unwrap_or_default();
    let answered = backend.answer(context, question, |answer| json(&answer).into()).await;
    let (answer, permits) = answered.map_err(|failure| failure.about(&text))?;
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
pub(crate) fn of_tables<Q: Into<Question> + Send + 'static>(question: fn(OfMen) -> Q) -> MethodRouter<Arc<Backend>> {
    get(
        move |State(backend): State<Arc<Backend>>, UrlQuery(query)| async move { kept(&backend, question(query)).await },
    )
}

/// The answers to a question about the material that the path names.
pub(crate) fn of_material<Q: Into<Question> + Send + 'static, P: DeserializeOwned + Send + 'static>(
    question: fn(Material, P) -> Q,
) -> MethodRouter<Arc<Backend>> {
    get(move |State(backend): State<Arc<Backend>>, UrlPath(name), UrlQuery(query)| async move {
        kept(&backend, question(Material::read(&name)?, query)).await
    })
}

async fn kept(backend: &Backend, question: impl Into<Question>) -> Result<Response, Failure> {
    Ok(json_response(backend.kept_answer(question).await?.1.clone()))
}
