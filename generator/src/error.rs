//! The failures of a build.

use std::path::PathBuf;

use makruk_format::{FormatError, SpecError};
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableError;
use thiserror::Error;

use crate::numbers::Gib;
use crate::options::MOST_MEN;

/// The reason that stopped a build.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A table could not be read or written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A table of a material that captures lead to is missing or fails.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A solved material that no table can hold.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The threads could not be started.
    #[error("the threads could not be started")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The system has no memory for the positions of a material.
    #[error("the system has no memory for the positions")]
    NoMemory(#[source] std::io::Error),
    /// The build was stopped from outside.
    #[error("stopped: the tables finished so far are complete; the same command continues from there")]
    Stopped,
    /// A file with the name of a checkpoint is not one. A build does not overwrite it.
    #[error("{}: {problem}; move it elsewhere: the build keeps its checkpoint under this name", .path.display())]
    NotACheckpoint {
        /// The file.
        path: PathBuf,
        /// The expected and the found text.
        problem: String,
    },
    /// More men than this generator solves.
    #[error("{0} has {men} men: materials of 3 to {most} men can be built", men = .0.men(), most = MOST_MEN)]
    TooManyMen(Material),
    /// More memory would be needed than allowed.
    #[error(
        "{material} needs at least {} of memory, but the limit is {}, which is {} too little",
        Gib(*.need), Gib(*.allowed), Gib(.need - .allowed)
    )]
    Memory {
        /// The material.
        material: Material,
        /// The planned memory, in bytes.
        need: u64,
        /// The memory allowed, in bytes.
        allowed: u64,
        /// The materials of the build, children first, that are not built yet and fit, with all materials below them.
        fitting: Vec<Material>,
    },
}

impl BuildError {
    /// The error of a material that cannot be solved, whatever the memory; none of others.
    pub(crate) fn check_men(material: Material) -> Result<(), BuildError> {
        if (3..=MOST_MEN).contains(&material.men()) { Ok(()) } else { Err(BuildError::TooManyMen(material)) }
    }
}
