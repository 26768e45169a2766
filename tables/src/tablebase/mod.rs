//! The values of positions, from tables in folders or in memory.
//!
//! A [`Tablebase`] answers for one position ([`Tablebase::value`], [`Tablebase::distances`], [`Tablebase::category`])
//! or gives a side of a table to be read by whole slabs ([`Tablebase::side`], [`Tablebase::scores_side`]). It turns
//! colours as the tables' names have them, derives the sides that files omit, and takes DTM for DTZ where a king is
//! bare.
//!
//! ```no_run
//! use makruk_rules::Fen;
//! use makruk_tables::tablebase::Tablebase;
//! use makruk_tables::value::{Metric, Value};
//!
//! let tablebase = Tablebase::new("tables/data");
//! let fen: Fen = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1".parse()?;
//! assert_eq!(tablebase.value(&fen.position, Metric::Dtm)?, Value::Win(31));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod after_moves;
mod builder;
mod derived_distances;
mod derived_side;
mod distances_side;
mod error;
mod handle;
mod inventory;
mod lead_slabs;
mod locate;
mod mapped_side;
mod open_tables;
mod opening;
mod position_values;
mod registry;
mod side;
mod sides;
mod slab_cache;
mod store;
mod stored_side;
mod stripe_cache;
#[allow(clippy::module_inception)] // named for the type that it holds
mod tablebase;
mod wanted_bytes;

pub use builder::{DEFAULT_CACHE_BYTES, DEFAULT_DERIVED_BYTES, TablebaseBuilder};
pub use derived_side::derived_side_bytes;
pub use distances_side::DistancesSide;
pub use error::{OtherRules, TableError};
pub use inventory::Inventory;
pub use makruk_format::{Access, TableId};
pub use open_tables::TableKind;
pub use side::{ReadCost, SideReader, SideSource};
pub use store::TableStore;
pub use stripe_cache::CacheCounts;
pub use tablebase::Tablebase;
