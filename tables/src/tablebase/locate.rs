//! The place of a position in the tables.

use super::error::{NoValue, TableError};
use super::handle::{Place, TableHandle};
use super::open_tables::TableKind;
use super::tablebase::Tablebase;
use makruk_format::TableId;
use makruk_format::material::{Material, Oriented};
use makruk_format::value::{Metric, Value};
use makruk_rules::{Color, Position};

/// The place of a position's value. `T` is the open table.
pub(super) enum Located<'a, T> {
    /// Two bare kings draw, and have no table.
    BareKings,
    /// The table stores the side to move.
    Stored { id: TableId, handle: &'a T, place: Place },
    /// The table omits the side to move: the value follows from the moves.
    Omitted { id: TableId, handle: &'a T, side: Color },
}

/// The place of DTM, and the table of DTZ if it refers to that.
pub(super) type DistancesPlace<'a> = (Located<'a, TableHandle<Value>>, Option<&'a TableHandle<Value>>);

/// The material of a position that has a table; `None` for two bare kings, which draw.
#[inline]
pub(super) fn oriented(position: &Position) -> Result<Option<Oriented>, TableError> {
    let oriented = Material::of(position.board())?;
    Ok((oriented.material != Material::BARE_KINGS).then_some(oriented))
}

impl Tablebase {
    /// The place of a position's value under a metric. Where the material has no DTZ table, DTM stands for DTZ.
    #[inline]
    pub(super) fn locate<V: TableKind>(
        &self,
        position: &Position,
        metric: Metric,
    ) -> Result<Located<'_, TableHandle<V>>, TableError> {
        match oriented(position)? {
            Some(oriented) => self.locate_in(position, oriented, TableId::of(oriented.material, metric)),
            None => Ok(Located::BareKings),
        }
    }

    /// The place of a position in a table, the position's material being known.
    #[inline]
    pub(super) fn locate_in<V: TableKind>(
        &self,
        position: &Position,
        Oriented { orientation, .. }: Oriented,
        id: TableId,
    ) -> Result<Located<'_, TableHandle<V>>, TableError> {
        let (side, handle) = (orientation.color(position.turn()), self.handle::<V>(id)?);
        if handle.omits(side) {
            return Ok(Located::Omitted { id, handle, side });
        }
        let place = Place::of(&handle.layout, position, orientation);
        let place = place.ok_or_else(|| self.no_place(id, side, position))?;
        Ok(Located::Stored { id, handle, place })
    }

    /// The place of a position's DTM, and the table of DTZ if its blocks refer to the DTM there. Both tables are opened
    /// before either is read, so that a store is asked for both at once.
    #[inline]
    pub(super) fn locate_distances(
        &self,
        position: &Position,
        oriented: Oriented,
    ) -> Result<DistancesPlace<'_>, TableError> {
        let [dtm_id, dtz_id] = Metric::DISTANCES.map(|metric| TableId { material: oriented.material, metric });
        let dtz = if oriented.material.has_dtz() { self.handle::<Value>(dtz_id).ok() } else { None };
        let located = self.locate_in(position, oriented, dtm_id)?;
        // Files may be replaced while one of the two tables is open: then the other refers to another DTM.
        let is_joint = |dtz: &&TableHandle<Value>| {
            matches!(&located, Located::Stored { handle, place, .. } if dtz.table.refers_in_blocks(place.side)
                && dtz.table.header().reference() == Some(handle.table.header().checksum()))
        };
        let dtz = dtz.filter(is_joint);
        Ok((located, dtz))
    }

    #[cold]
    pub(super) fn no_place(&self, id: TableId, side: Color, position: &Position) -> TableError {
        let source = NoValue::NoPlace { side, position: format!("{position:?}") }.into();
        TableError::Misuse { id, path: self.path_of(id), source }
    }
}
