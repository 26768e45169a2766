//! The prober in WebAssembly.
//!
//! The module knows no network: its caller fetches. It is asked a [`Question`](makruk_answers::Question), answers that
//! bytes are wanted, is given them, and goes on, until there is an answer or a refusal. All bytes that a question is
//! known to need are wanted together, so that few rounds suffice. Questions, wants and answers are JSON; bytes go
//! through the module's memory ([`exports`]).
//!
//! `npm/` is the package that fetches.

pub mod exports;
mod site;

pub use site::{Outcome, Site};
