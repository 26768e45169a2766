//! Picks the saves that are wanted.

use super::{Filter, Found, Lights, Look, SlabSource};
use makruk_probe::{ProbeError, Prober};

/// Which saves are wanted, and whether each stands for its images.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pick {
    /// What they have to be.
    pub filter: Filter,
    /// All images under the set's symmetry are told, not just one for all.
    pub images: bool,
}

impl Pick {
    /// Looks at a save: what `tell` makes of it, of the first of its images that fits, or of each that does.
    ///
    /// # Errors
    ///
    /// If a table that has to be asked is missing or damaged, and those of `tell`.
    pub fn look<S: SlabSource, T>(
        &self,
        prober: &Prober<S>,
        lights: Lights,
        found: Found,
        mut tell: impl FnMut(&Look<'_, S>) -> Result<T, ProbeError>,
    ) -> Result<Vec<T>, ProbeError> {
        let images = if self.images || self.filter.tells_images_apart() { found.images() } else { vec![found] };
        let mut told = Vec::new();
        for image in &images {
            let look = Look::new(prober, image, lights);
            if self.filter.fits(&look)? {
                told.push(tell(&look)?);
                if !self.images {
                    break;
                }
            }
        }
        Ok(told)
    }
}
