//! Open tables, by the type of their values.

use std::sync::atomic::AtomicU16;

use super::handle::TableHandle;
use super::registry::Registry;
use makruk_format::Listed;
use makruk_format::value::{Bounds, TableValue, Value};

/// The open tables of a tablebase.
#[derive(Debug, Default)]
pub struct OpenTables {
    distances: Registry<TableHandle<Value>>,
    bounds: Registry<TableHandle<Bounds>>,
    /// The number of all of them.
    pub(super) count: AtomicU16,
}

/// The values that a tablebase has tables of: [`Value`], [`Bounds`].
pub trait TableKind: Opened {}

impl TableKind for Value {}

impl TableKind for Bounds {}

/// The values whose open tables a tablebase keeps: others cannot be added.
pub trait Opened: Listed + TableValue {
    /// The open tables of such values.
    fn registry(tables: &OpenTables) -> &Registry<TableHandle<Self>>;
}

impl Opened for Value {
    #[inline]
    fn registry(tables: &OpenTables) -> &Registry<TableHandle<Value>> {
        &tables.distances
    }
}

impl Opened for Bounds {
    #[inline]
    fn registry(tables: &OpenTables) -> &Registry<TableHandle<Bounds>> {
        &tables.bounds
    }
}
