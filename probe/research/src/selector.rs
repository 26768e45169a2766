//! The saves that a filter accepts, each once or with its images.

use std::collections::HashMap;
use std::sync::OnceLock;

use makruk_probe::{ProbeError, Prober};
use makruk_tables::material::Material;

use super::{Filter, LocatedPosition, PositionKind, SaveAnalysis, SlabSource, WdlAvailability};

/// Selects saves of some materials by a filter.
#[derive(Debug)]
pub struct SaveSelector {
    kind: PositionKind,
    filter: Filter,
    images: bool,
    /// The materials that have WDL tables, determined when a save of the material is first analysed.
    wdl: HashMap<Material, OnceLock<WdlAvailability>>,
}

impl SaveSelector {
    /// A selector for saves of these materials. With `images`, every image of a save under the material's symmetry is
    /// tested and selected for itself; without, a save is selected once if any of its images passes the filter.
    pub fn new(materials: impl IntoIterator<Item = Material>, filter: Filter, images: bool) -> SaveSelector {
        let wdl = materials.into_iter().map(|material| (material, OnceLock::new())).collect();
        SaveSelector { kind: PositionKind::Saves, filter, images, wdl }
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

    /// Tests a save: returns the result of `render` for the first image that passes or, with images, for each image that passes.
    ///
    /// # Errors
    ///
    /// If a table that the filter needs is missing or damaged, and the errors of `render`.
    pub fn select<S: SlabSource, T>(
        &self,
        prober: &Prober<S>,
        save: LocatedPosition,
        mut render: impl FnMut(&SaveAnalysis<'_, S>) -> Result<T, ProbeError>,
    ) -> Result<Vec<T>, ProbeError> {
        let material = save.cursor.material;
        let wdl = match self.wdl.get(&material) {
            Some(known) => *known.get_or_init(|| WdlAvailability::of(prober, material)),
            None => WdlAvailability::Partial,
        };
        let images = if self.images || self.filter.depends_on_squares() { save.images() } else { vec![save] };
        let mut selected = Vec::new();
        for image in &images {
            let analysis = SaveAnalysis::new(prober, image, wdl).of_kind(self.kind);
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
