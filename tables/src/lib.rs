//! What a Makruk position, a count and an endgame table *are*, and what a position is worth.
//!
//! - [`rules`]: squares, pieces, legal moves, FEN, SAN and the count;
//! - [`material`]: the materials that tables are made for;
//! - [`index`]: a position's place in its table;
//! - [`value`]: what tables measure, and the values they hold;
//! - [`mod@format`]: the table file;
//! - [`minimax`]: one ply of minimax, for sides to move that files omit;
//! - [`tablebase`]: the one reader: values of positions and of whole slabs, from folders of tables or from memory.
//!
//! This crate starts no threads, opens no connections and knows no command line or environment. Its readers may be shared
//! among threads: they use locks and atomics, but for opening tables and filling caches alone. The rules are written down in
//! `RULES.md`, the file in `FORMAT.md`, both beside this crate's manifest.
//!
//! # Features
//!
//! - `mmap` (default): tables may be read through maps of their files.

pub mod format;
pub mod index;
pub mod material;
pub mod minimax;
pub mod rules;
pub mod tablebase;
pub mod value;
