//! The verdict on a position and on its moves.

use makruk_probe::{
    Category, JudgedMove, Mistake, ProbeError, Prober, RankedMove, Sacrifice, SacrificeKind, ValueSource, Verdict,
    json::signed_plies,
};
use makruk_rules::{ByColor, Color, Fen, Move, Position, Reading};
use makruk_tables::material::Material;
use makruk_tables::value::Value;
use serde::Serialize;

use crate::{Reason, Refusal, Remedy};

/// A position and the verdict on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Position"))]
pub struct PositionAnswer {
    /// The FEN, normalised: Fairy-Stockfish's letters, six fields.
    pub fen: Fen,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Whether each side can still mate if the other helps, whatever the count: the question that is asked when the
    /// other's flag has fallen. `false` is proven; `null` if it is not known, which happens only with pawns. If neither
    /// side can, the position is dead, and the game is drawn.
    pub can_mate: ByColor<Option<bool>>,
    /// Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Whether each side can still mate; the winner can, if one is known.
pub(crate) fn can_mate(position: &Position, winner: Option<Color>) -> ByColor<Option<bool>> {
    ByColor::from_fn(|color| position.can_mate(color).or((winner == Some(color)).then_some(true)))
}

/// A position and the verdict on it; with `moves`, the legal moves too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ProbedPosition"))]
pub struct ProbedAnswer {
    /// The position.
    #[serde(flatten)]
    pub position: PositionAnswer,
    /// The legal moves that have verdicts, best first; left out if they were not requested. Wins come by the shortest
    /// DTZ, then DTM; cursed wins by the shortest DTM; then draws. Blessed losses come by the longest DTM, losses by
    /// the longest DTZ, then DTM. Ties are broken by UCI notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveAnswer>>,
    /// The other legal moves, one of which may be better than all of `moves`; left out if there are none, or if moves
    /// were not requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_moves: Vec<UnknownMoveAnswer>,
}

impl PositionAnswer {
    /// The verdict on a position.
    pub fn new(fen: Fen, verdict: Verdict) -> PositionAnswer {
        let can_mate = can_mate(&fen.position, verdict.winner());
        PositionAnswer { fen, verdict, can_mate, notes: Vec::new() }
    }

    /// The same for a position that was read, with the notes.
    pub(crate) fn read(reading: &Reading, verdict: Verdict) -> PositionAnswer {
        PositionAnswer { notes: reading.sentences(), ..PositionAnswer::new(reading.fen.clone(), verdict) }
    }
}

/// The category of a position under its count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PositionCategory"))]
pub struct CategoryAnswer {
    /// The FEN, normalised.
    pub fen: Fen,
    /// The canonical name of the material.
    pub material: Material,
    /// The side to move.
    pub side: Color,
    /// The category.
    pub category: Category,
    /// Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl CategoryAnswer {
    /// The category of a position that was read.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub(crate) fn find<S: ValueSource>(prober: &Prober<S>, reading: &Reading) -> Result<CategoryAnswer, ProbeError> {
        let fen = &reading.fen;
        let material = Material::of(fen.position.board())?.material;
        let bounds = prober.source().category_bounds(&fen.position);
        let category = match bounds.map(|bounds| prober.category_within(fen, bounds)) {
            Ok(Some((category, _))) => category,
            // The distances answer where there is no category table, or where it does not decide.
            Ok(None) | Err(_) => prober.category(fen)?,
        };
        Ok(CategoryAnswer {
            fen: fen.clone(),
            material,
            side: fen.position.turn(),
            category,
            notes: reading.sentences(),
        })
    }
}

/// A legal move without a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LegalMove"))]
pub struct LegalMoveAnswer {
    /// UCI notation, such as `e2e3` or, for a promotion, `e5e6m`.
    #[serde(rename = "uci")]
    pub mv: Move,
    /// SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`.
    pub san: String,
    /// Whether the move captures a man.
    pub capture: bool,
}

impl LegalMoveAnswer {
    /// A move made in `root`.
    pub(crate) fn new(root: &Position, mv: Move) -> LegalMoveAnswer {
        LegalMoveAnswer { mv, san: mv.to_san(root), capture: root.captured(mv).is_some() }
    }
}

/// A move and its value for the side that makes it, under the position's count carried on. Distances include the move
/// itself: a mating move has 1 ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RankedMove"))]
pub struct MoveAnswer {
    /// UCI notation, such as `e2e3` or, for a promotion, `e5e6m`.
    #[serde(rename = "uci")]
    pub mv: Move,
    /// SAN in the letters K R N S M, with + and #, such as `Rxe3+` or `e6=M`.
    pub san: String,
    /// The category under the position's count carried on.
    pub category: Category,
    /// Signed plies to mate, without a count; `null` if neither side forces mate.
    #[serde(serialize_with = "signed_plies")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<i32>"))]
    pub dtm: Value,
    /// Signed plies to the conversion that the count allows; `null` if no conversion can be forced. Of a move that
    /// begins a count, 1 if the count leaves enough moves.
    #[serde(serialize_with = "signed_plies")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<i32>"))]
    pub dtz: Value,
    /// Whether the move captures a man.
    pub capture: bool,
    /// Whether a pawn becomes a met.
    pub promotion: bool,
    /// Whether it is a baring capture: it takes the last man that the opponent has besides the king. Without pawns it
    /// restarts the count.
    pub bares_king: bool,
    /// Whether the move begins a count, whatever ran before: it ends the last pawn or, without pawns, it is a baring
    /// capture.
    pub begins_count: bool,
}

impl MoveAnswer {
    /// A move made in `root`.
    pub(crate) fn new(root: &Position, mv: &RankedMove) -> MoveAnswer {
        MoveAnswer::with_san(mv, mv.san(root))
    }

    /// A move whose notation is known.
    pub fn with_san(mv: &RankedMove, san: String) -> MoveAnswer {
        MoveAnswer {
            mv: mv.mv,
            san,
            category: mv.category,
            dtm: mv.dtm,
            dtz: mv.dtz,
            capture: mv.capture,
            promotion: mv.mv.promotion,
            bares_king: mv.bares_king,
            begins_count: mv.begins_count,
        }
    }
}

/// The mistake that a move makes, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Mistake"))]
pub struct MistakeAnswer {
    /// The loss: the win, the draw, or time; `null` if the move is not a mistake.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["win", "draw", "time", null])))]
    pub gave_away: Option<&'static str>,
    /// The moves lost if `gave_away` is `time`; else `null`.
    pub lost_moves: Option<u32>,
}

impl MistakeAnswer {
    /// The mistake of a move.
    pub(crate) fn new(mistake: Option<Mistake>) -> MistakeAnswer {
        MistakeAnswer { gave_away: mistake.map(Mistake::name), lost_moves: mistake.and_then(Mistake::lost_moves) }
    }
}

/// A move that was played in a game, with a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PlayedMove"))]
pub struct JudgedMoveAnswer {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveAnswer,
    /// The mistake, if it is one.
    #[serde(flatten)]
    pub mistake: MistakeAnswer,
    /// The best move, in SAN.
    pub best: String,
}

impl JudgedMoveAnswer {
    /// A judged move.
    pub(crate) fn new(JudgedMove { ranked, san, best, mistake }: JudgedMove) -> JudgedMoveAnswer {
        JudgedMoveAnswer { mv: MoveAnswer::with_san(&ranked, san), mistake: MistakeAnswer::new(mistake), best }
    }
}

/// A man that a saving move gives: the capture wins without the count, but not with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Sacrifice"))]
pub struct SacrificeAnswer {
    /// The capture that comes closest to winning, in SAN.
    pub capture: String,
    /// The kind of the sacrifice.
    pub kind: SacrificeKind,
    /// Whether the man is the one that moved; else the move abandons another.
    pub offered: bool,
    /// The attacker's moves to mate after the capture, without a count.
    pub needed: u32,
    /// The attacker's moves that the count leaves after the capture; `null` if no count runs then.
    pub left: Option<u32>,
}

impl SacrificeAnswer {
    /// A sacrifice made in `root`.
    pub(crate) fn new(root: &Position, sacrifice: &Sacrifice) -> SacrificeAnswer {
        SacrificeAnswer {
            capture: sacrifice.capture.to_san(&root.play(sacrifice.mv)),
            kind: sacrifice.kind,
            offered: sacrifice.offered,
            needed: sacrifice.needed,
            left: sacrifice.left,
        }
    }
}

/// A legal move whose value is unknown, since a table is missing or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UnknownMove"))]
pub struct UnknownMoveAnswer {
    /// The move.
    #[serde(flatten)]
    pub mv: LegalMoveAnswer,
    /// The table, such as `KRvK.dtm`.
    pub table: String,
    /// The reason in a sentence, for people.
    pub error: String,
    /// The reason, for programs.
    pub reason: Reason,
    /// The command that builds the table, where one does; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl UnknownMoveAnswer {
    /// A move made in `root`, and the failure of its table.
    pub(crate) fn new(root: &Position, (mv, error): (Move, ProbeError), remedy: Remedy) -> UnknownMoveAnswer {
        let refusal = Refusal::of(error, remedy);
        let table = refusal.table().map(|id| id.to_string()).unwrap_or_default();
        let Refusal { error, reason, command, .. } = refusal;
        UnknownMoveAnswer { mv: LegalMoveAnswer::new(root, mv), table, error, reason, command }
    }
}
