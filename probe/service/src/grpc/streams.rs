//! Streams that begin the next piece of work only when the connection has room for its answers.

use std::sync::Arc;

use futures_util::{FutureExt, Stream, StreamExt, TryStreamExt, stream};
use makruk_answers::Field;
use makruk_proto::v1::best_line_response::Part;
use makruk_proto::v1::{BestLineResponse, ProbeStreamRequest, ProbeStreamResponse};
use makruk_rules::Reading;
use tonic::{Status, Streaming};

use crate::admission::pool::Grant;
use crate::admission::request_context::RequestContext;
use crate::backend::{Backend, LineUnderWay};
use crate::grpc::convert::{self, fail};
use crate::status::Failure;

/// The most positions of a stream that one job answers.
const POSITIONS_PER_JOB: usize = 128;

/// The parts that a piece of work has found, the permits that they keep, and the state from which to continue.
pub(crate) type Piece<T, S> = (Vec<T>, Option<Grant>, Option<S>);

/// The parts that a series of pieces finds.
pub(crate) fn pieces<T: Send, S: Send, F>(
    first: S,
    mut next: impl FnMut(S) -> F + Send,
) -> impl Stream<Item = Result<T, Status>> + Send
where
    F: Future<Output = Result<Piece<T, S>, Status>> + Send,
{
    let piece = move |state: Option<S>| {
        let work = state.map(&mut next);
        async move {
            let Some(work) = work else { return Ok::<_, Status>(None) };
            let (parts, permits, rest) = work.await?;
            Ok(Some((held(parts, permits), rest)))
        }
    };
    stream::try_unfold(Some(first), piece).try_flatten()
}

/// Parts that keep permits until the last of them was taken.
fn held<T: Send>(parts: Vec<T>, permits: Option<Grant>) -> impl Stream<Item = Result<T, Status>> + Send {
    stream::iter(parts.into_iter().map(move |part| {
        let _kept = &permits;
        Ok(part)
    }))
}

/// The answers to a stream of positions, in the requests' order.
pub(crate) fn answers(
    backend: Arc<Backend>,
    context: RequestContext,
    requests: Streaming<ProbeStreamRequest>,
) -> impl Stream<Item = Result<ProbeStreamResponse, Status>> + Send {
    // Either more requests can be read, or the stream fails after the answers.
    pieces(Ok(requests), move |requests: Result<_, Status>| {
        let (backend, context) = (Arc::clone(&backend), context.clone());
        async move {
            let (questions, rest) = read(&backend, requests?).await;
            if questions.is_empty() {
                return Ok((Vec::new(), None, rest));
            }
            let context = backend.context(context.holder);
            let answered = backend.next_of_stream(&context, questions, convert::result).await;
            let (results, permits) = answered.map_err(fail("a stream"))?;
            let answer = |result| ProbeStreamResponse { result: Some(result) };
            Ok((results.into_iter().map(answer).collect(), Some(permits), rest))
        }
    })
}

/// Waits for a position, and takes those that have arrived together with it; returns how the stream goes on, unless it
/// has ended.
async fn read(
    backend: &Backend,
    mut requests: Streaming<ProbeStreamRequest>,
) -> (Vec<(Field<Reading>, bool)>, Option<Result<Streaming<ProbeStreamRequest>, Status>>) {
    let limits = &backend.pools.limits;
    let mut next = tokio::select! {
        biased;
        () = backend.stopping.cancelled() => return (Vec::new(), Some(Err(Failure::shutting_down().into()))),
        next = requests.next() => Some(next),
    };
    // More positions than the limits allow would wait for ever.
    let most = POSITIONS_PER_JOB.min(limits.positions).max(1);
    let mut questions = Vec::new();
    while let Some(arrived) = next {
        match arrived {
            Some(Ok(ProbeStreamRequest { fen, include_moves })) => questions.push((fen.as_str().into(), include_moves)),
            // Tonic omits the details.
            Some(Err(status)) => {
                let has_details = !status.details().is_empty();
                let failure = Failure::of_tonic(status.code(), has_details, status.message(), limits.message_bytes);
                return (questions, Some(Err(failure.map_or(status, Status::from))));
            }
            None => return (questions, None),
        }
        next = if questions.len() < most { requests.next().now_or_never() } else { None };
    }
    (questions, Some(Ok(requests)))
}

/// The parts of a line.
pub(crate) fn line_parts(
    backend: Arc<Backend>,
    context: RequestContext,
    mut line: LineUnderWay,
    permits: Grant,
) -> impl Stream<Item = Result<BestLineResponse, Status>> + Send {
    let response = |part| BestLineResponse { part: Some(part) };
    let start = line.line().map(|line| response(Part::Start(convert::position(line.start.clone()))));
    let rest = pieces((1, line), move |(ply, line): (u32, LineUnderWay)| {
        let (backend, context) = (Arc::clone(&backend), backend.context(context.holder.clone()));
        async move {
            let (answer, mut line, permits) = backend.line_on(&context, line).await.map_err(fail("a line"))?;
            let (moves, end) = match answer {
                Some(whole) => (whole.line, Some(whole.end)),
                None => (line.line().map(|line| std::mem::take(&mut line.line)).unwrap_or_default(), None),
            };
            let next = (ply + moves.len() as u32, line);
            let moves = (ply..).zip(moves).map(|(ply, mv)| Part::Move(convert::line_move(ply, mv)));
            let parts = moves.chain(end.map(|end| Part::End(convert::line_end(end).into())));
            Ok((parts.map(response).collect(), Some(permits), end.is_none().then_some(next)))
        }
    });
    held(start.into_iter().collect(), Some(permits)).chain(rest)
}
