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
/// The time after which a probe has failed.
const MOST: Duration = Duration::from_secs(10);

/// The probes of an innocent client.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    /// The time that each answered probe took, ascending.
    pub latencies: Vec<Duration>,
    /// Probes that were answered with anything but 200, or not at all.
    pub failed: usize,
}

impl Probes {
    /// The time within which so many in a hundred were answered.
    pub fn percentile(&self, percent: usize) -> Duration {
        let last = self.latencies.len().saturating_sub(1);
        self.latencies.get(last * percent / 100).copied().unwrap_or(Duration::MAX)
    }
}

/// A client that probes one position after another.
#[derive(Debug)]
pub struct Innocent {
    stop: watch::Sender<bool>,
    task: JoinHandle<Probes>,
}

impl Innocent {
    /// Begins to probe, each time on a connection of its own, as new visitors do.
    pub fn begin(server: SocketAddr) -> Innocent {
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(async move {
            let mut probes = Probes::default();
            while !*stopped.borrow() {
                let begun = Instant::now();
                match timeout(MOST, get(server, "/v1/probe?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1")).await {
                    Ok(Ok(answer)) if answer.starts_with("HTTP/1.1 200") => probes.latencies.push(begun.elapsed()),
                    _ => probes.failed += 1,
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
    let mut stream = TcpStream::connect(server).await?;
    let head = format!("GET {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// A metric without labels.
pub async fn metric(server: SocketAddr, name: &str) -> Option<u64> {
    let answer = get(server, "/metrics").await.ok()?;
    let line = answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    line.trim().parse().ok()
}
