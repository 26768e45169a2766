//! The table file: one material under one metric. `FORMAT.md` specifies it to the byte.
//!
//! A table holds, for each stored side to move, a code for each legal position; a code is an index into that side's
//! [`ValueList`]. The index decides on the place of a position.
//!
//! - writing: [`Trainer`], [`SideCodec::encode_slab`] (on any thread), [`Spec`], [`TableWriter`];
//! - reading: [`Table`] over any bytes, [`FileTable`] over a file, read by one [`Access`] or another;
//! - [`TableFolder`]: where tables are kept;
//! - [`FormatError`]: what can be wrong, and where.

mod block_reader;
mod codec;
mod error;
mod folder;
mod foreign;
mod group;
mod guard;
mod header;
mod listed;
#[cfg(feature = "mmap")]
mod mapped;
mod material_totals;
mod outline;
mod sections;
mod side_layout;
mod source;
mod spec;
mod spec_error;
mod stripe_decoder;
mod table;
mod table_blocks;
mod table_file;
mod table_id;
mod temporary;
#[cfg(feature = "mmap")]
mod truncation;
mod values;
mod verify;
#[cfg(feature = "mmap")]
mod watched_map;
#[cfg(feature = "mmap")]
mod watched_range;
mod writer;

pub use codec::{EncodedSlab, MAX_BLOCK_STRIPES, MAX_VALUES, Sample, SideCodec, Trainer};
pub use error::{FormatError, Kind};
pub use folder::TableFolder;
pub use foreign::Foreign;
pub use header::{FORMAT_VERSION, Header, MAGIC};
pub use listed::{AnyValue, Listed};
pub use material_totals::MaterialTotals;
pub use outline::Outline;
pub use side_layout::SideLayout;
pub use source::{SharedSource, Source};
pub use spec::{Spec, Storage};
pub use spec_error::SpecError;
pub use stripe_decoder::StripeAddress;
pub use table::{FileTable, Table};
pub use table_file::{Access, TableFile};
pub use table_id::{ParseTableIdError, TableId};
pub use temporary::remove_stale_temporaries;
#[cfg(feature = "mmap")]
pub use truncation::{TruncationHandler, survive_truncated_tables};
pub use values::ValueList;
pub use verify::Verified;
#[cfg(feature = "mmap")]
pub use watched_range::lost_pages;
pub use writer::{Codecs, TableWriter, Written};
