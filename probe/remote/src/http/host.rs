//! A host that offers tables, spoken to by HTTP.

use std::fmt;
use std::io::Read;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;

use rustls::CertificateError;
use thiserror::Error;
use ureq::config::Config;
use ureq::http::header::{CONTENT_RANGE, LOCATION, RANGE};
use ureq::http::{Response, Uri};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body, Timeout};

use crate::Catalogue;

/// The most redirects that a request follows.
const REDIRECTS: u32 = 5;

/// The most bytes of a catalogue. That of 395 tables has 10,000.
const CATALOGUE_BYTES: u64 = 1 << 22;

/// The least bytes a second, on average, at which a mirror is still used, after the first minute.
const LEAST_SPEED: u64 = 1 << 14;

/// The most connections that stay open.
pub(crate) const CONNECTIONS: usize = 8;

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

/// The reason why a host gave no bytes, as the end of a sentence about it.
#[derive(Clone, Debug, Error)]
pub enum Fault {
    /// It does not have the file.
    #[error("it has no {0}")]
    Absent(String),
    /// It cannot be reached, is slow or stopped.
    #[error("{0}")]
    Broken(String),
    /// It gave something else than was asked for.
    #[error("{0}")]
    Wrong(String),
}

impl Fault {
    /// The fault of a request that failed, or of a body that could not be read.
    pub(crate) fn of(error: ureq::Error) -> Fault {
        match error {
            ureq::Error::Timeout(Timeout::PerRead | Timeout::RecvResponse) => {
                Fault::Broken("it sends nothing".to_owned())
            }
            ureq::Error::Timeout(Timeout::Global) => Fault::Broken("it is too slow".to_owned()),
            ureq::Error::Timeout(_) => Fault::Broken("it does not answer".to_owned()),
            ureq::Error::Io(error) => match error.get_ref().and_then(|error| error.downcast_ref()) {
                Some(error) => Fault::Wrong(format!("its connection is not secure: {}", insecurity(error))),
                None => Fault::Broken(error.to_string()),
            },
            ureq::Error::Other(error) if error.is::<PrivateAddress>() => Fault::Wrong(error.to_string()),
            error => Fault::Broken(error.to_string()),
        }
    }
}

/// The fault of a connection by https.
fn insecurity(error: &rustls::Error) -> String {
    let rustls::Error::InvalidCertificate(error) = error else { return error.to_string() };
    match error {
        CertificateError::UnknownIssuer => "its certificate is not of an authority that this program knows".to_owned(),
        CertificateError::ExpiredContext { .. } => "its certificate has expired by this machine's clock".to_owned(),
        CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet by this machine's clock".to_owned()
        }
        CertificateError::Other(error) => format!("its certificate is not valid ({error})"),
        error => error.to_string(),
    }
}

/// A mirror leads to a host of a private network, or of this machine.
#[derive(Debug, Error)]
#[error("it leads to {0}, an address of a private network: if you trust it, give its own address")]
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

/// An answer: bytes on their way.
pub struct Arriving(Response<Body>);

impl Arriving {
    /// The status of HTTP.
    pub fn status(&self) -> u16 {
        self.0.status().as_u16()
    }

    /// The range that it claims to be.
    pub fn range(&self) -> Option<&str> {
        self.0.headers().get(CONTENT_RANGE)?.to_str().ok()
    }

    /// The number of bytes that are announced.
    pub fn length(&self) -> Option<u64> {
        self.0.body().content_length()
    }

    /// Reads some bytes; none at the end.
    ///
    /// # Errors
    ///
    /// The host breaks off.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        self.0.body_mut().as_reader().read(buffer).map_err(|error| Fault::of(error.into()))
    }

    /// The whole file, of at most so many bytes.
    pub(crate) fn whole(self, name: &str, most: u64) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        let read = self.0.into_body().into_reader().take(most + 1).read_to_end(&mut bytes);
        read.map_err(|error| Fault::of(error.into()))?;
        if bytes.len() as u64 > most {
            return Err(Fault::Wrong(format!("{name} has more than {most} bytes")));
        }
        Ok(bytes)
    }
}

/// A host in use.
#[derive(Debug)]
pub struct Host {
    url: MirrorUrl,
    silence: Duration,
    agent: Agent,
    site: OnceLock<Result<(MirrorUrl, Option<Catalogue>), Fault>>,
}

impl Host {
    /// A host that may be silent for some time.
    pub fn new(url: MirrorUrl, silence: Duration) -> Host {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(silence))
            .timeout_per_read(Some(silence))
            .accept_encoding("identity")
            .max_idle_connections_per_host(CONNECTIONS)
            .user_agent(concat!("makruk/", env!("CARGO_PKG_VERSION")))
            .build();
        let named = url.0.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
        let names = NamedOrPublic { named, names: DefaultResolver::default() };
        let agent = Agent::with_parts(config, DefaultConnector::default(), names);
        Host { url, silence, agent, site: OnceLock::new() }
    }

    /// The same host without connections, with what is known of it.
    pub fn reopened(&self) -> Host {
        Host { site: self.site.clone(), ..Host::new(self.url.clone(), self.silence) }
    }

    /// Its address.
    pub fn url(&self) -> &MirrorUrl {
        &self.url
    }

    /// Ends its connections.
    pub fn hang_up(&self) {
        self.agent.clone().shutdown();
    }

    /// The folder of the tables: that of the catalogue if there is one, otherwise the host's address itself.
    ///
    /// # Errors
    ///
    /// The host does not answer, or its catalogue is not one.
    pub fn tables(&self) -> Result<&MirrorUrl, Fault> {
        self.site().map(|(tables, _)| tables)
    }

    /// The folder of the tables, and the catalogue.
    pub(crate) fn site(&self) -> Result<&(MirrorUrl, Option<Catalogue>), Fault> {
        self.site.get_or_init(|| self.find_site()).as_ref().map_err(Fault::clone)
    }

    fn find_site(&self) -> Result<(MirrorUrl, Option<Catalogue>), Fault> {
        let response = self.get(&format!("{}{}", self.url, Catalogue::PATH), None, CATALOGUE_BYTES)?;
        match response.status() {
            200 => {}
            403 | 404 | 410 => return Ok((self.url.clone(), None)),
            status => return Err(Fault::Broken(format!("it answers with status {status}"))),
        }
        let file = response.whole(Catalogue::PATH, CATALOGUE_BYTES)?;
        let catalogue = Catalogue::read(&file).map_err(|error| Fault::Wrong(error.to_string()))?;
        let address = catalogue.address();
        let folder = address_after(&self.url.0, address).and_then(|url| url.parse().ok());
        let folder = folder.ok_or_else(|| Fault::Wrong(format!("its catalogue has the address {address:?}")))?;
        Ok((folder, Some(catalogue)))
    }

    /// Asks for a file, or for a range of it, such as `100-199` or `100-`. `bytes` is the most that is expected.
    ///
    /// # Errors
    ///
    /// The host does not answer, or redirects where it may not.
    pub fn get(&self, url: &str, range: Option<String>, bytes: u64) -> Result<Arriving, Fault> {
        let longest = Duration::from_secs(60 + bytes / LEAST_SPEED);
        let mut url = url.to_owned();
        for _ in 0..=REDIRECTS {
            let mut request = self.agent.get(&url).config().timeout_global(Some(longest)).build();
            if let Some(range) = &range {
                request = request.header(RANGE, format!("bytes={range}"));
            }
            let response = request.call().map_err(Fault::of)?;
            let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection());
            let Some(to) = location else { return Ok(Arriving(response)) };
            let to = String::from_utf8_lossy(to.as_bytes());
            let next = address_after(&url, &to);
            url = next.ok_or_else(|| {
                Fault::Wrong(format!("it redirects to {to}: expected http or https, and after https only https"))
            })?;
        }
        Err(Fault::Wrong(format!("it redirects more than {REDIRECTS} times")))
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
