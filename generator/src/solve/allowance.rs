//! An allowance: the bytes that a store may still take in memory.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that are left. Any thread may take some.
#[derive(Debug)]
pub(super) struct Allowance(AtomicU64);

impl Allowance {
    pub(super) fn new(bytes: u64) -> Allowance {
        Allowance(AtomicU64::new(bytes))
    }

    /// Takes some bytes; false if fewer are left.
    pub(super) fn take(&self, bytes: u64) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }

    pub(super) fn give_back(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    #[cfg(test)]
    pub(super) fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
