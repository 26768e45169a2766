//! The page: files that are built from `probe/web` and stand in the program.

use std::borrow::Cow;
use std::io::Write;
use std::sync::{Arc, LazyLock, OnceLock};

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Request, State};
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

use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::http::conditional::lists;
use crate::http::social;

/// The page as esbuild writes it; `npm run build` rebuilds it.
#[derive(RustEmbed)]
#[folder = "page"]
struct Files;

/// A file of the page.
pub(crate) struct PageFile {
    pub(crate) path: String,
    name: String,
    /// The file's content, compressed at its first request and never again.
    content: OnceLock<Option<PageContent>>,
}

struct PageContent {
    plain: Bytes,
    /// The compressed content, if that is smaller.
    gzip: Option<Bytes>,
    tag: HeaderValue,
}

/// The page's HTML, which has the address of the server itself.
const HTML: &str = "index.html";
/// The files that only a site without a server needs.
const OF_SITES: [&str; 3] = ["site.js", "makruk.wasm", "element.js"];
/// The file that only the service reads.
pub(crate) const OF_SERVICE: &str = "preview.json";

/// All files of the page: those that were built, whatever their names. The HTML has its route even if nothing was
/// built.
pub(crate) static FILES: LazyLock<Vec<PageFile>> = LazyLock::new(|| {
    let built = Files::iter().filter(|name| name != HTML && !is_unserved(name));
    std::iter::once(PageFile::new("/".to_owned(), HTML.to_owned()))
        .chain(built.map(|name| PageFile::new(format!("/{name}"), name.into_owned())))
        .collect()
});

fn is_unserved(name: &str) -> bool {
    name == OF_SERVICE || OF_SITES.contains(&name)
}

/// A file that was built with the page.
pub(crate) fn file(name: &str) -> Option<Bytes> {
    Some(bytes(Files::get(name)?.data))
}

/// The bytes of a file, which are copied only if they are not part of the program.
fn bytes(data: Cow<'static, [u8]>) -> Bytes {
    match data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::from(data),
    }
}

/// The files of the page, and those that only a site without a server needs, by name.
pub(crate) fn embedded() -> Vec<(String, Bytes)> {
    Files::iter().filter(|name| name != OF_SERVICE).filter_map(|name| Some((name.to_string(), file(&name)?))).collect()
}

/// The page loads everything from this server and nothing from elsewhere, and runs no script but its own files.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors";

/// The pages of others that may embed the page.
#[derive(Clone, Debug)]
pub(crate) struct PagePolicy {
    /// The content security policy, which names their origins.
    content: HeaderValue,
    may_be_embedded: bool,
}

/// The policy of a page that pages of these origins may embed; `None` if a text is not an origin.
pub(crate) fn page_policy(embed: &[String]) -> Option<PagePolicy> {
    let is_origin = |text: &String| {
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let is_host = |host: &str| {
            !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]*".contains(&byte))
        };
        text == "*" || host.is_some_and(is_host)
    };
    let embed: Vec<String> = embed.iter().map(|origin| origin.trim().trim_end_matches('/').to_owned()).collect();
    if !embed.iter().all(is_origin) {
        return None;
    }
    let ancestors = if embed.is_empty() { "'none'".to_owned() } else { embed.join(" ") };
    let content = HeaderValue::try_from(format!("{CONTENT_POLICY} {ancestors}")).ok()?;
    Some(PagePolicy { content, may_be_embedded: !embed.is_empty() })
}

/// The headers of a page that others may embed: those that have threads in WebAssembly embed no page without them.
const EMBEDDED_HEADERS: [(HeaderName, &str); 2] = [
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
];

/// The header in which browsers name what they load.
const FETCHED_AS: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// The headers of every response of the page, besides the content security policy.
const HEADERS: [(HeaderName, &str); 5] = [
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
        let plain = bytes(file.data);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&plain).ok()?;
        let gzip = Some(Bytes::from(encoder.finish().ok()?)).filter(|gzip| gzip.len() < plain.len());
        // Weak, as it stands for the file with and without compression.
        Some(PageContent { plain, gzip, tag: HeaderValue::try_from(format!("W/\"{hash}\"")).ok()? })
    }
}

impl PageFile {
    fn new(path: String, name: String) -> PageFile {
        PageFile { path, name, content: OnceLock::new() }
    }

    /// The content; `None` if the program was built without it.
    fn content(&self) -> Option<&PageContent> {
        self.content.get_or_init(|| PageContent::of(&self.name)).as_ref()
    }

    /// The type of the content, by the ending of the name.
    fn content_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("txt") => "text/plain; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("webmanifest") => "application/manifest+json",
            _ => "application/octet-stream",
        }
    }

    /// The route of the file. The page itself has the lines that show a link for programs that show links. Browsers,
    /// which say that they load a document, need none.
    pub(crate) fn route(&'static self, policy: PagePolicy) -> MethodRouter<Arc<Backend>> {
        get(
            async move |State(backend): State<Arc<Backend>>,
                        Extension(context): Extension<RequestContext>,
                        request: Request| {
                let (headers, uri) = (request.headers(), request.uri());
                let is_link = self.path == "/" && uri.query().is_some();
                let html = match self.content().filter(|_| is_link && !headers.contains_key(FETCHED_AS)) {
                    Some(content) => social::page(&backend, &context, &content.plain, uri, headers).await,
                    None => None,
                };
                let mut response = match html {
                    Some(html) => self.with_headers(html.into_response(), &policy),
                    None => self.respond(headers, &policy),
                };
                if is_link {
                    // The address of the picture has the host and the scheme that were asked.
                    let vary = HeaderValue::from_static("host, x-forwarded-proto, sec-fetch-dest, accept-language");
                    response.headers_mut().append(VARY, vary);
                }
                response
            },
        )
    }

    fn respond(&self, request: &HeaderMap, policy: &PagePolicy) -> Response {
        let Some(content) = self.content() else {
            return (StatusCode::NOT_FOUND, "this server was built without its page\n").into_response();
        };
        let response = if lists(request, IF_NONE_MATCH, |tag| tag.as_bytes() == content.tag.as_bytes()) {
            StatusCode::NOT_MODIFIED.into_response()
        } else if let Some(gzip) = content.gzip.as_ref().filter(|_| lists(request, ACCEPT_ENCODING, accepts_gzip)) {
            ([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))], gzip.clone()).into_response()
        } else {
            content.plain.clone().into_response()
        };
        let mut response = self.with_headers(response, policy);
        response.headers_mut().insert(ETAG, content.tag.clone());
        response
    }

    fn with_headers(&self, mut response: Response, policy: &PagePolicy) -> Response {
        let headers = response.headers_mut();
        let embedded = EMBEDDED_HEADERS.into_iter().filter(|_| policy.may_be_embedded);
        for (name, value) in HEADERS.into_iter().chain(embedded) {
            headers.insert(name, HeaderValue::from_static(value));
        }
        headers.insert(CONTENT_SECURITY_POLICY, policy.content.clone());
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type()));
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
    fn origins_that_may_embed_the_page_are_named_in_its_policy() {
        let policy = |embed: &[&str]| {
            let embed: Vec<String> = embed.iter().map(|&origin| origin.to_owned()).collect();
            page_policy(&embed).map(|policy| policy.content.to_str().unwrap_or_default().to_owned())
        };
        assert!(policy(&[]).unwrap().ends_with("; frame-ancestors 'none'"));
        let two = policy(&["https://club.example/", " http://[::1]:8080"]).unwrap();
        assert!(two.ends_with("; frame-ancestors https://club.example http://[::1]:8080"), "{two}");
        assert!(policy(&["*"]).unwrap().ends_with("frame-ancestors *"));
        for wrong in ["", "club.example", "https://", "https://a; script-src *", "https://a b", "'self'", "data:"] {
            assert_eq!(policy(&[wrong]), None, "{wrong}");
        }
    }

    #[test]
    fn every_file_is_there() {
        assert!(FILES.len() > 10, "the page was not built");
        for file in FILES.iter() {
            let content = file.content().unwrap();
            assert!(
                !content.plain.is_empty() && content.gzip.as_ref().is_none_or(|gzip| !gzip.is_empty()),
                "{}",
                file.path
            );
            assert_ne!(file.content_type(), "application/octet-stream", "{} has a type of its own", file.path);
        }
        assert!(FILES.iter().all(|file| !is_unserved(&file.name)), "those are not parts of the page");
        assert!(file(OF_SERVICE).is_some());
    }
}
