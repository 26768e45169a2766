//! The errors of scans.

use rayon::ThreadPoolBuildError;
use thiserror::Error;

use makruk_probe::ProbeError;

/// The reason why a material could not be scanned.
#[derive(Debug, Error)]
pub enum ResearchError {
    /// A table is missing or damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The threads could not be started.
    #[error("cannot start the threads of a scan")]
    Threads(#[from] ThreadPoolBuildError),
}
