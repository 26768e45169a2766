//! A well-behaved client that measures how it is answered.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::attacker::{Attacker, Body, Windows};

/// A pause between probes.
const PAUSE: Duration = Duration::from_millis(10);
/// The least time after which a probe has failed.
const PATIENCE: Duration = Duration::from_secs(10);

/// The last byte of the address of an innocent client that needs HTTP/2.
const INNOCENT: u8 = 254;

/// The probes of an innocent client.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    /// The time that each answered probe took, ascending.
    pub latencies: Vec<Duration>,
    /// Probes that were answered with anything but 200, or not at all.
    pub failed: usize,
}

impl Probes {
    /// The time within which `percent` percent of the probes were answered.
    pub fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.latencies.len() * percent).div_ceil(100);
        self.latencies.get(rank.saturating_sub(1)).copied().unwrap_or(Duration::MAX)
    }
}

/// A request of an innocent client.
#[derive(Clone, Copy, Debug)]
pub enum Ask {
    /// A GET, each time on a new connection, as new visitors do.
    Get(&'static str),
    /// A watch of health, of which the first status is read.
    Watch,
}

impl Ask {
    async fn is_answered(self, server: SocketAddr) -> bool {
        match self {
            Ask::Get(path) => get(server, path).await.is_ok_and(|answer| answer.starts_with("HTTP/1.1 200")),
            Ask::Watch => {
                let Ok(mut client) = Attacker::connect(server, INNOCENT, Windows::WIDE).await else { return false };
                let path = "/grpc.health.v1.Health/Watch";
                let Some(mut response) = client.ask(path, Body::Grpc(Bytes::new())).await else { return false };
                matches!(response.body_mut().data().await, Some(Ok(_)))
            }
        }
    }
}

/// A client that probes one position after another.
#[derive(Debug)]
pub struct Innocent {
    stop: watch::Sender<bool>,
    task: JoinHandle<Probes>,
}

impl Innocent {
    /// Begins to ask, again and again, and at least once. A probe that takes longer than `most_latency`, and ten
    /// seconds, has failed.
    pub fn begin(server: SocketAddr, ask: Ask, most_latency: Duration) -> Innocent {
        let patience = most_latency.max(PATIENCE);
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(async move {
            let mut probes = Probes::default();
            loop {
                let begun = Instant::now();
                match timeout(patience, ask.is_answered(server)).await {
                    Ok(true) => probes.latencies.push(begun.elapsed()),
                    _ => probes.failed += 1,
                }
                if *stopped.borrow() {
                    break;
                }
                tokio::time::sleep(PAUSE).await;
            }
            probes.latencies.sort_unstable();
            probes
        });
        Innocent { stop, task }
    }

    /// Ends the probes.
    pub async fn end(self) -> Probes {
        self.stop.send_replace(true);
        self.task.await.unwrap_or_default()
    }
}

/// The answer to a GET over HTTP/1.1, head and body.
///
/// # Errors
///
/// If the server does not answer.
pub async fn get(server: SocketAddr, path: &str) -> io::Result<String> {
    get_over(TcpStream::connect(server).await?, path).await
}

/// The same over a connection of the client's choice.
pub(super) async fn get_over(mut stream: TcpStream, path: &str) -> io::Result<String> {
    let head = format!("GET {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// A metric by its name, and its labels if it has any.
pub async fn metric(server: SocketAddr, name: &str) -> Option<u64> {
    value_of(&get(server, "/metrics").await.ok()?, name)
}

/// The value of a metric in the text of all.
pub(super) fn value_of(metrics: &str, name: &str) -> Option<u64> {
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    line.trim().parse().ok()
}
