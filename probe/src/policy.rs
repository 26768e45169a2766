//! Which of several perfect moves to make.

use makruk_tables::format::Value;
use makruk_tables::rules::{Count, Fen};

use crate::judge::{Category, plies};
use crate::{ProbeError, Prober, RankedMove, ValueSource};

/// How a perfect player chooses among the moves that keep what the position is worth under the count. Ties are broken by
/// the order of [`Prober::moves`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The winner mates soonest, by DTM. The loser plays as with [`Policy::Stubborn`].
    Fastest,
    /// The move ranked first: the winner goes the shortest way to the event that settles the count and so leaves the most of
    /// it unspent, then mates soonest; the loser makes the winner spend the most of it.
    #[default]
    Safest,
    /// The loser puts off mate the longest, by DTM, whatever the count. The winner plays as with [`Policy::Safest`].
    Stubborn,
    /// The hardest to answer for a human: the loser, and anyone in a draw, leaves the opponent the smallest share of replies
    /// that keep what he has. The winner plays as with [`Policy::Safest`].
    Tricky,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Policy; 4] = [Policy::Fastest, Policy::Safest, Policy::Stubborn, Policy::Tricky];

    /// `fastest`, `safest`, `stubborn` or `tricky`.
    pub const fn name(self) -> &'static str {
        match self {
            Policy::Fastest => "fastest",
            Policy::Safest => "safest",
            Policy::Stubborn => "stubborn",
            Policy::Tricky => "tricky",
        }
    }

    /// The policy of a name.
    pub fn from_name(name: &str) -> Option<Policy> {
        Policy::ALL.into_iter().find(|policy| policy.name() == name)
    }
}

/// What the side to move has, count or no count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Wins,
    Draws,
    Loses,
}

impl Standing {
    const fn of(category: Category) -> Standing {
        match category {
            Category::Win | Category::CursedWin => Standing::Wins,
            Category::Draw => Standing::Draws,
            Category::BlessedLoss | Category::Loss => Standing::Loses,
        }
    }
}

impl<S: ValueSource> Prober<S> {
    /// The move that a perfect player makes. `None` if the game is over: mate, stalemate, or a count that has run out.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`]; with [`Policy::Tricky`] also for the sets that two captures lead to.
    pub fn play(&self, fen: &Fen, policy: Policy) -> Result<Option<RankedMove>, ProbeError> {
        let root = self.resolved(fen);
        if root.count.is_some_and(Count::is_expired) {
            return Ok(None);
        }
        let ranked = self.moves(&root)?;
        self.choose(&root, &ranked, policy)
    }

    /// The policy's choice among ranked moves; the root's count is resolved.
    pub fn choose(&self, root: &Fen, ranked: &[RankedMove], policy: Policy) -> Result<Option<RankedMove>, ProbeError> {
        let Some(&first) = ranked.first() else { return Ok(None) };
        // The order goes by category first.
        let keeping = &ranked[..ranked.partition_point(|mv| mv.category == first.category)];
        let chosen = match (policy, Standing::of(first.category)) {
            (Policy::Fastest, Standing::Wins) => keeping.iter().min_by_key(|mv| plies(mv.dtm)),
            (Policy::Fastest | Policy::Stubborn, Standing::Loses) => {
                // The first of the longest.
                keeping.iter().rev().max_by_key(|mv| plies(mv.dtm))
            }
            (Policy::Tricky, Standing::Loses | Standing::Draws) => return self.trickiest(root, keeping),
            _ => Some(&first),
        };
        Ok(chosen.copied())
    }

    /// The move that leaves the smallest share of replies that keep what the opponent has.
    fn trickiest(&self, root: &Fen, moves: &[RankedMove]) -> Result<Option<RankedMove>, ProbeError> {
        let mut best: Option<(Share, RankedMove)> = None;
        for &mv in moves {
            let share = Share::of(&self.moves(&root.play(self.rules(), mv.mv))?);
            if best.as_ref().is_none_or(|(least, _)| share.is_less(least)) {
                best = Some((share, mv));
            }
        }
        Ok(best.map(|(_, mv)| mv))
    }
}

/// How many of a position's moves keep what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub keeping: u32,
    pub all: u32,
}

impl Share {
    /// Of ranked moves. Where there is none, nothing can go wrong.
    pub fn of(ranked: &[RankedMove]) -> Share {
        let Some(first) = ranked.first() else { return Share { keeping: 1, all: 1 } };
        let keeping = ranked.iter().filter(|mv| mv.category == first.category).count();
        Share { keeping: keeping as u32, all: ranked.len() as u32 }
    }

    pub const fn is_less(self, other: &Share) -> bool {
        self.keeping * other.all < other.keeping * self.all
    }
}

/// Whether the side that makes a move is the one that loses without the count.
pub const fn is_losers(mv: &RankedMove) -> bool {
    matches!(mv.dtm, Value::Loss(_))
}
