//! A well-behaved client that measures how it is answered.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// A pause between probes.
const PAUSE: Duration = Duration::from_millis(10);
/// The least time after which a probe has failed.
const PATIENCE: Duration = Duration::from_secs(10);

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

/// A client that probes one position after another.
#[derive(Debug)]
pub struct Innocent {
    stop: watch::Sender<bool>,
    task: JoinHandle<Probes>,
}

impl Innocent {
    /// Begins to ask, each time on a new connection, as new visitors do, and at least once. A probe that takes longer
    /// than `most_latency`, and ten seconds, has failed.
    pub fn begin(server: SocketAddr, path: &'static str, most_latency: Duration) -> Innocent {
        let patience = most_latency.max(PATIENCE);
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(async move {
            let mut probes = Probes::default();
            loop {
                let begun = Instant::now();
                match timeout(patience, get(server, path)).await {
                    Ok(Ok(answer)) if answer.starts_with("HTTP/1.1 200") => probes.latencies.push(begun.elapsed()),
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
