//! What can be asked of a save.

use std::ops::RangeInclusive;

use makruk_tables::rules::{Bitboard, Color, Piece, Role};

use crate::region::Pattern;
use crate::{Look, SlabSource};
use makruk_probe::judge::plies;
use makruk_probe::{ProbeError, Sacrifice};

/// One test.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// `sacrifice=last`, `any`.
    Sacrifice { last: bool },
    /// `given`: a set of roles.
    Given(Vec<Role>),
    /// `offered`, and `abandoned`.
    Offered(bool),
    /// `unique`.
    Unique,
    /// A number within bounds.
    Number(Number, RangeInclusive<u32>),
    /// `short=?`.
    ShortUnknown,
    /// `move`: any of these.
    Kind(Vec<Kind>),
    /// `by`.
    By(Vec<Role>),
    /// `check`.
    Check,
    /// `side`.
    Side(Color),
    /// `king`, and `hunter`: the defender's, the attacker's.
    King { own: bool, squares: Bitboard },
    /// A man's letter.
    Man(Piece, Bitboard),
    /// `board`.
    Board(Pattern),
}

/// A number that a save has, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Needed,
    Left,
    Saving,
    Legal,
    Short,
    Dtm,
    Dtz,
}

/// What a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Quiet,
    Check,
    Capture,
}

impl Test {
    pub(super) fn holds<S: SlabSource>(&self, look: &Look<'_, S>) -> Result<bool, ProbeError> {
        let position = look.position();
        let board = position.board();
        Ok(match self {
            Test::Sacrifice { last } => look.sacrifices()?.iter().any(|given| !last || look.given(given).1),
            Test::Given(roles) => look.sacrifices()?.iter().any(|given| roles.contains(&look.given(given).0)),
            Test::Offered(offered) => look.sacrifices()?.iter().any(|given| given.offered == *offered),
            Test::Unique => look.saving()?.len() == 1,
            Test::Number(number, bounds) => number.is_within(look, bounds)?,
            Test::ShortUnknown => look.short_by()?.is_none(),
            Test::Kind(kinds) => look.saving()?.iter().any(|&mv| {
                let (capture, check) = (position.captured(mv).is_some(), position.play(mv).is_check());
                kinds.iter().any(|kind| match kind {
                    Kind::Quiet => !capture && !check,
                    Kind::Check => check,
                    Kind::Capture => capture,
                })
            }),
            Test::By(roles) => {
                let by = |from| board.piece_at(from).is_some_and(|man| roles.contains(&man.role));
                look.saving()?.iter().any(|mv| by(mv.from))
            }
            Test::Check => position.is_check(),
            Test::Side(side) => position.turn() == *side,
            Test::King { own, squares } => {
                squares.contains(position.king(if *own { look.defender() } else { !look.defender() }))
            }
            Test::Man(piece, squares) => board.by_piece(*piece).intersects(*squares),
            Test::Board(pattern) => pattern.fits(board),
        })
    }

    /// What it takes, roughly: nothing but the position, moves, captures after them, distances, a line.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Test::Check | Test::Side(_) | Test::King { .. } | Test::Man(..) | Test::Board(_) => 0,
            Test::Number(Number::Legal, _) => 1,
            Test::Number(Number::Dtm | Number::Dtz, _) => 2,
            Test::Unique | Test::Kind(_) | Test::By(_) | Test::Number(Number::Saving, _) => 3,
            Test::Sacrifice { .. } | Test::Given(_) | Test::Offered(_) => 4,
            Test::Number(Number::Needed | Number::Left, _) => 4,
            Test::Number(Number::Short, _) | Test::ShortUnknown => 5,
        }
    }

    /// Does it look at squares?
    pub(super) fn tells_images_apart(&self) -> bool {
        matches!(self, Test::King { .. } | Test::Man(..) | Test::Board(_))
    }
}

impl Number {
    fn is_within<S: SlabSource>(self, look: &Look<'_, S>, bounds: &RangeInclusive<u32>) -> Result<bool, ProbeError> {
        let within = |number: Option<u32>| number.is_some_and(|number| bounds.contains(&number));
        let given = |of: fn(&Sacrifice) -> Option<u32>| Ok(look.sacrifices()?.iter().any(|given| within(of(given))));
        Ok(within(match self {
            Number::Needed => return given(|given| Some(given.needed)),
            Number::Left => return given(|given| given.left),
            Number::Saving => Some(look.saving()?.len() as u32),
            Number::Legal => Some(look.legal().len() as u32),
            Number::Short => look.short_by()?,
            Number::Dtm => plies(look.distances()?.dtm).map(u32::from),
            Number::Dtz => plies(look.distances()?.dtz).map(u32::from),
        }))
    }
}
