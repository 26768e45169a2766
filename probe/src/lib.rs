//! What a Makruk position is worth under the count, answered from the tables.
//!
//! - [`Prober`]: a [`Tablebase`], asked about one position at a time, from any thread;
//! - [`Verdict`], [`RankedMove`], [`Line`], [`Save`]: its answers;
//! - [`Played`], [`Mistake`]: what the moves of a game gave away;
//! - [`Policy`], [`Walk`]: perfect moves and lines by choice of player;
//! - [`judge`]: the rules by which distances and a count become a verdict, as pure functions;
//! - [`Inventory`]: which tables some folders have;
//! - [`ProbeError`]: what was wrong with the question, or with the tables;
//! - [`ValueSource`]: where the distances come from, for those who keep them elsewhere than in a folder.
//!
//! Distances are plies, a count's figures are plies too (as the FEN has them), "moves" are moves of one side.
//!
//! Without its feature `serde` (the answers as JSON) this library needs nothing but the tables' crate.

mod error;
#[cfg(feature = "serde")]
pub mod json;
pub mod judge;
#[doc(hidden)]
pub mod line;
mod mistake;
#[doc(hidden)]
pub mod moves;
mod path_list;
#[doc(hidden)]
pub mod policy;
mod prober;
mod review;
mod save;
mod source;
mod verdict;

pub use error::{ProbeError, Reason};
pub use judge::{Category, Distances};
pub use line::{Line, LineEnd, LineMove, MAX_LINE_PLIES, Step, Walk};
pub use makruk_tables::tablebase::{
    Access, CacheCounts, DEFAULT_CACHE_BYTES, Inventory, TableError, TableId, Tablebase, TablebaseBuilder,
};
pub use makruk_tables::value::Wdl;
pub use mistake::Mistake;
pub use moves::RankedMove;
pub use path_list::split_path_list;
pub use policy::Policy;
pub use prober::{Answer, Prober};
pub use review::Played;
pub use save::{Sacrifice, Save};
pub use source::{SlabSource, ValueSource};
pub use verdict::{CountRule, Counting, Verdict};
