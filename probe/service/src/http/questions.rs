//! The questions of `makruk_answers`, in a URL or as the body of a request.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use http::header::CACHE_CONTROL;
use makruk_answers::{Field, FieldValue, Probe, Question, Statistics, json};
use makruk_rules::Reading;
use makruk_tables::material::Material;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::backend::answer_cache::KeptAnswer;
use crate::backend::kept::KeptQuestion;
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
    longest: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SavesQuery {
    #[serde(default)]
    pub(crate) sample: u32,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NoQuery {}

/// The answers to a question about tables.
pub(crate) fn of_tables<Q: KeptQuestion>(question: fn(OfMen) -> Q) -> MethodRouter<Arc<Backend>> {
    get(move |State(backend): State<Arc<Backend>>, UrlQuery(query)| async move {
        Ok::<_, Failure>(kept::<Q>(backend.kept_answer(question(query)).await?))
    })
}

/// The answers to a question about the material that the path names.
pub(crate) fn of_material<Q: KeptQuestion, P: DeserializeOwned + Send + 'static>(
    question: fn(Material, P) -> Q,
) -> MethodRouter<Arc<Backend>> {
    get(move |State(backend): State<Arc<Backend>>, UrlPath(name), UrlQuery(query)| async move {
        let question = question(Material::read(&name)?, query);
        Ok::<_, Failure>(kept::<Q>(backend.kept_answer(question).await?))
    })
}

/// The statistics of the material that the path names.
pub(crate) async fn statistics(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlPath(name): UrlPath,
    UrlQuery(StatisticsQuery { longest }): UrlQuery<StatisticsQuery>,
) -> Result<Response, Failure> {
    let question = Statistics { material: Material::read(&name)?, longest };
    Ok(kept::<Statistics>(backend.kept_statistics(&context, question).await?))
}

fn kept<Q: KeptQuestion>(kept: KeptAnswer<Q>) -> Response {
    let no_store = Q::is_pending(&kept.0).then_some([(CACHE_CONTROL, "no-store")]);
    (no_store, json_response(kept.1.clone())).into_response()
}
