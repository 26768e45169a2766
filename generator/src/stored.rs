//! Tables in files, as the children of the sets being solved.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use makruk_tables::format::{MappedTable, Metric, Storage, TableFolder, Value};
use makruk_tables::index::Layout;
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{Color, CountingRules, Position};
use makruk_tables::successors::{metric_for, minimax_one_ply};

use crate::budget::SMALL;
use crate::child::Children;
use crate::error::BuildError;
use crate::left_out::LeftOut;

/// The tables of a folder, opened when they are first asked for. Sides to move that files leave out are worked out.
pub struct StoredTables<'a> {
    folder: &'a TableFolder,
    rules: &'a CountingRules,
    opened: Mutex<HashMap<(Material, Metric), Arc<StoredTable>>>,
    /// Sides that files leave out, as far as they were asked for, each under the last metric.
    left_out: Mutex<HashMap<(Material, Color), Known>>,
}

/// How a side that a file leaves out is worked out under a metric; `None` if not by slabs.
struct Known {
    metric: Metric,
    left_out: Option<Arc<LeftOut>>,
}

struct StoredTable {
    table: MappedTable,
    layout: Layout,
}

impl StoredTable {
    /// The values of a side, ascending.
    fn values(&self, side: Color) -> Vec<Value> {
        self.table.spec().values[side].entries().iter().map(|entry| entry.0).collect()
    }
}

impl<'a> StoredTables<'a> {
    /// The tables of a folder, DTZ under these rules.
    pub fn new(folder: &'a TableFolder, rules: &'a CountingRules) -> StoredTables<'a> {
        StoredTables { folder, rules, opened: Mutex::default(), left_out: Mutex::default() }
    }

    fn table(&self, set: Material, metric: Metric) -> Result<Arc<StoredTable>, BuildError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = opened.get(&(set, metric)) {
            return Ok(Arc::clone(table));
        }
        let layout = Layout::new(set);
        let table = self.folder.open_set(&layout, metric)?;
        let table = Arc::new(StoredTable { table, layout });
        opened.insert((set, metric), Arc::clone(&table));
        Ok(table)
    }

    /// The values of some positions of a side to move, by their numbers. Those of what is no legal position mean nothing.
    ///
    /// # Errors
    ///
    /// If a table is missing or cannot be read.
    pub fn read(
        &self,
        set: Material,
        metric: Metric,
        side: Color,
        numbers: Range<u64>,
        values: &mut Vec<Value>,
    ) -> Result<(), BuildError> {
        let stored = self.table(set, metric)?;
        if stored.table.storage(side) != Storage::Absent {
            return Ok(stored.table.decode_range(side, numbers, values)?);
        }
        let (slab_len, list) = (stored.layout.slab_len(), stored.values(side));
        values.clear();
        let mut codes = Vec::new();
        for slab in numbers.start / slab_len..numbers.end.div_ceil(slab_len) {
            self.read_slab(set, metric, side, slab as usize, &mut codes)?;
            let start = slab * slab_len;
            let wanted = numbers.start.max(start) - start..numbers.end.min(start + slab_len) - start;
            values
                .extend(codes[wanted.start as usize..wanted.end as usize].iter().map(|&code| list[usize::from(code)]));
        }
        Ok(())
    }

    /// A side that a file leaves out; `None` if it cannot be worked out by slabs.
    fn left_out(&self, stored: &StoredTable, side: Color) -> Result<Option<Arc<LeftOut>>, BuildError> {
        let metric = stored.table.spec().metric;
        let key = (stored.layout.material(), side);
        let mut known = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&key).filter(|known| known.metric == metric) {
            return Ok(known.left_out.clone());
        }
        let left_out = LeftOut::new(self, &stored.layout, metric, side, self.rules)?.map(Arc::new);
        known.insert(key, Known { metric, left_out: left_out.clone() });
        Ok(left_out)
    }

    /// The codes of a slab that is left out, each position by itself.
    fn one_by_one(
        &self,
        stored: &StoredTable,
        side: Color,
        slab: usize,
        codes: &mut Vec<u16>,
    ) -> Result<(), BuildError> {
        let (layout, list) = (&stored.layout, stored.values(side));
        let start = slab as u64 * layout.slab_len();
        let found = (start..start + layout.slab_len()).map(|number| {
            let Some(position) = layout.position_at(side, number) else { return Ok(0) };
            let value = self.value(&position, stored.table.spec().metric)?;
            Ok(list.binary_search(&value).unwrap_or(0) as u16)
        });
        *codes = found.collect::<Result<_, BuildError>>()?;
        Ok(())
    }

    /// The value of one position.
    ///
    /// # Errors
    ///
    /// As [`StoredTables::read`].
    pub fn value(&self, position: &Position, metric: Metric) -> Result<Value, BuildError> {
        let Ok(Oriented { material: set, .. }) = Material::of(position.board()) else { return Ok(Value::Draw) };
        if set == Material::BARE_KINGS {
            return Ok(Value::Draw);
        }
        let metric = metric_for(set, metric);
        let stored = self.table(set, metric)?;
        let Some((side, number)) = stored.layout.number(position) else { return Ok(Value::Draw) };
        if stored.table.storage(side) == Storage::Absent {
            return minimax_one_ply(position, metric, self.rules, |after, metric| self.value(after, metric));
        }
        Ok(stored.table.value(side, number)?)
    }
}

impl Children for StoredTables<'_> {
    fn values(&self, child: Material, metric: Metric, side: Color) -> Result<Vec<Value>, BuildError> {
        Ok(self.table(child, metric)?.values(side))
    }

    fn read_slab(
        &self,
        child: Material,
        metric: Metric,
        side: Color,
        slab: usize,
        codes: &mut Vec<u16>,
    ) -> Result<(), BuildError> {
        let stored = self.table(child, metric)?;
        let slab_len = stored.layout.slab_len();
        let start = slab as u64 * slab_len;
        if stored.table.storage(side) != Storage::Absent {
            return Ok(stored.table.decode_codes(side, start..start + slab_len, codes)?);
        }
        match self.left_out(&stored, side)? {
            Some(left_out) => left_out.read_slab(self, slab, codes),
            None => self.one_by_one(&stored, side, slab, codes),
        }
    }

    fn is_worth_keeping(&self, child: Material, metric: Metric, side: Color) -> Result<bool, BuildError> {
        Ok(match self.table(child, metric)?.table.storage(side) {
            Storage::Absent => true,
            Storage::Blocks => child.men() <= SMALL,
            Storage::Constant => false,
        })
    }
}
