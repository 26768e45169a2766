//! A folder of tables.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{FormatError, Kind, Problem};
use super::listed::Listed;
use super::table::FileTable;
use super::table_file::Access;
use super::table_id::TableId;
use super::temporary::Temporary;
use crate::value::Metric;

/// A folder of tables, each opened when asked for. A table that is damaged or missing leaves the others usable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFolder {
    path: PathBuf,
    access: Access,
}

impl TableFolder {
    /// A folder that is there, for reading.
    ///
    /// # Errors
    ///
    /// It does not exist, is not a folder, or can't be read.
    pub fn open_existing(path: impl Into<PathBuf>) -> Result<TableFolder, FormatError> {
        let path = path.into();
        match fs::metadata(&path) {
            Ok(metadata) if !metadata.is_dir() => return Err(Problem::NotAFolder.at(&path)),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Err(Problem::NoFolder.at(&path));
            }
            Err(error) => return Err(Problem::io("read the table folder", &path)(error)),
        }
        fs::read_dir(&path).map_err(Problem::io("read the table folder", &path))?;
        Ok(TableFolder { path, access: Access::positional() })
    }

    /// A folder to write tables into, made if it is not there. That it can be written to is tried now, not after the
    /// first table has been solved.
    ///
    /// # Errors
    ///
    /// It can't be made, is not a folder, or can't be written.
    pub fn create(path: impl Into<PathBuf>) -> Result<TableFolder, FormatError> {
        let path = path.into();
        match fs::create_dir_all(&path) {
            Ok(()) => {}
            Err(_) if path.exists() && !path.is_dir() => return Err(Problem::NotAFolder.at(&path)),
            Err(error) => return Err(Problem::io("make the table folder", &path)(error)),
        }
        let folder = TableFolder::open_existing(path)?;
        Temporary::create(&folder.path, "writable")?;
        Ok(folder)
    }

    /// The way in which its tables are read.
    pub fn access(&self) -> Access {
        self.access
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path that a table has or would have.
    pub fn path_of(&self, id: TableId) -> PathBuf {
        self.path.join(id.to_string())
    }

    /// Whether there is a file for this table.
    pub fn contains(&self, id: TableId) -> bool {
        self.path_of(id).is_file()
    }

    /// The folder, its tables read in another way than by positional reads.
    #[must_use]
    pub fn with_access(mut self, access: Access) -> TableFolder {
        self.access = access;
        self
    }

    /// Opens a table, whose header must say that it is the one its file is named for. `V` is the type of its values.
    ///
    /// # Errors
    ///
    /// As [`FileTable::open`]; another table under this one's name; the folder is gone.
    pub fn open<V: Listed>(&self, id: TableId) -> Result<FileTable<V>, FormatError> {
        let path = self.path_of(id);
        let table = FileTable::open(&path, self.access).map_err(|error| match error.kind() {
            Kind::NoTable if !self.path.exists() => Problem::NoFolder.at(&self.path),
            Kind::NoTable if !self.path.is_dir() => Problem::NotAFolder.at(&self.path),
            _ => error,
        });
        let table = FileTable::named(table, id)?;
        if table.header().reference().is_none() {
            return Ok(table);
        }
        table.with_reference(Arc::new(self.open(TableId { metric: Metric::Dtm, ..id })?))
    }

    /// The tables that are here, in order. None is opened. A file under another name than the canonical one is not a
    /// table: no reader looks for it.
    ///
    /// # Errors
    ///
    /// The folder can't be read.
    pub fn list(&self) -> Result<Vec<TableId>, FormatError> {
        let mut tables = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(Problem::io("read the table folder", &self.path))? {
            let entry = entry.map_err(Problem::io("read the table folder", &self.path))?;
            let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            // Follows links: a folder of links to tables is a table folder.
            if entry.path().is_file() {
                tables.push(id);
            }
        }
        tables.sort();
        Ok(tables)
    }
}
