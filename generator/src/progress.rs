//! The progress of a build.

use std::time::{Duration, Instant};

use makruk_format::MaterialTotals;
use makruk_rules::Color;
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableId;
use makruk_tables::value::Metric;

use crate::checkpoint_event::CheckpointEvent;
use crate::error::BuildError;

/// A material that lacks tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbuilt {
    /// The material.
    pub material: Material,
    /// The metrics for which it lacks a table, in the order in which they are built.
    pub metrics: Vec<Metric>,
}

/// A material whose tables were written.
#[derive(Clone, Debug)]
pub struct Built {
    /// The material.
    pub material: Material,
    /// Its tables that were missing before.
    pub tables: Vec<WrittenTable>,
    /// Its totals.
    pub totals: MaterialTotals,
    /// The time that it took, in seconds.
    pub seconds: f64,
}

/// A table that was written.
#[derive(Clone, Debug)]
pub struct WrittenTable {
    /// Its metric.
    pub metric: Metric,
    /// Its length, in bytes.
    pub bytes: u64,
    /// The longest win, whoever moves, in plies; `None` if its values are not distances.
    pub longest_win: Option<u16>,
}

/// A part of the work on a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Finding what captures and promotions decide.
    Exits,
    /// The plies of all attacks.
    Plies,
    /// Choosing the codecs of tables from samples.
    Codecs,
    /// Coding the tables.
    Coding,
    /// Writing files, and waiting until the disk has them.
    Disk,
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 5] = [Part::Exits, Part::Plies, Part::Codecs, Part::Coding, Part::Disk];

    /// The name, in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Exits => "exits",
            Part::Plies => "plies",
            Part::Codecs => "codecs",
            Part::Coding => "coding",
            Part::Disk => "disk",
        }
    }
}

/// Does a part of the work, and reports the time that it took.
pub(crate) fn timed<T>(progress: &dyn Progress, part: Part, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = work();
    progress.took(part, begun.elapsed());
    done
}

/// Receives the progress of a build. All methods are called from the building thread.
pub trait Progress: Sync {
    /// These materials will be built, in this order.
    fn begin(&self, _materials: &[Unbuilt]) {}

    /// A material has begun.
    fn material(&self, _material: Material) {}

    /// The checkpoint of a table that is about to be solved was found.
    fn checkpoint(&self, _table: TableId, _event: &CheckpointEvent) {}

    /// The exits by a side that are decided under a metric were found in the first number of slabs, out of the second.
    /// White's are found first.
    fn exits(&self, _metric: Metric, _mover: Color, _slabs: u64, _of: u64) {}

    /// An attack has begun: one attacker's plies under one metric.
    fn phase(&self, _metric: Metric, _attacker: Color) {}

    /// This number of full-board positions was decided at this distance in moves.
    fn decided(&self, _moves: u16, _positions: u64) {}

    /// The number of slabs of the material's tables that are written, and the number of all.
    fn written(&self, _slabs: u64, _of: u64) {}

    /// A part of the work on the material has taken this time, besides what was reported of it before.
    fn took(&self, _part: Part, _time: Duration) {}

    /// The number of positions that are verified, and the number of all.
    fn verified(&self, _positions: u64, _of: u64) {}

    /// A material is complete: its files are in place.
    fn built(&self, _built: &Built) {}

    /// The material that had begun has its tables already: another build made them meanwhile.
    fn already_built(&self, _material: Material) {}

    /// Decides now and then whether to continue.
    ///
    /// # Errors
    ///
    /// An error stops the build; nothing half-written is left behind.
    fn check(&self) -> Result<(), BuildError> {
        Ok(())
    }
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}
