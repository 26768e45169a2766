//! Blocks of tables of distances that the positions after the moves of one are in: each is decoded once.

use super::handle::{StripePlace, TableHandle};
use super::stripe_cache::StripeCache;
use crate::format::{FileTable, FormatError, TableId};
use crate::material::Material;
use crate::value::{Metric, Value};

/// The blocks. All places of a block should be added before one is read.
pub(super) struct SharedBlocks<'a> {
    cache: &'a StripeCache,
    blocks: Vec<SharedBlock<'a>>,
}

struct SharedBlock<'a> {
    material: Material,
    dtm: &'a TableHandle<Value>,
    /// DTZ's table, if its blocks refer to DTM's.
    dtz: Option<&'a TableHandle<Value>>,
    /// The last place that is to be decoded.
    last: StripePlace,
    /// Its bytes in the tables of DTM and DTZ, if they are known.
    bytes: [Option<&'a [u8]>; 2],
    /// Its codes in both, once they are decoded.
    stripes: [Vec<[u16; 64]>; 2],
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

    /// Adds a place in DTM's table of a material. DTZ's is given if its blocks refer to DTM's.
    pub(super) fn add(
        &mut self,
        material: Material,
        dtm: &'a TableHandle<Value>,
        dtz: Option<&'a TableHandle<Value>>,
        place: StripePlace,
    ) -> SharedPlace {
        let is_same = |block: &SharedBlock<'_>| {
            let is_there = (block.last.block, block.last.side) == (place.block, place.side);
            is_there && std::ptr::eq(block.dtm, dtm) && !block.is_read()
        };
        let block = self.blocks.iter().position(is_same).unwrap_or_else(|| {
            let (bytes, stripes) = ([None; 2], Default::default());
            let new = SharedBlock { material, dtm, dtz, last: place, bytes, stripes };
            new.tables().for_each(|table| table.blocks().prefetch_index(place.side, place.block));
            self.blocks.push(new);
            self.blocks.len() - 1
        });
        let last = &mut self.blocks[block].last;
        *last = place.max(*last);
        SharedPlace { block, place }
    }

    /// Has the processor load the bytes of the blocks that were not read.
    pub(super) fn prefetch(&mut self) {
        for block in self.blocks.iter().filter(|block| !block.is_read()) {
            block.tables().for_each(|table| table.blocks().prefetch_lengths(block.last.side, block.last.block));
        }
        for block in self.blocks.iter_mut().filter(|block| !block.is_read()) {
            let StripePlace { side, block: number, .. } = block.last;
            for (table, bytes) in block.tables().zip(&mut block.bytes) {
                *bytes = table.blocks().bytes_ahead(side, number);
            }
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
        let block = &mut self.blocks[block];
        let id = TableId::of(block.material, metric);
        let handle = match (id.metric, block.dtz) {
            (Metric::Dtz, Some(dtz)) => dtz,
            (Metric::Dtz, None) => return Ok(None),
            _ => block.dtm,
        };
        let last = block.last.address.stripe;
        let value = block.stripes(self.cache, id.metric).and_then(|stripes| {
            let stripe = &stripes[stripes.len() - 1 - (last - place.address.stripe)];
            handle.value_of_code(place, stripe[place.square.index()])
        });
        value.map(Some).map_err(|error| (id, error))
    }
}

impl<'a> SharedBlock<'a> {
    fn is_read(&self) -> bool {
        !self.stripes[0].is_empty()
    }

    /// The tables of DTM and DTZ. DTM's is open for DTZ's, too.
    fn tables(&self) -> impl Iterator<Item = &'a FileTable> + use<'a> {
        let dtz = self.dtz.map(|dtz| &dtz.table);
        [Some(dtz.and_then(FileTable::reference).unwrap_or(&self.dtm.table)), dtz].into_iter().flatten()
    }

    /// The codes of the block's stripes under DTM, or under DTZ, which refers to them.
    fn stripes(&mut self, cache: &StripeCache, metric: Metric) -> Result<&[[u16; 64]], FormatError> {
        let handles = [Some(self.dtm), self.dtz];
        let wanted = usize::from(metric == Metric::Dtz);
        for (at, (table, handle)) in self.tables().zip(handles.into_iter().flatten()).enumerate().take(wanted + 1) {
            if self.stripes[at].is_empty() {
                let references = at.checked_sub(1).map(|before| &self.stripes[before]);
                self.stripes[at] = handle.read_stripes(table, cache, self.last, references, self.bytes[at])?;
            }
        }
        Ok(&self.stripes[wanted])
    }
}
