//! The values of single positions.

use super::error::{Inconsistent, TableError};
use super::handle::OpenTable;
use super::open_tables::TableKind;
use super::slow_read::is_slow;
use super::tablebase::Tablebase;
use crate::format::{Storage, TableId};
use crate::material::{Material, Oriented};
use crate::minimax::minimax;
use crate::rules::{Color, CountingRules, Position};
use crate::value::{Bounds, Distances, Metric, Value, Wdl};

/// The material of a position that has a table; `None` for two bare kings, which draw.
#[inline]
pub(super) fn oriented(position: &Position) -> Result<Option<Oriented>, TableError> {
    let oriented = Material::of(position.board())?;
    Ok((oriented.material != Material::BARE_KINGS).then_some(oriented))
}

impl Tablebase {
    /// The distance of a position under DTM or DTZ, from the side to move; no count. Two bare kings draw. Under pieces' honour,
    /// DTZ is DTM.
    ///
    /// # Errors
    ///
    /// No table can have the position; its table, or one that its value is derived from, is missing or fails; the metric is not
    /// a distance.
    #[inline]
    pub fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.value_of(position, metric)
    }

    /// The category of a position for a count that begins now, by WDL tables alone.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    #[inline]
    pub fn wdl(&self, position: &Position) -> Result<Wdl, TableError> {
        self.value_of(position, Metric::Wdl)
    }

    /// Bounds of a position's score, from the side to move, by search tables alone. They decide most counts that run.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    #[inline]
    pub fn search(&self, position: &Position) -> Result<Bounds, TableError> {
        self.value_of(position, Metric::Search)
    }

    /// Both distances of a position, from the side to move; no count. DTZ is not read where neither side wins.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    pub fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        let Some(oriented) = oriented(position)? else { return Ok(Distances::DRAW) };
        let Oriented { material, orientation } = oriented;
        let side = orientation.color(position.turn());
        let [dtm_id, dtz_id] = Metric::DISTANCES.map(|metric| TableId { material, metric });
        if material.has_dtz()
            && let Ok(dtz) = self.handle::<Value>(dtz_id)
            && dtz.table.refers_in_blocks(side)
        {
            let dtm = self.handle::<Value>(dtm_id)?;
            let place = dtm.place(position, orientation).ok_or_else(|| self.no_place(dtm_id, side, position))?;
            return dtz.distances(dtm, &self.inner.cache, &place).map_err(|source| {
                // Both were read. If DTM is the one that is damaged, it fails on its own too.
                match dtm.value(&self.inner.cache, &place) {
                    Ok(_) => self.error(dtz_id, source),
                    Err(source) => self.error(dtm_id, source),
                }
            });
        }
        if self.handle::<Value>(dtm_id)?.table.storage(side) == Storage::Absent {
            return self.derived_distances(position, material, side);
        }
        let dtm = self.value_in(position, oriented, Metric::Dtm)?;
        // A missing DTZ table does not matter to a draw.
        if dtm == Value::Draw || !material.has_dtz() {
            return Ok(Distances::bare(dtm));
        }
        Ok(Distances { dtm, dtz: self.value_in(position, oriented, Metric::Dtz)? })
    }

    /// The value of a position in the table of a metric, from the side to move. Two bare kings draw.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`]; the metric has values of another type.
    #[inline]
    pub fn value_of<V: TableKind>(&self, position: &Position, metric: Metric) -> Result<V, TableError> {
        match oriented(position)? {
            Some(oriented) => self.value_in(position, oriented, oriented.material.table_metric(metric)),
            None => Ok(V::DRAW),
        }
    }

    /// The value of a position whose material and orientation are known, under a metric that the material has a table of.
    #[inline]
    pub(super) fn value_in<V: TableKind>(
        &self,
        position: &Position,
        Oriented { material, orientation }: Oriented,
        metric: Metric,
    ) -> Result<V, TableError> {
        let id = TableId { material, metric };
        let handle = self.handle::<V>(id)?;
        let side = orientation.color(position.turn());
        if handle.table.storage(side) == Storage::Absent {
            return self.derived_value(position, id, side);
        }
        let place = handle.place(position, orientation).ok_or_else(|| self.no_place(id, side, position))?;
        handle.value(&self.inner.cache, &place).map_err(|source| self.error(id, source))
    }

    /// The value of a position of a side that a table omits.
    #[inline(never)]
    fn derived_value<V: TableKind>(&self, position: &Position, id: TableId, side: Color) -> Result<V, TableError> {
        let mut may_be_slow = id.metric.is_distance();
        let value = minimax(position, self.rules_of(id.metric), |after| {
            let value = || self.value_of(after, id.metric);
            if !std::mem::take(&mut may_be_slow) {
                return value();
            }
            let (value, is_slow) = is_slow(value);
            if is_slow {
                let afters: Vec<Position> = position.legal_moves().into_iter().map(|mv| position.play(mv)).collect();
                self.prefetch(&afters);
            }
            value
        })?;
        // Bounds that captures into other classes make are in no list.
        if id.metric == Metric::Search { Ok(value) } else { self.listed(id, side, value) }
    }

    /// A derived value of a side, which its table must list.
    pub(super) fn listed<V: TableKind>(&self, id: TableId, side: Color, value: V) -> Result<V, TableError> {
        match self.table::<V>(id)?.spec().values[side].code(value) {
            Some(_) => Ok(value),
            None => Err(self.corrupt(id, Inconsistent::NotListed { side, value: value.into() })),
        }
    }

    /// The rules of the counts that a metric knows: DTM knows none.
    pub(super) fn rules_of(&self, metric: Metric) -> Option<&CountingRules> {
        (metric != Metric::Dtm).then(|| self.rules())
    }

    /// Whether the value of a position would be found without reading a byte of a file for the first time. Then every byte that
    /// it needs was read and compared before, by [`Tablebase::preload`] or by another probe.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    pub fn was_read(&self, position: &Position, metric: Metric) -> Result<bool, TableError> {
        let Some(Oriented { material, orientation }) = oriented(position)? else { return Ok(true) };
        let id = TableId::of(material, metric);
        let handle = self.any_handle(id)?;
        let side = orientation.color(position.turn());
        if handle.outline().side(side).storage == Storage::Absent {
            for mv in position.legal_moves() {
                if !self.was_read(&position.play(mv), id.metric)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let place = handle.place(position, orientation).ok_or_else(|| self.no_place(id, side, position))?;
        handle.was_read(&self.inner.cache, &place).map_err(|source| self.error(id, source))
    }

    #[cold]
    fn corrupt(&self, id: TableId, problem: Inconsistent) -> TableError {
        TableError::Corrupt { id, path: self.path_of(id), source: problem.into() }
    }

    #[cold]
    pub(super) fn no_place(&self, id: TableId, side: Color, position: &Position) -> TableError {
        self.corrupt(id, Inconsistent::NoPlace { side, position: format!("{position:?}") })
    }
}
