//! Answers with the fields of lila-tablebase.
//!
//! The fields of a position are seen by its side to move: those of a move by the opponent, after the move. Only this
//! dialect says `zeroing`: it means a move after which another count runs, so that `dtz` starts again.

use makruk_probe::{
    Attempt, Category, Counting, KnownMoves, LineEnd, LineMove, Policy, ProbeError, Prober, RankedMove, ValueSource,
    Verdict,
};
use makruk_rules::{Color, Fen, Move, Position, Reading};
use makruk_tables::value::{Distances, MovesLeft};
use serde::Serialize;

use crate::asking::{Work, questions};
use crate::line::LineWork;
use crate::question::LichessLine;
use crate::{Door, LineAnswer, LineMoveAnswer, Reason, Refusal, Remedy, Step};

/// A position and its moves.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DialectPosition", transform = consistent))]
pub struct LichessPosition {
    #[serde(flatten)]
    standing: Standing,
    /// The reason why the tables do not know the position.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    unknown: Option<Unknown>,
    /// Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none. lila-tablebase
    /// has no such field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// The legal moves, best first; moves whose result is unknown come after those that win.
    moves: Vec<LichessMove>,
}

/// The reason why the tables do not know a position.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Unknown {
    /// Why the tables do not know the position. Its category is still known if a move into another table is known to
    /// win.
    error: String,
    /// The same in one word.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["missing_table", "too_many_men"])))]
    reason: Reason,
}

/// A move, and the position after it as the opponent sees it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DialectMove", transform = consistent))]
struct LichessMove {
    /// UCI notation.
    #[serde(rename = "uci")]
    mv: Move,
    /// SAN in the letters K R N S M, with + and #.
    san: String,
    /// Whether it begins a count, whatever ran before, so that `dtz` starts again: it ends the last pawn or, without
    /// pawns, bares an armed opponent.
    zeroing: bool,
    /// Whether it captures or promotes.
    conversion: bool,
    #[serde(flatten)]
    standing: Standing,
}

/// The fields of a position, seen by its side to move.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Standing {
    /// Whether the side to move is mated.
    checkmate: bool,
    /// Whether it has no move and is not in check: a draw.
    stalemate: bool,
    /// Makruk ends by mate alone.
    #[cfg_attr(feature = "schema", schemars(extend("const" = false)))]
    variant_win: bool,
    /// Makruk ends by mate alone.
    #[cfg_attr(feature = "schema", schemars(extend("const" = false)))]
    variant_loss: bool,
    /// Whether neither side can mate any more, even if the other helps.
    insufficient_material: bool,
    /// Signed plies to the conversion that the count allows; if it allows none, to mate; -1 in mate, 0 in a draw. So
    /// its sign tells who wins without the count. `null` if unknown; a bound if the position's own table is missing.
    dtz: Option<i32>,
    /// `dtz` if it is the value of the tables; `null` if the count allows no conversion, or if it is unknown.
    precise_dtz: Option<i32>,
    /// Signed plies to mate without a count; 0 in mate and in a draw; `null` if unknown.
    dtm: Option<i32>,
    /// Plies to a win in antichess.
    dtw: (),
    /// The distance of tables of the kind op1, which count moves to a capture or promotion.
    dtc: (),
    /// The result under the count; `unknown` without a table.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = [
        "win", "cursed-win", "draw", "blessed-loss", "loss", "unknown"
    ])))]
    category: &'static str,
    /// The count, which lila-tablebase does not have; `null` without a table.
    count: Option<Counting>,
}

/// Adds to a schema of a position which values of its fields go together.
#[cfg(feature = "schema")]
fn consistent(schema: &mut schemars::Schema) {
    let whole = schemars::json_schema!({ "allOf": [
        {
            "if": {"properties": {"category": {"enum": ["win", "cursed-win"]}}},
            "then": {"properties": {"dtz": {"type": "integer", "minimum": 1}, "dtm": {"minimum": 1}}}
        },
        {
            "if": {"properties": {"category": {"enum": ["loss", "blessed-loss"]}}},
            "then": {"properties": {"dtz": {"type": "integer", "maximum": -1}, "dtm": {"maximum": 0}}}
        },
        {
            "if": {"properties": {"category": {"const": "draw"}}},
            "then": {"properties": {"dtz": {"const": 0}, "precise_dtz": {"const": 0}, "dtm": {"const": 0}}}
        },
        {
            "if": {"properties": {"category": {"const": "unknown"}}},
            "then": {"properties": {
                "dtz": {"type": "null"}, "precise_dtz": {"type": "null"}, "dtm": {"type": "null"}, "count": {"type": "null"}
            }}
        },
        {
            "if": {"properties": {"checkmate": {"const": true}}},
            "then": {"properties": {"category": {"enum": ["loss", "blessed-loss"]}, "dtz": {"const": -1}, "dtm": {"const": 0}}}
        },
        {
            "if": {"anyOf": [
                {"properties": {"stalemate": {"const": true}}}, {"properties": {"insufficient_material": {"const": true}}}
            ]},
            "then": {"properties": {"category": {"enum": ["draw", "unknown"]}, "checkmate": {"const": false}}}
        }
    ] });
    schema.insert("allOf".to_owned(), whole.get("allOf").cloned().unwrap_or_default());
}

impl LichessPosition {
    /// A position, and its moves.
    ///
    /// # Errors
    ///
    /// If the position's table cannot be read. A missing table is not an error: the fields that need it are unknown. So
    /// are the moves whose tables are missing or cannot be read.
    pub(crate) fn find<S: ValueSource>(
        prober: &Prober<S>,
        reading: &Reading,
        remedy: Remedy,
    ) -> Result<LichessPosition, ProbeError> {
        let fen = &reading.fen;
        let root = prober.resolved(fen);
        let analysed = prober.analysis(fen);
        let KnownMoves { ranked, unknown: unranked } = match &analysed {
            Ok(analysis) => analysis.known_moves(),
            Err(_) => prober.known_moves(fen),
        };
        let best = ranked.first();
        let (standing, unknown) = match analysed {
            Ok(analysis) => {
                let verdict = analysis.verdict();
                let count = verdict.count;
                (Standing::new(&fen.position, verdict.category, verdict.distances(), Some(count)), None)
            }
            Err(error) if is_unknown(&error) => {
                let Refusal { error, reason, .. } = Refusal::of(error, remedy);
                let is_bounded = |best: &&RankedMove| best.category == Category::Win || unranked.is_empty();
                let standing = match best.filter(is_bounded) {
                    Some(best) => Standing::at_least(&fen.position, best),
                    None => Standing::unknown(&fen.position),
                };
                (standing, Some(Unknown { error, reason }))
            }
            Err(error) => return Err(error),
        };
        let mut moves: Vec<LichessMove> = ranked.iter().map(|mv| LichessMove::ranked(&root, mv)).collect();
        // A move that is not known may win, but it is not better than one that is known to.
        let wins = ranked.iter().take_while(|mv| mv.category == Category::Win).count();
        moves.splice(wins..wins, unranked.iter().map(|&(mv, _)| LichessMove::unknown(prober, &root, mv)));
        Ok(LichessPosition { standing, unknown, notes: reading.sentences(), moves })
    }
}

/// Whether a position is unknown because no table of it is here.
fn is_unknown(error: &ProbeError) -> bool {
    Reason::Probe(error.reason()).is_unknown()
}

impl LichessMove {
    fn new(root: &Position, mv: Move, zeroing: bool, standing: Standing) -> LichessMove {
        LichessMove {
            mv,
            san: mv.to_san(root),
            zeroing,
            conversion: mv.promotion || root.captured(mv).is_some(),
            standing,
        }
    }

    fn ranked(root: &Fen, mv: &RankedMove) -> LichessMove {
        let after = root.position.play(mv.mv);
        let count = mv.counting(&after);
        let standing = Standing::new(&after, mv.category.flip(), mv.after(), Some(count));
        LichessMove::new(&root.position, mv.mv, mv.begins_count, standing)
    }

    fn unknown<S: ValueSource>(prober: &Prober<S>, root: &Fen, mv: Move) -> LichessMove {
        let after = root.position.play(mv);
        let zeroing = MovesLeft::begun_in(&after, &root.position, prober.rules()).is_some();
        LichessMove::new(&root.position, mv, zeroing, Standing::unknown(&after))
    }
}

impl Standing {
    fn new(position: &Position, category: Category, distances: Distances, count: Option<Counting>) -> Standing {
        let dtm = distances.dtm.signed_plies();
        let checkmate = dtm == Some(0);
        let (dtz, precise_dtz) = signed_dtz(dtm, distances.dtz.signed_plies());
        Standing {
            checkmate,
            stalemate: dtm.is_none() && !position.has_legal_move(),
            variant_win: false,
            variant_loss: false,
            insufficient_material: position.is_dead(),
            dtz: Some(dtz),
            precise_dtz,
            dtm: Some(dtm.unwrap_or(0)),
            dtw: (),
            dtc: (),
            // A mate that came after the count had drawn the game.
            category: if checkmate && category == Category::Draw { Category::BlessedLoss } else { category }.name(),
            count,
        }
    }

    /// A position that the tables do not know, though they know its best move; `dtz` is that of this move, a bound.
    fn at_least(position: &Position, best: &RankedMove) -> Standing {
        let known = Standing::new(position, best.category, best.distances(), None);
        Standing { precise_dtz: None, dtm: None, ..known }
    }

    /// A position that the tables do not know; mate and stalemate need none.
    fn unknown(position: &Position) -> Standing {
        let known = match (position.has_legal_move(), position.is_check()) {
            (false, true) => Some((Category::Loss, Distances::MATED)),
            (false, false) => Some((Category::Draw, Distances::DRAW)),
            (true, _) => None,
        };
        let (category, distances) = known.unwrap_or((Category::Draw, Distances::DRAW));
        let standing = Standing::new(position, category, distances, None);
        match known {
            Some(_) => standing,
            None => {
                Standing { stalemate: false, dtz: None, precise_dtz: None, dtm: None, category: "unknown", ..standing }
            }
        }
    }
}

/// `dtz` and `precise_dtz`.
const fn signed_dtz(dtm: Option<i32>, dtz: Option<i32>) -> (i32, Option<i32>) {
    match (dtm, dtz) {
        (None, _) => (0, Some(0)),
        (Some(0), _) => (-1, Some(-1)),
        (Some(mate), None) => (mate, None),
        (_, conversion @ Some(plies)) => (plies, conversion),
    }
}

/// A line of best play.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DialectMainline"))]
pub struct LichessLineAnswer {
    /// The moves to mate, or until the count has run out; none from a draw.
    mainline: Vec<LichessStep>,
    /// The side that mates; `null` for a draw.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>", extend("enum" = ["w", "b", null])))]
    winner: Option<char>,
    /// As in `DialectPosition`, of the first position.
    dtz: i32,
    /// As in `DialectPosition`, of the first position.
    precise_dtz: Option<i32>,
    /// Notes: parts of the text that were dropped or assumed, in sentences; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// A move, and the distances of the position after it, seen by the opponent.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DialectStep"))]
pub(crate) struct LichessStep {
    /// UCI notation.
    #[serde(rename = "uci")]
    mv: Move,
    /// SAN in the letters K R N S M, with + and #.
    san: String,
    /// As in `DialectPosition`.
    dtz: i32,
    /// As in `DialectPosition`.
    precise_dtz: Option<i32>,
}

impl LichessLineAnswer {
    /// A whole line.
    pub(crate) fn new(LineAnswer { start, line, end }: LineAnswer) -> LichessLineAnswer {
        let Verdict { side, dtm, dtz, .. } = start.verdict;
        let (dtz, precise_dtz) = signed_dtz(dtm.signed_plies(), dtz.signed_plies());
        let last = if line.len() % 2 == 1 { side } else { !side };
        let letter = match last {
            Color::White => 'w',
            Color::Black => 'b',
        };
        LichessLineAnswer {
            mainline: line.into_iter().map(LichessStep::new).collect(),
            winner: (end == LineEnd::Checkmate).then_some(letter),
            dtz,
            precise_dtz,
            notes: start.notes,
        }
    }
}

impl LichessStep {
    fn new(LineMoveAnswer { made: LineMove { ranked, san, .. }, .. }: LineMoveAnswer) -> LichessStep {
        let after = ranked.after();
        let (dtz, precise_dtz) = signed_dtz(after.dtm.signed_plies(), after.dtz.signed_plies());
        LichessStep { mv: ranked.mv, san, dtz, precise_dtz }
    }
}

questions! {
    LichessLine => Box<LichessLineAnswer>, LichessLineWork, |LichessLine { fen }, door| {
        Ok(LichessLineWork(LineWork::new(fen.read(door)?, Policy::default(), 0)))
    };
}

/// A line under way, to be told with the fields of lila-tablebase.
#[derive(Debug)]
pub struct LichessLineWork(LineWork);

impl Work for LichessLineWork {
    type Answer = Box<LichessLineAnswer>;

    fn go_on(&mut self, prober: &impl Attempt, door: Door, goes_on: &dyn Fn() -> bool) -> Step<Box<LichessLineAnswer>> {
        self.0.go_on(prober, door, goes_on).map(|line| Box::new(LichessLineAnswer::new(*line)))
    }
}
