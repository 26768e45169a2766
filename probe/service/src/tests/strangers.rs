//! Clients that vanish, do not read, send nonsense or are too many affect only themselves.

use std::time::{Duration, Instant};

use makruk_proto::v1::ProbeStreamRequest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use super::clients::{HELLO, connect, frame, headers, unread};
use super::faults::until;
use super::harness::{Gate, LONG, ROOK_WINS, Running, failure, on_threads, reason, tables};
use super::http;
use crate::{Limits, Shutdown};

#[test]
fn clients_that_vanish_leave_nothing_behind() {
    on_threads(1, async {
        let server = Running::limited(Limits { in_flight: 64, deadline: LONG, ..Limits::default() }).await;
        let (gate, mut vanished) = (Gate::shut(1), Vec::new());
        for _ in 0..8 {
            let client = server.client().await;
            for _ in 0..8 {
                let client = client.clone();
                vanished.push(tokio::spawn(async move { client.probe(ROOK_WINS, true).await }));
            }
        }
        // All places are taken by clients that disconnect now.
        server.until_requests(64).await;
        let client = server.client().await;
        assert_eq!(reason(&failure(&client, ROOK_WINS).await), "OVERLOADED");
        vanished.iter().for_each(|call| call.abort());
        drop(vanished);
        gate.open();
        until(&client, ROOK_WINS, Ok(())).await;
        // And clients that send half a request, or half a preface.
        for half in [
            &b""[..],
            b"PRI * HTTP/2.0\r\n",
            b"GET /v1/probe?fen=",
            b"POST /v1/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{",
        ] {
            let mut stream = TcpStream::connect(server.address).await.unwrap();
            stream.write_all(half).await.unwrap();
            drop(stream);
        }
        server.until(|backend| backend.pools.metrics.calls_open.get() == 0).await;
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_do_not_read_hold_up_only_themselves() {
    let limits = Limits { idle: Duration::from_millis(500), drain: LONG, ..Limits::default() };
    let mut server = Running::limited(limits).await;
    // Over HTTP/1.1: many long answers, none of them read.
    let body = serde_json::json!({ "fens": vec![ROOK_WINS; 1000], "moves": true }).to_string();
    let head = format!("POST /v1/batch HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", body.len());
    let mut silent = Vec::new();
    for _ in 0..4 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let question = [head.as_bytes(), body.as_bytes()].concat();
        silent.push(tokio::spawn(async move {
            // Bytes that the server does not read are not sent; this ends when the server closes.
            while stream.write_all(&question).await.is_ok() {}
            stream
        }));
    }
    // Over HTTP/2: a stream whose answers are not read.
    let mut raw = server.raw().await;
    let requests = tokio_stream::iter(std::iter::repeat_n(
        ProbeStreamRequest { fen: ROOK_WINS.to_owned(), include_moves: true },
        1_000_000,
    ));
    let stream = raw.probe_stream(requests).await.unwrap().into_inner();
    // Others are answered meanwhile.
    let client = server.client().await;
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(2) {
        assert!(client.probe(ROOK_WINS, true).await.is_ok());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for stream in silent {
        tokio::time::timeout(LONG, stream).await.expect("it is closed").unwrap();
    }
    // These four, and soon the stream: on a busy machine it takes a while until enough is on its way for it to stall.
    server.until(|backend| backend.pools.metrics.calls_idle.get() >= 5).await;
    assert_eq!(server.backend.pools.metrics.calls_idle.get(), 5);
    drop(stream);
    // They do not hold up the shutdown either: of this client's calls, only the watch of health still moves.
    let client = connect(&server, 2, 0).await;
    let _watch = HealthClient::new(client.clone()).watch(HealthCheckRequest::default()).await.unwrap();
    let _held: JoinSet<()> = (0..4).map(|_| unread(client.clone(), 200)).collect();
    server.until(|backend| backend.pools.metrics.calls_open.get() == 5).await;
    server.stop();
    assert_eq!(server.ended().await, Shutdown::Drained);
}

#[tokio::test(flavor = "multi_thread")]
async fn work_of_a_client_that_is_gone_stops_soon() {
    let server = Running::limited(Limits { deadline: LONG, ..Limits::default() }).await;
    let probes = async || {
        let answer = http::get(server.address, "/metrics").await;
        let counts = answer.text().lines().filter(|line| line.starts_with("makruk_table_probes_total{"));
        counts.map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum::<u64>()
    };
    let body = serde_json::json!({ "fens": vec![ROOK_WINS; 1000], "moves": true }).to_string();
    let answered = http::send(server.address, "POST", "/v1/batch", &[], body.as_bytes()).await;
    assert_eq!(answered.status, 200);
    let of_batch = probes().await;
    for _ in 0..4 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let head = format!("POST /v1/batch HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).await.unwrap();
        drop(stream);
    }
    server.until(|backend| backend.pools.metrics.calls_open.get() == 0).await;
    let more = probes().await - of_batch;
    assert!(more < 2 * of_batch, "{more} probes for four batches that nobody reads, {of_batch} for one");
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_never_end_their_question_miss_the_deadline() {
    let limits = Limits { deadline: Duration::from_millis(200), ..Limits::default() };
    let server = Running::limited(limits).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"POST /v1/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{\"fens\"").await.unwrap();
    let mut answer = vec![0; 12];
    tokio::time::timeout(LONG, stream.read_exact(&mut answer)).await.unwrap().unwrap();
    assert_eq!(answer, b"HTTP/1.1 504");
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_frames_end_their_connection_and_nothing_else() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    let data = |message: &[u8]| [HELLO, &headers(1), &frame(0, 1, 1, message)].concat();
    let mut random = 0x2545_f491_4f6c_dd1du64;
    let noise: Vec<u8> = (0..4096)
        .map(|_| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random as u8
        })
        .collect();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("noise", noise.clone()),
        ("noise after the preface", [HELLO, &noise].concat()),
        ("a frame longer than any may be", [HELLO, &[0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]].concat()),
        ("data of no stream", [HELLO, &frame(0, 1, 7, b"x")].concat()),
        ("data of stream 0", [HELLO, &frame(0, 1, 0, b"x")].concat()),
        ("headers that can't be decoded", [HELLO, &frame(1, 5, 1, &[0xff; 64])].concat()),
        ("a window beyond all bounds", [HELLO, &frame(8, 0, 0, &[0x7f, 0xff, 0xff, 0xff]).repeat(3)].concat()),
        ("settings of a bad length", [HELLO, &frame(4, 0, 0, &[1, 2, 3])].concat()),
        ("a message that announces 4 GiB", data(&[0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3])),
        ("a message that ends too early", data(&[0, 0, 0, 0, 9, 1])),
        ("a message that says it is compressed", data(&[1, 0, 0, 0, 1, 1])),
        ("a malformed message", data(&[0, 0, 0, 0, 3, 0xff, 0xff, 0xff])),
        ("a message with an unknown flag", data(&[9, 0, 0, 0, 1, 1])),
        ("no message", [HELLO, &headers(1), &frame(0, 1, 1, b"")].concat()),
        ("streams begun and reset", {
            let reset = |stream| [headers(stream), frame(3, 0, stream, &[0, 0, 0, 8])].concat();
            [HELLO.to_vec(), (0..500).flat_map(|at| reset(2 * at + 1)).collect()].concat()
        }),
        ("a header without an end", [&b"GET /v1/probe HTTP/1.1\r\nx: "[..], &[b'a'; 200_000]].concat()),
        ("thousands of headers", [&b"GET / HTTP/1.1\r\n"[..], &b"a: b\r\n".repeat(5000), b"\r\n"].concat()),
        (
            "two lengths",
            b"POST /v1/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n12345".to_vec(),
        ),
        (
            "a chunk of no number",
            b"POST /v1/batch HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n".to_vec(),
        ),
        ("a path that is not a path", b"GET \x01\xff HTTP/1.1\r\n\r\n".to_vec()),
    ];
    for (name, bytes) in cases {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        // It may be closed while this is sent.
        let _ = stream.write_all(&bytes).await;
        let _ = stream.shutdown().await;
        let mut answer = Vec::new();
        let _ = tokio::time::timeout(LONG, stream.read_to_end(&mut answer)).await.expect(name);
        assert!(client.probe(ROOK_WINS, false).await.is_ok(), "{name}");
    }
}
