//! Endgame tables of Makruk (Thai chess), probed: whether a position is won, in how many plies, and whether the count
//! leaves time for it.
//!
//! ```
//! use makruk_probe::{Category, Policy, Prober, Reading, Tablebase};
//! # use makruk_generator::{Options, Silent, build};
//! # use makruk_format::TableFolder;
//!
//! # let folder = tempfile::tempdir()?;
//! # build(&TableFolder::create(folder.path())?, ["KRvK".parse()?], &Options::default(), &Silent)?;
//! // A folder of tables, as `makruk-gen build` writes them. Nothing is opened yet.
//! let prober = Prober::new(Tablebase::new(folder.path()));
//!
//! // A rook against a bare king. No count runs, so it begins with Black's next move. Nothing in the text was assumed.
//! let Reading { fen, notes } = "8/8/8/3k4/8/8/1R6/K7 b - - 0 1".parse()?;
//! assert!(notes.is_empty());
//! let verdict = prober.probe(&fen)?;
//! assert_eq!((verdict.category, verdict.dtm.signed_plies()), (Category::BlessedLoss, Some(-32)));
//! assert_eq!(verdict.count.attacker_moves_left, Some(13));
//!
//! // The legal moves, best first, and the best line.
//! let best = prober.moves(&fen)?[0];
//! let line = prober.principal_variation(&fen)?;
//! assert_eq!(line.moves[0].ranked, best);
//!
//! // A perfect player's move, by choice of policy.
//! assert!(prober.play(&fen, Policy::Stubborn)?.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`makruk_rules`]: positions as text ([`Reading`], which keeps notes on what was assumed, and [`Fen`]), moves and
//!   counts;
//! - [`Prober`]: verdicts, moves and lines from a [`Tablebase`], for any thread;
//! - [`Verdict`], [`RankedMove`], [`KnownMoves`], [`Line`], [`Sacrifice`]: its answers;
//! - [`Analysis`]: all of these for one position, each read once;
//! - [`CountedGame`], [`JudgedMove`], [`Mistake`]: a game's positions with their counts, and its moves against the best
//!   ones;
//! - [`Policy`], [`LineIter`]: perfect moves and lines, by choice of player;
//! - [`judge`]: the rules by which distances and a count become a verdict, as pure functions;
//! - [`Inventory`]: the tables that some folders have;
//! - [`ProbeError`]: the failures, of the question or of the tables;
//! - [`ValueSource`]: another source of the distances than a folder;
//! - [`Attempt`]: questions to tables that have to be fetched.
//!
//! Distances are plies. The figures of a count are plies too, as in the FEN. "Moves" are moves of one side.
//!
//! `README.md`, beside this crate's manifest, says which call serves which purpose.
//!
//! # Features
//!
//! - `serde`: names of policies, reasons and kinds as serde values.
//!
//! Without features the library needs nothing but the tables' crate.

#![forbid(unsafe_code)]

mod analysis;
mod attempt;
mod count_bounds;
mod counted_game;
mod error;
#[cfg(feature = "serde")]
pub mod json;
pub mod judge;
mod judged_move;
mod known_moves;
mod line;
mod mistake;
mod path_list;
mod policy;
mod prober;
mod ranked_move;
mod sacrifice;
mod short_by;
mod source;
mod verdict;

pub use analysis::{Analysis, get_or_try};
pub use attempt::Attempt;
pub use count_bounds::CountBounds;
pub use counted_game::CountedGame;
pub use error::{ProbeError, Reason};
pub use judge::{Category, Distances};
pub use judged_move::JudgedMove;
pub use known_moves::KnownMoves;
pub use line::{Line, LineEnd, LineIter, LineMove, LineStep, LineWalk, MAX_LINE_PLIES};
pub use makruk_rules::{Fen, Move, Note, Position, Reading};
pub use makruk_tables::tablebase::{
    Access, CacheCounts, DEFAULT_CACHE_BYTES, Inventory, TableError, TableId, Tablebase, TablebaseBuilder,
};
pub use mistake::Mistake;
pub use path_list::split_path_list;
pub use policy::{Policy, ReplyShare};
pub use prober::Prober;
pub use ranked_move::{CountMode, RankedMove, best_by_dtm, rank};
pub use sacrifice::{Sacrifice, SacrificeKind};
pub use source::ValueSource;
pub use verdict::{CountRule, Counting, Verdict, is_under_pieces_honour};

/// The examples of `README.md` are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
