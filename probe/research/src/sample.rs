//! What the saves of a set are like, from some of them.

use std::collections::BTreeMap;

use makruk_tables::material::Material;
use makruk_tables::rules::Color;

use super::scan::{find, saves_of};
use super::{Cells, Lights, Look, SlabSource};
use makruk_probe::{ProbeError, Prober};

/// What was found of the saves that were looked at, each standing for its images.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// How many were looked at.
    pub saves: u64,
    /// Whether these are all.
    pub complete: bool,
    /// Those with one saving move alone.
    pub unique: u64,
    /// Those with a saving move that gives up a man.
    pub by_sacrifice: u64,
    /// Those with one that gives up the last man.
    pub by_last_sacrifice: u64,
    /// How many the attacker is short by so many moves; under `None` those of which that can't be told.
    pub short_by: BTreeMap<Option<u32>, u64>,
}

/// A sample comes from so many slabs at least, if there are as many with saves.
const FEWEST_SLABS: u64 = 16;
/// Steps through the slabs are this share of all, which meets none twice soon.
const GOLDEN: f64 = 0.618_033_988_749_895;

impl Sample {
    /// Looks at up to so many saves of a set, with these sides to move, as long as `goes_on` says so: slabs in an order
    /// that looks random and is always the same, of each no more than its share.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn of<S: SlabSource>(
        prober: &Prober<S>,
        set: Material,
        sides: &[Color],
        most: u64,
        mut goes_on: impl FnMut() -> bool,
    ) -> Result<Sample, ProbeError> {
        let cells = Cells::open(prober, set)?;
        let layout = cells.layout();
        let lights = Lights::of(prober, set);
        let mut sample = Sample { complete: true, ..Sample::default() };
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
            let found = saves_of(prober, &cells, side, start..start + layout.slab_len())?;
            let share = (most / FEWEST_SLABS).max(1).min(most - sample.saves) as usize;
            sample.complete &= found.len() <= share;
            let taken = share.min(found.len());
            for number in (0..taken).map(|at| found[at * found.len() / taken]) {
                if !goes_on() {
                    sample.complete = false;
                    break;
                }
                if let Some(found) = find(layout, side, number) {
                    sample.add(&Look::new(prober, &found, lights))?;
                }
            }
        }
        Ok(sample)
    }

    fn add<S: SlabSource>(&mut self, look: &Look<'_, S>) -> Result<(), ProbeError> {
        let (sacrifices, short_by) = (look.sacrifices()?, look.short_by()?);
        self.saves += 1;
        self.unique += u64::from(look.saving()?.len() == 1);
        self.by_sacrifice += u64::from(!sacrifices.is_empty());
        self.by_last_sacrifice += u64::from(sacrifices.iter().any(|given| look.given(given).1));
        *self.short_by.entry(short_by).or_default() += 1;
        Ok(())
    }
}

/// The first number from `from` on that has no divisor with `of` in common.
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
    fn steps_meet_every_slab() {
        for slabs in [1, 2, 462, 924, 1806, 3612] {
            let step = coprime((slabs as f64 * GOLDEN) as u64, slabs);
            let mut met: Vec<u64> = (0..slabs).map(|at| at * step % slabs).collect();
            met.sort_unstable();
            assert!(met.into_iter().eq(0..slabs), "{slabs}");
        }
    }
}
