//! Filters of saves, wins and zugzwangs: a small language.
//!
//! A filter consists of conditions, `and`, `or`, `not` and parentheses; `not` binds closest, then `and`. A condition is
//! a field, or a field, an operator (`=`, `!=`; for numbers also `<`, `<=`, `>`, `>=`) and a value without spaces. The
//! README beside this crate's manifest lists the fields. A number is compared with a number (`short<=2`) or a range
//! (`short=1..3`). If the save has no such number, as may be with `dtz`, `short` and, with a pawn on the board, `left`
//! and `spare`, only `!=` holds.
//!
//! Squares are `e4`, `a1..h2` (the rectangle between two corners), `file-a`, `rank-1`, `edge`, `corner`, `centre`
//! (c3..f6), and several of these separated by commas. A pattern is a FEN's board in which `?` matches any square and
//! `*` any rank: `*/*/*/*/*/*/*/k7`. A save is accepted if any of its images under the material's symmetry is.

mod condition;
mod parse;

use std::fmt;
use std::str::FromStr;

use makruk_probe::{ProbeError, ValueSource};
use thiserror::Error;

use super::{PositionKind, SaveAnalysis};
use condition::Condition;

/// A filter: see [the language](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    text: String,
    expression: Expression,
}

/// Conditions and how they are combined.
#[derive(Clone, Debug, PartialEq)]
enum Expression {
    /// All of these hold; an empty list always holds.
    All(Vec<Expression>),
    /// At least one of these holds.
    Any(Vec<Expression>),
    Not(Box<Expression>),
    Condition(Condition),
}

/// The error of a text that is not a filter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot read the filter at column {column}: expected {expected}, found {found}")]
pub struct FilterError {
    /// The first character that cannot be read; the text begins at column 1.
    pub column: usize,
    /// The text that was expected there.
    pub expected: String,
    /// The text found there.
    pub found: String,
}

impl Filter {
    /// Parses a filter of positions of a kind.
    ///
    /// # Errors
    ///
    /// If the text is not a filter, or has fields that positions of this kind do not have.
    pub fn parse(kind: PositionKind, text: &str) -> Result<Filter, FilterError> {
        let mut expression = parse::parse(kind, text)?;
        expression.sort_by_cost();
        Ok(Filter { text: text.to_owned(), expression })
    }

    /// Whether the filter accepts a position, as it stands on the board.
    ///
    /// # Errors
    ///
    /// If a table that the filter needs is missing or damaged.
    pub fn accepts<S: ValueSource>(&self, save: &SaveAnalysis<'_, S>) -> Result<bool, ProbeError> {
        self.expression.holds(save)
    }

    /// Whether the filter accepts every save.
    pub fn accepts_all(&self) -> bool {
        self.expression == Expression::All(Vec::new())
    }

    /// Whether the filter contains a condition on squares, so that the images of a save may differ.
    pub fn depends_on_squares(&self) -> bool {
        self.expression.depends_on_squares()
    }
}

/// Accepts every save.
impl Default for Filter {
    fn default() -> Filter {
        Filter { text: String::new(), expression: Expression::All(Vec::new()) }
    }
}

/// The filter as it was given.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Parses a filter of saves.
impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Filter, FilterError> {
        Filter::parse(PositionKind::Saves, text)
    }
}

impl Expression {
    fn holds<S: ValueSource>(&self, save: &SaveAnalysis<'_, S>) -> Result<bool, ProbeError> {
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

    fn sort_by_cost(&mut self) {
        match self {
            Expression::All(parts) | Expression::Any(parts) => {
                parts.iter_mut().for_each(Expression::sort_by_cost);
                parts.sort_by_key(Expression::cost);
            }
            Expression::Not(part) => part.sort_by_cost(),
            Expression::Condition(_) => {}
        }
    }

    fn depends_on_squares(&self) -> bool {
        match self {
            Expression::All(parts) | Expression::Any(parts) => parts.iter().any(Expression::depends_on_squares),
            Expression::Not(part) => part.depends_on_squares(),
            Expression::Condition(condition) => condition.depends_on_squares(),
        }
    }
}
