//! An allowance: the bytes that something may still take in memory.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that are left. Any thread may take some.
#[derive(Debug)]
pub(crate) struct Allowance(AtomicU64);

impl Allowance {
    /// An allowance of some bytes.
    pub(crate) fn new(bytes: u64) -> Allowance {
        Allowance(AtomicU64::new(bytes))
    }

    /// Takes some bytes; false if fewer are left.
    pub(crate) fn take(&self, bytes: u64) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }

    /// Gives back bytes that were taken.
    pub(crate) fn give_back(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The bytes that are left.
    pub(crate) fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
