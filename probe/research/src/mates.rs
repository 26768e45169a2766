//! The mates of an attacker, by the square of the mated king and the colours of the attacker's mets.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use makruk_probe::{ProbeError, Prober};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Board, Color, Piece, Role, Square};
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Metric, Value};
use rayon::prelude::*;

use super::stats::tablebase;
use super::{ResearchError, SlabSource};

/// The number of the attacker's mets on squares of either colour, ascending: a reflection of the board exchanges the colours.
pub type MetColors = [u32; 2];

/// The mates and wins of an attacker, in positions of the full board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mates {
    /// The mated positions, by the colours of the attacker's mets, the mated king's square, and whether this square has the
    /// colour of the greater number of the mets; `false` if the numbers are equal.
    pub mated: BTreeMap<(MetColors, Square, bool), u64>,
    /// The positions with the attacker to move, won and not won, by the colours of the attacker's mets.
    pub to_move: BTreeMap<MetColors, WonAndOthers>,
}

/// Positions that the attacker wins, without the count, and the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WonAndOthers {
    /// Won.
    pub won: u64,
    /// Not won.
    pub others: u64,
}

impl AddAssign for WonAndOthers {
    fn add_assign(&mut self, other: WonAndOthers) {
        self.won += other.won;
        self.others += other.others;
    }
}

/// Counts the mates of an attacker in a material.
///
/// # Errors
///
/// If a table is missing or damaged.
pub fn mates<S: SlabSource + Sync>(
    prober: &Prober<S>,
    material: Material,
    attacker: Color,
) -> Result<Mates, ResearchError> {
    let tablebase = tablebase(prober, material)?;
    let layout = Layout::new(material);
    let id = TableId { material, metric: Metric::Dtm };
    let mut mates = Mates::default();
    for side in Color::ALL {
        let reader = tablebase.side(id, side).map_err(ProbeError::from)?;
        let of_slab = |slab: usize| -> Result<Mates, ProbeError> {
            let mut codes = Vec::new();
            reader.slab(slab, &mut codes)?;
            let mut found = Mates::default();
            let weight = layout.kings().weight(slab);
            for (number, code) in (slab as u64 * layout.slab_len()..).zip(codes) {
                let value = reader.values()[usize::from(code)];
                if side != attacker && value != Value::Loss(0) {
                    continue;
                }
                let Some(position) = layout.position_at(side, number) else { continue };
                let board = position.board();
                let colors = met_colors(board, attacker);
                let [few, many] = [colors[0].min(colors[1]), colors[0].max(colors[1])];
                if side == attacker {
                    let is_won = matches!(value, Value::Win(_));
                    let more =
                        WonAndOthers { won: if is_won { weight } else { 0 }, others: if is_won { 0 } else { weight } };
                    *found.to_move.entry([few, many]).or_default() += more;
                } else {
                    let king = position.king(!attacker);
                    let is_of_many = colors[usize::from(is_light(king))] > colors[usize::from(!is_light(king))];
                    *found.mated.entry(([few, many], king, is_of_many)).or_default() += weight;
                }
            }
            Ok(found)
        };
        let slabs = (0..layout.slabs()).into_par_iter().map(of_slab);
        let found = slabs.try_reduce(Mates::default, |mut sum, found| {
            sum += found;
            Ok(sum)
        });
        mates += found?;
    }
    Ok(mates)
}

impl AddAssign for Mates {
    fn add_assign(&mut self, other: Mates) {
        for (key, positions) in other.mated {
            *self.mated.entry(key).or_default() += positions;
        }
        for (key, positions) in other.to_move {
            *self.to_move.entry(key).or_default() += positions;
        }
    }
}

/// The attacker's mets on dark squares and on light ones; a1 is dark.
fn met_colors(board: &Board, attacker: Color) -> [u32; 2] {
    let mets = board.by_piece(Piece::new(attacker, Role::Met));
    let light = mets.into_iter().filter(|&met| is_light(met)).count() as u32;
    [mets.len() - light, light]
}

/// Whether the square is light.
fn is_light(square: Square) -> bool {
    let at = square.index();
    (at / 8 + at % 8) % 2 == 1
}
