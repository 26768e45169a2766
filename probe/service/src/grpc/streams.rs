//! `ProbeStream` and `BestLine`: streams that begin the next piece of work only when the connection has room for its
//! answers.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::{FutureExt, Stream, stream};
use makruk_answers::{Answer, LineMoveAnswer};
use makruk_proto::v1::best_line_response::Part;
use makruk_proto::v1::{BestLineResponse, ProbeStreamRequest, ProbeStreamResponse};
use tokio_stream::StreamExt;
use tonic::{Status, Streaming};

use crate::admission::pool::Grant;
use crate::admission::request_context::RequestContext;
use crate::backend::{Backend, LineUnderWay};
use crate::grpc::convert;
use crate::status::Failure;

/// The most positions of a stream that one job answers.
const POSITIONS_PER_JOB: usize = 128;

/// The answers to a stream of positions.
pub(crate) struct PositionStream {
    backend: Arc<Backend>,
    context: RequestContext,
    requests: Streaming<ProbeStreamRequest>,
    answers: VecDeque<ProbeStreamResponse>,
    /// The permits of `answers`.
    permits: Option<Grant>,
    /// The end of the stream, after `answers`.
    end: Option<Result<(), Status>>,
}

impl PositionStream {
    pub(crate) fn new(
        backend: Arc<Backend>,
        context: RequestContext,
        requests: Streaming<ProbeStreamRequest>,
    ) -> PositionStream {
        PositionStream { backend, context, requests, answers: VecDeque::new(), permits: None, end: None }
    }

    /// The answers, in the requests' order.
    pub(crate) fn answers(self) -> impl Stream<Item = Result<ProbeStreamResponse, Status>> + Send {
        stream::unfold(self, |mut stream| async {
            let answer = stream.next().await?;
            Some((answer, stream))
        })
    }

    async fn next(&mut self) -> Option<Result<ProbeStreamResponse, Status>> {
        loop {
            if let Some(answer) = self.answers.pop_front() {
                return Some(Ok(answer));
            }
            self.permits = None;
            match self.end.take() {
                None => {}
                Some(end) => {
                    // Nothing follows an end.
                    self.end = Some(Ok(()));
                    return end.err().map(Err);
                }
            }
            let questions = self.read().await;
            if questions.is_empty() {
                continue;
            }
            let context = self.context.renewed(self.backend.limits.deadline);
            match self.backend.next_of_stream(&context, questions, convert::result).await {
                Ok((results, permits)) => {
                    let answer = |result| ProbeStreamResponse { result: Some(result) };
                    self.answers = results.into_iter().map(answer).collect();
                    self.permits = Some(permits);
                }
                Err(failure) => {
                    failure.log("a stream");
                    self.end = Some(Err(failure.into()));
                }
            }
        }
    }

    /// Waits for a position, and takes those that have arrived together with it.
    async fn read(&mut self) -> Vec<(String, bool)> {
        let limits = &self.backend.limits;
        let mut next = tokio::select! {
            biased;
            () = self.backend.stopping.cancelled() => {
                self.end = Some(Err(Failure::ShuttingDown.into()));
                return Vec::new();
            }
            next = self.requests.next() => next,
        };
        // More positions than the limits allow would wait for ever.
        let most = POSITIONS_PER_JOB.min(limits.positions).max(1);
        let mut questions = Vec::new();
        loop {
            match next {
                Some(Ok(ProbeStreamRequest { fen, include_moves })) => questions.push((fen, include_moves)),
                Some(Err(status)) => {
                    self.end = Some(Err(read_failure(status, limits.message_bytes)));
                    return questions;
                }
                None => {
                    self.end = Some(Ok(()));
                    return questions;
                }
            }
            if questions.len() == most {
                return questions;
            }
            match self.requests.next().now_or_never() {
                Some(another) => next = another,
                None => return questions,
            }
        }
    }
}

/// The failure to read a message, with the details that tonic omits.
fn read_failure(status: Status, most: usize) -> Status {
    let has_details = !status.details().is_empty();
    let failure = Failure::of_tonic(status.code(), has_details, status.message(), most);
    failure.map_or(status, Status::from)
}

/// The parts of a line.
pub(crate) struct LineStream {
    backend: Arc<Backend>,
    context: RequestContext,
    line: Option<LineUnderWay>,
    ply: u32,
    parts: VecDeque<Part>,
    /// The permits of `parts`.
    permits: Option<Grant>,
}

impl LineStream {
    pub(crate) fn new(
        backend: Arc<Backend>,
        context: RequestContext,
        mut line: LineUnderWay,
        permits: Grant,
    ) -> LineStream {
        let start = line.line().map(|line| Part::Start(convert::position(line.start.clone())));
        let (line, parts, permits) = (Some(line), start.into_iter().collect(), Some(permits));
        LineStream { backend, context, line, ply: 0, parts, permits }
    }

    /// The parts, in order.
    pub(crate) fn parts(self) -> impl Stream<Item = Result<BestLineResponse, Status>> + Send {
        stream::unfold(self, |mut stream| async {
            let part = stream.next().await?;
            Some((part, stream))
        })
    }

    async fn next(&mut self) -> Option<Result<BestLineResponse, Status>> {
        loop {
            if let Some(part) = self.parts.pop_front() {
                return Some(Ok(BestLineResponse { part: Some(part) }));
            }
            self.permits = None;
            let line = self.line.take()?;
            let context = self.context.renewed(self.backend.limits.deadline);
            match self.backend.line_on(&context, line).await {
                Ok((answer, mut rest, permits)) => {
                    self.permits = Some(permits);
                    match answer {
                        Some(Answer::Line(whole)) => {
                            self.add(whole.line);
                            self.parts.push_back(Part::End(convert::line_end(whole.end).into()));
                        }
                        _ => {
                            self.add(rest.line().map(|line| std::mem::take(&mut line.line)).unwrap_or_default());
                            self.line = Some(rest);
                        }
                    }
                }
                Err(failure) => {
                    failure.log("a line");
                    return Some(Err(failure.into()));
                }
            }
        }
    }

    fn add(&mut self, moves: Vec<LineMoveAnswer>) {
        for mv in moves {
            self.ply += 1;
            self.parts.push_back(Part::Move(convert::line_move(self.ply, mv)));
        }
    }
}
