//! The totals of a material, from the headers of its tables.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use makruk_format::ValueList;
use makruk_format::index::Layout;
use makruk_probe::{ProbeError, Prober, ValueSource};
use makruk_rules::{ByColor, Color, ToMove};
use makruk_tables::material::Material;
use makruk_tables::tablebase::{TableError, TableId, Tablebase};
use makruk_tables::value::{Metric, MovesLeft, Value};

/// The totals of a material, both sides to move together, in the colours of its name. All are exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The material.
    pub material: Material,
    /// Legal positions.
    pub positions: u64,
    /// The positions that neither side wins, even without the count.
    pub drawn: u64,
    /// The wins of each side.
    pub attackers: ByColor<AttackerTotals>,
}

/// The wins of one side of a material. The count begins now; it leaves one move more with the attacker to move than
/// with the defender to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttackerTotals {
    /// The positions won without the count.
    pub won: u64,
    /// The positions won under the count.
    pub in_time: u64,
    /// The others whose conversion comes too late for board's honour. The rest ([`AttackerTotals::by_pieces`]) has no
    /// conversion: every baring capture that can be forced starts a count that is too short, or the king is bare
    /// already.
    pub by_board: u64,
    /// The saves: positions with the defender to move that are won without the count and drawn under it.
    pub saves: u64,
    /// The saves that board's honour makes.
    pub saves_by_board: u64,
    /// The saves by the moves that the attacker is short, where the headers say it: all saves of a bare king, otherwise
    /// those whose conversion comes too late.
    pub short: BTreeMap<u32, u64>,
    /// The longest mate without the count, in moves; 0 if there is none.
    pub longest_mate: u16,
    /// The longest way to a conversion under the count, in moves; 0 if there is none.
    pub longest_in_time: u16,
}

impl AddAssign<&AttackerTotals> for AttackerTotals {
    fn add_assign(&mut self, other: &AttackerTotals) {
        self.won += other.won;
        self.in_time += other.in_time;
        self.by_board += other.by_board;
        self.saves += other.saves;
        self.saves_by_board += other.saves_by_board;
        for (&short, positions) in &other.short {
            *self.short.entry(short).or_default() += positions;
        }
        self.longest_mate = self.longest_mate.max(other.longest_mate);
        self.longest_in_time = self.longest_in_time.max(other.longest_in_time);
    }
}

impl AttackerTotals {
    /// The wins that the count takes.
    pub const fn taken(&self) -> u64 {
        self.won - self.in_time
    }

    /// The wins that pieces' honour takes: the count that runs, or the count that each baring capture would start.
    pub const fn by_pieces(&self) -> u64 {
        self.taken() - self.by_board
    }
}

impl Totals {
    /// Reads the headers of a material's tables.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn read<S: ValueSource>(prober: &Prober<S>, material: Material) -> Result<Totals, ProbeError> {
        let tablebase = tablebase(prober, material)?;
        let mates = tablebase.table::<Value>(TableId { material, metric: Metric::Dtm })?.spec();
        let conversions = tablebase.table::<Value>(TableId::of(material, Metric::Dtz))?.spec();
        let mut totals = Totals { material, positions: 0, drawn: 0, attackers: ByColor::default() };
        let left = MovesLeft::of(material, prober.rules());
        for side in Color::ALL {
            totals.add(side, &mates.values[side], &conversions.values[side], left);
        }
        Ok(totals)
    }

    /// The approximate number of cells that hold this number of positions of the full board. It is exact but for the
    /// slabs on the diagonal.
    pub(crate) fn cells(&self, positions: u64) -> u64 {
        positions / Layout::new(self.material).symmetry().transforms().count() as u64
    }

    /// Adds the positions with a side to move.
    fn add(&mut self, side: Color, mates: &ValueList, conversions: &ValueList, left: MovesLeft) {
        let has_dtz = self.material.has_dtz();
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
            let (in_time, late): (Vec<_>, Vec<_>) = occurring(conversions)
                .into_iter()
                .partition(|&(value, _)| left.suffice(value, ToMove::attacker_if(attacks)));
            let sum = |list: &[(Value, u64)]| list.iter().map(|entry| entry.1).sum::<u64>();
            attacker.won += all;
            attacker.in_time += sum(&in_time);
            attacker.longest_mate = attacker.longest_mate.max(longest(&occurring(mates)));
            attacker.longest_in_time = attacker.longest_in_time.max(longest(&in_time));
            if has_dtz {
                attacker.by_board += sum(&late);
            }
            if !attacks {
                attacker.saves = all - sum(&in_time);
                attacker.saves_by_board = if has_dtz { sum(&late) } else { 0 };
                for (value, positions) in late {
                    if let (Some(moves), Some(left)) = (value.moves(), left.moves(ToMove::Defender)) {
                        *attacker.short.entry(u32::from(moves) - left).or_default() += positions;
                    }
                }
            }
        }
    }
}

/// The tablebase of a prober; an error if it has another source of values.
pub(crate) fn tablebase<S: ValueSource>(prober: &Prober<S>, material: Material) -> Result<&Tablebase, ProbeError> {
    prober.source().tablebase().ok_or_else(|| {
        let id = TableId { material, metric: Metric::Dtm };
        TableError::Missing { id, path: id.to_string().into(), source: None }.into()
    })
}
