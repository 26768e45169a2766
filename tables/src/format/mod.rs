//! The table file: one material set under one metric. `FORMAT.md` specifies it to the byte.
//!
//! A table holds, for each stored side to move, a code for each legal position; a code is an index into that side's
//! [`ValueList`]. Where a position lies, the index decides.
//!
//! - writing: [`Trainer`], [`SideCodec::encode_slab`] (on any thread), [`Spec`], [`TableWriter`];
//! - reading: [`Table`] over any bytes, [`MappedTable`] and [`PositionalTable`] over a file;
//! - [`TableFolder`]: where tables are kept;
//! - [`FormatError`]: what can be wrong, where, and what to do about it.

mod codec;
mod decode;
mod error;
mod folder;
mod group;
mod guard;
mod header;
mod layout;
mod locate;
mod source;
mod spec;
mod summary;
mod table;
mod temporary;
mod value;
mod values;
mod verify;
mod wdl;
mod writer;

pub use codec::{EncodedSlab, MAX_BLOCK_STRIPES, MAX_VALUES, Sample, SideCodec, Trainer};
pub use error::{FormatError, Kind, Problem};
pub use folder::{TableFolder, TableName};
pub use header::{FORMAT_VERSION, Header, MAGIC};
pub use locate::{TABLES_VARIABLE, locate};
pub use source::{PositionalFile, Source, WatchedMap};
pub use spec::{MAX_POSITIONS, Spec, SpecError, Storage, is_material_name};
pub use summary::Summary;
pub use table::{MappedTable, PositionalTable, Table, WatchedTable};
pub use temporary::{remove_stale_temporaries, working_file};
pub use value::{Metric, Value};
pub use values::ValueList;
pub use verify::Verified;
pub(crate) use wdl::wdl_before;
pub use wdl::{MovesLeft, wdl_category};
pub use writer::{Codecs, TableWriter, Written};
