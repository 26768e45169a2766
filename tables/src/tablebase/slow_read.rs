//! Reads that wait for the disk, recognised by their time.

/// A time that is longer than every read from memory.
#[cfg(not(target_family = "wasm"))]
const SLOW: std::time::Duration = std::time::Duration::from_micros(400);

/// Reads, and returns whether the read was so slow that it must have waited for the disk.
#[inline]
pub fn is_slow<T>(read: impl FnOnce() -> T) -> (T, bool) {
    #[cfg(not(target_family = "wasm"))]
    {
        let begun = std::time::Instant::now();
        let value = read();
        (value, begun.elapsed() >= SLOW)
    }
    // There is no clock, and no disk.
    #[cfg(target_family = "wasm")]
    (read(), false)
}
