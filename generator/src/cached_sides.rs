//! Sides whose slabs are read once.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use makruk_format::index::{Layout, SlabPart};
use makruk_format::lock;
use makruk_rules::Color;
use makruk_tables::material::Material;
use makruk_tables::tablebase::{ReadCost, SideReader, SideSource, TableError, TableId};
use makruk_tables::value::{Metric, Value};

use crate::allowance::Allowance;

/// Sides of tables. Whole slabs of those that are read often are cached, as far as an allowance of bytes goes.
///
/// Of each side the cache holds one metric. When another one is asked for, the slabs of the one before are dropped,
/// because solvers never come back to a metric.
pub struct CachedSides<'a> {
    source: &'a dyn SideSource,
    is_worth_caching: fn(TableId, ReadCost) -> bool,
    /// The bytes that slabs may still take, of all sides together.
    allowance: Arc<Allowance>,
    sides: Mutex<HashMap<(Material, Color), OneMetric>>,
}

/// The metric that is cached, and its side.
type OneMetric = (Metric, Arc<dyn SideReader>);

impl<'a> CachedSides<'a> {
    /// A cache of at most `bytes` over the sides of a source, of those that are worth caching.
    pub fn new(
        source: &'a dyn SideSource,
        bytes: u64,
        is_worth_caching: fn(TableId, ReadCost) -> bool,
    ) -> CachedSides<'a> {
        let allowance = Arc::new(Allowance::new(bytes));
        CachedSides { source, is_worth_caching, allowance, sides: Mutex::default() }
    }

    /// Bytes that slabs may still take.
    pub fn bytes_left(&self) -> u64 {
        self.allowance.left()
    }
}

impl SideSource for CachedSides<'_> {
    fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        let mut sides = lock(&self.sides);
        let key = (id.material, side);
        if let Some((metric, reader)) = sides.get(&key)
            && *metric == id.metric
        {
            return Ok(Arc::clone(reader));
        }
        let mut reader = self.source.side(id, side)?;
        let cost = reader.read_cost();
        if cost != ReadCost::Copy && (self.is_worth_caching)(id, cost) {
            reader = Arc::new(CachedSide::new(reader, id.material, Arc::clone(&self.allowance)));
        }
        sides.insert(key, (id.metric, Arc::clone(&reader)));
        Ok(reader)
    }
}

impl fmt::Debug for CachedSides<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedSides").field("bytes_left", &self.bytes_left()).finish_non_exhaustive()
    }
}

/// A side whose slabs are read once. The first reader of a slab reads it, others wait for it.
struct CachedSide {
    reader: Arc<dyn SideReader>,
    slabs: Vec<Mutex<Option<Box<[u16]>>>>,
    allowance: Arc<Allowance>,
    /// Bytes that the slabs take.
    taken: AtomicU64,
}

impl CachedSide {
    fn new(reader: Arc<dyn SideReader>, material: Material, allowance: Arc<Allowance>) -> CachedSide {
        let slabs = (0..Layout::new(material).slabs()).map(|_| Mutex::default()).collect();
        CachedSide { reader, slabs, allowance, taken: AtomicU64::new(0) }
    }

    /// Whether the allowance has room for these codes, which is taken then.
    fn takes(&self, codes: usize) -> bool {
        let bytes = (codes * size_of::<u16>()) as u64;
        let has_room = self.allowance.take(bytes);
        self.taken.fetch_add(if has_room { bytes } else { 0 }, Ordering::Relaxed);
        has_room
    }
}

impl SideReader for CachedSide {
    fn values(&self) -> &[Value] {
        self.reader.values()
    }

    fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError> {
        let Some(place) = self.slabs.get(slab) else { return self.reader.slab(slab, codes) };
        let mut cached = lock(place);
        if let Some(known) = &*cached {
            codes.clear();
            codes.extend_from_slice(known);
            return Ok(());
        }
        self.reader.slab(slab, codes)?;
        if self.takes(codes.len()) {
            *cached = Some(codes.as_slice().into());
        }
        Ok(())
    }

    fn part(&self, slab: usize, part: SlabPart, codes: &mut Vec<u16>) -> Result<(), TableError> {
        self.reader.part(slab, part, codes)
    }

    fn has_cheap_parts(&self, axis: usize) -> bool {
        self.reader.has_cheap_parts(axis)
    }

    /// Reading a cached slab is a copy, so a cache over this side does not cache it again.
    fn read_cost(&self) -> ReadCost {
        ReadCost::Copy
    }
}

impl Drop for CachedSide {
    fn drop(&mut self) {
        self.allowance.give_back(*self.taken.get_mut());
    }
}

impl fmt::Debug for CachedSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedSide").field("reader", &self.reader).finish_non_exhaustive()
    }
}
