//! The values of Makruk's endgames, from tables in folders or in memory. This crate is the view of a reader: it has no
//! names for slabs, stripes and codecs. [`makruk_format`], which has them, is for programs that make, check, publish or
//! scan table files. The rules are a crate of their own, too: [`makruk_rules`].
//!
//! - [`tablebase`]: the one reader: values of positions and of whole slabs;
//! - [`minimax()`]: one ply of minimax, for sides to move that files omit;
//! - [`material`], [`value`]: the materials that tables are made for, and the values they hold.
//!
//! This crate starts no threads, opens no connections and knows neither command lines nor environment variables. Its
//! readers may be shared among threads: they use locks and atomics, but for opening tables and
//! filling caches alone.
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

mod minimax;
pub mod tablebase;

pub use makruk_format::{material, value};
pub use minimax::minimax;
use tablebase::TableId;

/// The lengths and checksums of all tables of up to five men, a line each.
pub const MANIFEST: &str = include_str!("../MANIFEST.tsv");

/// The same of the tables of six men that were built and verified, as far as they are known.
pub const MANIFEST_SIX: &str = include_str!("../MANIFEST-6.tsv");

/// The length of a table's file and the checksum of its header, if a list has the table.
pub fn listed(TableId { material, metric }: TableId) -> Option<(u64, u32)> {
    let start = format!("{material}\t{metric}\t");
    let mut lines = MANIFEST.lines().chain(MANIFEST_SIX.lines());
    let mut fields = lines.find_map(|line| line.strip_prefix(&start))?.split('\t');
    Some((fields.next()?.parse().ok()?, u32::from_str_radix(fields.next()?, 16).ok()?))
}
