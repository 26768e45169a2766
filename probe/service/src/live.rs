//! The tables that are served now.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use makruk_tables::format::{Metric, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::{CountingRules, Position};

use super::metrics::Metrics;
use makruk_probe::{Access, CacheCounts, Distances, ProbeError, Prober, TableError, Tables, ValueSource};
use makruk_research::SlabSource;

/// Where values come from if not from a folder.
pub type OtherSource = Arc<dyn ValueSource + Send + Sync>;

/// The values that are served now. A job takes them as they are when it begins, and keeps them to its end; meanwhile they
/// may be exchanged.
pub(super) struct Live {
    now: ArcSwap<Values>,
    rules: CountingRules,
    metrics: Arc<Metrics>,
    /// What became of the caches that are gone.
    retired: Mutex<CacheCounts>,
}

/// Values that are counted as they are asked for.
#[derive(Clone)]
pub(super) struct Values {
    origin: Origin,
    metrics: Arc<Metrics>,
}

#[derive(Clone)]
enum Origin {
    Folder { tables: Arc<Tables>, cache_bytes: usize },
    Other(OtherSource),
}

impl Origin {
    fn source(&self) -> &dyn ValueSource {
        match self {
            Origin::Folder { tables, .. } => &**tables,
            Origin::Other(source) => &**source,
        }
    }
}

impl Live {
    /// The tables of a folder.
    pub(super) fn folder(folder: impl Into<PathBuf>, cache_bytes: usize, metrics: Arc<Metrics>) -> Live {
        let tables = Arc::new(Tables::with_access(folder, cache_bytes, Access::Watched));
        Live::new(Origin::Folder { tables, cache_bytes }, metrics)
    }

    /// Values from elsewhere.
    pub(super) fn other(source: OtherSource, metrics: Arc<Metrics>) -> Live {
        Live::new(Origin::Other(source), metrics)
    }

    fn new(origin: Origin, metrics: Arc<Metrics>) -> Live {
        let values = Values { origin, metrics: Arc::clone(&metrics) };
        Live { now: ArcSwap::from_pointee(values), rules: CountingRules::MAKRUK, metrics, retired: Mutex::default() }
    }

    /// A prober of the values as they are now.
    pub(super) fn prober(&self) -> Prober<Arc<Values>> {
        Prober::with_rules(self.now.load_full(), self.rules.clone())
    }

    /// The counting rules.
    pub(super) fn rules(&self) -> &CountingRules {
        &self.rules
    }

    /// Lets go of all tables, to open them anew when they are next asked for. Jobs under way end with those they have.
    pub(super) fn renew(&self) {
        let Origin::Folder { tables, cache_bytes } = &self.now.load().origin else { return };
        let fresh = Arc::new(Tables::with_access(tables.path(), *cache_bytes, Access::Watched));
        let CacheCounts { hits, misses, .. } = tables.cache_counts();
        {
            let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
            retired.hits += hits;
            retired.misses += misses;
        }
        let origin = Origin::Folder { tables: fresh, cache_bytes: *cache_bytes };
        self.now.store(Arc::new(Values { origin, metrics: Arc::clone(&self.metrics) }));
        self.metrics.reloads.inc();
    }

    /// How the caches have been used since the start.
    pub(super) fn cache_counts(&self) -> CacheCounts {
        let now = match &self.now.load().origin {
            Origin::Folder { tables, .. } => tables.cache_counts(),
            Origin::Other(_) => CacheCounts::default(),
        };
        let retired = *self.retired.lock().unwrap_or_else(PoisonError::into_inner);
        CacheCounts { hits: now.hits + retired.hits, misses: now.misses + retired.misses, bytes: now.bytes }
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

impl SlabSource for Values {
    fn tables(&self) -> Option<&Tables> {
        match &self.origin {
            Origin::Folder { tables, .. } => Some(tables),
            Origin::Other(_) => None,
        }
    }
}

impl ValueSource for Values {
    fn table_value(
        &self,
        position: &Position,
        material: Material,
        metric: Metric,
        rules: &CountingRules,
    ) -> Result<Value, ProbeError> {
        let value = self.origin.source().table_value(position, material, metric, rules);
        self.metrics.table_asked(material, metric, &value);
        value
    }

    fn table_distances(
        &self,
        position: &Position,
        material: Material,
        rules: &CountingRules,
    ) -> Result<Distances, ProbeError> {
        let distances = self.origin.source().table_distances(position, material, rules);
        // DTM was asked first: where DTZ fails, it had an answer.
        let dtz_fails = matches!(
            &distances,
            Err(ProbeError::Table(
                TableError::Missing { metric: Metric::Dtz, .. } | TableError::Corrupt { metric: Metric::Dtz, .. }
            ))
        );
        if dtz_fails {
            self.metrics.table_asked(material, Metric::Dtm, &Ok(()));
        } else {
            self.metrics.table_asked(material, Metric::Dtm, &distances);
        }
        if dtz_fails || material.is_armed() && distances.as_ref().is_ok_and(|distances| distances.dtm != Value::Draw) {
            self.metrics.table_asked(material, Metric::Dtz, &distances);
        }
        distances
    }
}
