//! A table that is open, however its file is read.

use makruk_tables::format::ValueList;
use makruk_tables::format::{
    FormatError, MappedTable, Metric, PositionalTable, Source, Storage, Table, TableFolder, Value, WatchedTable,
};
use makruk_tables::index::{FixedSquares, Layout};
use makruk_tables::material::Orientation;
use makruk_tables::rules::{Color, Position, Square};

use crate::access::Access;
use crate::cache::{BoardCache, BoardKey};

#[derive(Debug)]
enum AnyTable {
    Mapped(MappedTable),
    Watched(WatchedTable),
    Positional(PositionalTable),
}

/// Says the same of a table of any kind.
macro_rules! each {
    ($any:expr, $table:ident => $what:expr) => {
        match &$any {
            AnyTable::Mapped($table) => $what,
            AnyTable::Watched($table) => $what,
            AnyTable::Positional($table) => $what,
        }
    };
}

#[derive(Debug)]
pub struct OpenTable {
    table: AnyTable,
    layout: Layout,
    number: u16,
}

/// A position's place in its set's tables.
pub struct Place {
    side: Color,
    slab: usize,
    men: FixedSquares,
}

impl OpenTable {
    /// Opens a set's table, which is to have this number.
    pub fn open(
        folder: &TableFolder,
        layout: Layout,
        metric: Metric,
        access: Access,
        number: u16,
    ) -> Result<OpenTable, FormatError> {
        let table = match access {
            Access::Mapped => AnyTable::Mapped(folder.open_set(&layout, metric)?),
            Access::Watched => AnyTable::Watched(folder.open_watched(&layout, metric)?),
            Access::Positional => AnyTable::Positional(folder.open_positional(&layout, metric)?),
        };
        Ok(OpenTable { table, layout, number })
    }

    pub fn rules(&self) -> &str {
        each!(self.table, table => &table.spec().rules)
    }

    #[inline]
    pub fn storage(&self, side: Color) -> Storage {
        each!(self.table, table => table.storage(side))
    }

    /// The values that occur in a side.
    pub fn values(&self, side: Color) -> &ValueList {
        each!(self.table, table => &table.spec().values[side])
    }

    /// The codes of a side's slab, by offset; those of what is no legal position mean nothing.
    pub fn slab_codes(&self, side: Color, slab: usize, codes: &mut Vec<u16>) -> Result<(), FormatError> {
        let len = self.layout.slab_len();
        let start = slab as u64 * len;
        each!(self.table, table => table.decode_codes(side, start..start + len, codes))
    }

    /// As [`OpenTable::slab_codes`], with those of the table that this one refers to first.
    pub fn slab_pairs(
        &self,
        side: Color,
        slab: usize,
        first: &mut Vec<u16>,
        second: &mut Vec<u16>,
    ) -> Result<(), FormatError> {
        each!(self.table, table => table.decode_pair(side, slab, first, second))
    }

    /// Does the table refer to another?
    pub fn refers(&self) -> bool {
        each!(self.table, table => table.reference().is_some())
    }

    #[inline]
    pub fn place(&self, position: &Position, orientation: Orientation) -> Option<Place> {
        let placement = self.layout.placement(position.board(), orientation)?;
        let (slab, transform) = self.layout.kings().fold(placement.kings)?;
        let mut men = placement.men;
        men.iter_mut().for_each(|square: &mut Square| *square = transform.square(*square));
        Some(Place { side: orientation.color(position.turn()), slab, men })
    }

    /// The value at a place, by way of the cache if that keeps anything.
    #[inline]
    pub fn value(&self, cache: &BoardCache, place: &Place) -> Result<Value, FormatError> {
        each!(self.table, table => value(table, self.number, cache, place))
    }

    /// Does the table refer, with blocks of a side, to another's?
    #[inline]
    pub fn refers_in_blocks(&self, side: Color) -> bool {
        each!(self.table, table => {
            table.storage(side) == Storage::Blocks
                && table.reference().is_some_and(|reference| reference.storage(side) == Storage::Blocks)
        })
    }

    /// The values at a place in the table that this one refers to, which is `referred`, and in this one.
    #[inline]
    pub fn pair(&self, referred: &OpenTable, cache: &BoardCache, place: &Place) -> Result<(Value, Value), FormatError> {
        each!(self.table, table => pair(table, [referred.number, self.number], cache, place))
    }
}

/// Are a side's boards kept? The cache's codes are bytes.
#[inline]
fn keeps<B: Source>(table: &Table<B>, cache: &BoardCache, side: Color) -> bool {
    cache.keeps() && table.spec().values[side].len() <= 256
}

#[inline]
fn value<B: Source>(table: &Table<B>, number: u16, cache: &BoardCache, place: &Place) -> Result<Value, FormatError> {
    let &Place { side, slab, ref men } = place;
    if !keeps(table, cache, side) {
        return table.value_at(side, slab, men);
    }
    let Some((board, square)) = table.board_of(side, slab, men) else { return table.value_at(side, slab, men) };
    let key = |board| BoardKey { table: number, side, board };
    if let Some(code) = cache.get(key(board), square.index()) {
        return table.value_of(side, board, code.into());
    }
    let mut code = 0;
    table.board_codes(side, board, |board, codes| {
        cache.put(key(board), codes);
        code = codes[square.index()];
    })?;
    table.value_of(side, board, code)
}

#[inline]
fn pair<B: Source>(
    table: &Table<B>,
    numbers: [u16; 2],
    cache: &BoardCache,
    place: &Place,
) -> Result<(Value, Value), FormatError> {
    let &Place { side, slab, ref men } = place;
    let Some(reference) =
        table.reference().filter(|reference| keeps(table, cache, side) && keeps(reference, cache, side))
    else {
        return table.pair_at(side, slab, men);
    };
    let Some((board, square)) = table.board_of(side, slab, men) else { return table.pair_at(side, slab, men) };
    let key = |table, board| BoardKey { table: numbers[table], side, board };
    let values =
        |first: u16, second: u16| Ok((reference.value_of(side, board, first)?, table.value_of(side, board, second)?));
    if let Some(first) = cache.get(key(0, board), square.index()) {
        let first = u16::from(first);
        if reference.value_of(side, board, first)? == Value::Draw {
            return Ok((Value::Draw, Value::Draw));
        }
        if let Some(second) = cache.get(key(1, board), square.index()) {
            return values(first, second.into());
        }
    }
    let mut codes = (0, 0);
    table.board_pairs(side, board, |board, first, second| {
        cache.put(key(0, board), first);
        cache.put(key(1, board), second);
        codes = (first[square.index()], second[square.index()]);
    })?;
    values(codes.0, codes.1)
}
