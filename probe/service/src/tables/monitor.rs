//! The folder monitor: the table files of a folder.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use arc_swap::ArcSwap;
use makruk_tables::format::{FormatError, Kind, TableFolder, TableId};
use makruk_tables::material::Material;
use makruk_tables::value::{Metric, Value};
use serde::Serialize;

use crate::tables::snapshot::watched;

/// The time after which a folder that does not exist is gone for good, with its tables: a mount may come back before.
const GONE: Duration = Duration::from_secs(2);

/// The content of a folder at the last scan. Scanning blocks on the disk; reading the content does not.
#[derive(Debug)]
pub(crate) struct FolderMonitor {
    path: PathBuf,
    content: ArcSwap<FolderContent>,
    /// The time since which the folder does not exist. Held while scanning.
    gone_since: Mutex<Option<Instant>>,
}

/// The tables of a folder by number of men, material and metric.
#[derive(Clone, Debug, Default)]
pub(crate) struct FolderContent {
    entries: BTreeMap<(usize, Material, Metric), TableFile>,
    /// A number that grows with every change.
    pub(crate) generation: u64,
    /// The reason why the folder cannot be read, if it cannot.
    pub(crate) problem: Option<String>,
}

/// A file that has the name of a table. If it is replaced or overwritten, its length, its time of modification or its
/// header is another. (Some file systems give a file another number each time.)
#[derive(Clone, Debug, PartialEq, Eq)]
struct TableFile {
    stamp: Stamp,
    /// The checksum of the table's header, which stands for the whole file; the reason if it cannot be opened.
    checksum: Result<u32, TableProblem>,
}

/// Length and time of modification.
type Stamp = (u64, Option<SystemTime>);

/// A reason why a table cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TableProblem {
    /// Whether it is one of the system's, such as missing rights or too many open files, which may pass without a
    /// change of the file.
    may_pass: bool,
    text: String,
}

/// A table that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Table"))]
pub(crate) struct ListedTable {
    /// The canonical name of the material.
    pub(crate) material: Material,
    /// The metric of the table.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["dtm", "dtz"])))]
    pub(crate) metric: Metric,
    /// The number of men, both kings included.
    pub(crate) men: usize,
    /// The length of the file in bytes.
    pub(crate) bytes: u64,
}

/// The difference between two scans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FolderChange {
    /// New tables.
    pub(crate) added: usize,
    /// Tables that were removed.
    pub(crate) removed: usize,
    /// Tables whose files were replaced or changed, or can be opened again.
    pub(crate) replaced: usize,
}

impl FolderChange {
    /// Whether an open table may be outdated.
    pub(crate) fn makes_stale(self) -> bool {
        self.removed + self.replaced > 0
    }
}

impl FolderContent {
    /// Whether any table can be opened.
    pub(crate) fn is_ready(&self) -> bool {
        self.tables().next().is_some()
    }

    /// The tables that can be opened.
    pub(crate) fn tables(&self) -> impl Iterator<Item = ListedTable> + '_ {
        let open = self.entries.iter().filter(|(_, entry)| entry.checksum.is_ok());
        open.map(|(&(men, material, metric), entry)| ListedTable { material, metric, men, bytes: entry.stamp.0 })
    }

    /// The number of tables that cannot be opened.
    pub(crate) fn damaged(&self) -> usize {
        self.entries.values().filter(|entry| entry.checksum.is_err()).count()
    }

    /// The checksum of a table's header, which stands for the whole table.
    pub(crate) fn header_checksum(&self, id: TableId) -> Option<u32> {
        self.entries.get(&(id.material.men(), id.material, id.metric))?.checksum.as_ref().ok().copied()
    }

    /// A checksum over all tables that can be opened, which every answer depends on.
    pub(crate) fn checksum(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let open = self.entries.iter().filter_map(|(key, entry)| Some((key, entry.checksum.as_ref().ok()?)));
        open.for_each(|entry| entry.hash(&mut hasher));
        hasher.finish()
    }

    fn change_from(&self, before: &FolderContent) -> FolderChange {
        let known = |key| before.entries.get(key);
        FolderChange {
            added: self.entries.keys().filter(|key| known(key).is_none()).count(),
            removed: before.entries.keys().filter(|key| !self.entries.contains_key(key)).count(),
            replaced: self
                .entries
                .iter()
                .filter(|(key, entry)| known(key).is_some_and(|known| known != *entry))
                .count(),
        }
    }
}

impl FolderMonitor {
    /// The monitor of a folder that was not scanned yet.
    pub(crate) fn new(path: impl Into<PathBuf>) -> FolderMonitor {
        FolderMonitor { path: path.into(), content: ArcSwap::default(), gone_since: Mutex::default() }
    }

    /// The path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The content at the last scan.
    pub(crate) fn content(&self) -> Arc<FolderContent> {
        self.content.load_full()
    }

    /// Scans the folder. Files that did not change are not opened, unless they could not be read, or `retry` asks to
    /// open all again that could not be opened.
    pub(crate) fn scan(&self, retry: bool) -> FolderChange {
        let mut gone_since = self.gone_since.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.content();
        let mut content = match self.read(&before, retry) {
            Ok(content) => {
                *gone_since = None;
                content
            }
            // A folder that cannot be read says nothing about its tables: those that are open stay so.
            Err(error) => {
                let is_gone = error.kind().is_missing();
                let since = gone_since.get_or_insert_with(Instant::now).elapsed();
                let entries = if is_gone && since >= GONE { BTreeMap::new() } else { before.entries.clone() };
                FolderContent { entries, generation: before.generation, problem: Some(error.to_string()) }
            }
        };
        let change = content.change_from(&before);
        content.generation = before.generation + u64::from(retry || change != FolderChange::default());
        for (key, entry) in &content.entries {
            let known = before.entries.get(key).map(|known| &known.checksum);
            if let Err(problem) = &entry.checksum
                && known != Some(&entry.checksum)
            {
                tracing::error!("{}.{} cannot be opened: {}", key.1, key.2, problem.text);
            }
        }
        self.content.store(Arc::new(content));
        change
    }

    fn read(&self, before: &FolderContent, retry: bool) -> Result<FolderContent, FormatError> {
        // As probes open them, so that a table that they cannot open is found.
        let folder = TableFolder::open_existing(&self.path)?.with_access(watched());
        let mut entries = BTreeMap::new();
        for id in folder.list()? {
            let TableId { material, metric } = id;
            // Answers come from distances; other tables are not served. Bare kings need no table.
            if !metric.is_distance() || material == Material::BARE_KINGS {
                continue;
            }
            let key = (material.men(), material, metric);
            let known = before.entries.get(&key);
            let stamp = match std::fs::metadata(folder.path_of(id)) {
                Ok(metadata) => (metadata.len(), metadata.modified().ok()),
                // The file was removed meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => match known {
                    Some(known) => known.stamp,
                    None => continue,
                },
            };
            let may_stay = |known: &&TableFile| match &known.checksum {
                Ok(_) => known.stamp == stamp,
                Err(problem) => known.stamp == stamp && !problem.may_pass && !retry,
            };
            let open = || TableFile { stamp, checksum: open(&folder, id) };
            entries.insert(key, known.filter(may_stay).cloned().unwrap_or_else(open));
        }
        Ok(FolderContent { entries, generation: before.generation, problem: None })
    }
}

/// The checksum of a table's header.
fn open(folder: &TableFolder, id: TableId) -> Result<u32, TableProblem> {
    let table = folder.open::<Value>(id);
    let problem = |error: FormatError| TableProblem { may_pass: error.kind() == Kind::Io, text: error.to_string() };
    table.map(|table| table.header().checksum()).map_err(problem)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_with_another_number_is_the_same_table() {
        let folder = tempfile::tempdir().unwrap();
        let (table, copy) = (folder.path().join("KRvK.dtm"), folder.path().join("copy"));
        fs::write(&table, "no table").unwrap();
        let monitor = FolderMonitor::new(folder.path());
        monitor.scan(false);
        fs::write(&copy, "no table").unwrap();
        let file = fs::File::options().write(true).open(&copy).unwrap();
        file.set_modified(fs::metadata(&table).unwrap().modified().unwrap()).unwrap();
        fs::rename(&copy, &table).unwrap();
        assert_eq!(monitor.scan(false), FolderChange::default());
        fs::write(&table, "another").unwrap();
        assert_eq!(monitor.scan(false), FolderChange { replaced: 1, ..FolderChange::default() });
    }

    #[test]
    fn files_that_are_no_tables() {
        let folder = tempfile::tempdir().unwrap();
        let monitor = FolderMonitor::new(folder.path());
        assert_eq!(monitor.scan(false), FolderChange::default());
        assert!(!monitor.content().is_ready() && monitor.content().problem.is_none());
        for (name, text) in [("KRvK.dtm", "no table"), ("notes.txt", ""), ("KvKR.dtm", ""), (".KNvK.dtm.1.tmp", "")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        assert_eq!(monitor.scan(false), FolderChange { added: 1, ..FolderChange::default() });
        let content = monitor.content();
        assert_eq!((content.damaged(), content.tables().count(), content.is_ready()), (1, 0, false));
        assert_eq!(monitor.scan(false), FolderChange::default());
        fs::write(folder.path().join("KRvK.dtm"), "longer, and still no table").unwrap();
        assert_eq!(monitor.scan(false), FolderChange { replaced: 1, ..FolderChange::default() });
        fs::remove_file(folder.path().join("KRvK.dtm")).unwrap();
        assert!(monitor.scan(false).makes_stale());
        drop(folder);
        monitor.scan(false);
        assert!(monitor.content().problem.is_some());
    }
}
