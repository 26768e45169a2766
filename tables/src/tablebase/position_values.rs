//! The values of single positions.

use super::error::{NotListed, TableError};
use super::handle::TableHandle;
use super::locate::{Located, oriented};
use super::open_tables::TableKind;
use super::tablebase::Tablebase;
use crate::minimax::minimax;
use makruk_format::TableId;
use makruk_format::material::Oriented;
use makruk_format::value::{Bounds, Distances, Metric, MovesLeft, Value};
use makruk_rules::{Category, Color, CountingRules, Position};

impl Tablebase {
    /// The distance of a position under DTM or DTZ, from the side to move; no count. Two bare kings draw. Under pieces'
    /// honour, DTZ is DTM.
    ///
    /// # Errors
    ///
    /// No table can have the position; its table, or one that its value is derived from, is missing or fails; the
    /// metric is not a distance.
    #[inline]
    pub fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.value_of(position, metric)
    }

    /// The category of a position for a count that begins now, by its category table. If that omits the side to move,
    /// the bounds that its moves give may leave the category open: then the distances decide.
    #[inline]
    pub fn category(&self, position: &Position) -> Result<Category, TableError> {
        let (bounds, left) = (self.bounds(position)?, MovesLeft::on(position.board(), self.rules()));
        match left.category_within(bounds) {
            Some(category) => Ok(category),
            None => Ok(left.category(self.distances(position)?.into())),
        }
    }

    /// Bounds of a position's score, from the side to move, by category tables alone. They decide most counts.
    #[inline]
    pub fn bounds(&self, position: &Position) -> Result<Bounds, TableError> {
        self.value_of(position, Metric::Category)
    }

    /// Both distances of a position, from the side to move; no count. DTZ is not read where neither side wins.
    pub fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        let Some(oriented) = oriented(position)? else { return Ok(Distances::DRAW) };
        let material = oriented.material;
        let [dtm_id, dtz_id] = Metric::DISTANCES.map(|metric| TableId { material, metric });
        let dtm = match self.locate_distances(position, oriented)? {
            (Located::Omitted { handle, .. }, _) if self.is_known_draw(position, oriented, handle) => {
                return Ok(Distances::DRAW);
            }
            (Located::Omitted { side, .. }, _) => return self.derived_distances(position, material, side),
            (Located::Stored { handle, place, .. }, Some(dtz)) => {
                return dtz.distances(handle, &self.inner.cache, &place).map_err(|source| {
                    // Both were read. If DTM is the one that is damaged, it fails on its own too.
                    match handle.value(&self.inner.cache, &place) {
                        Ok(_) => self.error(dtz_id, source),
                        Err(source) => self.error(dtm_id, source),
                    }
                });
            }
            (located, _) => self.value_at(position, located)?,
        };
        // A missing DTZ table does not matter to a draw.
        if dtm == Value::Draw || !material.has_dtz() {
            return Ok(Distances::bare(dtm));
        }
        Ok(Distances { dtm, dtz: self.value_at(position, self.locate_in(position, oriented, dtz_id)?)? })
    }

    /// Whether a category table that stores the side to move has a draw, which most positions are. A store is not
    /// asked: it would have to fetch more bytes.
    fn is_known_draw(&self, position: &Position, oriented: Oriented, dtm: &TableHandle<Value>) -> bool {
        let id = TableId { material: oriented.material, metric: Metric::Category };
        let opens = || self.store().is_none() && self.handle::<Bounds>(id).is_ok();
        *dtm.has_category.get_or_init(opens)
            && match self.locate_in::<Bounds>(position, oriented, id) {
                Ok(Located::Stored { handle, place, .. }) => {
                    handle.value(&self.inner.cache, &place).is_ok_and(|bounds| bounds.mover_wins().is_none())
                }
                _ => false,
            }
    }

    /// The value of a position in the table of a metric, from the side to move. Two bare kings draw.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`]; the metric has values of another type.
    #[inline]
    pub(crate) fn value_of<V: TableKind>(&self, position: &Position, metric: Metric) -> Result<V, TableError> {
        self.value_at(position, self.locate(position, metric)?)
    }

    /// The value of a position that was located.
    #[inline]
    pub(super) fn value_at<V: TableKind>(
        &self,
        position: &Position,
        located: Located<'_, TableHandle<V>>,
    ) -> Result<V, TableError> {
        match located {
            Located::BareKings => Ok(V::DRAW),
            Located::Omitted { id, side, .. } => self.derived_value(position, id, side),
            Located::Stored { id, handle, place } => {
                handle.value(&self.inner.cache, &place).map_err(|source| self.error(id, source))
            }
        }
    }

    /// The value of a position of a side that a table omits.
    #[inline(never)]
    fn derived_value<V: TableKind>(&self, position: &Position, id: TableId, side: Color) -> Result<V, TableError> {
        let value = minimax(position, self.rules_of(id.metric), |after| self.value_of(after, id.metric))?;
        // Bounds that captures into other classes make are in no list.
        if id.metric == Metric::Category { Ok(value) } else { self.listed(id, side, value) }
    }

    /// A derived value of a side, which its table must list.
    pub(super) fn listed<V: TableKind>(&self, id: TableId, side: Color, value: V) -> Result<V, TableError> {
        match self.table::<V>(id)?.spec().values[side].code(value) {
            Some(_) => Ok(value),
            None => {
                let source = NotListed { side, value: value.into() }.into();
                Err(TableError::Corrupt { id, path: self.path_of(id), source })
            }
        }
    }

    /// The rules of the counts that a metric knows: DTM knows none.
    pub(super) fn rules_of(&self, metric: Metric) -> Option<&CountingRules> {
        (metric != Metric::Dtm).then(|| self.rules())
    }
}
