//! The tables' headers and their folder.

use makruk_format::index::Layout;
use makruk_format::{AnyValue, Listed, Spec, TableFolder, ValueList};
use makruk_rules::ByColor;
use makruk_tables::value::Metric;

use crate::GENERATOR;
use crate::options::Options;
use crate::progress::Progress;

/// The folder that a material's tables are written to, and the options of the build.
#[derive(Clone, Copy)]
pub(crate) struct Output<'a> {
    pub folder: &'a TableFolder,
    pub layout: &'a Layout,
    pub options: &'a Options,
    pub progress: &'a dyn Progress,
}

impl Output<'_> {
    /// The spec of a table whose values these are.
    pub(crate) fn spec<V: Listed>(
        &self,
        metric: Metric,
        stored: ByColor<bool>,
        values: ByColor<ValueList<V>>,
    ) -> Spec<AnyValue> {
        Spec {
            material: self.layout.material(),
            metric,
            rules: self.options.rules.name().to_owned(),
            generator: GENERATOR.to_owned(),
            stored,
            values: values.map(ValueList::into_any),
        }
    }
}
