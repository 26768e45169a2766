//! Clients share every limit: the address that has most loses what has been idle longest, and others always get in.

use std::time::Duration;

use makruk_probe::CacheCounts;
use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_proto::v1::{ProbeRequest, ProbeResponse, ProbeStreamRequest, ProbeStreamResponse};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_stream::StreamExt;
use tonic::transport::Channel;
use tonic::{Code, Status, Streaming};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use super::clients::{HELLO, connect, frame, headers, unread};
use super::harness::{ROOK_WINS, Running, tables};
use super::http;
use crate::{Limits, Settings};

async fn probe(client: &Channel) -> Result<ProbeResponse, Status> {
    let request = ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false };
    Ok(TablebaseClient::new(client.clone()).probe(request).await?.into_inner())
}

/// A call that stays open after its first position.
async fn hold(client: &Channel) -> Streaming<ProbeStreamResponse> {
    let requests = tokio_stream::once(ProbeStreamRequest::default()).chain(tokio_stream::pending());
    TablebaseClient::new(client.clone()).probe_stream(requests).await.unwrap().into_inner()
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
    let attackers = [connect(&server, 2, 1 << 16).await, connect(&server, 3, 1 << 16).await];
    let mut held = Vec::new();
    for at in 0..8 {
        held.push(hold(&attackers[usize::from(at >= 5)]).await);
        // One after the other is idle.
        assert!(held[at].message().await.unwrap().is_some());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let innocent = connect(&server, 1, 1 << 16).await;
    for _ in 0..20 {
        assert!(probe(&innocent).await.is_ok());
    }
    assert!(has(&server, "makruk_displaced_total", "calls"));
    // The call that was ended says why, and its connection lives.
    let status = held[0].message().await.unwrap_err();
    assert!(status.code() == Code::ResourceExhausted && !status.details().is_empty(), "{status:?}");
    assert!(tokio::time::timeout(Duration::from_millis(100), held[4].message()).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn watches_that_take_all_places_leave_some_to_others() {
    let server = Running::limited(Limits { watches: 4, calls: 4, ..Limits::default() }).await;
    let watch = async |client: &Channel| HealthClient::new(client.clone()).watch(HealthCheckRequest::default()).await;
    let attackers = [connect(&server, 2, 1 << 16).await, connect(&server, 3, 1 << 16).await];
    let mut held = Vec::new();
    for at in 0..6 {
        held.push(watch(&attackers[at % 2]).await);
    }
    let innocent = connect(&server, 1, 1 << 16).await;
    assert!(watch(&innocent).await.unwrap().into_inner().message().await.unwrap().is_some());
    assert!(probe(&innocent).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "waits until a limit of time is reached: five seconds"]
async fn all_memory_of_clients_is_counted_and_given_back() {
    let server = Running::limited(Limits { idle: Duration::from_secs(5), ..Limits::default() }).await;
    let client = connect(&server, 2, 0).await;
    let idle = 24 << 10;
    until_memory(&server, |now| now == idle).await;
    // An unfinished message, a stream of requests, and an answer that is not read.
    let mut unfinished = TcpStream::connect(server.address).await.unwrap();
    let message = [frame(0, 0, 1, &[0, 0, 1, 0, 0]), frame(0, 0, 1, &[0; 10_000])].concat();
    unfinished.write_all(&[HELLO, &headers(1), &message].concat()).await.unwrap();
    until_memory(&server, |now| now == 2 * idle + (8 << 10) + 10_005).await;
    let stream = hold(&client).await;
    until_memory(&server, |now| now > 1 << 20).await;
    drop((unfinished, stream));
    until_memory(&server, |now| now == idle).await;
    let unread = tokio::spawn(unread(client, 100));
    until_memory(&server, |now| now > idle + 30_000).await;
    unread.abort();
    until_memory(&server, |now| now == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_answers_make_room_and_who_holds_most_is_refused() {
    let server = Running::limited(Limits { memory: 600 << 10, ..Limits::default() }).await;
    let hoarder = connect(&server, 2, 0).await;
    let held: JoinSet<()> = (0..12).map(|_| unread(hoarder.clone(), 200)).collect();
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
        let proxy = connect(&server, 1, 1 << 16).await;
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(hold(&proxy).await);
        }
        http::send(server.address, "GET", "/healthz", &[("x-forwarded-for", header)], b"").await.status
    };
    assert_eq!(held_by(&["127.0.0.1"], "198.51.100.7, 192.0.2.1").await, 200, "another address");
    assert_eq!(held_by(&["127.0.0.1"], "nonsense").await, 429, "the proxy itself");
    assert_eq!(held_by(&["127.0.0.9"], "192.0.2.1").await, 429, "nobody's proxy");
}
