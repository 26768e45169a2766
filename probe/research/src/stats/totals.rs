//! What the tables' headers say of a set.

use std::collections::BTreeMap;

use makruk_tables::format::{Metric, MovesLeft, Value, ValueList};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color};
use makruk_tables::tablebase::TableId;

use crate::SlabSource;
use makruk_probe::{ProbeError, Prober};

/// A set on the whole, both sides to move taken together, in the colours of its name. All exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The set.
    pub material: Material,
    /// Legal positions.
    pub positions: u64,
    /// Positions that nobody wins, count or no count.
    pub drawn: u64,
    /// What each side wins, the other counting.
    pub attackers: ByColor<Attacker>,
}

/// What one side of a set wins. Counts begin now: the attacker to move has a move more than with the defender to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attacker {
    /// Positions won without the count.
    pub won: u64,
    /// Of these, won within the count.
    pub in_time: u64,
    /// Of the others, those whose event comes too late for board's honour, begun now. The rest ([`Attacker::by_pieces`])
    /// has no event: every baring capture that can be forced starts a count that is too short, or the king is bare already.
    pub by_board: u64,
    /// The saves: won without the count, drawn with it, the defender to move.
    pub saves: u64,
    /// Of these, those that board's honour makes one.
    pub saves_by_board: u64,
    /// The saves for which headers tell it, by the moves the attacker is short: all against a bare king; else those whose
    /// event comes too late.
    pub short: BTreeMap<u32, u64>,
    /// The longest mate without the count, in moves; 0 if there is none.
    pub longest_mate: u16,
    /// The longest way to the event that settles the count, the count leaving time for it, in moves; 0 if there is none.
    pub longest_in_time: u16,
}

impl Attacker {
    /// The wins that the count takes.
    pub const fn taken(&self) -> u64 {
        self.won - self.in_time
    }

    /// The wins that pieces' honour takes: the one that runs, or the one that each baring capture would start.
    pub const fn by_pieces(&self) -> u64 {
        self.taken() - self.by_board
    }
}

impl Totals {
    /// Reads a set's headers.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn read<S: SlabSource>(prober: &Prober<S>, set: Material) -> Result<Totals, ProbeError> {
        let tablebase = super::tablebase(prober, set)?;
        let mates = tablebase.table(TableId { material: set, metric: Metric::Dtm })?.spec();
        let events = tablebase.table(TableId::of(set, Metric::Dtz))?.spec();
        let mut totals = Totals { material: set, positions: 0, drawn: 0, attackers: ByColor::default() };
        let left = MovesLeft::of(set, prober.rules());
        for side in Color::ALL {
            totals.add(side, &mates.values[side], &events.values[side], left);
        }
        Ok(totals)
    }

    /// About how many cells hold so many positions of the full board: exact but for the few slabs on the diagonal.
    pub(crate) fn cells(&self, positions: u64) -> u64 {
        positions / Layout::new(self.material).symmetry().transforms().count() as u64
    }

    /// Adds what a side to move has.
    fn add(&mut self, side: Color, mates: &ValueList, events: &ValueList, left: MovesLeft) {
        let is_armed = self.material.is_armed();
        self.positions += mates.won() + mates.drawn() + mates.lost();
        self.drawn += mates.drawn();
        for (attacks, all) in [(true, mates.won()), (false, mates.lost())] {
            let attacker = &mut self.attackers[if attacks { side } else { !side }];
            let is_decided = |value: Value| match value {
                Value::Draw => false,
                Value::Win(_) => attacks,
                Value::Loss(_) => !attacks,
            };
            let occurring = |list: &ValueList| -> Vec<(Value, u64)> {
                list.entries().iter().copied().filter(|&(value, n)| n > 0 && is_decided(value)).collect()
            };
            let longest = |list: &[(Value, u64)]| list.iter().filter_map(|entry| entry.0.moves()).max().unwrap_or(0);
            let (in_time, late): (Vec<_>, Vec<_>) =
                occurring(events).into_iter().partition(|&(value, _)| left.suffice(value, attacks));
            let sum = |list: &[(Value, u64)]| list.iter().map(|entry| entry.1).sum::<u64>();
            attacker.won += all;
            attacker.in_time += sum(&in_time);
            attacker.longest_mate = attacker.longest_mate.max(longest(&occurring(mates)));
            attacker.longest_in_time = attacker.longest_in_time.max(longest(&in_time));
            if is_armed {
                attacker.by_board += sum(&late);
            }
            if !attacks {
                attacker.saves = all - sum(&in_time);
                attacker.saves_by_board = if is_armed { sum(&late) } else { 0 };
                for (value, positions) in late {
                    if let (Some(moves), Some(left)) = (value.moves(), left.moves(false)) {
                        *attacker.short.entry(u32::from(moves) - left).or_default() += positions;
                    }
                }
            }
        }
    }
}
