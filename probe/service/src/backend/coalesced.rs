//! The kinds of requests whose answers equal requests share.

use std::sync::Arc;

use bytes::Bytes;
use makruk_probe::{RankedMove, Verdict};
use makruk_tables::rules::{Color, Reading};

use crate::backend::save_query::SaveQuery;
use crate::backend::under_way::UnderWay;
use crate::status::Failure;
use crate::tables::snapshot::SnapshotProber;

/// The answer to a request, or the failure that all equal requests share.
pub(crate) type Outcome<T> = Result<T, Arc<Failure>>;

/// The requests that are under way, by kind.
#[derive(Debug)]
pub(crate) struct Coalesced {
    pub(crate) probes: UnderWay<ProbeKey, Outcome<Arc<Probed>>>,
    /// By the side whose count runs, too.
    pub(crate) explored: UnderWay<(ProbeKey, Option<Color>), Bytes>,
    pub(crate) dialect: UnderWay<ProbeKey, Outcome<Bytes>>,
    pub(crate) pages: UnderWay<(u64, SaveQuery), Outcome<Bytes>>,
}

/// A position of the tables of one snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ProbeKey {
    /// The address of the snapshot, which is the same for requests of one moment only.
    snapshot: usize,
    /// The position and the notes of its text: answers have both.
    reading: Reading,
    moves: bool,
}

/// A position with its verdict, and its moves if they were requested.
#[derive(Debug)]
pub(crate) struct Probed {
    pub(crate) reading: Reading,
    pub(crate) verdict: Verdict,
    pub(crate) moves: Option<Vec<RankedMove>>,
}

impl Coalesced {
    pub(crate) fn new() -> Coalesced {
        Coalesced {
            probes: UnderWay::new(),
            explored: UnderWay::new(),
            dialect: UnderWay::new(),
            pages: UnderWay::new(),
        }
    }
}

impl ProbeKey {
    pub(crate) fn new(prober: &SnapshotProber, reading: &Reading, moves: bool) -> ProbeKey {
        ProbeKey { snapshot: Arc::as_ptr(prober.source()) as usize, reading: reading.clone(), moves }
    }
}
