//! A host that offers tables.

use std::fmt;
use std::io::{self, Read};
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;

use makruk_format::{AnyValue, Kind, Table, TableId};
use makruk_remote::Catalogue;
use thiserror::Error;
use ureq::config::Config;
use ureq::http::header::{CONTENT_RANGE, LOCATION, RANGE};
use ureq::http::{Response, Uri};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body, Timeout};

/// The most redirects that a request follows.
const REDIRECTS: u32 = 5;

/// The most bytes of a catalogue. That of 395 tables has 10,000.
const CATALOGUE_BYTES: u64 = 1 << 22;

/// The least bytes a second, on average, at which a mirror is still used, after the first minute.
const LEAST_SPEED: u64 = 1 << 14;

/// The time in which a name is resolved, and the time in which a host accepts a connection.
const CONNECT: Duration = Duration::from_secs(15);

/// The address of a mirror: a URL with the scheme `http` or `https`, without a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorUrl(String);

/// A text that is not the address of a mirror.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected http:// or https:// with a host and a folder, such as https://example.org/makruk/")]
pub struct ParseMirrorUrlError;

impl FromStr for MirrorUrl {
    type Err = ParseMirrorUrlError;

    fn from_str(text: &str) -> Result<MirrorUrl, ParseMirrorUrlError> {
        let url = format!("{}/", text.trim_end_matches('/'));
        let uri: Uri = url.parse().map_err(|_| ParseMirrorUrlError)?;
        let has_host = uri.host().is_some_and(|host| !host.is_empty());
        let known = has_host && ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme));
        if known && !url.contains(['?', '#']) { Ok(MirrorUrl(url)) } else { Err(ParseMirrorUrlError) }
    }
}

impl fmt::Display for MirrorUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The address to which another one leads, relative or not: with the scheme `http` or `https`, and never from `https`
/// to `http`.
fn address_after(url: &str, to: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let next = if to.starts_with("//") {
        format!("{scheme}:{to}")
    } else if to.starts_with('/') {
        format!("{scheme}://{}{to}", rest.split('/').next()?)
    } else if to.split(['/', '?']).next()?.contains(':') {
        to.to_owned()
    } else {
        format!("{}/{to}", url.rsplit_once('/')?.0)
    };
    let uri: Uri = next.parse().ok()?;
    let has_host = uri.host().is_some_and(|host| !host.is_empty());
    let is_allowed = match uri.scheme_str() {
        Some("https") => true,
        Some("http") => scheme.eq_ignore_ascii_case("http"),
        _ => false,
    };
    (has_host && is_allowed).then_some(next)
}

/// The reason why a mirror gave no table.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// It does not have the file.
    Absent,
    /// It cannot be reached, is slow or stopped.
    Broken(String),
    /// It gave something else than was asked for.
    Wrong(String),
}

impl Fault {
    /// The fault of a request that failed, or of a body that could not be read.
    fn of(error: ureq::Error) -> Fault {
        match error {
            ureq::Error::Timeout(Timeout::PerRead | Timeout::RecvResponse) => {
                Fault::Broken("it sends nothing".to_owned())
            }
            ureq::Error::Timeout(Timeout::Global) => Fault::Broken("it is too slow".to_owned()),
            ureq::Error::Timeout(_) => Fault::Broken("it does not answer".to_owned()),
            // The TLS library reports certificates as invalid data.
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
                Fault::Wrong(format!("its connection is not secure: {error}"))
            }
            ureq::Error::Io(error) => Fault::Broken(error.to_string()),
            ureq::Error::Other(error) if error.is::<PrivateAddress>() => Fault::Wrong(error.to_string()),
            error => Fault::Broken(error.to_string()),
        }
    }

    /// The fault of bytes that are not the table: what they are, if that is known.
    pub(super) fn of_bytes(id: TableId, start: &[u8], otherwise: String) -> Fault {
        match Table::<_, AnyValue>::from_bytes(start, id.to_string()) {
            Err(error) if matches!(error.kind(), Kind::Older | Kind::Newer | Kind::Foreign(_)) => {
                Fault::Wrong(error.to_string())
            }
            _ => Fault::Wrong(format!("{id}: {otherwise}")),
        }
    }
}

/// A mirror leads to a host of a private network, or of this machine.
#[derive(Debug, Error)]
#[error("it leads to {0}, an address of a private network: if you trust it, name it with --from")]
struct PrivateAddress(String);

/// Looks hosts up. Addresses of a private network are allowed to the host alone that the user has named.
#[derive(Debug)]
struct NamedOrPublic {
    named: Option<String>,
    names: DefaultResolver,
}

impl Resolver for NamedOrPublic {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.names.resolve(uri, config, timeout)?;
        let is_named = uri.host() == self.named.as_deref();
        match found.iter().find(|address| !is_named && is_private(address.ip())) {
            Some(address) => Err(ureq::Error::Other(Box::new(PrivateAddress(address.to_string())))),
            None => Ok(found),
        }
    }
}

fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_unspecified(),
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unspecified() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}

/// The bytes of a file on their way.
pub(super) struct Arriving {
    /// The first byte of the file that arrives.
    pub(super) from: u64,
    response: Response<Body>,
}

impl Arriving {
    /// Reads some bytes; none at the end.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        self.response.body_mut().as_reader().read(buffer).map_err(|error| Fault::of(error.into()))
    }

    /// The first bytes, 512 at most.
    fn start(self) -> Vec<u8> {
        let mut start = Vec::new();
        // Without them, the fault is described by the length alone.
        let _ = self.response.into_body().into_reader().take(512).read_to_end(&mut start);
        start
    }
}

/// A mirror in use.
#[derive(Debug)]
pub(super) struct Mirror {
    url: MirrorUrl,
    agent: Agent,
    /// The folder of its tables.
    tables: OnceLock<Result<MirrorUrl, Fault>>,
    /// The fault for which it is used no more.
    refusal: OnceLock<Fault>,
}

impl Mirror {
    /// A mirror that may be silent for some time.
    pub(super) fn new(url: MirrorUrl, silence: Duration) -> Mirror {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(silence))
            .timeout_per_read(Some(silence))
            .accept_encoding("identity")
            .user_agent(concat!("makruk-gen/", env!("CARGO_PKG_VERSION")))
            .build();
        let named = url.0.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
        let names = NamedOrPublic { named, names: DefaultResolver::default() };
        let agent = Agent::with_parts(config, DefaultConnector::default(), names);
        Mirror { url, agent, tables: OnceLock::new(), refusal: OnceLock::new() }
    }

    /// Ends its connections.
    pub(super) fn hang_up(&self) {
        self.agent.clone().shutdown();
    }

    pub(super) fn refusal(&self) -> Option<&Fault> {
        self.refusal.get()
    }

    /// Uses it no more; returns the sentence about it if it was in use.
    pub(super) fn refuse(&self, fault: Fault) -> Option<String> {
        let reason = match &fault {
            Fault::Absent => return None,
            Fault::Broken(reason) | Fault::Wrong(reason) => format!("{} is refused: {reason}", self.url),
        };
        self.refusal.set(fault).is_ok().then_some(reason)
    }

    /// The folder of the tables: that of the catalogue if there is one, otherwise the mirror's address itself.
    fn tables(&self) -> Result<&MirrorUrl, Fault> {
        self.tables.get_or_init(|| self.find_tables()).as_ref().map_err(Fault::clone)
    }

    fn find_tables(&self) -> Result<MirrorUrl, Fault> {
        let response = self.get(&format!("{}{}", self.url, Catalogue::PATH), 0, CATALOGUE_BYTES)?;
        match response.status().as_u16() {
            200 => {}
            403 | 404 | 410 => return Ok(self.url.clone()),
            status => return Err(Fault::Broken(format!("it answers with status {status}"))),
        }
        let mut file = Vec::new();
        let read = response.into_body().into_reader().take(CATALOGUE_BYTES + 1).read_to_end(&mut file);
        read.map_err(|error| Fault::of(error.into()))?;
        if file.len() as u64 > CATALOGUE_BYTES {
            return Err(Fault::Wrong(format!("{} has more than {CATALOGUE_BYTES} bytes", Catalogue::PATH)));
        }
        let catalogue = Catalogue::read(&file).map_err(|error| Fault::Wrong(error.to_string()))?;
        let address = catalogue.address();
        let folder = address_after(&self.url.0, address).and_then(|url| url.parse().ok());
        folder.ok_or_else(|| Fault::Wrong(format!("its catalogue has the address {address:?}")))
    }

    /// Asks for a file, after its first bytes. `bytes` is the most that is expected.
    fn get(&self, url: &str, from: u64, bytes: u64) -> Result<Response<Body>, Fault> {
        let longest = Duration::from_secs(60 + bytes / LEAST_SPEED);
        let mut url = url.to_owned();
        for _ in 0..=REDIRECTS {
            let mut request = self.agent.get(&url).config().timeout_global(Some(longest)).build();
            if from > 0 {
                request = request.header(RANGE, format!("bytes={from}-"));
            }
            let response = request.call().map_err(Fault::of)?;
            let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection());
            let Some(to) = location else { return Ok(response) };
            let to = String::from_utf8_lossy(to.as_bytes());
            let next = address_after(&url, &to);
            url = next.ok_or_else(|| {
                Fault::Wrong(format!("it redirects to {to}: expected http or https, and after https only https"))
            })?;
        }
        Err(Fault::Wrong(format!("it redirects more than {REDIRECTS} times")))
    }

    /// The bytes of a table of this length, after the first ones if the host can leave these out.
    pub(super) fn open(&self, id: TableId, from: u64, length: u64) -> Result<Arriving, Fault> {
        let response = self.get(&format!("{}{id}", self.tables()?), from, length - from)?;
        let from = match response.status().as_u16() {
            200 => 0,
            206 if from > 0 => from,
            403 | 404 | 410 => return Err(Fault::Absent),
            416 => return Err(Fault::Wrong(format!("{id}: expected {length} bytes, but it has no byte {from}"))),
            status => return Err(Fault::Broken(format!("{id}: it answers with status {status}"))),
        };
        if from > 0 {
            let range = response.headers().get(CONTENT_RANGE).and_then(|range| range.to_str().ok());
            let expected = format!("bytes {from}-{}/{length}", length - 1);
            if range != Some(&expected) {
                let found = range.unwrap_or("none");
                return Err(Fault::Wrong(format!("{id}: expected the range {expected}, found {found}")));
            }
        }
        let announced = response.body().content_length();
        let arriving = Arriving { from, response };
        match announced {
            Some(bytes) if bytes != length - from => {
                let found = format!("expected {} bytes, found {bytes}", length - from);
                let start = if from == 0 { arriving.start() } else { Vec::new() };
                Err(Fault::of_bytes(id, &start, found))
            }
            _ => Ok(arriving),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_networks_are_known() {
        for (address, expected) in [
            ("127.0.0.1", true),
            ("10.1.2.3", true),
            ("192.168.0.1", true),
            ("169.254.169.254", true),
            ("0.0.0.0", true),
            ("::1", true),
            ("::ffff:10.0.0.1", true),
            ("fd00::1", true),
            ("fe80::1", true),
            ("93.184.215.14", false),
            ("2606:2800::1", false),
        ] {
            assert_eq!(is_private(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn an_address_leads_to_http_and_never_back_from_https() {
        for (url, to, next) in [
            ("http://a.example/x/y", "z", Some("http://a.example/x/z")),
            ("http://a.example/x/y", "/z?q:1", Some("http://a.example/z?q:1")),
            ("http://a.example/x/y", "//b.example/z", Some("http://b.example/z")),
            ("http://a.example/x/", "https://b.example/", Some("https://b.example/")),
            ("https://a.example/x/", "tables/", Some("https://a.example/x/tables/")),
            ("https://a.example/x/", "http://a.example/x/", None),
            ("https://a.example/x/", "HTTP://a.example/x/", None),
            ("http://a.example/", "file:///etc/passwd", None),
            ("http://a.example/", "ftp://a.example/", None),
            ("http://a.example/", "file:x", None),
            ("http://a.example/", "http:///x", None),
        ] {
            assert_eq!(address_after(url, to).as_deref(), next, "{url} {to}");
        }
    }
}
