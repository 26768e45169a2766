//! The page for people: files that were built from `probe/web` and stand in the program.

use axum::Router;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::RustEmbed;
use tower_http::compression::CompressionLayer;

/// The page as esbuild leaves it; `npm run build` makes it anew.
#[derive(RustEmbed)]
#[folder = "../web/dist"]
struct Files;

/// The address of each file, the file, and what it is.
const PARTS: [(&str, &str, &str); 4] = [
    ("/", "index.html", "text/html; charset=utf-8"),
    ("/page.js", "page.js", "text/javascript; charset=utf-8"),
    ("/page.css", "page.css", "text/css; charset=utf-8"),
    ("/icon.svg", "icon.svg", "image/svg+xml"),
];

/// The page takes everything from this server and nothing from elsewhere, runs no script but its own file, and stands in no
/// other page.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Every response of the page has these.
const HEADERS: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    // It may be kept, but is asked for: the server may be another version tomorrow.
    (CACHE_CONTROL, "no-cache"),
];

/// Is this an address of the page?
pub(super) fn is_part(path: &str) -> bool {
    PARTS.iter().any(|(address, ..)| *address == path)
}

/// The page.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let part = |router: Router<S>, (address, file, kind): (&str, &'static str, &'static str)| {
        router.route(address, get(async move |request: Request| answer(request.headers(), file, kind)))
    };
    PARTS.into_iter().fold(Router::new(), part).layer(CompressionLayer::new())
}

fn answer(asked: &HeaderMap, file: &str, kind: &'static str) -> Response {
    let Some(file) = Files::get(file) else {
        return (StatusCode::NOT_FOUND, "this server was built without its page\n").into_response();
    };
    let hash: String = file.metadata.sha256_hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    // Weak, as it names the file before it is compressed.
    let tag = format!("W/\"{hash}\"");
    let is_known = asked
        .get_all(IF_NONE_MATCH)
        .iter()
        .any(|known| known.to_str().is_ok_and(|known| known.split(',').any(|known| known.trim() == tag)));
    let mut response =
        if is_known { StatusCode::NOT_MODIFIED.into_response() } else { file.data.into_owned().into_response() };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(ETAG, tag);
    }
    response
}
