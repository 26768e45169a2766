//! Reading all of a table.

use super::error::{FormatError, Problem};
use super::group::{self, GROUP_BLOCKS};
use super::listed::Listed;
use super::source::Source;
use super::spec::Storage;
use super::table::Table;
use makruk_rules::Color;

/// The amount that [`Table::verify`] has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Blocks of both sides.
    pub blocks: u64,
    /// The file's bytes.
    pub bytes: u64,
}

impl<B: Source, V: Listed> Table<B, V> {
    /// Reads everything: every checksum, every block, every code's range. The header was checked when the table was
    /// opened.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub fn verify(&self) -> Result<Verified, FormatError> {
        let here = |problem: Problem| problem.at(self.path());
        self.decoder.blocks().check_all().map_err(here)?;
        let mut codes = Vec::new();
        let mut blocks = 0;
        for side in Color::ALL {
            if self.storage(side) != Storage::Blocks {
                continue;
            }
            for slab in 0..self.spec().slabs() {
                blocks += self.decode_slab(side, slab, None, &mut codes, None)?;
            }
            self.check_ends(side).map_err(here)?;
        }
        Ok(Verified { blocks, bytes: self.decoder.blocks().sections().end })
    }

    /// Whether the groups lie end to end, each as long as its blocks, up to the end of their part.
    fn check_ends(&self, side: Color) -> Result<(), Problem> {
        let reader = self.decoder.blocks();
        let blocks = self.outline().block_count(side);
        let mut end = 0;
        for (group, first) in (0..blocks).step_by(GROUP_BLOCKS).enumerate() {
            let group = group as u64;
            let range = reader.group_range(side, group)?;
            let here = (blocks - first).min(GROUP_BLOCKS as u64) as usize;
            let len = reader.with_group(side, group, |bytes| group::total(bytes, side, group, here))? as u64;
            if range != (end..end + len) {
                let (expected, found) =
                    (format!("bytes {end} to {}", end + len), format!("bytes {} to {}", range.start, range.end));
                return Err(Problem::Group { side, group, expected, found });
            }
            end = range.end;
        }
        let expected = &reader.sections().blocks[side];
        let expected = expected.end - expected.start;
        if end != expected {
            return Err(Problem::BlocksEnd { side, expected: end, found: expected });
        }
        Ok(())
    }
}
