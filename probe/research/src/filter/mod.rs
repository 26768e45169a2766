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
mod expression;
mod parse;

use std::fmt;
use std::str::FromStr;

use makruk_probe::{ProbeError, ValueSource};

use super::{PositionKind, SaveAnalysis};
use expression::Expression;

pub use parse::FilterError;

/// A filter: see [the language](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    text: String,
    expression: Expression,
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
