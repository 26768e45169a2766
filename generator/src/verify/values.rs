//! All values of one table in memory.

use makruk_tables::format::{FileTable, FormatError, Storage};
use makruk_tables::index::Layout;
use makruk_tables::rules::{ByColor, Color};
use makruk_tables::tablebase::{TableError, TableId, Tablebase};
use makruk_tables::value::{Metric, Score, Value};
use rayon::prelude::*;

use crate::error::BuildError;

/// The codes of a side to move.
pub(super) enum Codes {
    /// All in memory, a byte each.
    Narrow(Vec<u8>),
    /// All in memory, two bytes each.
    Wide(Vec<u16>),
    /// In the file, decoded when asked for.
    Stored,
    /// Not in the file, derived when asked for.
    Absent,
}

/// The way in which a table's values are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// All at once, for a check of most of them.
    Whole,
    /// One by one, for a sample of a table that may not fit into memory.
    Single,
}

/// A table, decoded.
pub(super) struct Values<'a> {
    table: &'a FileTable,
    layout: Layout,
    stored: &'a Tablebase,
    lists: ByColor<Vec<(Value, u64)>>,
    /// By code, the score of a move that leads to a position with that code.
    before: ByColor<Vec<Score>>,
    codes: ByColor<Codes>,
}

impl<'a> Values<'a> {
    pub(super) fn read(
        stored: &'a Tablebase,
        layout: &Layout,
        metric: Metric,
        reading: Reading,
    ) -> Result<Values<'a>, TableError> {
        let id = TableId { material: layout.material(), metric };
        let table = stored.table(id)?;
        let decode_error = |source| stored.error(id, source);
        let side = |side| -> Result<Codes, TableError> {
            match table.spec().values[side].len() {
                _ if table.storage(side) == Storage::Absent => Ok(Codes::Absent),
                _ if reading == Reading::Single => Ok(Codes::Stored),
                0..=256 => decode(table, side, |code| code as u8).map(Codes::Narrow).map_err(decode_error),
                _ => decode(table, side, |code| code).map(Codes::Wide).map_err(decode_error),
            }
        };
        let codes = ByColor { white: side(Color::White)?, black: side(Color::Black)? };
        let lists: ByColor<Vec<(Value, u64)>> = ByColor::from_fn(|side| table.spec().values[side].entries().to_vec());
        let before = ByColor::from_fn(|side| lists[side].iter().map(|&(value, _)| Score::before(value)).collect());
        Ok(Values { table, layout: layout.clone(), stored, lists, before, codes })
    }

    /// The values of a side to move with the header's numbers of positions.
    pub(super) fn list(&self, side: Color) -> &[(Value, u64)] {
        &self.lists[side]
    }

    /// A number's place in the list, and its value.
    pub(super) fn found(&self, side: Color, number: u64) -> Result<(usize, Value), BuildError> {
        let code = self.code(side, number)?;
        Ok((code, self.lists[side][code].0))
    }

    /// The score of a move that leads to the position at a number.
    #[inline]
    pub(super) fn before(&self, side: Color, number: u64) -> Result<Score, BuildError> {
        Ok(self.before[side][self.code(side, number)?])
    }

    #[inline]
    fn code(&self, side: Color, number: u64) -> Result<usize, BuildError> {
        Ok(match &self.codes[side] {
            Codes::Narrow(codes) => usize::from(codes[number as usize]),
            Codes::Wide(codes) => usize::from(codes[number as usize]),
            Codes::Stored => {
                let (slab, offset) = (number / self.layout.slab_len(), number % self.layout.slab_len());
                self.read_code(side, self.table.value(side, slab as usize, &self.layout.squares_at(offset))?)
            }
            Codes::Absent => match self.layout.position_at(side, number) {
                Some(position) => self.read_code(side, self.stored.value(&position, self.table.spec().metric)?),
                None => 0,
            },
        })
    }

    /// Are the values of a side neither in the file nor derived yet?
    pub(super) fn lacks(&self, side: Color) -> bool {
        matches!(self.codes[side], Codes::Absent)
    }

    /// The place of a value in a list, if it is there.
    pub(super) fn code_of(&self, side: Color, value: Value) -> Option<usize> {
        self.lists[side].binary_search_by_key(&value, |entry| entry.0).ok()
    }

    /// The value of a search table for a position with these distances; one that is not listed if no class has it.
    pub(super) fn class_of(&self, side: Color, dtm: Value, dtz: Value) -> Value {
        self.table.spec().values[side].search_class(dtm, dtz)
    }

    /// The place of a value that was read. The reader returns no value that the list lacks.
    fn read_code(&self, side: Color, value: Value) -> usize {
        self.code_of(side, value).expect("the list has every value that is read")
    }

    /// Sets the codes of a side that were derived.
    pub(super) fn set(&mut self, side: Color, codes: Codes) {
        self.codes[side] = codes;
    }
}

impl Codes {
    /// Room for so many codes into a list of so many values.
    pub(super) fn zeros(values: usize, numbers: u64) -> Codes {
        match values {
            0..=256 => Codes::Narrow(vec![0; numbers as usize]),
            _ => Codes::Wide(vec![0; numbers as usize]),
        }
    }

    /// The codes of a run of numbers, cut into parts of so many; none if they are not in memory.
    pub(super) fn parts(&mut self, numbers: std::ops::Range<u64>, len: u64) -> Vec<Part<'_>> {
        let range = numbers.start as usize..numbers.end as usize;
        match self {
            Codes::Narrow(codes) => codes[range].chunks_mut(len as usize).map(Part::Narrow).collect(),
            Codes::Wide(codes) => codes[range].chunks_mut(len as usize).map(Part::Wide).collect(),
            Codes::Stored | Codes::Absent => Vec::new(),
        }
    }
}

/// Some consecutive codes, to be set.
pub(super) enum Part<'a> {
    Narrow(&'a mut [u8]),
    Wide(&'a mut [u16]),
}

impl Part<'_> {
    pub(super) fn set(&mut self, at: u64, code: usize) {
        match self {
            Part::Narrow(codes) => codes[at as usize] = code as u8,
            Part::Wide(codes) => codes[at as usize] = code as u16,
        }
    }
}

fn decode<C: Copy + Default + Send>(
    table: &FileTable,
    side: Color,
    narrow: impl Fn(u16) -> C + Sync,
) -> Result<Vec<C>, FormatError> {
    let mut all = vec![C::default(); table.positions() as usize];
    let slab_len = table.spec().slab_len() as usize;
    all.par_chunks_mut(slab_len).enumerate().try_for_each_init(Vec::new, |codes, (slab, out)| {
        table.slab_codes(side, slab, codes)?;
        for (out, &code) in out.iter_mut().zip(codes.iter()) {
            *out = narrow(code);
        }
        Ok(())
    })?;
    Ok(all)
}
