//! Lines of best play.

use makruk_rules::{CountingRules, Fen};
use makruk_tables::value::Value;

use crate::error::ProbeError;
use crate::policy::Policy;
use crate::prober::Prober;
use crate::ranked_move::{CountMode, RankedMove};
use crate::source::ValueSource;

/// The most plies of a line: beyond any that the tables and the counts they start can give.
pub const MAX_LINE_PLIES: usize = 2000;

/// One move of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// Its verdict, seen by the side that makes it: category, distances, count after it.
    pub ranked: RankedMove,
    /// Standard algebraic notation.
    pub san: String,
    /// The position after it, with its count.
    pub after: Fen,
}

impl LineMove {
    /// A move made in `before`, whose count is resolved.
    pub fn new(rules: &CountingRules, before: &Fen, ranked: RankedMove) -> LineMove {
        LineMove { ranked, san: ranked.san(&before.position), after: before.play(rules, ranked.mv) }
    }
}

/// The reason why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum LineEnd {
    /// Mate.
    Checkmate,
    /// The count has run out: a draw.
    CountExpired,
    /// Stalemate, or neither side wins any more, with or without a count: there is no best move to show.
    Draw,
    /// The line is longer than was asked for.
    Truncated,
}

makruk_rules::names! {
    LineEnd: Checkmate = "checkmate", CountExpired = "count_expired", Draw = "draw", Truncated = "truncated"
}

/// A line of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its moves.
    pub moves: Vec<LineMove>,
    /// The reason why it ends.
    pub end: LineEnd,
}

/// One item of a [`LineIter`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineStep {
    /// A move.
    Move(LineMove),
    /// The end of the line, always the last item.
    End(LineEnd),
}

/// A line under way. Whoever continues it brings the prober.
#[derive(Clone, Debug)]
pub struct LineWalk {
    now: Fen,
    mode: CountMode,
    defence: Policy,
    left: usize,
    /// Whether a side wins without the count. `None` until the tables are asked.
    is_decided: Option<bool>,
    /// The moves of `now`, if they are known already.
    ranked: Option<Vec<RankedMove>>,
    is_over: bool,
}

impl LineWalk {
    /// A line under the count, up to `max_plies` long. The side that wins without the count plays [`Policy::Safest`],
    /// the other side `defence`.
    pub fn new<S>(prober: &Prober<S>, root: &Fen, defence: Policy, max_plies: usize) -> LineWalk
    where
        S: ValueSource,
    {
        LineWalk {
            now: prober.resolved(root),
            mode: CountMode::Applied,
            defence,
            left: max_plies,
            is_decided: None,
            ranked: None,
            is_over: false,
        }
    }

    /// The next move, or the end; nothing after the end or the first error.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`].
    pub fn next<S: ValueSource>(&mut self, prober: &Prober<S>) -> Option<Result<LineStep, ProbeError>> {
        if self.is_over {
            return None;
        }
        let step = self.step(prober);
        self.is_over = !matches!(step, Ok(LineStep::Move(_)));
        Some(step)
    }

    fn step<S: ValueSource>(&mut self, prober: &Prober<S>) -> Result<LineStep, ProbeError> {
        if let Some(end) = self.end(prober)? {
            return Ok(LineStep::End(end));
        }
        if self.left == 0 {
            return Ok(LineStep::End(LineEnd::Truncated));
        }
        let ranked = match self.ranked.take() {
            Some(ranked) => ranked,
            None => prober.moves(&self.now)?,
        };
        let Some(best) = self.choose(prober, &ranked)? else { return Ok(LineStep::End(LineEnd::Draw)) };
        let made = LineMove::new(prober.rules(), &self.now, best);
        self.now = made.after.clone();
        self.is_decided = Some(best.dtm != Value::Draw);
        self.left -= 1;
        Ok(LineStep::Move(made))
    }

    /// The reason why the line ends here, if it does.
    fn end<S: ValueSource>(&self, prober: &Prober<S>) -> Result<Option<LineEnd>, ProbeError> {
        let position = &self.now.position;
        let is_drawn = |is_checkmate| match self.mode {
            CountMode::Applied => self.now.running_count().is_some_and(|count| count.draws(is_checkmate)),
            CountMode::Ignored => false,
        };
        Ok(if !position.has_legal_move() {
            Some(match position.is_check() {
                true if is_drawn(true) => LineEnd::CountExpired,
                true => LineEnd::Checkmate,
                false => LineEnd::Draw,
            })
        } else if !self.is_decided(prober)? {
            Some(LineEnd::Draw)
        } else {
            is_drawn(false).then_some(LineEnd::CountExpired)
        })
    }

    fn is_decided<S: ValueSource>(&self, prober: &Prober<S>) -> Result<bool, ProbeError> {
        match self.is_decided {
            Some(is_decided) => Ok(is_decided),
            None => Ok(prober.distances(&self.now.position)?.mover_wins().is_some()),
        }
    }

    fn choose<S: ValueSource>(
        &self,
        prober: &Prober<S>,
        ranked: &[RankedMove],
    ) -> Result<Option<RankedMove>, ProbeError> {
        let loses = ranked.first().is_some_and(|mv| matches!(mv.dtm, Value::Loss(_)));
        match self.mode {
            CountMode::Applied if loses => prober.choose(&self.now, ranked, self.defence),
            CountMode::Applied => prober.choose(&self.now, ranked, Policy::Safest),
            CountMode::Ignored => Ok(self.mode.best(ranked).copied()),
        }
    }
}

/// A line that is read from the tables move by move.
///
/// It ends with [`LineStep::End`] or with the first error, and yields nothing after it.
#[derive(Clone, Debug)]
pub struct LineIter<'a, S> {
    prober: &'a Prober<S>,
    walk: LineWalk,
}

impl<'a, S: ValueSource> LineIter<'a, S> {
    /// The shortest way to mate as if there were no count; the moves' verdicts are still those under the count.
    pub fn without_count(prober: &'a Prober<S>, root: &Fen, max_plies: usize) -> LineIter<'a, S> {
        let mut line = prober.line(root, Policy::Safest, max_plies);
        line.walk.mode = CountMode::Ignored;
        line
    }

    /// A line under the count from a position whose moves are ranked already, if it is decided.
    pub(crate) fn from_known(
        prober: &'a Prober<S>,
        root: &Fen,
        is_decided: bool,
        ranked: Vec<RankedMove>,
    ) -> LineIter<'a, S> {
        let mut line = prober.line(root, Policy::Safest, MAX_LINE_PLIES);
        (line.walk.is_decided, line.walk.ranked) = (Some(is_decided), Some(ranked));
        line
    }

    /// Reads the line to its end.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`], also for the materials that the line leads to.
    pub fn line(self) -> Result<Line, ProbeError> {
        let mut line = Line { moves: Vec::new(), end: LineEnd::Truncated };
        for step in self {
            match step? {
                LineStep::Move(mv) => line.moves.push(mv),
                LineStep::End(end) => line.end = end,
            }
        }
        Ok(line)
    }
}

impl<S: ValueSource> Iterator for LineIter<'_, S> {
    type Item = Result<LineStep, ProbeError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.walk.next(self.prober)
    }
}

impl<S: ValueSource> Prober<S> {
    /// The best line under the count, or to the draw by it, or none where neither side wins; up to [`MAX_LINE_PLIES`].
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`], also for the materials that the line leads to.
    pub fn principal_variation(&self, root: &Fen) -> Result<Line, ProbeError> {
        self.line(root, Policy::Safest, MAX_LINE_PLIES).line()
    }

    /// The shortest way to mate as if there were no count; its moves' verdicts are still those under the count.
    pub fn line_without_count(&self, root: &Fen) -> Result<Line, ProbeError> {
        LineIter::without_count(self, root, MAX_LINE_PLIES).line()
    }

    /// A line under the count, read move by move. The side that wins without the count plays [`Policy::Safest`], the
    /// other side `defence`.
    pub fn line(&self, root: &Fen, defence: Policy, max_plies: usize) -> LineIter<'_, S> {
        LineIter { prober: self, walk: LineWalk::new(self, root, defence, max_plies) }
    }
}
