//! The verdict on a position.

use std::fmt;

use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Count, CountingRules, Fen, Position};
use makruk_tables::value::Value;

use crate::judge::{self, Category, Distances};

/// The rule of the count that a position was given with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum CountRule {
    /// No count runs: `-` in the FEN. The position is judged as if the count began with the defender's next move.
    None,
    /// Board's honour: both sides still have a piece.
    Board,
    /// Pieces' honour: a king is bare.
    Pieces,
}

impl CountRule {
    /// Every rule.
    pub const ALL: [CountRule; 3] = [CountRule::None, CountRule::Board, CountRule::Pieces];

    /// `none`, `board` or `pieces`.
    pub const fn name(self) -> &'static str {
        match self {
            CountRule::None => "none",
            CountRule::Board => "board",
            CountRule::Pieces => "pieces",
        }
    }
}

impl fmt::Display for CountRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The count of a position, as given and as the verdict uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counting {
    /// The rule of the count that runs, if the FEN has one.
    pub rule: CountRule,
    /// LIMIT and PLY as the FEN has them.
    pub given: Option<Count>,
    /// The count that the verdict uses: the one given or, without, the one that begins with the defender's next move.
    /// `None` only where the rules have no count: between two bare kings, for one.
    pub running: Option<Count>,
    /// The winner's moves left under `running`, 0 when it has run out; `None` where neither side wins without the count.
    pub attacker_moves_left: Option<u32>,
}

impl Counting {
    /// The count of a position that is given with this one.
    pub(crate) fn running(count: Option<Count>, position: &Position, attacker_moves_left: Option<u32>) -> Counting {
        let rule = match count {
            None => CountRule::None,
            Some(_) if has_bare_king(position) => CountRule::Pieces,
            Some(_) => CountRule::Board,
        };
        Counting { rule, given: count, running: count, attacker_moves_left }
    }

    /// The count of a FEN, which is resolved if none runs.
    pub(crate) fn of(rules: &CountingRules, fen: &Fen, distances: Distances) -> Counting {
        let running = root_count(rules, fen);
        let left = judge::moves_left(running, distances);
        Counting { running, ..Counting::running(fen.count, &fen.position, left) }
    }
}

/// The verdict on a position, from the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The material. Its colours need not be those of the board.
    pub material: Material,
    /// The side to move.
    pub side: Color,
    /// The category under the count.
    pub category: Category,
    /// Plies to mate, no count.
    pub dtm: Value,
    /// Plies to the conversion; the same as `dtm` with a bare king.
    pub dtz: Value,
    /// The count.
    pub count: Counting,
    /// Is the side to move mated? If the count had drawn the game before the mate, the category is a draw all the same.
    pub checkmate: bool,
    /// Is it stalemated? That is a draw.
    pub stalemate: bool,
}

impl Verdict {
    /// The side that wins without the count, if any.
    pub fn winner(&self) -> Option<Color> {
        self.distances().mover_wins().map(|mover| if mover { self.side } else { !self.side })
    }

    /// Both distances.
    pub const fn distances(&self) -> Distances {
        Distances { dtm: self.dtm, dtz: self.dtz }
    }

    /// Has the count drawn the game when this position is reached? A mate counts if the one final move gave it.
    pub fn is_drawn_by_count(&self) -> bool {
        self.count.running.is_some_and(|count| count.draws(self.checkmate))
    }
}

/// The count at the root, resolved once.
pub(crate) fn root_count(rules: &CountingRules, fen: &Fen) -> Option<Count> {
    fen.count.or_else(|| rules.start(fen.position.board(), fen.position.turn()))
}

/// Is either king bare?
pub fn has_bare_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.board().is_bare(color))
}
