//! The service: gRPC `makruk.v1`, gRPC-web, JSON over HTTP, and the page, on one port.
//!
//! - [`Server`]: the whole of it on one listener: the tables, health, reflection, metrics, and shutdown that drains;
//! - [`Settings`], [`Limits`], [`TlsFiles`]: how it is set up, what it takes on, and for how long;
//! - [`Reloader`]: has it look at its tables, tokens and certificates again;
//! - [`survive_truncated_tables`]: for processes whose tables others may cut short.
//!
//! A call passes `call` (identified, admitted, timed, counted), then speaks gRPC (`tablebase`, `stream`) or JSON (`web`,
//! and `explorer` for what only the `page` asks); all ask the `engine`, which knows none of them. Probing may block on
//! the disk, so work is done in `jobs` on tokio's blocking threads. A job owns its place among those in flight: a client
//! that goes away frees it only when the work is done; and its positions count until the answer has been written, so
//! that clients that don't read hold up only themselves. The tables are `live`: `watch` has the `catalogue` look at the
//! folder, and exchanges them when a file is another. What fails has a gRPC code, a reason for programs and a sentence
//! for people, all by one match in `status`.

mod answer;
mod auth;
mod call;
mod catalogue;
mod connection;
mod convert;
mod engine;
mod explorer;
mod explorer_json;
mod found;
mod jobs;
mod limits;
mod listen;
mod live;
mod longest;
mod method;
mod metrics;
mod page;
mod saves;
mod search;
mod search_web;
mod server;
mod settings;
mod status;
mod stream;
mod tablebase;
mod tls;
mod totals;
mod truncation;
mod watch;
mod web;
mod web_json;

pub use limits::Limits;
pub use live::OtherSource;
pub use server::{Reloader, Server, SetupError, Shutdown};
pub use settings::Settings;
pub use tls::{TlsError, TlsFiles};
pub use truncation::survive_truncated_tables;
