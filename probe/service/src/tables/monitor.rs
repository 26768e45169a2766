//! The folder monitor: the table files of a folder.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use makruk_format::{AnyValue, FileState, FormatError, TableFolder};
use makruk_tables::material::Material;
use makruk_tables::value::Metric;

use crate::tables::snapshot::watched;

/// The time after which a folder that does not exist is gone for good, with its tables: a mount may come back before.
const GONE: Duration = Duration::from_secs(2);

/// The files of a folder. Scanning blocks on the disk; reading the content of the last scan does not.
#[derive(Debug)]
pub(crate) struct FolderMonitor {
    pub(crate) path: PathBuf,
    content: ArcSwap<FolderContent>,
    /// The time since which the folder does not exist. Held while scanning.
    gone_since: Mutex<Option<Instant>>,
}

/// The tables of a folder by number of men, material and metric.
type Entries = BTreeMap<(usize, Material, Metric), TableFile>;

/// The content of a folder at the last scan.
#[derive(Debug, Default)]
pub(crate) struct FolderContent {
    entries: Entries,
    /// A checksum over all tables that can be opened, which every answer depends on.
    pub(crate) checksum: u64,
    /// The reason why the folder cannot be read, if it cannot.
    pub(crate) problem: Option<String>,
}

/// A file that has the name of a table. If it is replaced or overwritten, its length, its time of modification or its
/// header is another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TableFile {
    /// Without its number.
    state: FileState,
    /// The checksum of the table's header, which stands for the whole file; the reason if it cannot be opened.
    checksum: Result<u32, String>,
}

/// The difference between two scans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FolderChange {
    Nothing,
    /// There are new tables.
    Added,
    /// An open table may be outdated: its file was removed, replaced or changed, or can be opened again.
    Stale,
}

impl FolderContent {
    /// Whether any table of distances can be opened. Answers come from these, and searches from the others.
    pub(crate) fn is_ready(&self) -> bool {
        self.entries.iter().any(|((.., metric), entry)| metric.is_distance() && entry.checksum.is_ok())
    }

    /// The numbers of tables of all kinds that can be opened, and that cannot.
    pub(crate) fn open_and_damaged(&self) -> (usize, usize) {
        let open = self.entries.values().filter(|entry| entry.checksum.is_ok()).count();
        (open, self.entries.len() - open)
    }
}

impl FolderMonitor {
    /// The monitor of a folder that was not scanned yet.
    pub(crate) fn new(path: impl Into<PathBuf>) -> FolderMonitor {
        FolderMonitor { path: path.into(), content: ArcSwap::default(), gone_since: Mutex::default() }
    }

    /// The content at the last scan.
    pub(crate) fn content(&self) -> Arc<FolderContent> {
        self.content.load_full()
    }

    /// Scans the folder. Files that did not change are not opened, unless they could not be.
    pub(crate) fn scan(&self) -> FolderChange {
        let mut gone_since = self.gone_since.lock().unwrap_or_else(PoisonError::into_inner);
        let content = self.content();
        let before = &content.entries;
        let (entries, problem) = match self.read(before) {
            Ok(entries) => {
                *gone_since = None;
                (entries, None)
            }
            // A folder that cannot be read says nothing about its tables: those that are open stay so.
            Err(error) => {
                let is_gone = error.kind().is_missing();
                let since = gone_since.get_or_insert_with(Instant::now).elapsed();
                let is_over = is_gone && since >= GONE;
                (if is_over { Entries::new() } else { before.clone() }, Some(error.to_string()))
            }
        };
        let mut hasher = DefaultHasher::new();
        for (key, entry) in &entries {
            match &entry.checksum {
                Ok(checksum) => (key, checksum).hash(&mut hasher),
                Err(_) if before.get(key).is_some_and(|known| known.checksum == entry.checksum) => {}
                Err(problem) => tracing::error!("{}.{} cannot be opened: {problem}", key.1, key.2),
            }
        }
        let change = match before.iter().all(|(key, known)| entries.get(key) == Some(known)) {
            true if entries.len() == before.len() => FolderChange::Nothing,
            true => FolderChange::Added,
            false => FolderChange::Stale,
        };
        self.content.store(Arc::new(FolderContent { entries, checksum: hasher.finish(), problem }));
        change
    }

    fn read(&self, before: &Entries) -> Result<Entries, FormatError> {
        // Opened as probes open them, so that the scan finds a table that probes cannot open.
        let folder = TableFolder::open_existing(&self.path)?.with_access(watched());
        let mut entries = Entries::new();
        // Bare kings need no table.
        for id in folder.list()?.into_iter().filter(|id| id.material != Material::BARE_KINGS) {
            let key = (id.material.men(), id.material, id.metric);
            let known = before.get(&key);
            let state = match std::fs::metadata(folder.path_of(id)) {
                Ok(metadata) => FileState::of(&metadata).without_number(),
                // The file was removed meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => match known {
                    Some(known) => known.state,
                    None => continue,
                },
            };
            let open = || {
                let checksum = folder.open::<AnyValue>(id).map(|table| table.header().checksum());
                TableFile { state, checksum: checksum.map_err(|problem| problem.to_string()) }
            };
            let is_known = |known: &&TableFile| known.state == state && known.checksum.is_ok();
            entries.insert(key, known.filter(is_known).cloned().unwrap_or_else(open));
        }
        Ok(entries)
    }
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
        monitor.scan();
        fs::write(&copy, "no table").unwrap();
        let file = fs::File::options().write(true).open(&copy).unwrap();
        file.set_modified(fs::metadata(&table).unwrap().modified().unwrap()).unwrap();
        fs::rename(&copy, &table).unwrap();
        assert_eq!(monitor.scan(), FolderChange::Nothing);
        fs::write(&table, "another").unwrap();
        assert_eq!(monitor.scan(), FolderChange::Stale);
    }

    #[test]
    fn files_that_are_no_tables() {
        let folder = tempfile::tempdir().unwrap();
        let monitor = FolderMonitor::new(folder.path());
        assert_eq!(monitor.scan(), FolderChange::Nothing);
        assert!(!monitor.content().is_ready() && monitor.content().problem.is_none());
        for (name, text) in [("KRvK.dtm", "no table"), ("notes.txt", ""), ("KvKR.dtm", ""), (".KNvK.dtm.1.tmp", "")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        assert_eq!(monitor.scan(), FolderChange::Added);
        let content = monitor.content();
        assert_eq!((content.open_and_damaged(), content.is_ready()), ((0, 1), false));
        assert_eq!(monitor.scan(), FolderChange::Nothing);
        fs::write(folder.path().join("KRvK.dtm"), "longer, and still no table").unwrap();
        assert_eq!(monitor.scan(), FolderChange::Stale);
        fs::remove_file(folder.path().join("KRvK.dtm")).unwrap();
        assert_eq!(monitor.scan(), FolderChange::Stale);
        drop(folder);
        monitor.scan();
        assert!(monitor.content().problem.is_some());
    }
}
