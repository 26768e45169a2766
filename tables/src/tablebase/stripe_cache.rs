//! Decoded stripes, kept in memory.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering, fence};

use makruk_rules::Color;

/// The address of a stripe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StripeKey {
    /// The table's number in its tablebase.
    pub(super) table: u16,
    /// The side to move, in the colours of the material's name.
    pub(super) side: Color,
    /// The stripe's number within that side, below 2^47.
    pub(super) stripe: u64,
}

impl StripeKey {
    /// The key as a number that is not 0.
    #[inline]
    fn number(self) -> u64 {
        (u64::from(self.table) + 1) << 48 | (self.side as u64) << 47 | self.stripe & ((1 << 47) - 1)
    }
}

/// Words of a stripe's codes: 64 of a byte each.
const WORDS: usize = 8;
/// Stripes of a bucket.
const WAYS: usize = 4;
/// The number of neighbouring sets for stripes with consecutive numbers, which come from one block or are read
/// together.
const NEAR: u64 = 8;

/// The key of the stripe in a place. The version is odd while a thread writes, so that readers notice that they may
/// have read parts of two stripes.
#[derive(Debug, Default)]
struct Tag {
    version: AtomicU64,
    key: AtomicU64,
}

/// Places for some stripes. Their keys share a cache line; each stripe has another.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Set {
    tags: [Tag; WAYS],
    codes: [[AtomicU64; WORDS]; WAYS],
}

/// A bounded collection of stripes, for many threads. No thread waits: a place that is being written counts as a miss.
/// Each stripe has one set, in which a new stripe replaces the one that was written longest ago.
#[derive(Debug)]
pub(super) struct StripeCache {
    sets: Box<[Set]>,
    seed: u64,
    /// The number of places that hold a stripe.
    filled: AtomicU64,
    counts: [Counts; COUNTERS],
}

/// The use of a cache of decoded stripes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Requests for stripes that were cached.
    pub hits: u64,
    /// Requests for stripes that had to be decoded.
    pub misses: u64,
    /// Bytes of the cached stripes.
    pub bytes: usize,
}

/// The number of counters, so that threads seldom share one.
const COUNTERS: usize = 16;

/// Counts of a part of the slots, on a separate cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Counts {
    hits: AtomicU64,
    misses: AtomicU64,
}

impl StripeCache {
    /// A cache of at most this number of bytes; with room for less than [`NEAR`] sets it caches nothing.
    pub(super) fn new(max_bytes: usize) -> StripeCache {
        let mut groups = max_bytes / size_of::<Set>() / NEAR as usize;
        let mut sets = Vec::new();
        // A process that may not have so much memory gets a smaller cache, and keeps some for the rest.
        while sets.try_reserve_exact(groups * NEAR as usize).is_err() {
            groups /= 4;
        }
        sets.extend((0..groups * NEAR as usize).map(|_| Set::default()));
        let sets = sets.into_boxed_slice();
        let seed = RandomState::new().hash_one(0) | 1;
        StripeCache { sets, seed, filled: AtomicU64::new(0), counts: Default::default() }
    }

    /// The bound in bytes, rounded down to whole groups of buckets.
    pub(super) fn max_bytes(&self) -> usize {
        size_of_val(&*self.sets)
    }

    /// Whether it can hold a stripe.
    #[inline]
    pub(super) fn keeps(&self) -> bool {
        !self.sets.is_empty()
    }

    #[inline]
    fn set(&self, key: u64) -> Option<&Set> {
        // Neighbours in the index have neighbouring numbers, so the hash must depend on all bits.
        let mut hash = (key / NEAR).wrapping_mul(self.seed);
        hash = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let group = (u128::from(hash) * u128::from(self.sets.len() as u64 / NEAR)) >> 64;
        self.sets.get(group as usize * NEAR as usize + (key % NEAR) as usize)
    }

    /// The code of a cell of a stripe, if the stripe is cached.
    #[inline]
    pub(super) fn get(&self, key: StripeKey, cell: usize) -> Option<u8> {
        let key = key.number();
        let set = self.set(key)?;
        let counts = &self.counts[key as usize % COUNTERS];
        for (tag, codes) in set.tags.iter().zip(&set.codes) {
            if tag.key.load(Ordering::Relaxed) != key {
                continue;
            }
            let version = tag.version.load(Ordering::Acquire);
            let found = tag.key.load(Ordering::Relaxed);
            let word = codes.get(cell / 8)?.load(Ordering::Relaxed);
            fence(Ordering::Acquire);
            if version.is_multiple_of(2) && tag.version.load(Ordering::Relaxed) == version && found == key {
                counts.hits.fetch_add(1, Ordering::Relaxed);
                return Some((word >> (cell % 8 * 8)) as u8);
            }
        }
        counts.misses.fetch_add(1, Ordering::Relaxed);
        None
    }

    /// The use so far.
    pub(super) fn counts(&self) -> CacheCounts {
        let sum =
            |of: fn(&Counts) -> &AtomicU64| self.counts.iter().map(|counts| of(counts).load(Ordering::Relaxed)).sum();
        CacheCounts {
            hits: sum(|counts| &counts.hits),
            misses: sum(|counts| &counts.misses),
            bytes: self.filled.load(Ordering::Relaxed) as usize * (size_of::<Set>() / WAYS),
        }
    }

    /// Caches a stripe whose codes are below 256.
    pub(super) fn put(&self, key: StripeKey, codes: &[u16; 64]) {
        let key = key.number();
        let Some(set) = self.set(key) else { return };
        // Each write raises a version by two, so the places take turns.
        let written: u64 = set.tags.iter().map(|tag| tag.version.load(Ordering::Relaxed) / 2).sum();
        let known = set.tags.iter().position(|tag| tag.key.load(Ordering::Relaxed) == key);
        let way = known.unwrap_or(written as usize % WAYS);
        let (tag, place) = (&set.tags[way], &set.codes[way]);
        let version = tag.version.load(Ordering::Relaxed);
        if version % 2 == 1
            || tag.version.compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        if tag.key.swap(key, Ordering::Relaxed) == 0 {
            self.filled.fetch_add(1, Ordering::Relaxed);
        }
        for (word, codes) in place.iter().zip(codes.chunks_exact(8)) {
            word.store(codes.iter().rev().fold(0, |word, &code| word << 8 | u64::from(code & 0xff)), Ordering::Relaxed);
        }
        tag.version.store(version + 2, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(board: u64) -> StripeKey {
        StripeKey { table: 1, side: Color::White, stripe: board }
    }

    fn codes(board: u64) -> [u16; 64] {
        std::array::from_fn(|cell| ((board * 31 + cell as u64) % 256) as u16)
    }

    #[test]
    fn what_is_kept_is_found_and_nothing_else() {
        let cache = StripeCache::new(256 * size_of::<Set>());
        assert_eq!(cache.get(key(0), 0), None, "an empty place has no stripe");
        for board in 0..5000 {
            cache.put(key(board), &codes(board));
            for cell in [0, 7, 8, 63] {
                assert_eq!(cache.get(key(board), cell), Some(codes(board)[cell] as u8));
            }
            let other = StripeKey { side: Color::Black, ..key(board) };
            assert_eq!(cache.get(other, 0), None);
            assert_eq!(cache.get(StripeKey { table: 2, ..key(board) }, 0), None);
        }
        let kept = (0..5000).filter(|&board| cache.get(key(board), 5).is_some()).count();
        assert!((768..=1024).contains(&kept), "{kept} of at most 1024");
    }

    #[test]
    fn no_room_keeps_nothing() {
        for bytes in [0, NEAR as usize * size_of::<Set>() - 1] {
            let cache = StripeCache::new(bytes);
            cache.put(key(1), &codes(1));
            assert!(!cache.keeps() && cache.get(key(1), 0).is_none());
        }
    }

    #[test]
    fn many_threads_never_see_parts_of_two_boards() {
        let cache = StripeCache::new(NEAR as usize * size_of::<Set>());
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    for n in 0..50_000u64 {
                        let board = (n * 7 + thread) % 41;
                        let cell = (n % 64) as usize;
                        match cache.get(key(board), cell) {
                            Some(code) => assert_eq!(u16::from(code), codes(board)[cell]),
                            None => cache.put(key(board), &codes(board)),
                        }
                    }
                });
            }
        });
    }
}
