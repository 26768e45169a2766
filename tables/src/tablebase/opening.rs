//! Opening the tables of a tablebase.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::error::{OtherRules, TableError};
use super::handle::TableHandle;
use super::open_tables::TableKind;
use super::tablebase::Tablebase;
use makruk_format::index::Layout;
use makruk_format::value::Metric;
use makruk_format::{FileTable, FormatError, Listed, TableFolder, TableId};

impl Tablebase {
    #[inline]
    pub(super) fn handle<V: TableKind>(&self, id: TableId) -> Result<&TableHandle<V>, TableError> {
        let handle = match V::registry(&self.inner.tables).get(id) {
            Some(handle) => handle,
            None => self.open_handle(id)?,
        };
        // DTM knows no count, so its tables serve under all rules.
        if id.metric != Metric::Dtm && handle.table.spec().rules != self.rules().name() {
            return Err(self.other_rules(id, &handle.table));
        }
        Ok(handle)
    }

    #[cold]
    fn open_handle<V: TableKind>(&self, id: TableId) -> Result<&TableHandle<V>, TableError> {
        V::registry(&self.inner.tables).get_or_open(id, || self.open_table(id))
    }

    fn open_table<V: TableKind>(&self, id: TableId) -> Result<TableHandle<V>, TableError> {
        let opened = match self.store() {
            Some(store) => FileTable::elsewhere(id, |id| store.open(id)),
            None => TableFolder::open_existing(self.folder_of(id))
                .and_then(|folder| folder.with_access(self.inner.place.access).open(id)),
        };
        let table = opened.map_err(|source| self.error(id, source))?;
        let number = self.inner.tables.count.fetch_add(1, Ordering::Relaxed);
        Ok(TableHandle::new(table, Layout::new(id.material), number))
    }

    /// The folder that has a table, or the first.
    fn folder_of(&self, id: TableId) -> &Path {
        let folders = self.folders();
        let first = folders.first().map_or(Path::new(""), PathBuf::as_path);
        if folders.len() < 2 {
            return first;
        }
        let name = id.to_string();
        folders.iter().find(|folder| folder.join(&name).is_file()).map_or(first, PathBuf::as_path)
    }

    pub(super) fn path_of(&self, id: TableId) -> PathBuf {
        self.folder_of(id).join(id.to_string())
    }

    /// Classifies an error of a table's file.
    #[cold]
    pub(crate) fn error(&self, id: TableId, source: FormatError) -> TableError {
        TableError::of(id, self.path_of(id), source)
    }

    #[cold]
    fn other_rules<V: Listed>(&self, id: TableId, table: &FileTable<V>) -> TableError {
        let (expected, found) = (self.rules().name().to_owned(), table.spec().rules.clone());
        let path = table.path().to_owned();
        TableError::Unsupported { id, path: path.clone(), source: OtherRules { path, expected, found }.into() }
    }
}
