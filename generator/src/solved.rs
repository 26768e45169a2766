//! A solved set, in memory.

use std::collections::BTreeMap;

use makruk_tables::format::Value;
use makruk_tables::rules::{ByColor, Color};
use rayon::prelude::*;

use crate::distances::Planes;
use crate::geometry::Geometry;
use crate::set::PositionSet;

/// The cells of a set that are legal positions, and those that stand for captures.
pub(crate) struct Legality {
    /// Legal positions, by the side to move.
    pub legal: ByColor<PositionSet>,
    /// Capture cells that lead to a legal position, by the side that captures.
    pub captures: ByColor<PositionSet>,
}

impl Legality {
    /// Nothing yet.
    pub(crate) fn empty(geometry: &Geometry) -> Legality {
        let empty = || ByColor::from_fn(|_| PositionSet::empty(geometry));
        Legality { legal: empty(), captures: empty() }
    }
}

/// The sets that one attacker's plies change.
pub(crate) struct Attack {
    /// Where the defender may go without having lost yet: legal positions with the attacker to move that he does not win
    /// so far, and the defender's captures that are not won for the attacker so far.
    pub escapes: PositionSet,
    /// Legal positions with the defender to move that are not lost so far.
    pub open: PositionSet,
    /// The positions with the attacker to move that the last pass decided, and such captures of the defender.
    pub won: PositionSet,
    /// The positions with the defender to move that the last pass decided, and such captures of the attacker.
    pub lost: PositionSet,
}

impl Attack {
    /// Nothing yet.
    pub(crate) fn empty(geometry: &Geometry) -> Attack {
        let empty = || PositionSet::empty(geometry);
        Attack { escapes: empty(), open: empty(), won: empty(), lost: empty() }
    }

    /// Before an attacker's first ply. The frontiers are emptied by the first passes.
    pub(crate) fn begin(&mut self, legality: &Legality, attacker: Color) {
        self.escapes.assign_union(&legality.legal[attacker], &legality.captures[!attacker]);
        self.open.assign_copy(&legality.legal[!attacker]);
    }
}

/// What solving a set under one metric found.
pub(crate) struct Solved {
    /// For each attacker, the positions with him to move that he wins.
    pub won: ByColor<PositionSet>,
    /// For each attacker, the positions with the other side to move that he wins.
    pub lost: ByColor<PositionSet>,
    /// Distances in moves, by the side to move, slab by slab.
    pub planes: ByColor<Vec<Planes>>,
    /// By the side to move: how many full-board positions have each value, like men told apart.
    counts: ByColor<BTreeMap<Value, u64>>,
}

impl Solved {
    /// Nothing yet.
    pub(crate) fn empty(geometry: &Geometry) -> Solved {
        let empty = || ByColor::from_fn(|_| PositionSet::empty(geometry));
        let planes = ByColor::from_fn(|_| vec![Planes::default(); geometry.slabs()]);
        Solved { won: empty(), lost: empty(), planes, counts: ByColor::default() }
    }

    /// Before the first attacker: every legal position is a draw.
    pub(crate) fn begin(&mut self, geometry: &Geometry, legality: &Legality) {
        for side in Color::ALL {
            self.counts[side] = BTreeMap::from([(Value::Draw, legality.legal[side].weighted_len(geometry))]);
            self.planes[side].par_iter_mut().for_each(Planes::clear);
            self.won[side].clear();
            self.lost[side].clear();
        }
    }

    /// Counts positions that an attacker's ply decided.
    pub(crate) fn count(&mut self, attacker: Color, moves: u16, wins: u64, losses: u64) {
        for (side, value, found) in
            [(attacker, Value::Win((2 * moves).saturating_sub(1)), wins), (!attacker, Value::Loss(2 * moves), losses)]
        {
            if found > 0 {
                *self.counts[side].entry(value).or_default() += found;
                *self.counts[side].entry(Value::Draw).or_default() -= found;
            }
        }
    }

    /// Takes an attacker's outcome over.
    pub(crate) fn finish(&mut self, legality: &Legality, attacker: Color, attack: &Attack) {
        self.won[attacker].assign_difference(&legality.legal[attacker], &attack.escapes);
        self.lost[attacker].assign_difference(&legality.legal[!attacker], &attack.open);
    }

    /// How many distinct legal positions of the full board have each value, for a side to move; ascending by value.
    pub(crate) fn histogram(&self, geometry: &Geometry, side: Color) -> Vec<(Value, u64)> {
        let like = geometry.layout().like_permutations();
        self.counts[side]
            .iter()
            .filter(|&(_, &count)| count > 0)
            .map(|(&value, &count)| (value, count / like))
            .collect()
    }
}
