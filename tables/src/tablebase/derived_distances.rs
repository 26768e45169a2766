//! Both distances of a position whose side tables omit, by one walk of its moves.

use arrayvec::ArrayVec;

use super::error::TableError;
use super::handle::{Place, TableHandle};
use super::locate::{Located, oriented};
use super::tablebase::Tablebase;
use crate::format::{JointRead, Storage, TableId, ValueList};
use crate::material::Material;
use crate::rules::{Color, MAX_MOVES, Move, Position};
use crate::value::{Distances, Metric, MovesLeft, TableValue, Value};

/// A position after a move, whose DTM was read.
struct AfterMove<'a> {
    position: Position,
    dtm: Value,
    /// If DTM was decoded on the way to DTZ: DTZ's table, the place there, and the number of the read.
    joint: Option<(&'a TableHandle<Value>, Place, usize)>,
}

/// The stripes that were decoded on the way to DTZ. A side with more moves is hardly ever omitted; DTZ after the others
/// is read alone.
type Reads = ArrayVec<JointRead, 24>;

impl Tablebase {
    /// Both distances of a position of a side that the table of DTM omits. DTZ is read only where DTM decides, and
    /// after moves that may be the best; what was decoded for DTM serves it.
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
        // A side that hardly ever wins draws mostly by a capture.
        if hardly_wins {
            moves.sort_unstable_by_key(|&mv| position.captured(mv).is_none());
        }
        let (mut afters, mut reads) = (ArrayVec::<AfterMove<'_>, MAX_MOVES>::new(), Reads::new());
        let mut dtm: Option<Value> = None;
        for &mv in &moves {
            let after = self.after(position, mv, &mut reads)?;
            let found = after.dtm.before_move(None);
            dtm = dtm.max(Some(found));
            afters.push(after);
            // No other move is better, unless it mates.
            if found == Value::Draw && hardly_wins {
                let mates = |&mv: &Move| position.play(mv).is_checkmate();
                dtm = dtm.max(moves.iter().any(mates).then_some(Value::Win(1)));
                break;
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
            _ => self.derived_dtz(position, dtm, &afters, &reads)?,
        };
        Ok(Distances { dtm, dtz: self.listed(dtz_id, side, dtz)? })
    }

    /// A position after a move.
    fn after(&self, position: &Position, mv: Move, reads: &mut Reads) -> Result<AfterMove<'_>, TableError> {
        let position = position.play(mv);
        let Some(found) = oriented(&position)? else {
            return Ok(AfterMove { position, dtm: Value::Draw, joint: None });
        };
        match self.locate_distances(&position, found)? {
            (Located::Stored { id, handle, place }, Some(dtz)) => {
                let read = dtz.read_dtm(handle, &self.inner.cache, &place);
                let (dtm, read) = read.map_err(|source| self.error(id, source))?;
                let number = reads.len();
                let is_kept = read.is_some_and(|read| reads.try_push(read).is_ok());
                Ok(AfterMove { position, dtm, joint: is_kept.then_some((dtz, place, number)) })
            }
            (located, _) => {
                let dtm = self.value_at(&position, located)?;
                Ok(AfterMove { position, dtm, joint: None })
            }
        }
    }

    /// DTZ by the positions after all moves, DTM being a win or a loss.
    fn derived_dtz(
        &self,
        position: &Position,
        dtm: Value,
        afters: &[AfterMove<'_>],
        reads: &[JointRead],
    ) -> Result<Value, TableError> {
        let wins = matches!(dtm, Value::Win(_));
        // DTZ has no other winner than DTM.
        let mut wanted: ArrayVec<&AfterMove<'_>, MAX_MOVES> =
            afters.iter().filter(|after| !wins || matches!(after.dtm, Value::Loss(_))).collect();
        // The move that delays mate the longest is the likeliest to be saved by the count.
        wanted.sort_unstable_by_key(|after| after.dtm);
        let mut best = wins.then_some(Value::Draw);
        for AfterMove { position: after, joint, .. } in wanted {
            let value = match joint {
                Some((dtz, place, read)) => {
                    dtz.read_dtz(&self.inner.cache, place, &reads[*read]).map_err(|source| {
                        let material = Material::of(after.board()).map_or(Material::BARE_KINGS, |found| found.material);
                        self.error(TableId { material, metric: Metric::Dtz }, source)
                    })?
                }
                None => self.value_of(after, Metric::Dtz)?,
            };
            best = best.max(Some(value.before_move(MovesLeft::begun_in(after, position, self.rules()))));
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
