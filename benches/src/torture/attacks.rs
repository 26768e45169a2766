//! The attacks.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use makruk_proto::v1::{ProbeBatchRequest, TableStatisticsRequest};
use prost::Message;
use tokio::time::{Instant, sleep, sleep_until};

use super::Target;
use super::attacker::{Attacker, Body, Windows};
use super::innocent::get;

/// A position with a long answer.
const LONG_ANSWER: &str = "8/8/8/8/3k4/8/8/R3K3 w - - 0 1";
const PROBE_BATCH: &str = "/makruk.v1.Tablebase/ProbeBatch";
/// Streams that a connection opens, fewer than servers allow.
const STREAMS: usize = 250;

/// An attack.
#[derive(Clone, Copy)]
pub struct Attack {
    /// Its name.
    pub name: &'static str,
    /// The course of the attack.
    pub about: &'static str,
    run: fn(Target) -> Pin<Box<dyn Future<Output = usize> + Send>>,
}

impl Attack {
    /// Attacks for the time of the target; returns the number of calls that were made.
    pub async fn run(&self, target: Target) -> usize {
        (self.run)(target).await
    }
}

/// Attacks by name, course and function.
macro_rules! attacks {
    ($($name:literal, $about:literal, $run:expr;)*) => {
        &[$(Attack { name: $name, about: $about, run: |target| Box::pin($run(target)) }),*]
    };
}

/// All attacks.
pub const ATTACKS: &[Attack] = attacks! {
    "unread-page", "asks for the page's script on all streams and never reads the socket",
        async |target| unread_page(target, Peers::One).await;
    "unread-crowd", "does the same from an address of its own on each connection",
        async |target| unread_page(target, Peers::Many).await;
    "narrow-window", "asks for batches with moves and takes a byte of each", narrow_window;
    "window-zero", "takes nothing of its batches, but all of /healthz now and then", window_zero;
    "headers-only", "begins calls whose message never comes", headers_only;
    "watch-flood", "watches health on all streams", watch_flood;
    "no-games", "has texts analysed that are no games", no_games;
    "dear-requests", "asks for samples of saves, tricky lines and lists of all materials", dear_requests;
    "statistics-flood", "asks for the statistics of all tables over and over", statistics_flood;
};

/// The addresses of the attackers, if they can choose.
#[derive(Clone, Copy)]
enum Peers {
    One,
    Many,
}

async fn connect(target: Target, connections: usize, windows: Windows) -> Vec<Attacker> {
    connect_from(Peers::One, target, connections, windows).await
}

async fn connect_from(peers: Peers, target: Target, connections: usize, windows: Windows) -> Vec<Attacker> {
    let connections = connections.min(target.connections);
    let attackers = join_all((0..connections).map(|number| {
        let peer = match peers {
            Peers::One => 1,
            Peers::Many => 1 + (number % 250) as u8,
        };
        Attacker::connect(target.address, peer, windows)
    }));
    attackers.await.into_iter().flatten().collect()
}

/// Makes so many calls on each connection; returns the number of calls made.
async fn call_on_all(attackers: &mut [Attacker], calls: usize, path: &str, body: &Body) -> usize {
    let each = attackers.iter_mut().map(async |attacker| {
        let mut made = 0;
        while made < calls && attacker.call(path, body.clone()).await {
            made += 1;
        }
        made
    });
    // A server that allows fewer streams per connection keeps the others waiting.
    let limited = each.map(async |calls| tokio::time::timeout(Duration::from_secs(2), calls).await.unwrap_or(0));
    join_all(limited).await.into_iter().sum()
}

fn batch() -> Body {
    let request = ProbeBatchRequest { fens: vec![LONG_ANSWER.to_owned(); 1000], include_moves: true };
    Body::Grpc(request.encode_to_vec().into())
}

async fn unread_page(target: Target, peers: Peers) -> usize {
    let mut attackers = connect_from(peers, target, 20, Windows::WIDE).await;
    attackers.iter().for_each(Attacker::stop_reading);
    let made = call_on_all(&mut attackers, STREAMS, "/page.js", &Body::Get).await;
    sleep(target.time).await;
    made
}

async fn narrow_window(target: Target) -> usize {
    let mut attackers = connect(target, 20, Windows { stream: 1, connection: 1 << 20 }).await;
    let made = call_on_all(&mut attackers, 16, PROBE_BATCH, &batch()).await;
    sleep(target.time).await;
    made
}

async fn window_zero(target: Target) -> usize {
    let mut attackers = connect(target, 8, Windows { stream: 0, connection: 1 << 20 }).await;
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
    let mut attackers = connect(target, 20, Windows::WIDE).await;
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
    let mut attackers = connect(target, 20, Windows { stream: 0, connection: 1 << 20 }).await;
    let made = call_on_all(&mut attackers, STREAMS, "/grpc.health.v1.Health/Watch", &Body::Grpc(Bytes::new())).await;
    sleep(target.time).await;
    made
}

async fn no_games(target: Target) -> usize {
    let mut attackers = connect(target, 8, Windows { stream: 1, connection: 1 << 20 }).await;
    let text = format!("{{\"pgn\":\"{}\"}}", "x * ".repeat(30_000));
    let made = call_on_all(&mut attackers, 8, "/v1/analyse", &Body::Post(text.into())).await;
    sleep(target.time).await;
    made
}

/// Clients that read everything, but make expensive requests.
async fn dear_requests(target: Target) -> usize {
    let until = Instant::now() + target.time;
    let clients = (0..48).map(async |client: usize| {
        let mut made = 0;
        while Instant::now() < until {
            let path = match client % 3 {
                0 => format!("/v1/saves/KRvKR?sample={}", 1000 - made % 900),
                1 => "/v1/line?defence=tricky&fen=8/8/8/8/3k4/8/8/R3K2r_w_-_-_0_1".to_owned(),
                _ => "/v1/sets".to_owned(),
            };
            tokio::select! {
                _ = get(target.address, &path) => made += 1,
                () = sleep_until(until) => {}
            }
        }
        made
    });
    join_all(clients).await.into_iter().sum()
}

async fn statistics_flood(target: Target) -> usize {
    let mut attackers = connect(target, 8, Windows::WIDE).await;
    let request = TableStatisticsRequest { material: "KRvKR".to_owned(), include_longest: true };
    let body = Body::Grpc(request.encode_to_vec().into());
    attackers.iter().for_each(Attacker::stop_reading);
    let made = call_on_all(&mut attackers, STREAMS, "/makruk.v1.Tablebase/TableStatistics", &body).await;
    sleep(target.time).await;
    made
}
