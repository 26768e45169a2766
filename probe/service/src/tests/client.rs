//! Tables to test with, and a client of gRPC. The tests of the program use these too.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_proto::v1::{ProbeRequest, ProbeResponse};
use makruk_tables::material::Material;
use tonic::Status;
use tonic::transport::Channel;

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
        test_tables::alone(&test_tables::usual(materials.clone()), materials)
    })
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
        let request = ProbeRequest { fen: fen.to_owned(), include_moves };
        self.0.clone().probe(request).await.map(|answer| answer.into_inner())
    }
}
