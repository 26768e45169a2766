//! The tables that are served now.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{CountingRules, Position};
use makruk_tables::value::{Metric, Value};

use super::metrics::Metrics;
use makruk_probe::{
    Access, CacheCounts, Distances, Prober, SlabSource, TableError, TableId, Tablebase, ValueSource, Wdl,
};

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
    Folder(Tablebase),
    Other(OtherSource),
}

impl Origin {
    fn source(&self) -> &dyn ValueSource {
        match self {
            Origin::Folder(tablebase) => tablebase,
            Origin::Other(source) => &**source,
        }
    }
}

impl Live {
    /// The tables of a folder.
    pub(super) fn folder(folder: impl Into<PathBuf>, cache_bytes: usize, metrics: Arc<Metrics>) -> Live {
        let tablebase = Tablebase::builder().folder(folder).access(watched()).cache_bytes(cache_bytes).build();
        Live::new(Origin::Folder(tablebase), metrics)
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
        Prober::new(self.now.load_full())
    }

    /// The counting rules.
    pub(super) fn rules(&self) -> &CountingRules {
        &self.rules
    }

    /// Lets go of all tables, to open them anew when they are next asked for. Jobs under way end with those they have.
    pub(super) fn renew(&self) {
        let Origin::Folder(tablebase) = &self.now.load().origin else { return };
        let fresh = tablebase.reopened();
        let CacheCounts { hits, misses, .. } = tablebase.cache_counts();
        {
            let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
            retired.hits += hits;
            retired.misses += misses;
        }
        let origin = Origin::Folder(fresh);
        self.now.store(Arc::new(Values { origin, metrics: Arc::clone(&self.metrics) }));
        self.metrics.reloads.inc();
    }

    /// How the caches have been used since the start.
    pub(super) fn cache_counts(&self) -> CacheCounts {
        let now = match &self.now.load().origin {
            Origin::Folder(tablebase) => tablebase.cache_counts(),
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
    fn tablebase(&self) -> Option<&Tablebase> {
        match &self.origin {
            Origin::Folder(tablebase) => Some(tablebase),
            Origin::Other(_) => None,
        }
    }
}

impl Values {
    fn counted<T>(&self, position: &Position, metric: Metric, outcome: Result<T, TableError>) -> Result<T, TableError> {
        if let Ok(Oriented { material, .. }) = Material::of(position.board()) {
            self.metrics.table_asked(TableId::of(material, metric), &outcome);
        }
        outcome
    }
}

impl ValueSource for Values {
    fn rules(&self) -> &CountingRules {
        self.origin.source().rules()
    }

    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.counted(position, metric, self.origin.source().value(position, metric))
    }

    fn wdl(&self, position: &Position) -> Result<Wdl, TableError> {
        self.counted(position, Metric::Wdl, self.origin.source().wdl(position))
    }

    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        let distances = self.origin.source().distances(position);
        let Ok(Oriented { material, .. }) = Material::of(position.board()) else { return distances };
        let [dtm, dtz] = Metric::DISTANCES.map(|metric| TableId { material, metric });
        // DTM was asked first: where DTZ fails, it had an answer.
        let dtz_fails = distances.as_ref().is_err_and(|error| error.id().is_some_and(|id| id.metric == Metric::Dtz));
        if dtz_fails {
            self.metrics.table_asked(dtm, &Ok(()));
        } else {
            self.metrics.table_asked(dtm, &distances);
        }
        if dtz_fails || material.is_armed() && distances.as_ref().is_ok_and(|distances| distances.dtm != Value::Draw) {
            self.metrics.table_asked(dtz, &distances);
        }
        distances
    }
}

/// A folder's tables, through maps that are watched: an operator may replace files in place by mistake.
#[allow(unsafe_code)]
pub(super) fn watched() -> Access {
    // SAFETY: programs that serve survive SIGBUS, which `survive_truncated_tables` sees to before they open a table.
    unsafe { Access::watched() }
}
