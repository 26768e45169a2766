//! Tokens.

use std::fs;

use makruk_proto::v1::ProbeRequest;
use tonic::{Code, Request, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use super::harness::{ROOK_WINS, Running, reason, tables};
use super::http;
use crate::Settings;

#[tokio::test(flavor = "multi_thread")]
async fn calls_need_a_token_and_health_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens");
    fs::write(&file, "secret-one\nsecret-two\n").unwrap();
    let settings = Settings { token_file: Some(file.clone()), ..Settings::default() };
    let server = Running::with(tables(), settings).await;
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
    server.reload.notify_one();
    let mut tries = 0;
    while ask(Some("secret-three")).await.is_err() {
        tries += 1;
        assert!(tries < 300, "the new token is never known");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert!(ask(Some("secret-one")).await.is_err());
}
