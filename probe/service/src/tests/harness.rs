//! Servers to test.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_proto::v1::{ProbeRequest, ProbeResponse};
use makruk_tables::material::Material;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::{Notify, oneshot};
use tokio::task::{JoinHandle, spawn_blocking};
use tonic::Status;
use tonic::transport::Channel;
use tonic_types::StatusExt;

use crate::backend::Backend;
use crate::{Limits, Server, Settings, Shutdown};

/// Rook against bare king, White to move and win.
pub(crate) const ROOK_WINS: &str = "8/8/8/8/3k4/8/8/R3K3 w - - 0 1";

/// A time in which everything expected happens, on however busy a machine.
pub(crate) const LONG: Duration = Duration::from_secs(300);

/// All materials of three men, KRvKR and KRPvK.
pub(crate) fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let mut materials = test_tables::materials(&["KRvKR", "KRPvK"]);
        materials.extend(Material::all(3));
        test_tables::alone(materials)
    })
}

async fn connect(address: SocketAddr) -> Channel {
    Channel::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
}

/// A client of the service.
#[derive(Clone)]
pub(crate) struct Client(TablebaseClient<Channel>);

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> Client {
        Client(TablebaseClient::new(connect(address).await))
    }

    pub(crate) async fn probe(&self, fen: &str, include_moves: bool) -> Result<ProbeResponse, Status> {
        let request = ProbeRequest { fen: fen.to_owned(), include_moves };
        self.0.clone().probe(request).await.map(|answer| answer.into_inner())
    }
}

/// A copy of the tables, to be damaged.
pub(crate) fn own_tables() -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(tables()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    copy
}

/// A server within this process.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) backend: Arc<Backend>,
    pub(crate) reload: Arc<Notify>,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<Shutdown>,
}

impl Running {
    pub(crate) async fn tables(folder: &Path) -> Running {
        Running::with(folder, Settings::default()).await
    }

    pub(crate) async fn limited(limits: Limits) -> Running {
        Running::with(tables(), Settings { limits, ..Settings::default() }).await
    }

    pub(crate) async fn with(folder: &Path, settings: Settings) -> Running {
        Running::start(Server::new(folder, settings).unwrap()).await
    }

    pub(crate) async fn start(server: Server) -> Running {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let (reload, backend) = (server.reload(), Arc::clone(&server.backend));
        let task = tokio::spawn(async move { server.run(listener, Box::pin(async { drop(stopped.await) })).await });
        let running = Running { address, backend, reload, stop: Some(stop), task };
        // The first scan is over.
        assert_eq!(super::http::get(address, "/healthz").await.status, 200);
        running
    }

    pub(crate) async fn channel(&self) -> Channel {
        connect(self.address).await
    }

    pub(crate) async fn client(&self) -> Client {
        Client::connect(self.address).await
    }

    pub(crate) async fn raw(&self) -> TablebaseClient<Channel> {
        TablebaseClient::new(self.channel().await)
    }

    /// Waits for a state of the server.
    pub(crate) async fn until(&self, holds: impl Fn(&Backend) -> bool) {
        let begun = Instant::now();
        while !holds(&self.backend) {
            assert!(begun.elapsed() < LONG, "this is never so");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until a number of requests is in progress.
    pub(crate) async fn until_requests(&self, number: usize) {
        self.until(|backend| backend.pools.requests.taken() == number).await;
    }

    pub(crate) fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    pub(crate) async fn ended(self) -> Shutdown {
        tokio::time::timeout(LONG, self.task).await.unwrap().unwrap()
    }
}

/// The failure of a probe.
pub(crate) async fn failure(client: &Client, fen: &str) -> Status {
    match client.probe(fen, true).await {
        Err(status) => status,
        Ok(answer) => panic!("{fen}: expected a failure, found {answer:?}"),
    }
}

/// The reason in a failure's details.
pub(crate) fn reason(status: &Status) -> String {
    let info = status.get_details_error_info().unwrap_or_else(|| panic!("{status:?} has no ErrorInfo"));
    assert_eq!(info.domain, "makruk.v1");
    info.reason
}

/// Threads that wait, as for a disk that does not answer, until the gate is opened.
pub(crate) struct Gate(Arc<(Mutex<bool>, Condvar)>);

/// Runs a test on a runtime with as many blocking threads.
pub(crate) fn on_threads<F: Future>(threads: usize, test: F) -> F::Output {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().max_blocking_threads(threads).build().unwrap().block_on(test)
}

impl Gate {
    /// Takes threads: requests wait for them from now on.
    pub(crate) fn shut(threads: usize) -> Gate {
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        for _ in 0..threads {
            let gate = Arc::clone(&gate);
            spawn_blocking(move || drop(gate.1.wait_while(gate.0.lock().unwrap(), |is_open| !*is_open).unwrap()));
        }
        Gate(gate)
    }

    pub(crate) fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.open();
    }
}
