//! The tables of Makruk's endgames as files, for programs that make, check, publish or scan tables. The crate
//! `makruk-tables` reads the values of positions by this one.
//!
//! - [`material`]: the materials that tables are made for;
//! - [`index`]: a position's place in its table;
//! - [`value`]: what tables measure, and the values they hold;
//! - reading a file: [`Table`] over any bytes, [`FileTable`] over a file, read by one [`Access`] or another;
//! - writing one: [`Trainer`], [`SideCodec::encode_slab`] (on any thread), [`Spec`], [`TableWriter`];
//! - [`TableFolder`]: where tables are kept;
//! - [`FormatError`]: what can be wrong, and where.
//!
//! A table file is one material under one metric. It holds, for each stored side to move, a code for each legal
//! position; a code is an index into that side's [`ValueList`]. The index decides on the place of a position.
//! `FORMAT.md` specifies the file to the byte, `RULES.md` the rules; both are beside the manifest of `makruk-tables`.
//!
//! This crate starts no threads, opens no connections and knows neither command lines nor environment variables.
//!
//! # Features
//!
//! - `mmap` (default): tables may be read through maps of their files;
//! - `serde`: squares, pieces, materials, categories, FENs and the like are serialized as text.

mod block_reader;
mod codec;
mod error;
mod file_state;
#[cfg(feature = "mmap")]
mod fingerprint;
mod folder;
mod foreign;
mod group;
mod guard;
mod header;
pub mod index;
mod listed;
mod lock;
#[cfg(feature = "mmap")]
mod mapped;
pub mod material;
mod material_totals;
mod outline;
mod positional;
mod sections;
#[cfg(feature = "serde")]
mod serde_text;
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
pub mod value;
mod values;
mod verify;
#[cfg(feature = "mmap")]
mod watched_map;
#[cfg(feature = "mmap")]
mod watched_range;
mod writer;

pub use block_reader::BlockReader;
pub use codec::{EncodedSlab, Sample, SideCodec, Trainer};
pub use error::{FormatError, Kind};
pub use file_state::FileState;
pub use folder::TableFolder;
pub use foreign::Foreign;
pub use header::{FORMAT_VERSION, Header};
pub use listed::{AnyValue, Listed};
pub use lock::lock;
pub use material_totals::MaterialTotals;
pub use outline::Outline;
pub use positional::closed_files;
pub use side_layout::SideLayout;
pub use source::{SharedSource, Source};
pub use spec::{Spec, Storage};
pub use spec_error::SpecError;
pub use stripe_decoder::StripeAddress;
pub use table::{FileTable, Table};
pub use table_file::{Access, TableFile};
pub use table_id::{ParseTableIdError, TableId};
pub use temporary::{publish, remove_stale_temporaries};
#[cfg(feature = "mmap")]
pub use truncation::{TruncationHandler, survive_truncated_tables};
pub use values::ValueList;
pub use verify::Verified;
#[cfg(feature = "mmap")]
pub use watched_range::lost_pages;
pub use writer::{TableWriter, Written};
