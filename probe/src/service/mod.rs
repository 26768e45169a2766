//! The gRPC service `makruk.v1`.
//!
//! - [`Server`]: the whole of it on one listener: the tables, health, reflection, and shutdown that drains;
//! - [`TablebaseService`]: the tables alone, to be added to another tonic server;
//! - [`Limits`]: what it takes on, and for how long.
//!
//! Probing may block on the disk, so a request's work is one job on tokio's blocking threads. The job owns its place among
//! those in flight: a client that goes away frees it only when the work is done. What fails has a gRPC code, a reason
//! for programs and a sentence for people, all by one match in `status`.

mod connection;
mod convert;
mod health;
mod jobs;
mod limits;
mod server;
mod status;
mod tablebase;

pub use limits::Limits;
pub use server::{Server, Shutdown};
pub use tablebase::TablebaseService;
