//! The properties of a material's saves, from a sample of them.

use std::collections::BTreeMap;

use makruk_probe::{ProbeError, Prober, ValueSource};
use makruk_rules::Color;
use makruk_tables::material::Material;
use serde::Serialize;

use crate::analysis::SaveAnalysis;
use crate::cells::Cells;
use crate::kind::PositionKind;
use crate::position::LocatedPosition;
use crate::slabs::found_in_slab;

/// A sample comes from at least this many slabs, if as many have saves.
const FEWEST_SLABS: u64 = 16;
/// The step through the slabs, as a share of all of them: neighbours in the order of the slabs are sampled far apart.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// The properties of a sample of the saves. A position counts once for all its images.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SaveSample {
    /// The number of saves in the sample.
    pub saves: u64,
    /// Whether the sample contains all saves.
    pub complete: bool,
    /// Saves with exactly one saving move.
    pub unique: u64,
    /// Saves with a saving move that is a sacrifice.
    pub by_sacrifice: u64,
    /// Saves with a saving move that sacrifices the last man.
    pub by_last_sacrifice: u64,
    /// Numbers of saves by the moves that the attacker lacks.
    pub short_by: BTreeMap<u32, u64>,
    /// The number of saves for which that is unknown.
    pub short_by_unknown: u64,
}

impl SaveSample {
    /// Samples at most `most` saves of a material with these sides to move, as long as `goes_on` returns true. It takes
    /// slabs in an order that looks random and is always the same, and no more than its share from each.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn of<S: ValueSource>(
        prober: &Prober<S>,
        material: Material,
        sides: &[Color],
        most: u64,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<SaveSample, ProbeError> {
        let cells = Cells::open(prober, material)?;
        let layout = cells.layout();
        let mut sample = SaveSample { complete: true, ..SaveSample::default() };
        let slabs = (layout.slabs() * sides.len()) as u64;
        let step = coprime((slabs as f64 * GOLDEN) as u64, slabs);
        for at in 0..slabs {
            if sample.saves >= most || !goes_on() {
                sample.complete = false;
                break;
            }
            let slab = at * step % slabs;
            let side = sides[(slab % sides.len() as u64) as usize];
            let start = slab / sides.len() as u64 * layout.slab_len();
            let found = found_in_slab(PositionKind::Saves, prober, &cells, side, start..start + layout.slab_len())?;
            let share = (most / FEWEST_SLABS).max(1).min(most - sample.saves) as usize;
            sample.complete &= found.len() <= share;
            let taken = share.min(found.len());
            for number in (0..taken).map(|at| found[at * found.len() / taken]) {
                if !goes_on() {
                    sample.complete = false;
                    break;
                }
                if let Some(save) = LocatedPosition::at(layout, side, number) {
                    sample.add(&SaveAnalysis::new(prober, &save))?;
                }
            }
        }
        Ok(sample)
    }

    fn add<S: ValueSource>(&mut self, save: &SaveAnalysis<'_, S>) -> Result<(), ProbeError> {
        let (sacrifices, short_by) = (save.sacrifices()?, save.short_by()?);
        self.saves += 1;
        self.unique += u64::from(save.saving_moves()?.len() == 1);
        self.by_sacrifice += u64::from(!sacrifices.is_empty());
        self.by_last_sacrifice += u64::from(sacrifices.iter().any(|sacrifice| save.sacrificed(sacrifice).1));
        *short_by.map_or(&mut self.short_by_unknown, |moves| self.short_by.entry(moves).or_default()) += 1;
        Ok(())
    }
}

/// The first number from `from` on that is coprime to `of`.
fn coprime(from: u64, of: u64) -> u64 {
    let divisor = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (from.max(1)..).find(|&number| divisor(number, of.max(1)) == 1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_reach_every_slab() {
        for slabs in [1, 2, 462, 924, 1806, 3612] {
            let step = coprime((slabs as f64 * GOLDEN) as u64, slabs);
            let mut reached: Vec<u64> = (0..slabs).map(|at| at * step % slabs).collect();
            reached.sort_unstable();
            assert!(reached.into_iter().eq(0..slabs), "{slabs}");
        }
    }
}
