//! Sides whose slabs are read once.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::error::TableError;
use super::lock::lock;
use super::side::{ReadCost, SideReader, SideSource};
use crate::format::TableId;
use crate::index::{Layout, SlabPart};
use crate::material::Material;
use crate::rules::{Color, Position};
use crate::value::{Metric, Value};

/// Sides of tables, with whole slabs of those that are worth it cached, and the parts of slabs of all, as far as a budget of bytes
/// goes.
///
/// Of each side the cache holds one metric: with the next one that is asked for, the slabs of the one before are dropped,
/// because solvers never come back to a metric.
pub struct CachedSides<'a> {
    source: &'a dyn SideSource,
    is_worth_caching: fn(TableId, ReadCost) -> bool,
    budget: Arc<Budget>,
    sides: Mutex<HashMap<(Material, Color), OneMetric>>,
}

/// The metric that is cached, and its side.
type OneMetric = (Metric, Arc<dyn SideReader>);

/// Bytes that slabs may still take, of all sides together.
#[derive(Debug)]
struct Budget(AtomicU64);

impl Budget {
    /// Takes bytes from the budget, if it has enough left.
    fn take(&self, bytes: u64) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }

    fn give_back(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

impl<'a> CachedSides<'a> {
    /// A cache of at most `bytes` over the sides of a source, of those that are worth caching.
    pub fn new(
        source: &'a dyn SideSource,
        bytes: u64,
        is_worth_caching: fn(TableId, ReadCost) -> bool,
    ) -> CachedSides<'a> {
        let budget = Arc::new(Budget(AtomicU64::new(bytes)));
        CachedSides { source, is_worth_caching, budget, sides: Mutex::default() }
    }

    /// Bytes that slabs may still take.
    pub fn bytes_left(&self) -> u64 {
        self.budget.0.load(Ordering::Relaxed)
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
        if cost != ReadCost::Copy {
            let keeps_slabs = (self.is_worth_caching)(id, cost);
            reader = Arc::new(CachedSide::new(reader, id.material, keeps_slabs, Arc::clone(&self.budget)));
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

/// A side whose slabs, and whose parts of slabs, are read once. The first reader of a slab reads it, others wait for it.
struct CachedSide {
    reader: Arc<dyn SideReader>,
    layout: Layout,
    keeps_slabs: bool,
    slabs: Vec<Mutex<CachedSlab>>,
    budget: Arc<Budget>,
    /// Bytes that the slabs take.
    taken: AtomicU64,
}

/// The cached parts of a slab.
#[derive(Default)]
struct CachedSlab {
    whole: Option<Box<[u16]>>,
    /// The codes of parts, without those between.
    parts: Vec<(SlabPart, Box<[u16]>)>,
}

impl CachedSlab {
    /// Copies the whole slab, if it is cached.
    fn copy_whole(&self, codes: &mut Vec<u16>) -> bool {
        let Some(whole) = &self.whole else { return false };
        codes.clear();
        codes.extend_from_slice(whole);
        true
    }
}

impl CachedSide {
    fn new(reader: Arc<dyn SideReader>, material: Material, keeps_slabs: bool, budget: Arc<Budget>) -> CachedSide {
        let layout = Layout::new(material);
        let slabs = (0..layout.slabs()).map(|_| Mutex::default()).collect();
        CachedSide { reader, layout, keeps_slabs, slabs, budget, taken: AtomicU64::new(0) }
    }

    /// Whether the budget has room for these codes, which is taken then.
    fn takes(&self, codes: usize) -> bool {
        let bytes = (codes * size_of::<u16>()) as u64;
        let has_room = self.budget.take(bytes);
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
        if cached.copy_whole(codes) {
            return Ok(());
        }
        self.reader.slab(slab, codes)?;
        if self.keeps_slabs && self.takes(codes.len()) {
            cached.whole = Some(codes.as_slice().into());
        }
        Ok(())
    }

    fn part(&self, slab: usize, part: SlabPart, codes: &mut Vec<u16>) -> Result<(), TableError> {
        let Some(place) = self.slabs.get(slab) else { return self.reader.part(slab, part, codes) };
        let mut cached = lock(place);
        if cached.copy_whole(codes) {
            return Ok(());
        }
        let offsets = part.offsets(&self.layout);
        if let Some((_, kept)) = cached.parts.iter().find(|(known, _)| *known == part) {
            codes.clear();
            codes.resize(self.layout.slab_len() as usize, 0);
            let mut kept = &kept[..];
            for range in offsets {
                let (here, rest) = kept.split_at(range.len());
                codes[range].copy_from_slice(here);
                kept = rest;
            }
            return Ok(());
        }
        self.reader.part(slab, part, codes)?;
        if self.takes(offsets.iter().map(Range::len).sum()) {
            let kept: Vec<u16> = offsets.into_iter().flat_map(|range| &codes[range]).copied().collect();
            cached.parts.push((part, kept.into()));
        }
        Ok(())
    }

    fn has_cheap_parts(&self, axis: usize) -> bool {
        self.reader.has_cheap_parts(axis)
    }

    fn value(&self, position: &Position) -> Result<Value, TableError> {
        self.reader.value(position)
    }

    /// Reading a cached slab is a copy, so a cache over this side does not cache it again.
    fn read_cost(&self) -> ReadCost {
        ReadCost::Copy
    }
}

impl Drop for CachedSide {
    fn drop(&mut self) {
        self.budget.give_back(*self.taken.get_mut());
    }
}

impl fmt::Debug for CachedSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedSide").field("reader", &self.reader).finish_non_exhaustive()
    }
}
