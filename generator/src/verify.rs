//! Checks that tables agree with the rules: one ply of minimax over the successors' values gives every value.
//!
//! The check shares the reader of tables with the solver, and nothing of the solver itself: neither its geometry nor
//! its kernels, its exit seeds or its decision log. The solver moves sets of positions backwards. The check moves slabs
//! of values forwards, as omitted sides are derived; and then some positions one by one, by the rules' list of legal
//! moves.

mod consistency;
mod positions;
mod slabs;

use makruk_format::TableFolder;
use makruk_rules::CountingRules;
use makruk_tables::material::Material;

use crate::child::stored_tables_within;
use crate::error::BuildError;
use crate::progress::Progress;

pub use consistency::{Consistency, WrongTotal, WrongValue};

/// The most bytes of slabs that others are derived from. With the usual quarter of it, the check of K+S+M v K+M derives
/// many of them again, and takes 1.7 times as long.
const SLAB_BYTES: u64 = 2 << 30;

/// The number of positions of each side to move that a check of all values looks at one by one, too.
const ONE_BY_ONE: u64 = 1000;

/// Compares the values of a material with those that one ply of minimax gives, under every metric. That covers mates,
/// stalemates, captures and promotions into other tables, and the count that such a move begins.
///
/// With `sample`, that many numbers spread over each side to move are checked one by one. Otherwise all positions and
/// the header's totals are checked, slab by slab.
///
/// # Errors
///
/// A table of the material or of one that exits lead to is missing or damaged; or `progress` asks to stop.
pub fn verify_consistency(
    folder: &TableFolder,
    material: Material,
    sample: Option<u64>,
    rules: &CountingRules,
    progress: &dyn Progress,
) -> Result<Consistency, BuildError> {
    let tables = stored_tables_within(folder, rules, SLAB_BYTES);
    if let Some(places) = sample {
        return positions::check(&tables, material, places, progress);
    }
    let found = slabs::check(&tables, material, progress)?;
    if !found.is_sound() {
        return Ok(found);
    }
    let one_by_one = positions::check(&tables, material, ONE_BY_ONE, progress)?;
    Ok(if one_by_one.is_sound() { found } else { one_by_one })
}
