//! The page for people.

use std::io::Read;

use flate2::read::GzDecoder;
use makruk_service::Settings;

use crate::harness::{Running, tables};
use crate::http;

const PARTS: [(&str, &str); 7] = [
    ("/", "text/html"),
    ("/page.js", "text/javascript"),
    ("/page.css", "text/css"),
    ("/icon.svg", "image/svg+xml"),
    ("/favicon.ico", "image/x-icon"),
    ("/manifest.webmanifest", "application/manifest+json"),
    ("/worker.js", "text/javascript"),
];

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_all_there_and_takes_nothing_from_elsewhere() {
    let server = Running::tables(tables()).await;
    for (path, kind) in PARTS {
        let answer = http::get(server.address, path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.header("content-type").unwrap().starts_with(kind), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert!(policy.contains("manifest-src 'self'") && policy.contains("worker-src 'self'"), "{policy}");
        let text = String::from_utf8_lossy(&answer.body).replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("http://") && !text.contains("https://"), "{path} names another server");
    }
    let html = http::get(server.address, "/?fen=8/8/8/8/3k4/8/8/R3K3_w").await;
    for part in ["page.js", "page.css", "icon.svg", "manifest.webmanifest"] {
        assert!(html.text().contains(&format!("\"{part}\"")), "{part}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_small_and_kept() {
    let server = Running::tables(tables()).await;
    let mut sent = 0;
    for (path, _) in PARTS {
        let plain = http::get(server.address, path).await;
        let tag = plain.header("etag").unwrap();
        let known = http::send(server.address, "GET", path, &[("if-none-match", tag)], b"").await;
        assert_eq!((known.status, known.body.len()), (304, 0), "{path}");
        let other = http::send(server.address, "GET", path, &[("if-none-match", "W/\"0\"")], b"").await;
        assert_eq!((other.status, other.body.len()), (200, plain.body.len()), "{path}");
        let packed = http::send(server.address, "GET", path, &[("accept-encoding", "gzip")], b"").await;
        assert!(packed.body.len() <= plain.body.len(), "{path}");
        if packed.header("content-encoding") == Some("gzip") {
            assert_eq!(unpacked(&packed.body), plain.body, "{path}");
        }
        sent += packed.body.len();
    }
    assert!(sent < 100_000, "the page has come to {sent} bytes");
}

/// The bytes that gzip compressed.
fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_there_before_a_token_is() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "a-token-of-some-length\n").unwrap();
    let settings = Settings { token_file: Some(file.path().to_owned()), ..Settings::default() };
    let server = Running::with(tables(), settings).await;
    for (path, _) in PARTS {
        assert_eq!(http::get(server.address, path).await.status, 200, "{path}");
    }
    for path in ["/v1/explore?fen=8/8/8/8/3k4/8/8/R3K3_w", "/v1/sets", "/v1/tables/KRvK/saves", "/page"] {
        assert_eq!(http::get(server.address, path).await.status, 401, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_named_origins_may_embed_the_page() {
    let settings = Settings { embed: vec!["https://club.example".to_owned()], ..Settings::default() };
    let server = Running::with(tables(), settings).await;
    let answer = http::get(server.address, "/").await;
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.ends_with("frame-ancestors https://club.example"), "{policy}");
    let settings = Settings { embed: vec!["club.example; script-src *".to_owned()], ..Settings::default() };
    assert!(makruk_service::Server::new(tables(), settings).is_err());
}
