//! `/makruk` and `/makruk/mainline`, for programs that speak to lila-tablebase.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use makruk_probe::{LineEnd, Policy, RankedMove, Verdict};
use makruk_tables::rules::{Color, Fen, Reading};
use serde::Deserialize;

use crate::admission::jobs::Cost;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::Backend;
use crate::http::dialect_model::{DialectLine, DialectPosition, DialectStep, Standing};
use crate::http::response::{UrlQuery, failure_response, json_bytes, respond, respond_json};
use crate::status::Failure;

#[derive(Debug, Deserialize)]
pub(crate) struct DialectQuery {
    fen: String,
}

pub(crate) async fn position(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(DialectQuery { fen: text }): UrlQuery<DialectQuery>,
) -> Response {
    let reading = match Reading::parse(&text) {
        Ok(reading) => reading,
        Err(error) => return failure_response(&text, Failure::Probe(error.into())),
    };
    let prober = backend.tables.prober();
    let work = move |_: &CancellationCheck| {
        Some(DialectPosition::new(&prober, &reading).map(|position| json_bytes(&position)))
    };
    let outcome = backend.jobs.run(&context, Cost::probes(1, 1), work).await;
    respond_json(&text, outcome.and_then(|(answer, permits)| Ok((answer?, permits))))
}

pub(crate) async fn mainline(
    State(backend): State<Arc<Backend>>,
    Extension(context): Extension<RequestContext>,
    UrlQuery(DialectQuery { fen }): UrlQuery<DialectQuery>,
) -> Response {
    let text: Arc<str> = fen.into();
    let mut turn = match Fen::parse(&text) {
        Ok(fen) => fen.position.turn(),
        Err(error) => return failure_response(&text, Failure::Probe(error.into())),
    };
    let whole = async {
        let (((start, notes), walk), permits) =
            backend.line(&context, Arc::clone(&text), Policy::default(), 0, start).await?;
        let mut mainline = Vec::new();
        let visit = |mv: &_| {
            mainline.push(DialectStep::new(mv));
            turn = !turn;
        };
        let (end, permits) = backend.walk_to_end(&context, walk, permits, visit).await?;
        let winner = (end == LineEnd::Checkmate).then_some(letter(!turn));
        Ok((DialectLine { mainline, winner, dtz: start.dtz, precise_dtz: start.precise_dtz, notes }, permits))
    };
    respond(&text, whole.await)
}

/// The distances at the start of a line, and the notes on its text.
fn start(reading: &Reading, verdict: &Verdict, _: Option<&[RankedMove]>) -> (Standing, Vec<String>) {
    (Standing::of_verdict(&reading.fen, verdict), reading.sentences())
}

/// The letter of a side in a FEN.
const fn letter(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Black => 'b',
    }
}
