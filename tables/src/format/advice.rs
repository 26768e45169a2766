//! Advice to the system on the parts of a table that will be read.

use super::listed::Listed;
use super::source::Source;
use super::stripe_decoder::StripeAddress;
use super::table::Table;
use crate::rules::Color;

/// Failures are ignored here: the reads that follow meet them again.
impl<B: Source, V: Listed> Table<B, V> {
    /// Advises the system that the offsets of a stripe's block will be read. The call does not wait for the disk.
    pub fn advise_offsets(&self, side: Color, address: StripeAddress) {
        if let Some(block) = self.decoder.block_of(side, address) {
            self.decoder.blocks().advise_offsets(side, block);
        }
    }

    /// Advises the system that a stripe's block will be read. The call reads the block's offsets, and does not wait for
    /// more.
    pub fn advise_block(&self, side: Color, address: StripeAddress) {
        if let Some(block) = self.decoder.block_of(side, address) {
            self.decoder.blocks().advise_block(side, block);
        }
    }
}
