//! Metrics for Prometheus.

use std::fmt::{self, Write};
use std::sync::atomic::Ordering;
use std::time::Duration;

use http::StatusCode;
use makruk_probe::{CacheCounts, TableError, TableId};
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry, Unit};
use tonic::Code;

use crate::status::Load;

/// The media type of [`Metrics::text`].
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the latency histograms, in seconds.
const LATENCY_BUCKETS: [f64; 14] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfCall {
    method: &'static str,
    code: CallCode,
}

/// The status with which a call ends. Its text is the number of HTTP, or gRPC's name such as INVALID_ARGUMENT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CallCode {
    Http(StatusCode),
    Grpc(Code),
}

impl fmt::Display for CallCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallCode::Http(status) => f.write_str(status.as_str()),
            CallCode::Grpc(code) => format!("{code:?}").char_indices().try_for_each(|(at, letter)| {
                let is_word = at > 0 && letter.is_ascii_uppercase();
                write!(f, "{}{}", if is_word { "_" } else { "" }, letter.to_ascii_uppercase())
            }),
        }
    }
}

impl EncodeLabelValue for CallCode {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        write!(encoder, "{self}")
    }
}

/// A label by its name and value.
type Label<V> = [(&'static str, V); 1];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct TableName(TableId);

impl EncodeLabelValue for TableName {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        write!(encoder, "{}", self.0)
    }
}

type Latencies = Family<Label<&'static str>, Histogram, fn() -> Histogram>;

/// All metrics of the service; [`Metrics::new`] says what each is. Counting a probe takes a read lock only.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    calls: Family<OfCall, Counter>,
    latencies: Latencies,
    sheds: Family<Label<&'static str>, Counter>,
    displaced: Family<Label<&'static str>, Counter>,
    limit_taken: Family<Label<&'static str>, Gauge>,
    limit: Family<Label<&'static str>, Gauge>,
    table_probes: Family<Label<TableName>, Counter>,
    table_misses: Family<Label<TableName>, Counter>,
    corrupt_blocks: Family<Label<TableName>, Counter>,
    cache_hits: Counter,
    cache_misses: Counter,
    cache_bytes: Gauge,
    pub(crate) calls_open: Gauge,
    pub(crate) calls_idle: Counter,
    pub(crate) positions: Counter,
    pub(crate) connections: Counter,
    pub(crate) tables_open: Gauge,
    pub(crate) tables_damaged: Gauge,
    pub(crate) reloads: Counter,
    pub(crate) files_closed: Counter,
    pub(crate) ready: Gauge,
}

/// Registers a metric.
fn add<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::with_prefix("makruk");
        let r = &mut registry;
        let latencies = Latencies::new_with_constructor(|| Histogram::new(LATENCY_BUCKETS));
        let help = "Time from a call's headers to the end of its answer";
        r.register_with_unit("call_duration", help, Unit::Seconds, latencies.clone());
        let help = "Connections and calls ended to make room for others, because their address held the most";
        let metrics = Metrics {
            calls: add(r, "calls", "Calls that have ended, by gRPC code or HTTP status"),
            latencies,
            sheds: add(r, "sheds", "Requests that were shed because a limit was reached"),
            displaced: add(r, "displaced", help),
            limit_taken: add(r, "limit_taken", "Places or bytes of a limit that are in use"),
            limit: add(r, "limit", "Places or bytes that a limit allows in all"),
            table_probes: add(r, "table_probes", "Values read from a table"),
            table_misses: add(r, "table_misses", "Probes of a table that is missing"),
            corrupt_blocks: add(r, "corrupt_blocks", "Probes of a table that is damaged or cannot be read"),
            cache_hits: add(r, "cache_hits", "Blocks that were in memory"),
            cache_misses: add(r, "cache_misses", "Blocks that had to be decoded"),
            cache_bytes: add(r, "cache_bytes", "Bytes of decoded blocks in memory"),
            calls_open: add(r, "calls_open", "Calls that are open"),
            calls_idle: add(r, "calls_idle", "Calls that were ended because their client did not read or write"),
            positions: add(r, "positions", "Positions of requests that were admitted"),
            connections: add(r, "connections", "Connections that were accepted"),
            tables_open: add(r, "tables", "Tables that can be opened"),
            tables_damaged: add(r, "tables_damaged", "Tables that cannot be opened"),
            reloads: add(r, "table_reloads", "Times that open tables were replaced by others"),
            files_closed: add(r, "table_files_closed", "Times that a table's file was closed to open that of another"),
            ready: add(r, "ready", "1 while any table can be opened"),
            registry,
        };
        for limit in Load::ALL.map(Load::name) {
            drop(metrics.sheds.get_or_create(&[("limit", limit)]));
            drop(metrics.displaced.get_or_create(&[("limit", limit)]));
        }
        metrics
    }

    /// Counts a call that has ended.
    pub(crate) fn call_ended(&self, method: &'static str, code: CallCode, took: Duration) {
        self.calls.get_or_create(&OfCall { method, code }).inc();
        self.latencies.get_or_create(&[("method", method)]).observe(took.as_secs_f64());
    }

    /// Counts a request that was shed.
    pub(crate) fn shed(&self, load: Load) {
        self.sheds.get_or_create(&[("limit", load.name())]).inc();
    }

    /// Counts a holder that was ended to make room.
    pub(crate) fn displaced(&self, load: Load) {
        self.displaced.get_or_create(&[("limit", load.name())]).inc();
    }

    /// Sets the places, or bytes, that are taken of a limit, and those that there are.
    pub(crate) fn set_pool(&self, load: Load, taken: usize, most: usize) {
        let label = [("limit", load.name())];
        self.limit_taken.get_or_create(&label).set(taken as i64);
        self.limit.get_or_create(&label).set(most as i64);
    }

    /// Counts a probe of a table.
    pub(crate) fn table_probed<T>(&self, id: TableId, outcome: &Result<T, TableError>) {
        let family = match outcome {
            Ok(_) => &self.table_probes,
            Err(TableError::Corrupt { .. } | TableError::Unreadable { .. }) => &self.corrupt_blocks,
            Err(_) => &self.table_misses,
        };
        family.get_or_create(&[("table", TableName(id))]).inc();
    }

    /// All metrics in the OpenMetrics text format that Prometheus reads.
    pub(crate) fn text(&self, cache: CacheCounts) -> String {
        self.cache_hits.inner().store(cache.hits, Ordering::Relaxed);
        self.cache_misses.inner().store(cache.misses, Ordering::Relaxed);
        self.cache_bytes.set(i64::try_from(cache.bytes).unwrap_or(i64::MAX));
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            // Writing to a string cannot fail.
            Err(fmt::Error) => String::new(),
        }
    }
}
