//! Each limit holds.

use std::time::Duration;

use makruk_proto::v1::ProbeRequest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::Code;

use super::harness::{Gate, LONG, ROOK_WINS, Running, failure, on_threads, reason, tables};
use super::http;
use crate::{Limits, Shutdown};

fn patient(limits: Limits) -> Limits {
    Limits { deadline: LONG, ..limits }
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_have_a_size() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    let status = failure(&client, &"k".repeat(Limits::default().message_bytes)).await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::OutOfRange, "TOO_LARGE"), "{status}");
    assert!(client.probe(ROOK_WINS, true).await.is_ok(), "the connection lives on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_one_message_without_a_coding() {
    let server = Running::tables(tables()).await;
    let request = http::framed(&ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false });
    for (messages, is_refused) in [(1, false), (2, true)] {
        let answer = http::call(server.address, "Probe", &[], &request.repeat(messages)).await;
        // The status is a header, or stands at the end of a body that has begun.
        let ends = answer.body.windows(13).any(|text| text == b"grpc-status:3");
        assert_eq!(ends || answer.header("grpc-status") == Some("3"), is_refused, "{messages} messages: {answer:?}");
    }
    let packed = http::call(server.address, "Probe", &[("grpc-encoding", "gzip")], &request).await;
    assert_eq!(packed.header("grpc-status"), Some("12"), "{packed:?}");
    assert!(packed.header("grpc-status-details-bin").is_some_and(|details| details.len() > 50), "{packed:?}");
    let body = format!("{{\"fens\":[\"{ROOK_WINS}\"]}}");
    for (coding, status) in [("identity", 200), ("br", 400)] {
        let headers = [("content-encoding", coding)];
        let answer = http::send(server.address, "POST", "/v1/batch", &headers, body.as_bytes()).await;
        assert_eq!(answer.status, status, "{answer:?}");
    }
}

#[test]
fn shutdown_answers_what_is_under_way_and_takes_nothing_new() {
    on_threads(1, async {
        let mut server = Running::limited(patient(Limits { drain: LONG, ..Limits::default() })).await;
        let (gate, client) = (Gate::shut(1), server.client().await);
        let under_way = tokio::spawn(async move { client.probe(ROOK_WINS, false).await });
        server.until_requests(1).await;
        server.stop();
        let mut tries = 0;
        while TcpStream::connect(server.address).await.is_ok() {
            tries += 1;
            assert!(tries < 1000, "still taking connections");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        gate.open();
        assert!(under_way.await.unwrap().is_ok());
        assert_eq!(server.ended().await, Shutdown::Drained);
    });
}

#[test]
fn draining_has_an_end() {
    on_threads(1, async {
        let drain = Duration::from_millis(100);
        let mut server = Running::limited(patient(Limits { drain, ..Limits::default() })).await;
        let (_gate, client) = (Gate::shut(1), server.client().await);
        tokio::spawn(async move { client.probe(ROOK_WINS, false).await });
        server.until_requests(1).await;
        server.stop();
        assert_eq!(server.ended().await, Shutdown::CutOff);
    });
}

/// Nor does a client that neither ends its connection nor answers pings delay the end.
#[tokio::test(flavor = "multi_thread")]
async fn connections_that_do_not_begin_are_closed() {
    let handshake = Duration::from_millis(200);
    let mut server = Running::limited(Limits { handshake, drain: LONG, ..Limits::default() }).await;
    let client = server.client().await;
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    let mut halting = TcpStream::connect(server.address).await.unwrap();
    halting.write_all(b"PRI * HTTP").await.unwrap();
    for stream in [&mut silent, &mut halting] {
        let mut rest = Vec::new();
        // Closed or reset: both end the reading.
        let _ = tokio::time::timeout(LONG, stream.read_to_end(&mut rest)).await.expect("it is closed");
    }
    assert!(client.probe(ROOK_WINS, true).await.is_ok(), "those that have begun may be idle for longer");
    let mut mute = TcpStream::connect(server.address).await.unwrap();
    mute.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await.unwrap();
    mute.read_exact(&mut [0; 9]).await.unwrap();
    server.stop();
    assert_eq!(server.ended().await, Shutdown::Drained);
}

/// Threads that wait for a disk answer nobody, and the server says so.
#[test]
fn a_server_without_a_free_thread_is_not_ready() {
    on_threads(2, async {
        let server = Running::limited(patient(Limits::default())).await;
        let ready = async || http::get(server.address, "/readyz").await.status;
        assert_eq!(ready().await, 200);
        let gate = Gate::shut(2);
        assert_eq!(ready().await, 503);
        gate.open();
        assert_eq!(ready().await, 200);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_has_closed_its_half_is_answered() {
    let server = Running::tables(tables()).await;
    let path = http::escaped(ROOK_WINS);
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(format!("GET /v1/probe?fen={path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = Vec::new();
    tokio::time::timeout(LONG, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
}
