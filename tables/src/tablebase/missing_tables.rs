//! The tables that were found missing.

use std::collections::HashSet;
use std::sync::Mutex;

use super::lock::lock;
use crate::format::TableId;

/// The most tables that are remembered: more than there are distances of all materials with up to seven men.
const MOST: usize = 4096;

/// The tables that were missing when they were last looked for.
#[derive(Debug, Default)]
pub(super) struct MissingTables(Mutex<Remembered>);

#[derive(Debug, Default)]
struct Remembered {
    tables: HashSet<TableId>,
    /// The number of times that all were forgotten.
    era: u64,
}

impl MissingTables {
    /// Whether a table is remembered as missing; if not, the era in which it can be looked for.
    pub(super) fn era_to_look(&self, id: TableId) -> Option<u64> {
        let remembered = lock(&self.0);
        (!remembered.tables.contains(&id)).then_some(remembered.era)
    }

    /// Remembers a table that was looked for in an era. A search that began before all were forgotten is ignored.
    pub(super) fn remember(&self, id: TableId, era: u64) {
        let mut remembered = lock(&self.0);
        if remembered.era == era && remembered.tables.len() < MOST {
            remembered.tables.insert(id);
        }
    }

    pub(super) fn forget(&self) {
        let mut remembered = lock(&self.0);
        remembered.tables.clear();
        remembered.era += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_that_began_before_all_were_forgotten_is_not_remembered() {
        let (missing, id) = (MissingTables::default(), "KRvK.dtm".parse().unwrap());
        let era = missing.era_to_look(id).unwrap();
        missing.forget();
        missing.remember(id, era);
        let era = missing.era_to_look(id).expect("not remembered");
        missing.remember(id, era);
        assert_eq!(missing.era_to_look(id), None);
        missing.forget();
        assert!(missing.era_to_look(id).is_some());
    }
}
