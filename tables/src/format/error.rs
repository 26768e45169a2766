//! Problems of tables and table folders.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::spec_error::SpecError;
use super::table_id::TableId;
use crate::rules::Color;
use crate::value::Metric;

/// A problem of a table or a table folder, and the path of the file or folder.
///
/// The text is a whole sentence, the system's error included; [`source`](StdError::source) returns the system's error too, for
/// programs.
pub struct FormatError(Box<LocatedProblem>);

struct LocatedProblem {
    path: PathBuf,
    problem: Problem,
}

/// The kind of a problem, for programs that map it to a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// There is no such table or folder.
    Missing,
    /// The bytes are not those that were written.
    Corrupt,
    /// The table is one of another version.
    Unsupported,
    /// The system could not read or write.
    Io,
    /// The caller asked for a value that no table has, or wrote a table that cannot be.
    Misuse,
}

/// A problem of a table or a table folder.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The table's file does not exist.
    #[error("there is no such table")]
    NoTable,
    /// The folder does not exist.
    #[error("the table folder does not exist")]
    NoFolder,
    /// The path is that of a file, not of a folder.
    #[error("this is not a folder")]
    NotAFolder,
    /// The file does not begin as tables do.
    #[error("not a Makruk table: it begins with \"{}\"", found.escape_ascii())]
    Foreign {
        /// The file's first bytes, up to 8.
        found: Vec<u8>,
    },
    /// The table's positions are not in the order of its material's layout.
    #[error("the table's {field} is {found:?}: expected {expected:?} for its material")]
    Shape {
        /// The field that differs.
        field: &'static str,
        /// The layout's.
        expected: String,
        /// The table's.
        found: String,
    },
    /// The format version is an older one.
    #[error("format version (offset 8): expected {expected}, found {found}, an older one")]
    Older {
        /// The version that this crate reads.
        expected: u32,
        /// The file's version.
        found: u32,
    },
    /// The format version is a newer one.
    #[error("format version (offset 8): expected {expected}, found {found}, a newer one")]
    Newer {
        /// The version that this crate reads.
        expected: u32,
        /// The file's version.
        found: u32,
    },
    /// The file ends too early.
    #[error("truncated: expected {expected} bytes or more, found {found}")]
    Truncated {
        /// The least number of bytes.
        expected: u64,
        /// The file's number of bytes.
        found: u64,
    },
    /// The file was written to or cut short after it was opened.
    #[error("the file was changed in place while it was open; to replace a table, rename a complete file over it")]
    Changed,
    /// The file has bytes after its end.
    #[error("expected {expected} bytes, found {found}")]
    Overlong {
        /// The number of bytes expected.
        expected: u64,
        /// The file's number of bytes.
        found: u64,
    },
    /// The header's checksum differs.
    #[error("header checksum (offset {offset}): expected {expected:08x}, found {found:08x}")]
    HeaderChecksum {
        /// The checksum's offset in the file.
        offset: u64,
        /// The stored checksum.
        expected: u32,
        /// The checksum of the header's bytes.
        found: u32,
    },
    /// A header field makes no sense, though the checksum holds.
    #[error("{field} (offset {offset}): expected {expected}, found {found}")]
    HeaderField {
        /// The field.
        field: &'static str,
        /// The field's offset in the file.
        offset: u64,
        /// The contents that are possible.
        expected: String,
        /// The field's contents.
        found: String,
    },
    /// The header describes a table that cannot be.
    #[error("header: {0}")]
    Spec(SpecError),
    /// The caller's [`Spec`](super::Spec) or blocks are those of a table that cannot be.
    #[error("{0}")]
    BadSpec(SpecError),
    /// The file is an intact table, but not the one that its name says.
    #[error("the table inside is {found}: expected {expected}")]
    OtherTable {
        /// The table that the file is named for.
        expected: TableId,
        /// The table that the header describes.
        found: TableId,
    },
    /// The checksum of the list of checksums differs.
    #[error("list of checksums (offset {offset}): expected checksum {expected:08x}, found {found:08x}")]
    ListChecksum {
        /// The list's offset in the file.
        offset: u64,
        /// The checksum in the header.
        expected: u32,
        /// The checksum of the list's bytes.
        found: u32,
    },
    /// The checksum of a chunk of bytes differs.
    #[error("{part} (the chunk at offset {offset}): expected checksum {expected:08x}, found {found:08x}")]
    ChunkChecksum {
        /// The section of the file in which they begin.
        part: &'static str,
        /// Their offset in the file.
        offset: u64,
        /// The checksum in the list.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// A model makes no sense, though the checksum holds.
    #[error("{side}'s model, {field} (offset {offset}): expected {expected}, found {found}")]
    Model {
        /// The side to move.
        side: Color,
        /// The part of the model.
        field: &'static str,
        /// The part's offset in the file.
        offset: u64,
        /// The contents that are possible.
        expected: String,
        /// The part's contents.
        found: String,
    },
    /// The offset or the lengths of a group of blocks make no sense, though the checksum holds.
    #[error("{side}'s group {group} of blocks: expected {expected}, found {found}")]
    Group {
        /// The side to move.
        side: Color,
        /// The group's number within its side.
        group: u64,
        /// The contents that are possible.
        expected: String,
        /// The group's contents.
        found: String,
    },
    /// A block has bytes after its last symbol, though the checksum holds.
    #[error("{side}'s block {block}: expected the last symbol to end the block, found more bytes")]
    Block {
        /// The side to move.
        side: Color,
        /// The block's number within its side.
        block: u64,
    },
    /// The file omits the side to move; its values are derived from its moves.
    #[error("{side} to move is not stored: its values follow from its moves")]
    NotStored {
        /// The side to move.
        side: Color,
    },
    /// The table refers to the DTM table of its material, which it was not given.
    #[error("the table refers to the DTM table of its material, which is not open")]
    NoReference,
    /// The table refers to another table than it was given.
    #[error("the table refers to a DTM table with checksum {expected}: its material's DTM table has checksum {found}")]
    OtherReference {
        /// The checksum of the header of the table that is referred to.
        expected: String,
        /// The checksum of the header of the table that was given.
        found: String,
    },
    /// The table holds values of another type than those asked for.
    #[error("the file is a {metric} table: it is read as a table of another metric")]
    OtherValues {
        /// The table's metric.
        metric: Metric,
    },
    /// A code is beyond the value list.
    #[error("{side} to move, slab {slab}: expected a code below {values}, found {code}")]
    CodeRange {
        /// The side to move.
        side: Color,
        /// The slab that contains the code.
        slab: usize,
        /// The length of the value list.
        values: usize,
        /// The code.
        code: u16,
    },
    /// The table does not have the slab.
    #[error("slab {slab}: the table has {slabs} for each side")]
    SlabRange {
        /// The slab asked for.
        slab: usize,
        /// The number of slabs.
        slabs: usize,
    },
    /// The table's slabs do not have the stripe.
    #[error("stripe {stripe}: the table has {stripes} in each slab")]
    StripeRange {
        /// The stripe asked for.
        stripe: usize,
        /// The number of stripes in a slab.
        stripes: usize,
    },
    /// There are squares of more or fewer men than the table's material has.
    #[error("the squares of {found} men besides the kings: the table's material has others")]
    OtherMen {
        /// The number of squares.
        found: usize,
    },
    /// A slab does not fit in memory.
    #[error("no memory for a slab of {positions} positions")]
    Memory {
        /// The slab's length.
        positions: u64,
    },
    /// The system's error.
    #[error("can't {doing}: {source}")]
    Io {
        /// The step that failed, as a verb.
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
}

impl Problem {
    /// The error of this problem in a file or folder.
    pub(crate) fn at(self, path: &Path) -> FormatError {
        FormatError(Box::new(LocatedProblem { path: path.to_owned(), problem: self }))
    }

    /// For `map_err`: an I/O error while reading a table that is open.
    pub(super) fn reading(source: io::Error) -> Problem {
        Problem::Io { doing: "read the file", source }
    }

    /// For `map_err`: an I/O error of a step with `path`.
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FormatError {
        move |source| Problem::Io { doing, source }.at(path)
    }

    /// The kind of the problem.
    pub fn kind(&self) -> Kind {
        match self {
            Problem::NoTable | Problem::NoFolder | Problem::NotAFolder => Kind::Missing,
            Problem::Foreign { .. }
            | Problem::Truncated { .. }
            | Problem::Changed
            | Problem::Overlong { .. }
            | Problem::HeaderChecksum { .. }
            | Problem::HeaderField { .. }
            | Problem::Spec(_)
            | Problem::OtherTable { .. }
            | Problem::ListChecksum { .. }
            | Problem::ChunkChecksum { .. }
            | Problem::Model { .. }
            | Problem::Group { .. }
            | Problem::Block { .. }
            | Problem::OtherReference { .. }
            | Problem::CodeRange { .. }
            | Problem::Shape { .. } => Kind::Corrupt,
            Problem::Older { .. } | Problem::Newer { .. } | Problem::OtherValues { .. } => Kind::Unsupported,
            Problem::Memory { .. } | Problem::Io { .. } => Kind::Io,
            Problem::BadSpec(_)
            | Problem::SlabRange { .. }
            | Problem::StripeRange { .. }
            | Problem::OtherMen { .. }
            | Problem::NotStored { .. }
            | Problem::NoReference => Kind::Misuse,
        }
    }
}

impl FormatError {
    /// The system's error in a step with a file or folder, the step given as a verb.
    pub fn io(doing: &'static str, path: &Path, error: io::Error) -> FormatError {
        Problem::io(doing, path)(error)
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// The kind of the problem.
    pub fn kind(&self) -> Kind {
        self.0.problem.kind()
    }

    /// Whether bytes are wanted that the table's source does not have yet. The same question may be asked again when it has them.
    pub fn wants_bytes(&self) -> bool {
        matches!(&self.0.problem, Problem::Io { source, .. } if source.kind() == io::ErrorKind::WouldBlock)
    }
}

impl StdError for FormatError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.problem.source()
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.path.display(), self.0.problem)
    }
}

impl fmt::Debug for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FormatError").field("path", &self.0.path).field("problem", &self.0.problem).finish()
    }
}
