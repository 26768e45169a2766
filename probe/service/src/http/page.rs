//! The page: files that are built from `probe/web` and stand in the program.

use std::io::Write;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName,
    IF_NONE_MATCH, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

use crate::http::conditional::lists;

/// The page as esbuild leaves it; `npm run build` makes it anew.
#[derive(RustEmbed)]
#[folder = "page"]
struct Files;

/// A file of the page.
pub(crate) struct PageFile {
    pub(crate) path: &'static str,
    content_type: &'static str,
    /// The file's content, compressed at its first request and never again.
    content: LazyLock<Option<PageContent>>,
}

struct PageContent {
    plain: Bytes,
    gzip: Bytes,
    tag: HeaderValue,
}

/// All files of the page.
pub(crate) static FILES: [PageFile; 4] = [
    PageFile::new("/", "text/html; charset=utf-8", || PageContent::of("index.html")),
    PageFile::new("/page.js", "text/javascript; charset=utf-8", || PageContent::of("page.js")),
    PageFile::new("/page.css", "text/css; charset=utf-8", || PageContent::of("page.css")),
    PageFile::new("/icon.svg", "image/svg+xml", || PageContent::of("icon.svg")),
];

/// The page loads everything from this server and nothing from elsewhere, runs no script but its own file, and is embedded in
/// no other page.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of every response of the page.
const HEADERS: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    // Browsers may keep it, but must revalidate it: tomorrow's server may be another version.
    (CACHE_CONTROL, "no-cache"),
    (VARY, "accept-encoding"),
];

impl PageContent {
    fn of(name: &str) -> Option<PageContent> {
        let file = Files::get(name)?;
        let hash: String = file.metadata.sha256_hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let plain = match file.data {
            std::borrow::Cow::Borrowed(data) => Bytes::from_static(data),
            std::borrow::Cow::Owned(data) => Bytes::from(data),
        };
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&plain).ok()?;
        let gzip = Bytes::from(encoder.finish().ok()?);
        // Weak, as it stands for the file with and without compression.
        Some(PageContent { plain, gzip, tag: HeaderValue::try_from(format!("W/\"{hash}\"")).ok()? })
    }
}

impl PageFile {
    const fn new(path: &'static str, content_type: &'static str, content: fn() -> Option<PageContent>) -> PageFile {
        PageFile { path, content_type, content: LazyLock::new(content) }
    }

    /// The route of the file.
    pub(crate) fn route<S: Clone + Send + Sync + 'static>(&'static self) -> MethodRouter<S> {
        get(async move |request: Request| self.respond(request.headers()))
    }

    fn respond(&self, request: &HeaderMap) -> Response {
        let Some(content) = &*self.content else {
            return (StatusCode::NOT_FOUND, "this server was built without its page\n").into_response();
        };
        let mut response = if lists(request, IF_NONE_MATCH, |tag| tag.as_bytes() == content.tag.as_bytes()) {
            StatusCode::NOT_MODIFIED.into_response()
        } else if lists(request, ACCEPT_ENCODING, accepts_gzip) {
            ([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))], content.gzip.clone()).into_response()
        } else {
            content.plain.clone().into_response()
        };
        let headers = response.headers_mut();
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(ETAG, content.tag.clone());
        response
    }
}

/// Whether a value of `accept-encoding` allows gzip.
fn accepts_gzip(value: &str) -> bool {
    let mut parts = value.split(';').map(str::trim);
    let is_gzip = parts.next().is_some_and(|coding| coding.eq_ignore_ascii_case("gzip"));
    let is_refused = parts.any(|weight| weight.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0)));
    is_gzip && !is_refused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_accept_it() {
        let accepts = |value: &'static str| {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))]);
            lists(&headers, ACCEPT_ENCODING, accepts_gzip)
        };
        assert!(accepts("gzip") && accepts("br, GZIP;q=0.5") && accepts("deflate , gzip ; q=1"));
        assert!(!accepts("br") && !accepts("gzip;q=0") && !accepts("gzip; q=0.000, br"));
    }

    #[test]
    fn every_file_is_there() {
        for file in &FILES {
            let content = file.content.as_ref().unwrap();
            assert!(!content.plain.is_empty() && !content.gzip.is_empty(), "{}", file.path);
        }
    }
}
