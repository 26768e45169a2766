//! Values and codes from a table's blocks.

use std::cell::RefCell;
use std::ops::Range;

use arrayvec::ArrayVec;

use super::codec::{Codec, MAX_BLOCK_STRIPES, StripeCodes};
use super::error::{FormatError, Problem};
use super::group::{self, GROUP_BLOCKS, OFFSET_BYTES};
use super::source::Source;
use super::spec::Storage;
use super::table::Table;
use super::value::Value;
use crate::index::{FixedSquares, StripeFeatures};
use crate::rules::{Color, Square};

thread_local! {
    /// The codes of the slab that a range decodes, and bytes of a source that is not in memory; kept for their allocation
    /// alone.
    static CODES: RefCell<Vec<u16>> = const { RefCell::new(Vec::new()) };
    static BUFFERS: RefCell<(Vec<u8>, Vec<u8>)> = const { RefCell::new((Vec::new(), Vec::new())) };
}

/// The codes of a block's boards.
type Decoded = ArrayVec<StripeCodes, MAX_BLOCK_STRIPES>;

/// What is to be decoded of a block: its boards up to one, and of that only some cells.
struct Part {
    /// The block's number in its side.
    block: u64,
    scenes: ArrayVec<StripeFeatures, MAX_BLOCK_STRIPES>,
    /// Of the last board.
    cells: u64,
}

impl Part {
    /// Up to a board of a slab, both of which exist; its men may be known already.
    fn new(codec: &Codec, slab: usize, board: usize, outer: Option<&FixedSquares>, cells: u64) -> Part {
        let kings = codec.stripes.layout().kings().pair(slab);
        let block = board / codec.block_stripes;
        let mut scenes: ArrayVec<StripeFeatures, MAX_BLOCK_STRIPES> =
            (block * codec.block_stripes..board).map(|board| codec.features(kings, board)).collect();
        scenes.push(match outer {
            Some(outer) => codec.stripes.features(kings, outer, codec.side),
            None => codec.features(kings, board),
        });
        Part { block: (slab * codec.slab_blocks() + block) as u64, scenes, cells }
    }

    /// Which of the boards comes last.
    fn last(&self) -> usize {
        self.scenes.len() - 1
    }

    /// Room for its codes.
    fn zeros(&self) -> Decoded {
        std::iter::repeat_n([0; 64], self.scenes.len()).collect()
    }
}

impl<B: Source> Table<B> {
    /// The codes of boards, each by the runner's square: of the board that is asked for and those before it in its block, which
    /// have to be decoded with it; `visit` is told their numbers. Codes of squares on which the runner makes no legal position
    /// mean nothing.
    ///
    /// # Errors
    ///
    /// The side has no such board, or its block is corrupt.
    pub fn board_codes(
        &self,
        side: Color,
        board: u64,
        mut visit: impl FnMut(u64, &StripeCodes),
    ) -> Result<(), FormatError> {
        let decoded = self.decode(&self.part_of(side, board)?, side)?;
        let first = board + 1 - decoded.len() as u64;
        (first..).zip(&decoded).for_each(|(board, codes)| visit(board, codes));
        Ok(())
    }

    /// As [`Table::board_codes`], with the codes of the table that this one refers to before each.
    ///
    /// # Errors
    ///
    /// As [`Table::board_codes`]; the table refers to none.
    pub fn board_pairs(
        &self,
        side: Color,
        board: u64,
        mut visit: impl FnMut(u64, &StripeCodes, &StripeCodes),
    ) -> Result<(), FormatError> {
        let part = self.part_of(side, board)?;
        let references = self.references(&part, side)?.ok_or_else(|| Problem::NoReference.at(&self.path))?;
        let own = self.decode_part(&part, side, Some(&references))?;
        let first = board + 1 - own.len() as u64;
        (first..).zip(references.iter().zip(&own)).for_each(|(board, (first, second))| visit(board, first, second));
        Ok(())
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

    /// The value of the position with these men: those of [`Layout::men`](crate::index::Layout::men), folded into the slab.
    /// Keeps nothing: callers with many probes near to each other keep boards.
    ///
    /// # Errors
    ///
    /// The side is not stored, the men are others, or the block is corrupt.
    pub fn value_at(&self, side: Color, slab: usize, men: &[Square]) -> Result<Value, FormatError> {
        if let Some(value) = self.constant(side) {
            return Ok(value);
        }
        self.value_of(side, slab as u64, self.code_at(side, slab, men)?)
    }

    /// The values of a position in the table that this one refers to and in this one. Where nobody wins in that, nobody does in
    /// this.
    ///
    /// # Errors
    ///
    /// As [`Table::value_at`]; the table refers to none.
    pub fn pair_at(&self, side: Color, slab: usize, men: &[Square]) -> Result<(Value, Value), FormatError> {
        let reference = self.reference.as_ref().ok_or_else(|| Problem::NoReference.at(&self.path))?;
        if self.storage(side) != Storage::Blocks || reference.storage(side) != Storage::Blocks {
            return Ok((reference.value_at(side, slab, men)?, self.value_at(side, slab, men)?));
        }
        let (part, square) = self.part_at(side, slab, men)?;
        let value =
            |table: &Table<B>, codes: &Decoded| table.value_of(side, slab as u64, codes[part.last()][square.index()]);
        let references = reference.decode_part(&part, side, None)?;
        let first = value(reference, &references)?;
        if first == Value::Draw {
            return Ok((first, first));
        }
        Ok((first, value(self, &self.decode_part(&part, side, Some(&references))?)?))
    }

    fn code_at(&self, side: Color, slab: usize, men: &[Square]) -> Result<u16, FormatError> {
        let (part, square) = self.part_at(side, slab, men)?;
        Ok(self.decode(&part, side)?[part.last()][square.index()])
    }

    /// What is to be decoded for men on these squares, and the runner's.
    fn part_at(&self, side: Color, slab: usize, men: &[Square]) -> Result<(Part, Square), FormatError> {
        let nowhere = || Problem::PositionRange { position: u64::MAX, positions: self.positions() }.at(&self.path);
        let codec = self.stored_codec(side)?;
        let (board, square, outer) = codec.stripes.stripe_of(men).ok_or_else(nowhere)?;
        if slab >= codec.stripes.layout().slabs() {
            return Err(nowhere());
        }
        Ok((Part::new(codec, slab, board, Some(&outer), u64::MAX >> (63 - square.number())), square))
    }

    /// What is to be decoded for a board by its number.
    fn part_of(&self, side: Color, board: u64) -> Result<Part, FormatError> {
        let codec = self.stored_codec(side)?;
        let boards = codec.stripes.len() as u64;
        let slab = usize::try_from(board / boards).unwrap_or(usize::MAX);
        if slab >= codec.stripes.layout().slabs() {
            let position = (slab as u64).saturating_mul(self.spec().slab_len);
            return Err(Problem::PositionRange { position, positions: self.positions() }.at(&self.path));
        }
        Ok(Part::new(codec, slab, (board % boards) as usize, None, !0))
    }

    /// The codec of a side that has blocks.
    fn stored_codec(&self, side: Color) -> Result<&Codec, FormatError> {
        self.codecs[side].as_ref().ok_or_else(|| Problem::NotStored { side }.at(&self.path))
    }

    /// Decodes a part of a block.
    fn decode(&self, part: &Part, side: Color) -> Result<Decoded, FormatError> {
        let references = self.references(part, side)?;
        self.decode_part(part, side, references.as_ref())
    }

    /// What the table that this one refers to says there; `None` if there is none.
    fn references(&self, part: &Part, side: Color) -> Result<Option<Decoded>, FormatError> {
        if self.header.reference().is_none() {
            return Ok(None);
        }
        let reference = self.reference.as_ref().ok_or_else(|| Problem::NoReference.at(&self.path))?;
        Ok(Some(match reference.codecs[side] {
            Some(_) => reference.decode_part(part, side, None)?,
            None => part.zeros(),
        }))
    }

    /// Decodes a part of a block, told what the table that this one refers to says. The part may be made by either table.
    fn decode_part(&self, part: &Part, side: Color, references: Option<&Decoded>) -> Result<Decoded, FormatError> {
        self.decode_whole(part, side, references).map(|(decoded, _)| decoded)
    }

    /// As `decode_part`; also whether the block is used up.
    fn decode_whole(
        &self,
        part: &Part,
        side: Color,
        references: Option<&Decoded>,
    ) -> Result<(Decoded, bool), FormatError> {
        let codec = self.stored_codec(side)?;
        let mut out = part.zeros();
        let used_up = self.with_block(side, part.block, |bytes| {
            let boards = out.iter_mut().zip(&part.scenes).enumerate().map(|(at, (codes, scene))| {
                let cells = if at == part.last() { scene.legal & part.cells } else { scene.legal };
                (*scene, cells, references.and_then(|references| references.get(at)), codes)
            });
            codec.decode(bytes, boards)
        });
        Ok((out, used_up.map_err(|problem| problem.at(&self.path))?))
    }

    /// Calls `decode` with the bytes of a block, which exists. It gives whether they were used up.
    #[inline]
    fn with_block(&self, side: Color, block: u64, decode: impl FnOnce(&[u8]) -> bool) -> Result<bool, Problem> {
        let (group, place) = (block / GROUP_BLOCKS as u64, (block % GROUP_BLOCKS as u64) as usize);
        self.with_group(side, group, |bytes| Ok(decode(group::block(bytes, side, group, place)?)))
    }

    /// Calls `read` with the bytes of a group of blocks, which exists.
    #[inline]
    pub(super) fn with_group<T>(
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
    pub(super) fn group_range(
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
        self.value_of(side, position, self.code(side, position)?)
    }

    fn code(&self, side: Color, position: u64) -> Result<u16, FormatError> {
        let layout = self.layout.as_ref().ok_or_else(|| Problem::NotStored { side }.at(&self.path))?;
        let (slab, offset) = (position / self.spec().slab_len, position % self.spec().slab_len);
        self.code_at(side, slab as usize, &layout.squares_at(offset))
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
                let code = self.code(side, position)?;
                out.push(map(code).ok_or_else(|| beyond(position, code))?);
            }
            return Ok(());
        }
        let slab_len = self.spec().slab_len;
        CODES.with_borrow_mut(|codes| {
            for slab in range.start / slab_len..range.end.div_ceil(slab_len) {
                self.decode_slab(side, slab as usize, codes, None)?;
                let first = range.start.saturating_sub(slab * slab_len) as usize;
                let last = slab_len.min(range.end - slab * slab_len) as usize;
                for &code in &codes[first..last] {
                    out.push(map(code).ok_or_else(|| beyond(slab, code))?);
                }
            }
            Ok(())
        })
    }

    /// The codes of a slab by offset in the table that this one refers to and in this one; both are cleared first. Those of
    /// what is no legal position are 0.
    ///
    /// # Errors
    ///
    /// As for [`decode_codes`](Table::decode_codes); the table refers to none.
    pub fn decode_pair(
        &self,
        side: Color,
        slab: usize,
        first: &mut Vec<u16>,
        second: &mut Vec<u16>,
    ) -> Result<(), FormatError> {
        let reference = self.reference.as_ref().ok_or_else(|| Problem::NoReference.at(&self.path))?;
        if self.storage(side) == Storage::Blocks && reference.storage(side) == Storage::Blocks {
            self.decode_slab(side, slab, second, Some(first))?;
            for (table, codes) in [(&**reference, first), (self, second)] {
                let values = table.spec().values[side].len();
                if let Some(&code) = codes.iter().find(|&&code| usize::from(code) >= values) {
                    return Err(Problem::CodeRange { side, board: slab as u64, values, code }.at(&table.path));
                }
            }
            return Ok(());
        }
        let start = slab as u64 * self.spec().slab_len;
        reference.decode_codes(side, start..start + self.spec().slab_len, first)?;
        self.decode_codes(side, start..start + self.spec().slab_len, second)
    }

    /// The codes of a slab by offset, and those of the table that this one refers to, if it does; gives how many blocks they
    /// came from. What is no legal position has the code 0.
    pub(super) fn decode_slab(
        &self,
        side: Color,
        slab: usize,
        codes: &mut Vec<u16>,
        mut referred: Option<&mut Vec<u16>>,
    ) -> Result<u64, FormatError> {
        let codec = self.stored_codec(side)?;
        for codes in [Some(&mut *codes), referred.as_deref_mut()].into_iter().flatten() {
            codes.clear();
            codes.resize(self.spec().slab_len as usize, 0);
        }
        let kings = codec.stripes.layout().kings().pair(slab);
        let blocks = codec.slab_blocks();
        for block in 0..blocks {
            let outers: ArrayVec<FixedSquares, MAX_BLOCK_STRIPES> =
                codec.stripes_of_block(block).map(|board| codec.stripes.fixed_squares(board)).collect();
            let scenes = outers.iter().map(|outer| codec.stripes.features(kings, outer, side)).collect();
            let part = Part { block: (slab * blocks + block) as u64, scenes, cells: !0 };
            let references = self.references(&part, side)?;
            let (decoded, used_up) = self.decode_whole(&part, side, references.as_ref())?;
            if !used_up {
                return Err(Problem::Block { side, block: part.block }.at(&self.path));
            }
            for (at, (outer, scene)) in outers.iter().zip(&part.scenes).enumerate() {
                let base = if scene.legal == 0 { 0 } else { codec.stripes.base_offset(outer) };
                let mut left = scene.legal;
                while left != 0 {
                    let cell = left.trailing_zeros() as usize & 63;
                    left &= left - 1;
                    let offset = (base + codec.stripes.square_offset(cell)) as usize;
                    codes[offset] = decoded[at][cell];
                    if let (Some(referred), Some(references)) = (&mut referred, &references) {
                        referred[offset] = references[at][cell];
                    }
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
}
