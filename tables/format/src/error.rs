//! Problems of tables and table folders.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::foreign::Foreign;
use super::spec_error::SpecError;
use super::table_id::TableId;
use makruk_rules::Color;

/// A problem of a table or a table folder, and the path of the file or folder.
///
/// The text is a whole sentence, the system's error included; [`source`](StdError::source) returns the system's error
/// too, for programs.
pub struct FormatError(Box<LocatedProblem>);

struct LocatedProblem {
    path: PathBuf,
    problem: Problem,
}

/// The kind of a problem, for programs that map it to a status or to a remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The table's file does not exist.
    NoTable,
    /// The folder does not exist.
    NoFolder,
    /// The path is that of a file, not of a folder.
    NotAFolder,
    /// The file is damaged: a checksum fails, or the contents contradict each other though the checksums hold.
    Corrupt,
    /// The file ends before the table does, as a file does that is being copied.
    Truncated,
    /// The file was modified in place while it was open.
    Changed,
    /// Bytes follow the end of the table.
    Overlong,
    /// The file is not a table.
    Foreign(Foreign),
    /// The file is another table than its name says: this one.
    OtherTable(TableId),
    /// The DTZ table belongs to another build of the DTM table beside it.
    OtherBuild,
    /// The format version is an older one.
    Older,
    /// The format version is a newer one.
    Newer,
    /// The system could not read or write.
    Io,
    /// The caller asked for a value that no table has or that this table does not have, or wrote a table that cannot
    /// be.
    Misuse,
}

impl Kind {
    /// Whether there is no such table or folder.
    pub const fn is_missing(self) -> bool {
        matches!(self, Kind::NoTable | Kind::NoFolder | Kind::NotAFolder)
    }

    /// Whether a build makes the table anew. It leaves a file that somebody may need: a sound table of another kind, or
    /// another file than a table.
    pub const fn is_made_anew(self) -> bool {
        matches!(
            self,
            Kind::NoTable | Kind::Older | Kind::Corrupt | Kind::Truncated | Kind::Overlong | Kind::OtherBuild
        )
    }
}

/// A problem of a table or a table folder, with what its sentence needs.
#[derive(Debug, Error)]
pub(crate) enum Problem {
    #[error("there is no such table")]
    NoTable,
    #[error("the table folder does not exist")]
    NoFolder,
    #[error("this is not a folder")]
    NotAFolder,
    #[error("not a Makruk table but {content}: it begins with \"{}\"", start.escape_ascii())]
    Foreign { content: Foreign, start: Vec<u8> },
    /// The table's positions are not in the order of its material's layout.
    #[error("the table's {field} is {found:?}: expected {expected:?} for its material")]
    Shape { field: &'static str, expected: String, found: String },
    #[error("format version (offset 8): expected {expected}, found {found}, an older one")]
    Older { expected: u32, found: u32 },
    #[error("format version (offset 8): expected {expected}, found {found}, a newer one")]
    Newer { expected: u32, found: u32 },
    #[error("truncated: expected {expected} bytes or more, found {found}")]
    Truncated { expected: u64, found: u64 },
    /// The file was written to or cut short after it was opened.
    #[error("the file was changed in place while it was open; to replace a table, rename a complete file over it")]
    Changed,
    #[error("the table ends after {expected} bytes, the file after {found}")]
    Overlong { expected: u64, found: u64 },
    #[error("header checksum (offset {offset}): expected {expected:08x}, found {found:08x}")]
    HeaderChecksum { offset: u64, expected: u32, found: u32 },
    /// A header field makes no sense, though the checksum holds.
    #[error("{field} (offset {offset}): expected {expected}, found {found}")]
    HeaderField { field: &'static str, offset: u64, expected: String, found: String },
    /// The header describes a table that cannot be.
    #[error("header: {0}")]
    Spec(SpecError),
    /// No table can have the caller's [`Spec`](super::Spec) or blocks.
    #[error("{0}")]
    BadSpec(SpecError),
    #[error("the table inside is {found}: expected {expected}")]
    OtherTable { expected: TableId, found: TableId },
    /// The blocks of a side do not end where their part does, though the checksums hold.
    #[error("{side}'s blocks: expected {expected} bytes, found {found}")]
    BlocksEnd { side: Color, expected: u64, found: u64 },
    #[error("list of checksums (offset {offset}): expected checksum {expected:08x}, found {found:08x}")]
    ListChecksum { offset: u64, expected: u32, found: u32 },
    #[error("{part} (the chunk at offset {offset}): expected checksum {expected:08x}, found {found:08x}")]
    ChunkChecksum { part: &'static str, offset: u64, expected: u32, found: u32 },
    /// A model makes no sense, though the checksum holds.
    #[error("{side}'s model, {field} (offset {offset}): expected {expected}, found {found}")]
    Model { side: Color, field: &'static str, offset: u64, expected: String, found: String },
    /// The offset or the lengths of a group of blocks make no sense, though the checksum holds.
    #[error("{side}'s group {group} of blocks: expected {expected}, found {found}")]
    Group { side: Color, group: u64, expected: String, found: String },
    /// A block has bytes after its last symbol, though the checksum holds.
    #[error("{side}'s block {block}: expected the last symbol to end the block, found more bytes")]
    Block { side: Color, block: u64 },
    #[error("{side} to move is not stored: its values follow from its moves")]
    NotStored { side: Color },
    #[error("the table refers to the DTM table of its material, which is not open")]
    NoReference,
    #[error("the table refers to a DTM table with checksum {expected}: the one beside it has checksum {found}")]
    OtherReference { expected: String, found: String },
    #[error("the table inside is {found}: it is read as a table of another metric")]
    OtherValues { found: TableId },
    #[error("{side} to move, slab {slab}: expected a code below {values}, found {code}")]
    CodeRange { side: Color, slab: usize, values: usize, code: u16 },
    #[error("slab {slab}: the table has {slabs} for each side")]
    SlabRange { slab: usize, slabs: usize },
    #[error("stripe {stripe}: the table has {stripes} in each slab")]
    StripeRange { stripe: usize, stripes: usize },
    #[error("found the squares of {found} men besides the kings: expected those of the table's material")]
    OtherMen { found: usize },
    #[error("no memory for a slab of {positions} positions")]
    Memory { positions: u64 },
    #[error("can't {doing}: {source}")]
    Io { doing: &'static str, source: io::Error },
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

    fn kind(&self) -> Kind {
        match self {
            Problem::NoTable => Kind::NoTable,
            Problem::NoFolder => Kind::NoFolder,
            Problem::NotAFolder => Kind::NotAFolder,
            Problem::Older { .. } => Kind::Older,
            Problem::Newer { .. } => Kind::Newer,
            &Problem::Foreign { content, .. } => Kind::Foreign(content),
            &Problem::OtherTable { found, .. } => Kind::OtherTable(found),
            Problem::OtherReference { .. } => Kind::OtherBuild,
            Problem::Truncated { .. } => Kind::Truncated,
            Problem::Changed => Kind::Changed,
            Problem::Overlong { .. } => Kind::Overlong,
            Problem::HeaderChecksum { .. }
            | Problem::HeaderField { .. }
            | Problem::Spec(_)
            | Problem::ListChecksum { .. }
            | Problem::ChunkChecksum { .. }
            | Problem::Model { .. }
            | Problem::Group { .. }
            | Problem::Block { .. }
            | Problem::BlocksEnd { .. }
            | Problem::CodeRange { .. }
            | Problem::Shape { .. } => Kind::Corrupt,
            Problem::Memory { .. } | Problem::Io { .. } => Kind::Io,
            Problem::BadSpec(_)
            | Problem::SlabRange { .. }
            | Problem::StripeRange { .. }
            | Problem::OtherMen { .. }
            | Problem::NotStored { .. }
            | Problem::OtherValues { .. }
            | Problem::NoReference => Kind::Misuse,
        }
    }
}

impl FormatError {
    /// The system's error in a step with a file or folder, the step given as a verb.
    pub fn io(doing: &'static str, path: &Path, error: io::Error) -> FormatError {
        Problem::io(doing, path)(error)
    }

    /// The same error of a file that is to be the table `id`: a table of another metric is then one under a wrong name.
    pub(super) fn of_file(mut self, id: TableId) -> FormatError {
        match self.0.problem {
            Problem::OtherValues { found } if found != id => {
                self.0.problem = Problem::OtherTable { expected: id, found };
            }
            _ => {}
        }
        self
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The kind of the problem.
    pub fn kind(&self) -> Kind {
        self.0.problem.kind()
    }

    /// The format version of the file, if it is not the one that is read.
    pub fn other_version(&self) -> Option<u32> {
        match self.0.problem {
            Problem::Older { found, .. } | Problem::Newer { found, .. } => Some(found),
            _ => None,
        }
    }

    /// The step in which the system failed, as a verb, and the system's error; `None` for other problems.
    pub fn system_error(&self) -> Option<(&'static str, &io::Error)> {
        match &self.0.problem {
            Problem::Io { doing, source } => Some((doing, source)),
            _ => None,
        }
    }

    /// Whether bytes are wanted that the table's source does not have yet. The same question may be asked again when it
    /// has them.
    pub fn wants_bytes(&self) -> bool {
        self.system_error().is_some_and(|(_, source)| source.kind() == io::ErrorKind::WouldBlock)
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
