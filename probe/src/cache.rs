//! Decoded blocks, kept in memory.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use makruk_tables::rules::Color;

/// Which block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BlockKey {
    /// The table's number in the folder.
    pub(crate) table: u32,
    /// The side to move, in the set's colours.
    pub(crate) side: Color,
    /// The block's number within that side.
    pub(crate) block: u64,
}

/// Most shards: as many threads can look something up at once.
const MAX_SHARDS: usize = 16;
/// Bytes below which a shard is not worth having.
const MIN_SHARD_BYTES: usize = 1 << 20;
/// What a block costs besides its codes, in bytes: the entry in map and ring, the vector and its counter.
const OVERHEAD_BYTES: usize = 128;

/// A bounded set of blocks, for many threads. Each shard lets go of blocks that were not asked for since it last looked
/// at them, the oldest first ("second chance").
#[derive(Debug)]
pub(crate) struct BlockCache {
    shards: Vec<Mutex<Shard>>,
    hasher: RandomState,
}

#[derive(Debug)]
struct Shard {
    slots: HashMap<BlockKey, Slot>,
    ring: VecDeque<BlockKey>,
    bytes: usize,
    max_bytes: usize,
    counts: CacheCounts,
}

#[derive(Debug)]
struct Slot {
    codes: Arc<[u8]>,
    used: bool,
}

impl BlockCache {
    /// A cache of at most so many bytes; 0 keeps nothing.
    pub(crate) fn new(max_bytes: usize) -> BlockCache {
        let shards = (max_bytes / MIN_SHARD_BYTES).clamp(1, MAX_SHARDS);
        let shard = || {
            Mutex::new(Shard {
                slots: HashMap::new(),
                ring: VecDeque::new(),
                bytes: 0,
                max_bytes: max_bytes / shards,
                counts: CacheCounts::default(),
            })
        };
        BlockCache { shards: (0..shards).map(|_| shard()).collect(), hasher: RandomState::new() }
    }

    /// The block, decoded by `decode` if it is not here. Nothing is locked meanwhile.
    pub(crate) fn get_or_decode<E>(
        &self,
        key: BlockKey,
        decode: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Arc<[u8]>, E> {
        let shard = &self.shards[self.hasher.hash_one(key) as usize % self.shards.len()];
        // A thread that panicked in here left at worst a byte count that is off by one block.
        let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(codes) = lock().find(&key) {
            return Ok(codes);
        }
        let codes: Arc<[u8]> = decode()?.into();
        lock().insert(key, Arc::clone(&codes));
        Ok(codes)
    }

    /// Bytes that the blocks here take.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().unwrap().bytes).sum()
    }

    /// How it has been used so far.
    pub(crate) fn counts(&self) -> CacheCounts {
        self.shards.iter().fold(CacheCounts::default(), |sum, shard| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            let CacheCounts { hits, misses, .. } = shard.counts;
            CacheCounts { hits: sum.hits + hits, misses: sum.misses + misses, bytes: sum.bytes + shard.bytes }
        })
    }
}

/// How a cache of decoded blocks has been used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Blocks asked for that were here.
    pub hits: u64,
    /// Blocks asked for that had to be decoded.
    pub misses: u64,
    /// Bytes that the blocks here take.
    pub bytes: usize,
}

impl Shard {
    fn find(&mut self, key: &BlockKey) -> Option<Arc<[u8]>> {
        let found = self.slots.get_mut(key).map(|slot| {
            slot.used = true;
            Arc::clone(&slot.codes)
        });
        let count = if found.is_some() { &mut self.counts.hits } else { &mut self.counts.misses };
        *count += 1;
        found
    }

    fn insert(&mut self, key: BlockKey, codes: Arc<[u8]>) {
        let cost = codes.len() + OVERHEAD_BYTES;
        if cost > self.max_bytes {
            return;
        }
        while self.bytes + cost > self.max_bytes {
            let Some(oldest) = self.ring.pop_front() else { break };
            if let Entry::Occupied(mut slot) = self.slots.entry(oldest) {
                if std::mem::take(&mut slot.get_mut().used) {
                    self.ring.push_back(oldest);
                } else {
                    self.bytes -= slot.remove().codes.len() + OVERHEAD_BYTES;
                }
            }
        }
        // Another thread may have decoded it too.
        if let Entry::Vacant(slot) = self.slots.entry(key) {
            slot.insert(Slot { codes, used: false });
            self.ring.push_back(key);
            self.bytes += cost;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn key(block: u64) -> BlockKey {
        BlockKey { table: 1, side: Color::White, block }
    }

    /// Was the block here?
    fn hits(cache: &BlockCache, block: u64, len: usize) -> bool {
        let mut decoded = false;
        let codes = cache
            .get_or_decode(key(block), || {
                decoded = true;
                Ok::<_, Infallible>(vec![block as u8; len])
            })
            .unwrap();
        assert!(codes.len() == len && codes.iter().all(|&code| code == block as u8));
        !decoded
    }

    #[test]
    fn it_stays_within_its_bound_and_keeps_what_is_used() {
        let cache = BlockCache::new(10 * (1000 + OVERHEAD_BYTES));
        assert!(!hits(&cache, 0, 1000) && hits(&cache, 0, 1000));
        for block in 1..200 {
            hits(&cache, block, 1000);
            assert!(hits(&cache, 0, 1000), "used between all others, after {block}");
            assert!(cache.bytes() <= 10 * (1000 + OVERHEAD_BYTES));
        }
        assert!(hits(&cache, 199, 1000) && !hits(&cache, 50, 1000));
    }

    #[test]
    fn no_room_keeps_nothing_and_still_answers() {
        for max in [0, 1, 500] {
            let cache = BlockCache::new(max);
            assert!(!hits(&cache, 3, 1000) && !hits(&cache, 3, 1000));
            assert_eq!(cache.bytes(), 0);
        }
    }

    #[test]
    fn errors_are_not_kept() {
        let cache = BlockCache::new(1 << 20);
        assert_eq!(cache.get_or_decode(key(1), || Err("damaged")), Err("damaged"));
        assert!(!hits(&cache, 1, 10) && hits(&cache, 1, 10));
    }

    #[test]
    fn many_threads() {
        let cache = BlockCache::new(4 << 20);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    (0..20_000u64).for_each(|n| {
                        hits(cache, (n * 7 + thread) % 251, 30_000);
                    })
                });
            }
        });
        assert!(cache.bytes() <= 4 << 20);
    }
}
