//! Both distances of a position whose side tables omit, by one walk of its moves.

use arrayvec::ArrayVec;

use super::error::TableError;
use super::locate::{Located, oriented};
use super::shared_blocks::{SharedBlocks, SharedPlace};
use super::tablebase::Tablebase;
use crate::format::{Storage, TableId, ValueList};
use crate::material::Material;
use crate::value::{Distances, Metric, MovesLeft, TableValue, Value};
use makruk_rules::{Color, MAX_MOVES, Move, Position};

/// A position after a move.
struct AfterMove {
    position: Position,
    /// Its place in a block that moves share.
    place: Option<SharedPlace>,
    /// DTM and DTZ, if they are known.
    known: [Option<Value>; 2],
}

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
        let list = &self.table::<Value>(dtm_id)?.spec().values[side];
        let mut moves = position.legal_moves();
        let hardly_wins = wins_at_once_or_never(list);
        // A side that hardly ever wins draws mostly by a capture, or by any move.
        let (mut first, mut second) = (0, 0);
        if hardly_wins {
            moves.sort_unstable_by_key(|&mv| position.captured(mv).is_none());
            first = moves.partition_point(|&mv| position.captured(mv).is_some());
            second = moves.len().min(first + 1);
        }
        let (mut afters, mut blocks) =
            (ArrayVec::<AfterMove, MAX_MOVES>::new(), SharedBlocks::new(&self.inner.cache, moves.len()));
        let mut dtm: Option<Value> = None;
        'moves: for range in [0..first, first..second, second..moves.len()] {
            // All blocks are found before one is decoded, for the processor to load them meanwhile.
            for &mv in &moves[range.clone()] {
                afters.push(self.after_move(position.play(mv), &mut blocks));
            }
            blocks.prefetch();
            for after in &mut afters[range] {
                let found = self.after(Metric::Dtm, after, &mut blocks)?.before_move(None);
                dtm = dtm.max(Some(found));
                // No other move is better, unless it mates.
                if found == Value::Draw && hardly_wins {
                    let mates = |&mv: &Move| position.play(mv).is_checkmate();
                    dtm = dtm.max(moves.iter().any(mates).then_some(Value::Win(1)));
                    break 'moves;
                }
            }
        }
        let without_moves = || if position.is_check() { Value::MATED } else { Value::DRAW };
        let dtm = self.listed(dtm_id, side, dtm.unwrap_or_else(without_moves))?;
        // A missing DTZ table does not matter to a draw.
        if dtm == Value::Draw || !material.has_dtz() {
            return Ok(Distances::bare(dtm));
        }
        let dtz = self.handle::<Value>(dtz_id)?;
        if dtz.table.storage(side) != Storage::Absent {
            return Ok(Distances { dtm, dtz: self.value_of(position, Metric::Dtz)? });
        }
        let dtz = match dtm {
            // The mate is the conversion.
            Value::Win(1) | Value::MATED => dtm,
            _ => self.derived_dtz(position, dtm, &mut afters, &mut blocks)?,
        };
        Ok(Distances { dtm, dtz: self.listed(dtz_id, side, dtz)? })
    }

    /// A position after a move, with its place in a block if it has one. What fails fails when it is read.
    fn after_move<'a>(&'a self, position: Position, blocks: &mut SharedBlocks<'a>) -> AfterMove {
        let mut after = AfterMove { position, place: None, known: [None; 2] };
        if let Ok(Some(found)) = oriented(&after.position)
            && let Ok((Located::Stored { handle: dtm, place, .. }, dtz)) = self.locate_distances(&after.position, found)
            && let Some(place) = dtm.stripe_place(&place)
        {
            after.known[0] = dtm.cached_value(&self.inner.cache, place).ok().flatten();
            if after.known[0].is_none() {
                after.place = blocks.add(dtm, dtz, place);
            }
        }
        after
    }

    /// A distance after a move.
    fn after(&self, metric: Metric, after: &mut AfterMove, blocks: &mut SharedBlocks<'_>) -> Result<Value, TableError> {
        let at = usize::from(metric == Metric::Dtz);
        if after.known[at].is_none() {
            if let Some(place) = after.place {
                after.known[at] = blocks.value(metric, place).map_err(|(id, source)| self.error(id, source))?;
            } else if let Ok(Distances { dtm, dtz }) = self.distances(&after.position) {
                after.known = [Some(dtm), Some(dtz)];
            }
        }
        // If the other distance fails, this one may not.
        let value = after.known[at].map_or_else(|| self.value_of(&after.position, metric), Ok)?;
        after.known[at] = Some(value);
        Ok(value)
    }

    /// DTZ by the positions after all moves, DTM being a win or a loss.
    fn derived_dtz(
        &self,
        position: &Position,
        dtm: Value,
        afters: &mut [AfterMove],
        blocks: &mut SharedBlocks<'_>,
    ) -> Result<Value, TableError> {
        let wins = matches!(dtm, Value::Win(_));
        // DTZ has no other winner than DTM.
        let wanted = afters.iter_mut().filter(|after| !wins || matches!(after.known[0], Some(Value::Loss(_))));
        let mut wanted: ArrayVec<&mut AfterMove, MAX_MOVES> = wanted.collect();
        // The move that delays mate the longest is the likeliest to be saved by the count.
        wanted.sort_unstable_by_key(|after| after.known[0]);
        let mut best = wins.then_some(Value::Draw);
        for after in wanted {
            let value = self.after(Metric::Dtz, after, blocks)?;
            best = best.max(Some(value.before_move(MovesLeft::begun_in(&after.position, position, self.rules()))));
            if !wins && best == Some(Value::Draw) {
                break;
            }
        }
        Ok(best.unwrap_or_default())
    }
}

/// Whether the only wins that a list may have are mates by the next move.
fn wins_at_once_or_never(list: &ValueList) -> bool {
    // Wins come before losses.
    let wins = list.values().take_while(|value| !matches!(value, Value::Loss(_)));
    wins.filter(|&value| value > Value::Draw).all(|value| value == Value::Win(1))
}
