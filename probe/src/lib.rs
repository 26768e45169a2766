//! What a Makruk position is worth under the count, answered from the tables.
//!
//! - [`Prober`]: a folder of tables, asked about one position at a time, from any thread;
//! - [`Verdict`], [`RankedMove`], [`Line`], [`CountSave`]: its answers;
//! - [`Analysis`]: all of these for one position, read once;
//! - [`JudgedMove`], [`Mistake`]: the moves of a game against the best ones;
//! - [`Policy`], [`LineIter`]: perfect moves and lines by choice of player;
//! - [`judge`]: the rules by which distances and a count become a verdict, as pure functions;
//! - [`Inventory`]: which tables some folders have;
//! - [`ProbeError`]: the failures, of the question or of the tables;
//! - [`ValueSource`]: another source of the distances than a folder.
//!
//! Distances are plies, a count's figures are plies too (as the FEN has them), "moves" are moves of one side.
//!
//! Without its feature `serde` (the answers as JSON) this library needs nothing but the tables' crate.

mod access;
mod analysis;
mod cache;
mod count_save;
mod error;
mod inventory;
#[cfg(feature = "serde")]
pub mod json;
pub mod judge;
mod judged_move;
mod line;
mod mistake;
#[doc(hidden)]
pub mod open_table;
mod opened;
mod policy;
mod prober;
mod ranked_move;
mod sacrifice;
mod source;
mod tables;
mod verdict;

pub use access::Access;
pub use analysis::Analysis;
pub use count_save::CountSave;
pub use error::{ProbeError, Reason, TableError};
pub use inventory::{Inventory, split_path_list};
pub use judge::{Category, Distances};
pub use judged_move::JudgedMove;
pub use line::{Line, LineEnd, LineIter, LineMove, LineStep, MAX_LINE_PLIES};
pub use mistake::Mistake;
pub use policy::{CountMode, ParsePolicyError, Policy, ReplyShare};
pub use prober::Prober;
pub use ranked_move::{RankedMove, best_by_dtm, rank};
pub use sacrifice::{Sacrifice, SacrificeKind};
pub use source::{SlabSource, ValueSource};
pub use tables::{CacheCounts, DEFAULT_CACHE_BYTES, Tables};
pub use verdict::{CountRule, Counting, Verdict, has_bare_king};
