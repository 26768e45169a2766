//! The settings of a server.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use makruk_probe::DEFAULT_CACHE_BYTES;

use crate::admission::limits::Limits;

/// The settings of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The load that it accepts.
    pub limits: Limits,
    /// Bytes of decoded blocks kept in memory.
    pub cache_bytes: usize,
    /// Time between scans of the folder for tables that were added, removed or replaced; `None` scans only on
    /// [a reload](crate::Server::reload).
    pub watch: Option<Duration>,
    /// A file of bearer tokens, one a line; `None` admits everyone. Health needs no token.
    pub token_file: Option<PathBuf>,
    /// Proxies that are trusted to name their clients in the header `x-forwarded-for`; none by default.
    pub trusted_proxies: Vec<IpAddr>,
    /// Origins whose pages may call the server, such as `https://example.org`, or `*` for all; none by default.
    pub cors: Vec<String>,
    /// Origins whose pages may embed the page in a frame, such as `https://example.org`, or `*` for all; none by
    /// default.
    pub embed: Vec<String>,
    /// Time between reporting NOT_SERVING and closing the listener, in which load balancers can react.
    pub lame_duck: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            limits: Limits::default(),
            cache_bytes: DEFAULT_CACHE_BYTES,
            watch: Some(Duration::from_secs(1)),
            token_file: None,
            trusted_proxies: Vec::new(),
            cors: Vec::new(),
            embed: Vec::new(),
            lame_duck: Duration::ZERO,
        }
    }
}
