//! Blocks of tables of distances that the positions after the moves of one are in: each is decoded once.

use super::handle::{StripePlace, TableHandle};
use super::stripe_cache::StripeCache;
use crate::format::{FormatError, TableId};
use crate::value::{Metric, Value};
use makruk_rules::Color;

/// The blocks. A place that is added to a block after that was read has it read again.
pub(super) struct SharedBlocks<'a> {
    cache: &'a StripeCache,
    blocks: Vec<SharedBlock<'a>>,
}

struct SharedBlock<'a> {
    /// Its number within the side.
    number: u64,
    dtm: BlockCodes<'a>,
    /// DTZ, if its block refers to DTM's.
    dtz: Option<BlockCodes<'a>>,
    /// The last place that is to be decoded.
    last: StripePlace,
}

/// A block of one table.
struct BlockCodes<'a> {
    handle: &'a TableHandle<Value>,
    /// If they are known.
    bytes: Option<&'a [u8]>,
    /// By stripe, once they are decoded.
    codes: Vec<[u16; 64]>,
}

/// A place in one of the blocks.
#[derive(Clone, Copy)]
pub(super) struct SharedPlace {
    block: usize,
    place: StripePlace,
}

impl<'a> SharedBlocks<'a> {
    /// No blocks yet, of at most so many.
    pub(super) fn new(cache: &'a StripeCache, most: usize) -> SharedBlocks<'a> {
        SharedBlocks { cache, blocks: Vec::with_capacity(most) }
    }

    /// Adds a place in DTM's table; `None` if that has no blocks. DTZ's table is given if its blocks refer to DTM's.
    pub(super) fn add(
        &mut self,
        dtm: &'a TableHandle<Value>,
        dtz: Option<&'a TableHandle<Value>>,
        place: StripePlace,
    ) -> Option<SharedPlace> {
        let number = dtm.table.block_of(place.side, place.address)?;
        let is_same = |block: &SharedBlock<'_>| {
            let is_there = (block.number, block.last.side) == (number, place.side);
            is_there && std::ptr::eq(block.dtm.handle, dtm) && !block.is_read()
        };
        let block = self.blocks.iter().position(is_same).unwrap_or_else(|| {
            let new = |handle| BlockCodes::new(handle, place.side, number);
            self.blocks.push(SharedBlock { number, dtm: new(dtm), dtz: dtz.map(new), last: place });
            self.blocks.len() - 1
        });
        let last = &mut self.blocks[block].last;
        if (last.address, last.square) < (place.address, place.square) {
            *last = place;
        }
        Some(SharedPlace { block, place })
    }

    /// Has the processor load the bytes of the blocks that were not read.
    pub(super) fn prefetch(&mut self) {
        self.each_unread(|block, side, number| block.handle.table.blocks().prefetch_lengths(side, number));
        self.each_unread(|block, side, number| block.bytes = block.handle.table.blocks().bytes_ahead(side, number));
    }

    fn each_unread(&mut self, load: impl Fn(&mut BlockCodes<'a>, Color, u64)) {
        for SharedBlock { number, dtm, dtz, last } in self.blocks.iter_mut().filter(|block| !block.is_read()) {
            std::iter::once(dtm).chain(dtz).for_each(|block| load(block, last.side, *number));
        }
    }

    /// DTM or DTZ at a place; `None` if DTZ is not in the block.
    ///
    /// # Errors
    ///
    /// That of a table, with its name.
    pub(super) fn value(
        &mut self,
        metric: Metric,
        SharedPlace { block, place }: SharedPlace,
    ) -> Result<Option<Value>, (TableId, FormatError)> {
        let SharedBlock { dtm, dtz, last, .. } = &mut self.blocks[block];
        dtm.read(self.cache, *last, None)?;
        let id = TableId::of(dtm.handle.table.spec().material, metric);
        let block = match (id.metric, dtz) {
            (Metric::Dtz, None) => return Ok(None),
            (Metric::Dtz, Some(dtz)) => {
                dtz.read(self.cache, *last, Some(&dtm.codes))?;
                dtz
            }
            _ => dtm,
        };
        block.value(*last, place).map(Some)
    }
}

impl SharedBlock<'_> {
    fn is_read(&self) -> bool {
        !self.dtm.codes.is_empty()
    }
}

impl<'a> BlockCodes<'a> {
    /// A block of a side. The processor begins to load its entry in the index.
    fn new(handle: &'a TableHandle<Value>, side: Color, number: u64) -> BlockCodes<'a> {
        handle.table.blocks().prefetch_index(side, number);
        BlockCodes { handle, bytes: None, codes: Vec::new() }
    }

    /// Decodes the stripes up to a place, unless they are decoded.
    fn read(
        &mut self,
        cache: &StripeCache,
        last: StripePlace,
        references: Option<&Vec<[u16; 64]>>,
    ) -> Result<(), (TableId, FormatError)> {
        if self.codes.is_empty() {
            let codes = self.handle.read_stripes(cache, last, references, self.bytes);
            self.codes = codes.map_err(|error| self.named(error))?;
        }
        Ok(())
    }

    /// The value at a place, the last stripe being that of another.
    fn value(&self, last: StripePlace, place: StripePlace) -> Result<Value, (TableId, FormatError)> {
        let stripe = &self.codes[self.codes.len() - 1 - (last.address.stripe - place.address.stripe)];
        self.handle.value_of_code(place, stripe[place.square.index()]).map_err(|error| self.named(error))
    }

    fn named(&self, error: FormatError) -> (TableId, FormatError) {
        (self.handle.table.spec().id(), error)
    }
}
