//! Backpressure: clients that send one message a frame, as those of gRPC do, and read their answers slowly or not at
//! all.

use bytes::Bytes;
use makruk_proto::v1::probe_result::Result as Outcome;
use makruk_proto::v1::{ProbeRequest, ProbeResponse, ProbeStreamRequest, ProbeStreamResponse};
use makruk_service::{Limits, Settings};
use std::time::Duration;

use super::frames::{Call, Frames, framed};
use super::harness::{LONG, ROOK_WINS, Running, another, tables};
use super::http;

const PROBE_STREAM: &str = "makruk.v1.Tablebase/ProbeStream";
const PROBE: &str = "makruk.v1.Tablebase/Probe";

fn question(fen: &str) -> Bytes {
    framed(&ProbeStreamRequest { fen: fen.to_owned(), include_moves: false })
}

async fn fen_of_next(call: &mut Call) -> Option<String> {
    let answer: ProbeStreamResponse = call.message().await?;
    match answer.result?.result? {
        Outcome::Position(position) => Some(position.fen),
        Outcome::Error(error) => Some(error.message),
    }
}

async fn is_alive(client: &Frames) -> bool {
    let request = ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false };
    client.unary::<ProbeResponse>(PROBE, &request).await.is_ok_and(|answer| answer.fen == ROOK_WINS)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_lives_however_many_messages_are_unread() {
    const STREAMS: usize = 12;
    const MESSAGES: usize = 1100;
    let limits = Limits { deadline: LONG, ..Limits::default() };
    let server = Running::with(tables(), Settings { limits, ..Settings::default() }).await;
    // Of each answer, a few hundred bytes are taken before it is read.
    let client = Frames::connect(server.address, 1, 600).await;
    // With an answer the server's settings have arrived: streams before them have larger windows.
    assert!(is_alive(&client).await);
    let mut streams = Vec::new();
    for _ in 0..STREAMS {
        let mut call = client.call(PROBE_STREAM).await;
        let (sender, sent) = tokio::sync::oneshot::channel();
        let sending = tokio::spawn(async move {
            // The first that does not fit waits until answers are read.
            let mut sender = Some(sender);
            for number in 1..=MESSAGES {
                let frame = question(&another(number));
                let sent = tokio::time::timeout(Duration::from_millis(300), call.send(frame.clone())).await;
                if let Ok(sent) = sent {
                    sent.unwrap();
                } else {
                    sender.take().into_iter().for_each(|sender| sender.send(number).unwrap());
                    return (call, number);
                }
            }
            (call, MESSAGES + 1)
        });
        streams.push((sending, sent));
    }
    let mut stalled = Vec::new();
    for (sending, sent) in streams {
        assert!(sent.await.is_ok(), "the server reads no faster than its client");
        stalled.push(sending.await.unwrap());
    }
    // All of the connection's other calls live.
    assert!(is_alive(&client).await && !client.has_ended());
    for (mut call, unsent) in stalled {
        let (mut send, mut received) = (unsent, 0);
        while received < MESSAGES {
            // As many are sent as are read; the server owes nothing if all of them are answered.
            let patience = if received + 1 == send { LONG } else { Duration::ZERO };
            let frame = question(&another(send));
            if send <= MESSAGES && tokio::time::timeout(patience, call.send(frame)).await.is_ok() {
                send += 1;
                continue;
            }
            received += 1;
            assert_eq!(fen_of_next(&mut call).await, Some(another(received)));
        }
        call.send.send_data(Bytes::new(), true).unwrap();
        assert_eq!(call.status().await.0, 0);
    }
    assert!(is_alive(&client).await && !client.has_ended());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_smallest_messages_are_allowed_and_smaller_frames_are_bounded() {
    let server = Running::tables(tables()).await;
    let client = Frames::connect(server.address, 1, 600).await;
    let empty = framed(&ProbeStreamRequest::default());
    assert_eq!(empty.len(), 5);
    let mut calls = Vec::new();
    for _ in 0..4 {
        let mut call = client.call(PROBE_STREAM).await;
        let sent = call.fill(&empty, 100_000).await;
        assert!((3000..100_000).contains(&sent), "{sent}");
        calls.push(call);
    }
    assert!(is_alive(&client).await);
    // Frames of a byte would take two hundred times their size.
    let other = Frames::connect(server.address, 2, 600).await;
    let mut call = client.call(PROBE_STREAM).await;
    call.fill(&question(ROOK_WINS), 100_000).await;
    let mut flood = other.call(PROBE_STREAM).await;
    let full = flood.fill(&question(ROOK_WINS), 100_000).await;
    assert!(full < 100_000);
    // The window is full: these are unread on streams that follow.
    let mut floods = Vec::new();
    for _ in 0..8 {
        let Some(mut flood) = other.try_call(PROBE_STREAM).await else { break };
        flood.fill(&question(ROOK_WINS), 300).await;
        flood.fill(&Bytes::from_static(b"\0"), 20_000).await;
        floods.push(flood);
    }
    tokio::time::timeout(LONG, other.ended()).await.unwrap();
    assert!(is_alive(&client).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_is_never_read_ends_alone() {
    let limits = Limits { idle: Duration::from_millis(400), ..Limits::default() };
    let server = Running::with(tables(), Settings { limits, ..Settings::default() }).await;
    let client = Frames::connect(server.address, 1, 600).await;
    let mut call = client.call(PROBE_STREAM).await;
    call.fill(&question(ROOK_WINS), 100_000).await;
    // Its stream is reset; the connection lives.
    let begun = std::time::Instant::now();
    while http::metric(server.address, "makruk_calls_open").await != "1" {
        assert!(begun.elapsed() < LONG && is_alive(&client).await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(is_alive(&client).await && !client.has_ended());
}
