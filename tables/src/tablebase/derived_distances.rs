//! Both distances of a position whose side tables omit, by one walk of its moves.

use arrayvec::ArrayVec;

use super::after_moves::AfterMoves;
use super::error::TableError;
use super::tablebase::Tablebase;
use crate::minimax::{best_of, without_moves};
use makruk_format::material::Material;
use makruk_format::value::{Distances, Metric, TableValue, Value};
use makruk_format::{Storage, TableId, ValueList};
use makruk_rules::{Color, MAX_MOVES, Position};

impl Tablebase {
    /// Both distances of a position of a side that the table of DTM omits. DTZ is read only where DTM decides, and
    /// after moves that may be the best.
    #[inline(never)]
    pub(super) fn derived_distances(
        &self,
        position: &Position,
        material: Material,
        side: Color,
    ) -> Result<Distances, TableError> {
        let [dtm_id, dtz_id] = Metric::DISTANCES.map(|metric| TableId { material, metric });
        let hardly_wins = wins_at_once_or_never(&self.table::<Value>(dtm_id)?.spec().values[side]);
        let mut afters = AfterMoves::new(self, position, hardly_wins);
        // No other move is better than one that draws, unless it mates.
        let ends = |best| hardly_wins && best == Value::Draw;
        let dtm = match best_of(0..afters.len(), |mv| afters.value_of_move(Metric::Dtm, mv), ends)? {
            Some(Value::Draw) if hardly_wins && afters.has_mate() => Value::Win(1),
            Some(best) => best,
            None => without_moves(position),
        };
        self.listed(dtm_id, side, dtm)?;
        // A missing DTZ table does not matter to a draw.
        if dtm == Value::Draw || !material.has_dtz() {
            return Ok(Distances::bare(dtm));
        }
        if self.handle::<Value>(dtz_id)?.table.storage(side) != Storage::Absent {
            return Ok(Distances { dtm, dtz: self.value_of(position, Metric::Dtz)? });
        }
        let dtz = match dtm {
            // The mate is the conversion.
            Value::Win(1) | Value::MATED => dtm,
            _ => best_dtz(&mut afters, matches!(dtm, Value::Win(_)))?,
        };
        Ok(Distances { dtm, dtz: self.listed(dtz_id, side, dtz)? })
    }
}

/// The best DTZ of the moves of a side that wins or loses. DTM after all moves is known.
fn best_dtz(afters: &mut AfterMoves<'_>, wins: bool) -> Result<Value, TableError> {
    // DTZ has no other winner than DTM.
    let may_be_best = |&mv: &usize| !wins || matches!(afters.known_dtm(mv), Some(Value::Loss(_)));
    let mut moves: ArrayVec<usize, MAX_MOVES> = (0..afters.len()).filter(may_be_best).collect();
    // The move that delays mate the longest is the likeliest to be saved by the count.
    moves.sort_unstable_by_key(|&mv| afters.known_dtm(mv));
    let ends = |best| !wins && best == Value::Draw;
    Ok(best_of(moves, |mv| afters.value_of_move(Metric::Dtz, mv), ends)?.unwrap_or_default())
}

/// Whether the only wins that a list may have are mates by the next move.
fn wins_at_once_or_never(list: &ValueList) -> bool {
    // Wins come before losses.
    let wins = list.values().take_while(|value| !matches!(value, Value::Loss(_)));
    wins.filter(|&value| value > Value::Draw).all(|value| value == Value::Win(1))
}
