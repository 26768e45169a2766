//! The service: gRPC `makruk.v1`, gRPC-web, JSON over HTTP, and the page, on one port.
//!
//! - [`Server`]: everything on one listener: the tables, health, reflection, metrics, and a shutdown that drains;
//! - [`Settings`], [`Limits`]: the settings of a server, and the load that it accepts;
//! - [`Reloader`]: makes a running server read its tables and tokens again;
//! - [`survive_truncated_tables`]: for processes whose tables others may cut short.
//!
//! ```no_run
//! use makruk_service::{Server, Settings, Shutdown};
//! use tokio::net::TcpListener;
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::new("tables/data", Settings::default())?;
//! let listener = TcpListener::bind("127.0.0.1:50051").await?;
//! let stop = std::future::pending();
//! assert_eq!(server.run(listener, stop).await, Shutdown::Drained);
//! # Ok(())
//! # }
//! ```
//!
//! `makruk-probe serve` is this with options. `README.md`, beside this crate's manifest, is the manual of the operator;
//! `openapi.json`
//! describes the HTTP interface, and the crate `makruk-proto` the gRPC interface.
//!
//! # Inside
//!
//! A connection comes in through the `listener`. Each of its calls passes `admission`, which names, checks, times and
//! counts it. Then the call speaks `grpc` or `http`; both ask the `backend`, which knows neither. Probing may block on
//! the disk, so the backend does its work in jobs on tokio's blocking threads. A job owns its place: a client that goes
//! away frees the place only when the work is done. Places and bytes come from pools, which all clients share by one
//! rule; answers keep theirs until they have been written. The `tables`
//! are a snapshot that is replaced when a file was replaced. Every failure has a gRPC code, a reason for programs and a
//! sentence for people: those of a question by `makruk_answers`, those of the server by `status`.

mod admission;
mod backend;
mod documents;
mod grpc;
mod http;
mod listener;
mod metrics;
mod server;
mod settings;
mod status;
mod tables;
#[cfg(test)]
mod tests;

#[cfg(feature = "schema")]
pub use crate::http::openapi::schemas;
pub use admission::limits::Limits;
pub use documents::{Document, DocumentError, page_files};
pub use makruk_tables::format::survive_truncated_tables;
pub use server::{Reloader, Server, SetupError, Shutdown};
pub use settings::Settings;
