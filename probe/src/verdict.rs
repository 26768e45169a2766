//! The verdict on a position.

pub use makruk_rules::CountRule;
use makruk_rules::{Color, Count, CountingRules, Fen, Position};
use makruk_tables::material::Material;
use makruk_tables::value::Value;

use crate::judge::{self, Category, Distances};

/// The count of a position, as given and as the verdict uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counting {
    /// The rule of the count that runs, if the FEN has one.
    pub rule: CountRule,
    /// LIMIT and PLY as the FEN has them.
    pub given: Option<Count>,
    /// The count that the verdict uses: the one given or, without, the one that begins with the defender's next move.
    /// `None` only where the rules have no count: with a pawn on the board, or between two bare kings.
    pub running: Option<Count>,
    /// The winner's moves left under `running`, 0 when it has run out; `None` where neither side wins without the
    /// count.
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
        Counting { running, ..Counting::running(fen.running_count(), &fen.position, left) }
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
    /// Plies to the conversion; the same as `dtm` under pieces' honour.
    pub dtz: Value,
    /// The count.
    pub count: Counting,
    /// Whether the side to move is mated. If the count had drawn the game before the mate, the category is still a
    /// draw.
    pub checkmate: bool,
    /// Whether it is stalemated. That is a draw.
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
}

/// The count at the root, resolved once. With a pawn on the board there is none, whatever the FEN says.
pub(crate) fn root_count(rules: &CountingRules, fen: &Fen) -> Option<Count> {
    fen.running_count().or_else(|| rules.start(fen.position.board(), fen.position.turn()))
}

/// Whether pieces' honour runs as soon as a count begins: a king is bare, and no pawn is on the board. Then DTM serves
/// as DTZ.
pub fn is_under_pieces_honour(position: &Position) -> bool {
    has_bare_king(position) && !position.board().has_pawns()
}

/// Whether either king is bare.
fn has_bare_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.board().is_bare(color))
}
