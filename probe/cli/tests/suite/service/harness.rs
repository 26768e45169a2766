//! Tables and servers to test with.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::Duration;

use makruk_probe::{TableError, ValueSource};
use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_proto::v1::{ProbeRequest, ProbeResponse};
use makruk_service::{Limits, Reloader, Server, Settings, Shutdown};
use makruk_tables::material::Material;
use makruk_tables::rules::{CountingRules, Position};
use makruk_tables::value::{Metric, Value};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::Status;
use tonic::transport::Channel;
use tonic_types::StatusExt;

/// Rook against bare king, White to move and win.
pub(crate) const ROOK_WINS: &str = "8/8/8/8/3k4/8/8/R3K3 w - - 0 1";

/// [`ROOK_WINS`] at another move of a game: equal requests at a time would share one answer.
pub(crate) fn another(fullmove: usize) -> String {
    let (position, _) = ROOK_WINS.rsplit_once(' ').unwrap();
    format!("{position} {fullmove}")
}

/// A time in which everything expected happens, on however busy a machine.
pub(crate) const LONG: Duration = Duration::from_secs(300);

/// All materials of three men, KRvKR and KRPvK.
pub(crate) fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let mut materials = test_tables::materials(&["KRvKR", "KRPvK"]);
        materials.extend(Material::all(3));
        test_tables::alone(&test_tables::usual(materials.clone()), materials)
    })
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
    pub(crate) reloader: Reloader,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<Shutdown>,
}

impl Running {
    pub(crate) async fn tables(folder: &Path) -> Running {
        Running::with(folder, Settings::default()).await
    }

    pub(crate) async fn with(folder: &Path, settings: Settings) -> Running {
        Running::start(Server::new(folder, settings).unwrap()).await
    }

    pub(crate) async fn gated(gate: &Gate, limits: Limits) -> Running {
        let settings = Settings { limits, ..Settings::default() };
        Running::start(Server::with_source(Arc::new(gate.clone()), tables(), settings).unwrap()).await
    }

    pub(crate) async fn start(server: Server) -> Running {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let reloader = server.reloader();
        let task = tokio::spawn(async move { server.run(listener, async { drop(stopped.await) }).await });
        Running { address, reloader, stop: Some(stop), task }
    }

    pub(crate) async fn channel(&self) -> Channel {
        connect(self.address).await
    }

    pub(crate) async fn client(&self) -> Client {
        Client(self.raw().await)
    }

    pub(crate) async fn raw(&self) -> TablebaseClient<Channel> {
        TablebaseClient::new(self.channel().await)
    }

    pub(crate) fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    pub(crate) async fn ended(self) -> Shutdown {
        tokio::time::timeout(LONG, self.task).await.unwrap().unwrap()
    }
}

pub(crate) async fn connect(address: SocketAddr) -> Channel {
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
        self.0
            .clone()
            .probe(ProbeRequest { fen: fen.to_owned(), include_moves })
            .await
            .map(|answer| answer.into_inner())
    }

    /// Probes a position, which fails.
    pub(crate) async fn failure(&self, fen: &str) -> Status {
        match self.probe(fen, true).await {
            Err(status) => status,
            Ok(answer) => panic!("{fen}: expected a failure, found {answer:?}"),
        }
    }
}

/// The reason in a failure's details.
pub(crate) fn reason(status: &Status) -> String {
    let info = status.get_details_error_info().unwrap_or_else(|| panic!("{status:?} has no ErrorInfo"));
    assert_eq!(info.domain, "makruk.v1");
    info.reason
}

/// A source whose callers wait until it is opened; then every position is drawn.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<(Mutex<GateState>, Condvar)>);

#[derive(Default)]
struct GateState {
    open: bool,
    waiting: usize,
}

impl Gate {
    pub(crate) fn open(&self) {
        self.0.0.lock().unwrap().open = true;
        self.0.1.notify_all();
    }

    /// Waits until this number of callers waits at the gate.
    pub(crate) async fn waiting(&self, count: usize) {
        for _ in 0..3000 {
            if self.0.0.lock().unwrap().waiting == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{count} never came to wait");
    }
}

impl ValueSource for Gate {
    fn rules(&self) -> &CountingRules {
        &CountingRules::MAKRUK
    }

    fn value(&self, _: &Position, _: Metric) -> Result<Value, TableError> {
        let (state, changed) = &*self.0;
        let mut state = state.lock().unwrap();
        state.waiting += 1;
        while !state.open {
            state = changed.wait(state).unwrap();
        }
        state.waiting -= 1;
        Ok(Value::Draw)
    }
}
