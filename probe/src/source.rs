//! Where distances come from.

use std::ops::Deref;

use makruk_tables::format::{Metric, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::{CountingRules, Position};

use crate::{Distances, ProbeError, Tables};

/// Gives the table's value of a position.
pub trait ValueSource {
    /// The value of a legal position without pawns that is not of two bare kings; `material` is its set. DTZ is asked for
    /// only with both sides armed. It and WDL must hold under `rules`; DTM holds under all.
    ///
    /// # Errors
    ///
    /// If the set has no table here, or the table is damaged.
    fn table_value(
        &self,
        position: &Position,
        material: Material,
        metric: Metric,
        rules: &CountingRules,
    ) -> Result<Value, ProbeError>;

    /// Both values of a position, of which DTZ is not asked for where DTM is a draw or a king is bare.
    ///
    /// # Errors
    ///
    /// As [`ValueSource::table_value`].
    fn table_distances(
        &self,
        position: &Position,
        material: Material,
        rules: &CountingRules,
    ) -> Result<Distances, ProbeError> {
        let dtm = self.table_value(position, material, Metric::Dtm, rules)?;
        if dtm == Value::Draw || !material.is_armed() {
            return Ok(Distances::bare(dtm));
        }
        Ok(Distances { dtm, dtz: self.table_value(position, material, Metric::Dtz, rules)? })
    }
}

/// Whatever points to a source is one: a reference, an [`Arc`](std::sync::Arc).
impl<P: Deref<Target: ValueSource>> ValueSource for P {
    fn table_value(
        &self,
        position: &Position,
        material: Material,
        metric: Metric,
        rules: &CountingRules,
    ) -> Result<Value, ProbeError> {
        (**self).table_value(position, material, metric, rules)
    }

    fn table_distances(
        &self,
        position: &Position,
        material: Material,
        rules: &CountingRules,
    ) -> Result<Distances, ProbeError> {
        (**self).table_distances(position, material, rules)
    }
}

/// A source of values that may have whole slabs of them.
pub trait SlabSource: ValueSource {
    /// The tables whose slabs can be read; without any, each position is asked for by itself.
    fn tables(&self) -> Option<&Tables>;
}

impl SlabSource for Tables {
    fn tables(&self) -> Option<&Tables> {
        Some(self)
    }
}

/// Whatever points to a source is one.
impl<P: Deref<Target: SlabSource>> SlabSource for P {
    fn tables(&self) -> Option<&Tables> {
        (**self).tables()
    }
}
