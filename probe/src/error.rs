//! What can be wrong: with what was asked, or with the tables.

use std::fmt;
use std::path::PathBuf;

use makruk_tables::format::{FormatError, Kind, Metric, Problem};
use makruk_tables::material::{Material, UnsupportedMaterial};
use makruk_tables::rules::{FenError, FenErrorKind};
use thiserror::Error;

/// Why a position has no verdict.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The FEN can't be read, or is of no legal position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// No table can have such men.
    #[error(transparent)]
    Material(#[from] UnsupportedMaterial),
    /// The table that has the answer can't give it.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// What the bytes did, or that they are not there. It concerns this table alone.
#[derive(Debug, Error)]
pub enum TableError {
    /// There is no such table, or none that this program can read: another version's, or one that the system does not
    /// hand out.
    #[error(
        "{}; `makruk-gen build {material}` makes it",
        match .source {
            None => format!("{} has no table {material}.{metric}", .folder.display()),
            Some(source) => format!("the table {material}.{metric} is not to be had: {source}"),
        }
    )]
    Missing {
        /// The set whose table is missing; it may be one that a capture leads to.
        material: Material,
        /// The metric.
        metric: Metric,
        /// Where it was looked for.
        folder: PathBuf,
        /// Why it can't be read, if it is there.
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// The table is damaged.
    #[error("the table {material}.{metric} is damaged: {source}")]
    Corrupt {
        /// The set.
        material: Material,
        /// The metric.
        metric: Metric,
        /// What is wrong, and where.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Why a position has no verdict, in one word for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The text is no FEN.
    BadFen,
    /// The position breaks the rules.
    IllegalPosition,
    /// Unpromoted pawns.
    HasPawns,
    /// More men than any table has.
    TooManyMen,
    /// LIMIT or PLY is no such number.
    BadCount,
    /// A table that is not there.
    MissingTable,
    /// A table that is damaged.
    CorruptTable,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 7] = [
        Reason::BadFen,
        Reason::IllegalPosition,
        Reason::HasPawns,
        Reason::TooManyMen,
        Reason::BadCount,
        Reason::MissingTable,
        Reason::CorruptTable,
    ];

    /// As programs match it: `bad_fen`, `missing_table` and so on.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::BadFen => "bad_fen",
            Reason::IllegalPosition => "illegal_position",
            Reason::HasPawns => "has_pawns",
            Reason::TooManyMen => "too_many_men",
            Reason::BadCount => "bad_count",
            Reason::MissingTable => "missing_table",
            Reason::CorruptTable => "corrupt_table",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ProbeError {
    /// The error in one word.
    pub const fn reason(&self) -> Reason {
        match self {
            ProbeError::Fen(error) => match error.kind() {
                FenErrorKind::BadFen => Reason::BadFen,
                FenErrorKind::IllegalPosition => Reason::IllegalPosition,
                FenErrorKind::BadCount => Reason::BadCount,
            },
            ProbeError::Material(UnsupportedMaterial::HasPawns) => Reason::HasPawns,
            ProbeError::Material(UnsupportedMaterial::TooManyMen(_)) => Reason::TooManyMen,
            ProbeError::Table(TableError::Missing { .. }) => Reason::MissingTable,
            ProbeError::Table(TableError::Corrupt { .. }) => Reason::CorruptTable,
        }
    }

    /// The set whose table is missing, if that is the error.
    pub const fn missing_set(&self) -> Option<Material> {
        match self {
            ProbeError::Table(TableError::Missing { material, .. }) => Some(*material),
            _ => None,
        }
    }
}

impl TableError {
    /// Sorts an error of the file.
    pub fn of(material: Material, metric: Metric, folder: PathBuf, source: FormatError) -> TableError {
        match source.kind() {
            Kind::Missing if matches!(source.problem(), Problem::NoTable) => {
                TableError::Missing { material, metric, folder, source: None }
            }
            Kind::Missing | Kind::Unsupported | Kind::Io => {
                TableError::Missing { material, metric, folder, source: Some(Box::new(source)) }
            }
            Kind::Corrupt | Kind::Misuse => TableError::Corrupt { material, metric, source: Box::new(source) },
        }
    }
}
