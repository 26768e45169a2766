//! Stripes to bytes and back.

use super::ans::{Decoder, Share, encode};
use super::context::{ESCAPE, Memory, walk};
use super::model::{Model, symbol_at};
use crate::index::{Pair, StripeFeatures, Stripes};
use crate::rules::Color;

/// The most boards of a block.
pub const MAX_BLOCK_BOARDS: usize = 8;

/// A board's codes by square. Those of cells that are not stored mean nothing.
pub(in crate::format) type BoardCodes = [u16; 64];

/// One side's boards and model.
#[derive(Clone, Debug)]
pub(in crate::format) struct Codec {
    pub(in crate::format) boards: Stripes,
    pub(in crate::format) side: Color,
    pub(in crate::format) block_boards: usize,
    pub(in crate::format) model: Model,
}

/// Turns slabs into blocks: what a side's model is for whoever writes.
#[derive(Clone, Debug)]
pub struct SideCodec(pub(in crate::format) Codec);

/// A slab's blocks, end to end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncodedSlab {
    pub(in crate::format) lens: Vec<u16>,
    pub(in crate::format) bytes: Vec<u8>,
}

impl EncodedSlab {
    /// Bytes of all blocks.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

impl SideCodec {
    /// Encodes a slab. `codes` are by offset; those of illegal positions are not looked at. `reference` is, where the
    /// model was made with one, what it says, by offset as well, in this table's codes. A pure function, for any thread.
    ///
    /// # Panics
    ///
    /// If a code is beyond the list, or there are fewer than the slab has offsets.
    pub fn encode_slab(&self, slab: usize, codes: &[u16], reference: Option<&[u16]>) -> EncodedSlab {
        let Codec { boards, block_boards, .. } = &self.0;
        let kings = boards.layout().kings().pair(slab);
        let mut encoded = EncodedSlab::default();
        let mut symbols: Vec<Share> = Vec::new();
        let mut board = 0;
        while board < boards.len() {
            let end = boards.len().min(board + block_boards);
            symbols.clear();
            let mut memory = Memory::EMPTY;
            for board in board..end {
                let outer = boards.outer(board);
                let scene = boards.scene(kings, &outer, self.0.side);
                if scene.stored != 0 {
                    let base = boards.base(&outer);
                    self.encode_board(&scene, base, codes, reference, &mut memory, &mut symbols);
                }
            }
            let before = encoded.bytes.len();
            encode(&symbols, &mut encoded.bytes);
            encoded.lens.push((encoded.bytes.len() - before) as u16);
            board = end;
        }
        encoded
    }

    fn encode_board(
        &self,
        scene: &StripeFeatures,
        base: u64,
        codes: &[u16],
        reference: Option<&[u16]>,
        memory: &mut Memory,
        symbols: &mut Vec<Share>,
    ) {
        let Codec { boards, model, .. } = &self.0;
        let at = |cell: usize| (base + boards.cell_offset(cell)) as usize;
        let reference = reference.map(|reference| gather(scene.stored, |cell| reference[at(cell)]));
        walk(scene, scene.stored, model.usual, memory, reference.as_ref(), |cell, known| {
            let code = codes[at(cell)];
            let symbol = known.symbol(code, model.usual);
            symbols.push(Model::share(model.cluster(known), symbol));
            if symbol == ESCAPE {
                symbols.push(model.code_share(code));
            }
            code
        });
    }
}

/// The codes of some cells of a board, zeros elsewhere.
pub(super) fn gather(cells: u64, mut code: impl FnMut(usize) -> u16) -> BoardCodes {
    let mut codes = [0; 64];
    let mut left = cells;
    while left != 0 {
        let cell = left.trailing_zeros() as usize & 63;
        left &= left - 1;
        codes[cell] = code(cell);
    }
    codes
}

impl Codec {
    /// Blocks per slab.
    pub(in crate::format) fn slab_blocks(&self) -> usize {
        self.boards.len().div_ceil(self.block_boards)
    }

    /// The boards of a block of a slab.
    pub(in crate::format) fn boards_of(&self, block: usize) -> std::ops::Range<usize> {
        let first = block * self.block_boards;
        first..self.boards.len().min(first + self.block_boards)
    }

    /// What is to be known of a board of a slab with these kings.
    pub(in crate::format) fn scene(&self, kings: Pair, board: usize) -> StripeFeatures {
        self.boards.scene(kings, &self.boards.outer(board), self.side)
    }

    /// Decodes boards of a block one after the other, from its first: their scenes, and where their codes go. Gives
    /// whether nothing is left, as behind the last board. Codes beyond the list are possible if the bytes are not what was
    /// written; none is beyond any bounds here.
    #[inline]
    pub(in crate::format) fn decode<'a>(
        &self,
        bytes: &[u8],
        boards: impl Iterator<Item = (StripeFeatures, u64, Option<&'a BoardCodes>, &'a mut BoardCodes)>,
    ) -> bool {
        let model = &self.model;
        let mut decoder = Decoder::new(bytes);
        let mut memory = Memory::EMPTY;
        for (scene, cells, reference, codes) in boards {
            walk(&scene, cells, model.usual, &mut memory, reference, |cell, known| {
                let cluster = model.cluster(known);
                let symbol = symbol_at(cluster, decoder.slot());
                decoder.take(Model::share(cluster, symbol));
                let code = if symbol < ESCAPE {
                    known.code(symbol, model.usual)
                } else {
                    let code = model.code_at(decoder.slot());
                    decoder.take(model.code_share(code));
                    code
                };
                codes[cell] = code;
                code
            });
        }
        decoder.is_done()
    }
}
