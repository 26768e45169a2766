//! Everything that the tables say about one position, read when it is first asked for.

use std::cell::OnceCell;

use makruk_rules::{Fen, Move};

use crate::error::ProbeError;
use crate::judge::Category;
use crate::judged_move::JudgedMove;
use crate::known_moves::KnownMoves;
use crate::line::{Line, LineIter};
use crate::prober::Prober;
use crate::ranked_move::RankedMove;
use crate::sacrifice::Sacrifice;
use crate::source::ValueSource;
use crate::verdict::Verdict;

/// A position with its verdict, moves and lines.
///
/// The analysis reads the position's own value when it begins. It reads the moves, the line and the rest when they are
/// first asked for, and keeps them for the next call. It keeps no failures: the next call tries again.
///
/// ```no_run
/// # use makruk_probe::{Prober, Tablebase};
/// let prober = Prober::new(Tablebase::new("tables/data"));
/// let analysis = prober.analysis(&"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1".parse()?)?;
/// let best = analysis.moves()?[0];
/// assert_eq!(best.category, analysis.verdict().category);
/// assert_eq!(analysis.principal_variation()?.moves[0].ranked, best);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Analysis<'a, S> {
    prober: &'a Prober<S>,
    fen: Fen,
    root: Fen,
    verdict: Verdict,
    moves: OnceCell<Vec<RankedMove>>,
    short_by: OnceCell<Option<u32>>,
    sacrifices: OnceCell<Vec<Sacrifice>>,
    line: OnceCell<Line>,
}

impl<S: ValueSource> Prober<S> {
    /// Probes a position and begins its analysis.
    pub fn analysis(&self, fen: &Fen) -> Result<Analysis<'_, S>, ProbeError> {
        Ok(Analysis {
            prober: self,
            fen: fen.clone(),
            root: self.resolved(fen),
            verdict: self.probe(fen)?,
            moves: OnceCell::new(),
            short_by: OnceCell::new(),
            sacrifices: OnceCell::new(),
            line: OnceCell::new(),
        })
    }
}

impl<S: ValueSource> Analysis<'_, S> {
    /// The position as it was given.
    pub const fn fen(&self) -> &Fen {
        &self.fen
    }

    /// The position with its count resolved, from which the moves carry it on.
    pub const fn root(&self) -> &Fen {
        &self.root
    }

    /// The verdict.
    pub const fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The legal moves, best first.
    pub fn moves(&self) -> Result<&[RankedMove], ProbeError> {
        get_or_try(&self.moves, || self.prober.moves(&self.root)).map(Vec::as_slice)
    }

    /// The legal moves as far as the tables know them.
    pub fn known_moves(&self) -> KnownMoves {
        match self.moves() {
            Ok(moves) => KnownMoves { ranked: moves.to_vec(), unknown: Vec::new() },
            Err(_) => self.prober.known_moves(&self.root),
        }
    }

    /// The number of moves that the winner lacks, as [`Prober::short_by`] counts them.
    pub fn short_by(&self) -> Result<Option<u32>, ProbeError> {
        let moves = self.moves.get().map(Vec::as_slice);
        get_or_try(&self.short_by, || self.prober.short_by_from(&self.root, &self.verdict, moves)).copied()
    }

    /// The sacrifices of a blessed loss, best first; none for any other position.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`], also for the materials that two captures or promotions lead to.
    pub fn sacrifices(&self) -> Result<&[Sacrifice], ProbeError> {
        let find = || match self.verdict.category {
            Category::BlessedLoss => {
                let drawn = self.moves()?.iter().filter(|mv| mv.category.is_drawn());
                drawn.filter_map(|mv| self.prober.sacrifice(&self.root, mv.mv).transpose()).collect()
            }
            _ => Ok(Vec::new()),
        };
        get_or_try(&self.sacrifices, find).map(Vec::as_slice)
    }

    /// The best line under the count, as [`Prober::principal_variation`].
    pub fn principal_variation(&self) -> Result<&Line, ProbeError> {
        get_or_try(&self.line, || {
            let is_decided = self.verdict.winner().is_some();
            let moves = if is_decided { self.moves()?.to_vec() } else { Vec::new() };
            LineIter::from_known(self.prober, &self.root, is_decided, moves).line()
        })
    }

    /// Judges a move against the others; `None` if it is not legal here.
    ///
    /// # Errors
    ///
    /// If the table of the move is missing or fails, or one of another move that may be better.
    pub fn judge_move(&self, mv: Move) -> Result<Option<JudgedMove>, ProbeError> {
        let judged = |moves| JudgedMove::among(moves, &self.root.position, mv);
        if let Ok(moves) = self.moves() {
            return Ok(judged(moves));
        }
        let mut known = self.prober.known_moves(&self.root);
        let has_best = known.best(&self.verdict).is_some();
        match known.unknown.iter().position(|(unknown, _)| !has_best || *unknown == mv) {
            Some(at) => Err(known.unknown.swap_remove(at).1),
            None => Ok(judged(&known.ranked)),
        }
    }
}

/// The content of a cell, made if it is empty; a failure is not kept.
#[doc(hidden)]
pub fn get_or_try<T, E>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}
