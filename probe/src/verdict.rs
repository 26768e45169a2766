//! What a position is worth.

use makruk_tables::format::Value;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Count, CountingRules, Fen, Position};

use crate::judge::{self, Category, Distances};

/// The count that a position was given with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountRule {
    /// None runs: `-` in the FEN. It is judged as beginning with the defender's next move.
    None,
    /// Board's honour: both sides still have a piece.
    Board,
    /// Pieces' honour: a king is bare.
    Pieces,
}

impl CountRule {
    /// `none`, `board` or `pieces`.
    pub const fn name(self) -> &'static str {
        match self {
            CountRule::None => "none",
            CountRule::Board => "board",
            CountRule::Pieces => "pieces",
        }
    }
}

/// The count as given and as it is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counting {
    /// The rule of the count that runs, if the FEN has one.
    pub rule: CountRule,
    /// LIMIT and PLY as the FEN has them.
    pub given: Option<Count>,
    /// The count that the verdict goes by: the one given or, without, the one that begins with the defender's next move.
    /// `None` only where the rules have no count: between two bare kings, for one.
    pub running: Option<Count>,
    /// The winner's moves left under `running`, 0 when it has run out; `None` where nobody wins without the count.
    pub attacker_moves_left: Option<u32>,
}

/// What a position is worth, from the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Its set. The colours of a set's name need not be the board's.
    pub material: Material,
    /// The side to move.
    pub side: Color,
    /// Its worth under the count.
    pub category: Category,
    /// Plies to mate, no count.
    pub dtm: Value,
    /// Plies to the event that settles the count; the same as `dtm` with a bare king.
    pub dtz: Value,
    /// The count.
    pub count: Counting,
    /// Is the side to move mated?
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

    /// Had the count run out when this position was reached? Then the game is drawn, unless this is mate.
    pub fn is_drawn_by_count(&self) -> bool {
        !self.checkmate && self.count.running.is_some_and(Count::is_expired)
    }
}

/// The count at the root, resolved once.
pub(crate) fn root_count(rules: &CountingRules, fen: &Fen) -> Option<Count> {
    fen.count.or_else(|| rules.start(fen.position.board(), fen.position.turn()))
}

pub(crate) fn counting(rules: &CountingRules, fen: &Fen, distances: Distances) -> Counting {
    let running = root_count(rules, fen);
    let rule = match fen.count {
        None => CountRule::None,
        Some(_) if has_bare_king(&fen.position) => CountRule::Pieces,
        Some(_) => CountRule::Board,
    };
    Counting { rule, given: fen.count, running, attacker_moves_left: judge::moves_left(running, distances) }
}

/// Is either king bare?
pub(crate) fn has_bare_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.board().is_bare(color))
}
