//! A table that is open, with its place in the cache.

use super::stripe_cache::{StripeCache, StripeKey};
use crate::format::{FileTable, FormatError, StripeAddress};
use crate::index::{FixedSquares, Layout};
use crate::material::Orientation;
use crate::rules::{Color, Position, Square};
use crate::value::{SearchValue, Value};

/// An open table.
#[derive(Debug)]
pub(super) struct TableHandle {
    pub(super) table: FileTable,
    layout: Layout,
    /// Its number in the cache's keys.
    number: u16,
}

/// A position's address in its material's tables.
pub(super) struct Place {
    pub(super) side: Color,
    pub(super) slab: usize,
    pub(super) squares: FixedSquares,
}

impl Place {
    #[inline]
    pub(super) fn of(layout: &Layout, position: &Position, orientation: Orientation) -> Option<Place> {
        let placement = layout.placement(position.board(), orientation)?;
        let (slab, transform) = layout.kings().fold(placement.kings)?;
        let mut squares = placement.men;
        squares.iter_mut().for_each(|square: &mut Square| *square = transform.square(*square));
        Some(Place { side: orientation.color(position.turn()), slab, squares })
    }
}

impl TableHandle {
    pub(super) fn new(table: FileTable, layout: Layout, number: u16) -> TableHandle {
        TableHandle { table, layout, number }
    }

    #[inline]
    pub(super) fn place(&self, position: &Position, orientation: Orientation) -> Option<Place> {
        Place::of(&self.layout, position, orientation)
    }

    /// Was everything that the value at a place needs read before?
    pub(super) fn was_read(&self, cache: &StripeCache, place: &Place) -> Result<bool, FormatError> {
        let &Place { side, slab, ref squares } = place;
        if self.is_cached(cache, side)
            && let Some((address, square)) = self.table.stripe_of(side, slab, squares)
            && cache.get(self.key(side, address), square.index()).is_some()
        {
            return Ok(true);
        }
        self.table.was_read(side, slab, squares)
    }

    /// The stripe of a position whose side is stored in blocks.
    pub(super) fn address(&self, position: &Position, orientation: Orientation) -> Option<StripeAddress> {
        let Place { side, slab, squares } = self.place(position, orientation)?;
        self.table.stripe_of(side, slab, &squares).map(|(address, _)| address)
    }

    /// Are a side's stripes cached? The cache's codes are bytes.
    #[inline]
    fn is_cached(&self, cache: &StripeCache, side: Color) -> bool {
        cache.keeps() && self.table.spec().values[side].len() <= 256
    }

    #[inline]
    fn key(&self, side: Color, address: StripeAddress) -> StripeKey {
        let stripe = address.slab as u64 * self.table.stripes(side) as u64 + address.stripe as u64;
        StripeKey { table: self.number, side, stripe }
    }

    /// The value at a place, by way of the cache if that keeps anything.
    #[inline]
    pub(super) fn value(&self, cache: &StripeCache, place: &Place) -> Result<Value, FormatError> {
        self.table.value_of_code(place.side, place.slab, self.code(cache, place)?)
    }

    /// The value at a place of a search table, by way of the cache if that keeps anything.
    #[inline]
    pub(super) fn search_value(&self, cache: &StripeCache, place: &Place) -> Result<SearchValue, FormatError> {
        self.table.search_value_of_code(place.side, place.slab, self.code(cache, place)?)
    }

    /// The code at a place, by way of the cache if that keeps anything.
    #[inline]
    fn code(&self, cache: &StripeCache, place: &Place) -> Result<u16, FormatError> {
        let &Place { side, slab, ref squares } = place;
        let table = &self.table;
        if !self.is_cached(cache, side) {
            return table.code(side, slab, squares);
        }
        let Some((address, square)) = table.stripe_of(side, slab, squares) else {
            return table.code(side, slab, squares);
        };
        if let Some(code) = cache.get(self.key(side, address), square.index()) {
            return Ok(code.into());
        }
        let mut code = 0;
        table.stripe_codes(side, address, |address, codes| {
            cache.put(self.key(side, address), codes);
            code = codes[square.index()];
        })?;
        Ok(code)
    }

    /// The values at a place in the table that this one refers to, which is open as `reference` too, and in this one.
    #[inline]
    pub(super) fn value_pair(
        &self,
        reference: &TableHandle,
        cache: &StripeCache,
        place: &Place,
    ) -> Result<(Value, Value), FormatError> {
        let &Place { side, slab, ref squares } = place;
        let table = &self.table;
        let (Some(referred), true) = (table.reference(), self.is_cached(cache, side)) else {
            return table.value_pair(side, slab, squares);
        };
        if referred.spec().values[side].len() > 256 {
            return table.value_pair(side, slab, squares);
        }
        let Some((address, square)) = table.stripe_of(side, slab, squares) else {
            return table.value_pair(side, slab, squares);
        };
        let values = |first: u16, second: u16| {
            Ok((referred.value_of_code(side, slab, first)?, table.value_of_code(side, slab, second)?))
        };
        if let Some(first) = cache.get(reference.key(side, address), square.index()) {
            let first = u16::from(first);
            if referred.value_of_code(side, slab, first)? == Value::Draw {
                return Ok((Value::Draw, Value::Draw));
            }
            if let Some(second) = cache.get(self.key(side, address), square.index()) {
                return values(first, second.into());
            }
        }
        let mut codes = (0, 0);
        table.stripe_code_pairs(side, address, |address, first, second| {
            cache.put(reference.key(side, address), first);
            cache.put(self.key(side, address), second);
            codes = (first[square.index()], second[square.index()]);
        })?;
        values(codes.0, codes.1)
    }
}
