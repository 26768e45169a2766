//! The file in which a server keeps the longest wins that it has found, so that it does not search for them again.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use makruk_tables::rules::ByColor;
use serde::{Deserialize, Serialize};

/// The longest wins of tables by the tables' names, in memory and, if it has a path, in a file.
#[derive(Debug)]
pub(crate) struct LongestWinFile {
    path: Option<PathBuf>,
    tables: Mutex<BTreeMap<String, KeptWins>>,
}

/// The longest wins of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptWins {
    /// The checksum of the table's header, which stands for the whole table.
    checksum: u32,
    white: Vec<String>,
    black: Vec<String>,
}

impl LongestWinFile {
    /// Reads the file. A file that does not exist is empty; one that cannot be read is logged and written anew.
    pub(crate) fn open(path: Option<PathBuf>) -> LongestWinFile {
        let tables = match path.as_deref().map(read) {
            None => BTreeMap::new(),
            Some(Ok(tables)) => tables,
            Some(Err(error)) => {
                tracing::warn!("the file of the longest wins cannot be read, and is written anew: {error}");
                BTreeMap::new()
            }
        };
        LongestWinFile { path, tables: Mutex::new(tables) }
    }

    /// The longest wins of a table with this checksum.
    pub(crate) fn of(&self, table: &str, checksum: u32) -> Option<ByColor<Vec<String>>> {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = tables.get(table).filter(|kept| kept.checksum == checksum)?;
        Some(ByColor { white: kept.white.clone(), black: kept.black.clone() })
    }

    /// Keeps the longest wins of a table. Blocks on the disk.
    pub(crate) fn keep(&self, table: &str, checksum: u32, found: &ByColor<Vec<String>>) {
        let Some(path) = &self.path else { return };
        let kept = KeptWins { checksum, white: found.white.clone(), black: found.black.clone() };
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.insert(table.to_owned(), kept);
        if let Err(error) = write(path, &tables) {
            tracing::warn!("the longest wins are not kept: {}: {error}", path.display());
        }
    }
}

fn read(path: &Path) -> io::Result<BTreeMap<String, KeptWins>> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(error),
    }
}

/// Writes the whole file or nothing.
fn write(path: &Path, tables: &BTreeMap<String, KeptWins>) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    fs::write(&temporary, serde_json::to_vec_pretty(tables)?)?;
    fs::rename(&temporary, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_kept_for_the_same_table_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("longest.json");
        let wins = ByColor { white: vec!["8/8/8/8/8/8/8/8 w".to_owned()], black: Vec::new() };
        let file = LongestWinFile::open(Some(path.clone()));
        assert_eq!(file.of("KRvK.dtm", 7), None);
        file.keep("KRvK.dtm", 7, &wins);
        let again = LongestWinFile::open(Some(path.clone()));
        assert_eq!(again.of("KRvK.dtm", 7), Some(wins.clone()));
        assert_eq!((again.of("KRvK.dtm", 8), again.of("KRvK.dtz", 7)), (None, None));
        fs::write(&path, "no JSON").unwrap();
        let empty = LongestWinFile::open(Some(path.clone()));
        assert_eq!(empty.of("KRvK.dtm", 7), None);
        empty.keep("KNvK.dtm", 1, &wins);
        assert!(fs::read_to_string(&path).unwrap().contains("KNvK.dtm"));
        let nowhere = LongestWinFile::open(None);
        nowhere.keep("KRvK.dtm", 7, &wins);
        assert_eq!(nowhere.of("KRvK.dtm", 7), None);
    }
}
