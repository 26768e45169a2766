//! A position of two tables, of which DTZ's refers to DTM's: what is decoded on the way to DTM serves DTZ, too.

use super::error::{FormatError, Problem};
use super::source::Source;
use super::stripe_decoder::{Decoded, Part};
use super::table::Table;
use crate::rules::{Color, Square};
use crate::value::Value;

/// A position whose DTM is decoded, with the codes that DTZ refers to.
pub(crate) struct JointRead {
    part: Part,
    square: Square,
    codes: Decoded,
}

impl JointRead {
    /// DTM's codes of the stripes of the block, up to the position's.
    pub(crate) fn stripes(&self) -> &[[u16; 64]] {
        &self.codes
    }
}

impl<B: Source> Table<B> {
    /// DTM of one position, in the table that this one refers to. If the read is to be whole, so are the stripes.
    ///
    /// # Errors
    ///
    /// As [`Table::value`]; the table does not refer to blocks of another.
    #[inline]
    pub(crate) fn read_dtm(
        &self,
        side: Color,
        slab: usize,
        squares: &[Square],
        is_whole: bool,
    ) -> Result<(Value, JointRead), FormatError> {
        let reference = self.reference().ok_or_else(|| Problem::NoReference.at(self.path()))?;
        let (mut part, square) = self
            .decoder
            .part_at(Some(&reference.decoder), side, slab, squares)
            .map_err(|problem| problem.at(self.path()))?;
        if is_whole {
            part.take_all_squares();
        }
        let codes = reference.decoder.decode(&part, side, None).map_err(|problem| problem.at(reference.path()))?;
        let dtm = reference.value_of_code(side, slab, codes[part.last()][square.index()])?;
        Ok((dtm, JointRead { part, square, codes }))
    }

    /// DTZ of a position whose DTM is decoded. `visit` is given DTZ's codes of the stripes that [`JointRead::stripes`]
    /// has.
    #[inline]
    pub(crate) fn read_dtz(
        &self,
        side: Color,
        slab: usize,
        read: &JointRead,
        visit: impl FnOnce(&[[u16; 64]]),
    ) -> Result<Value, FormatError> {
        let JointRead { part, square, codes } = read;
        let decoded = self.decoder.decode(part, side, Some(codes)).map_err(|problem| problem.at(self.path()))?;
        visit(&decoded);
        self.value_of_code(side, slab, decoded[part.last()][square.index()])
    }
}
