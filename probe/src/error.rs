//! The failures of a probe: of the question, or of the tables.

use makruk_rules::{FenError, FenErrorKind};
use makruk_tables::material::TooManyMen;
use makruk_tables::tablebase::TableError;
use thiserror::Error;

/// A position that has no verdict.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The FEN cannot be read, or its position is illegal.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// No table can have the position, or the table of it or of one that its value is derived from is missing or fails.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl From<TooManyMen> for ProbeError {
    fn from(error: TooManyMen) -> ProbeError {
        ProbeError::Table(error.into())
    }
}

/// The failure of a probe in one word, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Reason {
    /// The text is not a FEN.
    BadFen,
    /// The position breaks the rules.
    IllegalPosition,
    /// The position has more men than any table.
    TooManyMen,
    /// LIMIT or PLY is not a number in its range.
    BadCount,
    /// A table is missing, or the file of its name is not the table that is needed: it has another version, other rules
    /// or other contents.
    MissingTable,
    /// A table cannot be read now: the system fails, or the file is not whole. It may be readable the next time.
    UnreadableTable,
    /// A table is damaged.
    CorruptTable,
    /// A fault of the program.
    Internal,
}

makruk_rules::names! {
    Reason:
        BadFen = "bad_fen",
        IllegalPosition = "illegal_position",
        TooManyMen = "too_many_men",
        BadCount = "bad_count",
        MissingTable = "missing_table",
        UnreadableTable = "unreadable_table",
        CorruptTable = "corrupt_table",
        Internal = "internal",
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
            ProbeError::Table(TableError::TooManyMen(_)) => Reason::TooManyMen,
            ProbeError::Table(TableError::Missing { .. } | TableError::Unsupported { .. }) => Reason::MissingTable,
            ProbeError::Table(TableError::Unreadable { .. }) => Reason::UnreadableTable,
            ProbeError::Table(TableError::Corrupt { .. }) => Reason::CorruptTable,
            ProbeError::Table(TableError::Misuse { .. }) => Reason::Internal,
        }
    }
}
