//! The file in which a server keeps the longest wins that it has found, so that it does not search for them again.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use makruk_tables::rules::ByColor;
use serde::{Deserialize, Serialize};

/// The longest wins of tables by the tables' names, in memory and, if it has a path, in a file.
#[derive(Debug)]
pub(crate) struct LongestWinFile {
    path: Option<PathBuf>,
    /// Whether those that come with the program are used.
    has_shipped: bool,
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

/// The longest wins of the tables of up to five men, which are the same everywhere: `longest-wins.json`.
static SHIPPED: LazyLock<BTreeMap<String, KeptWins>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../longest-wins.json")).unwrap_or_default());

impl LongestWinFile {
    /// Reads the file. A file that does not exist is empty; one that cannot be read is logged and rewritten.
    pub(crate) fn open(path: Option<PathBuf>, has_shipped: bool) -> LongestWinFile {
        let tables = match path.as_deref().map(read) {
            None => BTreeMap::new(),
            Some(Ok(tables)) => tables,
            Some(Err(error)) => {
                tracing::warn!("cannot read the file of the longest wins, which is rewritten: {error}");
                BTreeMap::new()
            }
        };
        LongestWinFile { path, has_shipped, tables: Mutex::new(tables) }
    }

    /// The longest wins of a table with this checksum: those that were found, or those that come with the program.
    pub(crate) fn of(&self, table: &str, checksum: u32) -> Option<ByColor<Vec<String>>> {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |kept: &&KeptWins| kept.checksum == checksum;
        let kept = tables
            .get(table)
            .filter(is_it)
            .or_else(|| SHIPPED.get(table).filter(is_it).filter(|_| self.has_shipped))?;
        Some(ByColor { white: kept.white.clone(), black: kept.black.clone() })
    }

    /// Keeps the longest wins of a table. Blocks on the disk.
    pub(crate) fn keep(&self, table: &str, checksum: u32, found: &ByColor<Vec<String>>) {
        let Some(path) = &self.path else { return };
        let kept = KeptWins { checksum, white: found.white.clone(), black: found.black.clone() };
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.insert(table.to_owned(), kept);
        if let Err(error) = write(path, &tables) {
            tracing::warn!("the longest wins cannot be saved: {}: {error}", path.display());
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
    fn the_wins_that_come_with_the_program_are_those_of_their_tables() {
        let nowhere = LongestWinFile::open(None, true);
        assert!(SHIPPED.len() >= 253, "{}", SHIPPED.len());
        for (table, kept) in SHIPPED.iter() {
            assert!(nowhere.of(table, kept.checksum).is_some_and(|wins| wins.white.len() <= 10));
            assert_eq!(nowhere.of(table, kept.checksum ^ 1), None, "{table}");
            assert_eq!(LongestWinFile::open(None, false).of(table, kept.checksum), None, "{table}");
        }
    }

    #[test]
    fn wins_are_kept_for_the_same_table_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("longest.json");
        let wins = ByColor { white: vec!["8/8/8/8/8/8/8/8 w".to_owned()], black: Vec::new() };
        let file = LongestWinFile::open(Some(path.clone()), true);
        assert_eq!(file.of("KRvK.dtm", 7), None);
        file.keep("KRvK.dtm", 7, &wins);
        let again = LongestWinFile::open(Some(path.clone()), true);
        assert_eq!(again.of("KRvK.dtm", 7), Some(wins.clone()));
        assert_eq!((again.of("KRvK.dtm", 8), again.of("KRvK.dtz", 7)), (None, None));
        fs::write(&path, "no JSON").unwrap();
        let empty = LongestWinFile::open(Some(path.clone()), true);
        assert_eq!(empty.of("KRvK.dtm", 7), None);
        empty.keep("KNvK.dtm", 1, &wins);
        assert!(fs::read_to_string(&path).unwrap().contains("KNvK.dtm"));
        let nowhere = LongestWinFile::open(None, true);
        nowhere.keep("KRvK.dtm", 7, &wins);
        assert_eq!(nowhere.of("KRvK.dtm", 7), None);
    }
}
