//! Everything that a page shows about a position.

use makruk_probe::{Analysis, Mistake, ProbeError, Prober, RankedMove, ValueSource};
use makruk_tables::rules::{Color, Count, CountingRules, Fen, Reading};
use serde::Serialize;

use crate::position::SacrificeAnswer;
use crate::{LegalMoveAnswer, LineMoveAnswer, MistakeAnswer, PositionAnswer, Reason, Refusal, Remedy};

/// A position with everything that a board shows about it. A position without a verdict has its legal moves.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Explored", transform = Refusal::within))]
pub struct ExploredAnswer {
    /// The verdict, or the FEN and the side alone.
    #[serde(flatten)]
    pub position: PositionPart,
    /// Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The side that counts; `null` if neither side wins.
    pub counts: Option<Color>,
    /// Whether the count of the FEN is the winner's, who may stop it: the verdict is then that for a count that begins
    /// now.
    pub count_stopped: bool,
    /// The count that would begin with the defender's next move; `null` with pawns or two bare kings.
    pub begins: Option<BegunCount>,
    /// The reason why the position or its moves have no verdict.
    #[serde(flatten)]
    pub unjudged: Option<Refusal>,
    /// The legal moves; best first if they have verdicts.
    pub moves: Vec<ExploredMove>,
}

/// A position with or without a verdict.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PositionPart {
    /// A position with a verdict.
    Judged(Box<PositionAnswer>),
    /// A position without a verdict.
    Unjudged {
        /// The FEN, normalised.
        fen: String,
        /// The side to move.
        side: Color,
    },
}

impl PositionPart {
    /// The position with its verdict, if it has one.
    pub fn verdict(&self) -> Option<&PositionAnswer> {
        match self {
            PositionPart::Judged(position) => Some(position),
            PositionPart::Unjudged { .. } => None,
        }
    }

    /// The position.
    pub fn fen(&self) -> &str {
        match self {
            PositionPart::Judged(position) => &position.fen,
            PositionPart::Unjudged { fen, .. } => fen,
        }
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        match self {
            PositionPart::Judged(position) => position.side,
            PositionPart::Unjudged { side, .. } => *side,
        }
    }
}

/// A count that begins.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BegunCount {
    /// LIMIT, in plies.
    pub limit: u32,
    /// PLY, in plies.
    pub ply: u32,
    /// The side that counts if its king is bare; `null` if either side may become the defender.
    pub counts: Option<Color>,
}

/// A move with or without a verdict.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum ExploredMove {
    /// A move with a verdict.
    Judged(Box<JudgedInPosition>),
    /// A legal move without a verdict, and the position after it.
    Legal {
        /// The move.
        #[serde(flatten)]
        mv: LegalMoveAnswer,
        /// The position after the move.
        fen: String,
        /// The position after the move as long as nobody has claimed board's honour; left out unless `fen` has that
        /// count begun.
        #[serde(skip_serializing_if = "Option::is_none")]
        unclaimed_fen: Option<String>,
    },
}

/// A move and everything that the tables know about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ExploredMove"))]
pub struct JudgedInPosition {
    /// The move and the position after it.
    #[serde(flatten)]
    pub mv: LineMoveAnswer,
    /// The mistake, if it is one.
    #[serde(flatten)]
    pub mistake: MistakeAnswer,
    /// The man that the move gives to save the draw; left out if it gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sacrifice: Option<SacrificeAnswer>,
}

/// The side whose king is bare, if the other's is not.
fn bare_side(fen: &Fen) -> Option<Color> {
    let board = fen.position.board();
    Color::ALL.into_iter().find(|&side| board.is_bare(side) && !board.is_bare(!side))
}

/// Refuses a count that is said to be one side's although the other's king is bare.
pub(crate) fn check_counts(fen: &Fen, counts: Option<Color>) -> Result<(), Box<Refusal>> {
    match bare_side(fen) {
        Some(bare) if fen.count.is_some() && counts.is_some_and(|side| side != bare) => {
            let error = format!("counts: {name}'s king is bare, so {name} counts", name = bare.name());
            Err(Box::new(Refusal::misasked(Reason::BadRequest, "query", error)))
        }
        _ => Ok(()),
    }
}

impl ExploredAnswer {
    /// Everything about a position. `counts` is the side whose count runs, if that is known. The winner's own count
    /// does not limit the winner, who may stop it. The verdict is then that for a count that begins now.
    pub(crate) fn find<S: ValueSource>(
        prober: &Prober<S>,
        reading: &Reading,
        counts: Option<Color>,
        remedy: Remedy,
    ) -> ExploredAnswer {
        let given = &reading.fen;
        let mut fen = given.clone();
        let mut analysed = prober.analysis(&fen);
        let winner = analysed.as_ref().ok().and_then(|analysis| analysis.verdict().winner());
        let is_stopped = fen.count.is_some() && counts.is_some() && winner == counts;
        if is_stopped {
            fen.count = None;
            analysed = prober.analysis(&fen);
        }
        let counts =
            bare_side(&fen).or_else(|| counts.filter(|_| !is_stopped)).or_else(|| winner.map(|winner| !winner));
        let (position, moves) = match analysed {
            Ok(analysis) => {
                let position = PositionAnswer::new(given, analysis.verdict());
                (PositionPart::Judged(Box::new(position)), judged_moves(prober, &analysis))
            }
            Err(error) => (PositionPart::Unjudged { fen: given.to_string(), side: given.position.turn() }, Err(error)),
        };
        let rules = prober.rules();
        let (moves, unjudged) = match moves {
            Ok(moves) => (moves, None),
            Err(error) => (legal_moves(rules, &fen, &prober.resolved(&fen)), Some(Refusal::of(error, remedy))),
        };
        let board = given.position.board();
        let begins = |count: Count| BegunCount {
            limit: count.limit(),
            ply: count.ply(),
            counts: Color::ALL.into_iter().find(|&color| board.is_bare(color)),
        };
        ExploredAnswer {
            position,
            notes: reading.sentences(),
            check: given.position.is_check(),
            counts,
            count_stopped: is_stopped,
            begins: rules.start(board, given.position.turn()).map(begins),
            unjudged,
            moves,
        }
    }
}

/// The ranked moves of a position.
fn judged_moves<S: ValueSource>(
    prober: &Prober<S>,
    analysis: &Analysis<'_, S>,
) -> Result<Vec<ExploredMove>, ProbeError> {
    let (moves, sacrifices, root) = (analysis.moves()?, analysis.sacrifices()?, analysis.root());
    let judged = |mv: &RankedMove| {
        let sacrifice = sacrifices.iter().find(|sacrifice| sacrifice.mv == mv.mv);
        ExploredMove::Judged(Box::new(JudgedInPosition {
            mv: LineMoveAnswer::made(prober, analysis.fen(), root, *mv),
            mistake: MistakeAnswer::new(moves.first().and_then(|best| Mistake::judge(best, mv))),
            sacrifice: sacrifice.map(|sacrifice| SacrificeAnswer::new(&root.position, sacrifice)),
        }))
    };
    Ok(moves.iter().map(judged).collect())
}

fn legal_moves(rules: &CountingRules, fen: &Fen, root: &Fen) -> Vec<ExploredMove> {
    let legal = |mv| {
        let after = root.play(rules, mv);
        ExploredMove::Legal {
            mv: LegalMoveAnswer::new(&root.position, mv),
            fen: after.to_string(),
            unclaimed_fen: fen.unclaimed(&after).map(|fen| fen.to_string()),
        }
    };
    root.position.legal_moves().into_iter().map(legal).collect()
}
