//! The table file: one material set under one metric. `FORMAT.md` specifies it to the byte.
//!
//! A table holds, for each side to move, an array of `slabs * slab_len` codes; a code is an index into that side's
//! [`ValueList`]. What a position's number is, the index decides: nothing here knows of squares.
//!
//! - writing: [`Spec`], [`EncodedBlock::encode`] (on any thread), [`TableWriter`];
//! - reading: [`Table`] over any bytes, [`MappedTable`] over a file;
//! - [`TableFolder`]: where tables are kept;
//! - [`FormatError`]: what can be wrong, where, and what to do about it.

mod block;
mod error;
mod folder;
mod header;
mod index;
mod locate;
mod table;
mod temporary;
mod value;
mod values;
mod writer;

pub use block::{Codes, DEFAULT_BLOCK_LEN, EncodedBlock, MAX_BLOCK_LEN};
pub use error::{FormatError, Kind, Problem};
pub use folder::{TableFolder, TableName};
pub use header::{FORMAT_VERSION, Header, MAGIC, MAX_POSITIONS, Spec, SpecError, is_material_name};
pub use locate::{TABLES_VARIABLE, locate};
pub use table::{MappedTable, Table, Verified};
pub use temporary::{sweep_orphans, working_file};
pub use value::{Metric, Value};
pub use values::{CodeWidth, MAX_VALUES, ValueList};
pub use writer::{TableWriter, Written};
