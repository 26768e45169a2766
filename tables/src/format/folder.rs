//! A folder of tables.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{FormatError, Kind, Problem};
use super::source::Access;
use super::spec::is_material_name;
use super::table::FileTable;
use super::table_id::TableId;
use super::temporary::Temporary;
use crate::index::Layout;
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
    /// It does not exist, is no folder, or can't be read.
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

    /// A folder to write tables into, made if it is not there. That it can be written to is tried now, not after the first
    /// table has been solved.
    ///
    /// # Errors
    ///
    /// It can't be made, is no folder, or can't be written.
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

    /// The path that a table has or would have. `material` is a material's name ([`is_material_name`]).
    pub fn path_of(&self, material: &str, metric: Metric) -> PathBuf {
        self.path.join(format!("{material}.{metric}"))
    }

    /// Whether there is a file for this table.
    pub fn contains(&self, material: &str, metric: Metric) -> bool {
        is_material_name(material) && self.path_of(material, metric).is_file()
    }

    /// The folder, its tables read in another way than by positional reads.
    #[must_use]
    pub fn with_access(mut self, access: Access) -> TableFolder {
        self.access = access;
        self
    }

    /// Opens a table, whose header must say that it is the one its file is named for.
    ///
    /// # Errors
    ///
    /// As [`FileTable::open`]; a name that is no material's, or another table under this one's name; the folder is gone.
    pub fn open(&self, material: &str, metric: Metric) -> Result<FileTable, FormatError> {
        if !is_material_name(material) {
            return Err(Problem::BadName { name: material.to_owned() }.at(&self.path));
        }
        let path = self.path_of(material, metric);
        let table = FileTable::open(&path, self.access).map_err(|error| match error.kind() {
            Kind::Missing if !self.path.exists() => Problem::NoFolder.at(&self.path),
            Kind::Missing if !self.path.is_dir() => Problem::NotAFolder.at(&self.path),
            _ => error,
        })?;
        let (expected, found) = (format!("{material}.{metric}"), table.spec().file_name());
        if found != expected {
            return Err(Problem::OtherTable { expected, found }.at(&path));
        }
        if table.header().reference().is_none() {
            return Ok(table);
        }
        table.with_reference(Arc::new(self.open(material, Metric::Dtm)?))
    }

    /// Opens the table of a layout's material.
    ///
    /// # Errors
    ///
    /// As [`TableFolder::open`].
    pub fn open_layout(&self, layout: &Layout, metric: Metric) -> Result<FileTable, FormatError> {
        self.open(&layout.material().to_string(), metric)
    }

    /// The tables that are here, in order. None is opened. A file under another name than the canonical one is no table:
    /// no reader looks for it.
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
