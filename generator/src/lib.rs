//! Set-wise retrograde analysis of pawnless Makruk endings: from a material set to its table files.
//!
//! [`build()`] makes what is missing of some sets and of all that captures lead to from them; [`solve_in_memory`] does
//! the same for one set without files. [`plan()`] says beforehand what a set takes, [`MaterialInfo`] afterwards what is in it.
//!
//! A position is a bit. One word holds the 64 squares of a set's last man, a row the 64 of the last but one, a slab all
//! positions of a king pair; `geometry` lays them out, `legality` says which are positions at all, `captures` what a
//! capture is worth, `pull` moves whole rows, `solve` goes from the mates back ply by ply, `encode` and `write` put the
//! outcome into the file's order and the file.

mod budget;
mod build;
mod built;
mod child;
#[cfg(feature = "console")]
mod console;
mod error;
mod gib;
mod info;
mod lock;
mod manifest;
mod memory;
mod options;
mod plan;
mod progress;
mod solve;
mod verify;
mod wdl;
mod write;

pub use budget::{Budget, MOST_MEN_IN_MEMORY, memory_bytes};
pub use build::{build, build_material};
pub use built::{Built, WrittenTable};
pub use child::stored_tables;
#[cfg(feature = "console")]
pub use console::Console;
pub use error::BuildError;
pub use gib::Gib;
pub use info::{MaterialInfo, MetricInfo, SideInfo};
pub use manifest::{Manifest, ManifestError, ManifestLine};
pub use memory::{Histogram, MemoryTable, MemoryTables, solve_in_memory, solve_totals};
pub use options::{Options, StoredSides, default_threads};
pub use plan::{MaterialPlan, plan, work};
pub use progress::{Progress, Silent};
pub use verify::{Consistency, WrongTotal, WrongValue, verify_consistency};
pub use write::GENERATOR;

/// The most men, kings included, of a set that can be solved.
pub const MOST_MEN: usize = 6;

fn check_men(set: makruk_tables::material::Material) -> Result<(), BuildError> {
    if (3..=MOST_MEN).contains(&set.men()) { Ok(()) } else { Err(BuildError::TooManyMen(set)) }
}
