//! The failures of a tablebase.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::format::{AnyValue, FormatError, Kind, TableId};
use crate::material::TooManyMen;
use crate::rules::Color;

/// Any cause of a [`TableError`].
pub type BoxedError = Box<dyn std::error::Error + Send + Sync>;

/// The failure of a tablebase. A table that fails does not affect other tables.
#[derive(Debug, Error)]
pub enum TableError {
    /// No table can have such a position.
    #[error(transparent)]
    TooManyMen(#[from] TooManyMen),
    /// There is no such table.
    #[error("{}", match .source {
        None => format!("{} has no table {id}", .path.parent().unwrap_or(.path).display()),
        Some(source) => format!("cannot open table {id}: {source}"),
    })]
    Missing {
        /// The table; its material may be one that a capture leads to.
        id: TableId,
        /// The path at which the table was expected.
        path: PathBuf,
        /// More about it, if it is not the file alone that is missing.
        source: Option<FormatError>,
    },
    /// The system cannot read the table.
    #[error("cannot read table {id}: {source}")]
    Unreadable {
        /// The table.
        id: TableId,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: FormatError,
    },
    /// The table is one of another format version, or holds for other counting rules.
    #[error("cannot use table {id}: {source}")]
    Unsupported {
        /// The table.
        id: TableId,
        /// The file.
        path: PathBuf,
        /// The property of the table that was expected, and the one found.
        source: BoxedError,
    },
    /// The table is damaged, or is not the table that its name says.
    #[error("the table {id} is damaged: {source}")]
    Corrupt {
        /// The table.
        id: TableId,
        /// The file.
        path: PathBuf,
        /// The damage and its place.
        source: BoxedError,
    },
}

impl TableError {
    /// Classifies an error of a table's file.
    pub fn of(id: TableId, path: PathBuf, source: FormatError) -> TableError {
        match source.kind() {
            Kind::NoTable => TableError::Missing { id, path, source: None },
            Kind::NoFolder | Kind::NotAFolder => TableError::Missing { id, path, source: Some(source) },
            Kind::Io => TableError::Unreadable { id, path, source },
            Kind::Older | Kind::Newer | Kind::OtherValues => {
                TableError::Unsupported { id, path, source: source.into() }
            }
            Kind::Corrupt | Kind::Misuse => TableError::Corrupt { id, path, source: source.into() },
        }
    }

    /// Whether bytes are wanted that the table's source does not have yet. The same question may be asked again when it
    /// has them.
    pub fn wants_bytes(&self) -> bool {
        matches!(self, TableError::Unreadable { source, .. } if source.wants_bytes())
    }

    /// The table; `None` where no table can have the position.
    pub fn id(&self) -> Option<TableId> {
        match self {
            TableError::TooManyMen(_) => None,
            TableError::Missing { id, .. }
            | TableError::Unreadable { id, .. }
            | TableError::Unsupported { id, .. }
            | TableError::Corrupt { id, .. } => Some(*id),
        }
    }

    /// The table's file; `None` where no table can have the position.
    pub fn path(&self) -> Option<&Path> {
        match self {
            TableError::TooManyMen(_) => None,
            TableError::Missing { path, .. }
            | TableError::Unreadable { path, .. }
            | TableError::Unsupported { path, .. }
            | TableError::Corrupt { path, .. } => Some(path),
        }
    }
}

/// Tables of other counting rules.
#[derive(Debug, Error)]
#[error("{}: counting rules: expected {expected}, found {found}", .path.display())]
pub(super) struct OtherRules {
    pub(super) path: PathBuf,
    pub(super) expected: String,
    pub(super) found: String,
}

/// Tables whose values cannot be derived or do not fit together.
#[derive(Debug, Error)]
pub(super) enum Inconsistent {
    #[error("{side} to move: its moves make {value:?}, which the side does not list")]
    NotListed { side: Color, value: AnyValue },
    #[error("{position} has no place in it with {side} to move")]
    NoPlace { side: Color, position: String },
    #[error("two bare kings have no table")]
    BareKings,
}
