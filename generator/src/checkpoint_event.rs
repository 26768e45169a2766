//! The findings of a build in a checkpoint.

use std::fs::TryLockError;
use std::path::PathBuf;

use makruk_rules::Color;
use makruk_tables::tablebase::TableId;

/// The findings of a build in the checkpoint of a table that it is about to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckpointEvent {
    /// The build continues within an attack.
    Resumed {
        /// The attacker.
        attacker: Color,
        /// The distance, in moves, of the next positions that are decided.
        moves: u16,
        /// The positions that were decided before, as [`Progress::decided`](crate::Progress::decided) counts them.
        positions: u64,
    },
    /// All of this metric was solved before.
    Solved {
        /// The positions that were decided before, as [`Progress::decided`](crate::Progress::decided) counts them.
        positions: u64,
    },
    /// The rest of the checkpoint is damaged. The plies before are of use.
    Damaged {
        /// The checkpoint.
        path: PathBuf,
        /// The offset of the record that is damaged.
        offset: u64,
        /// The expected and the found text.
        problem: String,
    },
    /// The checkpoint is not one of this build, or damaged from the start. The table is solved from the start.
    Refused {
        /// The checkpoint.
        path: PathBuf,
        /// The expected and the found text.
        problem: String,
    },
    /// Another build is using the checkpoint. The table is solved from the start, without one.
    InUse {
        /// The checkpoint.
        path: PathBuf,
    },
    /// The file system has no locks. The table is solved from the start, without a checkpoint.
    NoLocks {
        /// The checkpoint.
        path: PathBuf,
        /// The system's error.
        problem: String,
    },
}

impl CheckpointEvent {
    /// A checkpoint that cannot be locked.
    pub(crate) fn not_locked(path: PathBuf, error: TryLockError) -> CheckpointEvent {
        match error {
            TryLockError::WouldBlock => CheckpointEvent::InUse { path },
            TryLockError::Error(error) => CheckpointEvent::NoLocks { path, problem: error.to_string() },
        }
    }

    /// A sentence about it.
    pub fn sentence(&self, table: TableId) -> String {
        match self {
            CheckpointEvent::Resumed { attacker, moves, .. } => {
                format!("{table} continues from move {moves} of {attacker}'s attack")
            }
            CheckpointEvent::Solved { .. } => format!("{table} was already solved"),
            CheckpointEvent::Damaged { path, offset, problem } => {
                let path = path.display();
                format!("{path}: {problem} (offset {offset}); {table} continues from the plies before it")
            }
            CheckpointEvent::Refused { path, problem } => {
                format!("{}: {problem}; {table} is solved from the start", path.display())
            }
            CheckpointEvent::InUse { path } => format!(
                "{}: another build is using this checkpoint; {table} is solved from the start, without one",
                path.display()
            ),
            CheckpointEvent::NoLocks { path, problem } => format!(
                "{}: cannot lock the checkpoint: {problem}; {table} is solved from the start, without one",
                path.display()
            ),
        }
    }
}
