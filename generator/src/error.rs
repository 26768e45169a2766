//! What can go wrong in a build.

use makruk_tables::format::{FormatError, Metric, SpecError};
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableError;
use thiserror::Error;

/// Why a build stopped.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A table could not be read or written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A table that captures lead to fails.
    #[error(transparent)]
    Table(TableError),
    /// A solved set that no table can hold.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The system gave no memory for a set.
    #[error("there is no memory for the set's positions: {0}; `makruk-gen plan` says what is needed")]
    NoMemory(std::io::Error),
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
        "{set} needs {:.2} GiB of memory and {:.2} GiB are allowed, {:.2} GiB too little: give a larger --memory, or build \
         what fits: {}",
        gib(*.need), gib(*.allowed), gib(.need - .allowed), names(fitting)
    )]
    Memory {
        /// The set.
        set: Material,
        /// What solving it takes, in bytes.
        need: u64,
        /// What may be used, in bytes.
        allowed: u64,
        /// The sets asked for, and those below them, that are not built and fit.
        fitting: Vec<Material>,
    },
}

impl From<TableError> for BuildError {
    fn from(error: TableError) -> BuildError {
        match error {
            TableError::Missing { id, source: None, .. } => {
                BuildError::MissingChild { child: id.material, metric: id.metric }
            }
            error => BuildError::Table(error),
        }
    }
}

fn gib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// How many sets a message names.
const NAMES: usize = 8;

/// The names of some sets, the largest first; the command that lists all where they are too many.
fn names(sets: &[Material]) -> String {
    if sets.is_empty() {
        return "nothing that is not built yet".to_owned();
    }
    let mut names: Vec<String> = sets.iter().rev().take(NAMES).map(Material::to_string).collect();
    if sets.len() > NAMES {
        names.push(format!("and {} more, listed by `makruk-gen plan` with the same --memory", sets.len() - NAMES));
    }
    names.join(" ")
}
