//! How a server is set up.

use std::path::PathBuf;
use std::time::Duration;

use super::{Limits, TlsFiles};
use makruk_probe::DEFAULT_CACHE_BYTES;

/// How a server is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What it takes on.
    pub limits: Limits,
    /// Bytes of decoded blocks kept in memory.
    pub cache_bytes: usize,
    /// How often it looks whether tables have come, gone or been replaced; `None` looks only when told to
    /// ([`Reloader`](super::Reloader)).
    pub watch: Option<Duration>,
    /// TLS; without, connections are plain.
    pub tls: Option<TlsFiles>,
    /// A file of bearer tokens, one a line; without, anyone may ask. Health needs none.
    pub token_file: Option<PathBuf>,
    /// Origins whose pages may ask, such as `https://example.org`, or `*` for all; none unless told.
    pub cors: Vec<String>,
    /// Time between saying that it is going (health) and closing, for those who balance load to hear of it.
    pub leave: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            limits: Limits::DEFAULT,
            cache_bytes: DEFAULT_CACHE_BYTES,
            watch: Some(Duration::from_secs(1)),
            tls: None,
            token_file: None,
            cors: Vec::new(),
            leave: Duration::ZERO,
        }
    }
}
