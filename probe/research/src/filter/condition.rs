//! The conditions of a filter.

use std::ops::RangeInclusive;

use makruk_probe::{ProbeError, Sacrifice, SacrificeKind, ValueSource};
use makruk_rules::{Bitboard, Color, Piece, Role};

use crate::analysis::SaveAnalysis;
use crate::region::Pattern;

/// One condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    /// `sacrifice=last`, `any`.
    Sacrifice { last: bool },
    /// `given`: the role is one of these.
    Given(Vec<Role>),
    /// `offered`, and `abandoned`.
    Offered(bool),
    /// `kind`: the sacrifice is of one of these kinds.
    Kind(Vec<SacrificeKind>),
    /// `unique`.
    Unique,
    /// `poisoned`: such a move throws the win away.
    Poisoned(Poison),
    /// `by_count`: a zugzwang only under the count.
    ByCount,
    /// `full`: a zugzwang in which either side loses if it is to move.
    Full,
    /// The quantity is within bounds.
    Quantity(Quantity, RangeInclusive<u32>),
    /// `short=?`.
    ShortUnknown,
    /// `move`: the move is of one of these classes.
    Move(Vec<MoveClass>),
    /// `by`.
    By(Vec<Role>),
    /// `check`.
    Check,
    /// `side`.
    Side(Color),
    /// `king`, `attacker_king`.
    King { of: KingOf, squares: Bitboard },
    /// The letter of a man.
    Man(Piece, Bitboard),
    /// `board`.
    Board(Pattern),
}

/// A quantity of a save, or of each of its sacrifices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Needed,
    Left,
    Saving,
    Legal,
    Short,
    Spare,
    Dtm,
    Dtz,
}

makruk_rules::names!(Quantity: Needed = "needed", Left = "left", Saving = "saving", Legal = "legal", Short = "short",
    Spare = "spare", Dtm = "dtm", Dtz = "dtz");

/// The side whose king a condition concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KingOf {
    /// The side that counts.
    Defender,
    Attacker,
}

/// The class of a move; a move may belong to several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveClass {
    Quiet,
    Check,
    Capture,
    Promotion,
}

makruk_rules::names!(MoveClass: Quiet = "quiet", Check = "check", Capture = "capture", Promotion = "promotion");

/// A class of moves that may throw a win away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Poison {
    Capture,
    /// A capture of the opponent's last man.
    LastCapture,
    Promotion,
}

makruk_rules::names!(Poison: Capture = "any", LastCapture = "last", Promotion = "promotion");

impl Condition {
    pub(super) fn holds<S: ValueSource>(&self, save: &SaveAnalysis<'_, S>) -> Result<bool, ProbeError> {
        let position = save.position();
        let board = position.board();
        Ok(match self {
            Condition::Sacrifice { last } => {
                save.sacrifices()?.iter().any(|sacrifice| !last || save.sacrificed(sacrifice).1)
            }
            Condition::Given(roles) => {
                save.sacrifices()?.iter().any(|sacrifice| roles.contains(&save.sacrificed(sacrifice).0))
            }
            Condition::Offered(offered) => save.sacrifices()?.iter().any(|sacrifice| sacrifice.offered == *offered),
            Condition::Kind(kinds) => save.sacrifices()?.iter().any(|sacrifice| kinds.contains(&sacrifice.kind)),
            Condition::Unique => save.saving_moves()?.len() == 1,
            Condition::Poisoned(Poison::Capture) => !save.spoiling_captures()?.is_empty(),
            Condition::Poisoned(Poison::LastCapture) => {
                save.spoiling_captures()?.iter().any(|capture| capture.bares_king)
            }
            Condition::Poisoned(Poison::Promotion) => !save.spoiling(|mv| mv.promotion)?.is_empty(),
            Condition::ByCount => !save.zugzwang()?.0.without_count,
            Condition::Full => save.zugzwang()?.0.full,
            Condition::Quantity(number, bounds) => number.is_within(save, bounds)?,
            Condition::ShortUnknown => save.short_by()?.is_none(),
            Condition::Move(classes) => save.saving_moves()?.iter().any(|&mv| {
                let (capture, check) = (position.captured(mv).is_some(), position.play(mv).is_check());
                classes.iter().any(|class| match class {
                    MoveClass::Quiet => !capture && !check && !mv.promotion,
                    MoveClass::Check => check,
                    MoveClass::Capture => capture,
                    MoveClass::Promotion => mv.promotion,
                })
            }),
            Condition::By(roles) => {
                let by = |from| board.piece_at(from).is_some_and(|man| roles.contains(&man.role));
                save.saving_moves()?.iter().any(|mv| by(mv.from))
            }
            Condition::Check => position.is_check(),
            Condition::Side(side) => position.turn() == *side,
            Condition::King { of: KingOf::Defender, squares } => squares.contains(position.king(save.defender())),
            Condition::King { of: KingOf::Attacker, squares } => squares.contains(position.king(!save.defender())),
            Condition::Man(piece, squares) => board.by_piece(*piece).intersects(*squares),
            Condition::Board(pattern) => pattern.matches(board),
        })
    }

    /// The rough cost of an evaluation: 0 needs the position only, 1 the legal moves, 2 its distances, 3 the moves'
    /// values, 4 the captures after them, 5 a line.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Condition::Check
            | Condition::Side(_)
            | Condition::King { .. }
            | Condition::Man(..)
            | Condition::Board(_) => 0,
            Condition::Quantity(Quantity::Legal, _) => 1,
            Condition::Quantity(Quantity::Dtm | Quantity::Dtz | Quantity::Spare, _) => 2,
            Condition::ByCount | Condition::Full => 2,
            Condition::Poisoned(_) => 3,
            Condition::Unique | Condition::Move(_) | Condition::By(_) | Condition::Quantity(Quantity::Saving, _) => 3,
            Condition::Sacrifice { .. } | Condition::Given(_) | Condition::Kind(_) | Condition::Offered(_) => 4,
            Condition::Quantity(Quantity::Needed | Quantity::Left, _) => 4,
            Condition::Quantity(Quantity::Short, _) | Condition::ShortUnknown => 5,
        }
    }

    /// Whether the condition is about squares.
    pub(super) fn depends_on_squares(&self) -> bool {
        matches!(self, Condition::King { .. } | Condition::Man(..) | Condition::Board(_))
    }
}

impl Quantity {
    fn is_within<S: ValueSource>(
        self,
        save: &SaveAnalysis<'_, S>,
        bounds: &RangeInclusive<u32>,
    ) -> Result<bool, ProbeError> {
        let within = |number: Option<u32>| number.is_some_and(|number| bounds.contains(&number));
        let any =
            |of: fn(&Sacrifice) -> Option<u32>| Ok(save.sacrifices()?.iter().any(|sacrifice| within(of(sacrifice))));
        Ok(within(match self {
            Quantity::Needed => return any(|sacrifice| Some(sacrifice.needed)),
            Quantity::Left => return any(|sacrifice| sacrifice.left),
            Quantity::Saving => Some(save.saving_moves()?.len() as u32),
            Quantity::Legal => Some(save.legal_moves().len() as u32),
            Quantity::Short => save.short_by()?,
            Quantity::Spare => save.spare()?,
            Quantity::Dtm => save.distances()?.dtm.plies().map(u32::from),
            Quantity::Dtz => save.distances()?.dtz.plies().map(u32::from),
        }))
    }
}
