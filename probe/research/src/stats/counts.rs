//! Counts of saves and of captures that take the last piece.

use std::collections::BTreeMap;

/// The properties of a defender's saves, in positions of the full board unless said otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaveCounts {
    /// The saves that were analysed: all, or those of sampled cells.
    pub looked: u64,
    /// The cells of these.
    pub cells: u64,
    /// Saves with a single drawing move.
    pub only_move: u64,
    /// Saves with a drawing sacrifice of any man.
    pub sacrifice: u64,
    /// Saves with a drawing sacrifice of the defender's last piece.
    pub last_piece: u64,
    /// Saves in which every drawing move is a sacrifice.
    pub forced: u64,
    /// Saves with a drawing sacrifice of a rook, knight, khon, met.
    pub given: [u64; 4],
    /// The saves for which the moves that the attacker is short were computed.
    pub asked: u64,
    /// The cells of these.
    pub asked_cells: u64,
    /// These saves by the moves that the attacker is short.
    pub short: BTreeMap<u32, u64>,
    /// Those for which the number is unknown.
    pub unknown: u64,
}

/// Captures of the last piece in positions that the attacker, to move, wins under the count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaringCaptures {
    /// The cells that were searched.
    pub cells: u64,
    /// Positions with such a capture.
    pub positions: u64,
    /// Positions in which such a capture draws by the count that it starts.
    pub draws_by_count: u64,
    /// Positions in which such a capture draws, by the count or without it.
    pub draws: u64,
    /// Positions in which every such capture draws: the attacker wins only by declining.
    pub all_draw: u64,
}

impl SaveCounts {
    pub(super) fn add(&mut self, other: &SaveCounts) {
        self.looked += other.looked;
        self.cells += other.cells;
        self.only_move += other.only_move;
        self.sacrifice += other.sacrifice;
        self.last_piece += other.last_piece;
        self.forced += other.forced;
        self.given.iter_mut().zip(other.given).for_each(|(given, more)| *given += more);
        self.asked += other.asked;
        self.asked_cells += other.asked_cells;
        for (&short, positions) in &other.short {
            *self.short.entry(short).or_default() += positions;
        }
        self.unknown += other.unknown;
    }
}

impl BaringCaptures {
    pub(super) fn add(&mut self, other: &BaringCaptures) {
        self.cells += other.cells;
        self.positions += other.positions;
        self.draws_by_count += other.draws_by_count;
        self.draws += other.draws;
        self.all_draw += other.all_draw;
    }
}
