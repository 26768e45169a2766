//! What a scan tells of itself while it runs.

/// Hears of a scan's progress, and says whether it is to go on. Called from the thread that scans only.
pub trait Progress {
    /// So many cells are done of so many, and so many saves were passed on.
    fn scanned(&mut self, _cells: u64, _of: u64, _found: u64) {}

    /// Whether to stop here.
    fn is_stopped(&mut self) -> bool {
        false
    }
}

/// Says nothing, and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}
