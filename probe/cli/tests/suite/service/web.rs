//! The same port for the web: JSON, gRPC-web, CORS, and what looks after the server.

use std::time::Duration;

use makruk_proto::v1::{ProbeRequest, ProbeResponse};
use makruk_service::{Server, Settings};
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;

use super::harness::{Gate, ROOK_WINS, Running, another, query, tables};
use super::http::{self, escaped};

const FENS: [&str; 7] = [
    ROOK_WINS,
    "k6R/8/1K6/8/8/8/8/8 b - - 0 1",
    "k7/8/1K6/8/8/8/8/7R w - 32 33 9",
    "8/8/8/8/8/4r1k1/4R3/K7 b - 128 120 70",
    "8/8/8/3b4/8/4k3/8/K7 b",
    "8/8/8/8/3k4/8/8/RR2K3 w - - 0 1",
    "nonsense & +%",
];

#[tokio::test(flavor = "multi_thread")]
async fn json_is_that_of_the_command_line() {
    let server = Running::tables(tables()).await;
    let expected = query(tables(), &FENS.map(str::to_owned));
    for (fen, expected) in FENS.iter().zip(&expected) {
        let answer = http::probe(server.address, fen).await;
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let json = answer.json();
        match expected.get("error") {
            None => {
                assert_eq!((answer.status, &json), (200, expected), "{fen}");
                let path = format!("/v1/probe?moves=false&fen={}", escaped(fen));
                let without = http::get(server.address, &path).await.json();
                let mut expected = expected.clone();
                expected.as_object_mut().unwrap().remove("moves");
                assert_eq!(without, expected);
            }
            Some(_) => {
                let status = if expected["reason"] == "missing_table" { 404 } else { 400 };
                assert_eq!(
                    (answer.status, &json["reason"], &json["fen"]),
                    (status, &expected["reason"], &expected["fen"])
                );
                assert!(json["error"].as_str().unwrap().len() > 10);
            }
        }
    }
    // The same in one batch.
    let body = json!({ "fens": FENS, "moves": true }).to_string();
    let answer = http::send(server.address, "POST", "/v1/batch", &[], body.as_bytes()).await;
    let answers = answer.json();
    let answers = answers.as_array().unwrap();
    assert_eq!((answer.status, answers.len()), (200, FENS.len()));
    for (answer, expected) in answers.iter().zip(&expected) {
        match expected.get("error") {
            None => assert_eq!(answer, expected),
            Some(_) => assert_eq!(answer["reason"], expected["reason"]),
        }
    }
    let underscores = http::get(server.address, "/v1/probe?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1").await;
    assert_eq!(underscores.json(), expected[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_moves_and_tables_as_json() {
    let server = Running::tables(tables()).await;
    let get = async |path: &str| http::get(server.address, path).await;
    let fen = escaped(ROOK_WINS);
    let line = get(&format!("/v1/line?fen={fen}&defence=tricky")).await.json();
    assert_eq!((&line["end"], &line["category"]), (&json!("checkmate"), &json!("win")));
    let last = line["line"].as_array().unwrap().last().unwrap();
    assert!(last["san"].as_str().unwrap().ends_with('#') && last["dtm"] == 1, "{last}");
    assert!(last["attacker_moves_left"].is_number() && last["fen"].is_string());
    let play = get(&format!("/v1/play?fen={fen}&policy=fastest")).await.json();
    assert_eq!((&play["category"], &play["move"]["category"]), (&json!("win"), &json!("win")));
    let over = get(&format!("/v1/play?fen={}", escaped("k6R/8/1K6/8/8/8/8/8 b"))).await.json();
    assert_eq!((&over["move"], &over["checkmate"]), (&Json::Null, &json!(true)));
    let list = get("/v1/tables?men=4").await.json();
    assert_eq!(list["tables"][3]["material"], "KRvKR");
    let statistics = loop {
        let statistics = get("/v1/tables/KRvK?longest=true").await.json();
        if ["white", "black"].iter().all(|side| statistics["dtm"][side]["longest_pending"] != true) {
            break statistics;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert_eq!((&statistics["dtm"]["white"]["max_win_plies"], &statistics["dtz"]), (&json!(31), &Json::Null));
    assert_eq!(statistics["dtm"]["white"]["longest_win_fens"].as_array().unwrap().len(), 10);
    for (path, status, reason) in [
        ("/v1/probe", 400, "bad_request"),
        ("/v1/probe?fen=x&moves=perhaps", 400, "bad_request"),
        ("/v1/play?policy=boldest&fen=8/8/8/8/3k4/8/8/R3K3_w", 400, "bad_policy"),
        ("/v1/tables/KXvK", 400, "bad_material"),
        ("/v1/tables/KRRvK", 404, "missing_table"),
        ("/v1/nothing", 404, "not_found"),
    ] {
        let answer = get(path).await;
        assert_eq!((answer.status, &answer.json()["reason"]), (status, &json!(reason)), "{path}");
    }
    let post = async |body: &[u8]| http::send(server.address, "POST", "/v1/batch", &[], body).await;
    for (body, status, reason) in [
        (&b"no json"[..], 400, "bad_request"),
        (b"{\"fens\": [], \"move\": true}", 400, "bad_request"),
        (json!({ "fens": vec!["x"; 1001] }).to_string().as_bytes(), 400, "too_many_positions"),
        (&[b' '; 200_000], 413, "too_large"),
    ] {
        let answer = post(body).await;
        assert_eq!((answer.status, &answer.json()["reason"]), (status, &json!(reason)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn overload_over_http_says_when_to_come_again() {
    let gate = Gate::default();
    let limits = makruk_service::Limits { in_flight: 1, ..Default::default() };
    let server = Running::gated(&gate, limits).await;
    let address = server.address;
    let first = tokio::spawn(async move { http::probe(address, ROOK_WINS).await });
    gate.waiting(1).await;
    let answer = http::probe(address, &another(2)).await;
    assert_eq!((answer.status, answer.header("retry-after")), (429, Some("1")));
    assert_eq!(answer.json()["reason"], "overloaded");
    gate.open();
    assert_eq!(first.await.unwrap().status, 200);
}

/// A message in gRPC's frame.
fn framed(message: &impl prost::Message) -> Vec<u8> {
    let bytes = message.encode_to_vec();
    [&[0][..], &(bytes.len() as u32).to_be_bytes(), &bytes].concat()
}

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
        let headers = [origin, ("content-type", "application/grpc-web+proto"), ("x-grpc-web", "1")];
        let request = framed(&ProbeRequest { fen: fen.to_owned(), include_moves: true });
        http::send(server.address, "POST", path, &headers, &request).await
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

/// The value of a line of metrics.
fn metric(text: &str, name: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in\n{text}")).parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_tell_what_happened() {
    let server = Running::tables(tables()).await;
    let client = server.client().await;
    for _ in 0..5 {
        client.probe(ROOK_WINS, false).await.unwrap();
    }
    client.failure("nonsense").await;
    client.failure("8/8/8/8/3k4/8/8/RR2K3 w").await;
    http::probe(server.address, ROOK_WINS).await;
    let answer = http::get(server.address, "/metrics").await;
    assert!(answer.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    let text = answer.text();
    for (name, expected) in [
        ("makruk_calls_total{method=\"Probe\",code=\"OK\"}", 5.0),
        ("makruk_calls_total{method=\"Probe\",code=\"INVALID_ARGUMENT\"}", 1.0),
        ("makruk_calls_total{method=\"Probe\",code=\"NOT_FOUND\"}", 1.0),
        ("makruk_calls_total{method=\"GET probe\",code=\"200\"}", 1.0),
        ("makruk_call_duration_seconds_count{method=\"Probe\"}", 7.0),
        ("makruk_table_misses_total{table=\"KRRvK.dtm\"}", 1.0),
        ("makruk_positions_total", 8.0),
        ("makruk_sheds_total{limit=\"requests\"}", 0.0),
        ("makruk_tables", 11.0),
        ("makruk_tables_damaged", 0.0),
        ("makruk_ready", 1.0),
    ] {
        assert_eq!(metric(text, name), expected, "{name}");
    }
    assert!(metric(text, "makruk_table_probes_total{table=\"KRvK.dtm\"}") > 5.0);
    assert!(metric(text, "makruk_cache_hits_total") > 0.0 && metric(text, "makruk_cache_misses_total") > 0.0);
    assert!(metric(text, "makruk_connections_open") >= 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn ready_means_that_tables_are_open() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::tables(folder.path()).await;
    assert_eq!(http::get(server.address, "/healthz").await.status, 200);
    assert_eq!(http::get(server.address, "/readyz").await.status, 503);
    std::fs::copy(tables().join("KRvK.dtm"), folder.path().join("KRvK.dtm")).unwrap();
    server.reloader.reload();
    let mut tries = 0;
    while http::get(server.address, "/readyz").await.status != 200 {
        tries += 1;
        assert!(tries < 300, "never ready");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
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
    let refused = server.client().await.failure("x").await;
    assert_eq!(refused.metadata().get("x-request-id").unwrap().len(), 16);
}
