//! Clients share every limit: the address that has most loses what has been idle longest, and others always get in.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use makruk_proto::v1::{ProbeRequest, ProbeResponse, ProbeStreamRequest};
use makruk_service::{Limits, Server, Settings};
use tokio::net::TcpListener;

use super::frames::{Frames, framed};
use super::harness::{LONG, ROOK_WINS, Running, tables};
use super::http;

const PROBE_STREAM: &str = "makruk.v1.Tablebase/ProbeStream";
const RESOURCE_EXHAUSTED: i32 = 8;

/// A server, and the address of its metrics, which take nothing from the clients' limits.
async fn start(limits: Limits) -> (Running, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let metrics = listener.local_addr().unwrap();
    let server = Server::new(tables(), Settings { limits, ..Settings::default() }).unwrap().with_admin(listener);
    (Running::start(server).await, metrics)
}

async fn probe(client: &Frames) -> Result<ProbeResponse, i32> {
    let request = ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false };
    client.unary("makruk.v1.Tablebase/Probe", &request).await
}

/// The value of a metric of a limit.
async fn of_limit(address: SocketAddr, name: &str, limit: &str) -> u64 {
    http::metric(address, &format!("{name}{{limit=\"{limit}\"}}")).await.parse().unwrap()
}

/// Waits until a metric of a limit has a value.
async fn until(address: SocketAddr, name: &str, limit: &str, holds: impl Fn(u64) -> bool) {
    let begun = Instant::now();
    loop {
        let value = of_limit(address, name, limit).await;
        if holds(value) {
            return;
        }
        assert!(begun.elapsed() < LONG, "{name} of {limit} stays {value}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_wait_for_their_client_make_room() {
    let (server, metrics) = start(Limits { calls: 8, ..Limits::default() }).await;
    let attackers =
        [Frames::connect(server.address, 2, 1 << 16).await, Frames::connect(server.address, 3, 1 << 16).await];
    let mut held = Vec::new();
    for at in 0..8 {
        let mut call = attackers[usize::from(at >= 5)].call(PROBE_STREAM).await;
        call.send(framed(&ProbeStreamRequest::default())).await.unwrap();
        held.push(call);
        until(metrics, "makruk_limit_taken", "calls", |taken| taken > at as u64).await;
    }
    let innocent = Frames::connect(server.address, 1, 1 << 16).await;
    for _ in 0..20 {
        assert!(probe(&innocent).await.is_ok());
    }
    assert!(of_limit(metrics, "makruk_displaced_total", "calls").await > 0);
    // The call that was ended says why, and its connection lives.
    assert_eq!(held[0].message::<makruk_proto::v1::ProbeStreamResponse>().await.map(|_| ()), Some(()));
    let (status, trailers) = held[0].status().await;
    assert_eq!(status, RESOURCE_EXHAUSTED, "{trailers:?}");
    assert!(trailers.contains_key("grpc-status-details-bin"));
    assert!(attackers.iter().all(|attacker| !attacker.has_ended()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_beyond_a_limit_is_told_so() {
    let (server, metrics) = start(Limits { calls: 2, ..Limits::default() }).await;
    let client = Frames::connect(server.address, 2, 1 << 16).await;
    let mut held = Vec::new();
    for at in 1..3 {
        held.push(client.call(PROBE_STREAM).await);
        until(metrics, "makruk_limit_taken", "calls", |taken| taken == at).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(probe(&client).await.map(drop), Err(RESOURCE_EXHAUSTED));
    // What has been idle for a second makes room for its own address.
    tokio::time::sleep(Duration::from_millis(1300)).await;
    assert!(probe(&client).await.is_ok());
    assert_eq!(held[0].status().await.0, RESOURCE_EXHAUSTED);
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_memory_of_clients_is_counted_and_given_back() {
    let (server, metrics) = start(Limits::default()).await;
    let client = Frames::connect(server.address, 2, 0).await;
    let idle = 24 << 10;
    until(metrics, "makruk_limit_taken", "memory", |now| now == idle).await;
    // An unfinished message, a stream of requests, and an answer that is not read.
    let mut unfinished = client.call("makruk.v1.Tablebase/ProbeBatch").await;
    unfinished.send(Bytes::from_static(&[0, 0, 1, 0, 0])).await.unwrap();
    unfinished.send(vec![0; 10_000].into()).await.unwrap();
    until(metrics, "makruk_limit_taken", "memory", |now| now == idle + (8 << 10) + 10_005).await;
    let stream = client.call(PROBE_STREAM).await;
    until(metrics, "makruk_limit_taken", "memory", |now| now > 1 << 20).await;
    drop((unfinished, stream));
    until(metrics, "makruk_limit_taken", "memory", |now| now == idle).await;
    let mut unread = client.call("makruk.v1.Tablebase/ProbeBatch").await;
    let batch = makruk_proto::v1::ProbeBatchRequest { fens: vec![ROOK_WINS.to_owned(); 100], include_moves: true };
    unread.send.send_data(framed(&batch), true).unwrap();
    until(metrics, "makruk_limit_taken", "memory", |now| now > idle + 30_000).await;
    drop((unread, client));
    until(metrics, "makruk_limit_taken", "memory", |now| now == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_answers_make_room_and_who_holds_most_is_refused() {
    let (server, metrics) = start(Limits { memory: 600 << 10, ..Limits::default() }).await;
    let hoarder = Frames::connect(server.address, 2, 0).await;
    let batch = makruk_proto::v1::ProbeBatchRequest { fens: vec![ROOK_WINS.to_owned(); 200], include_moves: true };
    let mut held = Vec::new();
    for _ in 0..12 {
        let mut call = hoarder.call("makruk.v1.Tablebase/ProbeBatch").await;
        call.send.send_data(framed(&batch), true).unwrap();
        held.push(call);
    }
    until(metrics, "makruk_sheds_total", "memory", |sheds| sheds > 0).await;
    // Others get long answers, over HTTP/1.1 too.
    let body = serde_json::json!({ "fens": vec![ROOK_WINS; 40], "moves": true }).to_string();
    for _ in 0..3 {
        let answer =
            http::send(server.address, "POST", "/v1/batch", &[("content-type", "application/json")], body.as_bytes());
        assert_eq!(answer.await.status, 200);
    }
    assert!(of_limit(metrics, "makruk_displaced_total", "memory").await > 0);
    assert!(of_limit(metrics, "makruk_limit_taken", "memory").await <= 600 << 10);
    drop(held);
}

/// The last of the L row: a response for which there is no room fails, and its connection lives.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_room_is_a_failure_over_http_1() {
    let (server, _) = start(Limits { memory: 300 << 10, ..Limits::default() }).await;
    let body = serde_json::json!({ "fens": vec![ROOK_WINS; 400], "moves": true }).to_string();
    let answer =
        http::send(server.address, "POST", "/v1/batch", &[("content-type", "application/json")], body.as_bytes());
    let answer = answer.await;
    assert_eq!((answer.status, answer.header("retry-after")), (429, Some("1")), "{answer:?}");
    assert_eq!(answer.json()["reason"], "overloaded");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trusted_proxy_names_its_clients() {
    let limits = Limits { calls: 4, ..Limits::default() };
    let held_by = async |trusted: &[&str], header: &'static str| {
        let trusted_proxies = trusted.iter().map(|address| address.parse().unwrap()).collect();
        let server = Running::with(tables(), Settings { limits, trusted_proxies, ..Settings::default() }).await;
        let proxy = Frames::connect(server.address, 1, 1 << 16).await;
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(proxy.call(PROBE_STREAM).await);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        http::send(server.address, "GET", "/healthz", &[("x-forwarded-for", header)], b"").await.status
    };
    assert_eq!(held_by(&["127.0.0.1"], "198.51.100.7, 192.0.2.1").await, 200, "another address");
    assert_eq!(held_by(&["127.0.0.1"], "nonsense").await, 429, "the proxy itself");
    assert_eq!(held_by(&["127.0.0.9"], "192.0.2.1").await, 429, "nobody's proxy");
}
