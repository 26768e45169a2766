//! How a save goes on: the move, what follows, and what follows otherwise.

use makruk_tables::rules::{Fen, Move};

use super::{Look, SlabSource};
use makruk_probe::{Category, Line, LineEnd, LineMove, Policy, ProbeError, Prober, RankedMove, Sacrifice, best_by_dtm};

/// The most moves shown that lose.
const MOST_TRIES: usize = 3;
/// Plies of a line that shows why a move loses.
const TRY_PLIES: usize = 12;

/// Lines from a save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The saving move and best play after it.
    pub main: Line,
    /// What the saving move gives up, if it does.
    pub sacrifice: Option<Sacrifice>,
    /// What follows the saving move if the attacker takes the man where he did not in the main line, or does not take it
    /// where he did; the first move is his.
    pub otherwise: Option<Line>,
    /// Moves that lose, each with what follows: those that hold out the longest.
    pub tries: Vec<Line>,
    /// How many moves lose.
    pub losing: usize,
}

impl Solution {
    /// The solution of a save, the main lines no longer than so many plies.
    ///
    /// # Errors
    ///
    /// As [`Prober::line`].
    pub fn of<S: SlabSource>(look: &Look<'_, S>, max_plies: usize) -> Result<Option<Solution>, ProbeError> {
        let (prober, root) = (look.prober(), look.root());
        let moves = prober.moves(root)?;
        let sacrifice = look.sacrifices()?.iter().min_by_key(|given| (!given.offered, !look.given(given).1)).copied();
        let first = match sacrifice {
            Some(sacrifice) => moves.iter().find(|mv| mv.mv == sacrifice.mv),
            None => moves.iter().find(|mv| mv.category.is_drawn()),
        };
        let Some(&first) = first else { return Ok(None) };
        let main = line(prober, root, first, max_plies)?;
        let after = root.play(prober.rules(), first.mv);
        let reply = main.moves.get(1).map(|reply| reply.ranked.mv);
        let otherwise = match sacrifice {
            Some(sacrifice) => otherwise(prober, &after, &sacrifice, reply, max_plies)?,
            None => None,
        };
        let losing: Vec<RankedMove> = moves.iter().filter(|mv| mv.category == Category::Loss).copied().collect();
        let tries = losing.iter().take(MOST_TRIES).map(|&mv| line(prober, root, mv, TRY_PLIES));
        Ok(Some(Solution { main, sacrifice, otherwise, tries: tries.collect::<Result<_, _>>()?, losing: losing.len() }))
    }
}

/// What follows if the attacker does not do what he does in the main line: takes, or refuses.
fn otherwise<S: SlabSource>(
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
            // Those that keep what there is to win; of these the quickest.
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
