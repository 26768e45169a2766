//! Tables in files, as the children of the sets being solved.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use makruk_tables::format::{MappedTable, Metric, TableFolder, Value};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

use crate::child::Children;
use crate::error::BuildError;

/// The tables of a folder, opened when they are first asked for.
pub struct StoredTables<'a> {
    folder: &'a TableFolder,
    opened: Mutex<HashMap<(Material, Metric), Arc<StoredTable>>>,
}

struct StoredTable {
    table: MappedTable,
    slab_len: u64,
}

impl<'a> StoredTables<'a> {
    /// The tables of a folder.
    pub fn new(folder: &'a TableFolder) -> StoredTables<'a> {
        StoredTables { folder, opened: Mutex::default() }
    }

    fn table(&self, set: Material, metric: Metric) -> Result<Arc<StoredTable>, BuildError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = opened.get(&(set, metric)) {
            return Ok(Arc::clone(table));
        }
        let layout = Layout::new(set);
        let table = self.folder.open_set(&layout, metric)?;
        let table = Arc::new(StoredTable { table, slab_len: layout.slab_len() });
        opened.insert((set, metric), Arc::clone(&table));
        Ok(table)
    }
}

impl Children for StoredTables<'_> {
    fn read_slab(
        &self,
        child: Material,
        metric: Metric,
        side: Color,
        slab: usize,
        values: &mut Vec<Value>,
    ) -> Result<(), BuildError> {
        let stored = self.table(child, metric)?;
        let start = slab as u64 * stored.slab_len;
        stored.table.decode_range(side, start..start + stored.slab_len, values)?;
        Ok(())
    }
}
