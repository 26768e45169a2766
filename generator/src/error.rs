//! What can go wrong in a build.

use makruk_tables::format::{FormatError, Metric, SpecError};
use makruk_tables::material::Material;
use thiserror::Error;

/// Why a build stopped.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A table could not be read or written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A solved set that no table can hold.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The build was stopped from outside.
    #[error("stopped: the tables finished so far are whole, the same command goes on from there")]
    Stopped,
    /// A set was to be solved before the sets that captures lead to.
    #[error("the {metric} table of {child} is needed first: run makruk-gen build {child}")]
    MissingChild {
        /// The set that is missing.
        child: Material,
        /// Its metric.
        metric: Metric,
    },
    /// More men than this generator solves.
    #[error("{0} has {men} men: sets of 3 to {most} men can be built", men = .0.men(), most = crate::MOST_MEN)]
    TooManyMen(Material),
    /// More memory would be needed than allowed.
    #[error(
        "{set} needs {:.2} GiB of memory and {:.2} GiB are allowed, {:.2} GiB too little: give a larger --memory",
        gib(*.need), gib(*.allowed), gib(.need - .allowed)
    )]
    Memory {
        /// The set.
        set: Material,
        /// What solving it takes, in bytes.
        need: u64,
        /// What may be used, in bytes.
        allowed: u64,
    },
}

fn gib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}
