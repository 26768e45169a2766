//! Attacks from several addresses, which take all places of one kind and keep them.

use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use makruk_proto::v1::{FindSavesRequest, ProbeBatchRequest, ProbeStreamRequest};
use prost::Message;
use tokio::time::{Instant, sleep};

use super::Target;
use super::attacker::{Attacker, Body, Windows, framed};
use super::attackers::{LONG_ANSWER, LONG_FILE, PROBE_BATCH, STREAMS, call_on_all, connect};

const PROBE_STREAM: &str = "/makruk.v1.Tablebase/ProbeStream";
/// Bytes of a message that is never finished: one less than servers read.
const UNFINISHED: usize = (128 << 10) - 1;
/// A client that reads nothing.
const CLOSED: Windows = Windows { stream: 0, connection: 1 << 20 };

/// Opens this number of calls on each connection, and sends frames on each of them; returns the number of calls.
async fn open(attackers: &mut [Attacker], calls: usize, path: &str, frames: &[Bytes]) -> usize {
    call_on_all(attackers, calls, path, &Body::Frames(frames.to_vec())).await
}

fn question(fen: &str) -> Bytes {
    framed(&ProbeStreamRequest { fen: fen.to_owned(), include_moves: false }.encode_to_vec())
}

/// Idle connections, which answer pings.
pub(super) async fn idle_connections(target: Target) -> usize {
    let attackers = connect(target, target.crowd, Windows::WIDE).await;
    sleep(target.time).await;
    attackers.len()
}

/// Streams on which a position comes now and then.
pub(super) async fn held_calls(target: Target) -> usize {
    let connections = target.crowd.div_ceil(STREAMS).max(target.addresses);
    let mut attackers = connect(target, connections, Windows::WIDE).await;
    let each = (target.crowd / connections).clamp(1, STREAMS);
    let made = open(&mut attackers, each, PROBE_STREAM, &[question(LONG_ANSWER)]).await;
    let until = Instant::now() + target.time;
    while Instant::now() < until {
        attackers.iter_mut().for_each(|attacker| attacker.feed(&question("x")));
        sleep(Duration::from_millis(500)).await;
    }
    made
}

/// Searches whose results are not read, begun again and again.
pub(super) async fn held_searches(target: Target) -> usize {
    let search = FindSavesRequest { materials: vec!["KRvKR".to_owned()], limit: 1_000_000, ..Default::default() };
    let search = framed(&search.encode_to_vec());
    let until = Instant::now() + target.time;
    let mut made = 0;
    while Instant::now() < until {
        let mut attackers = connect(target, target.addresses.max(2), CLOSED).await;
        let ended = Body::Grpc(search.slice(5..));
        for attacker in &mut attackers {
            for _ in 0..8 {
                made += usize::from(attacker.call("/makruk.v1.Tablebase/FindSaves", ended.clone()).await);
            }
        }
        sleep(Duration::from_millis(500)).await;
    }
    made
}

/// Health watches, a few on each of many connections.
pub(super) async fn held_watches(target: Target) -> usize {
    let mut attackers = connect(target, 64.max(target.addresses), CLOSED).await;
    let watch = [framed(&[])];
    let made = open(&mut attackers, 8, "/grpc.health.v1.Health/Watch", &watch).await;
    sleep(target.time).await;
    made
}

/// Batches with moves, as many at a time as the server takes, all of them read.
pub(super) async fn busy_lane(target: Target) -> usize {
    let batch = ProbeBatchRequest { fens: vec![LONG_ANSWER.to_owned(); 500], include_moves: true };
    let batch = Bytes::from(batch.encode_to_vec());
    let until = Instant::now() + target.time;
    let clients = (0..32.max(target.addresses)).map(async |client: usize| {
        let attacker = Attacker::connect(target.address, target.peer(client), Windows::WIDE);
        let Ok(mut attacker) = attacker.await else { return 0 };
        let mut made = 0;
        while Instant::now() < until {
            let asked = attacker.ask(PROBE_BATCH, Body::Grpc(batch.clone()));
            match tokio::time::timeout(Duration::from_secs(2), asked).await {
                Ok(Some(_)) => made += 1,
                Ok(None) => break,
                Err(_) => {}
            }
        }
        made
    });
    join_all(clients).await.into_iter().sum()
}

/// Messages of which the last byte never comes.
pub(super) async fn unfinished_messages(target: Target) -> usize {
    let mut begin = vec![0];
    begin.extend((UNFINISHED as u32 + 1).to_be_bytes());
    begin.resize(5 + UNFINISHED, b'x');
    let mut attackers = connect(target, target.crowd.div_ceil(200).max(target.addresses), Windows::WIDE).await;
    let each = (target.crowd / attackers.len().max(1)).clamp(1, STREAMS);
    let made = open(&mut attackers, each, PROBE_STREAM, &[begin.into()]).await;
    sleep(target.time).await;
    made
}

/// Long files that fill a socket.
const FILL: usize = 60;

/// Answers without a body on sockets that are never read.
pub(super) async fn unread_heads(target: Target) -> usize {
    let mut attackers = connect(target, 64.max(target.addresses), Windows::WIDE).await;
    attackers.iter().for_each(Attacker::stop_reading);
    let fill = call_on_all(&mut attackers, FILL, LONG_FILE, &Body::Get).await;
    let heads = call_on_all(&mut attackers, STREAMS - FILL, LONG_FILE, &Body::Head).await;
    sleep(target.time).await;
    fill + heads
}

/// Streams whose answers are not read, a message in each frame.
pub(super) async fn unread_streams(target: Target) -> usize {
    frames(target, &vec![question(LONG_ANSWER); 2000]).await
}

/// The same in frames of one byte.
pub(super) async fn short_frames(target: Target) -> usize {
    let mut all = vec![question(LONG_ANSWER); 1000];
    all.extend(std::iter::repeat_n(Bytes::from_static(b"\0"), 3000));
    frames(target, &all).await
}

async fn frames(target: Target, frames: &[Bytes]) -> usize {
    let narrow = Windows { stream: 600, connection: 1 << 20 };
    let mut attackers = connect(target, target.connections.max(target.addresses), narrow).await;
    // Frames that the server does not take stay with the attackers.
    let each = (240 / attackers.len().max(1)).clamp(2, 12);
    let made = open(&mut attackers, each, PROBE_STREAM, frames).await;
    sleep(target.time).await;
    made
}
