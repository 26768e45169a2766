//! Retrograde analysis of Makruk endings: from a material to its table files.
//!
//! [`build()`] makes the missing tables of some materials and of all that captures lead to from them;
//! [`solve_totals`] solves one material without files. [`plan()`] estimates the cost of a material beforehand,
//! [`MaterialInfo`] has its totals afterwards, and [`verify_consistency`] compares tables with the rules.
//!
//! ```
//! use makruk_generator::{Options, Silent, build};
//! use makruk_format::TableFolder;
//! use makruk_tables::value::{Metric, Value};
//! use makruk_rules::Fen;
//! use makruk_tables::tablebase::Tablebase;
//!
//! let place = tempfile::tempdir()?;
//! let folder = TableFolder::create(place.path())?;
//! build(&folder, ["KRvK".parse()?], &Options::default(), &Silent)?;
//!
//! let fen: Fen = "k7/8/1K6/8/8/8/8/7R w - - 0 1".parse()?;
//! assert_eq!(Tablebase::new(place.path()).value(&fen.position, Metric::Dtm)?, Value::Win(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The program `makruk-gen` (feature `cli`) is this with a command line; `README.md`, beside this crate's manifest, is
//! its manual, and
//! `NOTES.md` there has the trials.
//!
//! # Inside
//!
//! The solver holds a position as a bit. One word holds the 64 squares of a material's last man, a row those of the
//! last but one, a slab all positions of a pair of kings. In the module `solve`, `geometry` lays these out, `legality`
//! finds the legal positions, `exit_seeds` those that captures and promotions decide, `predecessors` those with a move
//! into a set of positions; `attack` goes back from the mates ply by ply, and `file_order` returns the outcome in the
//! order of files. A `new_table` takes its codes from a `distance_source`, as `classes` says for category tables;
//! `write` writes the files, `promotions` keeps what promotions lead to, and `build` decides which
//! are missing.

mod allowance;
mod build;
mod cached_sides;
mod checkpoint_event;
mod child;
mod classes;
#[cfg(feature = "console")]
mod console;
mod distance_source;
mod error;
#[cfg(feature = "fetch")]
mod fetch;
mod info;
mod manifest;
mod memory_plan;
mod new_table;
mod numbers;
mod options;
mod output;
mod parallel;
mod plan;
mod progress;
mod promotions;
mod solve;
mod solve_totals;
mod unfinished;
mod verify;
mod write;

pub use build::{build, build_material};
pub use cached_sides::CachedSides;
pub use checkpoint_event::CheckpointEvent;
pub use child::stored_tables;
#[cfg(all(feature = "console", feature = "fetch"))]
pub use console::FetchConsole;
#[cfg(feature = "console")]
pub use console::{Console, remedy};
pub use error::BuildError;
#[cfg(feature = "fetch")]
pub use fetch::{
    FetchError, FetchLimits, FetchProgress, MirrorUrl, MissingTable, ParseMirrorUrlError, fetch, missing_tables,
};
pub use info::{MaterialInfo, MetricInfo, SideInfo};
pub use manifest::{Manifest, ManifestError, ManifestLine};
pub use numbers::{Gib, counted};
pub use options::{Budget, MOST_MEN, MOST_MEN_IN_MEMORY, Options, StoredSides, default_threads};
pub use plan::{MaterialPlan, build_nanoseconds, plan, plans};
pub use progress::{Built, Part, Progress, Silent, Unbuilt, WrittenTable};
pub use solve_totals::{Histogram, solve_totals};
pub use unfinished::{Unfinished, unfinished};
pub use verify::{Consistency, WrongTotal, WrongValue, verify_consistency};

/// The program's name and version, as it stands in headers.
pub const GENERATOR: &str = concat!("makruk-gen ", env!("CARGO_PKG_VERSION"));
