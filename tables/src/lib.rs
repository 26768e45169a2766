//! What a Makruk position, a count and an endgame table *are*.
//!
//! - [`rules`]: squares, pieces, legal moves, FEN, SAN and the count;
//! - [`material`]: the sets of men a table is made for;
//! - [`index`]: a position's place in its table;
//! - [`mod@format`]: the table file;
//! - [`successors`]: what a position's moves make its value, for sides to move that files leave out;
//! - [`sweep`]: the same of whole slabs.
//!
//! No threads, no network and no command line live here. The rules are written down in `RULES.md`, the file in
//! `FORMAT.md`, both beside this crate's manifest.

pub mod format;
pub mod index;
pub mod material;
pub mod rules;
pub mod successors;
pub mod sweep;
