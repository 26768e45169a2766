//! The analysis of a position that a search found, as far as it is asked for.

use std::cell::OnceCell;

use makruk_probe::{Category, Distances, ProbeError, Prober, RankedMove, Sacrifice, ValueSource, get_or_try};
use makruk_rules::{Color, Fen, Move, Position, Role};

use crate::kind::PositionKind;
use crate::position::LocatedPosition;

/// A save, or a position of another kind, and its properties. Each property is computed when it is first asked for, and
/// kept.
pub struct SaveAnalysis<'a, S> {
    prober: &'a Prober<S>,
    kind: PositionKind,
    save: &'a LocatedPosition,
    /// The position with the count that begins with the defender's move.
    root: Fen,
    legal_moves: OnceCell<Vec<Move>>,
    saving_moves: OnceCell<Vec<Move>>,
    sacrifices: OnceCell<Vec<Sacrifice>>,
    distances: OnceCell<Distances>,
    short_by: OnceCell<Option<u32>>,
}

impl<'a, S: ValueSource> SaveAnalysis<'a, S> {
    /// The analysis of a save.
    pub fn new(prober: &'a Prober<S>, save: &'a LocatedPosition) -> SaveAnalysis<'a, S> {
        SaveAnalysis {
            prober,
            kind: PositionKind::Saves,
            save,
            root: prober.resolved(&save.fen()),
            legal_moves: OnceCell::new(),
            saving_moves: OnceCell::new(),
            sacrifices: OnceCell::new(),
            distances: OnceCell::new(),
            short_by: OnceCell::new(),
        }
    }

    /// The same of a position of another kind.
    #[must_use]
    pub fn of_kind(self, kind: PositionKind) -> SaveAnalysis<'a, S> {
        SaveAnalysis { kind, ..self }
    }

    /// The kind of the position.
    pub const fn kind(&self) -> PositionKind {
        self.kind
    }

    /// The prober that answers.
    pub fn prober(&self) -> &'a Prober<S> {
        self.prober
    }

    /// The save and its cell.
    pub fn save(&self) -> &'a LocatedPosition {
        self.save
    }

    /// The position.
    pub fn position(&self) -> &'a Position {
        &self.save.position
    }

    /// The position with the count that begins with the defender's move.
    pub fn root(&self) -> &Fen {
        &self.root
    }

    /// The side that counts: the opponent in a win, else the side to move.
    pub fn defender(&self) -> Color {
        match self.kind {
            PositionKind::Wins => !self.position().turn(),
            PositionKind::Saves | PositionKind::Zugzwangs => self.position().turn(),
        }
    }

    /// The legal moves, in no particular order.
    pub fn legal_moves(&self) -> &[Move] {
        self.legal_moves.get_or_init(|| self.position().legal_moves().into_iter().collect())
    }

    /// The moves that draw, in a win those that win, in no particular order.
    pub fn saving_moves(&self) -> Result<&[Move], ProbeError> {
        let saving = get_or_try(&self.saving_moves, || {
            let keeps = |category: Category| match self.kind {
                PositionKind::Wins => category == Category::Win,
                PositionKind::Saves | PositionKind::Zugzwangs => category.is_drawn(),
            };
            let keeping = |mv: &Move| match self.prober.move_category(&self.root, *mv) {
                Ok(category) => keeps(category).then_some(Ok(*mv)),
                Err(error) => Some(Err(error)),
            };
            self.legal_moves().iter().filter_map(keeping).collect()
        })?;
        Ok(saving)
    }

    /// The saving moves that sacrifice a man, in no particular order.
    pub fn sacrifices(&self) -> Result<&[Sacrifice], ProbeError> {
        let sacrifices = get_or_try(&self.sacrifices, || {
            let sacrifice = |&mv: &Move| self.prober.sacrifice(&self.root, mv).transpose();
            self.saving_moves()?.iter().filter_map(sacrifice).collect()
        })?;
        Ok(sacrifices)
    }

    /// The role of the man that is sacrificed, and whether it is the defender's last.
    pub fn sacrificed(&self, sacrifice: &Sacrifice) -> (Role, bool) {
        let after = self.position().play(sacrifice.mv);
        let role = after.captured(sacrifice.capture).map_or(Role::Pawn, |man| man.role);
        (role, after.board().by_color(self.defender()).len() == 2)
    }

    /// The distances of the position.
    pub fn distances(&self) -> Result<Distances, ProbeError> {
        get_or_try(&self.distances, || self.prober.distances(self.position())).copied()
    }

    /// The moves that the attacker is short, if that is known.
    pub fn short_by(&self) -> Result<Option<u32>, ProbeError> {
        get_or_try(&self.short_by, || self.prober.short_by(&self.save.fen())).copied()
    }

    /// The verdicts of the saving moves, best first.
    pub fn ranked_saving_moves(&self) -> Result<Vec<RankedMove>, ProbeError> {
        let judge = |&mv: &Move| self.prober.rank_move(&self.root, mv);
        let mut ranked: Vec<RankedMove> = self.saving_moves()?.iter().map(judge).collect::<Result<_, _>>()?;
        makruk_probe::rank(&mut ranked);
        Ok(ranked)
    }
}
