//! The folder monitor: the table files of a folder.

use std::collections::BTreeMap;
use std::fs::Metadata;
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

/// A file that has the name of a table.
#[derive(Clone, Debug)]
struct TableFile {
    identity: FileIdentity,
    /// The checksum of the table's header, which stands for the whole file; 0 if it cannot be opened.
    checksum: u32,
    /// The reason why it cannot be opened, if it cannot.
    problem: Option<TableProblem>,
}

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

/// The identity of a file. Tables are published by renaming, so a replaced table is another file; an overwritten table
/// has another modification time or length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileIdentity {
    file: (u64, u64),
    bytes: u64,
    modified: Option<SystemTime>,
}

impl FileIdentity {
    fn of(metadata: &Metadata) -> FileIdentity {
        #[cfg(unix)]
        let file = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let file = (0, 0);
        FileIdentity { file, bytes: metadata.len(), modified: metadata.modified().ok() }
    }
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
        self.entries.values().any(|entry| entry.problem.is_none())
    }

    /// The tables that can be opened.
    pub(crate) fn tables(&self) -> impl Iterator<Item = ListedTable> + '_ {
        self.entries
            .iter()
            .filter(|(_, entry)| entry.problem.is_none())
            .map(|(&(men, material, metric), entry)| ListedTable { material, metric, men, bytes: entry.identity.bytes })
    }

    /// The number of tables that cannot be opened.
    pub(crate) fn damaged(&self) -> usize {
        self.entries.values().filter(|entry| entry.problem.is_some()).count()
    }

    /// The checksum of a table's header, which stands for the whole table.
    pub(crate) fn header_checksum(&self, id: TableId) -> Option<u32> {
        self.entries.get(&(id.material.men(), id.material, id.metric)).map(|entry| entry.checksum)
    }

    /// A checksum over all tables that can be opened, which every answer depends on.
    pub(crate) fn checksum(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let open = self.entries.iter().filter(|(_, entry)| entry.problem.is_none());
        open.for_each(|(key, entry)| (key, entry.checksum).hash(&mut hasher));
        hasher.finish()
    }

    fn problem_of(&self, material: Material, metric: Metric) -> Option<&TableProblem> {
        self.entries.get(&(material.men(), material, metric))?.problem.as_ref()
    }

    fn change_from(&self, before: &FolderContent) -> FolderChange {
        let replaced =
            |(key, entry): (_, &TableFile)| before.entries.get(key).is_some_and(|before| !entry.is_same_table(before));
        FolderChange {
            added: self.entries.keys().filter(|key| !before.entries.contains_key(key)).count(),
            removed: before.entries.keys().filter(|key| !self.entries.contains_key(key)).count(),
            replaced: self.entries.iter().filter(|&entry| replaced(entry)).count(),
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
        for (&(_, material, metric), entry) in &content.entries {
            let known = before.problem_of(material, metric);
            if let Some(problem) = entry.problem.as_ref().filter(|problem| known != Some(*problem)) {
                tracing::error!("{material}.{metric} cannot be opened: {}", problem.text);
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
            let identity = match std::fs::metadata(folder.path_of(id)) {
                Ok(metadata) => FileIdentity::of(&metadata),
                // The file was removed meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => match known {
                    Some(known) => known.identity,
                    None => continue,
                },
            };
            let is_settled = |known: &&TableFile| {
                known.identity == identity && known.problem.as_ref().is_none_or(|problem| !problem.may_pass && !retry)
            };
            let entry = match known.filter(is_settled) {
                Some(known) => known.clone(),
                None => TableFile::open(&folder, id, identity),
            };
            entries.insert(key, entry);
        }
        Ok(FolderContent { entries, generation: before.generation, problem: None })
    }
}

impl TableFile {
    /// Whether this is the table of an earlier scan. Some file systems give a file another number each time: then its
    /// length, its time of modification and its header tell whether it changed.
    fn is_same_table(&self, before: &TableFile) -> bool {
        let of = |entry: &TableFile| (entry.identity.bytes, entry.identity.modified, entry.checksum);
        match (&self.problem, &before.problem) {
            (None, None) => of(self) == of(before),
            (Some(_), Some(_)) => self.identity == before.identity,
            _ => false,
        }
    }

    fn open(folder: &TableFolder, id: TableId, identity: FileIdentity) -> TableFile {
        match folder.open::<Value>(id) {
            Ok(table) => TableFile { identity, checksum: table.header().checksum(), problem: None },
            Err(error) => {
                let problem = TableProblem { may_pass: error.kind() == Kind::Io, text: error.to_string() };
                TableFile { identity, checksum: 0, problem: Some(problem) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_with_another_number_is_the_same_table() {
        let table = |inode, bytes, checksum, problem: Option<&str>| TableFile {
            identity: FileIdentity { file: (1, inode), bytes, modified: None },
            checksum,
            problem: problem.map(|text| TableProblem { may_pass: false, text: text.to_owned() }),
        };
        let before = table(1, 500, 7, None);
        assert!(table(2, 500, 7, None).is_same_table(&before));
        for other in [table(2, 501, 7, None), table(2, 500, 8, None), table(2, 500, 7, Some("damaged"))] {
            assert!(!other.is_same_table(&before), "{other:?}");
        }
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
