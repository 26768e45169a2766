//! The memory that clients cause: each kind is driven to its limit, and what the service counts is compared with its
//! process.

use std::any::Any;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::pin::Pin;
use std::time::{Duration, Instant};

use bytes::Bytes;
use makruk_proto::v1::{FindSavesRequest, ProbeBatchRequest, ProbeStreamRequest};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tonic_health::pb::HealthCheckRequest;

use super::client::{LONG, ROOK_WINS, tables};
use super::frames::{Call, Frames, HELLO, frame, framed, headers};
use super::http;
use super::process::{Process, serve};

const PROBE_BATCH: &str = "makruk.v1.Tablebase/ProbeBatch";
const PROBE_STREAM: &str = "makruk.v1.Tablebase/ProbeStream";
/// Memory that is not counted: threads that begin, and what the system's allocator keeps of connections that were cut
/// off.
const SLACK: u64 = 56 << 20;
/// Memory of a position's answer in the making, by the service's manual: 200 MB for 65,536.
const POSITION_BYTES: u64 = 3200;

/// The resident memory of a process.
fn resident_bytes(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() << 10
}

/// Whatever keeps its memory in the service until it is dropped.
type Held = Vec<Box<dyn Any + Send>>;
type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A kind of memory.
struct Kind {
    name: &'static str,
    options: &'static str,
    /// The limit that it reaches.
    limit: &'static str,
    hold: fn(SocketAddr) -> BoxFuture<Held>,
}

const KINDS: [Kind; 10] = [
    Kind {
        name: "idle connections",
        options: "--connections 2000",
        limit: "connections",
        hold: |server| Box::pin(calls(server, 2000, 0, PROBE_BATCH, send_nothing)),
    },
    Kind {
        name: "open calls",
        options: "--connections 2000",
        limit: "calls",
        hold: |server| Box::pin(calls(server, 20, 200, PROBE_BATCH, send_nothing)),
    },
    Kind {
        name: "health watches",
        options: "--connections 2000",
        limit: "watches",
        hold: |server| Box::pin(calls(server, 10, 30, "grpc.health.v1.Health/Watch", send_watch)),
    },
    Kind {
        name: "unread searches",
        options: "--connections 2000",
        limit: "searches",
        hold: |server| Box::pin(calls(server, 10, 20, "makruk.v1.Tablebase/FindSaves", send_search)),
    },
    Kind {
        name: "unfinished requests",
        options: "--memory-mib 64",
        limit: "memory",
        // A connection with more than 64 open calls is cut off where the next call has no room.
        hold: |server| Box::pin(calls(server, 16, 40, PROBE_BATCH, send_unfinished)),
    },
    Kind {
        name: "streams full of small messages",
        options: "--memory-mib 64",
        limit: "memory",
        // Beyond four, a connection would have more short frames than the library allows.
        hold: |server| Box::pin(calls(server, 12, 4, PROBE_STREAM, send_small)),
    },
    Kind {
        name: "streams before the settings",
        options: "--memory-mib 64",
        limit: "memory",
        hold: |server| Box::pin(raw(server, 20, early_stream)),
    },
    Kind {
        name: "unread answers",
        options: "--memory-mib 32",
        limit: "memory",
        hold: |server| Box::pin(calls(server, 8, 50, PROBE_BATCH, send_batch)),
    },
    Kind {
        name: "unread heads",
        options: "--memory-mib 64",
        limit: "memory",
        hold: |server| Box::pin(raw(server, 60, unread_heads)),
    },
    Kind {
        name: "positions of batches",
        options: "--memory-mib 512",
        limit: "positions",
        hold: |server| Box::pin(calls(server, 8, 20, PROBE_BATCH, send_batch)),
    },
];

/// Opens calls, on connections that take nothing of an answer, and sends a part of each request.
async fn calls(
    server: SocketAddr,
    connections: usize,
    each: usize,
    method: &'static str,
    send: fn(Call) -> BoxFuture<Call>,
) -> Held {
    let mut held: Held = Vec::new();
    for first in (0..connections).step_by(50) {
        let mut tasks = JoinSet::new();
        for number in first..connections.min(first + 50) {
            tasks.spawn(async move {
                let client = Frames::connect(server, 2 + (number % 8) as u8, 0).await;
                let mut calls = Vec::new();
                while calls.len() < each
                    && let Some(call) = client.try_call(method).await
                {
                    calls.push(send(call).await);
                }
                (client, calls)
            });
        }
        held.extend(tasks.join_all().await.into_iter().map(|client| Box::new(client) as Box<dyn Any + Send>));
    }
    held
}

fn send_nothing(call: Call) -> BoxFuture<Call> {
    Box::pin(async { call })
}

/// Sends a message, as far as the server takes it.
fn send(mut call: Call, message: Bytes) -> BoxFuture<Call> {
    Box::pin(async move {
        let _ = call.send.send_data(message, true);
        call
    })
}

fn send_watch(call: Call) -> BoxFuture<Call> {
    send(call, framed(&HealthCheckRequest::default()))
}

fn send_search(call: Call) -> BoxFuture<Call> {
    let search = FindSavesRequest { materials: vec!["KRvKR".to_owned()], limit: 1_000_000, ..Default::default() };
    send(call, framed(&search))
}

fn send_batch(call: Call) -> BoxFuture<Call> {
    send(call, framed(&ProbeBatchRequest { fens: vec![ROOK_WINS.to_owned(); 500], include_moves: true }))
}

fn send_unfinished(mut call: Call) -> BoxFuture<Call> {
    Box::pin(async move {
        let _ = call.send(Bytes::from_static(&[0, 0, 1, 0xf0, 0])).await;
        for _ in 0..12 {
            let _ = call.send(vec![0; 10_000].into()).await;
        }
        call
    })
}

fn send_small(mut call: Call) -> BoxFuture<Call> {
    Box::pin(async move {
        // As many as the server takes.
        let message = framed(&ProbeStreamRequest::default());
        while let Ok(Ok(())) = tokio::time::timeout(Duration::from_millis(300), call.send(message.clone())).await {}
        call
    })
}

/// Connections that send these bytes, and read nothing.
async fn raw(server: SocketAddr, connections: u8, bytes: fn() -> Vec<u8>) -> Held {
    let mut held: Held = Vec::new();
    for number in 0..connections {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        socket.bind((Ipv4Addr::new(127, 0, 0, 2 + number % 8), 0).into()).unwrap();
        let mut stream: TcpStream = socket.connect(server).await.unwrap();
        // A connection for whose calls there is no room is cut off.
        let _ = tokio::time::timeout(Duration::from_millis(500), stream.write_all(&bytes())).await;
        held.push(Box::new(stream));
    }
    held
}

/// A stream that is full of small messages before the client has accepted the server's settings.
fn early_stream() -> Vec<u8> {
    let call = headers(1, false, "POST", &format!("/{PROBE_STREAM}"));
    [HELLO, &call, &frame(0, 0, 1, &[0; 5]).repeat(13_000)].concat()
}

/// Long answers, which fill the socket, and heads that wait for it.
fn unread_heads() -> Vec<u8> {
    let mut bytes = HELLO[..24].to_vec();
    // The windows are wide open.
    bytes.extend(frame(4, 0, 0, &[0, 4, 0x7f, 0xff, 0xff, 0xff]));
    bytes.extend(frame(8, 0, 0, &[0x7f, 0, 0, 0]));
    for number in 0..240 {
        bytes.extend(headers(2 * number + 1, true, if number < 72 { "GET" } else { "HEAD" }, "/th.js"));
    }
    bytes
}

/// The value of a metric of a limit.
async fn of_limit(admin: SocketAddr, name: &str, limit: &str) -> u64 {
    http::metric(admin, &format!("{name}{{limit=\"{limit}\"}}")).await.parse().unwrap()
}

/// Drives a kind of memory to its limit, and compares the process's growth with what the service counts. `warm` makes
/// the caches and threads that every server has.
async fn compare(
    name: &str,
    options: &[&str],
    limit: &str,
    warm: impl AsyncFnOnce(SocketAddr),
    hold: impl AsyncFnOnce(SocketAddr) -> Held,
) {
    // A request for metrics at this address takes nothing from the limits.
    let admin = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let times = ["--deadline-ms", "600000", "--in-flight", "4000"];
    let mut command = serve();
    command.arg("--tables").arg(tables()).args(["--admin", &admin.to_string()]).args(times).args(options);
    let process = Process::start(&mut command);
    warm(process.address).await;
    let begun = Instant::now();
    while of_limit(admin, "makruk_limit_taken", "memory").await > 0 {
        assert!(begun.elapsed() < LONG);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let before = resident_bytes(process.child.id());
    let held = hold(process.address).await;
    let (begun, most) = (Instant::now(), of_limit(admin, "makruk_limit", limit).await);
    // Until whatever is under way has arrived. Clients that were refused or cut off do not come again.
    let (mut taken, mut last) = (0, None);
    while taken * 2 < most || last != Some(taken) {
        assert!(begun.elapsed() < LONG, "{name}: {taken} of {most}");
        tokio::time::sleep(Duration::from_millis(500)).await;
        last = Some(taken);
        taken = of_limit(admin, "makruk_limit_taken", limit).await;
    }
    let counted = of_limit(admin, "makruk_limit_taken", "memory").await;
    let positions = of_limit(admin, "makruk_limit_taken", "positions").await;
    let grown = resident_bytes(process.child.id()).saturating_sub(before);
    println!("{name:32} {taken:>10} of {most:>10} {limit:11}: {counted:>10} bytes counted, {grown:>10} in the process");
    assert!(grown <= counted + positions * POSITION_BYTES + SLACK, "{name}: {grown} bytes, {counted} of them counted");
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "drives each limit of memory: a minute"]
async fn the_memory_that_is_counted_is_that_of_the_process() {
    rlimit::increase_nofile_limit(6000).unwrap();
    for Kind { name, options, limit, hold } in KINDS {
        let warm = async |server| {
            drop(calls(server, 4, 4, PROBE_BATCH, send_batch).await);
            drop(calls(server, 4, 4, PROBE_STREAM, send_nothing).await);
        };
        compare(name, &options.split(' ').collect::<Vec<_>>(), limit, warm, async |server| hold(server).await).await;
    }
}
