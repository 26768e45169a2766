//! How distances and a count become a verdict. Pure functions: no table, no position.
//!
//! All follow the rules page: *Values* and *Category*. The winner below is the side that wins without the count.

use std::fmt;

use makruk_tables::format::Value;
use makruk_tables::rules::Count;

/// The worth of a position under the count, from the side to move (or, for a move, from the side that makes it).
///
/// Ordered from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Lost, also under the count.
    Loss,
    /// Lost without the count, drawn by it.
    BlessedLoss,
    /// Drawn: nobody forces mate.
    Draw,
    /// Won without the count, drawn by it.
    CursedWin,
    /// Won, also under the count.
    Win,
}

impl Category {
    /// Every category, the worst first.
    pub const ALL: [Category; 5] =
        [Category::Loss, Category::BlessedLoss, Category::Draw, Category::CursedWin, Category::Win];

    /// `loss`, `blessed-loss`, `draw`, `cursed-win` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Loss => "loss",
            Category::BlessedLoss => "blessed-loss",
            Category::Draw => "draw",
            Category::CursedWin => "cursed-win",
            Category::Win => "win",
        }
    }

    /// The same seen by the other side.
    #[must_use]
    pub const fn flip(self) -> Category {
        match self {
            Category::Loss => Category::Win,
            Category::BlessedLoss => Category::CursedWin,
            Category::Draw => Category::Draw,
            Category::CursedWin => Category::BlessedLoss,
            Category::Win => Category::Loss,
        }
    }

    /// Is the game drawn, with best play by both?
    pub const fn is_drawn(self) -> bool {
        matches!(self, Category::BlessedLoss | Category::Draw | Category::CursedWin)
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the tables say of a position, from the side to move. With a bare king on the board both are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Distances {
    /// Plies to mate, no count.
    pub dtm: Value,
    /// Plies to the event that settles the count: mate, or a baring capture that wins in time.
    pub dtz: Value,
}

impl Distances {
    /// Nobody wins.
    pub const DRAW: Distances = Distances { dtm: Value::Draw, dtz: Value::Draw };
    /// The side to move is mated.
    pub const MATED: Distances = Distances { dtm: Value::Loss(0), dtz: Value::Loss(0) };

    /// Of a position with a bare king, where mate is the only event left.
    pub const fn bare(dtm: Value) -> Distances {
        Distances { dtm, dtz: dtm }
    }

    /// Does the side to move win without the count? `None` if nobody does.
    pub const fn mover_wins(self) -> Option<bool> {
        match self.dtm {
            Value::Win(_) => Some(true),
            Value::Loss(_) => Some(false),
            Value::Draw => None,
        }
    }
}

/// Plies of a decided value; `None` for a draw.
pub const fn plies(value: Value) -> Option<u16> {
    match value {
        Value::Win(plies) | Value::Loss(plies) => Some(plies),
        Value::Draw => None,
    }
}

/// The winner's own moves in so many plies, whoever begins.
pub const fn moves_in(plies: u16) -> u32 {
    plies.div_ceil(2) as u32
}

/// The winner's moves that a count leaves, the final one included; `None` where nobody wins, so that the count says
/// nothing, and where no count runs.
pub fn moves_left(count: Option<Count>, distances: Distances) -> Option<u32> {
    Some(count?.attacker_moves_left(distances.mover_wins()?))
}

/// The category of a position, the winner having so many moves left; `None` if no count runs at all.
///
/// Mated is lost, whatever the count: 0 moves are needed then.
pub fn category(distances: Distances, left: Option<u32>) -> Category {
    let in_time = match (plies(distances.dtz), left) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(plies), Some(left)) => moves_in(plies) <= left,
    };
    match (distances.dtm, in_time) {
        (Value::Draw, _) => Category::Draw,
        (Value::Win(_), true) => Category::Win,
        (Value::Win(_), false) => Category::CursedWin,
        (Value::Loss(_), true) => Category::Loss,
        (Value::Loss(_), false) => Category::BlessedLoss,
    }
}

/// A child's value as the side that moved there sees it, its move included.
pub const fn before_move(child: Value) -> Value {
    match child {
        Value::Draw => Value::Draw,
        Value::Win(plies) => Value::Loss(plies.saturating_add(1)),
        Value::Loss(plies) => Value::Win(plies.saturating_add(1)),
    }
}

/// What a move does, as far as the count is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// It leaves the count as it runs: no capture, or one after which the opponent is not newly bare.
    Plain,
    /// It bares an opponent who had a piece left. The winner then has so many moves, by the count that this starts; `None`
    /// if it starts none.
    Baring(Option<u32>),
}

/// The distances of a move, seen by the side that makes it: of a baring capture the DTZ is 1 if the count that it starts
/// suffices, else none.
pub const fn move_distances(child: Distances, kind: MoveKind) -> Distances {
    let dtm = before_move(child.dtm);
    let dtz = match (kind, child.dtm) {
        (MoveKind::Plain, _) => before_move(child.dtz),
        (MoveKind::Baring(Some(moves)), Value::Loss(plies)) if moves_in(plies) <= moves => Value::Win(1),
        (MoveKind::Baring(None), Value::Loss(_)) => Value::Win(1),
        (MoveKind::Baring(_), _) => Value::Draw,
    };
    Distances { dtm, dtz }
}

/// The category of a move, seen by the side that makes it: `before` is the count that runs when it is made, `after` the
/// one that runs then, `child` the position reached.
///
/// Where the count had run out before the move, the game was drawn then: not even a mate changes that.
pub fn move_category(before: Option<Count>, after: Option<Count>, child: Distances) -> Category {
    if before.is_some_and(Count::is_expired) {
        category(Distances { dtm: child.dtm, dtz: Value::Draw }, Some(0)).flip()
    } else {
        category(child, moves_left(after, child)).flip()
    }
}

/// How many moves the winner lacks: those needed less those left. `None` if that many do suffice, or if there is no
/// event to count to.
pub fn short_by(event: Value, left: Option<u32>) -> Option<u32> {
    let lacking = moves_in(plies(event)?).checked_sub(left?)?;
    (lacking > 0).then_some(lacking)
}
