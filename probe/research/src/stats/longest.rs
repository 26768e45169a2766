//! The longest wins and their positions.

use std::cmp::Reverse;

use makruk_format::Storage;
use makruk_format::index::Layout;
use makruk_probe::{ProbeError, Prober, ValueSource};
use makruk_rules::{ByColor, Color, Fen, ToMove};
use makruk_tables::tablebase::{DistancesSide, TableId};
use makruk_tables::value::{MovesLeft, Value};
use rayon::prelude::*;

use super::totals::{Totals, tablebase};

/// A position and the moves that the attacker needs there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongestWin {
    /// The attacker's moves: to mate or, where the field says so, to the conversion.
    pub moves: u16,
    /// The first such position in the order of the table.
    pub fen: Fen,
}

/// The longest wins of an attacker, among the sides to move that the tables store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LongestWins {
    /// The longest mate without the count.
    pub mate: Option<LongestWin>,
    /// The longest way to a conversion under the count.
    pub in_time: Option<LongestWin>,
    /// The longest mate among the positions that only the count draws: the deepest save or, if the defender to move is
    /// not stored, the deepest position before one.
    pub saved: Option<LongestWin>,
}

/// The number of fields of [`LongestWins`].
const KINDS: usize = 3;

/// The longest win has the greatest key: most moves, then White to move, then the smallest number.
type Key = (u16, Reverse<Color>, Reverse<u64>);

/// By attacker, the keys of the longest wins so far.
type Keys = ByColor<[Option<Key>; KINDS]>;

pub(super) fn find<S: ValueSource + Sync>(
    prober: &Prober<S>,
    totals: &Totals,
) -> Result<ByColor<LongestWins>, ProbeError> {
    let (material, tablebase) = (totals.material, tablebase(prober, totals.material)?);
    let layout = Layout::new(material);
    let left = MovesLeft::of(material, prober.rules());
    let mut best = Keys::default();
    for side in Color::ALL {
        let mut is_stored = true;
        for &metric in material.distance_metrics() {
            is_stored &= tablebase.table::<Value>(TableId { material, metric })?.storage(side) != Storage::Absent;
        }
        if !is_stored {
            continue;
        }
        let distances = tablebase.distances_side(material, side)?;
        let slabs = (0..layout.slabs()).into_par_iter();
        let found = slabs.map(|slab| of_slab(&distances, &layout, left, side, slab));
        let found = found.try_reduce(Keys::default, |a, b| {
            Ok(ByColor::from_fn(|color| std::array::from_fn(|kind| a[color][kind].max(b[color][kind]))))
        })?;
        best = ByColor::from_fn(|color| std::array::from_fn(|kind| best[color][kind].max(found[color][kind])));
    }
    let longest_win = |key: Option<Key>| -> Option<LongestWin> {
        let (moves, Reverse(side), Reverse(number)) = key?;
        let position = layout.position_at(side, number)?;
        Some(LongestWin { moves, fen: Fen::new(position, None) })
    };
    Ok(ByColor::from_fn(|color| {
        let [mate, in_time, saved] = best[color].map(longest_win);
        LongestWins { mate, in_time, saved }
    }))
}

/// The longest wins of a slab.
fn of_slab(
    distances: &DistancesSide,
    layout: &Layout,
    left: MovesLeft,
    side: Color,
    slab: usize,
) -> Result<Keys, ProbeError> {
    let mut best = Keys::default();
    let (mut dtm_codes, mut dtz_codes) = (Vec::new(), Vec::new());
    distances.slab(slab, &mut dtm_codes, &mut dtz_codes)?;
    let (dtm_values, dtz_values) = (distances.dtm_values(), distances.dtz_values());
    for (offset, (dtm, dtz)) in dtm_codes.into_iter().zip(dtz_codes).enumerate() {
        let (dtm, dtz) = (dtm_values[usize::from(dtm)], dtz_values[usize::from(dtz)]);
        let attacks = match dtm {
            Value::Draw => continue,
            Value::Win(_) => true,
            Value::Loss(_) => false,
        };
        let number = slab as u64 * layout.slab_len() + offset as u64;
        let in_time = left.suffice(dtz, ToMove::attacker_if(attacks));
        let known = &mut best[if attacks { side } else { !side }];
        let conversion = if in_time { dtz } else { Value::Draw };
        let saved = if in_time { Value::Draw } else { dtm };
        let mut is_legal = None;
        for (value, known) in [dtm, conversion, saved].into_iter().zip(known) {
            let key = value.moves().map(|moves| (moves, Reverse(side), Reverse(number)));
            if key > *known && *is_legal.get_or_insert_with(|| layout.position_at(side, number).is_some()) {
                *known = key;
            }
        }
    }
    Ok(best)
}
