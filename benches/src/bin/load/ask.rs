//! The requests of a load, and the check of their answers.

use std::time::Instant;

use clap::ValueEnum;
use http_body::Body as _;
use makruk_proto::v1::probe_result::Result as Outcome;
use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_proto::v1::{Category, PlayRequest, ProbeBatchRequest, ProbeRequest, ProbeResponse, ProbeStreamRequest};
use tokio_stream::StreamExt;
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tower::ServiceExt;

use crate::tally::Tally;

/// The kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ask {
    /// One position per call.
    Probe,
    /// Many positions per call.
    Batch,
    /// One stream for all positions.
    Stream,
    /// One move per call.
    Play,
    /// One position per call, its moves included, as JSON over HTTP.
    Json,
    /// The same with the fields of lila-tablebase.
    Dialect,
}

/// Positions that are requested in turn.
pub(crate) struct Questions {
    fens: Vec<String>,
    ask: Ask,
    batch: usize,
    include_moves: bool,
}

impl Questions {
    pub(crate) fn new(fens: Vec<String>, ask: Ask, batch: usize, include_moves: bool) -> Questions {
        Questions { fens, ask, batch, include_moves }
    }

    fn fen(&self, number: u64) -> &str {
        // A step that is coprime to the number of positions, so that consecutive requests concern different materials.
        &self.fens[(number.wrapping_mul(1_000_003) % self.fens.len() as u64) as usize]
    }

    /// Makes one call; a stream lasts until the time is over.
    pub(crate) async fn ask(&self, channel: &Channel, number: u64, due: Instant, until: Instant, tally: &mut Tally) {
        let include_moves = self.include_moves;
        let client = &mut TablebaseClient::new(channel.clone()).max_decoding_message_size(usize::MAX);
        let outcome = match self.ask {
            Ask::Probe => {
                let fen = self.fen(number);
                let answer = client.probe(ProbeRequest { fen: fen.to_owned(), include_moves }).await;
                answer.map(|answer| u64::from(is_answer(fen, &answer.into_inner())))
            }
            Ask::Play => {
                let fen = self.fen(number);
                let answer = client.play(PlayRequest { fen: fen.to_owned(), policy: 0 }).await;
                answer.map(|answer| u64::from(answer.into_inner().position.is_some_and(|at| is_answer(fen, &at))))
            }
            Ask::Batch => {
                let numbers = number * self.batch as u64..(number + 1) * self.batch as u64;
                let fens: Vec<String> = numbers.map(|number| self.fen(number).to_owned()).collect();
                let answer = client.probe_batch(ProbeBatchRequest { fens: fens.clone(), include_moves }).await;
                answer.map(|answer| {
                    let results = answer.into_inner().results;
                    let right = fens.iter().zip(&results).filter(|(fen, result)| match &result.result {
                        Some(Outcome::Position(answer)) => is_answer(fen, answer),
                        _ => false,
                    });
                    if results.len() == fens.len() { right.count() as u64 } else { 0 }
                })
            }
            Ask::Json => {
                let fen = self.fen(number);
                let begin = format!("{{\"fen\":\"{fen}\",");
                get(channel, "/v1/probe", fen).await.map(|body| u64::from(body.starts_with(begin.as_bytes())))
            }
            Ask::Dialect => {
                let body = get(channel, "/makruk", self.fen(number)).await;
                // The answer does not repeat the position; a table that is missing would be unknown.
                body.map(|body| u64::from(body.starts_with(b"{\"checkmate\":") && !contains(&body, b"\"unknown\"")))
            }
            Ask::Stream => {
                let ended = self.stream(client, number, until, tally).await;
                return tally.end_stream(ended);
            }
        };
        let expected = if self.ask == Ask::Batch { self.batch as u64 } else { 1 };
        tally.count(outcome, expected, due.elapsed());
    }

    async fn stream(
        &self,
        client: &mut TablebaseClient<Channel>,
        number: u64,
        until: Instant,
        tally: &mut Tally,
    ) -> Result<(), Status> {
        let include_moves = self.include_moves;
        let fens: Vec<String> = (0..10_000).map(|at| self.fen(number * 10_000 + at).to_owned()).collect();
        let asked = fens.clone();
        let requests = asked.into_iter().cycle().take_while(move |_| Instant::now() < until);
        let requests = tokio_stream::iter(requests.map(move |fen| ProbeStreamRequest { fen, include_moves }));
        let mut answers = client.probe_stream(requests).await?.into_inner();
        let mut before = Instant::now();
        let mut expected = fens.iter().cycle();
        while let Some(answer) = answers.next().await {
            let result = answer?.result.and_then(|result| result.result);
            let right = match (expected.next(), result) {
                (Some(fen), Some(Outcome::Position(answer))) => is_answer(fen, &answer),
                _ => false,
            };
            tally.count(Ok(u64::from(right)), 1, before.elapsed());
            before = Instant::now();
        }
        Ok(())
    }
}

/// The body of the answer to a GET, which goes over the same connection as the calls of gRPC.
async fn get(channel: &Channel, path: &str, fen: &str) -> Result<Vec<u8>, Status> {
    let uri = format!("http://server{path}?fen={}", fen.replace(' ', "_"));
    let request = http::Request::get(uri).body(Body::empty()).map_err(|error| Status::internal(error.to_string()))?;
    let broken = |error: tonic::transport::Error| Status::unavailable(error.to_string());
    let response = channel.clone().oneshot(request).await.map_err(broken)?;
    let status = response.status();
    let (mut body, mut bytes) = (std::pin::pin!(response.into_body()), Vec::new());
    while let Some(frame) = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await {
        bytes.extend(frame?.data_ref().into_iter().flatten());
    }
    match status {
        http::StatusCode::OK => Ok(bytes),
        http::StatusCode::TOO_MANY_REQUESTS => Err(Status::new(Code::ResourceExhausted, "429")),
        other => Err(Status::unknown(other.to_string())),
    }
}

fn contains(body: &[u8], text: &[u8]) -> bool {
    body.windows(text.len()).any(|part| part == text)
}

/// Whether the answer belongs to this request.
fn is_answer(fen: &str, answer: &ProbeResponse) -> bool {
    let is_decided = answer.category() != Category::Draw;
    answer.fen == fen && answer.category() != Category::Unspecified && answer.dtm_plies.is_some() == is_decided
}
