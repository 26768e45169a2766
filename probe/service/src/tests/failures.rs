//! Failures carry a reason for programs and a sentence for people.

use std::fs;

use tonic::Code;
use tonic_types::StatusExt;

use super::faults::until;
use super::harness::{LONG, ROOK_WINS, Running, failure, own_tables, reason, tables};
use super::http;

#[tokio::test(flavor = "multi_thread")]
async fn clients_never_see_folders_of_the_server() {
    let folder = own_tables();
    let (file, sound) = (folder.path().join("KRvK.dtm"), fs::read(tables().join("KRvK.dtm")).unwrap());
    let flipped = [&sound[..200], &[!sound[200]], &sound[201..]].concat();
    for (bytes, code, expected) in [
        (&flipped[..], Code::DataLoss, "CORRUPT_TABLE"),
        (b"<html>", Code::NotFound, "MISSING_TABLE"),
        (&sound[..500], Code::Unavailable, "UNREADABLE_TABLE"),
    ] {
        fs::write(&file, bytes).unwrap();
        let server = Running::tables(folder.path()).await;
        let status = failure(&server.client().await, ROOK_WINS).await;
        assert_eq!((status.code(), reason(&status).as_str()), (code, expected), "{status}");
        let answer = http::probe(server.address, ROOK_WINS).await;
        for text in [status.message(), answer.text()] {
            assert!(text.contains("KRvK.dtm") && !text.contains(folder.path().to_str().unwrap()), "{text}");
            // They have no file that they could delete.
            assert!(!text.contains("delete"), "{text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_cannot_be_read_is_not_missing_and_concerns_no_other() {
    let folder = own_tables();
    let file = folder.path().join("KRvK.dtm");
    fs::remove_file(&file).unwrap();
    // Reading a folder is an error of the system, whoever the user is.
    fs::create_dir(&file).unwrap();
    let server = Running::tables(folder.path()).await;
    let client = server.client().await;
    let status = failure(&client, ROOK_WINS).await;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Unavailable, "UNREADABLE_TABLE"), "{status}");
    assert!(status.get_details_retry_info().is_some(), "{status}");
    let knight = "8/8/8/8/3k4/8/8/N3K3 w - - 0 1";
    assert!(client.probe(knight, true).await.is_ok());
    // It is opened again without a reload.
    fs::remove_dir(&file).unwrap();
    fs::copy(tables().join("KRvK.dtm"), &file).unwrap();
    until(&client, ROOK_WINS, Ok(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_over_http_have_a_reason_whatever_fails() {
    let server = Running::tables(tables()).await;
    for (method, path, status, expected) in [
        ("GET", "/nowhere", 404, "not_found"),
        ("POST", "/v1/probe", 405, "method_not_allowed"),
        ("DELETE", "/v1/batch", 405, "method_not_allowed"),
        ("GET", "/v1/tables/%ff", 400, "bad_request"),
        ("GET", "/v1/saves/%ff", 400, "bad_request"),
        ("GET", "/v1/probe", 400, "bad_request"),
        ("GET", "/v1/materials?men=few", 400, "bad_request"),
        ("GET", "/makruk", 400, "bad_request"),
        ("GET", "/makruk/mainline", 400, "bad_request"),
        ("GET", "/v1/tables/KRvX", 400, "bad_material"),
        ("GET", "/v1/tables/%3Cscript%3E", 400, "bad_material"),
        ("GET", "/v1/probe?fen=%3Cscript%3E", 400, "bad_fen"),
    ] {
        let answer = http::send(server.address, method, path, &[], b"").await;
        let json = answer.json();
        // An answer may repeat a part of the address. It is JSON, so that no browser reads it as HTML.
        assert_eq!(answer.header("content-type"), Some("application/json"), "{method} {path}: {answer:?}");
        assert_eq!((answer.status, json["reason"].as_str()), (status, Some(expected)), "{method} {path}: {answer:?}");
        let is_plain = |error: &str| (10..300).contains(&error.len()) && !error.contains("invalid digit");
        assert!(json["error"].as_str().is_some_and(is_plain), "{json}");
        assert_eq!(answer.header("allow").is_some(), status == 405, "{answer:?}");
    }
    // A proxy before this server may have read the other.
    let answer = http::send(server.address, "GET", "/v1/tables", &[("host", "other")], b"").await;
    assert_eq!((answer.status, answer.json()["field"].as_str()), (400, Some("host")), "{answer:?}");
    // The library of HTTP refuses an address with such a character by itself.
    for raw in ["/v1/probe?fen=<script>", "/?fen=<script>", "/v1/tables/<script>"] {
        let answer = http::get(server.address, raw).await;
        assert_eq!((answer.status, answer.text()), (400, ""));
    }
    // Together, these have more positions than a batch may have.
    let games = "[FEN \"8/8/8/8/3k4/8/8/R3K3 w\"]\n\n1. Kd2 Ke4 2. Ra4+ *\n\n".repeat(300);
    let games = serde_json::json!({ "pgn": games }).to_string();
    for (path, body, reason, field) in [
        ("/v1/batch", "no json", "bad_request", "body"),
        ("/v1/batch", "{\"fens\": [], \"move\": true}", "bad_request", "body"),
        ("/v1/analyse", "{\"text\": \"1. d4\"}", "bad_request", "body"),
        ("/v1/analyse", games.as_str(), "too_many_positions", "pgn"),
    ] {
        let answer = http::send(server.address, "POST", path, &[], body.as_bytes()).await;
        let json = answer.json();
        assert_eq!((answer.status, &json["reason"], &json["field"]), (400, &reason.into(), &field.into()), "{json}");
    }
    // A connection whose request is left unread says that it closes.
    let answer = http::send(server.address, "POST", "/v1/batch", &[], &[b' '; 200_000]).await;
    assert_eq!((answer.status, answer.header("connection")), (413, Some("close")), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_tagged_with_the_tables_they_come_from() {
    let folder = own_tables();
    let server = Running::tables(folder.path()).await;
    let path = "/v1/probe?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1";
    let answer = http::get(server.address, path).await;
    let tag = answer.header("etag").unwrap().to_owned();
    assert_eq!(answer.header("cache-control"), Some("public, max-age=60"));
    let again = http::send(server.address, "GET", path, &[("if-none-match", &tag)], b"").await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    let dialect = http::get(server.address, &path.replace("/v1/probe", "/makruk")).await;
    assert_eq!((dialect.header("etag").is_some(), dialect.header("cache-control")), (true, Some("public, max-age=60")));
    let refused = http::get(server.address, "/v1/probe?fen=x").await;
    assert_eq!((refused.header("etag"), refused.header("cache-control")), (None, Some("no-store")));
    // A request that fails does so whatever its client knows.
    for (path, status) in [("/v1/probe?fen=nonsense", 400), ("/v1/probe?fen=8/8/8/8/3k4/8/8/RR2K3_w", 404), (path, 304)]
    {
        let answer = http::send(server.address, "GET", path, &[("if-none-match", "*")], b"").await;
        assert_eq!(answer.status, status, "{path}");
    }
    // Other tables have another tag.
    fs::remove_file(folder.path().join("KNvK.dtm")).unwrap();
    let begun = std::time::Instant::now();
    while http::get(server.address, path).await.header("etag") == Some(&tag) {
        assert!(begun.elapsed() < LONG, "the tag stays");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_message_of_a_stream_is_named() {
    let server = Running::tables(tables()).await;
    let answer = http::call(server.address, "ProbeStream", &[], &[0, 0, 0, 0, 3, 0xff, 0xff, 0xff]).await;
    let trailers = String::from_utf8_lossy(&answer.body);
    assert!(trailers.contains("grpc-status:3") && trailers.contains("grpc-status-details-bin:"), "{trailers}");
}
