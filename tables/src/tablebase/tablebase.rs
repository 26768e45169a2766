//! A tablebase: its place, its tables, and what is open and cached of them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};

use super::error::TableError;
use super::lead_slabs::LeadSlabs;
use super::open_tables::{OpenTables, TableKind};
use super::side::SideReader;
use super::store::TableStore;
use super::stripe_cache::{CacheCounts, StripeCache};
use makruk_format::value::{Bounds, Metric, Score, Value};
use makruk_format::{Access, FileTable, Outline, TableId};
use makruk_rules::{Color, CountingRules};

/// The tables of one or more folders. Each is opened when it is first needed; one that is missing or fails is tried
/// again the next time, and affects no other. Clones share all that is open and cached. Threads that share one wait for
/// each other only to open a table.
#[derive(Clone, Debug)]
pub struct Tablebase {
    pub(super) inner: Arc<Inner>,
}

/// The tables, and what is open and cached of them.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) place: TablePlace,
    rules: CountingRules,
    pub(super) tables: OpenTables,
    pub(super) cache: StripeCache,
    /// The slabs that omitted sides are derived from.
    lead_slabs: Arc<LeadSlabs>,
    pub(super) distances: DerivedSides<Value>,
    pub(super) scores: DerivedSides<Score>,
}

/// Where tables are, and how they are read.
#[derive(Clone, Debug)]
pub(super) struct TablePlace {
    pub(super) folders: Vec<PathBuf>,
    pub(super) access: Access,
    /// Takes the folders' place.
    pub(super) store: Option<Arc<dyn TableStore>>,
}

/// Derived sides that are in use, for their caches to be shared.
pub(super) type DerivedSides<V> = Mutex<HashMap<(TableId, Color), Weak<dyn SideReader<V>>>>;

impl Tablebase {
    pub(super) fn assemble(
        place: TablePlace,
        cache_bytes: usize,
        derived_bytes: u64,
        rules: CountingRules,
    ) -> Tablebase {
        let inner = Inner {
            place,
            rules,
            tables: OpenTables::default(),
            cache: StripeCache::new(cache_bytes),
            lead_slabs: Arc::new(LeadSlabs::new(derived_bytes)),
            distances: Mutex::default(),
            scores: Mutex::default(),
        };
        Tablebase { inner: Arc::new(inner) }
    }

    /// A tablebase set up as this one, with nothing open and nothing cached.
    #[must_use]
    pub fn reopened(&self) -> Tablebase {
        let Inner { place, rules, cache, lead_slabs, .. } = &*self.inner;
        let (cache_bytes, derived_bytes) = (cache.max_bytes(), lead_slabs.most_bytes());
        Tablebase::assemble(place.clone(), cache_bytes, derived_bytes, rules.clone())
    }

    /// The folders, in the order in which tables are looked for.
    pub fn folders(&self) -> &[PathBuf] {
        &self.inner.place.folders
    }

    pub(super) fn store(&self) -> Option<&dyn TableStore> {
        self.inner.place.store.as_deref()
    }

    /// The slabs that omitted sides are derived from.
    pub(super) fn lead_slabs(&self) -> &Arc<LeadSlabs> {
        &self.inner.lead_slabs
    }

    /// The counting rules that DTZ and category tables hold for.
    pub fn rules(&self) -> &CountingRules {
        &self.inner.rules
    }

    /// The use of the cache of decoded stripes so far.
    pub fn cache_counts(&self) -> CacheCounts {
        self.inner.cache.counts()
    }

    /// Opens a table, so that probes need not. Returns the places of the file's parts.
    ///
    /// # Errors
    ///
    /// The table is missing or fails.
    pub fn open(&self, id: TableId) -> Result<&Outline, TableError> {
        Ok(match id.metric {
            Metric::Dtm | Metric::Dtz => self.table::<Value>(id)?.outline(),
            Metric::Category => self.table::<Bounds>(id)?.outline(),
        })
    }

    /// A table itself: its header, with the numbers of positions by value. `V` is the type of its values.
    ///
    /// # Errors
    ///
    /// The table is missing or fails, or has values of another type.
    pub fn table<V: TableKind>(&self, id: TableId) -> Result<&FileTable<V>, TableError> {
        self.handle(id).map(|handle| &handle.table)
    }
}
