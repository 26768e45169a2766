//! What can go wrong in a build.

use makruk_tables::format::Metric;
use makruk_tables::material::Material;
use thiserror::Error;

/// Why a build stopped.
#[derive(Debug, Error)]
pub enum BuildError {
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
    #[error("{set} needs {need:.1} GiB of memory, {allowed:.1} GiB are allowed: give a larger --memory")]
    Memory {
        /// The set.
        set: Material,
        /// What solving it takes, in GiB.
        need: f64,
        /// What may be used, in GiB.
        allowed: f64,
    },
}
