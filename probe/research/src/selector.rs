//! The saves that a filter accepts, each once or with its images.

use makruk_probe::{ProbeError, Prober, ValueSource};

use crate::analysis::SaveAnalysis;
use crate::filter::Filter;
use crate::kind::PositionKind;
use crate::position::LocatedPosition;

/// Selects saves of some materials by a filter.
#[derive(Debug)]
pub struct SaveSelector {
    kind: PositionKind,
    filter: Filter,
    images: bool,
}

impl SaveSelector {
    /// A selector for saves. With `images`, every image of a save under the material's symmetry is tested and selected
    /// for itself. Without, a save is selected once if any of its images passes the filter.
    pub fn new(filter: Filter, images: bool) -> SaveSelector {
        SaveSelector { kind: PositionKind::Saves, filter, images }
    }

    /// The same for positions of another kind.
    #[must_use]
    pub fn of_kind(self, kind: PositionKind) -> SaveSelector {
        SaveSelector { kind, ..self }
    }

    /// The kind of positions that are selected.
    pub const fn kind(&self) -> PositionKind {
        self.kind
    }

    /// Tests a save: returns the result of `render` for the first image that passes or, with images, for each image
    /// that passes.
    ///
    /// # Errors
    ///
    /// If a table that the filter needs is missing or damaged, and the errors of `render`.
    pub fn select<S: ValueSource, T>(
        &self,
        prober: &Prober<S>,
        save: LocatedPosition,
        mut render: impl FnMut(&SaveAnalysis<'_, S>) -> Result<T, ProbeError>,
    ) -> Result<Vec<T>, ProbeError> {
        let images = if self.images || self.filter.depends_on_squares() { save.images() } else { vec![save] };
        let mut selected = Vec::new();
        for image in &images {
            let analysis = SaveAnalysis::new(prober, image).of_kind(self.kind);
            if self.filter.accepts(&analysis)? {
                selected.push(render(&analysis)?);
                if !self.images {
                    break;
                }
            }
        }
        Ok(selected)
    }
}
