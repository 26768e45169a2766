//! A table that is open, with its place in the cache.

use std::sync::OnceLock;

use super::stripe_cache::{StripeCache, StripeKey};
use makruk_format::index::{FixedSquares, Layout};
use makruk_format::material::Orientation;
use makruk_format::value::{Distances, Value};
use makruk_format::{FileTable, FormatError, Listed, Storage, StripeAddress};
use makruk_rules::{Color, Position, Square};

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

/// A position's place in the blocks of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct StripePlace {
    pub(super) side: Color,
    pub(super) address: StripeAddress,
    pub(super) square: Square,
}

impl StripePlace {
    /// Its code, of stripes of which the last is its own.
    #[inline]
    fn last_code(self, stripes: &[[u16; 64]]) -> u16 {
        stripes.last().map_or(0, |stripe| stripe[self.square.index()])
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

    /// The stripe at a place; `None` if the side has no blocks.
    #[inline]
    pub(super) fn stripe_place(&self, &Place { side, slab, ref squares }: &Place) -> Option<StripePlace> {
        let (address, square) = self.table.stripe_of(side, slab, squares)?;
        Some(StripePlace { side, address, square })
    }

    /// The code at a place, if it is cached.
    #[inline]
    fn cached(&self, cache: &StripeCache, place: StripePlace) -> Option<u16> {
        if !self.is_cached(cache, place.side) {
            return None;
        }
        cache.get(self.key(place.side, place.address), place.square.index()).map(u16::from)
    }

    /// Caches stripes of a block, of which the last is that of a place.
    fn keep(&self, cache: &StripeCache, StripePlace { side, address, .. }: StripePlace, stripes: &[[u16; 64]]) {
        if self.is_cached(cache, side) {
            let first = address.stripe + 1 - stripes.len();
            for (stripe, codes) in (first..).zip(stripes) {
                cache.put(self.key(side, StripeAddress { stripe, ..address }), codes);
            }
        }
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
        if self.is_cached(cache, place.side)
            && let Some(place) = self.stripe_place(place)
        {
            if let Some(code) = self.cached(cache, place) {
                return Ok(code);
            }
            let stripes = self.table.stripe_codes(place.side, place.address)?;
            self.keep(cache, place, &stripes);
            return Ok(place.last_code(&stripes));
        }
        self.table.code(place.side, place.slab, &place.squares)
    }
}

impl TableHandle<Value> {
    /// The value of a code of a stripe.
    #[inline]
    pub(super) fn value_of_code(&self, place: StripePlace, code: u16) -> Result<Value, FormatError> {
        self.table.value_of_code(place.side, place.address.slab, code)
    }

    /// The codes of the stripes of a block up to a place. They are cached, and read whole if they can be.
    pub(super) fn read_stripes(
        &self,
        cache: &StripeCache,
        place: StripePlace,
        references: Option<&Vec<[u16; 64]>>,
        bytes: Option<&[u8]>,
    ) -> Result<Vec<[u16; 64]>, FormatError> {
        let square = if cache.keeps() { Square::LAST } else { place.square };
        let codes = self.table.read_stripes(place.side, (place.address, square), references, bytes)?;
        self.keep(cache, place, &codes);
        Ok(codes)
    }

    /// The distance at a place, if it is cached.
    #[inline]
    pub(super) fn cached_value(&self, cache: &StripeCache, place: StripePlace) -> Result<Option<Value>, FormatError> {
        self.cached(cache, place).map(|code| self.value_of_code(place, code)).transpose()
    }

    /// The distances at a place: DTM is in the table that this one refers to, which is open as `reference`, too.
    #[inline]
    pub(super) fn distances(
        &self,
        reference: &TableHandle<Value>,
        cache: &StripeCache,
        place: &Place,
    ) -> Result<Distances, FormatError> {
        let &Place { side, slab, ref squares } = place;
        let are_cached = self.is_cached(cache, side) && reference.is_cached(cache, side);
        let Some(place) = (if are_cached { self.stripe_place(place) } else { None }) else {
            return self.table.distances(side, slab, squares);
        };
        let read_dtm = || reference.read_stripes(cache, place, None, None);
        let mut stripes = None;
        let dtm = match reference.cached_value(cache, place)? {
            Some(dtm) => dtm,
            None => reference.value_of_code(place, place.last_code(stripes.insert(read_dtm()?)))?,
        };
        if dtm == Value::Draw {
            return Ok(Distances::DRAW);
        }
        if let Some(dtz) = self.cached_value(cache, place)? {
            return Ok(Distances { dtm, dtz });
        }
        let stripes = stripes.map_or_else(read_dtm, Ok)?;
        let dtz = place.last_code(&self.read_stripes(cache, place, Some(&stripes), None)?);
        Ok(Distances { dtm, dtz: self.value_of_code(place, dtz)? })
    }
}
