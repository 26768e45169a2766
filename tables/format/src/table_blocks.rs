//! Single blocks of a table, and of the one that it refers to.

use super::block_reader::BlockReader;
use super::error::{FormatError, Problem};
use super::listed::Listed;
use super::source::Source;
use super::stripe_decoder::{Decoded, StripeAddress};
use super::table::Table;
use crate::value::{Distances, Value};
use makruk_rules::{Color, Square};

impl<B: Source, V: Listed> Table<B, V> {
    /// The number, within the side, of the block that has a stripe; `None` if the side has no blocks.
    #[inline]
    pub fn block_of(&self, side: Color, address: StripeAddress) -> Option<u64> {
        Some(self.decoder.codec(side)?.block_of(address.slab, address.stripe))
    }

    /// The bytes of blocks.
    #[inline]
    pub fn blocks(&self) -> &BlockReader<B> {
        self.decoder.blocks()
    }

    /// The codes of the stripes of a block up to one, of which those of the squares up to one are read. The table that
    /// this one refers to has these codes there, and `bytes` are the block's, if they are known.
    ///
    /// # Errors
    ///
    /// As [`Table::stripe_codes`].
    pub fn read_stripes(
        &self,
        side: Color,
        (last, square): (StripeAddress, Square),
        references: Option<&Decoded>,
        bytes: Option<&[u8]>,
    ) -> Result<Decoded, FormatError> {
        let part = self.decoder.part_up_to(side, last, square);
        let codes = part.and_then(|part| self.decoder.decode(&part, side, references, bytes));
        codes.map_err(|problem| problem.at(self.path()))
    }
}

impl<B: Source> Table<B> {
    /// The distances of one position, of which the table that this one refers to has the first. Where neither side wins
    /// in that, neither does in this.
    ///
    /// # Errors
    ///
    /// As [`Table::value`]; the table refers to none.
    pub fn distances(&self, side: Color, slab: usize, squares: &[Square]) -> Result<Distances, FormatError> {
        let reference = self.reference().ok_or_else(|| Problem::NoReference.at(self.path()))?;
        if !self.refers_in_blocks(side) {
            let dtm = reference.value(side, slab, squares)?;
            return Ok(Distances { dtm, dtz: self.value(side, slab, squares)? });
        }
        let (part, square) = self
            .decoder
            .part_at(Some(&reference.decoder), side, slab, squares)
            .map_err(|problem| problem.at(self.path()))?;
        let first =
            reference.decoder.decode(&part, side, None, None).map_err(|problem| problem.at(reference.path()))?;
        let dtm = reference.value_of_code(side, slab, first[part.last()][square.index()])?;
        if dtm == Value::Draw {
            return Ok(Distances::DRAW);
        }
        let second = self.decoder.decode(&part, side, Some(&first), None).map_err(|problem| problem.at(self.path()))?;
        Ok(Distances { dtm, dtz: self.value_of_code(side, slab, second[part.last()][square.index()])? })
    }
}
