//! The memory that clients cause: each kind is driven to its limit, and what the service counts is compared with its
//! process.

use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use bytes::Bytes;
use makruk_benches::torture::Target;
use makruk_benches::torture::attacker::{Attacker, Body};
use makruk_benches::torture::attacks::{
    CLOSED, FIND_SAVES, LONG_FILE, PROBE_BATCH, PROBE_STREAM, batch, call_on_all, connect, question, search,
};
use makruk_benches::torture::innocent::metric;
use makruk_benches::torture::memory::resident_bytes;
use makruk_tests::server::Server;

/// Long enough for anything that happens at all.
const LONG: Duration = Duration::from_secs(300);
/// Memory that is not counted: threads that begin, and what the system's allocator keeps of connections that were cut
/// off.
const SLACK: u64 = 56 << 20;
/// Memory of a position's answer in the making, by the service's manual: 200 MB for 65,536.
const POSITION_BYTES: u64 = 3200;

/// Calls on each connection.
type Calls = (usize, &'static str, Body);

/// A kind of memory.
struct Kind {
    name: &'static str,
    options: &'static str,
    /// The limit that it reaches.
    limit: &'static str,
    connections: usize,
    /// Whether they read nothing, not even the server's settings. Others take nothing of an answer.
    is_deaf: bool,
    calls: Vec<Calls>,
}

fn kinds() -> Vec<Kind> {
    let open = || Body::Frames(Vec::new());
    let small = |messages| Body::Frames(vec![question(""); messages]);
    // A message whose end never comes.
    let head = Bytes::from_static(&[0, 0, 1, 0xf0, 0]);
    let unfinished = Body::Frames([vec![head], vec![vec![0; 10_000].into(); 12]].concat());
    let kind = |name, limit, connections, calls: Calls| {
        let options = if limit == "memory" { "--memory-mib 64" } else { "--connections 2000" };
        Kind { name, options, limit, connections, is_deaf: false, calls: vec![calls] }
    };
    vec![
        kind("idle connections", "connections", 2000, (0, PROBE_BATCH, open())),
        kind("open calls", "calls", 20, (200, PROBE_BATCH, open())),
        kind("health watches", "watches", 10, (30, "/grpc.health.v1.Health/Watch", Body::Grpc(Bytes::new()))),
        kind("unread searches", "searches", 10, (20, FIND_SAVES, search())),
        // A connection with more than 64 open calls is cut off where the next call has no room.
        kind("unfinished requests", "memory", 16, (40, PROBE_BATCH, unfinished)),
        // Beyond four, a connection would have more short frames than the library allows.
        kind("streams full of small messages", "memory", 12, (4, PROBE_STREAM, small(5000))),
        // More than 14 connections have no room: they are cut off, and others with them.
        Kind { is_deaf: true, ..kind("streams before the settings", "memory", 12, (1, PROBE_STREAM, small(13_000))) },
        Kind { options: "--memory-mib 32", ..kind("unread answers", "memory", 8, (50, PROBE_BATCH, batch(500))) },
        Kind {
            is_deaf: true,
            // Long answers, which fill the socket, and heads that wait for it.
            calls: vec![(150, LONG_FILE, Body::Get), (90, LONG_FILE, Body::Head)],
            ..kind("unread heads", "memory", 60, (0, LONG_FILE, Body::Get))
        },
        Kind {
            options: "--memory-mib 512",
            ..kind("positions of batches", "positions", 8, (20, PROBE_BATCH, batch(500)))
        },
    ]
}

/// Connections with open calls, which keep memory of the service until they are dropped.
async fn hold(server: SocketAddr, connections: usize, is_deaf: bool, calls: &[Calls]) -> Vec<Attacker> {
    let (time, most_latency) = (Duration::ZERO, LONG);
    let target =
        Target { address: server, pid: None, time, connections, addresses: 8, crowd: 0, most_growth: 0, most_latency };
    let mut clients = connect(target, if is_deaf { 0 } else { connections }, CLOSED).await;
    while clients.len() < connections {
        clients.push(Attacker::deaf(server, 1 + (clients.len() % 8) as u8).await.unwrap());
    }
    for (number, path, body) in calls {
        call_on_all(&mut clients, *number, path, body).await;
    }
    clients
}

/// The value of a metric of a limit.
async fn of_limit(admin: SocketAddr, name: &str, limit: &str) -> u64 {
    metric(admin, &format!("{name}{{limit=\"{limit}\"}}")).await.unwrap()
}

/// Drives a kind of memory to its limit, and compares the process's growth with what the service counts.
async fn compare(Kind { name, options, limit, connections, is_deaf, calls }: Kind) {
    // A request for metrics at this address takes nothing from the limits.
    let admin = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let admin_option = admin.to_string();
    let fixed = ["--admin", &admin_option, "--deadline-ms", "600000", "--in-flight", "4000"];
    let server = Server::with(&options.split(' ').chain(fixed).collect::<Vec<_>>(), "error");
    let (address, resident) = (server.address.parse().unwrap(), || resident_bytes(Some(server.pid())).unwrap());
    // The caches and threads that every server has.
    let warm = [(1, PROBE_BATCH, batch(500)), (4, PROBE_STREAM, Body::Frames(Vec::new()))];
    drop(hold(address, 4, false, &warm).await);
    let begun = Instant::now();
    while of_limit(admin, "makruk_limit_taken", "memory").await > 0 {
        assert!(begun.elapsed() < LONG);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let before = resident();
    let held = hold(address, connections, is_deaf, &calls).await;
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
    let grown = resident().saturating_sub(before);
    println!("{name:32} {taken:>10} of {most:>10} {limit:11}: {counted:>10} bytes counted, {grown:>10} in the process");
    assert!(grown <= counted + positions * POSITION_BYTES + SLACK, "{name}: {grown} bytes, {counted} of them counted");
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "drives each limit of memory: a minute"]
async fn the_memory_that_is_counted_is_that_of_the_process() {
    rlimit::increase_nofile_limit(6000).unwrap();
    for kind in kinds() {
        compare(kind).await;
    }
}
