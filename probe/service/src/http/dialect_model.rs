//! The answers of `/makruk`, with the fields of lila-tablebase.
//!
//! The fields of a position are seen by its side to move: those of a move by the opponent, after the move. Only this
//! dialect says `zeroing`: it means a move after which another count runs, so that `dtz` starts again.

use makruk_probe::json::CountJson;
use makruk_probe::judge::after_move;
use makruk_probe::{Category, LineMove, ProbeError, Prober, RankedMove, Reason, ValueSource, Verdict, rank};
use makruk_tables::rules::{Board, Fen, Move, Position, Reading, Role};
use makruk_tables::value::{Distances, MovesLeft};
use serde::Serialize;

use crate::status::Failure;

/// A position and its moves, best first.
#[derive(Debug, Serialize)]
pub(crate) struct DialectPosition {
    #[serde(flatten)]
    standing: Standing,
    /// The reason why the tables do not know the position.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    unknown: Option<UnknownJson>,
    /// What was dropped from the text of the position or assumed in reading it; lila-tablebase has no such field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    moves: Vec<DialectMove>,
}

/// The reason why the tables do not know a position.
#[derive(Debug, Serialize)]
struct UnknownJson {
    error: String,
    reason: String,
}

/// A move, and the position after it.
#[derive(Debug, Serialize)]
struct DialectMove {
    uci: String,
    san: String,
    /// Whether another count runs after it.
    zeroing: bool,
    /// Whether it captures or promotes.
    conversion: bool,
    #[serde(flatten)]
    standing: Standing,
}

/// The fields of a position.
#[derive(Debug, Serialize)]
pub(crate) struct Standing {
    checkmate: bool,
    stalemate: bool,
    /// Makruk ends by mate alone.
    variant_win: bool,
    variant_loss: bool,
    insufficient_material: bool,
    /// Plies to the conversion; if the count allows none, plies to mate; 0 in a draw; -1 in mate, so that its sign
    /// tells who wins wherever someone does; `null` if unknown.
    pub(crate) dtz: Option<i32>,
    /// The same where it is the tables' DTZ.
    pub(crate) precise_dtz: Option<i32>,
    /// Plies to mate; 0 in a draw.
    dtm: Option<i32>,
    /// Only antichess has it.
    dtw: Option<i32>,
    /// Only tables of the kind op1 have it.
    dtc: Option<i32>,
    category: &'static str,
    count: Option<CountJson>,
}

impl DialectPosition {
    /// A position, and its moves.
    ///
    /// # Errors
    ///
    /// If a table cannot be read. A missing table is not an error: the fields that need it are unknown.
    pub(crate) fn new<S: ValueSource>(prober: &Prober<S>, reading: &Reading) -> Result<DialectPosition, ProbeError> {
        let fen = &reading.fen;
        let root = prober.resolved(fen);
        let (ranked, unranked) = ranked_moves(prober, fen, &root)?;
        let best = ranked.first();
        let (standing, unknown) = match prober.probe(fen) {
            Ok(verdict) => (Standing::of_verdict(fen, &verdict), None),
            Err(error) if is_unknown(&error) => {
                let (_, reason, error, _) = Failure::Probe(error).into_http();
                let is_bounded = |best: &&RankedMove| best.category == Category::Win || unranked.is_empty();
                let standing = match best.filter(is_bounded) {
                    Some(best) => Standing::at_least(&fen.position, best),
                    None => Standing::unknown(&fen.position),
                };
                (standing, Some(UnknownJson { error, reason }))
            }
            Err(error) => return Err(error),
        };
        let mut moves: Vec<DialectMove> = ranked.iter().map(|mv| DialectMove::ranked(&root, mv)).collect();
        // A move that is not known may win, but it is not better than one that is known to.
        let wins = ranked.iter().take_while(|mv| mv.category == Category::Win).count();
        moves.splice(wins..wins, unranked.iter().map(|&mv| DialectMove::unknown(prober, &root, mv)));
        Ok(DialectPosition { standing, unknown, notes: reading.sentences(), moves })
    }
}

/// The moves that the tables know, best first, and the others.
fn ranked_moves<S: ValueSource>(
    prober: &Prober<S>,
    fen: &Fen,
    root: &Fen,
) -> Result<(Vec<RankedMove>, Vec<Move>), ProbeError> {
    match prober.moves(fen) {
        Err(error) if is_unknown(&error) => {}
        ranked => return Ok((ranked?, Vec::new())),
    }
    let (mut ranked, mut unranked) = (Vec::new(), Vec::new());
    for mv in root.position.legal_moves() {
        match prober.rank_move(root, mv) {
            Ok(known) => ranked.push(known),
            Err(error) if is_unknown(&error) => unranked.push(mv),
            Err(error) => return Err(error),
        }
    }
    rank(&mut ranked);
    unranked.sort_by_key(|mv| mv.uci_order());
    Ok((ranked, unranked))
}

/// Whether a position is unknown because no table of it is here.
fn is_unknown(error: &ProbeError) -> bool {
    matches!(error.reason(), Reason::MissingTable | Reason::TooManyMen)
}

impl DialectMove {
    fn new(root: &Position, mv: Move, zeroing: bool, standing: Standing) -> DialectMove {
        DialectMove {
            uci: mv.to_string(),
            san: mv.to_san(root),
            zeroing,
            conversion: mv.promotion || root.captured(mv).is_some(),
            standing,
        }
    }

    fn ranked(root: &Fen, mv: &RankedMove) -> DialectMove {
        let after = root.position.play(mv.mv);
        let count = CountJson::new(&mv.counting(&after));
        let standing = Standing::new(&after, mv.category.flip(), after_ranked(mv), Some(count));
        DialectMove::new(&root.position, mv.mv, mv.begins_count, standing)
    }

    fn unknown<S: ValueSource>(prober: &Prober<S>, root: &Fen, mv: Move) -> DialectMove {
        let after = root.position.play(mv);
        let zeroing = MovesLeft::begun_in(&after, &root.position, prober.rules()).is_some();
        DialectMove::new(&root.position, mv, zeroing, Standing::unknown(&after))
    }
}

/// The distances of the position after a move.
fn after_ranked(mv: &RankedMove) -> Distances {
    Distances { dtm: after_move(mv.dtm), dtz: after_move(mv.onward) }
}

impl Standing {
    /// The fields of a position that was probed.
    pub(crate) fn of_verdict(fen: &Fen, verdict: &Verdict) -> Standing {
        let count = CountJson::new(&verdict.count);
        Standing::new(&fen.position, verdict.category, verdict.distances(), Some(count))
    }

    fn new(position: &Position, category: Category, distances: Distances, count: Option<CountJson>) -> Standing {
        let dtm = distances.dtm.signed_plies();
        let checkmate = dtm == Some(0);
        let (dtz, precise_dtz) = signed_dtz(distances);
        Standing {
            checkmate,
            stalemate: dtm.is_none() && !position.has_legal_move(),
            variant_win: false,
            variant_loss: false,
            insufficient_material: cannot_mate(position.board()),
            dtz: Some(dtz),
            precise_dtz,
            dtm: Some(dtm.unwrap_or(0)),
            dtw: None,
            dtc: None,
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
fn signed_dtz(distances: Distances) -> (i32, Option<i32>) {
    match (distances.dtm.signed_plies(), distances.dtz.signed_plies()) {
        (None, _) => (0, Some(0)),
        (Some(0), _) => (-1, Some(-1)),
        (Some(mate), conversion) => (conversion.unwrap_or(mate), conversion),
    }
}

/// Whether neither side has the men to mate: two kings, alone or with one knight, met or pawn. A lone khon can mate, if
/// the other side helps.
fn cannot_mate(board: &Board) -> bool {
    let mates = board.pieces().any(|(_, piece)| matches!(piece.role, Role::Rook | Role::Khon));
    board.men() == 2 || (board.men() == 3 && !mates)
}

/// A line of best play.
#[derive(Debug, Serialize)]
pub(crate) struct DialectLine {
    pub(crate) mainline: Vec<DialectStep>,
    /// `w` or `b`; `null` for a draw.
    pub(crate) winner: Option<char>,
    pub(crate) dtz: Option<i32>,
    pub(crate) precise_dtz: Option<i32>,
    /// As those of a position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

/// A move of a line, with the distance of the position after it.
#[derive(Debug, Serialize)]
pub(crate) struct DialectStep {
    uci: String,
    san: String,
    dtz: i32,
    precise_dtz: Option<i32>,
}

impl DialectStep {
    pub(crate) fn new(mv: &LineMove) -> DialectStep {
        let (dtz, precise_dtz) = signed_dtz(after_ranked(&mv.ranked));
        DialectStep { uci: mv.ranked.mv.to_string(), san: mv.san.clone(), dtz, precise_dtz }
    }
}
