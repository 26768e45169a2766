//! Reading a table.

use std::cell::RefCell;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use super::block;
use super::error::{FormatError, Problem};
use super::header::{Header, Spec};
use super::index::{INDEX_ENTRY_BYTES, IndexEntry};
use super::value::Value;
use super::values::CodeWidth;
use crate::rules::Color;

/// A table over bytes: a file's map, a vector, a static slice.
///
/// Opening checks the header and the length alone; each block is checked when it is decoded; [`verify`](Table::verify)
/// checks everything. No bytes make any of these panic or give a wrong value unnoticed.
#[derive(Debug)]
pub struct Table<B> {
    bytes: B,
    path: PathBuf,
    header: Header,
}

/// A table over a mapped file.
pub type MappedTable = Table<Mmap>;

/// What [`Table::verify`] has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Blocks of both sides.
    pub blocks: u64,
    /// The file's bytes.
    pub bytes: u64,
}

impl MappedTable {
    /// Opens the table file at `path`.
    ///
    /// # Errors
    ///
    /// The file is missing, can't be read, or its header or length is wrong. See [`Problem`].
    pub fn open(path: &Path) -> Result<MappedTable, FormatError> {
        let file = File::open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Problem::NoTable.at(path),
            _ => Problem::io("open the file", path)(error),
        })?;
        Table::from_bytes(map(&file).map_err(Problem::io("map the file", path))?, path)
    }
}

/// Maps a file for reading.
#[allow(unsafe_code)]
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: a map is unsound only if the bytes change while they are borrowed. Tables are published by renaming a finished
    // file and never written again, by this crate or by programs that follow FORMAT.md; a replaced table is a new file, and the
    // map keeps the old one. Whoever rewrites a table in place behind our back is outside of what any reader of maps can
    // guard against: changed bytes are then caught by the blocks' checksums, a file cut short ends the process with SIGBUS.
    unsafe { Mmap::map(file) }
}

thread_local! {
    /// The codes of the block that [`Table::value`] or a range decodes, kept for their allocation alone.
    static CODES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl<B: AsRef<[u8]>> Table<B> {
    /// Reads the header of a table in memory. `path` is only for errors to name.
    ///
    /// # Errors
    ///
    /// The header or the length is wrong.
    pub fn from_bytes(bytes: B, path: impl Into<PathBuf>) -> Result<Table<B>, FormatError> {
        let path = path.into();
        let header = Header::read(bytes.as_ref()).map_err(|problem| problem.at(&path))?;
        Ok(Table { bytes, path, header })
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

    /// Positions per block; the last may have fewer.
    pub fn block_len(&self) -> u32 {
        self.spec().block_len
    }

    /// The block of a position, and its place in it.
    #[inline]
    pub fn block_of(&self, position: u64) -> (u64, usize) {
        let block_len = u64::from(self.block_len());
        (position / block_len, (position % block_len) as usize)
    }

    /// The value of every position of a side that has but one.
    #[inline]
    pub fn constant(&self, side: Color) -> Option<Value> {
        match self.spec().values[side].entries() {
            [(value, _)] => Some(*value),
            _ => None,
        }
    }

    /// Decodes a block into raw codes: one or two bytes each, as [`CodeWidth::bytes`] says. The checksum is checked, the
    /// codes' range is not: [`value_in`](Table::value_in) does that. A constant side reads as zeros, as though it had
    /// blocks.
    ///
    /// # Errors
    ///
    /// A block the table does not have, or a corrupt one; `codes` then holds anything.
    pub fn decode_block(&self, side: Color, block: u64, codes: &mut Vec<u8>) -> Result<(), FormatError> {
        self.decode(side, block, codes).map_err(|problem| problem.at(&self.path))
    }

    fn decode(&self, side: Color, block: u64, codes: &mut Vec<u8>) -> Result<(), Problem> {
        let positions = self.spec().positions_in_block(block) as usize;
        if positions == 0 {
            let position = block.saturating_mul(u64::from(self.block_len()));
            return Err(Problem::PositionRange { position, positions: self.positions() });
        }
        let width = self.spec().values[side].width();
        if width == CodeWidth::Constant {
            codes.clear();
            codes.resize(positions, 0);
            return Ok(());
        }
        let (entry, bytes) = self.stored(side, block)?;
        let found = crc32c::crc32c(bytes);
        if found != entry.crc {
            // Which of the two is damaged shows only now: probes don't read the whole index.
            self.check_index()?;
            return Err(Problem::BlockChecksum { side, block, offset: entry.offset, expected: entry.crc, found });
        }
        let expected = positions * width.bytes();
        match block::decode(bytes, expected, codes) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(found)) => Err(Problem::BlockLength {
                side,
                block,
                offset: entry.offset,
                expected: expected as u64,
                found: found as u64,
            }),
            Err(error) => Err(Problem::Zstd { side, block, offset: entry.offset, message: error.to_string() }),
        }
    }

    /// Where the index has the entry of a stored block.
    fn entry_at(&self, side: Color, block: u64) -> u64 {
        let before = match side {
            Color::White => 0,
            Color::Black => self.spec().stored_blocks(Color::White),
        };
        self.header.index_at() as u64 + (before + block) * INDEX_ENTRY_BYTES
    }

    /// The index entry of a stored block and the bytes it points to.
    fn stored(&self, side: Color, block: u64) -> Result<(IndexEntry, &[u8]), Problem> {
        let bytes = self.bytes.as_ref();
        let at = self.entry_at(side, block);
        // The length was checked at opening; `get` is for `AsRef`s that don't give the same bytes twice.
        let short = || Problem::Truncated { expected: self.header.file_len(), found: bytes.len() as u64 };
        let raw = bytes.get(at as usize..(at + INDEX_ENTRY_BYTES) as usize).ok_or_else(short)?;
        let entry = IndexEntry::read(raw, 0);
        let end = entry.offset.checked_add(u64::from(entry.len));
        match end {
            Some(end) if entry.offset >= self.header.blocks_at() && end <= self.header.file_len() => {
                Ok((entry, bytes.get(entry.offset as usize..end as usize).ok_or_else(short)?))
            }
            _ => {
                self.check_index()?;
                Err(self.bad_entry(
                    side,
                    block,
                    format!("{} to {}", self.header.blocks_at(), self.header.file_len()),
                    entry,
                ))
            }
        }
    }

    fn bad_entry(&self, side: Color, block: u64, expected: String, entry: IndexEntry) -> Problem {
        let found = format!("{} bytes at {}", entry.len, entry.offset);
        Problem::IndexEntry { side, block, offset: self.entry_at(side, block), expected, found }
    }

    /// Checks the checksum over the index.
    fn check_index(&self) -> Result<(), Problem> {
        let bytes = self.bytes.as_ref();
        let (start, end) = (self.header.index_at(), self.header.blocks_at() as usize);
        let index = bytes
            .get(start..end)
            .ok_or(Problem::Truncated { expected: self.header.file_len(), found: bytes.len() as u64 })?;
        let (expected, found) = (self.header.index_crc(), crc32c::crc32c(index));
        if expected == found { Ok(()) } else { Err(Problem::IndexChecksum { offset: start as u64, expected, found }) }
    }

    /// The value of one place in a block that [`decode_block`](Table::decode_block) decoded.
    ///
    /// # Errors
    ///
    /// The code is beyond the value list, or the place beyond the block.
    #[inline]
    pub fn value_in(&self, side: Color, block: u64, codes: &[u8], place: usize) -> Result<Value, FormatError> {
        let values = &self.spec().values[side];
        let code = code_at(codes, values.width(), place);
        match code.and_then(|code| values.value(code)) {
            Some(value) => Ok(value),
            None => Err(self.no_value(side, block, code, place)),
        }
    }

    #[cold]
    fn no_value(&self, side: Color, block: u64, code: Option<u16>, place: usize) -> FormatError {
        let position = block.saturating_mul(u64::from(self.block_len())).saturating_add(place as u64);
        match code {
            Some(code) => Problem::CodeRange { side, position, values: self.spec().values[side].len(), code },
            None => Problem::PositionRange { position, positions: self.positions() },
        }
        .at(&self.path)
    }

    /// The value of a position. Decodes its whole block and keeps nothing: callers with many probes keep decoded blocks.
    ///
    /// # Errors
    ///
    /// A position beyond the table, or a corrupt block.
    pub fn value(&self, side: Color, position: u64) -> Result<Value, FormatError> {
        if position >= self.positions() {
            return Err(Problem::PositionRange { position, positions: self.positions() }.at(&self.path));
        }
        if let Some(value) = self.constant(side) {
            return Ok(value);
        }
        let (block, place) = self.block_of(position);
        CODES.with_borrow_mut(|codes| {
            self.decode_block(side, block, codes)?;
            self.value_in(side, block, codes, place)
        })
    }

    /// The values of a run of positions, into `values`, which is cleared first.
    ///
    /// # Errors
    ///
    /// As for [`value`](Table::value), or there is no memory for so many.
    pub fn decode_range(&self, side: Color, range: Range<u64>, values: &mut Vec<Value>) -> Result<(), FormatError> {
        let list = self.spec().values[side].entries();
        self.map_range(side, range, values, |code| list.get(usize::from(code)).map(|entry| entry.0))
    }

    /// The codes of a run of positions, each below the length of the side's value list, into `codes`, which is cleared
    /// first.
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
        out.clear();
        self.check_range(&range)?;
        let positions = range.end.saturating_sub(range.start);
        let memory = || Problem::Memory { positions }.at(&self.path);
        let len = usize::try_from(positions).map_err(|_| memory())?;
        out.try_reserve_exact(len).map_err(|_| memory())?;
        let width = self.spec().values[side].width();
        if width == CodeWidth::Constant {
            out.resize(len, map(0).ok_or_else(|| self.no_value(side, 0, Some(0), 0))?);
            return Ok(());
        }
        CODES.with_borrow_mut(|codes| {
            let mut position = range.start;
            while position < range.end {
                let (block, first) = self.block_of(position);
                self.decode_block(side, block, codes)?;
                let rest = codes.len() / width.bytes() - first;
                let last = first + rest.min((range.end - position) as usize);
                for place in first..last {
                    let code = code_at(codes, width, place);
                    out.push(code.and_then(&map).ok_or_else(|| self.no_value(side, block, code, place))?);
                }
                position += (last - first) as u64;
            }
            Ok(())
        })
    }

    fn check_range(&self, range: &Range<u64>) -> Result<(), FormatError> {
        let positions = self.positions();
        if range.start < range.end && range.end > positions {
            return Err(Problem::PositionRange { position: range.start.max(positions), positions }.at(&self.path));
        }
        Ok(())
    }

    /// Reads everything: the index and its checksum, that the blocks lie end to end up to the file's end, every block's
    /// checksum and length, every code's range. The header was checked when the table was opened.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub fn verify(&self) -> Result<Verified, FormatError> {
        self.verify_all().map_err(|problem| problem.at(&self.path))
    }

    fn verify_all(&self) -> Result<Verified, Problem> {
        self.check_index()?;
        let mut codes = Vec::new();
        let mut end = self.header.blocks_at();
        let mut blocks = 0;
        for side in Color::ALL {
            let values = &self.spec().values[side];
            for block in 0..self.spec().stored_blocks(side) {
                let (entry, _) = self.stored(side, block)?;
                if entry.offset != end {
                    return Err(self.bad_entry(side, block, format!("a block at {end}"), entry));
                }
                end += u64::from(entry.len);
                self.decode(side, block, &mut codes)?;
                let places = codes.len() / values.width().bytes();
                for place in 0..places {
                    let code = code_at(&codes, values.width(), place).unwrap_or(u16::MAX);
                    if usize::from(code) >= values.len() {
                        let position = block * u64::from(self.block_len()) + place as u64;
                        return Err(Problem::CodeRange { side, position, values: values.len(), code });
                    }
                }
                blocks += 1;
            }
        }
        if end != self.header.file_len() {
            return Err(Problem::Overlong { expected: end, found: self.header.file_len() });
        }
        Ok(Verified { blocks, bytes: end })
    }
}

/// The code at one place of a decoded block; `None` beyond it.
#[inline]
fn code_at(codes: &[u8], width: CodeWidth, place: usize) -> Option<u16> {
    match width {
        CodeWidth::Constant | CodeWidth::One => codes.get(place).copied().map(u16::from),
        CodeWidth::Two => {
            let at = place.checked_mul(2)?;
            let raw = codes.get(at..at.checked_add(2)?)?;
            Some(u16::from_le_bytes([raw[0], raw[1]]))
        }
    }
}
