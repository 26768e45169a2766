//! Clients share every limit: the address that has most loses what has been idle longest, and others always get in.

use std::time::Duration;

use bytes::Bytes;
use makruk_probe::CacheCounts;
use makruk_proto::v1::{ProbeBatchRequest, ProbeRequest, ProbeResponse, ProbeStreamRequest, ProbeStreamResponse};

use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use super::frames::{Frames, framed};
use super::harness::{ROOK_WINS, Running, tables};
use super::http;
use crate::{Limits, Settings};

const PROBE_STREAM: &str = "makruk.v1.Tablebase/ProbeStream";
const PROBE_BATCH: &str = "makruk.v1.Tablebase/ProbeBatch";
const RESOURCE_EXHAUSTED: i32 = 8;

async fn probe(client: &Frames) -> Result<ProbeResponse, i32> {
    let request = ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false };
    client.unary("makruk.v1.Tablebase/Probe", &request).await
}

fn batch(positions: usize) -> ProbeBatchRequest {
    ProbeBatchRequest { fens: vec![ROOK_WINS.to_owned(); positions], include_moves: true }
}

/// The answer to a batch over HTTP/1.1.
async fn post(server: &Running, positions: usize) -> http::Answer {
    let body = serde_json::json!({ "fens": vec![ROOK_WINS; positions], "moves": true }).to_string();
    http::send(server.address, "POST", "/v1/batch", &[], body.as_bytes()).await
}

/// Whether a metric of a limit is above 0.
fn has(server: &Running, name: &str, limit: &str) -> bool {
    let text = server.backend.pools.metrics.text(CacheCounts::default());
    let name = format!("{name}{{limit=\"{limit}\"}} ");
    text.lines().find_map(|line| line.strip_prefix(&name)).expect(&name) != "0"
}

/// Waits until clients take so much memory.
async fn until_memory(server: &Running, holds: impl Fn(usize) -> bool) {
    server.until(|backend| holds(backend.pools.memory.taken())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_wait_for_their_client_make_room() {
    let server = Running::limited(Limits { calls: 8, ..Limits::default() }).await;
    let attackers =
        [Frames::connect(server.address, 2, 1 << 16).await, Frames::connect(server.address, 3, 1 << 16).await];
    let mut held = Vec::new();
    for at in 0..8 {
        let mut call = attackers[usize::from(at >= 5)].call(PROBE_STREAM).await;
        call.send(framed(&ProbeStreamRequest::default())).await.unwrap();
        held.push(call);
        server.until(|backend| backend.pools.calls.taken() > at).await;
    }
    let innocent = Frames::connect(server.address, 1, 1 << 16).await;
    for _ in 0..20 {
        assert!(probe(&innocent).await.is_ok());
    }
    assert!(has(&server, "makruk_displaced_total", "calls"));
    // The call that was ended says why, and its connection lives.
    assert_eq!(held[0].message::<ProbeStreamResponse>().await.map(|_| ()), Some(()));
    let (status, trailers) = held[0].status().await;
    assert_eq!(status, RESOURCE_EXHAUSTED, "{trailers:?}");
    assert!(trailers.contains_key("grpc-status-details-bin"));
    assert!(attackers.iter().all(|attacker| !attacker.has_ended()));
}

#[tokio::test(flavor = "multi_thread")]
async fn watches_that_take_all_places_leave_some_to_others() {
    let server = Running::limited(Limits { watches: 4, calls: 4, ..Limits::default() }).await;
    let watch = async |client: &Frames| {
        let mut call = client.call("grpc.health.v1.Health/Watch").await;
        call.send.send_data(framed(&HealthCheckRequest::default()), true).unwrap();
        call
    };
    let attackers =
        [Frames::connect(server.address, 2, 1 << 16).await, Frames::connect(server.address, 3, 1 << 16).await];
    let mut held = Vec::new();
    for at in 0..6 {
        held.push(watch(&attackers[at % 2]).await);
    }
    let innocent = Frames::connect(server.address, 1, 1 << 16).await;
    assert!(watch(&innocent).await.message::<HealthCheckResponse>().await.is_some());
    assert!(probe(&innocent).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_beyond_a_limit_is_told_so() {
    let server = Running::limited(Limits { calls: 2, ..Limits::default() }).await;
    let client = Frames::connect(server.address, 2, 1 << 16).await;
    let mut held = Vec::new();
    for at in 1..3 {
        held.push(client.call(PROBE_STREAM).await);
        server.until(|backend| backend.pools.calls.taken() == at).await;
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
    let server = Running::limited(Limits::default()).await;
    let client = Frames::connect(server.address, 2, 0).await;
    let idle = 24 << 10;
    until_memory(&server, |now| now == idle).await;
    // An unfinished message, a stream of requests, and an answer that is not read.
    let mut unfinished = client.call(PROBE_BATCH).await;
    unfinished.send(Bytes::from_static(&[0, 0, 1, 0, 0])).await.unwrap();
    unfinished.send(vec![0; 10_000].into()).await.unwrap();
    until_memory(&server, |now| now == idle + (8 << 10) + 10_005).await;
    let stream = client.call(PROBE_STREAM).await;
    until_memory(&server, |now| now > 1 << 20).await;
    drop((unfinished, stream));
    until_memory(&server, |now| now == idle).await;
    let mut unread = client.call(PROBE_BATCH).await;
    unread.send.send_data(framed(&batch(100)), true).unwrap();
    until_memory(&server, |now| now > idle + 30_000).await;
    drop((unread, client));
    until_memory(&server, |now| now == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_answers_make_room_and_who_holds_most_is_refused() {
    let server = Running::limited(Limits { memory: 600 << 10, ..Limits::default() }).await;
    let hoarder = Frames::connect(server.address, 2, 0).await;
    let mut held = Vec::new();
    for _ in 0..12 {
        let mut call = hoarder.call(PROBE_BATCH).await;
        call.send.send_data(framed(&batch(200)), true).unwrap();
        held.push(call);
    }
    server.until(|_| has(&server, "makruk_sheds_total", "memory")).await;
    // Others get long answers, over HTTP/1.1 too.
    for _ in 0..3 {
        assert_eq!(post(&server, 40).await.status, 200);
    }
    assert!(has(&server, "makruk_displaced_total", "memory"));
    assert!(server.backend.pools.memory.taken() <= 600 << 10);
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_room_is_a_failure_over_http_1() {
    let server = Running::limited(Limits { memory: 300 << 10, ..Limits::default() }).await;
    let answer = post(&server, 400).await;
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
