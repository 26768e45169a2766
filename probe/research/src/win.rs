//! The details of a win under the count: the moves to spare, and the captures that throw it away.

use makruk_probe::judge::{self, moves_in};
use makruk_probe::{Category, ProbeError, RankedMove, ValueSource};
use makruk_rules::Move;
use serde::Serialize;

use crate::analysis::SaveAnalysis;

/// The details of a win under the count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WinDetails {
    /// Plies to mate, without a count.
    pub dtm: Option<i32>,
    /// Plies to the conversion that the count allows.
    pub dtz: Option<i32>,
    /// The attacker's moves to the conversion; to mate, if a king is bare and no pawn is left.
    pub needed: u32,
    /// The attacker's moves that the count leaves; `null` with a pawn on the board, where no count runs.
    pub left: Option<u32>,
    /// The attacker's moves to spare, `left` less `needed`; `null` with `left`.
    pub spare: Option<u32>,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The number of legal moves.
    pub legal_moves: u32,
    /// The moves that win, best first.
    pub winning_moves: Vec<KeepingMove>,
    /// The captures that throw the win away, best first.
    pub spoiling_captures: Vec<SpoilingCapture>,
}

/// A move that keeps the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeepingMove {
    /// UCI notation, such as `e2e3` or, for a promotion, `e5e6m`.
    pub uci: String,
    /// SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`.
    pub san: String,
    /// Signed plies to mate without a count, from the side that moves; `null` if neither side forces mate.
    pub dtm: Option<i32>,
    /// Signed plies to the conversion that the count allows; `null` if no conversion can be forced.
    pub dtz: Option<i32>,
    /// Whether the move captures a man.
    pub capture: bool,
}

/// A capture that throws the win away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpoilingCapture {
    /// UCI notation, such as `e2e3`.
    pub uci: String,
    /// SAN in the letters K R N S M, with + and #.
    pub san: String,
    /// Whether it takes the defender's last man.
    pub last: bool,
    /// The attacker's moves to mate after it, without a count; `null` if it does not win without a count either.
    pub needed: Option<u32>,
    /// The attacker's moves that the count leaves after it; `null` with `needed`, or if no count runs.
    pub left: Option<u32>,
}

impl<S: ValueSource> SaveAnalysis<'_, S> {
    /// The attacker's moves that a win needs, and those that the count leaves; each `None` if there is none: neither
    /// side wins, or no count runs.
    pub fn needed_and_left(&self) -> Result<(Option<u32>, Option<u32>), ProbeError> {
        let distances = self.distances()?;
        Ok((distances.dtz.plies().map(moves_in), judge::moves_left(self.root().count, distances)))
    }

    /// The moves that the count leaves less those that a win needs; `None` if either is unknown, or they do not
    /// suffice.
    pub fn spare(&self) -> Result<Option<u32>, ProbeError> {
        let (needed, left) = self.needed_and_left()?;
        Ok(left.zip(needed).and_then(|(left, needed)| left.checked_sub(needed)))
    }

    /// The captures that do not win, best first.
    pub fn spoiling_captures(&self) -> Result<Vec<RankedMove>, ProbeError> {
        self.spoiling(|mv| self.position().captured(mv).is_some())
    }

    /// The moves of a class that do not win, best first.
    pub(crate) fn spoiling(&self, is_of_class: impl Fn(Move) -> bool) -> Result<Vec<RankedMove>, ProbeError> {
        let winning = self.saving_moves()?;
        let spoiling = self.legal_moves().iter().filter(|mv| is_of_class(**mv) && !winning.contains(mv));
        let mut ranked: Vec<RankedMove> =
            spoiling.map(|&mv| self.prober().rank_move(self.root(), mv)).collect::<Result<_, _>>()?;
        makruk_probe::rank(&mut ranked);
        Ok(ranked)
    }

    /// The verdicts of the moves that keep the result, best first.
    pub(crate) fn keeping_moves(&self) -> Result<Vec<KeepingMove>, ProbeError> {
        let keeping = |ranked: RankedMove| KeepingMove {
            uci: ranked.mv.to_string(),
            san: ranked.san(self.position()),
            dtm: ranked.dtm.signed_plies(),
            dtz: ranked.dtz.signed_plies(),
            capture: ranked.capture,
        };
        Ok(self.ranked_saving_moves()?.into_iter().map(keeping).collect())
    }
}

impl WinDetails {
    /// The details of a win.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn of<S: ValueSource>(win: &SaveAnalysis<'_, S>) -> Result<WinDetails, ProbeError> {
        let distances = win.distances()?;
        let (needed, left) = win.needed_and_left()?;
        let spoiling = |ranked: RankedMove| {
            let wins = ranked.category == Category::CursedWin;
            SpoilingCapture {
                uci: ranked.mv.to_string(),
                san: ranked.san(win.position()),
                last: ranked.bares_king,
                // The capture itself is the first of the plies.
                needed: ranked.dtm.plies().filter(|_| wins).map(|plies| moves_in(plies) - 1),
                left: ranked.attacker_moves_left().filter(|_| wins),
            }
        };
        Ok(WinDetails {
            dtm: distances.dtm.signed_plies(),
            dtz: distances.dtz.signed_plies(),
            needed: needed.unwrap_or_default(),
            left,
            spare: win.spare()?,
            check: win.position().is_check(),
            legal_moves: win.legal_moves().len() as u32,
            winning_moves: win.keeping_moves()?,
            spoiling_captures: win.spoiling_captures()?.into_iter().map(spoiling).collect(),
        })
    }
}
