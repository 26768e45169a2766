//! The tables that some folders have.

use std::path::Path;

use makruk_format::material::Material;
use makruk_format::{TableFolder, TableId};

/// The tables of some folders, by their files' names: nothing is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// Sorted, each once.
    tables: Vec<TableId>,
}

impl Inventory {
    /// The tables in these folders now. A folder that cannot be read counts as empty.
    pub fn of<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Inventory {
        let list = |folder: P| TableFolder::open_existing(folder.as_ref()).and_then(|folder| folder.list());
        folders.into_iter().flat_map(|folder| list(folder).unwrap_or_default()).collect()
    }

    /// Whether there is a file for this table.
    pub fn has(&self, id: TableId) -> bool {
        self.tables.binary_search(&id).is_ok()
    }

    /// All tables, by material and metric.
    pub fn tables(&self) -> impl ExactSizeIterator<Item = TableId> + '_ {
        self.tables.iter().copied()
    }

    /// The materials that have a table, in order.
    pub fn materials(&self) -> impl Iterator<Item = Material> + '_ {
        self.tables.chunk_by(|a, b| a.material == b.material).filter_map(|tables| tables.first()).map(|id| id.material)
    }

    /// The men of the largest material, both kings included; 2 without tables, since two kings need none.
    pub fn largest(&self) -> usize {
        self.materials().map(|material| material.men()).max().unwrap_or(2)
    }
}

impl FromIterator<TableId> for Inventory {
    fn from_iter<I: IntoIterator<Item = TableId>>(tables: I) -> Inventory {
        let mut tables = Vec::from_iter(tables);
        tables.sort();
        tables.dedup();
        Inventory { tables }
    }
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
        let materials: Vec<String> = found.materials().map(|material| material.to_string()).collect();
        assert_eq!(materials.len(), 3, "{materials:?}");
        let has = |name: &str| found.has(name.parse().unwrap());
        assert!(has("KRvKS.dtz") && !has("KRNvKR.dtz") && !has("KRRvKR.dtm"));
        assert_eq!((found.largest(), found.tables().len()), (5, 4));
        assert_eq!(Inventory::of([nowhere]).largest(), 2);
    }
}
