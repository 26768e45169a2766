//! The progress of a scan, and the wish to stop it.

/// Receives a scan's progress and decides whether it continues. Called from the thread that started the scan only.
pub trait Progress {
    /// This many cells are done of all, and this many saves were found.
    fn scanned(&mut self, _cells: u64, _all: u64, _found: u64) {}

    /// Whether the scan is to stop here.
    fn is_stopped(&mut self) -> bool {
        false
    }
}

/// Ignores progress, and never stops a scan.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}
