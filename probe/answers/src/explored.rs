//! Everything that a page shows about a position.

use makruk_probe::{Analysis, Mistake, ProbeError, Prober, RankedMove, Sacrifice, TableId, ValueSource};
use makruk_rules::{ByColor, Color, Count, CountingRules, Fen, Move, Reading};
use serde::{Serialize, Serializer};

use crate::position::{SacrificeAnswer, can_mate};
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
    /// The reason why the position or some of its moves have no verdict.
    #[serde(flatten)]
    pub unjudged: Option<Refusal>,
    /// The legal moves, best first. A move without a verdict comes before those that it may be better than.
    pub moves: Vec<ExploredMove>,
}

/// A position with or without a verdict.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PositionPart {
    /// A position with a verdict.
    Judged(Box<PositionAnswer>),
    /// A position without a verdict.
    Unjudged(
        #[serde(serialize_with = "unjudged")]
        #[cfg_attr(feature = "schema", schemars(with = "Unjudged<'_>"))]
        Fen,
    ),
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Unjudged<'a> {
    /// The FEN, normalised.
    fen: &'a Fen,
    /// The side to move.
    side: Color,
    /// Whether each side can still mate, as in a position with a verdict.
    can_mate: ByColor<Option<bool>>,
}

fn unjudged<S: Serializer>(fen: &Fen, serializer: S) -> Result<S::Ok, S::Error> {
    Unjudged { fen, side: fen.position.turn(), can_mate: can_mate(&fen.position, None) }.serialize(serializer)
}

impl PositionPart {
    /// The position with its verdict, if it has one.
    pub fn verdict(&self) -> Option<&PositionAnswer> {
        match self {
            PositionPart::Judged(position) => Some(position),
            PositionPart::Unjudged(_) => None,
        }
    }

    /// The position.
    pub fn fen(&self) -> &Fen {
        match self {
            PositionPart::Judged(position) => &position.fen,
            PositionPart::Unjudged(fen) => fen,
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
#[serde(tag = "status", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum ExploredMove {
    /// A move with a verdict.
    Judged(Box<JudgedInPosition>),
    /// A legal move without a verdict.
    Unjudged(Box<UnjudgedInPosition>),
}

/// A legal move without a verdict, and the position after it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct UnjudgedInPosition {
    /// The move.
    #[serde(flatten)]
    pub mv: LegalMoveAnswer,
    /// The position after the move.
    pub fen: Fen,
    /// The position after the move as long as nobody has claimed board's honour; left out unless `fen` has that count
    /// begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unclaimed_fen: Option<Fen>,
    /// The table that is missing or cannot be read, such as `KRvK.dtm`; left out if it is that of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub table: Option<TableId>,
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
            Err(Box::new(Refusal::misasked(Reason::BadRequest, "query", error).about(fen)))
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
        let rules = prober.rules();
        let (position, (moves, failure)) = match analysed {
            Ok(analysis) => {
                let position = PositionAnswer::new(given.clone(), analysis.verdict().clone());
                (PositionPart::Judged(Box::new(position)), moves(prober, &analysis))
            }
            Err(error) => {
                let (root, position) = (prober.resolved(&fen), &fen.position);
                let legal = position.legal_moves().into_iter().map(|mv| legal_move(rules, &fen, &root, mv, None));
                (PositionPart::Unjudged(given.clone()), (legal.collect(), Some(error)))
            }
        };
        let unjudged = failure.map(|error| Refusal::of(error, remedy));
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

/// The moves of a position that has a verdict, and the first failure of a table. Moves are judged if the best one is
/// known.
fn moves<S: ValueSource>(prober: &Prober<S>, analysis: &Analysis<'_, S>) -> (Vec<ExploredMove>, Option<ProbeError>) {
    let (known, root, verdict) = (analysis.known_moves(), analysis.root(), analysis.verdict());
    let (best, sacrifices) = (known.best(verdict).copied(), sacrifices(prober, analysis, &known.ranked));
    let judged = |mv: &RankedMove| {
        let sacrifice = sacrifices.iter().find(|sacrifice| sacrifice.mv == mv.mv);
        ExploredMove::Judged(Box::new(JudgedInPosition {
            mv: LineMoveAnswer::made(prober, analysis.fen(), root, *mv),
            mistake: MistakeAnswer::new(best.and_then(|best| Mistake::judge(&best, mv))),
            sacrifice: sacrifice.map(|sacrifice| SacrificeAnswer::new(&root.position, sacrifice)),
        }))
    };
    let mut moves: Vec<ExploredMove> = known.ranked.iter().map(judged).collect();
    // A move that is unknown is not better than the best one.
    let good = match best {
        Some(best) => known.ranked.iter().take_while(|mv| mv.category == best.category).count(),
        None => 0,
    };
    let unknown = known.unknown.iter().map(|(mv, error)| {
        let table = if let ProbeError::Table(error) = error { error.id() } else { None };
        legal_move(prober.rules(), analysis.fen(), root, *mv, table)
    });
    moves.splice(good..good, unknown);
    (moves, known.unknown.into_iter().next().map(|(_, error)| error))
}

/// The sacrifices among the known moves of a position, as far as the tables of the captures are there.
pub(crate) fn sacrifices<S: ValueSource>(
    prober: &Prober<S>,
    analysis: &Analysis<'_, S>,
    known: &[RankedMove],
) -> Vec<Sacrifice> {
    if let Ok(sacrifices) = analysis.sacrifices() {
        return sacrifices.to_vec();
    }
    // Only a blessed loss has sacrifices, and so failures.
    let drawn = known.iter().filter(|mv| mv.category.is_drawn());
    drawn.filter_map(|mv| prober.sacrifice(analysis.root(), mv.mv).ok()?).collect()
}

/// A move without a verdict; `table` is the one that its value needs.
fn legal_move(rules: &CountingRules, fen: &Fen, root: &Fen, mv: Move, table: Option<TableId>) -> ExploredMove {
    let after = root.play(rules, mv);
    ExploredMove::Unjudged(Box::new(UnjudgedInPosition {
        mv: LegalMoveAnswer::new(&root.position, mv),
        unclaimed_fen: fen.unclaimed(&after),
        fen: after,
        table,
    }))
}
