//! Conditions of a filter, combined.

use makruk_probe::{ProbeError, ValueSource};

use super::condition::Condition;
use crate::analysis::SaveAnalysis;

/// Conditions and how they are combined.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// All of these hold; an empty list always holds.
    All(Vec<Expression>),
    /// At least one of these holds.
    Any(Vec<Expression>),
    Not(Box<Expression>),
    Condition(Condition),
}

impl Expression {
    pub(super) fn holds<S: ValueSource>(&self, save: &SaveAnalysis<'_, S>) -> Result<bool, ProbeError> {
        match self {
            Expression::All(parts) => {
                for part in parts {
                    if !part.holds(save)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Expression::Any(parts) => {
                for part in parts {
                    if part.holds(save)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Expression::Not(part) => Ok(!part.holds(save)?),
            Expression::Condition(condition) => condition.holds(save),
        }
    }

    /// The rough cost of an evaluation.
    fn cost(&self) -> u32 {
        match self {
            Expression::All(parts) | Expression::Any(parts) => parts.iter().map(Expression::cost).max().unwrap_or(0),
            Expression::Not(part) => part.cost(),
            Expression::Condition(condition) => condition.cost(),
        }
    }

    pub(super) fn sort_by_cost(&mut self) {
        match self {
            Expression::All(parts) | Expression::Any(parts) => {
                parts.iter_mut().for_each(Expression::sort_by_cost);
                parts.sort_by_key(Expression::cost);
            }
            Expression::Not(part) => part.sort_by_cost(),
            Expression::Condition(_) => {}
        }
    }

    pub(super) fn depends_on_squares(&self) -> bool {
        match self {
            Expression::All(parts) | Expression::Any(parts) => parts.iter().any(Expression::depends_on_squares),
            Expression::Not(part) => part.depends_on_squares(),
            Expression::Condition(condition) => condition.depends_on_squares(),
        }
    }
}
