//! Filters of saves, wins and zugzwangs: a small language.
//!
//! A filter consists of conditions, `and`, `or`, `not` and parentheses; `not` binds closest, then `and`. A condition is
//! a field, or a field, an operator (`=`, `!=`; for numbers also `<`, `<=`, `>`, `>=`) and a value without spaces:
//!
//! | field | value | meaning |
//! |---|---|---|
//! | `sacrifice` | `last`, `any`, `none` | a saving move sacrifices the last man; any man; no saving move is a sacrifice |
//! | `kind` | `offer`, `exchange`, `lost`, or several | a sacrifice captures nothing and some other move would keep the man; captures; captures nothing, and every move loses the man |
//! | `given` | `R`, `N`, `S`, `M`, `P`, or several as `R,N` | a saving move sacrifices such a man |
//! | `offered`, `abandoned` | | a saving move sacrifices the man that moves; another man |
//! | `needed` | number | the attacker's moves to mate after the capture of the man |
//! | `left` | number | the moves that the count leaves after that capture |
//! | `unique` | | exactly one move saves |
//! | `saving`, `legal` | number | the number of saving moves; of legal moves |
//! | `move` | `quiet`, `check`, `capture`, `promotion`, or several | a saving move neither captures, checks nor promotes; checks; captures; promotes |
//! | `by` | `K`, `R`, `N`, `S`, `M`, `P`, or several | such a man makes a saving move |
//! | `short` | number, or `?` | the moves that the attacker is short; unknown |
//! | `dtm`, `dtz` | number | plies to mate without a count; plies to the conversion |
//! | `check` | | the side to move is in check |
//! | `side` | `white`, `black` | the side to move, in the colours of the material's name |
//! | `king`, `attacker_king` | squares | the square of the defender's king, who is to move; of the attacker's |
//! | `K`, `R`, `N`, `S`, `M`, `P`; `k`, `r`, `n`, `s`, `m`, `p` | squares | the square of such a man; capitals are White's |
//! | `board` | pattern | the board matches |
//!
//! In a search for wins, the fields of sacrifices and of `short` give way to these. `unique`, `saving`, `move` and `by`
//! then concern the moves that win; `king` is the square of the defender's king, who is not to move.
//!
//! | field | value | meaning |
//! |---|---|---|
//! | `spare` | number | the moves that the count leaves, less those that the win needs |
//! | `poisoned` | `last`, `any`, `promotion` | a capture of the last man throws the win away; any capture; a promotion |
//!
//! In a search for zugzwangs they give way to these. `unique`, `saving`, `move` and `by` concern the moves that draw;
//! `king` is the square of the king of the side to move.
//!
//! | field | meaning |
//! |---|---|
//! | `by_count` | without the count it is not a zugzwang |
//! | `full` | the side to move loses, whichever it is |
//!
//! A number is compared with a number (`short<=2`) or with a range (`short=1..3`). If the save has no such number, as
//! may be with `dtz`, `short` and, with a pawn on the board, `left` and `spare`, only `!=` holds. Squares are `e4`,
//! `a1..h2` (the rectangle between two corners), `file-a`,
//! `rank-1`, `edge`, `corner`, `centre` (c3..f6), and several of these separated by commas. A pattern is a FEN's board
//! in
//! which `?` matches any square and `*` any rank: `*/*/*/*/*/*/*/k7`.
//!
//! A save is accepted if any of its images under the material's symmetry is.

mod condition;
mod parse;

use std::fmt;
use std::str::FromStr;

use makruk_probe::ProbeError;
use thiserror::Error;

use super::{PositionKind, SaveAnalysis, SlabSource};
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
    pub fn accepts<S: SlabSource>(&self, save: &SaveAnalysis<'_, S>) -> Result<bool, ProbeError> {
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
    fn holds<S: SlabSource>(&self, save: &SaveAnalysis<'_, S>) -> Result<bool, ProbeError> {
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
