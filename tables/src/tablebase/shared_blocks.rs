//! Blocks of tables of distances that the positions after the moves of one are in: each is decoded once.

use super::handle::{StripePlace, TableHandle};
use super::stripe_cache::StripeCache;
use crate::format::{FormatError, TableId};
use crate::material::Material;
use crate::value::{Metric, Value};

/// The blocks. A place that is added to a block after that was read has it read again.
pub(super) struct SharedBlocks<'a> {
    cache: &'a StripeCache,
    blocks: Vec<SharedBlock<'a>>,
}

struct SharedBlock<'a> {
    material: Material,
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

    /// Adds a place in DTM's table of a material. DTZ's is given if its blocks refer to those of DTM's.
    pub(super) fn add(
        &mut self,
        material: Material,
        dtm: &'a TableHandle<Value>,
        dtz: Option<&'a TableHandle<Value>>,
        place: StripePlace,
    ) -> SharedPlace {
        let is_same = |block: &SharedBlock<'_>| {
            let is_there = (block.last.block, block.last.side) == (place.block, place.side);
            is_there && std::ptr::eq(block.dtm.handle, dtm) && !block.is_read()
        };
        let block = self.blocks.iter().position(is_same).unwrap_or_else(|| {
            let dtz = dtz.map(|dtz| BlockCodes::new(dtz, place));
            self.blocks.push(SharedBlock { material, dtm: BlockCodes::new(dtm, place), dtz, last: place });
            self.blocks.len() - 1
        });
        let last = &mut self.blocks[block].last;
        if (last.address, last.square) < (place.address, place.square) {
            *last = place;
        }
        SharedPlace { block, place }
    }

    /// Has the processor load the bytes of the blocks that were not read.
    pub(super) fn prefetch(&mut self) {
        self.each_unread(|block, last| block.handle.table.blocks().prefetch_lengths(last.side, last.block));
        self.each_unread(|block, last| block.bytes = block.handle.table.blocks().bytes_ahead(last.side, last.block));
    }

    fn each_unread(&mut self, load: impl Fn(&mut BlockCodes<'a>, StripePlace)) {
        for SharedBlock { dtm, dtz, last, .. } in self.blocks.iter_mut().filter(|block| !block.is_read()) {
            std::iter::once(dtm).chain(dtz).for_each(|block| load(block, *last));
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
        let &mut SharedBlock { material, ref mut dtm, ref mut dtz, last } = &mut self.blocks[block];
        let named = |metric: Metric| move |error: FormatError| (TableId { material, metric }, error);
        dtm.read(self.cache, last, None).map_err(named(Metric::Dtm))?;
        if metric == Metric::Dtm || !material.has_dtz() {
            return dtm.value(last, place).map(Some).map_err(named(Metric::Dtm));
        }
        let Some(dtz) = dtz else { return Ok(None) };
        let read = dtz.read(self.cache, last, Some(&dtm.codes));
        read.and_then(|()| dtz.value(last, place)).map(Some).map_err(named(Metric::Dtz))
    }
}

impl SharedBlock<'_> {
    fn is_read(&self) -> bool {
        !self.dtm.codes.is_empty()
    }
}

impl<'a> BlockCodes<'a> {
    /// The block of a place. The processor begins to load its entry in the index.
    fn new(handle: &'a TableHandle<Value>, place: StripePlace) -> BlockCodes<'a> {
        handle.table.blocks().prefetch_index(place.side, place.block);
        BlockCodes { handle, bytes: None, codes: Vec::new() }
    }

    /// Decodes the stripes up to a place, unless they are decoded.
    fn read(
        &mut self,
        cache: &StripeCache,
        last: StripePlace,
        references: Option<&Vec<[u16; 64]>>,
    ) -> Result<(), FormatError> {
        if self.codes.is_empty() {
            self.codes = self.handle.read_stripes(cache, last, references, self.bytes)?;
        }
        Ok(())
    }

    /// The value at a place, the last stripe being that of another.
    fn value(&self, last: StripePlace, place: StripePlace) -> Result<Value, FormatError> {
        let stripe = &self.codes[self.codes.len() - 1 - (last.address.stripe - place.address.stripe)];
        self.handle.value_of_code(place, stripe[place.square.index()])
    }
}
