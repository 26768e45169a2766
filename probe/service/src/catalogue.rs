//! Which tables the folder has.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use arc_swap::ArcSwap;
use makruk_tables::format::{FormatError, Metric, TableFolder, TableName};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;

/// What a folder held when it was last looked at. Looking blocks on the disk; reading what was found does not.
#[derive(Debug)]
pub(super) struct Catalogue {
    path: PathBuf,
    now: ArcSwap<Content>,
    /// Held while looking.
    looking: Mutex<()>,
}

/// A folder's tables, by number of men, name and metric.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    entries: BTreeMap<(usize, Material, Metric), Entry>,
    /// Why the folder can't be read, if it can't.
    pub(super) problem: Option<String>,
}

/// A file that is named as a table.
#[derive(Clone, Debug)]
struct Entry {
    identity: Identity,
    /// Why it can't be opened, if it can't.
    problem: Option<String>,
}

/// A table that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) material: Material,
    pub(super) metric: Metric,
    pub(super) bytes: u64,
}

/// What tells a file from another under the same name. Tables are published by renaming, so another table is another file;
/// one that is written over has another time or length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    file: (u64, u64),
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Identity {
    fn of(metadata: &Metadata) -> Identity {
        #[cfg(unix)]
        let file = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let file = (0, 0);
        Identity { file, bytes: metadata.len(), modified: metadata.modified().ok() }
    }
}

/// What a look has found to be different.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    /// Tables that have come.
    pub(super) added: usize,
    /// Tables that are gone.
    pub(super) removed: usize,
    /// Tables that are other files than before.
    pub(super) replaced: usize,
}

impl Change {
    /// Whether a table that may have been opened is no longer what it was.
    pub(super) fn makes_stale(self) -> bool {
        self.removed + self.replaced > 0
    }
}

impl Content {
    /// Whether any table can be opened.
    pub(super) fn is_ready(&self) -> bool {
        self.entries.values().any(|entry| entry.problem.is_none())
    }

    /// The tables that can be opened.
    pub(super) fn tables(&self) -> impl Iterator<Item = Listed> + '_ {
        self.entries.iter().filter(|(_, entry)| entry.problem.is_none()).map(|(&(_, material, metric), entry)| Listed {
            material,
            metric,
            bytes: entry.identity.bytes,
        })
    }

    /// How many can't be opened.
    pub(super) fn damaged(&self) -> usize {
        self.entries.values().filter(|entry| entry.problem.is_some()).count()
    }

    /// Which file a table is.
    pub(super) fn identity(&self, material: Material, metric: Metric) -> Option<Identity> {
        self.entries.get(&(material.men(), material, metric)).map(|entry| entry.identity)
    }

    fn change_from(&self, before: &Content) -> Change {
        let replaced =
            |(key, entry): (_, &Entry)| before.entries.get(key).is_some_and(|b| b.identity != entry.identity);
        Change {
            added: self.entries.keys().filter(|key| !before.entries.contains_key(key)).count(),
            removed: before.entries.keys().filter(|key| !self.entries.contains_key(key)).count(),
            replaced: self.entries.iter().filter(|&entry| replaced(entry)).count(),
        }
    }
}

impl Catalogue {
    /// Of a folder that has not been looked at yet.
    pub(super) fn new(path: impl Into<PathBuf>) -> Catalogue {
        Catalogue { path: path.into(), now: ArcSwap::default(), looking: Mutex::default() }
    }

    /// The folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What was found last.
    pub(super) fn now(&self) -> Arc<Content> {
        self.now.load_full()
    }

    /// Looks again. Files that are as before are not opened.
    pub(super) fn look(&self) -> Change {
        let _only_one = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.now();
        let content = match self.read(&before) {
            Ok(content) => content,
            Err(error) => Content { entries: BTreeMap::new(), problem: Some(error.to_string()) },
        };
        let change = content.change_from(&before);
        for (&(_, material, metric), entry) in &content.entries {
            let known = before.identity(material, metric) == Some(entry.identity);
            if let Some(problem) = entry.problem.as_ref().filter(|_| !known) {
                tracing::error!("{material}.{metric} can't be opened: {problem}");
            }
        }
        self.now.store(Arc::new(content));
        change
    }

    fn read(&self, before: &Content) -> Result<Content, FormatError> {
        let folder = TableFolder::open_existing(&self.path)?;
        let mut entries = BTreeMap::new();
        for TableName { material: name, metric } in folder.list()? {
            // Answers come from distances: light tables are not served.
            if metric == Metric::Wdl {
                continue;
            }
            // A name that is no set's, or not its canonical one, is nothing that a probe would look for.
            let Ok(material) = name.parse::<Material>() else { continue };
            // It may be gone by now.
            let Ok(metadata) = std::fs::metadata(folder.path_of(&name, metric)) else { continue };
            if material.to_string() != name || material == Material::BARE_KINGS {
                continue;
            }
            let (key, identity) = ((material.men(), material, metric), Identity::of(&metadata));
            let entry = match before.entries.get(&key) {
                Some(known) if known.identity == identity => known.clone(),
                _ => {
                    let opened = folder.open_set(&Layout::new(material), metric);
                    Entry { identity, problem: opened.err().map(|error| error.to_string()) }
                }
            };
            entries.insert(key, entry);
        }
        Ok(Content { entries, problem: None })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_no_table_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let catalogue = Catalogue::new(folder.path());
        assert_eq!(catalogue.look(), Change::default());
        assert!(!catalogue.now().is_ready() && catalogue.now().problem.is_none());
        for (name, text) in [("KRvK.dtm", "no table"), ("notes.txt", ""), ("KvKR.dtm", ""), (".KNvK.dtm.1.tmp", "")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        assert_eq!(catalogue.look(), Change { added: 1, ..Change::default() });
        let content = catalogue.now();
        assert_eq!((content.damaged(), content.tables().count(), content.is_ready()), (1, 0, false));
        assert_eq!(catalogue.look(), Change::default());
        fs::write(folder.path().join("KRvK.dtm"), "longer, and still no table").unwrap();
        assert_eq!(catalogue.look(), Change { replaced: 1, ..Change::default() });
        fs::remove_file(folder.path().join("KRvK.dtm")).unwrap();
        assert!(catalogue.look().makes_stale());
        drop(folder);
        catalogue.look();
        assert!(catalogue.now().problem.is_some());
    }
}
