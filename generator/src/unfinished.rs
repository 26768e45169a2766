//! Files of unfinished tables: checkpoints of builds and parts that were fetched. They are in the folder of the tables.
//!
//! The checkpoint of `KNNvKMM.dtm` is `KNNvKMM.dtm.unfinished`. The part that a fetch has received is
//! `.KNNvKMM.dtm.part`. A process locks a file while it writes to it.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use makruk_format::{FormatError, TableFolder, TableId};
use makruk_tables::material::Material;

const SUFFIX: &str = ".unfinished";

/// A table that an interrupted build has begun to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The table.
    pub table: TableId,
    /// Its checkpoint.
    pub path: PathBuf,
    /// The checkpoint's length.
    pub bytes: u64,
}

/// The path of a table's checkpoint.
pub(crate) fn path_of(folder: &Path, table: TableId) -> PathBuf {
    folder.join(format!("{table}{SUFFIX}"))
}

/// The path of the part of a table that a fetch has received.
pub(crate) fn part_of(folder: &Path, table: TableId) -> PathBuf {
    folder.join(format!(".{table}.part"))
}

/// The unfinished tables of a folder, in order. A build continues from their checkpoints.
///
/// # Errors
///
/// The folder cannot be read.
pub fn unfinished(folder: &TableFolder) -> Result<Vec<Unfinished>, FormatError> {
    let failed = |error| FormatError::io("read the table folder", folder.path(), error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder.path()).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let table = name.to_str().and_then(|name| name.strip_suffix(SUFFIX)).and_then(|name| name.parse().ok());
        // One that another build removes meanwhile is not there.
        if let (Some(table), Ok(metadata)) = (table, entry.metadata())
            && metadata.is_file()
        {
            found.push(Unfinished { table, path: entry.path(), bytes: metadata.len() });
        }
    }
    found.sort_by_key(|unfinished| unfinished.table);
    Ok(found)
}

/// Removes the checkpoints of materials that need none any more, unless a build is using them.
///
/// # Errors
///
/// The folder cannot be read. A checkpoint that cannot be removed stays.
pub(crate) fn remove_stale(folder: &TableFolder, is_stale: impl Fn(Material) -> bool) -> Result<(), FormatError> {
    unfinished(folder)?
        .into_iter()
        .filter(|unfinished| is_stale(unfinished.table.material))
        .for_each(|unfinished| remove(&unfinished.path));
    Ok(())
}

/// Removes a file that is not needed any more, unless another process has it locked.
pub(crate) fn remove(path: &Path) {
    let Ok(file) = OpenOptions::new().write(true).open(path) else { return };
    if file.try_lock().is_ok() {
        // If this fails, a later run removes it.
        let _ = fs::remove_file(path);
    }
}
