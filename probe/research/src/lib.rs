//! Whole sets: every position that only the count saves.
//!
//! - [`Order`], [`Cursor`], [`Part`]: in which order positions come, a place in it, and parts of it for several processes;
//! - [`Cells`]: what the cells of a set's slabs are worth, whichever tables say it;
//! - [`scan`](scan()), [`count`]: goes through positions in order, on many threads, in bounded memory; [`Seeker`] on one, piece by
//!   piece;
//! - [`Look`]: a save looked at closely, no closer than is asked;
//! - [`Filter`], [`Pick`]: which saves are wanted, in [a small language](filter);
//! - [`SaveRecord`], [`csv()`], [`epd()`], [`pgn()`], [`Solution`]: what is told of a save, and in which form;
//! - [`Sample`]: what the saves of a set are like, from some of them;
//! - [`stats`](stats()), [`SetStats`]: what a set comes to, with the count and without;
//! - [`studies`], [`Study`]: positions worth composing from;
//! - [`Progress`]: hears how far a scan is.
//!
//! Positions are those of the sets' names: White is the first side. Unless said otherwise each stands for all of its
//! images under the set's symmetry. No count runs: it begins with the move of the side that is to move.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//!
//! use makruk_research::{Lights, Order, Pick, SaveRecord, Settings, Silent, scan};
//! use makruk_probe::{Prober, Tablebase};
//!
//! type Failure = Box<dyn std::error::Error + Send + Sync>;
//!
//! let (prober, set) = (Prober::new(Tablebase::new("tables/data")), "KRRvKR".parse()?);
//! let (order, lights) = (Order::new([set], None), Lights::of(&prober, set));
//! let pick = Pick { filter: "sacrifice=last and unique".parse()?, images: false };
//! let examine = |found| {
//!     let told = pick.look(&prober, lights, found, |look| SaveRecord::full(look))?;
//!     Ok::<_, Failure>((!told.is_empty()).then_some(told))
//! };
//! let sink = |saves: Vec<SaveRecord>| {
//!     saves.iter().for_each(|save| println!("{}", save.fen));
//!     Ok(ControlFlow::Continue(()))
//! };
//! scan(&prober, &order, 0..order.len(), &Settings::default(), examine, sink, &mut Silent)?;
//! # Ok::<(), Failure>(())
//! ```

mod cell;
mod cells;
mod csv;
mod epd;
pub mod filter;
mod look;
mod order;
mod pgn;
mod pick;
#[cfg(feature = "plot")]
mod plot;
mod progress;
mod record;
mod region;
mod sample;
mod scan;
mod seek;
mod solution;
mod stats;
mod study;

pub use cell::Cell;
pub use cells::Cells;
pub use csv::{CSV_HEADER, csv};
pub use epd::epd;
pub use filter::{Filter, FilterError};
pub use look::{Lights, Look};
pub use makruk_probe::SlabSource;
pub use order::{Cursor, Order, ParseCursorError, Part, Stretch};
pub use pgn::pgn;
pub use pick::Pick;
#[cfg(feature = "plot")]
pub use plot::{DistancesPlot, LIMIT_COLOR, Picture, PlotError, SharesPlot, SquaresPlot};
pub use progress::{Progress, Silent};
pub use record::{GivenUp, SaveDetails, SaveRecord, SavingMove};
pub use sample::Sample;
pub use scan::{Ended, Found, Settings, count, scan};
pub use seek::{Seeker, Sought};
pub use solution::Solution;
pub use stats::{
    Attacker, Field, Longest, Place, Row, Saves, SetStats, StatsSettings, Step, Survey, SurveySettings, Totals, Trades,
    Zugzwangs, csv_header, rows, stats,
};
pub use study::{LEAST_LEGAL, MOST_PLIES, Merit, Study, StudyKind, StudySettings, board_svg, rank_studies, studies};
