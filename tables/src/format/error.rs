//! What can be wrong with a table, where, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::header::FORMAT_VERSION;
use super::spec::{SpecError, is_material_name};
use crate::rules::Color;
use crate::value::Metric;

/// Something wrong with a table or a table folder: the file or folder, the problem, and a remedy, all in its text (so it
/// names no source of its own).
#[derive(Debug, Error)]
#[error("{0}")]
pub struct FormatError(Box<Located>);

/// One word for a problem, for those who map it to a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// There is no such table or folder.
    Missing,
    /// The bytes are not those that were written.
    Corrupt,
    /// A table, but of another version.
    Unsupported,
    /// The system could not read or write.
    Io,
    /// The caller asked for what no table has, or wrote what none may have.
    Misuse,
}

#[derive(Debug)]
struct Located {
    path: PathBuf,
    problem: Problem,
}

/// What is wrong.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// There is no such table.
    #[error("there is no such table")]
    NoTable,
    /// There is no such folder.
    #[error("the table folder does not exist")]
    NoFolder,
    /// A file where the folder should be.
    #[error("this is no folder")]
    NotAFolder,
    /// The name can't be a table's.
    #[error("{name:?} is not the name of a set (KRRvKR is one)")]
    BadName {
        /// The name.
        name: String,
    },
    /// The file does not begin as tables do.
    #[error("not a Makruk table: it begins with \"{}\"", found.escape_ascii())]
    Foreign {
        /// Its first bytes, up to 8.
        found: Vec<u8>,
    },
    /// A table whose positions are not numbered as the index numbers those of its set.
    #[error("the table's {field} is {found:?}: expected {expected:?} for its set")]
    Shape {
        /// What does not fit.
        field: &'static str,
        /// The layout's.
        expected: String,
        /// The table's.
        found: String,
    },
    /// An older format.
    #[error("format version (offset 8): expected {FORMAT_VERSION}, found {found}, an older one")]
    Older {
        /// The file's version.
        found: u32,
    },
    /// A newer format.
    #[error("format version (offset 8): expected {FORMAT_VERSION}, found {found}, a newer one")]
    Newer {
        /// The file's version.
        found: u32,
    },
    /// The file ends too early.
    #[error("truncated: expected {expected} bytes or more, found {found}")]
    Truncated {
        /// Bytes there should be at the least.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The file was written to or cut short since it was opened.
    #[error("the file was changed in place while it was open; a table is replaced by renaming a whole one over it")]
    Changed,
    /// The file goes on after its end.
    #[error("expected {expected} bytes, found {found}")]
    Overlong {
        /// Bytes there should be.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The header's checksum fails.
    #[error("header checksum (offset {offset}): expected {expected:08x}, found {found:08x}")]
    HeaderChecksum {
        /// Where the checksum lies.
        offset: u64,
        /// What it says.
        expected: u32,
        /// What the header gives.
        found: u32,
    },
    /// A header field that makes no sense, though the checksum holds.
    #[error("{field} (offset {offset}): expected {expected}, found {found}")]
    HeaderField {
        /// The field.
        field: &'static str,
        /// Where it lies.
        offset: u64,
        /// What it may hold.
        expected: String,
        /// What it holds.
        found: String,
    },
    /// A table that can't be.
    #[error("header: {0}")]
    Spec(SpecError),
    /// The caller's [`Spec`](super::Spec) or blocks are wrong.
    #[error("{0}")]
    BadSpec(SpecError),
    /// A sound table of something else than its name says.
    #[error("the table inside is {found}: expected {expected}")]
    OtherTable {
        /// The file's name.
        expected: String,
        /// The name its header would give it.
        found: String,
    },
    /// The checksum of the list of checksums fails.
    #[error("list of checksums (offset {offset}): expected checksum {expected:08x}, found {found:08x}")]
    ListChecksum {
        /// Where the list begins.
        offset: u64,
        /// What the header says.
        expected: u32,
        /// What the list gives.
        found: u32,
    },
    /// The checksum of up to 64 KiB fails.
    #[error("{part} (64 KiB from offset {offset}): expected checksum {expected:08x}, found {found:08x}")]
    ChunkChecksum {
        /// The part of the file in which they begin.
        part: &'static str,
        /// Where they begin.
        offset: u64,
        /// What the list says.
        expected: u32,
        /// What they give.
        found: u32,
    },
    /// A model that makes no sense, though the checksum holds.
    #[error("{side}'s model, {field} (offset {offset}): expected {expected}, found {found}")]
    Model {
        /// The side to move.
        side: Color,
        /// The part of the model.
        field: &'static str,
        /// Where it lies.
        offset: u64,
        /// What it may hold.
        expected: String,
        /// What it holds.
        found: String,
    },
    /// A group of blocks whose place or lengths make no sense, though the checksum holds.
    #[error("{side}'s group {group} of blocks: expected {expected}, found {found}")]
    Group {
        /// The side to move.
        side: Color,
        /// The group's number within its side.
        group: u64,
        /// What it may hold.
        expected: String,
        /// What it holds.
        found: String,
    },
    /// A block with bytes left over, though the checksum holds.
    #[error("{side}'s block {block}: expected no byte behind its last symbol, found some")]
    Block {
        /// The side to move.
        side: Color,
        /// The block's number within its side.
        block: u64,
    },
    /// The side's values are not in the file: its moves make them.
    #[error("{side} to move is not stored: its values follow from its moves")]
    NotStored {
        /// The side to move.
        side: Color,
    },
    /// The table refers to DTM's, which it was not given.
    #[error("the table refers to the DTM table of its set, which is not open")]
    NoReference,
    /// The table refers to another table than it was given.
    #[error("the table refers to the DTM table with the checksum {expected}: that of its set has {found}")]
    OtherReference {
        /// The checksum of the header of the table that is referred to.
        expected: String,
        /// The checksum of the one given.
        found: String,
    },
    /// A code beyond the value list.
    #[error("{side} to move, slab {slab}: expected a code below {values}, found {code}")]
    CodeRange {
        /// The side to move.
        side: Color,
        /// The slab in which the code is.
        slab: usize,
        /// The length of the value list.
        values: usize,
        /// The code.
        code: u16,
    },
    /// A slab the table does not have.
    #[error("slab {slab}: the table has {slabs} a side")]
    SlabRange {
        /// The slab asked for.
        slab: usize,
        /// How many there are.
        slabs: u64,
    },
    /// A stripe that no slab of the table has.
    #[error("stripe {stripe}: the table has {stripes} a slab")]
    StripeRange {
        /// The stripe asked for.
        stripe: usize,
        /// How many there are.
        stripes: usize,
    },
    /// Squares of more or fewer men than the table's material has.
    #[error("the squares of {found} men besides the kings: the table's material has others")]
    OtherMen {
        /// How many squares were given.
        found: usize,
    },
    /// A slab too large for the memory there is.
    #[error("no memory for a slab of {positions} positions")]
    Memory {
        /// The slab's length.
        positions: u64,
    },
    /// The system's error.
    #[error("can't {doing}: {error}")]
    Io {
        /// What was being done: a verb.
        doing: &'static str,
        /// Why it failed.
        error: io::Error,
    },
}

impl Problem {
    /// Places the problem.
    pub(crate) fn at(self, path: &Path) -> FormatError {
        FormatError(Box::new(Located { path: path.to_owned(), problem: self }))
    }

    /// For `map_err`: an I/O error while reading a table that is open.
    pub(super) fn reading(error: io::Error) -> Problem {
        Problem::Io { doing: "read the file", error }
    }

    /// For `map_err`: an I/O error while `doing` something to `path`.
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FormatError {
        move |error| Problem::Io { doing, error }.at(path)
    }
}

impl FormatError {
    /// An error of the system while `doing` something with a file or folder.
    pub fn io(doing: &'static str, path: &Path, error: io::Error) -> FormatError {
        Problem::io(doing, path)(error)
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// What is wrong with it.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// The problem in one word.
    pub fn kind(&self) -> Kind {
        match &self.0.problem {
            Problem::NoTable | Problem::NoFolder => Kind::Missing,
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
            Problem::Older { .. } | Problem::Newer { .. } => Kind::Unsupported,
            Problem::NotAFolder | Problem::Memory { .. } | Problem::Io { .. } => Kind::Io,
            Problem::BadName { .. }
            | Problem::BadSpec(_)
            | Problem::SlabRange { .. }
            | Problem::StripeRange { .. }
            | Problem::OtherMen { .. }
            | Problem::NotStored { .. }
            | Problem::NoReference => Kind::Misuse,
        }
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)?;
        let set = set_of(&self.path).unwrap_or("SET");
        match &self.problem {
            Problem::NoTable => write!(f, "; `makruk-gen build {set}` makes it"),
            Problem::NoFolder => f.write_str("; name another with --tables or MAKRUK_TABLES, or build tables into it"),
            Problem::NotAFolder => f.write_str("; name a folder with --tables or MAKRUK_TABLES"),
            Problem::Newer { .. } => {
                write!(f, "; update this program, or delete the file and `makruk-gen build {set}`")
            }
            Problem::BadName { .. }
            | Problem::BadSpec(_)
            | Problem::SlabRange { .. }
            | Problem::StripeRange { .. }
            | Problem::OtherMen { .. }
            | Problem::NotStored { .. }
            | Problem::NoReference
            | Problem::Memory { .. } => Ok(()),
            Problem::Io { error, .. } => match remedy(error.kind()) {
                Some(remedy) => write!(f, "; {remedy}"),
                None => Ok(()),
            },
            _ => write!(f, "; delete the file and `makruk-gen build {set}`"),
        }
    }
}

/// What a user can do about an error of the system.
fn remedy(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("free some space, or name another folder with --tables or MAKRUK_TABLES")
        }
        io::ErrorKind::FileTooLarge => Some(
            "raise the limit on the size of files (ulimit -f), or name a folder on another file system with --tables",
        ),
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            Some("change its permissions, or name another folder with --tables or MAKRUK_TABLES")
        }
        io::ErrorKind::NotFound => Some("the folder or file is gone: was it removed meanwhile?"),
        _ => None,
    }
}

/// The set that a table's file, finished or temporary, is named for.
fn set_of(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_prefix('.').unwrap_or(name);
    let set = name.split('.').next()?;
    (name.split('.').nth(1).is_some_and(|metric| Metric::ALL.iter().any(|known| known.name() == metric))
        && is_material_name(set))
    .then_some(set)
}
