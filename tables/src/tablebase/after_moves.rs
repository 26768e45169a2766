//! The positions after the moves of one. Blocks that have several of them are decoded once.

use arrayvec::ArrayVec;

use super::error::TableError;
use super::handle::{StripePlace, TableHandle};
use super::locate::{Located, oriented};
use super::tablebase::Tablebase;
use crate::minimax::value_of_move;
use makruk_format::FormatError;
use makruk_format::value::{Distances, Metric, Value};
use makruk_rules::{MAX_MOVES, MoveList, Position};

/// Reads the distances of the positions after the moves of one.
pub(super) struct AfterMoves<'a> {
    tablebase: &'a Tablebase,
    position: &'a Position,
    moves: MoveList,
    /// The numbers of the moves after which a batch of positions ends. All blocks of a batch are found before one is
    /// decoded, for the processor to load them meanwhile.
    batches: [usize; 3],
    found: ArrayVec<AfterMove, MAX_MOVES>,
    blocks: Vec<SharedBlock<'a>>,
}

/// A position after a move.
struct AfterMove {
    position: Position,
    /// Its block and its place there, unless it is read alone.
    shared: Option<(usize, StripePlace)>,
    /// DTM and DTZ, if they are known.
    known: [Option<Value>; 2],
}

/// A block of a table of DTM, in which positions of a batch are.
struct SharedBlock<'a> {
    /// Its number within the side.
    number: u64,
    /// The last place that is to be decoded.
    last: StripePlace,
    dtm: BlockCodes<'a>,
    /// The block of DTZ, if it refers to that of DTM.
    dtz: Option<BlockCodes<'a>>,
}

/// The codes of a block of one table.
struct BlockCodes<'a> {
    handle: &'a TableHandle<Value>,
    /// If they are known.
    bytes: Option<&'a [u8]>,
    /// Once they are decoded.
    stripes: Vec<[u16; 64]>,
}

impl<'a> AfterMoves<'a> {
    /// The positions after the moves of one. Captures may come first: of a side that hardly ever wins, most positions
    /// are drawn by a capture, or by any move.
    pub(super) fn new(tablebase: &'a Tablebase, position: &'a Position, captures_first: bool) -> AfterMoves<'a> {
        let mut moves = position.legal_moves();
        let mut batches = [moves.len(); 3];
        if captures_first {
            moves.sort_unstable_by_key(|&mv| position.captured(mv).is_none());
            let captures = moves.partition_point(|&mv| position.captured(mv).is_some());
            batches = [captures, moves.len().min(captures + 1), moves.len()];
        }
        let blocks = Vec::with_capacity(moves.len());
        AfterMoves { tablebase, position, moves, batches, found: ArrayVec::new(), blocks }
    }

    /// The number of moves.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether a move mates.
    pub(super) fn has_mate(&self) -> bool {
        self.moves.iter().any(|&mv| self.position.play(mv).is_checkmate())
    }

    /// DTM after a move, if it was read.
    pub(super) fn known_dtm(&self, mv: usize) -> Option<Value> {
        self.found.get(mv)?.known[0]
    }

    /// A distance of a move to the side that makes it, by the position after it. Moves are numbered in their order.
    pub(super) fn value_of_move(&mut self, metric: Metric, mv: usize) -> Result<Value, TableError> {
        while self.found.len() <= mv {
            self.find_batch();
        }
        let value = self.value_after(metric, mv)?;
        let rules = self.tablebase.rules_of(metric);
        Ok(value_of_move(value, &self.found[mv].position, self.position, rules))
    }

    fn value_after(&mut self, metric: Metric, mv: usize) -> Result<Value, TableError> {
        let at = usize::from(metric == Metric::Dtz);
        let AfterMove { position, shared, known } = &mut self.found[mv];
        if known[at].is_none() {
            if let &mut Some((block, place)) = shared {
                known[at] = self.blocks[block].value(self.tablebase, metric, place)?;
            } else if let Ok(Distances { dtm, dtz }) = self.tablebase.distances(position) {
                *known = [Some(dtm), Some(dtz)];
            }
        }
        // If the other distance fails, this one may not.
        let value = known[at].map_or_else(|| self.tablebase.value_of(position, metric), Ok)?;
        known[at] = Some(value);
        Ok(value)
    }

    /// Finds the next batch of positions and the bytes of their blocks.
    fn find_batch(&mut self) {
        let start = self.found.len();
        let end = self.batches.into_iter().find(|&end| start < end).unwrap_or(self.len());
        let first_block = self.blocks.len();
        for at in start..end {
            let position = self.position.play(self.moves[at]);
            let after = self.find(position, first_block);
            self.found.push(after);
        }
        for block in &mut self.blocks[first_block..] {
            block.each(|codes, last, number| codes.handle.table.blocks().prefetch_lengths(last.side, number));
        }
        for block in &mut self.blocks[first_block..] {
            block.each(|codes, last, number| codes.bytes = codes.handle.table.blocks().bytes_ahead(last.side, number));
        }
    }

    /// A position after a move, with its place in one of the batch's blocks, if it has one. What fails fails when it is
    /// read.
    fn find(&mut self, position: Position, first_block: usize) -> AfterMove {
        let (mut shared, mut known) = (None, [None; 2]);
        if let Ok(Some(found)) = oriented(&position)
            && let Ok((Located::Stored { handle: dtm, place, .. }, dtz)) =
                self.tablebase.locate_distances(&position, found)
            && let Some(place) = dtm.stripe_place(&place)
        {
            known[0] = dtm.cached_value(&self.tablebase.inner.cache, place).ok().flatten();
            if known[0].is_none() {
                shared = self.share(dtm, dtz, place, first_block).map(|block| (block, place));
            }
        }
        AfterMove { position, shared, known }
    }

    /// The number of the block of a place in DTM's table; `None` if that has no blocks. DTZ's table is given if its
    /// blocks refer to DTM's.
    fn share(
        &mut self,
        dtm: &'a TableHandle<Value>,
        dtz: Option<&'a TableHandle<Value>>,
        place: StripePlace,
        first_block: usize,
    ) -> Option<usize> {
        let number = dtm.table.block_of(place.side, place.address)?;
        let is_same = |block: &SharedBlock<'_>| {
            (block.number, block.last.side) == (number, place.side) && std::ptr::eq(block.dtm.handle, dtm)
        };
        let same = self.blocks[first_block..].iter().position(is_same);
        let block = same.map_or(self.blocks.len(), |at| first_block + at);
        if same.is_none() {
            let new = |handle| BlockCodes::new(handle, place, number);
            self.blocks.push(SharedBlock { number, last: place, dtm: new(dtm), dtz: dtz.map(new) });
        }
        let last = &mut self.blocks[block].last;
        if (last.address, last.square) < (place.address, place.square) {
            *last = place;
        }
        Some(block)
    }
}

impl<'a> SharedBlock<'a> {
    fn each(&mut self, mut load: impl FnMut(&mut BlockCodes<'a>, StripePlace, u64)) {
        for codes in std::iter::once(&mut self.dtm).chain(&mut self.dtz) {
            load(codes, self.last, self.number);
        }
    }

    /// DTM or DTZ at a place; `None` if DTZ is not in the block.
    fn value(
        &mut self,
        tablebase: &Tablebase,
        metric: Metric,
        place: StripePlace,
    ) -> Result<Option<Value>, TableError> {
        let SharedBlock { dtm, dtz, last, .. } = self;
        dtm.read(tablebase, *last, None)?;
        if metric == Metric::Dtm || !dtm.handle.table.spec().material.has_dtz() {
            return dtm.value(tablebase, *last, place).map(Some);
        }
        let Some(dtz) = dtz else { return Ok(None) };
        dtz.read(tablebase, *last, Some(&dtm.stripes))?;
        dtz.value(tablebase, *last, place).map(Some)
    }
}

impl<'a> BlockCodes<'a> {
    /// The block of a place. The processor begins to load its entry in the index.
    fn new(handle: &'a TableHandle<Value>, place: StripePlace, number: u64) -> BlockCodes<'a> {
        handle.table.blocks().prefetch_index(place.side, number);
        BlockCodes { handle, bytes: None, stripes: Vec::new() }
    }

    /// Decodes the stripes up to a place, unless they are decoded.
    fn read(
        &mut self,
        tablebase: &Tablebase,
        last: StripePlace,
        references: Option<&Vec<[u16; 64]>>,
    ) -> Result<(), TableError> {
        if self.stripes.is_empty() {
            let stripes = self.handle.read_stripes(&tablebase.inner.cache, last, references, self.bytes);
            self.stripes = stripes.map_err(|source| self.error(tablebase, source))?;
        }
        Ok(())
    }

    /// The value at a place, the last stripe being that of another.
    fn value(&self, tablebase: &Tablebase, last: StripePlace, place: StripePlace) -> Result<Value, TableError> {
        let stripe = &self.stripes[self.stripes.len() - 1 - (last.address.stripe - place.address.stripe)];
        let value = self.handle.value_of_code(place, stripe[place.square.index()]);
        value.map_err(|source| self.error(tablebase, source))
    }

    #[cold]
    fn error(&self, tablebase: &Tablebase, source: FormatError) -> TableError {
        tablebase.error(self.handle.table.spec().id(), source)
    }
}
