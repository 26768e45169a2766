//! Which saves are wanted: a small language.
//!
//! A filter is made of tests, `and`, `or`, `not` and parentheses; `not` binds closest, then `and`. A test is a field, or a
//! field, an operator (`=`, `!=`; for numbers also `<`, `<=`, `>`, `>=`) and a value without spaces:
//!
//! | field | value | holds if |
//! |---|---|---|
//! | `sacrifice` | `last`, `any`, `none` | a saving move gives up the last piece; any man; none does |
//! | `given` | `R`, `N`, `S`, `M`, or several as `R,N` | a saving move gives up such a man |
//! | `offered`, `abandoned` | | a saving move gives up the man that moves; leaves another to be taken |
//! | `needed` | number | after such a capture the attacker needs so many moves to mate |
//! | `left` | number | after such a capture the count leaves so many |
//! | `unique` | | one move saves, and no other |
//! | `saving`, `legal` | number | so many moves save; so many are legal |
//! | `move` | `quiet`, `check`, `capture`, or several | a saving move takes nothing and gives no check; gives check; takes a man |
//! | `by` | `K`, `R`, `N`, `S`, `M`, or several | a saving move is made by such a man |
//! | `short` | number, or `?` | the attacker lacks so many moves; it can't be told how many |
//! | `dtm`, `dtz` | number | plies to mate without a count; plies to the event that settles the count |
//! | `check` | | the side to move stands in check |
//! | `side` | `white`, `black` | that side is to move, in the colours of the set's name |
//! | `king`, `hunter` | squares | the king of the side to move stands there; the other king does |
//! | `K`, `R`, `N`, `S`, `M`; `k`, `r`, `n`, `s`, `m` | squares | such a man, capitals being White's, stands there |
//! | `board` | pattern | the board fits |
//!
//! A number is compared with one (`short<=2`) or with a range (`short=1..3`); where there is none, as of `dtz` and `short`,
//! no comparison holds but `!=`. Squares are `e4`, `a1..h2` (all between two corners), `file-a`, `rank-1`, `edge`, `corner`,
//! `centre` (c3..f6), and several of these with commas between. A pattern is a FEN's board in which `?` is a square with
//! anything on it and `*` a rank of these: `*/*/*/*/*/*/*/k7`.
//!
//! A save fits if any of its images under the set's symmetry does.

mod parse;
mod test;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Look, SlabSource};
use makruk_probe::ProbeError;
use test::Test;

/// A filter: see [the language](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    text: String,
    wanted: Wanted,
}

/// Tests, put together.
#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    /// Each of these holds; of none, always.
    All(Vec<Wanted>),
    /// One of these holds.
    Any(Vec<Wanted>),
    Not(Box<Wanted>),
    Test(Test),
}

/// A text that is no filter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the filter can't be read at column {column}: expected {expected}, found {found}")]
pub struct FilterError {
    /// The character at which it goes wrong, the first being 1.
    pub column: usize,
    /// What could stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl Filter {
    /// Does a save fit?
    ///
    /// # Errors
    ///
    /// If a table that has to be asked is missing or damaged.
    pub fn fits<S: SlabSource>(&self, look: &Look<'_, S>) -> Result<bool, ProbeError> {
        self.wanted.holds(look)
    }

    /// Do all saves fit?
    pub fn takes_all(&self) -> bool {
        self.wanted == Wanted::All(Vec::new())
    }

    /// Does it depend on which of a save's images is looked at?
    pub fn tells_images_apart(&self) -> bool {
        self.wanted.tells_images_apart()
    }
}

/// All fit.
impl Default for Filter {
    fn default() -> Filter {
        Filter { text: String::new(), wanted: Wanted::All(Vec::new()) }
    }
}

/// As it was given.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Filter, FilterError> {
        let mut wanted = parse::parse(text)?;
        wanted.put_cheap_first();
        Ok(Filter { text: text.to_owned(), wanted })
    }
}

impl Wanted {
    fn holds<S: SlabSource>(&self, look: &Look<'_, S>) -> Result<bool, ProbeError> {
        match self {
            Wanted::All(parts) => {
                for part in parts {
                    if !part.holds(look)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Wanted::Any(parts) => {
                for part in parts {
                    if part.holds(look)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Wanted::Not(part) => Ok(!part.holds(look)?),
            Wanted::Test(test) => test.holds(look),
        }
    }

    /// What it takes to answer, roughly.
    fn cost(&self) -> u32 {
        match self {
            Wanted::All(parts) | Wanted::Any(parts) => parts.iter().map(Wanted::cost).max().unwrap_or(0),
            Wanted::Not(part) => part.cost(),
            Wanted::Test(test) => test.cost(),
        }
    }

    fn put_cheap_first(&mut self) {
        match self {
            Wanted::All(parts) | Wanted::Any(parts) => {
                parts.iter_mut().for_each(Wanted::put_cheap_first);
                parts.sort_by_key(Wanted::cost);
            }
            Wanted::Not(part) => part.put_cheap_first(),
            Wanted::Test(_) => {}
        }
    }

    fn tells_images_apart(&self) -> bool {
        match self {
            Wanted::All(parts) | Wanted::Any(parts) => parts.iter().any(Wanted::tells_images_apart),
            Wanted::Not(part) => part.tells_images_apart(),
            Wanted::Test(test) => test.tells_images_apart(),
        }
    }
}
