//! The same port for the web: JSON, gRPC-web, CORS, and what looks after the server.

use makruk_proto::v1::{ProbeRequest, ProbeResponse};
use tokio::net::TcpListener;

use super::harness::{ROOK_WINS, Running, failure, tables};
use super::http;
use crate::{Server, Settings};

#[tokio::test(flavor = "multi_thread")]
async fn grpc_web_from_a_page() {
    let settings = Settings { cors: vec!["https://pages.example".to_owned()], ..Settings::default() };
    let server = Running::with(tables(), settings).await;
    let origin = ("origin", "https://pages.example");
    // The browser sends a preflight request.
    let wants = [
        origin,
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type,x-grpc-web"),
    ];
    let path = "/makruk.v1.Tablebase/Probe";
    let may = http::send(server.address, "OPTIONS", path, &wants, b"").await;
    assert_eq!(may.header("access-control-allow-origin"), Some("https://pages.example"));
    assert!(may.header("access-control-allow-headers").unwrap().contains("x-grpc-web"));
    let others = [("origin", "https://other.example"), wants[1], wants[2]];
    let may_not = http::send(server.address, "OPTIONS", path, &others, b"").await;
    assert_eq!(may_not.header("access-control-allow-origin"), None);

    let ask = async |fen: &str| {
        let request = http::framed(&ProbeRequest { fen: fen.to_owned(), include_moves: true });
        http::call(server.address, "Probe", &[origin], &request).await
    };
    let answer = ask(ROOK_WINS).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/grpc-web+proto")));
    assert!(answer.header("access-control-expose-headers").unwrap().contains("grpc-status-details-bin"));
    let length = u32::from_be_bytes(answer.body[1..5].try_into().unwrap()) as usize;
    let message: ProbeResponse = prost::Message::decode(&answer.body[5..5 + length]).unwrap();
    assert_eq!(message, server.client().await.probe(ROOK_WINS, true).await.unwrap());
    let trailers = &answer.body[5 + length..];
    assert!(trailers[0] == 0x80 && String::from_utf8_lossy(trailers).contains("grpc-status:0"), "{trailers:?}");
    let failure = ask("nonsense").await;
    assert_eq!(failure.header("grpc-status"), Some("3"));
    assert!(failure.header("grpc-status-details-bin").is_some());

    let plain = http::send(server.address, "GET", "/v1/probe?fen=x", &[origin], b"").await;
    assert_eq!(plain.header("access-control-allow-origin"), Some("https://pages.example"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_option_no_page_may_ask() {
    let server = Running::tables(tables()).await;
    let answer = http::send(server.address, "GET", "/v1/tables", &[("origin", "https://pages.example")], b"").await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, None));
    for bad in ["pages.example", "https://", "https://pages.example/", "\n"] {
        let settings = Settings { cors: vec![bad.to_owned()], ..Settings::default() };
        assert!(Server::new(tables(), settings).is_err(), "{bad:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_tell_what_happened() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    for _ in 0..5 {
        client.probe(ROOK_WINS, false).await.unwrap();
    }
    failure(&client, "nonsense").await;
    failure(&client, "8/8/8/8/3k4/8/8/RR2K3 w").await;
    http::probe(server.address, ROOK_WINS).await;
    let answer = http::get(server.address, "/metrics").await;
    assert!(answer.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    let metric = |name: &str| -> f64 {
        let line = answer.text().lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in\n{}", answer.text())).parse().unwrap()
    };
    for (name, expected) in [
        ("makruk_calls_total{method=\"Probe\",code=\"OK\"}", 5.0),
        ("makruk_calls_total{method=\"Probe\",code=\"INVALID_ARGUMENT\"}", 1.0),
        ("makruk_calls_total{method=\"Probe\",code=\"NOT_FOUND\"}", 1.0),
        ("makruk_calls_total{method=\"GET probe\",code=\"200\"}", 1.0),
        ("makruk_call_duration_seconds_count{method=\"Probe\"}", 7.0),
        ("makruk_table_misses_total{table=\"KRRvK.dtm\"}", 1.0),
        ("makruk_positions_total", 8.0),
        ("makruk_sheds_total{limit=\"requests\"}", 0.0),
        ("makruk_tables", 19.0),
        ("makruk_tables_damaged", 0.0),
        ("makruk_ready", 1.0),
    ] {
        assert_eq!(metric(name), expected, "{name}");
    }
    assert!(metric("makruk_table_probes_total{table=\"KRvK.dtm\"}") > 5.0);
    assert!(metric("makruk_cache_hits_total") > 0.0 && metric("makruk_cache_misses_total") > 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_may_have_a_port_of_their_own() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let admin = listener.local_addr().unwrap();
    let server = Running::start(Server::new(tables(), Settings::default()).unwrap().with_admin(listener)).await;
    for path in ["/metrics", "/healthz", "/readyz"] {
        assert_eq!(http::get(admin, path).await.status, 200, "{path}");
    }
    assert_eq!(http::get(admin, "/v1/tables").await.status, 404);
    assert_eq!(http::get(server.address, "/metrics").await.status, 404);
    assert_eq!(http::get(server.address, "/readyz").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_a_request_id() {
    let server = Running::tables(tables()).await;
    let id = async |given: &[(&str, &str)]| {
        let answer = http::send(server.address, "GET", "/v1/probe?fen=x", given, b"").await;
        answer.header("x-request-id").unwrap().to_owned()
    };
    assert_eq!(id(&[("x-request-id", "page-17")]).await, "page-17");
    assert_ne!(id(&[]).await, id(&[]).await);
    let mut request = tonic::Request::new(ProbeRequest { fen: ROOK_WINS.to_owned(), include_moves: false });
    request.metadata_mut().insert("x-request-id", "bot-4".parse().unwrap());
    let answer = server.raw().await.probe(request).await.unwrap();
    assert_eq!(answer.metadata().get("x-request-id").unwrap(), "bot-4");
    let refused = failure(&server.client().await, "x").await;
    assert_eq!(refused.metadata().get("x-request-id").unwrap().len(), 16);
}
