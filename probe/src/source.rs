//! Where distances come from.

use std::sync::Arc;

use makruk_tables::format::{Metric, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::{CountingRules, Position};

use crate::ProbeError;

/// Gives the table's value of a position.
pub trait ValueSource {
    /// The value of a position without pawns that is neither mate, stalemate nor of two bare kings; `material` is its set.
    /// DTZ is asked for only with both sides armed, and must hold under `rules`; DTM holds under all.
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
}

impl<S: ValueSource + ?Sized> ValueSource for &S {
    fn table_value(
        &self,
        position: &Position,
        material: Material,
        metric: Metric,
        rules: &CountingRules,
    ) -> Result<Value, ProbeError> {
        (**self).table_value(position, material, metric, rules)
    }
}

impl<S: ValueSource + ?Sized> ValueSource for Arc<S> {
    fn table_value(
        &self,
        position: &Position,
        material: Material,
        metric: Metric,
        rules: &CountingRules,
    ) -> Result<Value, ProbeError> {
        (**self).table_value(position, material, metric, rules)
    }
}
