//! The verdict on a position.

pub use makruk_rules::CountRule;
use makruk_rules::{Color, Count, CountingRules, Fen, Position};
use makruk_tables::material::Material;
use makruk_tables::value::Value;

#[cfg(feature = "serde")]
use crate::json;
use crate::judge::{self, Category, Distances};

/// The count of a position, as given and as the verdict uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Count"))]
pub struct Counting {
    /// The rule of the count that runs.
    pub rule: CountRule,
    /// LIMIT and PLY as the FEN has them.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "json::limit_and_ply"))]
    #[cfg_attr(feature = "schema", schemars(with = "json::LimitAndPly"))]
    pub given: Option<Count>,
    /// The count that the verdict uses: the one given or, without, the one that begins with the defender's next move.
    /// `None` only where the rules have no count: with a pawn on the board, or between two bare kings.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub running: Option<Count>,
    /// The attacker's moves left, the final one included; 0 when the count has run out. Without a count, the moves left
    /// if it begins now; `null` if neither side wins without the count, or with a pawn on the board.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// The canonical name of the material. Its first side may be White or Black on the board.
    pub material: Material,
    /// The side to move.
    pub side: Color,
    /// The category under the count.
    pub category: Category,
    /// Signed plies to mate, without a count; `null` if neither side forces mate; 0 if the side to move is mated.
    #[cfg_attr(feature = "serde", serde(serialize_with = "json::signed_plies"))]
    #[cfg_attr(feature = "schema", schemars(with = "Option<i32>"))]
    pub dtm: Value,
    /// Signed plies to the conversion that the count allows; `null` if no conversion can be forced. It equals `dtm`
    /// with a bare king and no pawn. With a pawn on the board the conversion is mate, or the winner's move that ends
    /// the last pawn into a position won under the count that begins.
    #[cfg_attr(feature = "serde", serde(serialize_with = "json::signed_plies"))]
    #[cfg_attr(feature = "schema", schemars(with = "Option<i32>"))]
    pub dtz: Value,
    /// The count.
    pub count: Counting,
    /// Whether the side to move is mated. If the count had drawn the game before the mate, the category is still a
    /// draw.
    pub checkmate: bool,
    /// Whether the side to move is stalemated, which draws.
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

    /// Whether the count that runs has drawn the game when this position is reached.
    pub fn is_drawn_by_count(&self) -> bool {
        self.count.given.is_some_and(|count| count.draws(self.checkmate))
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
