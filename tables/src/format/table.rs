//! Reading a table.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;

use super::codec::{Codec, Model, SideCodec};
use super::error::{FormatError, Problem};
use super::guard::Guard;
use super::header::Header;
use super::layout::{Sections, boards};
use super::source::{PositionalFile, Source, WatchedMap, map};
use super::spec::{Spec, Storage};
use super::value::Value;
use crate::index::Layout;
use crate::rules::{ByColor, Color, Square};

/// A table over bytes: a file's map, a file, a vector, a static slice.
///
/// Opening checks the header, the list of checksums and the models. Every other part is checked when it is first read, 64
/// KiB at a time; [`verify`](Table::verify) checks everything. No bytes make any of these panic or give a wrong value
/// unnoticed.
///
/// The blocks of a DTZ table refer to DTM's of the same set, which [`with_reference`](Table::with_reference) gives it.
#[derive(Debug)]
pub struct Table<B> {
    pub(super) bytes: B,
    pub(super) path: PathBuf,
    pub(super) header: Header,
    pub(super) layout: Option<Layout>,
    pub(super) sections: Sections,
    pub(super) codecs: ByColor<Option<Codec>>,
    pub(super) reference: Option<Arc<Table<B>>>,
    pub(super) guard: Guard,
}

/// A table over a mapped file.
pub type MappedTable = Table<Mmap>;

/// A table over a mapped file that is noticed to be changed in place.
pub type WatchedTable = Table<WatchedMap>;

/// A table over a file that is read bit by bit.
pub type PositionalTable = Table<PositionalFile>;

impl MappedTable {
    /// Opens the table file at `path`. A table with a reference gives no values before it has it.
    ///
    /// # Errors
    ///
    /// The file is missing, can't be read, or its header or length is wrong. See [`Problem`].
    pub fn open(path: &Path) -> Result<MappedTable, FormatError> {
        Table::from_bytes(map(&open_file(path)?).map_err(Problem::io("map the file", path))?, path)
    }
}

impl WatchedTable {
    /// As [`MappedTable::open`]; the file's state is looked at after every use.
    ///
    /// # Errors
    ///
    /// As [`MappedTable::open`].
    pub fn open(path: &Path) -> Result<WatchedTable, FormatError> {
        let map = WatchedMap::new(open_file(path)?).map_err(Problem::io("map the file", path))?;
        Table::from_bytes(map, path)
    }
}

impl PositionalTable {
    /// As [`MappedTable::open`], without mapping the file.
    ///
    /// # Errors
    ///
    /// As [`MappedTable::open`].
    pub fn open(path: &Path) -> Result<PositionalTable, FormatError> {
        let file = PositionalFile::new(open_file(path)?).map_err(Problem::io("read the file", path))?;
        Table::from_bytes(file, path)
    }
}

fn open_file(path: &Path) -> Result<File, FormatError> {
    File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Problem::NoTable.at(path),
        _ => Problem::io("open the file", path)(error),
    })
}

impl<B: Source> Table<B> {
    /// Reads the header and the models of a table. `path` is only for errors to name.
    ///
    /// # Errors
    ///
    /// The header, the models or the length are wrong.
    pub fn from_bytes(bytes: B, path: impl Into<PathBuf>) -> Result<Table<B>, FormatError> {
        let path = path.into();
        Table::read(bytes, &path).map_err(|problem| problem.at(&path))
    }

    fn read(bytes: B, path: &Path) -> Result<Table<B>, Problem> {
        let header = Header::read(&bytes)?;
        let has_blocks = Color::ALL.into_iter().any(|side| header.spec().storage(side) == Storage::Blocks);
        let layout = header.spec().material.parse().ok().map(Layout::new);
        if has_blocks {
            header.spec().check_shape(layout.as_ref())?;
        }
        for side in Color::ALL {
            if header.spec().storage(side) == Storage::Blocks && boards(&header, side).is_none() {
                return Err(Problem::Shape {
                    field: "axis that runs",
                    expected: "one of the set's".to_owned(),
                    found: header.side(side).axis.to_string(),
                });
            }
        }
        let sections = Sections::of(&header);
        if header.file_len() != sections.end {
            return Err(Header::wrong_length(sections.end, header.file_len()));
        }
        header.check_length(bytes.total())?;
        let guard = Guard::read(&bytes, &sections, header.checksums_crc())?;
        let mut codecs = ByColor { white: None, black: None };
        for side in Color::ALL {
            codecs[side] = read_codec(&bytes, &header, &sections, &guard, side)?;
        }
        Ok(Table { bytes, path: path.to_owned(), header, layout, sections, codecs, reference: None, guard })
    }

    /// Gives the table the one that its blocks refer to.
    ///
    /// # Errors
    ///
    /// It is not that table.
    pub fn with_reference(mut self, reference: Arc<Table<B>>) -> Result<Table<B>, FormatError> {
        let (expected, found) = (self.header.reference(), reference.header.checksum());
        let fits = |side| match (&self.codecs[side], &reference.codecs[side]) {
            (Some(own), Some(other)) => {
                own.stripes.axis() == other.stripes.axis() && own.block_stripes == other.block_stripes
            }
            (Some(_), None) => reference.spec().storage(side) == Storage::Constant,
            (None, _) => true,
        };
        if expected != Some(found) || !Color::ALL.into_iter().all(fits) {
            let expected = expected.map_or("none".to_owned(), |crc| format!("{crc:08x}"));
            return Err(Problem::OtherReference { expected, found: format!("{found:08x}") }.at(&self.path));
        }
        self.reference = Some(reference);
        Ok(self)
    }

    /// The table that this one's blocks refer to.
    pub fn reference(&self) -> Option<&Table<B>> {
        self.reference.as_deref()
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What the table is: set, metric, sizes, value lists.
    pub fn spec(&self) -> &Spec {
        self.header.spec()
    }

    /// The path that errors name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Positions per side to move.
    pub fn positions(&self) -> u64 {
        self.spec().positions()
    }

    /// How the values of a side are to be had.
    pub fn storage(&self, side: Color) -> Storage {
        self.spec().storage(side)
    }

    /// The value of every position of a side that has but one.
    #[inline]
    pub fn constant(&self, side: Color) -> Option<Value> {
        match self.spec().values[side].entries() {
            [(value, _)] => Some(*value),
            _ => None,
        }
    }

    /// A side's codec, by which tables that refer to this one are written too.
    pub fn codec(&self, side: Color) -> Option<SideCodec> {
        self.codecs[side].clone().map(SideCodec)
    }

    /// The number of a board among all of its side, by which a cache may know it, and the runner's square on it. The men are
    /// those of [`Layout::men`], folded into the slab. `None` if the side has no blocks or other men.
    #[inline]
    pub fn board_of(&self, side: Color, slab: usize, men: &[Square]) -> Option<(u64, Square)> {
        let codec = self.codecs[side].as_ref()?;
        let (board, square, _) = codec.stripes.stripe_of(men)?;
        Some((slab as u64 * codec.stripes.len() as u64 + board as u64, square))
    }
}

fn read_codec<B: Source>(
    bytes: &B,
    header: &Header,
    sections: &Sections,
    guard: &Guard,
    side: Color,
) -> Result<Option<Codec>, Problem> {
    if header.spec().storage(side) != Storage::Blocks {
        return Ok(None);
    }
    let Some(boards) = boards(header, side) else { return Ok(None) };
    let part = sections.models[side].clone();
    let (mut buffer, mut spare) = (Vec::new(), Vec::new());
    guard.check(bytes, sections, part.clone(), &mut spare)?;
    let raw = bytes.read(part.start, (part.end - part.start) as usize, &mut buffer).map_err(Problem::reading)?;
    let model = Model::read(raw, header.spec().values[side].len()).map_err(|error| Problem::Model {
        side,
        field: error.field,
        offset: part.start + error.at as u64,
        expected: error.expected,
        found: error.found,
    })?;
    Ok(Some(Codec { stripes: boards, side, block_stripes: usize::from(header.side(side).block_stripes), model }))
}
