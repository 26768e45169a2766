//! A table that is open, with its place in the cache.

use std::sync::OnceLock;

use super::stripe_cache::{StripeCache, StripeKey};
use crate::format::{FileTable, FormatError, JointRead, Listed, Storage, StripeAddress};
use crate::index::{FixedSquares, Layout};
use crate::material::Orientation;
use crate::rules::{Color, Position, Square};
use crate::value::{Distances, Value};

/// An open table.
#[derive(Debug)]
pub struct TableHandle<V> {
    pub(super) table: FileTable<V>,
    pub(super) layout: Layout,
    /// Its number in the cache's keys.
    number: u16,
    /// Whether the material's category table could be opened when it was first of use.
    pub(super) has_category: OnceLock<bool>,
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

impl<V: Listed> TableHandle<V> {
    pub(super) fn new(table: FileTable<V>, layout: Layout, number: u16) -> TableHandle<V> {
        TableHandle { table, layout, number, has_category: OnceLock::new() }
    }

    /// Whether the file omits a side to move.
    #[inline]
    pub(super) fn omits(&self, side: Color) -> bool {
        self.table.storage(side) == Storage::Absent
    }

    /// Whether a side's stripes are cached. The cache's codes are bytes.
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
    pub(super) fn value(&self, cache: &StripeCache, place: &Place) -> Result<V, FormatError> {
        self.table.value_of_code(place.side, place.slab, self.code(cache, place)?)
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
}

impl TableHandle<Value> {
    /// DTM at a place, in the table that this one refers to, which is open as `reference` too. With it comes what DTZ
    /// needs besides, unless DTM was cached.
    #[inline]
    pub(super) fn read_dtm(
        &self,
        reference: &TableHandle<Value>,
        cache: &StripeCache,
        place: &Place,
    ) -> Result<(Value, Option<JointRead>), FormatError> {
        let &Place { side, slab, ref squares } = place;
        let stripe = if reference.is_cached(cache, side) { self.table.stripe_of(side, slab, squares) } else { None };
        if let Some((address, square)) = stripe
            && let Some(code) = cache.get(reference.key(side, address), square.index())
        {
            return Ok((reference.table.value_of_code(side, slab, code.into())?, None));
        }
        let (dtm, read) = self.table.read_dtm(side, slab, squares, cache.keeps())?;
        if let Some((address, _)) = stripe {
            reference.keep(cache, side, address, read.stripes());
        }
        Ok((dtm, Some(read)))
    }

    /// DTZ at a place where DTM was read.
    #[inline]
    pub(super) fn read_dtz(&self, cache: &StripeCache, place: &Place, read: &JointRead) -> Result<Value, FormatError> {
        let &Place { side, slab, ref squares } = place;
        self.table.read_dtz(side, slab, read, |stripes| {
            if self.is_cached(cache, side)
                && let Some((address, _)) = self.table.stripe_of(side, slab, squares)
            {
                self.keep(cache, side, address, stripes);
            }
        })
    }

    /// Caches stripes of a block, of which the last has this address.
    fn keep(&self, cache: &StripeCache, side: Color, last: StripeAddress, stripes: &[[u16; 64]]) {
        let first = last.stripe + 1 - stripes.len();
        for (stripe, codes) in (first..).zip(stripes) {
            cache.put(self.key(side, StripeAddress { stripe, ..last }), codes);
        }
    }

    /// The distances at a place: DTM is in the table that this one refers to, which is open as `reference` too.
    #[inline]
    pub(super) fn distances(
        &self,
        reference: &TableHandle<Value>,
        cache: &StripeCache,
        place: &Place,
    ) -> Result<Distances, FormatError> {
        let &Place { side, slab, ref squares } = place;
        let table = &self.table;
        let (Some(referred), true) = (table.reference(), self.is_cached(cache, side)) else {
            return table.distances(side, slab, squares);
        };
        if referred.spec().values[side].len() > 256 {
            return table.distances(side, slab, squares);
        }
        let Some((address, square)) = table.stripe_of(side, slab, squares) else {
            return table.distances(side, slab, squares);
        };
        let distances = |first: u16, second: u16| {
            let dtm = referred.value_of_code(side, slab, first)?;
            Ok(Distances { dtm, dtz: table.value_of_code(side, slab, second)? })
        };
        if let Some(first) = cache.get(reference.key(side, address), square.index()) {
            let first = u16::from(first);
            if referred.value_of_code(side, slab, first)? == Value::Draw {
                return Ok(Distances::DRAW);
            }
            if let Some(second) = cache.get(self.key(side, address), square.index()) {
                return distances(first, second.into());
            }
        }
        let mut codes = (0, 0);
        table.stripe_code_pairs(side, address, |address, first, second| {
            cache.put(reference.key(side, address), first);
            cache.put(self.key(side, address), second);
            codes = (first[square.index()], second[square.index()]);
        })?;
        distances(codes.0, codes.1)
    }
}
