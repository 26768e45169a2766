//! What a Makruk position is worth under the count, answered from the tables.
//!
//! - [`Prober`]: a folder of tables, asked about one position at a time, from any thread;
//! - [`Verdict`], [`RankedMove`], [`Line`], [`Save`]: its answers;
//! - [`Played`], [`Mistake`]: what the moves of a game gave away;
//! - [`Policy`], [`Walk`]: perfect moves and lines by choice of player;
//! - [`judge`]: the rules by which distances and a count become a verdict, as pure functions;
//! - `research`: whole sets, every position of them that only the count saves;
//! - [`Inventory`]: which tables some folders have;
//! - [`ProbeError`]: what was wrong with the question, or with the tables;
//! - [`ValueSource`]: where the distances come from, for those who keep them elsewhere than in a folder.
//!
//! Distances are plies, a count's figures are plies too (as the FEN has them), "moves" are moves of one side.
//!
//! Without its features this library needs nothing but the tables' crate: `cli` is the command line, `engine` the UCI and
//! XBoard engine, `json` the answers as JSON, `research` goes through whole sets, `build` lets the command line make the tables it lacks,
//! `service` adds the server.

mod access;
mod cache;
#[cfg(feature = "engine")]
pub mod engine;
mod error;
mod inventory;
#[cfg(feature = "json")]
pub mod json;
pub mod judge;
mod line;
#[cfg(feature = "engine")]
mod lines;
mod mistake;
mod moves;
mod open_table;
mod opened;
mod policy;
mod prober;
#[cfg(feature = "research")]
pub mod research;
mod review;
mod save;
#[cfg(feature = "service")]
pub mod service;
mod source;
mod tables;
mod verdict;

pub use access::Access;
pub use error::{ProbeError, Reason, TableError};
pub use inventory::{Inventory, split_path_list};
pub use judge::{Category, Distances};
pub use line::{Line, LineEnd, LineMove, MAX_LINE_PLIES, Step, Walk};
#[cfg(feature = "engine")]
pub use lines::lines;
pub use mistake::Mistake;
pub use moves::RankedMove;
pub use policy::Policy;
pub use prober::{Answer, Prober};
pub use review::Played;
pub use save::{Sacrifice, Save};
pub use source::ValueSource;
pub use tables::{CacheCounts, DEFAULT_CACHE_BYTES, Tables};
pub use verdict::{CountRule, Counting, Verdict};
