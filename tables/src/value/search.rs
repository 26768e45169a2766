//! The values of search tables: bounds of the plies to the conversion.

use super::distance::{Distances, Value};

/// The least and the most plies to the conversion, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlyRange {
    /// The fewest plies that it may take.
    pub least: u16,
    /// The most plies that it may take; [`PlyRange::NEVER`] if there may be no conversion.
    pub most: u16,
}

impl PlyRange {
    /// There is no conversion: more plies than any conversion takes.
    pub const NEVER: u16 = u16::MAX;

    /// Exactly this number of plies.
    pub const fn exactly(plies: u16) -> PlyRange {
        PlyRange { least: plies, most: plies }
    }

    /// One ply more.
    const fn one_more(self) -> PlyRange {
        PlyRange { least: self.least.saturating_add(1), most: self.most.saturating_add(1) }
    }

    /// The range of the smaller of two numbers in these ranges.
    fn min(self, other: PlyRange) -> PlyRange {
        PlyRange { least: self.least.min(other.least), most: self.most.min(other.most) }
    }

    /// The range of the larger of two numbers in these ranges.
    fn max(self, other: PlyRange) -> PlyRange {
        PlyRange { least: self.least.max(other.least), most: self.most.max(other.most) }
    }
}

/// The value of a position in a search table, from the side to move: the winner without the count, and bounds of the plies to
/// the conversion. They decide the category under a running count unless its plies left lie between the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchValue {
    /// Neither side wins.
    #[default]
    Draw,
    /// The side to move wins.
    Win(PlyRange),
    /// The side to move loses; 0 plies if it is mated.
    Loss(PlyRange),
}

impl SearchValue {
    /// The value of a position whose distances are known.
    pub const fn of(distances: Distances) -> SearchValue {
        let range = match distances.dtz {
            Value::Draw => PlyRange::exactly(PlyRange::NEVER),
            Value::Win(plies) | Value::Loss(plies) => PlyRange::exactly(plies),
        };
        match distances.dtm {
            Value::Draw => SearchValue::Draw,
            Value::Win(_) => SearchValue::Win(range),
            Value::Loss(_) => SearchValue::Loss(range),
        }
    }

    /// The value of a move to the side that makes it; `self` is the value of the position after the move.
    #[must_use]
    pub const fn one_ply_earlier(self) -> SearchValue {
        match self {
            SearchValue::Draw => SearchValue::Draw,
            SearchValue::Win(range) => SearchValue::Loss(range.one_more()),
            SearchValue::Loss(range) => SearchValue::Win(range.one_more()),
        }
    }

    /// The value of a baring capture, after which the count leaves this number of moves for the mate. `self` is the value of the
    /// capture with plies to mate as bounds.
    #[must_use]
    pub const fn converted(self, moves: u32) -> SearchValue {
        let SearchValue::Win(PlyRange { least, most }) = self else { return self };
        SearchValue::Win(PlyRange { least: conversion(least, moves), most: conversion(most, moves) })
    }

    /// The value of a position with two moves; `self` and `other` are the values of the moves.
    #[must_use]
    pub fn or(self, other: SearchValue) -> SearchValue {
        use SearchValue::{Draw, Loss, Win};
        match (self, other) {
            (Win(one), Win(other)) => Win(one.min(other)),
            (Win(range), _) | (_, Win(range)) => Win(range),
            (Draw, _) | (_, Draw) => Draw,
            (Loss(one), Loss(other)) => Loss(one.max(other)),
        }
    }
}

/// The plies to the conversion by a baring capture that begins a mate in this number of plies.
const fn conversion(plies_to_mate: u16, moves: u32) -> u16 {
    // The capture is the first of the plies to mate.
    if plies_to_mate != PlyRange::NEVER && plies_to_mate as u32 / 2 <= moves { 1 } else { PlyRange::NEVER }
}
