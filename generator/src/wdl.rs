//! The WDL table of a material, from its distances.

use makruk_tables::format::{FileTable, Sample, Storage, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::rules::{ByColor, Color};
use makruk_tables::tablebase::{SideSource, TableId};
use makruk_tables::value::{Metric, MovesLeft, Value};

use crate::built::WrittenTable;
use crate::error::BuildError;
use crate::solve::file_order::Encoder;
use crate::write::{Output, Slabs, Source};

/// Does the file hold the WDL values of a side? It omits them where the distances are omitted, if the values follow from
/// those after the side's moves.
pub(crate) fn stores(dtm: &FileTable, conversions: &ValueList, left: MovesLeft, layout: &Layout, side: Color) -> bool {
    dtm.storage(side) != Storage::Absent || !left.follow(layout.material(), conversions.values())
}

/// The solutions of a material that are still in memory.
#[derive(Clone, Copy, Default)]
pub(crate) struct JustSolved<'a> {
    pub mates: Option<&'a Encoder<'a>>,
    pub conversions: Option<&'a Encoder<'a>>,
}

/// Writes the WDL table of a material whose tables of distances are in the folder. Solutions in memory are used in their stead.
pub(crate) fn write_wdl(
    output: &Output<'_>,
    solved: JustSolved<'_>,
    children: &dyn SideSource,
) -> Result<WrittenTable, BuildError> {
    let Output { folder, layout, options, .. } = *output;
    let material = layout.material();
    let left = MovesLeft::of(material, &options.rules);
    let dtm = folder.open_layout(layout, Metric::Dtm)?;
    let dtz = if material.is_armed() { Some(folder.open_layout(layout, Metric::Dtz)?) } else { None };
    let mates = |side| &dtm.spec().values[side];
    let conversions = |side| &dtz.as_ref().unwrap_or(&dtm).spec().values[side];
    let list = |side| ValueList::of_wdl(left, mates(side), conversions(side));
    let values = ByColor { white: list(Color::White)?, black: list(Color::Black)? };
    let stored = ByColor::from_fn(|side| stores(&dtm, conversions(side), left, layout, side));
    let codes = ByColor::from_fn(|side| {
        let code = |dtm, dtz| values[side].code(left.wdl(dtm, dtz).to_value()).unwrap_or(0);
        let row = |&(mate, _): &(Value, u64)| {
            conversions(side).entries().iter().map(move |&(conversion, _)| (mate, conversion))
        };
        mates(side).entries().iter().flat_map(row).map(|(mate, conversion)| code(mate, conversion)).collect()
    });
    let spec = output.spec(Metric::Wdl, stored, values);
    let slabs = Distances { layout, dtm: &dtm, dtz: dtz.as_ref(), solved, children, codes };
    output.write_slabs(spec, None, &slabs)
}

/// The sources of distances, and the WDL code of each pair of distances.
struct Distances<'a> {
    layout: &'a Layout,
    dtm: &'a FileTable,
    dtz: Option<&'a FileTable>,
    solved: JustSolved<'a>,
    children: &'a dyn SideSource,
    /// By DTM code, then DTZ code.
    codes: ByColor<Vec<u16>>,
}

impl Slabs for Distances<'_> {
    fn slab(&self, side: Color, slab: usize) -> Result<Sample, BuildError> {
        let Distances { dtm, dtz, solved: JustSolved { mates, conversions }, .. } = *self;
        let is_solved = mates.is_some() && (dtz.is_none() || conversions.is_some());
        if dtm.storage(side) == Storage::Absent && !is_solved {
            return self.derived(side, slab);
        }
        let (first, second) = match dtz {
            Some(dtz) if mates.is_none() && conversions.is_none() && dtz.header().reference().is_some() => {
                let (mut first, mut second) = (Vec::new(), Vec::new());
                dtz.slab_code_pairs(side, slab, &mut first, &mut second)?;
                (first, Some(second))
            }
            _ => {
                let conversions = dtz.map(|dtz| Source::new(dtz, conversions).slab(side, slab)).transpose()?;
                (Source::new(dtm, mates).slab(side, slab)?, conversions)
            }
        };
        Ok(self.sample(side, slab, &first, second.as_ref().unwrap_or(&first)))
    }
}

impl Distances<'_> {
    /// A slab of a side that the tables of distances omit.
    fn derived(&self, side: Color, slab: usize) -> Result<Sample, BuildError> {
        let read = |metric| {
            let mut codes = Vec::new();
            let id = TableId { material: self.layout.material(), metric };
            self.children.side(id, side)?.slab(slab, &mut codes)?;
            Ok::<_, BuildError>(codes)
        };
        let mates = read(Metric::Dtm)?;
        let conversions = if self.dtz.is_some() { read(Metric::Dtz)? } else { mates.clone() };
        Ok(self.sample(side, slab, &mates, &conversions))
    }

    /// The sample of a slab, from the codes of its distances.
    fn sample(&self, side: Color, slab: usize, mates: &[u16], conversions: &[u16]) -> Sample {
        let codes = &self.codes[side];
        let row = codes.len() / self.dtm.spec().values[side].len();
        let code = |(&mate, &conversion)| codes[usize::from(mate) * row + usize::from(conversion)];
        Sample { slab, codes: mates.iter().zip(conversions).map(code).collect(), reference: None }
    }
}
