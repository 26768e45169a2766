//! A solved set, in memory.

use std::collections::BTreeMap;

use makruk_tables::format::Value;
use makruk_tables::rules::{ByColor, Color};

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
    /// Legal positions in which the defender is to move and in check.
    pub checked: PositionSet,
}

impl Attack {
    /// Before the first ply.
    pub(crate) fn new(legality: &Legality, attacker: Color) -> Attack {
        let mut escapes = legality.legal[attacker].clone();
        escapes.union(&legality.captures[!attacker]);
        let open = legality.legal[!attacker].clone();
        // A position that only the side to move makes illegal is one in which the other king is attacked.
        let mut checked = open.clone();
        checked.subtract(&legality.legal[attacker]);
        Attack { escapes, open, checked }
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
    /// Before the first attacker.
    pub(crate) fn new(geometry: &Geometry, legality: &Legality) -> Solved {
        let empty = || ByColor::from_fn(|_| PositionSet::empty(geometry));
        let counts =
            ByColor::from_fn(|side| BTreeMap::from([(Value::Draw, legality.legal[side].weighted_len(geometry))]));
        let planes = ByColor::from_fn(|_| vec![Planes::default(); geometry.slabs()]);
        Solved { won: empty(), lost: empty(), planes, counts }
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
    pub(crate) fn finish(&mut self, legality: &Legality, attacker: Color, attack: Attack) {
        let Attack { escapes, open, .. } = attack;
        self.won[attacker] = legality.legal[attacker].clone();
        self.won[attacker].subtract(&escapes);
        self.lost[attacker] = legality.legal[!attacker].clone();
        self.lost[attacker].subtract(&open);
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
