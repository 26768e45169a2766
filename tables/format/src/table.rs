//! Reading a table.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::block_reader::BlockReader;
use super::codec::{Codec, Model, SideCodec};
use super::error::{FormatError, Problem};
use super::header::Header;
use super::listed::Listed;
use super::outline::Outline;
use super::source::{SharedSource, Source};
use super::spec::{Spec, Storage};
use super::stripe_decoder::{Decoded, Part, StripeAddress, StripeDecoder};
use super::table_file::{Access, TableFile};
use super::table_id::TableId;
use crate::index::SlabPart;
use crate::value::{Metric, Value};
use makruk_rules::{ByColor, Color, Square};

/// A table over bytes: a file, a vector, a static slice.
///
/// Opening checks the header, the list of checksums and the models. Every other part is checked when it is first read,
/// a chunk of bytes at a time; [`verify`](Table::verify) checks everything. No bytes make any of these panic or give a
/// wrong value unnoticed.
///
/// The address of a position is the side to move, the slab (the kings) and the squares of the other pieces. The squares
/// are folded into the slab, in the order of [`Layout::men`](crate::index::Layout::men). Sides that are omitted give no
/// values here: a
/// [`Tablebase`](https://docs.rs/makruk-tables) derives them.
///
/// `V` is the type of the values: [`Value`] or [`Bounds`](crate::value::Bounds), or
/// [`AnyValue`](super::AnyValue) for a table whose metric is not known. A table of another metric is not opened.
///
/// The blocks of a DTZ table refer to DTM's of the same material, which [`with_reference`](Table::with_reference) gives
/// it.
#[derive(Debug)]
pub struct Table<B, V = Value> {
    path: PathBuf,
    header: Header<V>,
    pub(super) decoder: StripeDecoder<B>,
    reference: Option<Arc<Table<B, V>>>,
}

/// A table over a file.
pub type FileTable<V = Value> = Table<TableFile, V>;

impl<V: Listed> FileTable<V> {
    /// Opens the table file at `path`. A table with a reference gives no values before it has it.
    ///
    /// # Errors
    ///
    /// The file is missing, can't be read, or its header or length is wrong.
    pub fn open(path: &Path, access: Access) -> Result<FileTable<V>, FormatError> {
        let problem = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Problem::NoTable.at(path),
            _ => Problem::io("open the file", path)(error),
        };
        // A pipe would keep the thread that opens it, until somebody writes into it.
        if !std::fs::metadata(path).map_err(problem)?.is_file() {
            return Err(problem(io::Error::other("it is not a regular file")));
        }
        let file = File::open(path).map_err(problem)?;
        Table::from_bytes(TableFile::new(file, path, access).map_err(Problem::io("read the file", path))?, path)
    }

    /// A table that was opened, if it is the one that its name says.
    pub(super) fn named(opened: Result<FileTable<V>, FormatError>, id: TableId) -> Result<FileTable<V>, FormatError> {
        let table = opened.map_err(|error| error.of_file(id))?;
        let found = table.spec().id();
        if found == id { Ok(table) } else { Err(Problem::OtherTable { expected: id, found }.at(&table.path)) }
    }

    /// Opens a table whose bytes are in no file of this system, and the one that it refers to. `open` gives the bytes
    /// of a table; errors name it as a file's path.
    ///
    /// # Errors
    ///
    /// As [`FileTable::open`]; it is another table.
    pub fn elsewhere(
        id: TableId,
        open: impl Fn(TableId) -> io::Result<Box<dyn SharedSource>>,
    ) -> Result<FileTable<V>, FormatError> {
        let open_one = |id: TableId| {
            let path = PathBuf::from(id.to_string());
            let source = open(id).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => Problem::NoTable.at(&path),
                _ => Problem::io("open the table", &path)(error),
            })?;
            FileTable::named(Table::from_bytes(TableFile::elsewhere(source), &path), id)
        };
        let table = open_one(id)?;
        if table.header().reference().is_none() {
            return Ok(table);
        }
        table.with_reference(Arc::new(open_one(TableId { metric: Metric::Dtm, ..id })?))
    }
}

impl<B: Source, V: Listed> Table<B, V> {
    /// Reads the header and the models of a table. `path` is only for errors to name.
    ///
    /// # Errors
    ///
    /// The header, the models or the length are wrong.
    pub fn from_bytes(bytes: B, path: impl Into<PathBuf>) -> Result<Table<B, V>, FormatError> {
        let path = path.into();
        Table::read(bytes, &path).map_err(|problem| problem.at(&path))
    }

    fn read(bytes: B, path: &Path) -> Result<Table<B, V>, Problem> {
        let header = Header::read(&bytes)?;
        let blocks = BlockReader::new(bytes, header.outline().sections().clone(), header.checksums_crc())?;
        let mut codecs = ByColor { white: None, black: None };
        for side in Color::ALL {
            codecs[side] = read_codec(&blocks, &header, side)?;
        }
        let decoder = StripeDecoder::new(blocks, codecs);
        Ok(Table { path: path.to_owned(), header, decoder, reference: None })
    }

    /// Gives the table the one that its blocks refer to.
    ///
    /// # Errors
    ///
    /// It is not that table.
    pub fn with_reference(mut self, reference: Arc<Table<B, V>>) -> Result<Table<B, V>, FormatError> {
        let (expected, found) = (self.header.reference(), reference.header.checksum());
        let fits = |side| match (self.decoder.codec(side), reference.decoder.codec(side)) {
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
    pub fn reference(&self) -> Option<&Table<B, V>> {
        self.reference.as_deref()
    }

    /// The header.
    pub fn header(&self) -> &Header<V> {
        &self.header
    }

    /// The description of the table: material, metric, sizes, value lists.
    #[inline]
    pub fn spec(&self) -> &Spec<V> {
        self.header.spec()
    }

    /// The places of the file's parts.
    pub fn outline(&self) -> &Outline {
        self.header.outline()
    }

    /// The start of a group within its side's blocks, and the CRC-32C of its bytes; groups are counted from 0 to
    /// [`Outline::groups`].
    ///
    /// # Errors
    ///
    /// The file is damaged.
    pub fn group_record(&self, side: Color, group: u64) -> Result<(u64, u32), FormatError> {
        let blocks = self.decoder.blocks();
        let record = || {
            let range = blocks.group_range(side, group)?;
            Ok((range.start, blocks.with_group(side, group, |bytes| Ok(crc32c::crc32c(bytes)))?))
        };
        record().map_err(|problem: Problem| problem.at(&self.path))
    }

    /// The path that errors name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Positions per side to move.
    pub fn positions(&self) -> u64 {
        self.spec().positions()
    }

    /// The storage of a side's values.
    #[inline]
    pub fn storage(&self, side: Color) -> Storage {
        self.spec().storage(side)
    }

    /// Whether the table refers, with blocks of a side, to another's blocks.
    #[inline]
    pub fn refers_in_blocks(&self, side: Color) -> bool {
        self.storage(side) == Storage::Blocks
            && self.reference().is_some_and(|reference| reference.storage(side) == Storage::Blocks)
    }

    /// A side's codec, by which tables that refer to this one are written too.
    pub fn codec(&self, side: Color) -> Option<SideCodec> {
        self.decoder.codec(side).map(|codec| SideCodec::new(codec.clone(), None))
    }

    /// The axis of a side's fast piece; `None` if the side has no blocks.
    pub fn fast_axis(&self, side: Color) -> Option<usize> {
        self.decoder.codec(side).map(|codec| codec.stripes.axis())
    }

    /// The stripe that holds a position, and the fast piece's square on it. `None` if the side has no blocks or the
    /// squares do not fit the layout's men.
    #[inline]
    pub fn stripe_of(&self, side: Color, slab: usize, squares: &[Square]) -> Option<(StripeAddress, Square)> {
        let (stripe, square, _) = self.decoder.codec(side)?.stripes.stripe_of(squares)?;
        Some((StripeAddress { slab, stripe }, square))
    }

    /// Stripes per slab of a side; 0 if it has no blocks.
    #[inline]
    pub fn stripes(&self, side: Color) -> usize {
        self.decoder.codec(side).map_or(0, |codec| codec.stripes.len())
    }

    /// The value that a code stands for; `slab` is for errors to name.
    ///
    /// # Errors
    ///
    /// The code is beyond the side's list.
    #[inline]
    pub fn value_of_code(&self, side: Color, slab: usize, code: u16) -> Result<V, FormatError> {
        let values = &self.spec().values[side];
        match values.value(code) {
            Some(value) => Ok(value),
            None => Err(self.beyond(side, slab, code)),
        }
    }

    #[cold]
    fn beyond(&self, side: Color, slab: usize, code: u16) -> FormatError {
        Problem::CodeRange { side, slab, values: self.spec().values[side].len(), code }.at(&self.path)
    }

    #[inline]
    fn check_slab(&self, slab: usize) -> Result<(), FormatError> {
        let slabs = self.spec().slabs();
        if slab < slabs { Ok(()) } else { Err(Problem::SlabRange { slab, slabs }.at(&self.path)) }
    }

    /// The value of one position. Nothing is cached: callers with many positions near to each other cache stripes.
    ///
    /// # Errors
    ///
    /// The side is omitted, the squares are those of other pieces, or the block is corrupt.
    pub fn value(&self, side: Color, slab: usize, squares: &[Square]) -> Result<V, FormatError> {
        self.value_of_code(side, slab, self.code(side, slab, squares)?)
    }

    /// The code of one position, which may be beyond the side's list. Nothing is cached.
    #[inline]
    pub fn code(&self, side: Color, slab: usize, squares: &[Square]) -> Result<u16, FormatError> {
        if self.storage(side) == Storage::Constant {
            self.check_slab(slab)?;
            return Ok(0);
        }
        let here = |problem: Problem| problem.at(&self.path);
        let (part, square) = self.decoder.part_at(None, side, slab, squares).map_err(here)?;
        let references = self.reference_part(&part, side)?;
        let decoded = self.decoder.decode(&part, side, references.as_ref(), None).map_err(here)?;
        Ok(decoded[part.last()][square.index()])
    }

    /// The codes of a stripe by the fast piece's square, after those of the stripes before it in its block, which have
    /// to be decoded with it. Codes of squares that make no legal position are meaningless.
    ///
    /// # Errors
    ///
    /// The side has no such stripe, or its block is corrupt.
    pub fn stripe_codes(&self, side: Color, address: StripeAddress) -> Result<Vec<[u16; 64]>, FormatError> {
        let here = |problem: Problem| problem.at(&self.path);
        let part = self.decoder.part_up_to(side, address, Square::LAST).map_err(here)?;
        let references = self.reference_part(&part, side)?;
        self.decoder.decode(&part, side, references.as_ref(), None).map_err(here)
    }

    /// The codes of a slab by offset, each a place in the side's value list. Cells that are not legal positions hold an
    /// arbitrary valid code.
    ///
    /// # Errors
    ///
    /// The side is omitted, there is no such slab, or a block is corrupt.
    pub fn slab_codes(&self, side: Color, slab: usize, codes: &mut Vec<u16>) -> Result<(), FormatError> {
        self.decode_slab(side, slab, None, codes, None).map(|_| ())
    }

    /// As [`Table::slab_codes`], of a part of the slab at least; the codes of cells that are not read are 0.
    pub fn part_codes(
        &self,
        side: Color,
        slab: usize,
        part: SlabPart,
        codes: &mut Vec<u16>,
    ) -> Result<(), FormatError> {
        self.decode_slab(side, slab, Some(part), codes, None).map(|_| ())
    }

    /// As [`Table::slab_codes`], with the codes of the table that this one refers to first.
    ///
    /// # Errors
    ///
    /// As [`Table::slab_codes`]; the table refers to none.
    pub fn slab_code_pairs(
        &self,
        side: Color,
        slab: usize,
        first: &mut Vec<u16>,
        second: &mut Vec<u16>,
    ) -> Result<(), FormatError> {
        let reference = self.reference().ok_or_else(|| Problem::NoReference.at(&self.path))?;
        if !self.refers_in_blocks(side) {
            reference.slab_codes(side, slab, first)?;
            return self.slab_codes(side, slab, second);
        }
        self.decode_slab(side, slab, None, second, Some(first))?;
        reference.check_codes(side, slab, first)
    }

    /// As [`Table::slab_codes`], with the reference's codes if they are asked for, which are not checked. Returns the
    /// number of blocks.
    pub(super) fn decode_slab(
        &self,
        side: Color,
        slab: usize,
        part: Option<SlabPart>,
        codes: &mut Vec<u16>,
        reference_codes: Option<&mut Vec<u16>>,
    ) -> Result<u64, FormatError> {
        if self.storage(side) == Storage::Constant {
            self.check_slab(slab)?;
            let positions = self.spec().slab_len();
            let no_memory = || Problem::Memory { positions }.at(&self.path);
            let len = usize::try_from(positions).map_err(|_| no_memory())?;
            codes.clear();
            codes.try_reserve_exact(len).map_err(|_| no_memory())?;
            codes.resize(len, 0);
            return Ok(0);
        }
        let reference = match self.header.reference() {
            Some(_) => Some(self.reference().ok_or_else(|| Problem::NoReference.at(&self.path))?),
            None => None,
        };
        let decoder = reference.map(|reference| &reference.decoder);
        let blocks = self.decoder.decode_slab(side, slab, part, decoder, codes, reference_codes);
        let blocks = blocks.map_err(|problem| problem.at(&self.path))?;
        self.check_codes(side, slab, codes)?;
        Ok(blocks)
    }

    fn check_codes(&self, side: Color, slab: usize, codes: &[u16]) -> Result<(), FormatError> {
        let values = self.spec().values[side].len();
        match codes.iter().find(|&&code| usize::from(code) >= values) {
            Some(&code) => Err(self.beyond(side, slab, code)),
            None => Ok(()),
        }
    }

    /// The codes of the table that this one refers to, for a part of a block; `None` if it refers to none.
    #[inline]
    fn reference_part(&self, part: &Part, side: Color) -> Result<Option<Decoded>, FormatError> {
        if self.header.reference().is_none() {
            return Ok(None);
        }
        let reference = self.reference().ok_or_else(|| Problem::NoReference.at(&self.path))?;
        let decoded = reference.decoder.decode_reference(part, side);
        decoded.map(Some).map_err(|problem| problem.at(&reference.path))
    }
}

fn read_codec<B: Source, V: Listed>(
    blocks: &BlockReader<B>,
    header: &Header<V>,
    side: Color,
) -> Result<Option<Codec>, Problem> {
    let Some(stripes) = header.outline().stripes(side) else { return Ok(None) };
    let model = blocks.with_model(side, |bytes, start| {
        Model::read(bytes, header.spec().values[side].len()).map_err(|error| Problem::Model {
            side,
            field: error.field,
            offset: start + error.at as u64,
            expected: error.expected,
            found: error.found,
        })
    })?;
    Ok(Some(Codec { stripes, side, block_stripes: usize::from(header.outline().side(side).block_stripes), model }))
}
