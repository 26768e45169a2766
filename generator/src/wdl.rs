//! The light table of a set, from its distances.

use makruk_tables::format::{FileTable, Metric, MovesLeft, Sample, Storage, Value, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::rules::{ByColor, Color};
use makruk_tables::tablebase::{SideSource, TableId};

use crate::built::WrittenTable;
use crate::error::BuildError;
use crate::solve::file_order::Encoder;
use crate::write::{Output, Slabs, Source};

/// Whether a side has its WDL values in the file: it is left out where its distances are, if its values follow from those
/// after its moves.
pub(crate) fn stores(dtm: &FileTable, events: &ValueList, left: MovesLeft, layout: &Layout, side: Color) -> bool {
    dtm.storage(side) != Storage::Absent || !left.follow(layout.material(), events.values())
}

/// What a set was solved to just now, as far as it was.
#[derive(Clone, Copy, Default)]
pub(crate) struct JustSolved<'a> {
    pub mates: Option<&'a Encoder<'a>>,
    pub events: Option<&'a Encoder<'a>>,
}

/// Writes the WDL table of a set whose tables of distances are in the folder; what was just solved need not be read.
pub(crate) fn write_wdl(
    output: &Output<'_>,
    solved: JustSolved<'_>,
    children: &dyn SideSource,
) -> Result<WrittenTable, BuildError> {
    let Output { folder, layout, options, .. } = *output;
    let set = layout.material();
    let left = MovesLeft::of(set, &options.rules);
    let dtm = folder.open_set(layout, Metric::Dtm)?;
    let dtz = if set.is_armed() { Some(folder.open_set(layout, Metric::Dtz)?) } else { None };
    let mates = |side| &dtm.spec().values[side];
    let events = |side| &dtz.as_ref().unwrap_or(&dtm).spec().values[side];
    let list = |side| ValueList::of_wdl(left, mates(side), events(side));
    let values = ByColor { white: list(Color::White)?, black: list(Color::Black)? };
    let stored = ByColor::from_fn(|side| stores(&dtm, events(side), left, layout, side));
    let codes = ByColor::from_fn(|side| {
        let code = |dtm, dtz| values[side].code(left.wdl(dtm, dtz).to_value()).unwrap_or(0);
        let row = |&(mate, _): &(Value, u64)| events(side).entries().iter().map(move |&(event, _)| (mate, event));
        mates(side).entries().iter().flat_map(row).map(|(mate, event)| code(mate, event)).collect()
    });
    let spec = output.spec(Metric::Wdl, stored, values);
    let slabs = Distances { layout, dtm: &dtm, dtz: dtz.as_ref(), solved, children, codes };
    output.write_slabs(spec, None, &slabs)
}

/// Where distances come from, and what WDL code each pair of them has.
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
        let Distances { dtm, dtz, solved: JustSolved { mates, events }, .. } = *self;
        let is_solved = mates.is_some() && (dtz.is_none() || events.is_some());
        if dtm.storage(side) == Storage::Absent && !is_solved {
            return self.worked_out(side, slab);
        }
        let (first, second) = match dtz {
            Some(dtz) if mates.is_none() && events.is_none() && dtz.header().reference().is_some() => {
                let (mut first, mut second) = (Vec::new(), Vec::new());
                dtz.slab_code_pairs(side, slab, &mut first, &mut second)?;
                (first, Some(second))
            }
            _ => {
                let events = dtz.map(|dtz| Source::new(dtz, events).slab(side, slab)).transpose()?;
                (Source::new(dtm, mates).slab(side, slab)?, events)
            }
        };
        Ok(self.sample(side, slab, &first, second.as_ref().unwrap_or(&first)))
    }
}

impl Distances<'_> {
    /// A slab of a side that the tables of distances leave out.
    fn worked_out(&self, side: Color, slab: usize) -> Result<Sample, BuildError> {
        let read = |metric| {
            let mut codes = Vec::new();
            let id = TableId { material: self.layout.material(), metric };
            self.children.side(id, side)?.slab(slab, &mut codes)?;
            Ok::<_, BuildError>(codes)
        };
        let mates = read(Metric::Dtm)?;
        let events = if self.dtz.is_some() { read(Metric::Dtz)? } else { mates.clone() };
        Ok(self.sample(side, slab, &mates, &events))
    }

    /// The sample that distances in codes make.
    fn sample(&self, side: Color, slab: usize, mates: &[u16], events: &[u16]) -> Sample {
        let codes = &self.codes[side];
        let row = codes.len() / self.dtm.spec().values[side].len();
        let code = |(&mate, &event)| codes[usize::from(mate) * row + usize::from(event)];
        Sample { slab, codes: mates.iter().zip(events).map(code).collect(), reference: None }
    }
}
