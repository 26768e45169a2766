//! Hosts asked by HTTP.

mod host;
#[cfg(feature = "prober")]
mod parts;
#[cfg(feature = "prober")]
mod tables;

pub use self::host::{Arriving, Fault, Host, MirrorUrl, ParseMirrorUrlError};
#[cfg(feature = "prober")]
pub use self::tables::{RemoteTables, SiteError};
