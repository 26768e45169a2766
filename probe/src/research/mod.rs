//! Whole sets: every position that only the count saves.
//!
//! - [`Order`], [`Cursor`], [`Part`]: in which order positions come, a place in it, and parts of it for several processes;
//! - [`Cells`]: what the cells of a set's slabs are worth, whichever tables say it;
//! - [`scan`](scan()): goes through positions in order, on many threads, in bounded memory; [`Seeker`] on one, piece by
//!   piece;
//! - [`Look`]: a save looked at closely, no closer than is asked;
//! - [`Filter`], [`Pick`]: which saves are wanted, in [a small language](filter);
//! - [`SaveRecord`], [`csv()`], [`epd()`], [`pgn()`], [`Solution`]: what is told of a save, and in which form;
//! - [`Progress`]: hears how far a scan is.
//!
//! Positions are those of the sets' names: White is the first side. Unless said otherwise each stands for all of its
//! images under the set's symmetry. No count runs: it begins with the move of the side that is to move.

mod cell;
mod cells;
mod csv;
mod epd;
pub mod filter;
mod kept;
mod look;
mod order;
mod origin;
mod pgn;
mod pick;
#[cfg(feature = "plot")]
mod plot;
mod progress;
mod record;
mod region;
mod scan;
mod seek;
mod solution;
mod stats;
mod study;
mod sweep;

pub use cell::Cell;
pub use cells::Cells;
pub use csv::{CSV_HEADER, csv};
pub use epd::epd;
pub use filter::{Filter, FilterError};
pub use look::{Lights, Look};
pub use order::{Cursor, Order, ParseCursorError, Part, Stretch};
pub use origin::SlabSource;
pub use pgn::pgn;
pub use pick::Pick;
#[cfg(feature = "plot")]
pub use plot::{DistancesPlot, LIMIT_COLOR, Picture, PlotError, SharesPlot, SquaresPlot};
pub use progress::{Progress, Silent};
pub use record::{GivenUp, SaveDetails, SaveRecord, SavingMove};
pub use scan::{Ended, Found, Settings, scan};
pub use seek::{Seeker, Sought};
pub use solution::Solution;
pub use stats::{
    Attacker, Field, Longest, Place, Row, Saves, SetStats, StatsSettings, Step, Survey, SurveySettings, Totals, Trades,
    Zugzwangs, csv_header, rows, stats,
};
pub use study::{LEAST_LEGAL, MOST_PLIES, Merit, Study, StudyKind, StudySettings, board_svg, rank_studies, studies};
