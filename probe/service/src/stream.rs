//! Answers that come one by one, no faster than they are read.
//!
//! Both are streams that do nothing until the connection has room for more: then they take the next piece of work.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::{FutureExt, Stream, stream};
use makruk_proto::v1::best_line_response::Part;
use makruk_proto::v1::{BestLineResponse, ProbeStreamRequest, ProbeStreamResponse};
use tokio::time::timeout;
use tokio_stream::StreamExt;
use tonic::{Code, Status, Streaming};

use super::convert;
use super::engine::{Engine, LiveWalk};
use super::jobs::{Asker, Held};
use super::status::Failure;
use makruk_probe::LineStep;

/// Positions of a stream that one job answers, if as many have come.
const POSITIONS_PER_JOB: usize = 128;

/// A stream of positions and its answers.
pub(super) struct Probes {
    engine: Arc<Engine>,
    asker: Asker,
    requests: Streaming<ProbeStreamRequest>,
    answers: VecDeque<ProbeStreamResponse>,
    /// The places of `answers`.
    held: Option<Held>,
    /// What comes after them.
    end: Option<Result<(), Status>>,
}

impl Probes {
    pub(super) fn new(engine: Arc<Engine>, asker: Asker, requests: Streaming<ProbeStreamRequest>) -> Probes {
        Probes { engine, asker, requests, answers: VecDeque::new(), held: None, end: None }
    }

    /// The answers, in the requests' order.
    pub(super) fn answers(self) -> impl Stream<Item = Result<ProbeStreamResponse, Status>> + Send {
        stream::unfold(self, |mut probes| async {
            let answer = probes.next().await?;
            Some((answer, probes))
        })
    }

    async fn next(&mut self) -> Option<Result<ProbeStreamResponse, Status>> {
        loop {
            if let Some(answer) = self.answers.pop_front() {
                return Some(Ok(answer));
            }
            self.held = None;
            match self.end.take() {
                None => {}
                Some(end) => {
                    // After an end there is nothing.
                    self.end = Some(Ok(()));
                    return end.err().map(Err);
                }
            }
            let questions = self.read().await;
            if questions.is_empty() {
                continue;
            }
            let asker = self.asker.again(self.engine.limits.deadline);
            match self.engine.next_of_stream(&asker, questions, convert::result).await {
                Ok((results, held)) => {
                    let answer = |result| ProbeStreamResponse { result: Some(result) };
                    self.answers = results.into_iter().map(answer).collect();
                    self.held = Some(held);
                }
                Err(failure) => {
                    failure.log("a stream");
                    self.end = Some(Err(failure.into()));
                }
            }
        }
    }

    /// Waits for a position, and takes those that have come with it.
    async fn read(&mut self) -> Vec<(String, bool)> {
        let limits = &self.engine.limits;
        let mut next = tokio::select! {
            biased;
            () = self.engine.stopping.cancelled() => {
                self.end = Some(Err(Failure::ShuttingDown.into()));
                return Vec::new();
            }
            next = timeout(limits.idle, self.requests.next()) => match next {
                Ok(next) => next,
                Err(_) => {
                    self.end = Some(Err(Failure::Idle { limit: limits.idle }.into()));
                    return Vec::new();
                }
            },
        };
        // More than may be in work at a time would wait for ever.
        let most = POSITIONS_PER_JOB.min(limits.positions).min(limits.connection_positions).max(1);
        let mut questions = Vec::new();
        loop {
            match next {
                Some(Ok(ProbeStreamRequest { fen, include_moves })) => questions.push((fen, include_moves)),
                Some(Err(status)) => {
                    self.end = Some(Err(unread(status, limits.message_bytes)));
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

/// A message that could not be read, with the details that tonic does not give.
fn unread(status: Status, most: usize) -> Status {
    if status.code() == Code::OutOfRange { Failure::TooLarge { most }.into() } else { status }
}

/// The parts of a line.
pub(super) struct Lines {
    engine: Arc<Engine>,
    asker: Asker,
    walk: Option<LiveWalk>,
    ply: u32,
    parts: VecDeque<BestLineResponse>,
    /// The place of `parts`.
    held: Option<Held>,
}

impl Lines {
    pub(super) fn new(engine: Arc<Engine>, asker: Asker, start: BestLineResponse, walk: LiveWalk, held: Held) -> Lines {
        Lines { engine, asker, walk: Some(walk), ply: 0, parts: VecDeque::from([start]), held: Some(held) }
    }

    /// The parts, in order.
    pub(super) fn parts(self) -> impl Stream<Item = Result<BestLineResponse, Status>> + Send {
        stream::unfold(self, |mut lines| async {
            let part = lines.next().await?;
            Some((part, lines))
        })
    }

    async fn next(&mut self) -> Option<Result<BestLineResponse, Status>> {
        loop {
            if let Some(part) = self.parts.pop_front() {
                return Some(Ok(part));
            }
            self.held = None;
            let walk = self.walk.take()?;
            let asker = self.asker.again(self.engine.limits.deadline);
            match self.engine.walk_on(&asker, walk).await {
                Ok(((steps, walk), held)) => {
                    let is_over = matches!(steps.last(), Some(LineStep::End(_)));
                    self.walk = (!is_over).then_some(walk);
                    self.held = Some(held);
                    for step in &steps {
                        let part = match step {
                            LineStep::Move(mv) => {
                                self.ply += 1;
                                Part::Move(convert::line_move(self.ply, mv))
                            }
                            LineStep::End(end) => Part::End(convert::line_end(*end).into()),
                        };
                        self.parts.push_back(BestLineResponse { part: Some(part) });
                    }
                }
                Err(failure) => {
                    failure.log("a line");
                    return Some(Err(failure.into()));
                }
            }
        }
    }
}
