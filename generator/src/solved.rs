//! A solved set, and the sets it is solved with.

use std::collections::BTreeMap;
use std::io;

use makruk_tables::format::Value;
use makruk_tables::rules::{ByColor, Color};

use crate::geometry::Geometry;
use crate::layers::Layers;
use crate::set::PositionSet;
use crate::spool::Spool;

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
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub(crate) fn empty(geometry: &Geometry) -> io::Result<Attack> {
        let empty = || PositionSet::empty(geometry);
        Ok(Attack { escapes: empty()?, open: empty()?, won: empty()?, lost: empty()? })
    }
}

/// What solving a set under one metric found.
pub(crate) struct Solved {
    /// The decided positions with their distances.
    pub layers: Layers,
    /// By the side to move: how many full-board positions have each value, like men told apart.
    counts: ByColor<BTreeMap<Value, u64>>,
}

impl Solved {
    /// Nothing yet.
    pub(crate) fn empty(geometry: &Geometry, spool: Spool) -> Solved {
        Solved { layers: Layers::new(spool, geometry.slabs()), counts: ByColor::default() }
    }

    /// Before the first attacker: every legal position is a draw.
    pub(crate) fn begin(&mut self, legal: ByColor<u64>) {
        self.counts = legal.map(|positions| BTreeMap::from([(Value::Draw, positions)]));
    }

    /// Counts positions that an attacker's ply decided.
    pub(crate) fn count(&mut self, side: Color, value: Value, found: u64) {
        if found > 0 {
            *self.counts[side].entry(value).or_default() += found;
            *self.counts[side].entry(Value::Draw).or_default() -= found;
        }
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
