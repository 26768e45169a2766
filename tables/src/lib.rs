//! The format of Makruk's endgame tables, and the reader that returns the value of a position. The rules are a crate of
//! their own, [`makruk_rules`].
//!
//! - [`material`]: the materials that tables are made for;
//! - [`index`]: a position's place in its table;
//! - [`value`]: what tables measure, and the values they hold;
//! - [`mod@format`]: the table file;
//! - [`minimax`]: one ply of minimax, for sides to move that files omit;
//! - [`tablebase`]: the one reader: values of positions and of whole slabs, from folders of tables or from memory.
//!
//! This crate starts no threads, opens no connections and knows neither command lines nor environment variables. Its
//! readers may be shared among threads: they use locks and atomics, but for opening tables and
//! filling caches alone. The rules are written down in `RULES.md`, the file in `FORMAT.md`, both beside this crate's
//! manifest.
//!
//! # Examples
//!
//! The value of a position, from a folder of tables:
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
//!
//! # Features
//!
//! - `mmap` (default): tables may be read through maps of their files;
//! - `serde`: squares, pieces, materials, categories, FENs and the like are serialized as text.

pub mod format;
pub mod index;
mod lock;
pub mod material;
pub mod minimax;
#[cfg(feature = "serde")]
mod serde_text;
pub mod tablebase;
pub mod value;

/// The lengths and checksums of all tables of up to five men, a line each.
pub const MANIFEST: &str = include_str!("../MANIFEST.tsv");

/// The lock of all crates of this project.
#[doc(hidden)]
pub use lock::lock;
