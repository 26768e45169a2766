//! The builder of a tablebase.

use std::path::PathBuf;
use std::sync::Arc;

use super::store::TableStore;
use super::tablebase::{TablePlace, Tablebase};
use makruk_format::Access;
use makruk_rules::CountingRules;

/// The most bytes of decoded stripes that are cached unless set otherwise: 64 MiB.
pub const DEFAULT_CACHE_BYTES: usize = 64 << 20;

/// The most bytes of slabs that omitted sides are derived from unless set otherwise: 512 MiB.
pub const DEFAULT_DERIVED_BYTES: u64 = 512 << 20;

/// Sets up a [`Tablebase`].
#[derive(Clone, Debug)]
pub struct TablebaseBuilder {
    folders: Vec<PathBuf>,
    store: Option<Arc<dyn TableStore>>,
    access: Access,
    cache_bytes: usize,
    derived_bytes: u64,
    rules: CountingRules,
}

impl Tablebase {
    /// The tables of a folder, for Makruk's rules, by positional reads, with the default cache. The folder is not read
    /// before the first probe.
    pub fn new(folder: impl Into<PathBuf>) -> Tablebase {
        Tablebase::builder().folders([folder]).build()
    }

    /// Sets up a tablebase.
    pub fn builder() -> TablebaseBuilder {
        TablebaseBuilder::new()
    }
}

impl TablebaseBuilder {
    fn new() -> TablebaseBuilder {
        TablebaseBuilder {
            folders: Vec::new(),
            store: None,
            access: Access::positional(),
            cache_bytes: DEFAULT_CACHE_BYTES,
            derived_bytes: DEFAULT_DERIVED_BYTES,
            rules: CountingRules::MAKRUK,
        }
    }

    /// Adds folders of tables. A table is taken from the first folder that has it; both distances of a material must be
    /// in the same one.
    #[must_use]
    pub fn folders(mut self, folders: impl IntoIterator<Item = impl Into<PathBuf>>) -> TablebaseBuilder {
        self.folders.extend(folders.into_iter().map(Into::into));
        self
    }

    /// Takes all tables from a store instead of folders.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn TableStore>) -> TablebaseBuilder {
        self.store = Some(store);
        self
    }

    /// How files are read: by positional reads unless set otherwise.
    #[must_use]
    pub fn access(mut self, access: Access) -> TablebaseBuilder {
        self.access = access;
        self
    }

    /// The most bytes of decoded stripes that are cached: [`DEFAULT_CACHE_BYTES`] unless set otherwise; 0 caches none.
    #[must_use]
    pub fn cache_bytes(mut self, bytes: usize) -> TablebaseBuilder {
        self.cache_bytes = bytes;
        self
    }

    /// The most bytes of slabs that are kept while slabs of omitted sides are derived from them:
    /// [`DEFAULT_DERIVED_BYTES`] unless set otherwise. With less, slabs are read more often. Probes of positions need
    /// none.
    #[must_use]
    pub fn derived_bytes(mut self, bytes: u64) -> TablebaseBuilder {
        self.derived_bytes = bytes;
        self
    }

    /// The counting rules that DTZ and category tables must hold for: Makruk's unless set otherwise. DTM tables serve
    /// under all rules.
    #[must_use]
    pub fn rules(mut self, rules: CountingRules) -> TablebaseBuilder {
        self.rules = rules;
        self
    }

    /// The tablebase. No folder is read before the first probe.
    pub fn build(self) -> Tablebase {
        let TablebaseBuilder { folders, store, access, cache_bytes, derived_bytes, rules } = self;
        let place = TablePlace { folders, access, store };
        Tablebase::assemble(place, cache_bytes, derived_bytes, rules)
    }
}
