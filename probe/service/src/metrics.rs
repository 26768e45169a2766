//! Metrics for Prometheus.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use makruk_probe::{CacheCounts, TableError, TableId};
use makruk_tables::material::Material;
use makruk_tables::value::Metric;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::status::Load;

/// The media type of [`Metrics::text`].
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the latency histograms, in seconds.
const LATENCY_BUCKETS: [f64; 14] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfCall {
    method: &'static str,
    code: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfMethod {
    method: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfLimit {
    limit: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfTable {
    table: String,
}

type Latencies = Family<OfMethod, Histogram, fn() -> Histogram>;

/// All metrics of the service. Counting a probe takes a read lock only.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    calls: Family<OfCall, Counter>,
    latencies: Latencies,
    sheds: HashMap<&'static str, Counter>,
    tables: RwLock<HashMap<(Material, Metric), Arc<TableCounts>>>,
    table_probes: Family<OfTable, Counter>,
    table_misses: Family<OfTable, Counter>,
    corrupt_blocks: Family<OfTable, Counter>,
    cache_hits: Counter,
    cache_misses: Counter,
    cache_bytes: Gauge,
    /// Open calls.
    pub(crate) calls_open: Gauge,
    /// Positions of requests that were admitted.
    pub(crate) positions: Counter,
    /// Requests that shared the answer to an equal request.
    /// Calls that were ended because nothing moved.
    pub(crate) calls_idle: Counter,
    displaced: HashMap<&'static str, Counter>,
    pools: Family<OfLimit, Gauge>,
    pool_sizes: Family<OfLimit, Gauge>,
    /// Open connections.
    pub(crate) connections_open: Gauge,
    /// Connections that were accepted.
    pub(crate) connections: Counter,
    /// Connections that were refused, or failed their handshake.
    pub(crate) connections_refused: Counter,
    /// Tables that can be opened.
    pub(crate) tables_open: Gauge,
    /// Tables that cannot be opened.
    pub(crate) tables_damaged: Gauge,
    /// Snapshots after the first.
    pub(crate) reloads: Counter,
    /// 1 while any table can be opened.
    pub(crate) ready: Gauge,
}

#[derive(Debug, Default)]
struct TableCounts {
    probes: AtomicU64,
    misses: AtomicU64,
    corrupt: AtomicU64,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::with_prefix("makruk");
        let calls = Family::<OfCall, Counter>::default();
        registry.register("calls", "Calls that have ended, by gRPC code or HTTP status", calls.clone());
        let latencies = Latencies::new_with_constructor(|| Histogram::new(LATENCY_BUCKETS));
        let help = "Time from a call's headers to the end of its answer";
        registry.register_with_unit("call_duration", help, Unit::Seconds, latencies.clone());
        let sheds = Family::<OfLimit, Counter>::default();
        registry.register("sheds", "Requests that were shed because a limit was reached", sheds.clone());
        let displaced = Family::<OfLimit, Counter>::default();
        let help = "Connections and calls ended to make room for others, because their address held the most";
        registry.register("displaced", help, displaced.clone());
        let (pools, pool_sizes) = (Family::<OfLimit, Gauge>::default(), Family::<OfLimit, Gauge>::default());
        registry.register("limit_taken", "Places or bytes of a limit that are in use", pools.clone());
        registry.register("limit", "Places or bytes that a limit allows in all", pool_sizes.clone());
        let by_limit = |family: &Family<OfLimit, Counter>| {
            let of = |load: Load| (load.name(), family.get_or_create_owned(&OfLimit { limit: load.name() }));
            Load::ALL.map(of).into_iter().collect()
        };
        let counter = |registry: &mut Registry, name: &str, help: &str| {
            let counter = Counter::default();
            registry.register(name, help, counter.clone());
            counter
        };
        let by_table = |registry: &mut Registry, name: &str, help: &str| {
            let family = Family::<OfTable, Counter>::default();
            registry.register(name, help, family.clone());
            family
        };
        let gauge = |registry: &mut Registry, name: &str, help: &str| {
            let gauge = Gauge::default();
            registry.register(name, help, gauge.clone());
            gauge
        };
        let r = &mut registry;
        Metrics {
            sheds: by_limit(&sheds),
            displaced: by_limit(&displaced),
            pools,
            pool_sizes,
            tables: RwLock::default(),
            table_probes: by_table(r, "table_probes", "Values read from a table"),
            table_misses: by_table(r, "table_misses", "Probes of a table that is missing"),
            corrupt_blocks: by_table(r, "corrupt_blocks", "Probes of a table that is damaged or cannot be read"),
            cache_hits: counter(r, "cache_hits", "Blocks that were in memory"),
            cache_misses: counter(r, "cache_misses", "Blocks that had to be decoded"),
            cache_bytes: gauge(r, "cache_bytes", "Bytes of decoded blocks in memory"),
            calls_open: gauge(r, "calls_open", "Calls that are open"),
            calls_idle: counter(r, "calls_idle", "Calls that were ended because their client did not read or write"),
            positions: counter(r, "positions", "Positions of requests that were admitted"),
            connections_open: gauge(r, "connections_open", "Connections that are open"),
            connections: counter(r, "connections", "Connections that were accepted"),
            connections_refused: counter(
                r,
                "connections_refused",
                "Connections that were refused, or failed their handshake",
            ),
            tables_open: gauge(r, "tables", "Tables that can be opened"),
            tables_damaged: gauge(r, "tables_damaged", "Tables that cannot be opened"),
            reloads: counter(r, "table_reloads", "Times that open tables were replaced by others"),
            ready: gauge(r, "ready", "1 while any table can be opened"),
            registry,
            calls,
            latencies,
        }
    }

    /// Counts a call that has ended.
    pub(crate) fn call_ended(&self, method: &'static str, code: &'static str, took: Duration) {
        self.calls.get_or_create(&OfCall { method, code }).inc();
        self.latencies.get_or_create(&OfMethod { method }).observe(took.as_secs_f64());
    }

    /// Counts a request that was shed.
    pub(crate) fn shed(&self, load: Load) {
        if let Some(counter) = self.sheds.get(load.name()) {
            counter.inc();
        }
    }

    /// Counts a holder that was ended to make room.
    pub(crate) fn displaced(&self, load: Load) {
        if let Some(counter) = self.displaced.get(load.name()) {
            counter.inc();
        }
    }

    /// Sets the places, or bytes, that are taken of a limit, and those that there are.
    pub(crate) fn set_pool(&self, load: Load, taken: usize, most: usize) {
        let label = OfLimit { limit: load.name() };
        self.pools.get_or_create(&label).set(taken as i64);
        self.pool_sizes.get_or_create(&label).set(most as i64);
    }

    /// Counts a probe of a table.
    pub(crate) fn table_probed<T>(&self, id: TableId, outcome: &Result<T, TableError>) {
        let counts = |counts: &TableCounts| {
            let counter = match outcome {
                Ok(_) => &counts.probes,
                Err(TableError::Corrupt { .. } | TableError::Unreadable { .. }) => &counts.corrupt,
                Err(_) => &counts.misses,
            };
            counter.fetch_add(1, Ordering::Relaxed);
        };
        let key = (id.material, id.metric);
        if let Some(found) = self.tables.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return counts(found);
        }
        counts(self.tables.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
    }

    /// All metrics in the OpenMetrics text format that Prometheus reads.
    pub(crate) fn text(&self, cache: CacheCounts) -> String {
        let set = |counter: &Counter, value: u64| counter.inner().store(value, Ordering::Relaxed);
        set(&self.cache_hits, cache.hits);
        set(&self.cache_misses, cache.misses);
        self.cache_bytes.set(i64::try_from(cache.bytes).unwrap_or(i64::MAX));
        for (&(material, metric), counts) in self.tables.read().unwrap_or_else(PoisonError::into_inner).iter() {
            let label = OfTable { table: format!("{material}.{metric}") };
            for (family, value) in [
                (&self.table_probes, &counts.probes),
                (&self.table_misses, &counts.misses),
                (&self.corrupt_blocks, &counts.corrupt),
            ] {
                let value = value.load(Ordering::Relaxed);
                if value > 0 {
                    set(&family.get_or_create(&label), value);
                }
            }
        }
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            // Writing to a string cannot fail.
            Err(std::fmt::Error) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_text() {
        let metrics = Metrics::new();
        metrics.call_ended("Probe", "OK", Duration::from_millis(3));
        metrics.shed(Load::Requests);
        let material: Material = "KRvK".parse().unwrap();
        let id = TableId { material, metric: Metric::Dtm };
        metrics.table_probed(id, &Ok(()));
        metrics.table_probed(id, &Ok(()));
        let text = metrics.text(CacheCounts { hits: 5, misses: 2, bytes: 77 });
        for line in [
            "makruk_calls_total{method=\"Probe\",code=\"OK\"} 1",
            "makruk_call_duration_seconds_bucket{le=\"0.0025\",method=\"Probe\"} 0",
            "makruk_call_duration_seconds_bucket{le=\"0.005\",method=\"Probe\"} 1",
            "makruk_sheds_total{limit=\"requests\"} 1",
            "makruk_sheds_total{limit=\"calls\"} 0",
            "makruk_table_probes_total{table=\"KRvK.dtm\"} 2",
            "makruk_cache_hits_total 5",
            "makruk_cache_bytes 77",
            "makruk_ready 0",
            "# EOF",
        ] {
            assert!(text.lines().any(|have| have == line), "{line}\n{text}");
        }
        assert!(!text.contains("makruk_corrupt_blocks_total{"), "{text}");
    }
}
