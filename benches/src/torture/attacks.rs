//! The attacks, and their connections and calls.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use makruk_proto::v1::{
    FindSavesRequest, ProbeBatchRequest, ProbeStreamRequest, SaveStatisticsRequest, TableStatisticsRequest,
};
use prost::Message;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::attacker::{self, Attacker, Body, Windows, framed};
use super::innocent::get_over;
use super::{MOST_ADDRESSES, Target};

/// A long file, the script of the page's board.
pub const LONG_FILE: &str = "/main.js";
/// The request of the innocent client, unless the attack concerns others.
const PROBE: &str = "/v1/probe?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1";
/// A position with a long answer.
const LONG_ANSWER: &str = "8/8/8/8/3k4/8/8/R3K3 w - - 0 1";
/// The method that answers a batch of positions.
pub const PROBE_BATCH: &str = "/makruk.v1.Tablebase/ProbeBatch";
/// The method that answers a stream of positions.
pub const PROBE_STREAM: &str = "/makruk.v1.Tablebase/ProbeStream";
/// The method that searches for saves.
pub const FIND_SAVES: &str = "/makruk.v1.Tablebase/FindSaves";
/// Streams that a connection opens, fewer than servers allow.
const STREAMS: usize = 250;
/// A client that takes nothing of an answer.
pub const CLOSED: Windows = Windows { stream: 0, connection: 1 << 20 };

/// An attack.
#[derive(Clone, Copy)]
pub struct Attack {
    /// Its name.
    pub name: &'static str,
    /// The address that the innocent client asks for meanwhile.
    pub innocent: &'static str,
    /// Attacks for the time of the target; returns the number of calls that were made.
    pub run: fn(Target) -> Pin<Box<dyn Future<Output = usize> + Send>>,
}

/// Attacks by name, the innocent client's request, and function.
macro_rules! attacks {
    ($($name:literal, $innocent:expr, $run:expr;)*) => {
        &[$(Attack { name: $name, innocent: $innocent, run: |target| Box::pin($run(target)) }),*]
    };
}

/// All attacks.
pub const ATTACKS: &[Attack] = attacks! {
    "unread-crowd", PROBE, unread_crowd;
    "window-zero", PROBE, window_zero;
    "headers-only", PROBE, headers_only;
    "no-games", PROBE, no_games;
    "dear-requests", PROBE, dear_requests;
    "pictures", PROBE, pictures;
    "statistics-flood", PROBE, statistics_flood;
    "idle-connections", PROBE, idle_connections;
    "held-calls", PROBE, held_calls;
    "held-searches", "/v1/saves?material=KRvKR&limit=1", held_searches;
    "busy-lane", "/v1/line?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1", busy_lane;
    "short-frames", PROBE, short_frames;
};

/// Connections, evenly from all addresses.
pub async fn connect(target: Target, connections: usize, windows: Windows) -> Vec<Attacker> {
    let mut attackers = Vec::new();
    // Not all at once: the backlog of a listener is short.
    for first in (0..connections).step_by(100) {
        let some = (first..connections.min(first + 100))
            .map(|number| Attacker::connect(target.address, target.peer(number), windows));
        attackers.extend(join_all(some).await.into_iter().flatten());
    }
    attackers
}

/// As many connections as an attack may have, or one for each address.
async fn connect_some(target: Target, connections: usize, windows: Windows) -> Vec<Attacker> {
    connect(target, connections.min(target.connections).max(target.addresses), windows).await
}

/// Makes this number of calls on each connection; returns the number of calls made.
pub async fn call_on_all(attackers: &mut [Attacker], calls: usize, path: &str, body: &Body) -> usize {
    let each = attackers.iter_mut().map(async |attacker| {
        let mut made = 0;
        while made < calls && attacker.call(path, body.clone()).await {
            made += 1;
        }
        made
    });
    // A server that allows fewer streams per connection keeps the others waiting.
    let limited = each.map(async |calls| timeout(Duration::from_secs(5), calls).await.unwrap_or(0));
    join_all(limited).await.into_iter().sum()
}

/// Makes these calls on each connection, and reads nothing until the time is over; returns the number of calls made.
async fn hold(target: Target, mut attackers: Vec<Attacker>, calls: &[(usize, &str, Body)]) -> usize {
    let mut made = 0;
    for (number, path, body) in calls {
        made += call_on_all(&mut attackers, *number, path, body).await;
    }
    sleep(target.time).await;
    made
}

/// A batch with moves.
pub fn batch(positions: usize) -> Body {
    let request = ProbeBatchRequest { fens: vec![LONG_ANSWER.to_owned(); positions], include_moves: true };
    Body::Grpc(request.encode_to_vec().into())
}

/// A message of a stream of positions.
pub fn question(fen: &str) -> Bytes {
    framed(&ProbeStreamRequest { fen: fen.to_owned(), include_moves: false }.encode_to_vec())
}

/// A long search.
pub fn search() -> Body {
    let search = FindSavesRequest { materials: vec!["KRvKR".to_owned()], limit: 1_000_000, ..Default::default() };
    Body::Grpc(search.encode_to_vec().into())
}

/// Asks for the page's script on all streams, from an address of its own on each connection, and never reads a socket.
async fn unread_crowd(target: Target) -> usize {
    let addresses = target.connections.clamp(target.addresses, MOST_ADDRESSES);
    let attackers = connect_some(Target { addresses, ..target }, 20, Windows::WIDE).await;
    attackers.iter().for_each(Attacker::stop_reading);
    hold(target, attackers, &[(STREAMS, LONG_FILE, Body::Get)]).await
}

/// Takes nothing of its batches, but all of /healthz now and then.
async fn window_zero(target: Target) -> usize {
    let mut attackers = connect_some(target, 8, CLOSED).await;
    let mut made = call_on_all(&mut attackers, 16, PROBE_BATCH, &batch(400)).await;
    let until = Instant::now() + target.time;
    while Instant::now() < until {
        for attacker in &mut attackers {
            // The head of the answer is read; this client reads no more.
            let asked = attacker.ask("/healthz", Body::Get);
            made += usize::from(timeout(Duration::from_secs(1), asked).await.is_ok_and(|answer| answer.is_some()));
        }
        sleep(Duration::from_millis(100)).await;
    }
    made
}

/// Begins calls whose message never comes.
async fn headers_only(target: Target) -> usize {
    let methods = ["/makruk.v1.Tablebase/BestLine", FIND_SAVES, PROBE_STREAM];
    let calls = methods.map(|method| (STREAMS / 3, method, Body::Frames(Vec::new())));
    hold(target, connect_some(target, 20, Windows::WIDE).await, &calls).await
}

/// Has texts analysed that are not games.
async fn no_games(target: Target) -> usize {
    let text = format!("{{\"pgn\":\"{}\"}}", "x * ".repeat(30_000));
    let attackers = connect_some(target, 8, Windows { stream: 1, connection: 1 << 20 }).await;
    hold(target, attackers, &[(8, "/v1/analyse", Body::Post(text.into()))]).await
}

/// Clients that read everything, but ask for samples of saves, tricky lines and lists of all materials.
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
            let got = async { get_over(attacker::connect(target.address, target.peer(client)).await?, &path).await };
            tokio::select! {
                _ = got => made += 1,
                () = sleep_until(until) => {}
            }
        }
        made
    });
    join_all(clients).await.into_iter().sum()
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

/// Asks for the statistics of tables and of a sample of saves on all streams, and reads nothing.
async fn statistics_flood(target: Target) -> usize {
    let attackers = connect_some(target, 8, Windows::WIDE).await;
    attackers.iter().for_each(Attacker::stop_reading);
    let tables = TableStatisticsRequest { material: "KRvKR".to_owned(), include_longest: true }.encode_to_vec();
    let saves = SaveStatisticsRequest { material: "KRvKR".to_owned(), sample: 300 }.encode_to_vec();
    let calls = [("/makruk.v1.Tablebase/TableStatistics", tables), ("/makruk.v1.Tablebase/SaveStatistics", saves)];
    hold(target, attackers, &calls.map(|(path, request)| (STREAMS / 2, path, Body::Grpc(request.into())))).await
}

/// Idle connections, which answer pings.
async fn idle_connections(target: Target) -> usize {
    let attackers = connect(target, target.crowd, Windows::WIDE).await;
    sleep(target.time).await;
    attackers.len()
}

/// Streams on which a position comes now and then.
async fn held_calls(target: Target) -> usize {
    let connections = target.crowd.div_ceil(STREAMS).max(target.addresses);
    let mut attackers = connect(target, connections, Windows::WIDE).await;
    let each = (target.crowd / connections).clamp(1, STREAMS);
    let made = call_on_all(&mut attackers, each, PROBE_STREAM, &Body::Frames(vec![question(LONG_ANSWER)])).await;
    let until = Instant::now() + target.time;
    while Instant::now() < until {
        attackers.iter_mut().for_each(|attacker| attacker.feed(&question("x")));
        sleep(Duration::from_millis(500)).await;
    }
    made
}

/// Begins searches and reads nothing of them.
async fn held_searches(target: Target) -> usize {
    let until = Instant::now() + target.time;
    let mut made = 0;
    while Instant::now() < until {
        let mut attackers = connect(target, target.addresses.max(2), CLOSED).await;
        made += call_on_all(&mut attackers, 8, FIND_SAVES, &search()).await;
        sleep(Duration::from_millis(500)).await;
    }
    made
}

/// Batches with moves, as many at a time as the server takes, all of them read.
async fn busy_lane(target: Target) -> usize {
    let until = Instant::now() + target.time;
    let clients = (0..32.max(target.addresses)).map(async |client: usize| {
        let attacker = Attacker::connect(target.address, target.peer(client), Windows::WIDE);
        let Ok(mut attacker) = attacker.await else { return 0 };
        let mut made = 0;
        while Instant::now() < until {
            match timeout(Duration::from_secs(2), attacker.ask(PROBE_BATCH, batch(100))).await {
                Ok(Some(_)) => made += 1,
                Ok(None) => break,
                Err(_) => {}
            }
        }
        made
    });
    join_all(clients).await.into_iter().sum()
}

/// Streams positions, then frames of one byte, and reads no answer.
async fn short_frames(target: Target) -> usize {
    let mut frames = vec![question(LONG_ANSWER); 1000];
    frames.extend(std::iter::repeat_n(Bytes::from_static(b"\0"), 3000));
    let narrow = Windows { stream: 600, connection: 1 << 20 };
    let attackers = connect(target, target.connections.max(target.addresses), narrow).await;
    // Frames that the server does not take stay with the attackers.
    let each = (240 / attackers.len().max(1)).clamp(2, 12);
    hold(target, attackers, &[(each, PROBE_STREAM, Body::Frames(frames))]).await
}
