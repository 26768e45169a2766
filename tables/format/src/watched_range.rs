//! The address ranges of watched maps, which the handler of SIGBUS reads without a lock.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// The most maps that are watched at a time: some times as many as there are tables of up to six men.
const MOST_MAPS: usize = 1 << 13;
/// The unit of a range in bytes. Maps begin at a multiple of a page, which is a multiple of this.
const UNIT_BYTES: usize = 4096;
/// The bits of a range's length in units: up to 1 TiB.
const LENGTH_BITS: u32 = 28;

/// A place that is taken, and has no range yet.
const TAKEN: u64 = 1 << LENGTH_BITS;

/// The ranges by place, 0 where a place is free: the first unit, then the number of units in the low bits. One word
/// holds both, so that a reader never finds the beginning of one range with the length of another.
static RANGES: [AtomicU64; MOST_MAPS] = [const { AtomicU64::new(0) }; MOST_MAPS];
/// Whether a page of the range at a place was lost.
static LOST: [AtomicBool; MOST_MAPS] = [const { AtomicBool::new(false) }; MOST_MAPS];
/// The number of pages of watched maps that were lost.
static LOST_PAGES: AtomicUsize = AtomicUsize::new(0);

/// The number of pages of watched tables that this process has lost: see `survive_truncated_tables`.
pub fn lost_pages() -> usize {
    LOST_PAGES.load(Ordering::SeqCst)
}

/// The range of a watched map, registered until it is dropped.
#[derive(Debug)]
pub(super) struct WatchedRange {
    place: usize,
}

impl WatchedRange {
    /// Registers a range; `None` if all places are taken or the range is too large. Its map must stay until the
    /// `WatchedRange` is dropped.
    pub(super) fn register(addresses: Range<usize>) -> Option<WatchedRange> {
        let packed = packed(&addresses)?;
        let place = RANGES.iter().position(|range| {
            range.load(Ordering::Relaxed) == 0
                && range.compare_exchange(0, TAKEN, Ordering::SeqCst, Ordering::Relaxed).is_ok()
        })?;
        LOST[place].store(false, Ordering::SeqCst);
        RANGES[place].store(packed, Ordering::SeqCst);
        Some(WatchedRange { place })
    }

    /// Whether a page of the range was lost.
    pub(super) fn has_lost_page(&self) -> bool {
        LOST[self.place].load(Ordering::SeqCst)
    }
}

impl Drop for WatchedRange {
    fn drop(&mut self) {
        RANGES[self.place].store(0, Ordering::SeqCst);
    }
}

fn packed(addresses: &Range<usize>) -> Option<u64> {
    let (first, units) = (addresses.start / UNIT_BYTES, addresses.len().div_ceil(UNIT_BYTES) as u64);
    let first = u64::try_from(first).ok().filter(|first| first >> (u64::BITS - LENGTH_BITS) == 0)?;
    let fits = addresses.start.is_multiple_of(UNIT_BYTES) && (1..1 << LENGTH_BITS).contains(&units);
    fits.then_some(first << LENGTH_BITS | units)
}

/// Notes that the page at an address cannot be read and is about to be replaced by zeros. Returns false if it is not a
/// page of a watched map. Otherwise this map fails from then on, whether the checksums of its chunks were verified
/// before or not. This may be called in a signal's handler.
#[cfg(any(target_os = "linux", test))]
pub(super) fn note_lost_page(address: usize) -> bool {
    let unit = (address / UNIT_BYTES) as u64;
    let place = RANGES.iter().position(|range| {
        let range = range.load(Ordering::SeqCst);
        let first = range >> LENGTH_BITS;
        (first..first + (range & (TAKEN - 1))).contains(&unit)
    });
    let Some(place) = place else { return false };
    // The page is replaced only after this returns, so that whoever reads its zeros finds the loss.
    LOST[place].store(true, Ordering::SeqCst);
    LOST_PAGES.fetch_add(1, Ordering::SeqCst);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_page_is_that_of_its_range_alone() {
        // No process has addresses as high as these.
        let start = 0x7fff_ffff_0000_usize.next_multiple_of(UNIT_BYTES);
        let one = WatchedRange::register(start..start + 2 * UNIT_BYTES + 1).expect("a place");
        let other = WatchedRange::register(start + 3 * UNIT_BYTES..start + 4 * UNIT_BYTES).expect("a place");
        assert!(!note_lost_page(start - 1) && !note_lost_page(start + 4 * UNIT_BYTES));
        assert!(!one.has_lost_page() && !other.has_lost_page());
        let lost = lost_pages();
        assert!(note_lost_page(start + 3 * UNIT_BYTES - 1));
        assert!(one.has_lost_page() && !other.has_lost_page() && lost_pages() > lost);
        drop(one);
        assert!(!note_lost_page(start), "the range is not registered any more");
        // The place of a range that had lost a page serves again.
        let again = WatchedRange::register(start..start + UNIT_BYTES).expect("a place");
        assert!(!again.has_lost_page());
        for wrong in [start..start, start + 1..start + UNIT_BYTES] {
            assert!(WatchedRange::register(wrong).is_none());
        }
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn ranges_beyond_the_registry_are_refused() {
        assert!(packed(&(0..1 << 40)).is_none() && packed(&(0..(1 << 40) - UNIT_BYTES)).is_some());
        assert!(packed(&(1 << 48..(1 << 48) + 1)).is_none());
    }
}
