//! The distances of whole slabs, under both metrics together.

use makruk_tables::format::{Metric, Storage, Value, ValueList};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules};

use makruk_probe::open_table::OpenTable;
use makruk_probe::{TableError, Tables};

/// A set's tables of distances.
pub(super) struct Distances<'a> {
    tables: &'a Tables,
    set: Material,
    dtm: &'a OpenTable,
    /// `None` where a king is bare: there DTM serves as DTZ.
    dtz: Option<&'a OpenTable>,
}

/// Those of a slab of a side.
pub(super) struct SlabDistances<'a> {
    dtm: (&'a ValueList, Vec<u16>),
    dtz: Option<(&'a ValueList, Vec<u16>)>,
}

impl<'a> Distances<'a> {
    /// The tables of a set.
    ///
    /// # Errors
    ///
    /// If one is missing or damaged.
    pub(super) fn open(tables: &'a Tables, set: Material, rules: &CountingRules) -> Result<Distances<'a>, TableError> {
        let dtm = tables.table(set, Metric::Dtm, rules)?;
        let dtz = if set.is_armed() { Some(tables.table(set, Metric::Dtz, rules)?) } else { None };
        Ok(Distances { tables, set, dtm, dtz })
    }

    /// Do they have a side to move?
    pub(super) fn store(&self, side: Color) -> bool {
        [Some(self.dtm), self.dtz].into_iter().flatten().all(|table| table.storage(side) != Storage::Absent)
    }

    /// A slab of a side that they have.
    ///
    /// # Errors
    ///
    /// If a table is damaged.
    pub(super) fn slab(&self, side: Color, slab: usize) -> Result<SlabDistances<'a>, TableError> {
        let error = |metric| move |source| self.tables.table_error(self.set, metric, source);
        let (mut mates, mut events) = (Vec::new(), Vec::new());
        match self.dtz {
            // What one refers to is decoded on the way.
            Some(dtz) if dtz.refers() => {
                dtz.slab_pairs(side, slab, &mut mates, &mut events).map_err(error(Metric::Dtz))?;
            }
            dtz => {
                self.dtm.slab_codes(side, slab, &mut mates).map_err(error(Metric::Dtm))?;
                if let Some(dtz) = dtz {
                    dtz.slab_codes(side, slab, &mut events).map_err(error(Metric::Dtz))?;
                }
            }
        }
        Ok(SlabDistances { dtm: (self.dtm.values(side), mates), dtz: self.dtz.map(|dtz| (dtz.values(side), events)) })
    }
}

impl SlabDistances<'_> {
    /// How many offsets the slab has.
    pub(super) fn len(&self) -> usize {
        self.dtm.1.len()
    }

    /// DTM and DTZ at an offset; those of what is no legal position mean nothing.
    #[inline]
    pub(super) fn at(&self, offset: usize) -> (Value, Value) {
        let value = |(list, codes): &(&ValueList, Vec<u16>)| {
            codes.get(offset).and_then(|&code| list.value(code)).unwrap_or_default()
        };
        let mate = value(&self.dtm);
        (mate, self.dtz.as_ref().map_or(mate, value))
    }
}
