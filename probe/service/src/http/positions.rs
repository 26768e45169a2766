//! `/v1/probe`, `/v1/batch`, `/v1/line` and `/v1/play`.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use makruk_probe::Policy;
use makruk_probe::json::{LineJson, LineMoveJson, PositionJson};
use serde::Deserialize;

use crate::admission::request_context::RequestContext;
use crate::backend::{Backend, MoveMade, ProbedPosition};
use crate::http::model::{BatchItem, PlayJson};
use crate::http::response::{JsonBody, UrlQuery, error_json, json_bytes, respond, respond_json};
use crate::status::Failure;

#[derive(Debug, Deserialize)]
pub(crate) struct ProbeQuery {
    fen: String,
    #[serde(default = "with_moves")]
    moves: bool,
}

const fn with_moves() -> bool {
    true
}

#[derive(Debug, Deserialize)]
pub(crate) struct LineQuery {
    fen: String,
    defence: Option<String>,
    #[serde(default)]
    max_plies: u32,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PlayQuery {
    fen: String,
    policy: Option<String>,
}

/// The body of a batch.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Batch {
    fens: Vec<String>,
    #[serde(default)]
    moves: bool,
}

pub(crate) async fn probe(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(ProbeQuery { fen, moves }): UrlQuery<ProbeQuery>,
) -> Response {
    respond(&fen, backend.probe(&context, &fen, moves, PositionJson::read).await)
}

pub(crate) async fn batch(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    JsonBody(Batch { fens, moves }): JsonBody<Batch>,
) -> Response {
    respond_json("", backend.batch(&context, fens, moves, batch_item, |items| json_bytes(&items)).await)
}

fn batch_item(text: &str, outcome: Result<ProbedPosition<'_>, Failure>) -> BatchItem {
    match outcome {
        Ok(ProbedPosition { reading, verdict, moves }) => {
            BatchItem::Position(PositionJson::read(reading, verdict, moves))
        }
        Err(failure) => BatchItem::Error(error_json(text, failure).1),
    }
}

pub(crate) async fn line(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(LineQuery { fen, defence, max_plies }): UrlQuery<LineQuery>,
) -> Response {
    let text: Arc<str> = fen.into();
    let whole = async {
        let defence = policy(defence)?;
        let ((start, walk), permits) =
            backend.line(&context, Arc::clone(&text), defence, max_plies, PositionJson::read).await?;
        let mut line = LineJson::new(start);
        let visit = |mv: &_| line.line.push(LineMoveJson::new(mv));
        let (end, permits) = backend.walk_to_end(&context, walk, permits, visit).await?;
        line.end = end.name();
        Ok((line, permits))
    };
    respond(&text, whole.await)
}

pub(crate) async fn play(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(PlayQuery { fen, policy: name }): UrlQuery<PlayQuery>,
) -> Response {
    let text: Arc<str> = fen.into();
    let played = async {
        let (MoveMade { position, made }, permits) =
            backend.play(&context, Arc::clone(&text), policy(name)?, PositionJson::read).await?;
        Ok((PlayJson::new(position, made), permits))
    };
    respond(&text, played.await)
}

fn policy(name: Option<String>) -> Result<Policy, Failure> {
    let Some(name) = name else { return Ok(Policy::default()) };
    Policy::from_name(&name).ok_or_else(|| Failure::Policy(format!("{:?}", name.chars().take(40).collect::<String>())))
}
