//! The service: gRPC `makruk.v1`, gRPC-web, JSON over HTTP, and the page, on one port.
//!
//! - [`Server`]: everything on one listener: the tables, health, reflection, metrics, and a shutdown that drains;
//! - [`Settings`], [`Limits`]: the settings of a server, and the load that it accepts;
//!
//! ```no_run
//! use makruk_service::{Server, Settings, Shutdown};
//! use tokio::net::TcpListener;
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::new("tables/data", Settings::default())?;
//! let listener = TcpListener::bind("127.0.0.1:50051").await?;
//! let stop = Box::pin(std::future::pending());
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
//! counts it. Then the call speaks `grpc` or `http`; both ask the `backend`, which knows neither and does its work in
//! jobs. ARCHITECTURE.md has more.

mod admission;
mod backend;
mod daily;
mod drawing;
mod grpc;
mod http;
mod listener;
mod metrics;
mod page_files;
mod server;
mod settings;
mod status;
mod tables;
#[cfg(test)]
mod tests;

pub use admission::limits::Limits;
pub use page_files::page_files;
pub use server::{Server, SetupError, Shutdown, origin};
pub use settings::Settings;
