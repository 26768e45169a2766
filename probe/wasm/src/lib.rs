//! The prober in WebAssembly.
//!
//! The module knows no network: its caller fetches. It is asked a question ([`Question`]), answers that bytes are
//! wanted, is given them, and goes on, until it answers ([`Outcome`]). All bytes that a question is known to need are
//! wanted together, so that few rounds suffice. Questions, wants and answers are JSON; bytes go through the module's
//! memory ([`exports`]).
//!
//! `npm/` is the package that fetches.

mod describe;
pub mod exports;
mod outcome;
mod question;
mod session;

pub use outcome::Outcome;
pub use question::Question;
pub use session::Session;
