//! TLS, mutual TLS, and tokens.

use std::fs;
use std::path::Path;

use makruk_proto::v1::ProbeRequest;
use makruk_proto::v1::tablebase_client::TablebaseClient;
use makruk_service::{Server, Settings, TlsFiles};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::TempDir;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Identity};
use tonic::{Code, Request, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use super::harness::{Client, ROOK_WINS, Running, reason, tables};
use super::http;

/// An authority and the certificates that it has signed, as files.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: TempDir,
}

impl Authority {
    pub(crate) fn new() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("authority.pem"), issuer.pem()).unwrap();
        Authority { issuer, folder }
    }

    /// Signs a certificate for `localhost` and writes it and its key.
    pub(crate) fn sign(&self, name: &str) -> Identity {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        fs::write(self.folder.path().join(format!("{name}.pem")), certificate.pem()).unwrap();
        fs::write(self.folder.path().join(format!("{name}.key")), key.serialize_pem()).unwrap();
        Identity::from_pem(certificate.pem(), key.serialize_pem())
    }

    pub(crate) fn files(&self, name: &str, clients: Option<&Path>) -> TlsFiles {
        TlsFiles {
            certificate: self.folder.path().join(format!("{name}.pem")),
            key: self.folder.path().join(format!("{name}.key")),
            client_authorities: clients.map(Path::to_owned),
        }
    }

    pub(crate) fn trusted(&self) -> ClientTlsConfig {
        ClientTlsConfig::new().ca_certificate(Certificate::from_pem(self.issuer.pem())).domain_name("localhost")
    }
}

async fn probe(server: &Running, tls: ClientTlsConfig) -> Result<(), Box<dyn std::error::Error>> {
    let endpoint = Channel::from_shared(format!("https://{}", server.address))?.tls_config(tls)?;
    let mut client = TablebaseClient::new(endpoint.connect().await?);
    client.probe(ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false }).await?;
    Ok(())
}

fn with_tls(files: TlsFiles) -> Settings {
    Settings { tls: Some(files), ..Settings::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_is_spoken_and_certificates_are_exchanged_under_way() {
    let (ours, others) = (Authority::new(), Authority::new());
    ours.sign("server");
    let server = Running::with(tables(), with_tls(ours.files("server", None))).await;
    probe(&server, ours.trusted()).await.unwrap();
    assert!(probe(&server, others.trusted()).await.is_err());
    let plain = Channel::from_shared(format!("http://{}", server.address)).unwrap().connect().await;
    let answered = match plain {
        Ok(channel) => {
            TablebaseClient::new(channel).list_tables(makruk_proto::v1::ListTablesRequest::default()).await.is_ok()
        }
        Err(_) => false,
    };
    assert!(!answered, "plain text is not understood");

    // A certificate of another authority takes its place, and connections that are open stay so.
    let endpoint = Channel::from_shared(format!("https://{}", server.address)).unwrap();
    let open = endpoint.tls_config(ours.trusted()).unwrap().connect().await.unwrap();
    others.sign("server");
    for end in ["pem", "key"] {
        fs::copy(others.folder.path().join(format!("server.{end}")), ours.folder.path().join(format!("server.{end}")))
            .unwrap();
    }
    server.reloader.reload();
    let mut tries = 0;
    while probe(&server, others.trusted()).await.is_err() {
        tries += 1;
        assert!(tries < 300, "the new certificate is never shown");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert!(probe(&server, ours.trusted()).await.is_err());
    let request = ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false };
    assert!(TablebaseClient::new(open).probe(request).await.is_ok());

    // A certificate that cannot be read changes nothing.
    fs::write(ours.folder.path().join("server.pem"), "nothing").unwrap();
    server.reloader.reload();
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    probe(&server, others.trusted()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn mutual_tls_asks_clients_for_certificates() {
    let (ours, clients, others) = (Authority::new(), Authority::new(), Authority::new());
    ours.sign("server");
    let files = ours.files("server", Some(&clients.folder.path().join("authority.pem")));
    let server = Running::with(tables(), with_tls(files)).await;
    probe(&server, ours.trusted().identity(clients.sign("client"))).await.unwrap();
    assert!(probe(&server, ours.trusted()).await.is_err());
    assert!(probe(&server, ours.trusted().identity(others.sign("client"))).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_make_no_tls_are_named() {
    let (ours, others) = (Authority::new(), Authority::new());
    ours.sign("server");
    others.sign("server");
    let missing = Path::new("/nonexistent/file.pem");
    let mistake = |files: TlsFiles| Server::new(tables(), with_tls(files)).err().unwrap().to_string();
    let sound = || ours.files("server", None);
    assert!(mistake(TlsFiles { certificate: missing.to_owned(), ..sound() }).contains("/nonexistent/file.pem"));
    assert!(mistake(TlsFiles { key: missing.to_owned(), ..sound() }).contains("/nonexistent/file.pem"));
    assert!(mistake(ours.files("server", Some(missing))).contains("/nonexistent/file.pem"));
    let empty = ours.folder.path().join("empty.pem");
    fs::write(&empty, "no PEM in here").unwrap();
    assert!(mistake(TlsFiles { certificate: empty.clone(), ..sound() }).contains("holds no certificate"));
    assert!(mistake(ours.files("server", Some(&empty))).contains("holds no certificate"));
    let foreign = others.folder.path().join("server.key");
    assert!(mistake(TlsFiles { key: foreign, ..sound() }).contains("server.key"));
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_need_a_token_and_health_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens");
    fs::write(&file, "secret-one\nsecret-two\n").unwrap();
    let settings = Settings { token_file: Some(file.clone()), ..Settings::default() };
    let server = Running::with(tables(), settings.clone()).await;
    let ask = async |token: Option<&str>| -> Result<(), Status> {
        let mut request = Request::new(ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false });
        if let Some(token) = token {
            request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        server.raw().await.probe(request).await.map(|_| ())
    };
    for token in ["secret-one", "secret-two"] {
        ask(Some(token)).await.unwrap();
    }
    for token in [None, Some("secret"), Some("")] {
        let status = ask(token).await.unwrap_err();
        assert_eq!((status.code(), reason(&status).as_str()), (Code::Unauthenticated, "UNAUTHENTICATED"));
        assert!(!status.message().contains("secret-"));
    }
    let get = async |path: &str, headers: &[(&str, &str)]| http::send(server.address, "GET", path, headers, b"").await;
    for path in ["/v1/tables", "/v1/probe?fen=x", "/metrics", "/nowhere"] {
        let answer = get(path, &[]).await;
        assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some("Bearer")), "{path}");
        assert_ne!(get(path, &[("authorization", "Bearer secret-one")]).await.status, 401);
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(get(path, &[]).await.status, 200);
    }
    let mut health = HealthClient::new(server.channel().await);
    assert!(health.check(HealthCheckRequest::default()).await.is_ok());

    // Tokens are exchanged while the server runs.
    fs::write(&file, "secret-three\n").unwrap();
    server.reloader.reload();
    let mut tries = 0;
    while ask(Some("secret-three")).await.is_err() {
        tries += 1;
        assert!(tries < 300, "the new token is never known");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert!(ask(Some("secret-one")).await.is_err());
    // A file without tokens does not admit everyone.
    fs::write(&file, "# none\n").unwrap();
    assert!(Server::new(tables(), settings).is_err());
    server.reloader.reload();
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert!(ask(None).await.is_err() && ask(Some("secret-three")).await.is_ok());
    assert!(Client::connect(server.address).await.probe(ROOK_WINS, false).await.is_err());
}
