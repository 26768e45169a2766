//! The attacks.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use makruk_proto::v1::{ProbeBatchRequest, TableStatisticsRequest};
use prost::Message;
use tokio::time::{Instant, sleep, sleep_until};

use super::attacker::{self, Attacker, Body, Windows};
use super::attackers::{LONG_ANSWER, LONG_FILE, PROBE_BATCH, STREAMS, call_on_all, connect};
use super::crowds;
use super::innocent::{Ask, get_over};
use super::{MOST_ADDRESSES, Target};

const PROBE: Ask = Ask::Get("/v1/probe?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1");

/// An attack.
#[derive(Clone, Copy)]
pub struct Attack {
    /// Its name.
    pub name: &'static str,
    /// The course of the attack.
    pub about: &'static str,
    /// The requests of the innocent client meanwhile.
    pub innocent: Ask,
    run: fn(Target) -> Pin<Box<dyn Future<Output = usize> + Send>>,
}

impl Attack {
    /// Attacks for the time of the target; returns the number of calls that were made.
    pub async fn run(&self, target: Target) -> usize {
        (self.run)(target).await
    }
}

/// Attacks by name, course, function, and the innocent client's requests if they are not probes.
macro_rules! attacks {
    (@ask) => { PROBE };
    (@ask $innocent:expr) => { $innocent };
    ($($name:literal, $about:literal, $run:expr $(, innocent $innocent:expr)?;)*) => {
        &[$(Attack {
            name: $name,
            about: $about,
            innocent: attacks!(@ask $($innocent)?),
            run: |target| Box::pin($run(target)),
        }),*]
    };
}

/// All attacks.
pub const ATTACKS: &[Attack] = attacks! {
    "unread-page", "asks for the page's script on all streams and never reads the socket",
        unread_page;
    "unread-crowd", "does the same from an address of its own on each connection",
        async |target: Target| {
            let addresses = target.connections.clamp(target.addresses, MOST_ADDRESSES);
            unread_page(Target { addresses, ..target }).await
        };
    "narrow-window", "asks for batches with moves and takes a byte of each", narrow_window;
    "window-zero", "takes nothing of its batches, but all of /healthz now and then", window_zero;
    "headers-only", "begins calls whose message never comes", headers_only;
    "watch-flood", "watches health on all streams", watch_flood;
    "no-games", "has texts analysed that are not games", no_games;
    "dear-requests", "asks for samples of saves, tricky lines and lists of all materials", dear_requests;
    "pictures", "asks for pictures of boards on two connections, and abandons them", pictures;
    "statistics-flood", "asks for the statistics of all tables over and over", statistics_flood;
    "idle-connections", "opens connections that answer pings and do nothing", crowds::idle_connections;
    "held-calls", "opens streams on which a position comes now and then", crowds::held_calls;
    "held-searches", "begins searches and reads nothing of them", crowds::held_searches,
        innocent Ask::Get("/v1/saves?material=KRvKR&limit=1");
    "held-watches", "watches health on many connections", crowds::held_watches, innocent Ask::Watch;
    "busy-lane", "asks for batches with moves and reads them", crowds::busy_lane,
        innocent Ask::Get("/v1/line?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1");
    "unfinished-messages", "sends messages without their last byte", crowds::unfinished_messages;
    "unread-heads", "asks for heads on sockets that are never read", crowds::unread_heads;
    "unread-streams", "streams positions, one a frame, and reads no answer", crowds::unread_streams;
    "short-frames", "does the same in frames of one byte", crowds::short_frames;
};

/// As many connections as an attack may have, or one for each address.
async fn connect_some(target: Target, connections: usize, windows: Windows) -> Vec<Attacker> {
    connect(target, connections.min(target.connections).max(target.addresses), windows).await
}

fn batch() -> Body {
    let request = ProbeBatchRequest { fens: vec![LONG_ANSWER.to_owned(); 1000], include_moves: true };
    Body::Grpc(request.encode_to_vec().into())
}

async fn unread_page(target: Target) -> usize {
    let mut attackers = connect_some(target, 20, Windows::WIDE).await;
    attackers.iter().for_each(Attacker::stop_reading);
    let made = call_on_all(&mut attackers, STREAMS, LONG_FILE, &Body::Get).await;
    sleep(target.time).await;
    made
}

async fn narrow_window(target: Target) -> usize {
    let mut attackers = connect_some(target, 20, Windows { stream: 1, connection: 1 << 20 }).await;
    let made = call_on_all(&mut attackers, 16, PROBE_BATCH, &batch()).await;
    sleep(target.time).await;
    made
}

async fn window_zero(target: Target) -> usize {
    let mut attackers = connect_some(target, 8, Windows { stream: 0, connection: 1 << 20 }).await;
    let mut made = call_on_all(&mut attackers, 16, PROBE_BATCH, &batch()).await;
    let until = Instant::now() + target.time;
    while Instant::now() < until {
        for attacker in &mut attackers {
            // The head of the answer is read; this client reads no more.
            let asked = attacker.ask("/healthz", Body::Get);
            made += usize::from(tokio::time::timeout(Duration::from_secs(1), asked).await.is_ok_and(|a| a.is_some()));
        }
        sleep(Duration::from_millis(100)).await;
    }
    made
}

async fn headers_only(target: Target) -> usize {
    let mut attackers = connect_some(target, 20, Windows::WIDE).await;
    let mut made = 0;
    for method in
        ["/makruk.v1.Tablebase/BestLine", "/makruk.v1.Tablebase/FindSaves", "/makruk.v1.Tablebase/ProbeStream"]
    {
        made += call_on_all(&mut attackers, STREAMS / 3, method, &Body::HeadersOnly).await;
    }
    sleep(target.time).await;
    made
}

async fn watch_flood(target: Target) -> usize {
    let mut attackers = connect_some(target, 20, Windows { stream: 0, connection: 1 << 20 }).await;
    let made = call_on_all(&mut attackers, STREAMS, "/grpc.health.v1.Health/Watch", &Body::Grpc(Bytes::new())).await;
    sleep(target.time).await;
    made
}

async fn no_games(target: Target) -> usize {
    let mut attackers = connect_some(target, 8, Windows { stream: 1, connection: 1 << 20 }).await;
    let text = format!("{{\"pgn\":\"{}\"}}", "x * ".repeat(30_000));
    let made = call_on_all(&mut attackers, 8, "/v1/analyse", &Body::Post(text.into())).await;
    sleep(target.time).await;
    made
}

/// Clients that read everything, but make expensive requests.
async fn dear_requests(target: Target) -> usize {
    let until = Instant::now() + target.time;
    let clients = (0..48.max(target.addresses)).map(async |client: usize| {
        let mut made = 0;
        while Instant::now() < until {
            let path = match client % 3 {
                0 => format!("/v1/saves/KRvKR?sample={}", 1000 - made % 900),
                1 => "/v1/line?defence=tricky&fen=8/8/8/8/3k4/8/8/R3K2r_w_-_-_0_1".to_owned(),
                _ => "/v1/materials".to_owned(),
            };
            tokio::select! {
                _ = get_from(target, client, &path) => made += 1,
                () = sleep_until(until) => {}
            }
        }
        made
    });
    join_all(clients).await.into_iter().sum()
}

async fn get_from(target: Target, client: usize, path: &str) -> io::Result<String> {
    get_over(attacker::connect(target.address, target.peer(client)).await?, path).await
}

/// Some 50 pictures a second on each connection, of which the last 25 are waited for.
async fn pictures(target: Target) -> usize {
    let mut attackers = connect_some(target, 2, Windows::WIDE).await;
    let (until, mut made) = (Instant::now() + target.time, 0);
    while Instant::now() < until {
        for attacker in &mut attackers {
            made += usize::from(attacker.call(&picture(made), Body::Get).await);
            attacker.abandon_all_but(25);
        }
        sleep(Duration::from_millis(20)).await;
    }
    made
}

/// The address of a picture: some 1,700 boards, more than a server keeps.
fn picture(number: usize) -> String {
    let digits = [number % 7, number / 7 % 7, number / 49 % 7, number / 343 % 5];
    let [rook, khon, rank, king] = digits;
    let with = |letter: char, file: usize| format!("{file}{letter}{}/", 7 - file);
    let row = |row: usize| match row {
        _ if row == rank => with('R', rook),
        _ if row == (rank + 1) % 7 => with('S', khon),
        _ => "8/".to_owned(),
    };
    let rows: String = (0..7).map(row).collect();
    format!("/board.png?fen={rows}K{}k{}_b", king + 1, 5 - king).replace('0', "")
}

async fn statistics_flood(target: Target) -> usize {
    let mut attackers = connect_some(target, 8, Windows::WIDE).await;
    let request = TableStatisticsRequest { material: "KRvKR".to_owned(), include_longest: true };
    let body = Body::Grpc(request.encode_to_vec().into());
    attackers.iter().for_each(Attacker::stop_reading);
    let made = call_on_all(&mut attackers, STREAMS, "/makruk.v1.Tablebase/TableStatistics", &body).await;
    sleep(target.time).await;
    made
}
