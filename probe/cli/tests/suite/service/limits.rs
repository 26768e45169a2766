//! Each limit holds.

use std::time::Duration;

use makruk_proto::v1::ProbeRequest;
use makruk_service::{Limits, Shutdown};
use tonic::Code;

use super::frames::{Frames, framed};
use super::harness::{Gate, LONG, ROOK_WINS, Running, another, reason, tables};
use super::http;

#[tokio::test(flavor = "multi_thread")]
async fn more_requests_than_may_be_in_flight_are_turned_away() {
    let gate = Gate::default();
    let server = Running::gated(&gate, Limits { in_flight: 2, deadline: LONG, ..Limits::default() }).await;
    let client = server.client().await;
    let ask = |fen: String| {
        tokio::spawn({
            let client = client.clone();
            async move { client.probe(&fen, false).await }
        })
    };
    let (first, second) = (ask(another(1)), ask(another(2)));
    gate.waiting(2).await;
    for number in 3..23 {
        let status = client.failure(&another(number)).await;
        assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "OVERLOADED"));
    }
    gate.open();
    assert!(first.await.unwrap().is_ok() && second.await.unwrap().is_ok());
    assert!(client.probe(ROOK_WINS, true).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_requests_miss_their_deadline_and_keep_their_place_while_they_run() {
    let gate = Gate::default();
    let deadline = Duration::from_millis(50);
    let server = Running::gated(&gate, Limits { in_flight: 1, deadline, ..Limits::default() }).await;
    let client = server.client().await;
    let status = client.failure(ROOK_WINS).await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED"));
    assert_eq!(client.failure(&another(2)).await.code(), Code::ResourceExhausted);
    gate.open();
    gate.waiting(0).await;
    // Its place is free a moment after its work is done.
    for attempt in 0.. {
        match client.probe(ROOK_WINS, false).await {
            Ok(_) => break,
            Err(status) => assert!(status.code() == Code::ResourceExhausted && attempt < 1000, "{status}"),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_have_a_size() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    let status = client.failure(&"k".repeat(Limits::DEFAULT.message_bytes)).await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::OutOfRange, "TOO_LARGE"), "{status}");
    assert!(client.probe(ROOK_WINS, true).await.is_ok(), "the connection lives on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_one_message_without_a_coding() {
    let server = Running::tables(tables()).await;
    let client = Frames::connect(server.address, 1, 600).await;
    let request = framed(&ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false });
    for (messages, status) in [(1, 0), (2, Code::InvalidArgument as i32)] {
        let mut call = client.call("makruk.v1.Tablebase/Probe").await;
        call.send.send_data(request.repeat(messages).into(), true).unwrap();
        assert_eq!(call.status().await.0, status, "{messages} messages");
    }
    let body = format!("{{\"fens\":[\"{ROOK_WINS}\"]}}");
    for (coding, status) in [("identity", 200), ("br", 400)] {
        let answer =
            http::send(server.address, "POST", "/v1/batch", &[("content-encoding", coding)], body.as_bytes()).await;
        assert_eq!(answer.status, status, "{answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn shutdown_answers_what_is_under_way_and_takes_nothing_new() {
    let gate = Gate::default();
    let mut server = Running::gated(&gate, Limits { deadline: LONG, drain: LONG, ..Limits::default() }).await;
    let client = server.client().await;
    let under_way = tokio::spawn(async move { client.probe(ROOK_WINS, false).await });
    gate.waiting(1).await;
    server.stop();
    let address = server.address;
    let mut tries = 0;
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tries += 1;
        assert!(tries < 1000, "still taking connections");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    gate.open();
    assert!(under_way.await.unwrap().is_ok());
    assert_eq!(server.ended().await, Shutdown::Drained);
}

#[tokio::test(flavor = "multi_thread")]
async fn draining_has_an_end() {
    let gate = Gate::default();
    let drain = Duration::from_millis(100);
    let mut server = Running::gated(&gate, Limits { deadline: LONG, drain, ..Limits::default() }).await;
    let client = server.client().await;
    let under_way = tokio::spawn(async move { client.probe(ROOK_WINS, false).await });
    gate.waiting(1).await;
    server.stop();
    assert_eq!(server.ended().await, Shutdown::CutOff);
    gate.open();
    drop(under_way);
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_do_not_begin_are_closed() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let gate = Gate::default();
    gate.open();
    let handshake = Duration::from_millis(200);
    let mut server = Running::gated(&gate, Limits { handshake, drain: LONG, ..Limits::default() }).await;
    let client = server.client().await;
    let mut silent = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let mut halting = tokio::net::TcpStream::connect(server.address).await.unwrap();
    halting.write_all(b"PRI * HTTP").await.unwrap();
    for stream in [&mut silent, &mut halting] {
        let mut rest = Vec::new();
        // Closed or reset: both end the reading.
        let _ = tokio::time::timeout(LONG, stream.read_to_end(&mut rest)).await.expect("it is closed");
    }
    assert!(client.probe(ROOK_WINS, true).await.is_ok(), "those that have begun may be idle for longer");
    let _silent = tokio::net::TcpStream::connect(server.address).await.unwrap();
    server.stop();
    assert_eq!(server.ended().await, Shutdown::Drained);
}

/// Threads that wait for a disk answer nobody, and the server says so.
#[test]
fn a_server_without_a_free_thread_is_not_ready() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(2).build().unwrap();
    runtime.block_on(async {
        let gate = Gate::default();
        let server = Running::gated(&gate, Limits { deadline: LONG, ..Limits::default() }).await;
        assert_eq!(super::http::get(server.address, "/readyz").await.status, 200);
        let client = server.client().await;
        let asked: Vec<_> = (1..3)
            .map(|number| {
                let client = client.clone();
                tokio::spawn(async move { client.probe(&another(number), false).await })
            })
            .collect();
        gate.waiting(2).await;
        assert_eq!(super::http::get(server.address, "/readyz").await.status, 503);
        gate.open();
        for asked in asked {
            assert!(asked.await.unwrap().is_ok());
        }
        assert_eq!(super::http::get(server.address, "/readyz").await.status, 200);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_has_closed_its_half_is_answered() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let server = Running::tables(tables()).await;
    let path = super::http::escaped(ROOK_WINS);
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    stream.write_all(format!("GET /v1/probe?fen={path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = Vec::new();
    tokio::time::timeout(LONG, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
}
