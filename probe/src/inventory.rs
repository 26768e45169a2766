//! Which tables some folders have.

use std::path::{Path, PathBuf};

use makruk_tables::format::{Metric, TableFolder, TableName};
use makruk_tables::material::Material;

/// The tables of some folders, by their files' names: nothing is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// Sorted, each once.
    tables: Vec<(Material, Metric)>,
}

impl Inventory {
    /// What is in these folders now. A folder that can't be read has none.
    pub fn of<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Inventory {
        let mut tables = Vec::new();
        for folder in folders {
            let listed = TableFolder::open_existing(folder.as_ref()).and_then(|folder| folder.list());
            for TableName { material: name, metric } in listed.unwrap_or_default() {
                let Ok(material) = name.parse::<Material>() else { continue };
                // A set under another name than its own is not looked for there.
                if material.to_string() == name {
                    tables.push((material, metric));
                }
            }
        }
        tables.sort();
        tables.dedup();
        Inventory { tables }
    }

    /// Is there a file for this table?
    pub fn has(&self, material: Material, metric: Metric) -> bool {
        self.tables.binary_search(&(material, metric)).is_ok()
    }

    /// All tables, by set and metric.
    pub fn tables(&self) -> impl ExactSizeIterator<Item = (Material, Metric)> + '_ {
        self.tables.iter().copied()
    }

    /// The sets that have a table, in order.
    pub fn sets(&self) -> impl Iterator<Item = Material> + '_ {
        self.tables.chunk_by(|a, b| a.0 == b.0).filter_map(|tables| tables.first()).map(|&(material, _)| material)
    }

    /// The men of the largest set, both kings included; 2 without tables, since two kings need none.
    pub fn largest(&self) -> usize {
        self.sets().map(|set| set.men()).max().unwrap_or(2)
    }
}

/// The folders of a list as `PATH` has it: separated by `;`, and on other systems than Windows also by `:`. Empty parts
/// are left out.
pub fn split_path_list(list: &str) -> Vec<PathBuf> {
    let separates = |c: char| c == ';' || (c == ':' && cfg!(not(windows)));
    list.split(separates).map(str::trim).filter(|part| !part.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_named_as_tables_are_found_in_any_folder() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for name in ["KRvK.dtm", "KRvKS.dtm", "KRvKS.dtz", "KRvKS.txt", "KSvKR.dtm", ".KNvK.dtm.1-0.tmp", "notes"] {
            std::fs::write(one.path().join(name), "").unwrap();
        }
        for name in ["KRvK.dtm", "KRNvKR.dtm"] {
            std::fs::write(other.path().join(name), "").unwrap();
        }
        std::fs::create_dir(other.path().join("KRRvKR.dtm")).unwrap();
        let nowhere = one.path().join("nowhere");
        let found = Inventory::of([one.path(), other.path(), &nowhere]);
        let sets: Vec<String> = found.sets().map(|set| set.to_string()).collect();
        assert_eq!(sets.len(), 3, "{sets:?}");
        let set = |name: &str| name.parse::<Material>().unwrap();
        assert!(found.has(set("KRvKS"), Metric::Dtz) && !found.has(set("KRNvKR"), Metric::Dtz));
        assert!(!found.has(set("KRRvKR"), Metric::Dtm));
        assert_eq!((found.largest(), found.tables().len()), (5, 4));
        assert_eq!(Inventory::of([nowhere]).largest(), 2);
    }

    #[test]
    fn lists_are_split() {
        let split = |list| split_path_list(list).iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        assert_eq!(split("a;b c; d;"), ["a", "b c", "d"]);
        assert!(split(" ;").is_empty());
        #[cfg(not(windows))]
        assert_eq!(split("/a:/b;/c"), ["/a", "/b", "/c"]);
    }
}
