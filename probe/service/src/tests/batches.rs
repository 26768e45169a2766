//! Many positions in one call.

use std::time::Duration;

use makruk_proto::v1::probe_result::Result as Outcome;
use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_proto::v1::{ProbeBatchRequest, ProbeRequest, ProbeResponse, ProbeResult, ProbeStreamRequest};
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Code;
use tonic_types::StatusExt;

use super::clients::connect;
use super::harness::{LONG, ROOK_WINS, Running, reason, tables};
use crate::{Limits, Shutdown};

fn batch<T: AsRef<str>>(fens: impl IntoIterator<Item = T>, include_moves: bool) -> ProbeBatchRequest {
    ProbeBatchRequest { fens: fens.into_iter().map(|fen| fen.as_ref().to_owned()).collect(), include_moves }
}

fn position(result: &ProbeResult) -> &ProbeResponse {
    match &result.result {
        Some(Outcome::Position(position)) => position,
        other => panic!("{other:?}"),
    }
}

fn stream_of(fen: &str, include_moves: bool) -> ProbeStreamRequest {
    ProbeStreamRequest { fen: fen.to_owned(), include_moves }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_has_a_length() {
    let limits = Limits { batch: 10, ..Limits::default() };
    let server = Running::limited(limits).await;
    let mut raw = server.raw().await;
    assert_eq!(raw.probe_batch(batch([ROOK_WINS; 10], false)).await.unwrap().into_inner().results.len(), 10);
    let status = raw.probe_batch(batch([ROOK_WINS; 11], false)).await.unwrap_err();
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "TOO_MANY_POSITIONS"));
    let details = status.get_error_details();
    assert_eq!(details.bad_request().unwrap().field_violations[0].field, "fens");
    assert_eq!(details.error_info().unwrap().metadata["most"], "10");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_batch_fits_into_a_message() {
    let server = Running::tables(tables()).await;
    // The longest that a FEN of up to five men gets.
    let fen = "1s1k1m1R/8/8/8/8/8/8/1K5r w - 9999 9999 99999";
    let results = server.raw().await.probe_batch(batch([fen; 1000], true)).await.unwrap().into_inner().results;
    assert_eq!(results.len(), 1000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_answers_each_in_order() {
    // Even if few positions may be in progress at a time.
    let limits = Limits { positions: 6, ..Limits::default() };
    let server = Running::limited(limits).await;
    let mut raw = server.raw().await;
    let asked = (1..=5000).map(|at| stream_of(&another(at), at % 2 == 0));
    let answers = raw.probe_stream(tokio_stream::iter(asked)).await.unwrap().into_inner();
    let answers: Vec<_> = answers.map(|answer| position(&answer.unwrap().result.unwrap()).fen.clone()).collect().await;
    assert!(answers.into_iter().eq((1..=5000).map(another)));
}

/// [`ROOK_WINS`] at another move of a game, by which its answer is known.
fn another(fullmove: usize) -> String {
    let (position, _) = ROOK_WINS.rsplit_once(' ').unwrap();
    format!("{position} {fullmove}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_lives_however_many_messages_are_unread() {
    const MESSAGES: usize = 1100;
    let server = Running::limited(Limits { deadline: LONG, ..Limits::default() }).await;
    // Of each answer, a few hundred bytes are taken before it is read.
    let raw = TablebaseClient::new(connect(&server, 1, 600).await);
    let mut streams = Vec::new();
    for _ in 0..12 {
        // A message a frame, as clients send those that do not come together.
        let (sender, receiver) = mpsc::channel(1);
        let sending = tokio::spawn(async move {
            for number in 1..=MESSAGES {
                sender.send(stream_of(&another(number), false)).await.unwrap();
            }
        });
        let answers = raw.clone().probe_stream(ReceiverStream::new(receiver)).await.unwrap().into_inner();
        streams.push((answers, sending));
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(streams.iter().all(|(_, sending)| !sending.is_finished()), "the server reads no faster than its client");
    let request = ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false };
    assert!(raw.clone().probe(request).await.is_ok(), "the connection's other calls live");
    for (answers, _) in streams {
        let answers: Vec<_> =
            answers.map(|answer| position(&answer.unwrap().result.unwrap()).fen.clone()).collect().await;
        assert!(answers.into_iter().eq((1..=MESSAGES).map(another)), "each is answered, in order");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_answers_at_once_what_comes_alone() {
    let server = Running::tables(tables()).await;
    let mut raw = server.raw().await;
    let (sender, receiver) = mpsc::channel(1);
    let mut answers = raw.probe_stream(ReceiverStream::new(receiver)).await.unwrap().into_inner();
    for _ in 0..3 {
        sender.send(stream_of(ROOK_WINS, false)).await.unwrap();
        let answer = tokio::time::timeout(LONG, answers.next()).await.unwrap().unwrap().unwrap();
        assert_eq!(position(&answer.result.unwrap()).fen, ROOK_WINS);
    }
    drop(sender);
    assert!(answers.next().await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_goes_ends_streams_and_loses_no_answer() {
    let limits = Limits { drain: LONG, ..Limits::default() };
    let mut server = Running::limited(limits).await;
    let mut raw = server.raw().await;
    let (sender, receiver) = mpsc::channel(1);
    let mut answers = raw.probe_stream(ReceiverStream::new(receiver)).await.unwrap().into_inner();
    sender.send(stream_of(ROOK_WINS, false)).await.unwrap();
    assert!(answers.next().await.unwrap().is_ok());
    server.stop();
    let status = tokio::time::timeout(LONG, answers.next()).await.unwrap().unwrap().unwrap_err();
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Unavailable, "SHUTTING_DOWN"));
    assert!(status.get_details_retry_info().is_some());
    drop((sender, answers, raw));
    assert_eq!(server.ended().await, Shutdown::Drained);
}
