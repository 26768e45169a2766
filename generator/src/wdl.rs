//! The light table of a set, from its distances.

use makruk_tables::format::{MappedTable, Metric, MovesLeft, Sample, Storage, TableFolder, Value, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::rules::{ByColor, Color, CountingRules};

use crate::built::WrittenTable;
use crate::child::Children;
use crate::encode::Encoder;
use crate::error::BuildError;
use crate::progress::Progress;
use crate::write::{Slabs, spec_of, write_slabs};

/// Whether a side has its WDL values in the file: it is left out where its distances are, if its values follow from those
/// after its moves.
pub(crate) fn stores(dtm: &MappedTable, events: &ValueList, left: MovesLeft, layout: &Layout, side: Color) -> bool {
    dtm.storage(side) != Storage::Absent || !left.follow(layout.material(), events)
}

/// Writes the WDL table of a set whose tables of distances are in the folder. `solved` is what the last of its metrics was
/// solved to, if it was just now.
pub(crate) fn write_wdl(
    folder: &TableFolder,
    layout: &Layout,
    solved: Option<&Encoder<'_>>,
    rules: &CountingRules,
    children: &dyn Children,
    progress: &dyn Progress,
) -> Result<WrittenTable, BuildError> {
    let set = layout.material();
    let left = MovesLeft::of(set, rules);
    let dtm = folder.open_set(layout, Metric::Dtm)?;
    let dtz = if set.is_armed() { Some(folder.open_set(layout, Metric::Dtz)?) } else { None };
    let mates = |side| &dtm.spec().values[side];
    let events = |side| &dtz.as_ref().unwrap_or(&dtm).spec().values[side];
    let list = |side| left.list(mates(side), events(side));
    let values = ByColor { white: list(Color::White)?, black: list(Color::Black)? };
    let stored = ByColor::from_fn(|side| stores(&dtm, events(side), left, layout, side));
    let codes = ByColor::from_fn(|side| {
        let code = |dtm, dtz| values[side].code(left.wdl(dtm, dtz)).unwrap_or(0);
        let row = |&(mate, _): &(Value, u64)| events(side).entries().iter().map(move |&(event, _)| (mate, event));
        mates(side).entries().iter().flat_map(row).map(|(mate, event)| code(mate, event)).collect()
    });
    let spec = spec_of(layout, Metric::Wdl, rules, stored, values.clone());
    let slabs = Distances { layout, dtm: &dtm, dtz: dtz.as_ref(), solved, children, left, values, codes };
    write_slabs(folder, layout, spec, None, &slabs, progress)
}

/// Where distances come from, and what WDL code each pair of them has.
struct Distances<'a> {
    layout: &'a Layout,
    dtm: &'a MappedTable,
    dtz: Option<&'a MappedTable>,
    solved: Option<&'a Encoder<'a>>,
    children: &'a dyn Children,
    left: MovesLeft,
    values: ByColor<ValueList>,
    /// By DTM code, then DTZ code.
    codes: ByColor<Vec<u16>>,
}

impl Slabs for Distances<'_> {
    fn slab(&self, side: Color, slab: usize) -> Result<Sample, BuildError> {
        let Distances { layout, dtm, dtz, .. } = self;
        let start = slab as u64 * layout.slab_len();
        let numbers = start..start + layout.slab_len();
        let (mut mates, mut events) = (Vec::new(), Vec::new());
        match (dtz, self.solved) {
            (None, Some(encoder)) => mates = encoder.slab::<u16>(side, slab)?,
            _ if dtm.storage(side) == Storage::Absent => return self.worked_out(side, slab),
            (None, None) => dtm.decode_codes(side, numbers, &mut mates)?,
            (Some(_), Some(encoder)) => {
                dtm.decode_codes(side, numbers, &mut mates)?;
                events = encoder.slab::<u16>(side, slab)?;
            }
            (Some(dtz), None) if dtz.header().reference().is_some() => {
                dtz.decode_pair(side, slab, &mut mates, &mut events)?;
            }
            (Some(dtz), None) => {
                dtm.decode_codes(side, numbers.clone(), &mut mates)?;
                dtz.decode_codes(side, numbers, &mut events)?;
            }
        }
        let codes = &self.codes[side];
        let row = codes.len() / dtm.spec().values[side].len();
        let events = if dtz.is_some() { &events } else { &mates };
        let code = |(&mate, &event)| codes[usize::from(mate) * row + usize::from(event)];
        Ok(Sample { slab, codes: mates.iter().zip(events).map(code).collect(), reference: None })
    }
}

impl Distances<'_> {
    /// A slab of a side that the tables of distances leave out.
    fn worked_out(&self, side: Color, slab: usize) -> Result<Sample, BuildError> {
        let read = |metric| {
            let mut values = Vec::new();
            self.children.read_slab(self.layout.material(), metric, side, slab, &mut values)?;
            Ok::<_, BuildError>(values)
        };
        let mates = read(Metric::Dtm)?;
        let events = if self.dtz.is_some() { read(Metric::Dtz)? } else { mates.clone() };
        let code = |(&mate, &event)| self.values[side].code(self.left.wdl(mate, event)).unwrap_or(0);
        Ok(Sample { slab, codes: mates.iter().zip(&events).map(code).collect(), reference: None })
    }
}
