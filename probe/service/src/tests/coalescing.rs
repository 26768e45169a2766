//! Equal requests at the same time share one probe of the tables, over both protocols.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use makruk_probe::{TableError, ValueSource};
use makruk_proto::v1::ProbeRequest;
use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_tables::rules::{CountingRules, Fen, Position};
use makruk_tables::value::{Metric, Value};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

use crate::{Server, Settings};

const FEN: &str = "8/8/8/8/3k4/8/8/R3K3 w - - 0 1";
/// The same position, written in another way.
const SAME_FEN: &str = "8/8/8/8/3k4/8/8/R3K3 w";
/// The number of clients that send the same request at a time.
const CLIENTS: usize = 8;

/// A source that counts the values that are read, and is slow for the position itself.
struct SlowSource {
    rules: CountingRules,
    root: Position,
    time: Duration,
    reads: AtomicUsize,
    root_reads: AtomicUsize,
}

impl SlowSource {
    fn new(time: Duration) -> Arc<SlowSource> {
        let root = FEN.parse::<Fen>().unwrap().position;
        let (reads, root_reads) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Arc::new(SlowSource { rules: CountingRules::MAKRUK, root, time, reads, root_reads })
    }

    /// The number of values that were read since the last call: of all positions, and of the position itself.
    fn take_reads(&self) -> (usize, usize) {
        (self.reads.swap(0, Ordering::SeqCst), self.root_reads.swap(0, Ordering::SeqCst))
    }
}

impl ValueSource for SlowSource {
    fn rules(&self) -> &CountingRules {
        &self.rules
    }

    fn value(&self, position: &Position, _: Metric) -> Result<Value, TableError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        if *position == self.root {
            self.root_reads.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(self.time);
        }
        Ok(Value::Draw)
    }
}

/// Starts a server of the source. It runs until the sender is dropped.
async fn start(source: Arc<SlowSource>) -> (SocketAddr, oneshot::Sender<()>) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::with_source(source, folder.path(), Settings::default()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(async move {
        let _folder = folder;
        server.run(listener, async { drop(stopped.await) }).await
    });
    (address, stop)
}

async fn get(address: SocketAddr, path: String) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

async fn ask_grpc(address: SocketAddr, fen: &str) -> String {
    let mut client = TablebaseClient::connect(format!("http://{address}")).await.unwrap();
    let request = ProbeRequest { fen: fen.to_owned(), include_moves: true };
    client.probe(request).await.unwrap().into_inner().fen
}

/// The values that are read for as many requests as there are clients.
async fn reads_of(source: &SlowSource, ask: impl Fn(usize) -> JoinHandle<bool>) -> (usize, usize) {
    source.take_reads();
    let asked: Vec<_> = (0..CLIENTS).map(ask).collect();
    for asked in asked {
        assert!(asked.await.unwrap());
    }
    source.take_reads()
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_requests_at_a_time_are_answered_once() {
    let source = SlowSource::new(Duration::from_millis(500));
    let (address, _stop) = start(Arc::clone(&source)).await;
    let url = |path: &str, fen: &str| format!("{path}?fen={}", fen.replace(' ', "_"));

    assert_eq!(ask_grpc(address, FEN).await, FEN);
    let alone = source.take_reads();
    assert_eq!(alone.1, 1);

    // Over both protocols, in both spellings.
    let together = reads_of(&source, |client| {
        let fen = if client % 4 < 2 { FEN } else { SAME_FEN };
        let path = url("/v1/probe", fen);
        match client % 2 {
            0 => tokio::spawn(async move { ask_grpc(address, fen).await == FEN }),
            _ => tokio::spawn(async move { get(address, path).await.starts_with("HTTP/1.1 200") }),
        }
    });
    assert_eq!(together.await, alone);

    let explored = url("/v1/explore", FEN);
    assert!(get(address, explored.clone()).await.starts_with("HTTP/1.1 200"));
    let alone = source.take_reads();
    let together = reads_of(&source, |_| {
        let path = explored.clone();
        tokio::spawn(async move { get(address, path).await.contains("\"moves\":[{") })
    });
    assert_eq!(together.await, alone);

    // A different request has an answer of its own.
    let path = url("/v1/probe", FEN);
    let (with_moves, without) = tokio::join!(get(address, path.clone()), get(address, path.clone() + "&moves=false"));
    assert!(with_moves.contains("\"moves\"") && !without.contains("\"moves\""));
    assert_eq!(source.take_reads().1, 2);
    let metrics = get(address, "/metrics".to_owned()).await;
    let shared = 2 * (CLIENTS - 1);
    assert!(metrics.contains(&format!("makruk_coalesced_total {shared}\n")), "{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn those_who_wait_are_answered_though_the_first_goes_away() {
    let source = SlowSource::new(Duration::from_millis(300));
    let (address, _stop) = start(Arc::clone(&source)).await;
    let first = tokio::spawn(ask_grpc(address, FEN));
    while source.root_reads.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let mut others = JoinSet::new();
    for _ in 0..CLIENTS {
        others.spawn(ask_grpc(address, FEN));
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    first.abort();
    assert_eq!(others.join_all().await, vec![FEN; CLIENTS]);
}
