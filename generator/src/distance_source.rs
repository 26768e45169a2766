//! The source of a material's distances: solutions in memory, tables in the folder, or the moves.

use makruk_format::{FileTable, SpecError, Storage, TableId, ValueList};
use makruk_rules::{ByColor, Color};
use makruk_tables::material::Material;
use makruk_tables::tablebase::SideSource;
use makruk_tables::value::Metric;

use crate::error::BuildError;
use crate::solve::file_order::Encoder;

/// The distances of a material under one metric.
pub(crate) enum Known<'a> {
    /// The solution is in memory or in working files.
    Solved(Encoder<'a>),
    /// The folder has the table.
    Stored(Box<FileTable>),
}

impl Known<'_> {
    /// The values of each side to move.
    pub(crate) fn values(&self) -> Result<ByColor<ValueList>, SpecError> {
        match self {
            Known::Solved(encoder) => ByColor::try_from_fn(|side| ValueList::new(encoder.histogram(side).to_vec())),
            Known::Stored(table) => Ok(table.spec().values.clone()),
        }
    }
}

/// The codes of a slab's positions in the lists of distances, by offset. That of an illegal position means nothing. A
/// thread keeps them for its next slab: with six men they are so large that new memory would take a tenth of the time.
#[derive(Default)]
pub(crate) struct SlabDistances {
    pub mates: Vec<u16>,
    conversions: Vec<u16>,
    /// Whether a win by DTM is the conversion, or the conversion is not asked for.
    has_one_metric: bool,
    /// Room for the codes of a solution in its own order.
    cells: Vec<u16>,
}

impl SlabDistances {
    pub(crate) fn conversions(&self) -> &[u16] {
        if self.has_one_metric { &self.mates } else { &self.conversions }
    }
}

/// The distances of a material.
pub(crate) struct DistanceSource<'a> {
    pub material: Material,
    pub dtm: Known<'a>,
    /// `None` if the material has no DTZ table, or if DTM alone is written.
    pub dtz: Option<Known<'a>>,
    /// The tables from whose moves an omitted side follows.
    pub children: &'a dyn SideSource,
}

impl DistanceSource<'_> {
    /// The distances whose values say whether a win is in time.
    pub(crate) fn conversions(&self) -> &Known<'_> {
        self.dtz.as_ref().unwrap_or(&self.dtm)
    }

    /// Reads the distances of a slab.
    pub(crate) fn read(&self, side: Color, slab: usize, to: &mut SlabDistances) -> Result<(), BuildError> {
        let SlabDistances { mates, conversions, has_one_metric, cells } = to;
        *has_one_metric = self.dtz.is_none();
        if let (Known::Stored(dtm), Some(Known::Stored(dtz))) = (&self.dtm, &self.dtz)
            && dtm.storage(side) != Storage::Absent
            && dtz.header().reference().is_some()
        {
            return Ok(dtz.slab_code_pairs(side, slab, mates, conversions)?);
        }
        let read = |metric, known: &Known<'_>, codes: &mut Vec<u16>, cells: &mut Vec<u16>| -> Result<(), BuildError> {
            match known {
                Known::Solved(encoder) => encoder.slab(side, slab, codes, cells)?,
                Known::Stored(table) if table.storage(side) == Storage::Absent => {
                    let id = TableId { material: self.material, metric };
                    self.children.side(id, side)?.slab(slab, codes)?;
                }
                Known::Stored(table) => table.slab_codes(side, slab, codes)?,
            }
            Ok(())
        };
        if let Some(dtz) = &self.dtz {
            read(Metric::Dtz, dtz, conversions, cells)?;
        }
        read(Metric::Dtm, &self.dtm, mates, cells)
    }
}
