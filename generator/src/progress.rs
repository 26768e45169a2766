//! What a build tells of itself while it runs.

use makruk_tables::format::Metric;
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

use crate::built::Built;
use crate::error::BuildError;

/// Hears of a build's progress. Every method may be called from the thread that builds only.
pub trait Progress: Sync {
    /// These sets will be built, in this order.
    fn begin(&self, _sets: &[Material]) {}

    /// A set is begun.
    fn set(&self, _set: Material) {}

    /// An attacker's plies of the set are begun.
    fn phase(&self, _metric: Metric, _attacker: Color) {}

    /// What captures of the attack are worth has been looked up: for so many slabs of so many, once for each side's captures.
    fn captures(&self, _slabs: u64, _of: u64) {}

    /// So many full-board positions were decided in this move.
    fn decided(&self, _moves: u16, _positions: u64) {}

    /// Blocks are being written: so many of so many.
    fn written(&self, _metric: Metric, _blocks: u64, _of: u64) {}

    /// Positions of a set are being verified: so many of so many.
    fn verified(&self, _positions: u64, _of: u64) {}

    /// A set is done, its files are in place.
    fn built(&self, _built: &Built) {}

    /// The set that was begun has its tables already: another build made them meanwhile.
    fn found(&self, _set: Material) {}

    /// Asked now and then whether to go on.
    ///
    /// # Errors
    ///
    /// To stop the build: nothing half-written is left behind.
    fn check(&self) -> Result<(), BuildError> {
        Ok(())
    }
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}
