//! The page, as browsers and other programs ask for it.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName,
    IF_NONE_MATCH, LINK, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};

use crate::backend::Backend;
use crate::http::conditional::lists;
use crate::http::social;
use crate::page_files::{Files, HTML, compressed};

/// The page loads everything from this server and nothing from elsewhere, and runs no script but its own files.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors";

/// The headers of every response of the page, besides the content security policy.
const HEADERS: [(HeaderName, &str); 4] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    // Browsers may keep it, but must revalidate it: tomorrow's server may be another version.
    (CACHE_CONTROL, "no-cache"),
];

/// Without these headers, pages that are cross-origin isolated (as WebAssembly threads need) cannot embed this one.
const EMBEDDED_HEADERS: [(HeaderName, &str); 2] = [
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
];

/// The header in which browsers name what they load.
const FETCHED_AS: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// The headers of a page that pages of these origins may embed.
pub(crate) fn page_headers(embed: &[String]) -> HeaderMap {
    let ancestors = if embed.is_empty() { "'none'".to_owned() } else { embed.join(" ") };
    let policy = HeaderValue::try_from(format!("{CONTENT_POLICY} {ancestors}")).expect("origins are of plain letters");
    let embedded = EMBEDDED_HEADERS.into_iter().filter(|_| !embed.is_empty());
    let fixed = HEADERS.into_iter().chain(embedded).map(|(name, value)| (name, HeaderValue::from_static(value)));
    fixed.chain([(CONTENT_SECURITY_POLICY, policy)]).collect()
}

/// The route of a file.
pub(crate) fn route(name: Cow<'static, str>) -> MethodRouter<Arc<Backend>> {
    get(async move |State(backend): State<Arc<Backend>>, request: Parts| {
        let mut response = respond(&backend, &name, &request).await;
        response.headers_mut().extend(backend.page_headers.clone());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type(&name)));
        response
    })
}

/// A file. The page itself has the lines that show a link for programs that show links. Browsers, which say that they
/// load a document, need none.
async fn respond(backend: &Backend, name: &str, request: &Parts) -> Response {
    let Some(file) = Files::get(name) else {
        return (StatusCode::NOT_FOUND, "this server was built without its page\n").into_response();
    };
    // The address of the picture has the host and the scheme that were asked; the result needs a token.
    let is_link = name == HTML && request.uri.query().is_some();
    let vary = is_link.then_some([(VARY, "host, x-forwarded-proto, sec-fetch-dest, accept-language, authorization")]);
    if is_link
        && !request.headers.contains_key(FETCHED_AS)
        && let Some(html) = social::page(backend, &file.data, request).await
    {
        return (vary, html).into_response();
    }
    // Weak, as it stands for the file with and without a proxy's compression.
    let hash: String = file.metadata.sha256_hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("W/\"{hash}\"");
    let content = if lists(&request.headers, IF_NONE_MATCH, |known| known == tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else if lists(&request.headers, ACCEPT_ENCODING, |coding| matches!(coding.split(';').next(), Some("gzip"))) {
        ([(CONTENT_ENCODING, "gzip")], compressed(name, &file.data)).into_response()
    } else {
        Bytes::from_owner(file.data).into_response()
    };
    let mut response = (vary, [(ETAG, tag)], content).into_response();
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    if name == HTML {
        // Browsers fetch the words beside the scripts. A reader who has chosen another language gets those later.
        let words = format!("<{}.js>; rel=\"modulepreload\"", social::language(request));
        response.headers_mut().extend(HeaderValue::try_from(words).map(|words| (LINK, words)));
        response.headers_mut().append(VARY, HeaderValue::from_static("accept-language"));
    }
    response
}

/// The type of a file's content, by the ending of its name.
fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
