//! The solution of a save: the saving move, best play after it, and variations.

use makruk_probe::{
    Category, Line, LineEnd, LineMove, Policy, ProbeError, Prober, RankedMove, Sacrifice, SlabSource, best_by_dtm,
};
use makruk_tables::rules::{Fen, Move};

use crate::analysis::SaveAnalysis;

/// The most losing moves that get a line.
const MOST_TRIES: usize = 3;
/// The longest line after a losing move, in plies.
const TRY_PLIES: usize = 12;

/// The lines from a save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The saving move and best play after it.
    pub main: Line,
    /// The sacrifice, if the saving move is one.
    pub sacrifice: Option<Sacrifice>,
    /// The variation in which the attacker captures the man if he declined in the main line, or declines if he
    /// captured; its first move is the attacker's.
    pub alternative: Option<Line>,
    /// Losing moves, each with its continuation: those that last the longest.
    pub tries: Vec<Line>,
    /// The number of losing moves.
    pub losing: usize,
}

impl Solution {
    /// The solution of a save, with lines of at most `max_plies` plies. `None` if no move draws.
    ///
    /// # Errors
    ///
    /// As [`Prober::line`].
    pub fn of<S: SlabSource>(save: &SaveAnalysis<'_, S>, max_plies: usize) -> Result<Option<Solution>, ProbeError> {
        let (prober, root) = (save.prober(), save.root());
        let moves = prober.moves(root)?;
        let sacrifice = save
            .sacrifices()?
            .iter()
            .min_by_key(|sacrifice| (!sacrifice.offered, !save.sacrificed(sacrifice).1))
            .copied();
        let first = match sacrifice {
            Some(sacrifice) => moves.iter().find(|mv| mv.mv == sacrifice.mv),
            None => moves.iter().find(|mv| mv.category.is_drawn()),
        };
        let Some(&first) = first else { return Ok(None) };
        let main = line(prober, root, first, max_plies)?;
        let after = root.play(prober.rules(), first.mv);
        let reply = main.moves.get(1).map(|reply| reply.ranked.mv);
        let alternative = match sacrifice {
            Some(sacrifice) => alternative(prober, &after, &sacrifice, reply, max_plies)?,
            None => None,
        };
        let losing: Vec<RankedMove> = moves.iter().filter(|mv| mv.category == Category::Loss).copied().collect();
        let tries = losing.iter().take(MOST_TRIES).map(|&mv| line(prober, root, mv, TRY_PLIES));
        Ok(Some(Solution {
            main,
            sacrifice,
            alternative,
            tries: tries.collect::<Result<_, _>>()?,
            losing: losing.len(),
        }))
    }
}

/// The line in which the attacker captures where the main line declines, or the other way round.
fn alternative<S: SlabSource>(
    prober: &Prober<S>,
    after: &Fen,
    sacrifice: &Sacrifice,
    reply: Option<Move>,
    max_plies: usize,
) -> Result<Option<Line>, ProbeError> {
    let replies = prober.moves(after)?;
    let takes = |mv: &RankedMove| mv.mv.to == sacrifice.capture.to;
    let other = match reply {
        Some(reply) if reply.to == sacrifice.capture.to => {
            let refusals: Vec<RankedMove> = replies.iter().filter(|mv| !takes(mv)).copied().collect();
            // The quickest of the moves that capture nothing there.
            best_by_dtm(&refusals).copied()
        }
        _ => replies.iter().find(|mv| mv.mv == sacrifice.capture).copied(),
    };
    other.map(|other| line(prober, after, other, max_plies)).transpose()
}

/// A move and best play after it.
fn line<S: SlabSource>(
    prober: &Prober<S>,
    before: &Fen,
    ranked: RankedMove,
    max_plies: usize,
) -> Result<Line, ProbeError> {
    let first = LineMove::new(prober.rules(), before, ranked);
    let Line { mut moves, end } = if max_plies > 1 {
        prober.line(&first.after, Policy::Safest, max_plies - 1).line()?
    } else {
        Line { moves: Vec::new(), end: LineEnd::Truncated }
    };
    moves.insert(0, first);
    Ok(Line { moves, end })
}
