//! Plain JSON over HTTP, in the words of `query --json`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Extension, Path, Query, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use serde::Deserialize;
use tonic::Status;

use super::answer::{error_answer, failure_response, read_body, respond, spaced};
use super::engine::{Answered, Engine, Played};
use super::explorer;
use super::jobs::Asker;
use super::metrics::CONTENT_TYPE as METRICS_TYPE;
use super::search_web;
use super::status::Failure;
use super::web_json::{BatchItem, ErrorAnswer, LineJson, PlayJson, StatisticsJson, TableJson, TablesJson};
use makruk_probe::json::PositionJson;
use makruk_probe::{LineStep, Policy};

type Shared = State<Arc<Engine>>;

/// What is asked in the path's query.
#[derive(Debug, Deserialize)]
struct ProbeQuery {
    fen: String,
    #[serde(default = "yes")]
    moves: bool,
}

#[derive(Debug, Deserialize)]
struct LineQuery {
    fen: String,
    defence: Option<String>,
    #[serde(default)]
    max_plies: u32,
}

#[derive(Debug, Deserialize)]
struct PlayQuery {
    fen: String,
    policy: Option<String>,
}

#[derive(Debug, Deserialize)]
struct TablesQuery {
    men: Option<u32>,
}

#[derive(Debug, Deserialize)]
struct StatisticsQuery {
    #[serde(default)]
    longest: bool,
}

/// A batch, as it is posted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    fens: Vec<String>,
    #[serde(default)]
    moves: bool,
}

const fn yes() -> bool {
    true
}

/// Everything under `/v1`, and whether the service is well.
pub(super) fn routes(engine: Arc<Engine>) -> Router {
    let bytes = engine.limits.message_bytes;
    Router::new()
        .route("/v1/probe", get(probe))
        .route("/v1/batch", post(batch))
        .route("/v1/line", get(line))
        .route("/v1/play", get(play))
        .route("/v1/tables", get(tables))
        .route("/v1/tables/{material}", get(statistics))
        .merge(explorer::routes())
        .merge(search_web::routes())
        .layer(DefaultBodyLimit::max(bytes))
        .fallback(nothing_here)
        .with_state(engine)
}

/// Metrics, and whether the service is well.
pub(super) fn operation(engine: Arc<Engine>) -> Router {
    Router::new().route("/metrics", get(metrics)).with_state(Arc::clone(&engine)).merge(health(engine))
}

/// Whether the service is well.
pub(super) fn health(engine: Arc<Engine>) -> Router {
    Router::new().route("/healthz", get(alive)).route("/readyz", get(ready)).with_state(engine)
}

async fn probe(
    State(engine): Shared,
    Extension(asker): Extension<Asker>,
    query: Result<Query<ProbeQuery>, QueryRejection>,
) -> Response {
    let ProbeQuery { fen, moves } = match query {
        Ok(Query(query)) => query,
        Err(rejection) => return failure_response("", Failure::Query(rejection.body_text())),
    };
    let text: Arc<str> = spaced(fen).into();
    respond(&text, engine.probe(&asker, Arc::clone(&text), moves, PositionJson::new).await)
}

async fn batch(
    State(engine): Shared,
    Extension(asker): Extension<Asker>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let Batch { fens, moves } = match read_body(&engine, body) {
        Ok(batch) => batch,
        Err(failure) => return failure_response("", failure),
    };
    respond("", engine.batch(&asker, fens, moves, batch_item).await)
}

fn batch_item(text: &str, outcome: Result<Answered<'_>, Failure>) -> BatchItem {
    match outcome {
        Ok(Answered { fen, verdict, moves }) => BatchItem::Position(PositionJson::new(fen, verdict, moves)),
        Err(failure) => BatchItem::Error(error_answer(text, failure).1),
    }
}

async fn line(
    State(engine): Shared,
    Extension(asker): Extension<Asker>,
    query: Result<Query<LineQuery>, QueryRejection>,
) -> Response {
    let LineQuery { fen, defence, max_plies } = match query {
        Ok(Query(query)) => query,
        Err(rejection) => return failure_response("", Failure::Query(rejection.body_text())),
    };
    let text: Arc<str> = spaced(fen).into();
    let whole = async {
        let defence = policy(defence)?;
        let ((start, mut walk), mut held) =
            engine.line(&asker, Arc::clone(&text), defence, max_plies, PositionJson::new).await?;
        let mut line = LineJson::new(start);
        loop {
            drop(held);
            let ((steps, on), place) = engine.walk_on(&asker, walk).await?;
            (walk, held) = (on, place);
            for step in steps {
                match step {
                    LineStep::Move(mv) => line.push(&mv),
                    LineStep::End(end) => {
                        line.end = end.name();
                        return Ok((line, held));
                    }
                }
            }
        }
    };
    respond(&text, whole.await)
}

async fn play(
    State(engine): Shared,
    Extension(asker): Extension<Asker>,
    query: Result<Query<PlayQuery>, QueryRejection>,
) -> Response {
    let PlayQuery { fen, policy: name } = match query {
        Ok(Query(query)) => query,
        Err(rejection) => return failure_response("", Failure::Query(rejection.body_text())),
    };
    let text: Arc<str> = spaced(fen).into();
    let played = async {
        let (Played { position, made }, held) =
            engine.play(&asker, Arc::clone(&text), policy(name)?, PositionJson::new).await?;
        Ok((PlayJson::new(position, made), held))
    };
    respond(&text, played.await)
}

async fn tables(State(engine): Shared, query: Result<Query<TablesQuery>, QueryRejection>) -> Response {
    match query {
        Ok(Query(TablesQuery { men })) => {
            let tables = engine.tables(men).iter().map(TableJson::new).collect();
            Json(TablesJson { tables }).into_response()
        }
        Err(rejection) => failure_response("", Failure::Query(rejection.body_text())),
    }
}

async fn statistics(
    State(engine): Shared,
    Extension(asker): Extension<Asker>,
    Path(material): Path<String>,
    query: Result<Query<StatisticsQuery>, QueryRejection>,
) -> Response {
    let longest = match query {
        Ok(Query(StatisticsQuery { longest })) => longest,
        Err(rejection) => return failure_response("", Failure::Query(rejection.body_text())),
    };
    match engine.statistics(&asker, &material, longest).await {
        Ok(statistics) => Json(StatisticsJson::new(&statistics)).into_response(),
        Err(failure) => {
            failure.log(&material);
            failure_response("", failure)
        }
    }
}

async fn alive() -> &'static str {
    "alive\n"
}

async fn ready(State(engine): Shared) -> (StatusCode, &'static str) {
    if engine.is_ready() { (StatusCode::OK, "ready\n") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready\n") }
}

async fn metrics(State(engine): Shared) -> Response {
    let text = engine.metrics.text(engine.live.cache_counts());
    ([(CONTENT_TYPE, HeaderValue::from_static(METRICS_TYPE))], text).into_response()
}

async fn nothing_here(request: Request) -> Response {
    let kind = request.headers().get(CONTENT_TYPE);
    if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc")) {
        return Status::unimplemented("no such service").into_http::<axum::body::Body>();
    }
    let error = "there is nothing here: GET /v1/probe?fen=FEN tells what a position is worth";
    (StatusCode::NOT_FOUND, Json(ErrorAnswer { fen: None, error: error.to_owned(), reason: "not_found".to_owned() }))
        .into_response()
}

fn policy(name: Option<String>) -> Result<Policy, Failure> {
    let Some(name) = name else { return Ok(Policy::default()) };
    Policy::from_name(&name).ok_or_else(|| Failure::Policy(format!("{:?}", name.chars().take(40).collect::<String>())))
}
