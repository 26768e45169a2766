//! The service, asked by real clients over real connections, with tables built for it.

#![allow(clippy::disallowed_methods)] // not requests, whose work has to be jobs

mod batches;
mod clients;
mod failures;
mod faults;
mod harness;
mod http;
mod limits;
mod lists;
mod operation;
mod page;
mod saves;
mod security;
mod sharing;
mod strangers;
mod web;
