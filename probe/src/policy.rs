//! The choice among moves that keep the result.

use makruk_rules::{Count, Fen};

use crate::error::ProbeError;
use crate::judge::Category;
use crate::prober::Prober;
use crate::ranked_move::{CountMode, RankedMove};
use crate::source::ValueSource;

/// The choice of a perfect player among the moves that keep the category of the position.
///
/// Ties are broken by the order of [`Prober::moves`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Policy {
    /// The winner mates soonest, by DTM. The loser plays as with `stubborn`.
    Fastest,
    /// The move ranked first. The winner takes the shortest way to the conversion, which leaves the most of the count
    /// unspent, then mates soonest. The loser makes the winner spend the most of it.
    #[default]
    Safest,
    /// The loser puts off mate the longest, by DTM, whatever the count. The winner plays as with `safest`.
    Stubborn,
    /// The hardest move to answer for a human: the loser, and either side in a draw, leaves the opponent the smallest
    /// share of replies that keep the result. The winner plays as with `safest`.
    Tricky,
}

makruk_rules::names!(Policy: Fastest = "fastest", Safest = "safest", Stubborn = "stubborn", Tricky = "tricky");

impl Policy {
    /// The policy of a name.
    pub fn from_name(name: &str) -> Option<Policy> {
        Policy::ALL.into_iter().find(|policy| policy.name() == name)
    }
}

impl<S: ValueSource> Prober<S> {
    /// The move that a perfect player makes. `None` if the game is over: mate, stalemate, or a count that has run out.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`]; with [`Policy::Tricky`] also for the materials that two captures or promotions lead to.
    pub fn play(&self, fen: &Fen, policy: Policy) -> Result<Option<RankedMove>, ProbeError> {
        let root = self.resolved(fen);
        if root.running_count().is_some_and(Count::is_expired) {
            return Ok(None);
        }
        let ranked = self.moves(&root)?;
        self.choose(&root, &ranked, policy)
    }

    /// The policy's choice among ranked moves; the root's count is resolved.
    pub(crate) fn choose(
        &self,
        root: &Fen,
        ranked: &[RankedMove],
        policy: Policy,
    ) -> Result<Option<RankedMove>, ProbeError> {
        let Some(&first) = ranked.first() else { return Ok(None) };
        let wins = matches!(first.category, Category::Win | Category::CursedWin);
        let loses = matches!(first.category, Category::Loss | Category::BlessedLoss);
        // The order goes by category first.
        let keeping = &ranked[..ranked.partition_point(|mv| mv.category == first.category)];
        let chosen = match policy {
            Policy::Fastest if wins => keeping.iter().min_by_key(|mv| mv.dtm.plies()),
            // The first of the longest.
            Policy::Fastest | Policy::Stubborn if loses => keeping.iter().rev().max_by_key(|mv| mv.dtm.plies()),
            Policy::Tricky if !wins => {
                let share = |_: &Fen, replies: &[RankedMove]| ReplyShare::of(replies, CountMode::Applied);
                return Ok(self.hardest_first(root, keeping, share, || false)?.first().copied());
            }
            _ => Some(&first),
        };
        Ok(chosen.copied())
    }

    /// Sorts moves of `root`, whose count is resolved, by how hard they are to answer: the smallest key first, equal
    /// keys in the order given. `key` rates a move by the position after it and its ranked replies. Once `is_over`
    /// holds, the moves not rated yet stay after the others in their order; the first move is always rated.
    ///
    /// # Errors
    ///
    /// As [`Prober::moves`], for the positions after the moves.
    pub fn hardest_first<K: Ord>(
        &self,
        root: &Fen,
        moves: &[RankedMove],
        mut key: impl FnMut(&Fen, &[RankedMove]) -> K,
        is_over: impl Fn() -> bool,
    ) -> Result<Vec<RankedMove>, ProbeError> {
        let mut rated = Vec::with_capacity(moves.len());
        for &mv in moves {
            let after = root.play(self.rules(), mv.mv);
            rated.push((key(&after, &self.moves(&after)?), mv));
            if is_over() {
                break;
            }
        }
        let rest = &moves[rated.len()..];
        rated.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(rated.into_iter().map(|(_, mv)| mv).chain(rest.iter().copied()).collect())
    }
}

/// The share of a position's moves that keep its result, in 2^32ths, which tell shares of a few hundred moves apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReplyShare(u64);

impl ReplyShare {
    /// The share among ranked moves. Without a move nothing can go wrong: the share is 1.
    pub fn of(ranked: &[RankedMove], mode: CountMode) -> ReplyShare {
        let Some(best) = mode.best(ranked) else { return ReplyShare(1 << 32) };
        let keeping = ranked.iter().filter(|mv| mode.keeps(best, mv)).count() as u64;
        ReplyShare((keeping << 32) / ranked.len() as u64)
    }
}
