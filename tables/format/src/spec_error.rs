//! Tables that cannot be.

use thiserror::Error;

use super::listed::AnyValue;
use crate::value::Metric;
use makruk_rules::Color;

/// A table that cannot be: an error in a [`Spec`](super::Spec), or in the blocks that follow it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A text is empty, too long or has characters that it must not have.
    #[error("{field} is {found:?}: expected {expected}")]
    Text {
        /// The field's name.
        field: &'static str,
        /// The field's text.
        found: String,
        /// The texts that are possible.
        expected: &'static str,
    },
    /// A side lists no value, or too many.
    #[error("a side lists {found} values: expected 1 to 2048")]
    ValueCount {
        /// The number of values.
        found: usize,
    },
    /// A number stands for no value of the metric.
    #[error("value {at} is {number:#010x}: expected a value of a {metric} table")]
    Unknown {
        /// The place in the list.
        at: usize,
        /// The number there.
        number: u32,
        /// The table's metric.
        metric: Metric,
    },
    /// A value does not follow the one before it in the order of lists.
    #[error("value {at}, {value:?}, does not follow the one before it in order")]
    Order {
        /// The place in the list.
        at: usize,
        /// The value there.
        value: AnyValue,
    },
    /// A win in an even number of plies or a loss in an odd one.
    #[error("value {at} is {value:?}: wins take an odd number of plies, losses an even one")]
    Parity {
        /// The place in the list.
        at: usize,
        /// The value there.
        value: AnyValue,
    },
    /// No side to move has values.
    #[error("neither side to move is stored")]
    NoSide,
    /// The numbers of positions add up to more than a `u64` holds.
    #[error("the numbers of positions add up to more than 2^64")]
    Histogram,
    /// A slab is out of order, of the wrong length or missing; or a side has no codec where it needs one, or one where
    /// it needs none.
    #[error("{side}: expected {expected}, found {found}")]
    Slab {
        /// The side to move.
        side: Color,
        /// The slab or codec that was expected.
        expected: String,
        /// The slab or codec that was given.
        found: String,
    },
}
