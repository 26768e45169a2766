//! Decoded boards, kept in memory.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering, fence};

use makruk_tables::rules::Color;

/// Which board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardKey {
    /// The table's number in the folder.
    pub(crate) table: u16,
    /// The side to move, in the set's colours.
    pub(crate) side: Color,
    /// The board's number within that side, below 2^47.
    pub(crate) board: u64,
}

impl BoardKey {
    /// The key as a number that is not 0.
    #[inline]
    fn number(self) -> u64 {
        (u64::from(self.table) + 1) << 48 | (self.side as u64) << 47 | self.board & ((1 << 47) - 1)
    }
}

/// Words of a slot's codes: 64 of a byte each.
const WORDS: usize = 8;

/// So many boards with consecutive numbers lie together.
const NEAR: u64 = 8;

/// A place for one board. Whoever writes makes the version odd meanwhile, so that readers know when they may have read
/// parts of two boards.
#[derive(Debug, Default)]
struct Slot {
    version: AtomicU64,
    key: AtomicU64,
    codes: [AtomicU64; WORDS],
}

/// A bounded set of boards, for many threads. Nobody waits: who finds a slot being written goes on without it. Each board has
/// one slot, and a later one takes it over.
#[derive(Debug)]
pub(crate) struct BoardCache {
    slots: Box<[Slot]>,
    seed: u64,
    /// How many slots hold a board.
    filled: AtomicU64,
    counts: [Counts; COUNTERS],
}

/// How a cache of decoded boards has been used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Boards asked for that were here.
    pub hits: u64,
    /// Boards asked for that had to be decoded.
    pub misses: u64,
    /// Bytes that the boards here take.
    pub bytes: usize,
}

/// In how many places use is counted: threads seldom meet in one.
const COUNTERS: usize = 16;

/// Counts of a part of the slots, on a cache line of their own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Counts {
    hits: AtomicU64,
    misses: AtomicU64,
}

impl BoardCache {
    /// A cache of at most so many bytes; less than [`NEAR`] slots' keeps nothing.
    pub(crate) fn new(max_bytes: usize) -> BoardCache {
        let slots =
            (0..max_bytes / size_of::<Slot>() / NEAR as usize * NEAR as usize).map(|_| Slot::default()).collect();
        let seed = RandomState::new().hash_one(0) | 1;
        BoardCache { slots, seed, filled: AtomicU64::new(0), counts: Default::default() }
    }

    /// Does it keep anything?
    #[inline]
    pub(crate) fn keeps(&self) -> bool {
        !self.slots.is_empty()
    }

    #[inline]
    fn slot(&self, key: u64) -> Option<&Slot> {
        // Neighbours in the index are neighbours in the numbers: all bits must tell. Those of one block lie together, since
        // they come together.
        let mut hash = (key / NEAR).wrapping_mul(self.seed);
        hash = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = (u128::from(hash) * u128::from(self.slots.len() as u64 / NEAR)) >> 64;
        self.slots.get(place as usize * NEAR as usize + (key % NEAR) as usize)
    }

    /// The code of a cell of a board, if the board is here.
    #[inline]
    pub(crate) fn get(&self, key: BoardKey, cell: usize) -> Option<u8> {
        let key = key.number();
        let slot = self.slot(key)?;
        let version = slot.version.load(Ordering::Acquire);
        let found = slot.key.load(Ordering::Relaxed);
        let word = slot.codes.get(cell / 8)?.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let sound = version.is_multiple_of(2) && slot.version.load(Ordering::Relaxed) == version && found == key;
        let counts = &self.counts[key as usize % COUNTERS];
        if sound { &counts.hits } else { &counts.misses }.fetch_add(1, Ordering::Relaxed);
        sound.then(|| (word >> (cell % 8 * 8)) as u8)
    }

    /// How it has been used so far.
    pub(crate) fn counts(&self) -> CacheCounts {
        let sum =
            |of: fn(&Counts) -> &AtomicU64| self.counts.iter().map(|counts| of(counts).load(Ordering::Relaxed)).sum();
        CacheCounts {
            hits: sum(|counts| &counts.hits),
            misses: sum(|counts| &counts.misses),
            bytes: self.filled.load(Ordering::Relaxed) as usize * size_of::<Slot>(),
        }
    }

    /// Keeps a board whose codes are below 256.
    pub(crate) fn put(&self, key: BoardKey, codes: &[u16; 64]) {
        let key = key.number();
        let Some(slot) = self.slot(key) else { return };
        let version = slot.version.load(Ordering::Relaxed);
        if version % 2 == 1
            || slot.version.compare_exchange(version, version + 1, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        if slot.key.swap(key, Ordering::Relaxed) == 0 {
            self.filled.fetch_add(1, Ordering::Relaxed);
        }
        for (word, codes) in slot.codes.iter().zip(codes.chunks_exact(8)) {
            word.store(codes.iter().rev().fold(0, |word, &code| word << 8 | u64::from(code & 0xff)), Ordering::Relaxed);
        }
        slot.version.store(version + 2, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(board: u64) -> BoardKey {
        BoardKey { table: 1, side: Color::White, board }
    }

    fn codes(board: u64) -> [u16; 64] {
        std::array::from_fn(|cell| ((board * 31 + cell as u64) % 256) as u16)
    }

    #[test]
    fn what_is_kept_is_found_and_nothing_else() {
        let cache = BoardCache::new(1000 * size_of::<Slot>());
        assert_eq!(cache.get(key(0), 0), None, "an empty slot is no board's");
        for board in 0..5000 {
            cache.put(key(board), &codes(board));
            for cell in [0, 7, 8, 63] {
                assert_eq!(cache.get(key(board), cell), Some(codes(board)[cell] as u8));
            }
            let other = BoardKey { side: Color::Black, ..key(board) };
            assert_eq!(cache.get(other, 0), None);
            assert_eq!(cache.get(BoardKey { table: 2, ..key(board) }, 0), None);
        }
        let kept = (0..5000).filter(|&board| cache.get(key(board), 5).is_some()).count();
        assert!((500..=1000).contains(&kept), "{kept} of at most 1000");
    }

    #[test]
    fn no_room_keeps_nothing() {
        for bytes in [0, NEAR as usize * size_of::<Slot>() - 1] {
            let cache = BoardCache::new(bytes);
            cache.put(key(1), &codes(1));
            assert!(!cache.keeps() && cache.get(key(1), 0).is_none());
        }
    }

    #[test]
    fn many_threads_never_see_parts_of_two_boards() {
        let cache = BoardCache::new(NEAR as usize * size_of::<Slot>());
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
