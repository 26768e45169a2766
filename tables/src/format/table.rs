//! Reading a table.

use std::cell::RefCell;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;

use super::codec::{BoardCodes, Codec, MAX_BLOCK_BOARDS, Model, SideCodec};
use super::error::{FormatError, Problem};
use super::group::{self, GROUP_BLOCKS, OFFSET_BYTES};
use super::guard::Guard;
use super::header::{Header, Spec, Storage};
use super::layout::{Sections, block_count, boards};
use super::source::{PositionalFile, Source, WatchedMap, map};
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
    bytes: B,
    path: PathBuf,
    header: Header,
    layout: Option<Layout>,
    sections: Sections,
    codecs: ByColor<Option<Codec>>,
    reference: Option<Arc<Table<B>>>,
    guard: Guard,
}

/// A table over a mapped file.
pub type MappedTable = Table<Mmap>;

/// A table over a mapped file that is noticed to be changed in place.
pub type WatchedTable = Table<WatchedMap>;

/// A table over a file that is read bit by bit.
pub type PositionalTable = Table<PositionalFile>;

/// What [`Table::verify`] has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Blocks of both sides.
    pub blocks: u64,
    /// The file's bytes.
    pub bytes: u64,
}

/// The men of a board that is asked for, where they are known already.
type KnownOuter<'a> = Option<&'a [Square]>;

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

thread_local! {
    /// The codes of the slab that a range decodes, and bytes of a source that is not in memory; kept for their allocation
    /// alone.
    static CODES: RefCell<Vec<u16>> = const { RefCell::new(Vec::new()) };
    static BUFFERS: RefCell<(Vec<u8>, Vec<u8>)> = const { RefCell::new((Vec::new(), Vec::new())) };
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
                own.boards.axis() == other.boards.axis() && own.block_boards == other.block_boards
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
        let (board, square, _) = codec.boards.place(men)?;
        Some((slab as u64 * codec.boards.len() as u64 + board as u64, square))
    }

    /// The codes of a board by the runner's square. Those of squares on which it makes no legal position mean nothing.
    ///
    /// # Errors
    ///
    /// The side has no such board, or its block is corrupt.
    pub fn board_codes(&self, side: Color, board: u64) -> Result<BoardCodes, FormatError> {
        let mut out = [[0; 64]; MAX_BLOCK_BOARDS];
        let boards = self.codecs[side].as_ref().map_or(1, |codec| codec.boards.len()) as u64;
        let slab = usize::try_from(board / boards).unwrap_or(usize::MAX);
        let at = self.boards(side, slab, (board % boards) as usize, None, !0, &mut out);
        Ok(out[at.map_err(|problem| problem.at(&self.path))?])
    }

    /// The value that a code of [`Table::board_codes`] stands for.
    ///
    /// # Errors
    ///
    /// The code is beyond the side's list.
    #[inline]
    pub fn value_of(&self, side: Color, board: u64, code: u16) -> Result<Value, FormatError> {
        let values = &self.spec().values[side];
        match values.value(code) {
            Some(value) => Ok(value),
            None => Err(Problem::CodeRange { side, board, values: values.len(), code }.at(&self.path)),
        }
    }

    /// The value of the position with these men: those of [`Layout::men`], folded into the slab. Keeps nothing: callers with
    /// many probes near to each other keep boards.
    ///
    /// # Errors
    ///
    /// The side is not stored, the men are others, or the block is corrupt.
    pub fn value_at(&self, side: Color, slab: usize, men: &[Square]) -> Result<Value, FormatError> {
        if let Some(value) = self.constant(side) {
            return Ok(value);
        }
        let code = self.code_at(side, slab, men).map_err(|problem| problem.at(&self.path))?;
        self.value_of(side, slab as u64, code)
    }

    fn code_at(&self, side: Color, slab: usize, men: &[Square]) -> Result<u16, Problem> {
        let codec = self.codecs[side].as_ref().ok_or(Problem::NotStored { side })?;
        let nowhere = Problem::PositionRange { position: u64::MAX, positions: self.positions() };
        let (board, square, outer) = codec.boards.place(men).ok_or(nowhere)?;
        let mut out = [[0; 64]; MAX_BLOCK_BOARDS];
        let at = self.boards(side, slab, board, Some(&outer), u64::MAX >> (63 - square.number()), &mut out)?;
        Ok(out[at][square.index()])
    }

    /// Decodes the boards of a block up to one, of which only some cells are asked for, and gives its place among them.
    fn boards(
        &self,
        side: Color,
        slab: usize,
        board: usize,
        outer: KnownOuter<'_>,
        cells: u64,
        out: &mut [BoardCodes; MAX_BLOCK_BOARDS],
    ) -> Result<usize, Problem> {
        if self.spec().storage(side) == Storage::Constant {
            return Ok(0);
        }
        let codec = self.codecs[side].as_ref().ok_or(Problem::NotStored { side })?;
        if slab >= codec.boards.layout().slabs() || board >= codec.boards.len() {
            let position = (slab as u64).saturating_mul(self.spec().slab_len);
            return Err(Problem::PositionRange { position, positions: self.positions() });
        }
        let kings = codec.boards.layout().kings().pair(slab);
        let block = board / codec.block_boards;
        let last = board % codec.block_boards;
        let mut references = [[0; 64]; MAX_BLOCK_BOARDS];
        if self.header.reference().is_some() {
            let reference = self.reference.as_ref().ok_or(Problem::NoReference)?;
            reference.boards(side, slab, board, outer, cells, &mut references)?;
        }
        let has_reference = self.reference.is_some();
        let number = (slab * codec.slab_blocks() + block) as u64;
        self.with_block(side, number, |bytes| {
            let first = block * codec.block_boards;
            codec.decode(
                bytes,
                out[..=last].iter_mut().zip(&references).enumerate().map(|(at, (codes, reference))| {
                    let scene = match outer {
                        Some(outer) if at == last => codec.boards.scene(kings, outer, side),
                        _ => codec.scene(kings, first + at),
                    };
                    let cells = if at == last { scene.stored & cells } else { scene.stored };
                    (scene, cells, has_reference.then_some(reference), codes)
                }),
            )
        })?;
        Ok(last)
    }

    /// Calls `decode` with the bytes of a block, which exists. It gives whether they were used up.
    #[inline]
    fn with_block(&self, side: Color, block: u64, decode: impl FnOnce(&[u8]) -> bool) -> Result<bool, Problem> {
        let (group, place) = (block / GROUP_BLOCKS as u64, (block % GROUP_BLOCKS as u64) as usize);
        self.with_group(side, group, |bytes| Ok(decode(group::block(bytes, side, group, place)?)))
    }

    /// Calls `read` with the bytes of a group of blocks, which exists.
    #[inline]
    fn with_group<T>(
        &self,
        side: Color,
        group: u64,
        read: impl FnOnce(&[u8]) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        BUFFERS.with_borrow_mut(|(buffer, spare)| {
            let range = self.group_range(side, group, buffer, spare)?;
            let start = self.sections.blocks[side].start;
            self.guard.check(&self.bytes, &self.sections, start + range.start..start + range.end, spare)?;
            let len = (range.end - range.start) as usize;
            let bytes = self.bytes.read(start + range.start, len, buffer).map_err(Problem::reading)?;
            let found = read(bytes);
            // What was read of a file that changed meanwhile means nothing, errors no more than values.
            if self.bytes.is_unchanged().map_err(Problem::reading)? { found } else { Err(Problem::Changed) }
        })
    }

    /// Where a group lies within the side's blocks.
    #[inline]
    fn group_range(
        &self,
        side: Color,
        group: u64,
        buffer: &mut Vec<u8>,
        spare: &mut Vec<u8>,
    ) -> Result<Range<u64>, Problem> {
        let at = self.sections.indexes[side].start + group * OFFSET_BYTES as u64;
        let len = 2 * OFFSET_BYTES;
        self.guard.check(&self.bytes, &self.sections, at..at + len as u64, spare)?;
        let offsets = self.bytes.read(at, len, buffer).map_err(Problem::reading)?;
        let blocks = &self.sections.blocks[side];
        group::range(offsets, side, group, blocks.end - blocks.start)
    }

    /// The value of a position by its number. That of what is no legal position means nothing. Keeps nothing.
    ///
    /// # Errors
    ///
    /// A position beyond the table, a side that is not stored, or a corrupt block.
    pub fn value(&self, side: Color, position: u64) -> Result<Value, FormatError> {
        if position >= self.positions() {
            return Err(Problem::PositionRange { position, positions: self.positions() }.at(&self.path));
        }
        if let Some(value) = self.constant(side) {
            return Ok(value);
        }
        let code = self.code(side, position).map_err(|problem| problem.at(&self.path))?;
        self.value_of(side, position, code)
    }

    fn code(&self, side: Color, position: u64) -> Result<u16, Problem> {
        let layout = self.layout.as_ref().ok_or(Problem::NotStored { side })?;
        let (slab, offset) = (position / self.spec().slab_len, position % self.spec().slab_len);
        self.code_at(side, slab as usize, &layout.men_at(offset))
    }

    /// The values of a run of positions, into `values`, which is cleared first. Those of what is no legal position mean
    /// nothing.
    ///
    /// # Errors
    ///
    /// As for [`value`](Table::value), or there is no memory for so many.
    pub fn decode_range(&self, side: Color, range: Range<u64>, values: &mut Vec<Value>) -> Result<(), FormatError> {
        let list = self.spec().values[side].entries();
        self.map_range(side, range, values, |code| list.get(usize::from(code)).map(|entry| entry.0))
    }

    /// The codes of a run of positions, each below the length of the side's value list, into `codes`, which is cleared
    /// first. Whole slabs are quickest.
    ///
    /// # Errors
    ///
    /// As for [`decode_range`](Table::decode_range).
    pub fn decode_codes(&self, side: Color, range: Range<u64>, codes: &mut Vec<u16>) -> Result<(), FormatError> {
        let len = self.spec().values[side].len();
        self.map_range(side, range, codes, |code| (usize::from(code) < len).then_some(code))
    }

    fn map_range<T: Clone>(
        &self,
        side: Color,
        range: Range<u64>,
        out: &mut Vec<T>,
        map: impl Fn(u16) -> Option<T>,
    ) -> Result<(), FormatError> {
        /// Fewer positions are decoded one by one.
        const FEW: u64 = 8;
        out.clear();
        self.check_range(&range)?;
        let positions = range.end.saturating_sub(range.start);
        let memory = || Problem::Memory { positions }.at(&self.path);
        let len = usize::try_from(positions).map_err(|_| memory())?;
        out.try_reserve_exact(len).map_err(|_| memory())?;
        let values = self.spec().values[side].len();
        let beyond = |slab: u64, code| Problem::CodeRange { side, board: slab, values, code }.at(&self.path);
        if self.storage(side) == Storage::Constant {
            out.resize(len, map(0).ok_or_else(|| beyond(0, 0))?);
            return Ok(());
        }
        if positions < FEW {
            for position in range {
                let code = self.code(side, position).map_err(|problem| problem.at(&self.path))?;
                out.push(map(code).ok_or_else(|| beyond(position, code))?);
            }
            return Ok(());
        }
        let slab_len = self.spec().slab_len;
        CODES.with_borrow_mut(|codes| {
            for slab in range.start / slab_len..range.end.div_ceil(slab_len) {
                self.decode_slab(side, slab as usize, codes).map_err(|problem| problem.at(&self.path))?;
                let first = range.start.saturating_sub(slab * slab_len) as usize;
                let last = slab_len.min(range.end - slab * slab_len) as usize;
                for &code in &codes[first..last] {
                    out.push(map(code).ok_or_else(|| beyond(slab, code))?);
                }
            }
            Ok(())
        })
    }

    /// The codes of a slab by offset; gives how many blocks they came from. What is no legal position has the code 0.
    fn decode_slab(&self, side: Color, slab: usize, codes: &mut Vec<u16>) -> Result<u64, Problem> {
        let codec = self.codecs[side].as_ref().ok_or(Problem::NotStored { side })?;
        codes.clear();
        codes.resize(self.spec().slab_len as usize, 0);
        let mut out = [[0; 64]; MAX_BLOCK_BOARDS];
        let mut references = [[0; 64]; MAX_BLOCK_BOARDS];
        let kings = codec.boards.layout().kings().pair(slab);
        let blocks = codec.slab_blocks();
        for block in 0..blocks {
            let boards = codec.boards_of(block);
            if self.header.reference().is_some() {
                let reference = self.reference.as_ref().ok_or(Problem::NoReference)?;
                reference.boards(side, slab, boards.end - 1, None, !0, &mut references)?;
            }
            let number = (slab * blocks + block) as u64;
            let done = self.with_block(side, number, |bytes| {
                codec.decode(
                    bytes,
                    out.iter_mut().zip(&references).zip(boards.clone()).map(|((codes, reference), board)| {
                        let scene = codec.scene(kings, board);
                        (scene, scene.stored, self.reference.is_some().then_some(reference), codes)
                    }),
                )
            })?;
            if !done {
                return Err(Problem::Block { side, block: number });
            }
            for (board, found) in boards.zip(&out) {
                let outer = codec.boards.outer(board);
                let mut left = codec.boards.scene(kings, &outer, side).stored;
                let base = codec.boards.base(&outer);
                while left != 0 {
                    let cell = left.trailing_zeros() as usize & 63;
                    left &= left - 1;
                    codes[(base + codec.boards.cell_offset(cell)) as usize] = found[cell];
                }
            }
        }
        Ok(blocks as u64)
    }

    fn check_range(&self, range: &Range<u64>) -> Result<(), FormatError> {
        let positions = self.positions();
        if range.start < range.end && range.end > positions {
            return Err(Problem::PositionRange { position: range.start.max(positions), positions }.at(&self.path));
        }
        Ok(())
    }

    /// Reads everything: every checksum, every block, every code's range. The header was checked when the table was opened.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub fn verify(&self) -> Result<Verified, FormatError> {
        self.verify_all().map_err(|problem| problem.at(&self.path))
    }

    fn verify_all(&self) -> Result<Verified, Problem> {
        self.guard.check_all(&self.bytes, &self.sections)?;
        let mut codes = Vec::new();
        let mut blocks = 0;
        for side in Color::ALL {
            if self.storage(side) != Storage::Blocks {
                continue;
            }
            let values = self.spec().values[side].len();
            for slab in 0..self.spec().slabs {
                blocks += self.decode_slab(side, slab as usize, &mut codes)?;
                if let Some(&code) = codes.iter().find(|&&code| usize::from(code) >= values) {
                    return Err(Problem::CodeRange { side, board: slab, values, code });
                }
            }
            self.check_ends(side)?;
        }
        Ok(Verified { blocks, bytes: self.sections.end })
    }

    /// Do the groups lie end to end, each as long as its blocks, up to the end of their part?
    fn check_ends(&self, side: Color) -> Result<(), Problem> {
        let (mut buffer, mut spare) = (Vec::new(), Vec::new());
        let blocks = block_count(&self.header, side);
        let mut end = 0;
        for (group, first) in (0..blocks).step_by(GROUP_BLOCKS).enumerate() {
            let group = group as u64;
            let range = self.group_range(side, group, &mut buffer, &mut spare)?;
            let here = (blocks - first).min(GROUP_BLOCKS as u64) as usize;
            let len = self.with_group(side, group, |bytes| group::total(bytes, side, group, here))? as u64;
            if range != (end..end + len) {
                let (expected, found) =
                    (format!("bytes {end} to {}", end + len), format!("bytes {} to {}", range.start, range.end));
                return Err(Problem::Group { side, group, expected, found });
            }
            end = range.end;
        }
        let expected = self.sections.blocks[side].end - self.sections.blocks[side].start;
        if end != expected {
            return Err(Problem::Overlong { expected: end, found: expected });
        }
        Ok(())
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
    Ok(Some(Codec { boards, side, block_boards: usize::from(header.side(side).block_boards), model }))
}
