//! Research on whole materials: every position that only the count saves, statistics, puzzles, and pictures.
//!
//! A *save* is a position that the side to move loses without the count and draws under it, the count beginning with
//! its move.
//!
//! - [`Order`], [`Cursor`], [`Part`]: the order of a scan's cells, one cell, and one of several parts of a scan;
//! - [`Cells`]: the categories of whole slabs;
//! - [`Scanner`]: all saves of some cells, in order, on many threads, in bounded memory;
//! - [`SaveSearch`]: the same step by step on one thread;
//! - [`SaveTotals`], [`SaveSample`], [`ExampleSave`]: how many saves a material has, a sample of them, and some that
//!   are worth showing;
//! - [`SaveAnalysis`]: the properties of a save, each computed when it is asked for;
//! - [`Filter`], [`SaveSelector`]: the saves that meet conditions, given in [a small language](filter);
//! - [`SaveRecord`], [`epd()`]: saves in the formats of the output;
//! - [`PositionKind`], [`PositionRecord`]: wins and mutual zugzwangs, searched as saves are;
//! - [`stats`](stats()), [`StatsRow`]: the statistics of a material, and the rows that are printed;
//! - [`MaterialList`], [`TableList`]: the materials, with or without tables, and the tables;
//! - [`TableStatistics`]: those of its tables, and the positions of their longest wins;
//! - [`list`](list()), [`ListedPosition`]: zugzwangs, longest wins and other remarkable positions;
//! - [`puzzles()`], [`Puzzle`]: positions in which one move alone keeps the result, at every move of the solution;
//! - [`PositionExport`]: random positions with their values, for training an evaluation;
//! - [`GamePositions`]: the positions of games and of lists;
//! - [`Practice`]: the endings of games, and how they were given away;
//! - [`plot_distances`], [`plot_squares`]: pictures;
//! - [`Progress`]: receives the progress of a scan.
//!
//! Positions have the colours of the material's name: White is the first side. Unless said otherwise each position
//! stands for all its images under the material's symmetry. No count runs: it begins with the move of the side to move.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//!
//! use makruk_probe::{Prober, Tablebase};
//! use makruk_research::{Order, SaveRecord, SaveSelector, Scanner, Silent};
//!
//! type Failure = Box<dyn std::error::Error + Send + Sync>;
//!
//! let prober = Prober::new(Tablebase::new("tables/data"));
//! let material = "KRRvKR".parse()?;
//! let order = Order::new([material], None);
//! let selector = SaveSelector::new("sacrifice=last and unique".parse()?, false);
//! let examine = |save| {
//!     let records = selector.select(&prober, save, |save| SaveRecord::full(save))?;
//!     Ok::<_, Failure>((!records.is_empty()).then_some(records))
//! };
//! let sink = |records: Vec<SaveRecord>| {
//!     records.iter().for_each(|record| println!("{}", record.fen));
//!     Ok(ControlFlow::Continue(()))
//! };
//! Scanner::new(&prober, &order, 0..order.len(), None)?.run(examine, sink, &mut Silent)?;
//! # Ok::<(), Failure>(())
//! ```
//!
//! `makruk-probe research` is this with a command line; `README.md`, beside this crate's manifest, is its manual.

mod analysis;
mod cells;
mod epd;
mod error;
mod examples;
pub mod filter;
mod game_positions;
mod kind;
mod listing;
mod longest_positions;
mod material_list;
mod named;
mod order;
mod plot;
mod position;
mod position_record;
mod practice;
mod progress;
mod puzzle;
mod random_positions;
mod record;
mod region;
mod sample;
mod save_totals;
mod scan;
mod search;
mod selector;
mod slabs;
mod stats;
mod stride;
mod table_list;
mod table_statistics;
pub mod text;
mod win;
mod zugzwang;

pub use analysis::SaveAnalysis;
pub use cells::Cells;
pub use epd::epd;
pub use error::ResearchError;
pub use examples::{ExampleSave, ExampleSaves};
pub use filter::{Filter, FilterError};
pub use game_positions::{GamePositions, GamePositionsError};
pub use kind::PositionKind;
pub use listing::{ListKind, ListedPosition, Remark, list};
pub use material_list::{MaterialEntry, MaterialList, material_totals};
pub use named::UnknownNameError;
pub use order::{Cursor, CursorOutsideError, Order, ParseCursorError, Part, Stretch};
pub use plot::{PlotError, plot_distances, plot_squares};
pub use position::LocatedPosition;
pub use position_record::{FoundPage, PositionDetails, PositionRecord, ZugzwangDetails};
pub use practice::{Cause, Ending, EndingTally, Practice, PracticeSettings};
pub use progress::{Progress, Silent};
pub use puzzle::{Difficulty, Puzzle, PuzzleFormat, PuzzleKey, PuzzleSettings, PuzzleTheme, puzzles, rank_puzzles};
pub use random_positions::{PositionDraw, PositionExport, PositionFormat};
pub use record::{FoundRecord, SacrificeRecord, SaveDetails, SaveRecord, SavingMove};
pub use sample::SaveSample;
pub use save_totals::{SaveTotals, SideSaves};
pub use scan::{ScanEnd, Scanner};
pub use search::SaveSearch;
pub use selector::SaveSelector;
pub use stats::{
    AttackerTotals, BaringCaptures, ByProperty, Histogram, LongestWin, LongestWins, MaterialStats, SaveCounts,
    SaveProperty, Share, StatsRow, StatsSettings, Survey, SurveySettings, Totals, Zugzwangs, stats,
};
pub use stride::Stride;
pub use table_list::{ListedTable, TableList};
pub use table_statistics::{Longest, SideSummary, TableStatistics, TableSummary};
pub use win::{KeepingMove, SpoilingCapture, WinDetails};
pub use zugzwang::MutualZugzwang;
