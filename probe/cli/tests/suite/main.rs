//! The program, run as users run it, and the service, asked as clients ask it.

// Clippy lets tests unwrap, but not the functions that they share.
#![allow(clippy::unwrap_used)]
// They are not requests, whose work has to be jobs.
#![allow(clippy::disallowed_methods)]

mod program;
mod service;
