//! All values of one table in memory.

use makruk_tables::format::{FormatError, MappedTable, Metric, TableFolder, Value};
use makruk_tables::index::Layout;
use makruk_tables::rules::{ByColor, Color};
use rayon::prelude::*;

use super::worth::Worth;

/// How many codes are decoded at a time; a multiple of a block's usual length.
const RUN: usize = 1 << 18;

/// The codes of a side to move.
enum Codes {
    /// All in memory, a byte each.
    Narrow(Vec<u8>),
    /// All in memory, two bytes each.
    Wide(Vec<u16>),
    /// In the file, decoded when asked for.
    Stored,
}

/// How a table's values are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// All at once, for those who ask for most of them.
    Whole,
    /// One by one, for those who ask for some of a table that may not fit into memory.
    Single,
}

/// A table, decoded.
pub(super) struct Values {
    table: MappedTable,
    lists: ByColor<Vec<(Value, u64)>>,
    /// By code: what a move is worth that leads there.
    before: ByColor<Vec<Worth>>,
    codes: ByColor<Codes>,
}

impl Values {
    pub(super) fn read(
        folder: &TableFolder,
        layout: &Layout,
        metric: Metric,
        reading: Reading,
    ) -> Result<Values, FormatError> {
        let table = folder.open_set(layout, metric)?;
        let side = |side| -> Result<Codes, FormatError> {
            match table.spec().values[side].len() {
                _ if reading == Reading::Single => Ok(Codes::Stored),
                0..=256 => decode(&table, side, |code| code as u8).map(Codes::Narrow),
                _ => decode(&table, side, |code| code).map(Codes::Wide),
            }
        };
        let codes = ByColor { white: side(Color::White)?, black: side(Color::Black)? };
        let lists: ByColor<Vec<(Value, u64)>> = ByColor::from_fn(|side| table.spec().values[side].entries().to_vec());
        let before = ByColor::from_fn(|side| lists[side].iter().map(|&(value, _)| Worth::before(value)).collect());
        Ok(Values { table, lists, before, codes })
    }

    /// The values of a side to move with the header's numbers of positions.
    pub(super) fn list(&self, side: Color) -> &[(Value, u64)] {
        &self.lists[side]
    }

    /// A number's place in the list, and what its value is worth.
    pub(super) fn found(&self, side: Color, number: u64) -> Result<(usize, Worth), FormatError> {
        let code = self.code(side, number)?;
        Ok((code, Worth::of(self.lists[side][code].0)))
    }

    /// What a move is worth that leads to the position at a number.
    #[inline]
    pub(super) fn before(&self, side: Color, number: u64) -> Result<Worth, FormatError> {
        Ok(self.before[side][self.code(side, number)?])
    }

    #[inline]
    fn code(&self, side: Color, number: u64) -> Result<usize, FormatError> {
        Ok(match &self.codes[side] {
            Codes::Narrow(codes) => usize::from(codes[number as usize]),
            Codes::Wide(codes) => usize::from(codes[number as usize]),
            Codes::Stored => {
                let mut code = Vec::new();
                self.table.decode_codes(side, number..number + 1, &mut code)?;
                usize::from(code[0])
            }
        })
    }
}

fn decode<C: Copy + Default + Send>(
    table: &MappedTable,
    side: Color,
    narrow: impl Fn(u16) -> C + Sync,
) -> Result<Vec<C>, FormatError> {
    let mut all = vec![C::default(); table.positions() as usize];
    all.par_chunks_mut(RUN).enumerate().try_for_each_init(Vec::new, |run, (at, out)| {
        let first = (at * RUN) as u64;
        table.decode_codes(side, first..first + out.len() as u64, run)?;
        for (out, &code) in out.iter_mut().zip(run.iter()) {
            *out = narrow(code);
        }
        Ok(())
    })?;
    Ok(all)
}
