//! Values as JSON has them.

use makruk_rules::Count;
use makruk_tables::value::Value;
use serde::{Serialize, Serializer};

/// Signed plies; `null` for a draw.
///
/// # Errors
///
/// If the serializer fails.
pub fn signed_plies<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    value.signed_plies().serialize(serializer)
}

/// The two numbers of a count.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct LimitAndPly {
    /// LIMIT of the FEN, in plies; `null` without a count.
    limit: Option<u32>,
    /// PLY of the FEN, the plies counted so far; `null` without a count.
    ply: Option<u32>,
}

pub(crate) fn limit_and_ply<S: Serializer>(count: &Option<Count>, serializer: S) -> Result<S::Ok, S::Error> {
    LimitAndPly { limit: count.map(Count::limit), ply: count.map(Count::ply) }.serialize(serializer)
}
