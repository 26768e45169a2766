//! All codes of one table in memory, and the values that they stand for.

use makruk_tables::format::{AnyValue, FileTable, FormatError, Listed, Storage, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::rules::{ByColor, Color};
use makruk_tables::tablebase::{TableError, TableId, TableKind, Tablebase};
use makruk_tables::value::{Bounds, Distances, Metric, Score, Value};

use crate::error::BuildError;
use crate::parallel::try_map;

/// The number of places that one thread checks at a time.
pub(super) const CHUNK_PLACES: u64 = 1 << 14;

/// The number of chunks between two calls of `progress`, which may not be called from rayon's threads.
pub(super) const BATCH_CHUNKS: usize = 64;

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

/// A kind of values that the check derives from distances.
pub(super) trait Checked: TableKind {
    /// The code that a table should have for a position with these distances; if its list lacks that, the value.
    fn code(values: &Values<'_, Self>, side: Color, distances: Distances) -> Result<u16, Self>;
}

impl Checked for Value {
    fn code(values: &Values<'_, Value>, side: Color, distances: Distances) -> Result<u16, Value> {
        let value = if values.metric == Metric::Dtm { distances.dtm } else { distances.dtz };
        values.list(side).code(value).ok_or(value)
    }
}

impl Checked for Bounds {
    fn code(values: &Values<'_, Bounds>, side: Color, distances: Distances) -> Result<u16, Bounds> {
        let score = Score::from(distances);
        values.list(side).class(score).ok_or(Bounds::exactly(score))
    }
}

/// A table, decoded.
pub(super) struct Values<'a, V> {
    table: &'a FileTable<V>,
    metric: Metric,
    layout: Layout,
    stored: &'a Tablebase,
    codes: ByColor<Codes>,
}

/// A table as the check reads it, with values of any kind.
pub(super) trait CheckedTable: Sync {
    /// The values of a side to move with the header's numbers of positions.
    fn entries(&self, side: Color) -> Vec<(AnyValue, u64)>;

    /// The value that a code stands for.
    fn value_of_code(&self, side: Color, code: usize) -> AnyValue;

    /// The code that the table has for the position at a number.
    fn found(&self, side: Color, number: u64) -> Result<usize, BuildError>;

    /// The code that the table should have for a position with these distances; if its list lacks that, the value.
    fn expected(&self, side: Color, distances: Distances) -> Result<usize, AnyValue>;

    /// Whether the values of a side are neither in the file nor derived yet.
    fn omits(&self, side: Color) -> bool;

    /// Sets the codes of a side that were derived.
    fn set(&mut self, side: Color, codes: Codes);
}

impl<V: Checked> CheckedTable for Values<'_, V> {
    fn entries(&self, side: Color) -> Vec<(AnyValue, u64)> {
        self.list(side).entries().iter().map(|&(value, positions)| (value.into(), positions)).collect()
    }

    fn value_of_code(&self, side: Color, code: usize) -> AnyValue {
        self.list(side).entries()[code].0.into()
    }

    fn found(&self, side: Color, number: u64) -> Result<usize, BuildError> {
        self.code(side, number)
    }

    fn expected(&self, side: Color, distances: Distances) -> Result<usize, AnyValue> {
        V::code(self, side, distances).map(usize::from).map_err(V::into)
    }

    fn omits(&self, side: Color) -> bool {
        matches!(self.codes[side], Codes::Absent)
    }

    fn set(&mut self, side: Color, codes: Codes) {
        self.codes[side] = codes;
    }
}

impl<'a, V: Checked> Values<'a, V> {
    pub(super) fn read(
        stored: &'a Tablebase,
        layout: &Layout,
        metric: Metric,
        reading: Reading,
    ) -> Result<Values<'a, V>, TableError> {
        let id = TableId { material: layout.material(), metric };
        let table = stored.table::<V>(id)?;
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
        Ok(Values { table, metric, layout: layout.clone(), stored, codes })
    }

    /// Room for the codes of a side.
    pub(super) fn zeros(&self, side: Color, numbers: u64) -> Codes {
        Codes::zeros(self.list(side).len(), numbers)
    }

    /// The code of a position of an omitted side with these distances.
    pub(super) fn derived_code(&self, side: Color, number: u64, distances: Distances) -> Result<usize, BuildError> {
        let code = V::code(self, side, distances).map(usize::from);
        // The reader derives the value, too, and explains that the list lacks it.
        code.or_else(|_| self.code(side, number))
    }

    fn list(&self, side: Color) -> &ValueList<V> {
        &self.table.spec().values[side]
    }

    /// The value of the position at a number.
    #[inline]
    pub(super) fn value(&self, side: Color, number: u64) -> Result<V, BuildError> {
        Ok(self.list(side).entries()[self.code(side, number)?].0)
    }

    #[inline]
    fn code(&self, side: Color, number: u64) -> Result<usize, BuildError> {
        Ok(match &self.codes[side] {
            Codes::Narrow(codes) => usize::from(codes[number as usize]),
            Codes::Wide(codes) => usize::from(codes[number as usize]),
            Codes::Stored => {
                let (slab, offset) = ((number / self.layout.slab_len()) as usize, number % self.layout.slab_len());
                let code = self.table.code(side, slab, &self.layout.squares_at(offset))?;
                // Before it becomes a place in the list.
                self.table.value_of_code(side, slab, code)?;
                usize::from(code)
            }
            Codes::Absent => match self.layout.position_at(side, number) {
                Some(position) => {
                    let value = self.stored.value_of::<V>(&position, self.metric)?;
                    usize::from(self.list(side).code(value).expect("the list has every value that is read"))
                }
                None => 0,
            },
        })
    }
}

impl Codes {
    /// Room for `numbers` codes into a list of `values` values.
    pub(super) fn zeros(values: usize, numbers: u64) -> Codes {
        match values {
            0..=256 => Codes::Narrow(vec![0; numbers as usize]),
            _ => Codes::Wide(vec![0; numbers as usize]),
        }
    }

    /// The codes of a run of numbers, cut into parts of `len`; none if they are not in memory.
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

fn decode<C: Copy + Default + Send, V: Listed>(
    table: &FileTable<V>,
    side: Color,
    narrow: impl Fn(u16) -> C + Sync,
) -> Result<Vec<C>, FormatError> {
    let mut all = vec![C::default(); table.positions() as usize];
    let slab_len = table.spec().slab_len() as usize;
    try_map(all.chunks_mut(slab_len).enumerate(), |(slab, out)| {
        let mut codes = Vec::new();
        table.slab_codes(side, slab, &mut codes)?;
        out.iter_mut().zip(codes).for_each(|(out, code)| *out = narrow(code));
        Ok(())
    })?;
    Ok(all)
}
