//! Whole sets: every position that only the count saves.
//!
//! - [`Order`], [`Cursor`]: in which order positions come, a place in it, and parts of it for several processes;
//! - [`Cells`]: what the cells of a set's slabs are worth, whichever tables say it;
//! - [`scan`](scan()): goes through positions in order, on many threads, in bounded memory;
//! - [`Progress`]: hears how far it is.
//!
//! Positions are those of the sets' names: White is the first side. Unless said otherwise each stands for all of its
//! images under the set's symmetry. No count runs: it begins with the move of the side that is to move.

mod cell;
mod cells;
mod kept;
mod order;
mod origin;
mod progress;
mod scan;
mod stats;
mod sweep;

pub use cell::Cell;
pub use cells::Cells;
pub use order::{Cursor, Order, ParseCursorError, Part, Stretch};
pub use origin::SlabSource;
pub use progress::{Progress, Silent};
pub use scan::{Ended, Found, Settings, scan};
pub use stats::{
    Attacker, Field, Longest, Place, Row, Saves, SetStats, StatsSettings, Step, Survey, SurveySettings, Totals, Trades,
    Zugzwangs, csv_header, rows, stats,
};
