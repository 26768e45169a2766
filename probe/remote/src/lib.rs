//! Endgame tables of Makruk on any web server, read a few hundred bytes at a time.
//!
//! Besides the tables the server has a *guide*, made from them (`publish`, behind the feature of that name). It has a
//! catalogue of all tables. For each material it has the headers and models of its tables, and the places and checksums
//! of their groups of blocks. With it, a reader knows after one fetch which bytes of a table a position needs, and can
//! check what it fetched. The tables stay files of the format.
//!
//! Nothing here fetches, except the feature `http`. A [`RemoteStore`] remembers the bytes that are wanted; the caller
//! fetches all of them at once, gives them to the store, and asks again. A [`RemoteProber`] continues a question though
//! bytes are wanted, so that it wants all that it can at a time. Only a question that has all of its bytes has an
//! answer.
//!
//! - [`Catalogue`], [`Family`], [`RemoteFile`]: what is on the server;
//! - [`RemoteStore`], [`Want`], [`GiveError`]: bytes that are here, wanted or refused;
//! - [`RemoteProber`]: attempts to answer a question with the bytes that are here;
//! - `RemoteTables`, behind the features `http` and `prober`: all of these, with a client of HTTP and a cache on disk.

#![forbid(unsafe_code)]

mod catalogue;
mod file;
mod heads;
#[cfg(feature = "http")]
mod http;
mod packed;
#[cfg(feature = "prober")]
mod prober;
#[cfg(feature = "publish")]
mod publish;
mod records;
mod shared;
mod store;
mod table;

pub use catalogue::{Catalogue, CatalogueError};
pub use file::{Family, ParseRemoteFileError, RemoteFile};
#[cfg(feature = "http")]
pub use http::{Arriving, Fault, Host, MirrorUrl, ParseMirrorUrlError};
#[cfg(all(feature = "http", feature = "prober"))]
pub use http::{RemoteTables, SiteError};
pub use packed::PackedError;
#[cfg(feature = "prober")]
pub use prober::RemoteProber;
#[cfg(feature = "publish")]
pub use publish::{PublishError, Published, Publishing, publish, write_whole};
pub use store::{GiveError, RemoteStore, Want};
