//! Tables in files, as the children of the sets being solved.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use makruk_tables::format::{MappedTable, Metric, Storage, TableFolder, Value};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules, Position};
use makruk_tables::successors::{has_table, value_by_moves};
use rayon::prelude::*;

use crate::child::Children;
use crate::error::BuildError;

/// The tables of a folder, opened when they are first asked for. Sides to move that files leave out are worked out.
pub struct StoredTables<'a> {
    folder: &'a TableFolder,
    rules: &'a CountingRules,
    opened: Mutex<HashMap<(Material, Metric), Arc<StoredTable>>>,
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

/// The slabs of the stored side that one slab of the other's moves lead to, by number.
type Near = HashMap<usize, Vec<Value>>;

impl<'a> StoredTables<'a> {
    /// The tables of a folder, DTZ under these rules.
    pub fn new(folder: &'a TableFolder, rules: &'a CountingRules) -> StoredTables<'a> {
        StoredTables { folder, rules, opened: Mutex::default() }
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
        let slab_len = stored.layout.slab_len();
        values.clear();
        for slab in numbers.start / slab_len..numbers.end.div_ceil(slab_len) {
            let wanted = numbers.start.max(slab * slab_len)..numbers.end.min((slab + 1) * slab_len);
            let near = self.near(&stored, !side, slab as usize)?;
            let found: Vec<Value> = wanted
                .into_par_iter()
                .map(|number| match stored.layout.position_at(side, number) {
                    Some(position) => value_by_moves(&position, metric, self.rules, |after, metric| {
                        self.after(&stored, &near, after, metric)
                    }),
                    None => Ok(Value::Draw),
                })
                .collect::<Result<_, BuildError>>()?;
            values.extend(found);
        }
        Ok(())
    }

    /// The values of the side to move after a quiet move from a slab.
    fn near(&self, stored: &StoredTable, side: Color, slab: usize) -> Result<Near, BuildError> {
        let kings = stored.layout.kings();
        let pair = kings.pair(slab);
        let mover = !side;
        let mut near = Near::new();
        let moved = makruk_tables::rules::king_attacks(pair[mover]).map(|to| {
            let mut moved = pair;
            moved[mover] = to;
            moved
        });
        for (slab, _) in moved.filter_map(|pair| kings.fold(pair)).chain(kings.fold(pair)) {
            if let std::collections::hash_map::Entry::Vacant(entry) = near.entry(slab) {
                let start = slab as u64 * stored.layout.slab_len();
                let mut values = Vec::new();
                stored.table.decode_range(side, start..start + stored.layout.slab_len(), &mut values)?;
                entry.insert(values);
            }
        }
        Ok(near)
    }

    /// The value of a position that a move leads to.
    fn after(&self, stored: &StoredTable, near: &Near, after: &Position, metric: Metric) -> Result<Value, BuildError> {
        if metric == stored.table.spec().metric
            && let Some((_, number)) = stored.layout.index(after)
            && let Some(values) = near.get(&((number / stored.layout.slab_len()) as usize))
        {
            return Ok(values[(number % stored.layout.slab_len()) as usize]);
        }
        self.value(after, metric)
    }

    /// The value of one position.
    ///
    /// # Errors
    ///
    /// As [`StoredTables::read`].
    pub fn value(&self, position: &Position, metric: Metric) -> Result<Value, BuildError> {
        let Ok((set, _)) = Material::of(position.board()) else { return Ok(Value::Draw) };
        if set == Material::BARE_KINGS {
            return Ok(Value::Draw);
        }
        let metric = if has_table(set, metric) { metric } else { Metric::Dtm };
        let stored = self.table(set, metric)?;
        let Some((side, number)) = stored.layout.index(position) else { return Ok(Value::Draw) };
        if stored.table.storage(side) == Storage::Absent {
            return value_by_moves(position, metric, self.rules, |after, metric| self.value(after, metric));
        }
        Ok(stored.table.value(side, number)?)
    }
}

/// The most men with which a side that is stored is worth keeping: it takes some megabytes. Larger sets leave the room to what
/// their files leave out, which takes a hundred times as long.
pub(crate) const SMALL: usize = 4;

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
        let list = stored.values(side);
        let mut values = Vec::new();
        self.read(child, metric, side, start..start + slab_len, &mut values)?;
        codes.clear();
        // What is no legal position has a value that the list need not have.
        codes.extend(values.iter().map(|value| list.binary_search(value).unwrap_or(0) as u16));
        Ok(())
    }

    fn is_worth_keeping(&self, child: Material, metric: Metric, side: Color) -> Result<bool, BuildError> {
        Ok(match self.table(child, metric)?.table.storage(side) {
            Storage::Absent => true,
            Storage::Blocks => child.men() <= SMALL,
            Storage::Constant => false,
        })
    }
}
