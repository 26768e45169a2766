//! The failures of a tablebase.

use std::path::{Path, PathBuf};

use thiserror::Error;

use makruk_format::material::TooManyMen;
use makruk_format::{AnyValue, FormatError, Kind, Listed, TableId};
use makruk_rules::Color;

/// Any cause of a [`TableError`].
pub(crate) type BoxedError = Box<dyn std::error::Error + Send + Sync>;

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
    /// The table cannot be read now, and may be readable the next time: the system fails, or the file is not whole or
    /// was modified while it was open.
    #[error("cannot read table {id}: {source}")]
    Unreadable {
        /// The table.
        id: TableId,
        /// The file.
        path: PathBuf,
        /// The failure.
        source: FormatError,
    },
    /// The file is not the table that is needed, and nothing says that it is damaged. It may be a table of another
    /// format version, of other counting rules ([`OtherRules`]) or of another name. It may be DTZ beside the DTM of
    /// another build, or no table at all.
    #[error("cannot use table {id}: {source}")]
    Unsupported {
        /// The table.
        id: TableId,
        /// The file.
        path: PathBuf,
        /// The property of the table that was expected, and the one found.
        source: BoxedError,
    },
    /// The table is damaged: a checksum fails, or its values contradict each other though the checksums hold.
    #[error("the table {id} is damaged: {source}")]
    Corrupt {
        /// The table.
        id: TableId,
        /// The file.
        path: PathBuf,
        /// The damage and its place.
        source: BoxedError,
    },
    /// The caller asked for a value that the table cannot have. The table may be sound.
    #[error("table {id} was asked for a value that it does not have: {source}")]
    Misuse {
        /// The table.
        id: TableId,
        /// The file.
        path: PathBuf,
        /// The caller's mistake.
        source: BoxedError,
    },
}

impl TableError {
    /// Classifies an error of a table's file.
    pub(crate) fn of(id: TableId, path: PathBuf, source: FormatError) -> TableError {
        match source.kind() {
            Kind::NoTable => TableError::Missing { id, path, source: None },
            Kind::NoFolder | Kind::NotAFolder => TableError::Missing { id, path, source: Some(source) },
            Kind::Io | Kind::Truncated | Kind::Changed => TableError::Unreadable { id, path, source },
            Kind::Older | Kind::Newer | Kind::Foreign(_) | Kind::OtherTable(_) | Kind::OtherBuild | Kind::Overlong => {
                TableError::Unsupported { id, path, source: source.into() }
            }
            Kind::Corrupt => TableError::Corrupt { id, path, source: source.into() },
            Kind::Misuse => TableError::Misuse { id, path, source: source.into() },
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
            | TableError::Corrupt { id, .. }
            | TableError::Misuse { id, .. } => Some(*id),
        }
    }

    /// The table's file; `None` where no table can have the position.
    pub fn path(&self) -> Option<&Path> {
        match self {
            TableError::TooManyMen(_) => None,
            TableError::Missing { path, .. }
            | TableError::Unreadable { path, .. }
            | TableError::Unsupported { path, .. }
            | TableError::Corrupt { path, .. }
            | TableError::Misuse { path, .. } => Some(path),
        }
    }
}

/// A table of other counting rules than those of the tablebase.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: counting rules: expected {expected}, found {found}", .path.display())]
pub struct OtherRules {
    /// The file.
    pub path: PathBuf,
    /// The name of the tablebase's rules.
    pub expected: String,
    /// The name of the table's rules.
    pub found: String,
}

/// A table that lacks a value which its moves make.
#[derive(Debug, Error)]
#[error("{side} to move: its moves make {value:?} ({:#x}), which the side does not list", Listed::number(*.value))]
pub(super) struct NotListed {
    pub(super) side: Color,
    pub(super) value: AnyValue,
}

/// A value that no table has.
#[derive(Debug, Error)]
pub(super) enum NoValue {
    #[error("{position} has no place in it with {side} to move")]
    NoPlace { side: Color, position: String },
    #[error("two bare kings have no table")]
    BareKings,
}
