//! A player for graphical interfaces: perfect in the tables and within the count, sound outside of them.
//!
//! - [`uci()`], [`xboard()`]: the two protocols, over any input and output;
//! - [`Game`]: a position and the moves made since, the count carried through them;
//! - [`Player`]: finds a move: by the tables if they have the position, else by a small search that probes them;
//! - [`Limits`], [`Control`]: how long it may think, and how it is stopped;
//! - [`Settings`]: the options of both protocols;
//! - [`sentences`]: verdicts in players' words, for every program that prints them.
//!
//! ```
//! use std::io::{Cursor, sink};
//!
//! use makruk_player::{Settings, uci};
//!
//! let commands = "uci\nposition startpos\ngo depth 2\n";
//! uci(Cursor::new(commands), sink(), Settings::default())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `makruk-probe uci` and `makruk-probe xboard` are these functions over standard input and output. `PLAY.md`, beside
//! this crate's manifest, is their manual, with all options.

#![forbid(unsafe_code)]

mod clock;
mod control;
mod evaluate;
mod game;
mod hits;
mod limits;
mod lines;
mod listener;
mod output;
mod perfect;
mod player;
mod report;
mod score;
mod search;
pub mod sentences;
mod settings;
#[cfg(test)]
mod tests;
mod thinking;
mod uci;
mod xboard;

pub use control::Control;
pub use game::{Game, GameError};
pub use limits::Limits;
pub use lines::lines;
pub use makruk_rules::Outcome;
pub use player::{Decision, Player};
pub use report::{Info, Report};
pub use score::Score;
pub use settings::{SettingError, Settings};
pub use uci::uci;
pub use xboard::xboard;

/// The name in both protocols.
const NAME: &str = concat!("makruk-probe ", env!("CARGO_PKG_VERSION"));

/// The most bytes of a command that are kept, enough for a game of some hundred thousand plies.
const MAX_COMMAND_BYTES: u64 = 1 << 20;
