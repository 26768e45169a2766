//! Perfect play by the tables.

use std::cmp::Reverse;

use makruk_probe::judge::moves_in;
use makruk_probe::{
    Category, CountMode, CountRule, KnownMoves, LineIter, LineStep, Policy, ProbeError, Prober, RankedMove, ReplyShare,
    ValueSource, Verdict,
};
use makruk_rules::{Fen, Move};
use makruk_tables::value::Value;

use super::Control;
use super::evaluate::material;
use super::score::{Score, table_value};

/// The longest line that is shown, in plies.
const MAX_LINE: usize = 80;

/// Play by the tables, in one position.
pub(super) struct Perfect<'a, S> {
    prober: &'a Prober<S>,
    mode: CountMode,
    control: &'a Control,
    fen: &'a Fen,
    verdict: Verdict,
    /// The moves that may be made and have verdicts, the one to make first.
    choices: Vec<RankedMove>,
    /// The moves that may be made and have none.
    unknown: Vec<(Move, ProbeError)>,
}

impl<'a, S: ValueSource> Perfect<'a, S> {
    /// Reads a position and its moves from the tables. If `only` names moves, the others are not considered.
    ///
    /// The winner goes by the prober's order; so does the loser, who has no move that keeps a draw. Among moves that
    /// draw, by the count or without, come first those which leave the opponent the smallest share of replies that draw
    /// as well.
    pub(super) fn new(
        prober: &'a Prober<S>,
        mode: CountMode,
        control: &'a Control,
        fen: &'a Fen,
        only: &[Move],
    ) -> Result<Perfect<'a, S>, ProbeError> {
        let analysis = prober.analysis(fen)?;
        let KnownMoves { ranked: mut choices, mut unknown } = analysis.known_moves();
        if !only.is_empty() {
            choices.retain(|ranked| only.contains(&ranked.mv));
            unknown.retain(|(mv, _)| only.contains(mv));
        }
        mode.rank(&mut choices);
        let mut perfect = Perfect { prober, mode, control, fen, verdict: analysis.verdict().clone(), choices, unknown };
        if perfect.choices.first().is_some_and(|first| mode.is_drawn(first)) {
            // Without the tables of all replies, the prober's order stays.
            let _ = perfect.put_hardest_first();
        }
        Ok(perfect)
    }

    /// Whether no move is better than the first choice.
    pub(super) fn is_certain(&self) -> bool {
        let keeps = |first: &RankedMove| match self.mode {
            CountMode::Applied => first.category == self.verdict.category,
            CountMode::Ignored => first.distances().mover_wins() == self.verdict.distances().mover_wins(),
        };
        self.unknown.is_empty() || self.choices.first().is_some_and(keeps)
    }

    /// The moves that may be made and have no verdicts, each with the reason.
    pub(super) fn unknown(&self) -> &[(Move, ProbeError)] {
        &self.unknown
    }

    /// The verdict on the position.
    pub(super) const fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The moves that may be made and have verdicts, the one to make first.
    pub(super) fn choices(&self) -> &[RankedMove] {
        &self.choices
    }

    /// Sorts the moves that keep the draw by how hard they are to answer. Of equals, the first keeps the most men
    /// through the drawing reply that takes the most.
    fn put_hardest_first(&mut self) -> Result<(), ProbeError> {
        let (mode, mover) = (self.mode, self.fen.position.turn());
        let Some(first) = self.choices.first() else { return Ok(()) };
        let keeping = self.choices.iter().take_while(|mv| mode.keeps(first, mv)).count();
        let key = |after: &Fen, replies: &[RankedMove]| {
            let best = mode.best(replies);
            let kept = replies.iter().filter(|reply| best.is_some_and(|best| mode.keeps(best, reply)));
            let left = kept.map(|reply| material(after.position.play(reply.mv).board(), mover)).min();
            let left = left.unwrap_or_else(|| material(after.position.board(), mover));
            (ReplyShare::of(replies, mode), Reverse(left))
        };
        // If time is up, the best of the moves rated so far is made.
        let is_over = || self.control.is_over();
        let sorted = self.prober.hardest_first(&self.root(), &self.choices[..keeping], key, is_over)?;
        self.choices[..keeping].copy_from_slice(&sorted);
        Ok(())
    }

    /// The position with its count resolved.
    fn root(&self) -> Fen {
        self.prober.resolved(self.fen)
    }

    /// A line that begins with a move: best play by both, as far as a side wins.
    pub(super) fn line(&self, first: Move) -> Result<Vec<Move>, ProbeError> {
        let after = self.root().play(self.prober.rules(), first);
        let best_play = match self.mode {
            CountMode::Applied => self.prober.line(&after, Policy::Safest, MAX_LINE - 1),
            CountMode::Ignored => LineIter::without_count(self.prober, &after, MAX_LINE - 1),
        };
        let mut line = vec![first];
        for step in best_play {
            let LineStep::Move(next) = step? else { break };
            line.push(next.ranked.mv);
            if self.control.is_over() {
                break;
            }
        }
        if line.len() == 1 {
            // A draw has no best line, but pondering needs a reply.
            line.extend(self.mode.best(&self.prober.moves(&after)?).map(|reply| reply.mv));
        }
        Ok(line)
    }

    /// A move's score. It is a mate in a number of moves only where that is certain. This is so against a bare king
    /// with no pawn on the board, in one move, and without the count.
    pub(super) fn score(&self, mv: &RankedMove) -> Score {
        let (fen, use_count) = (self.fen, self.mode == CountMode::Applied);
        let mate = |winner: i32| mv.dtm.plies().map(|plies| Score::Mate(winner * moves_in(plies) as i32));
        let after = fen.position.play(mv.mv);
        let bare = |color| after.board().is_bare(color) && !after.board().has_pawns();
        let (mover, opponent) = (fen.position.turn(), after.turn());
        let certain = |loser, at_once| !use_count || bare(loser) || mv.dtm == at_once;
        let found = match (use_count, mv.category, mv.dtm) {
            (true, Category::Win, _) | (false, _, Value::Win(_)) if certain(opponent, Value::Win(1)) => mate(1),
            (true, Category::Loss, _) | (false, _, Value::Loss(_)) if certain(mover, Value::Loss(2)) => {
                // The mover's own move is not a move of the winner.
                mv.dtm.plies().map(|plies| Score::Mate(-i32::from(plies / 2)))
            }
            _ => None,
        };
        let rule = if fen.position.board().has_pawns() { CountRule::None } else { CountRule::Board };
        found.unwrap_or_else(|| Score::Centipawns(table_value(mv.category, mv.distances(), rule)))
    }
}
