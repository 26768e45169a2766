//! Answers with the fields of lila-tablebase.
//!
//! The fields of a position are seen by its side to move: those of a move by the opponent, after the move. Only this
//! dialect says `zeroing`: it means a move after which another count runs, so that `dtz` starts again.

use makruk_probe::judge::after_move;
use makruk_probe::{Category, LineEnd, ProbeError, Prober, RankedMove, ValueSource, Verdict, rank};
use makruk_tables::rules::{Board, Color, Fen, Move, Position, Reading, Role};
use makruk_tables::value::{Distances, MovesLeft};
use serde::Serialize;

use crate::{CountAnswer, LineAnswer, LineMoveAnswer, Reason, Refusal, Remedy};

/// A position and its moves, best first.
#[derive(Debug, Serialize)]
pub struct LichessPosition {
    #[serde(flatten)]
    standing: Standing,
    /// The reason why the tables do not know the position.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    unknown: Option<Unknown>,
    /// Notes: parts of the text that were dropped or assumed. lila-tablebase has no such field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    moves: Vec<LichessMove>,
}

/// The reason why the tables do not know a position.
#[derive(Debug, Serialize)]
struct Unknown {
    error: String,
    reason: Reason,
}

/// A move, and the position after it.
#[derive(Debug, Serialize)]
struct LichessMove {
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
struct Standing {
    checkmate: bool,
    stalemate: bool,
    /// Makruk ends by mate alone.
    variant_win: bool,
    variant_loss: bool,
    insufficient_material: bool,
    /// Plies to the conversion; if the count allows none, plies to mate; 0 in a draw; -1 in mate, so that its sign
    /// tells who wins wherever someone does; `null` if unknown.
    dtz: Option<i32>,
    /// The same where it is the tables' DTZ.
    precise_dtz: Option<i32>,
    /// Plies to mate; 0 in a draw.
    dtm: Option<i32>,
    /// Only antichess has it.
    dtw: Option<i32>,
    /// Only tables of the kind op1 have it.
    dtc: Option<i32>,
    category: &'static str,
    count: Option<CountAnswer>,
}

impl LichessPosition {
    /// A position, and its moves.
    ///
    /// # Errors
    ///
    /// If a table cannot be read. A missing table is not an error: the fields that need it are unknown.
    pub(crate) fn find<S: ValueSource>(
        prober: &Prober<S>,
        reading: &Reading,
        remedy: Remedy,
    ) -> Result<LichessPosition, ProbeError> {
        let fen = &reading.fen;
        let root = prober.resolved(fen);
        let (ranked, unranked) = ranked_moves(prober, fen, &root)?;
        let best = ranked.first();
        let (standing, unknown) = match prober.probe(fen) {
            Ok(verdict) => (Standing::of_verdict(fen, &verdict), None),
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
        moves.splice(wins..wins, unranked.iter().map(|&mv| LichessMove::unknown(prober, &root, mv)));
        Ok(LichessPosition { standing, unknown, notes: reading.sentences(), moves })
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
    Reason::Probe(error.reason()).is_unknown()
}

impl LichessMove {
    fn new(root: &Position, mv: Move, zeroing: bool, standing: Standing) -> LichessMove {
        LichessMove {
            uci: mv.to_string(),
            san: mv.to_san(root),
            zeroing,
            conversion: mv.promotion || root.captured(mv).is_some(),
            standing,
        }
    }

    fn ranked(root: &Fen, mv: &RankedMove) -> LichessMove {
        let after = root.position.play(mv.mv);
        let count = CountAnswer::new(&mv.counting(&after));
        let standing = Standing::new(&after, mv.category.flip(), after_ranked(mv), Some(count));
        LichessMove::new(&root.position, mv.mv, mv.begins_count, standing)
    }

    fn unknown<S: ValueSource>(prober: &Prober<S>, root: &Fen, mv: Move) -> LichessMove {
        let after = root.position.play(mv);
        let zeroing = MovesLeft::begun_in(&after, &root.position, prober.rules()).is_some();
        LichessMove::new(&root.position, mv, zeroing, Standing::unknown(&after))
    }
}

/// The distances of the position after a move.
fn after_ranked(mv: &RankedMove) -> Distances {
    Distances { dtm: after_move(mv.dtm), dtz: after_move(mv.onward) }
}

impl Standing {
    /// The fields of a position that was probed.
    fn of_verdict(fen: &Fen, verdict: &Verdict) -> Standing {
        let count = CountAnswer::new(&verdict.count);
        Standing::new(&fen.position, verdict.category, verdict.distances(), Some(count))
    }

    fn new(position: &Position, category: Category, distances: Distances, count: Option<CountAnswer>) -> Standing {
        let dtm = distances.dtm.signed_plies();
        let checkmate = dtm == Some(0);
        let (dtz, precise_dtz) = signed_dtz(dtm, distances.dtz.signed_plies());
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
const fn signed_dtz(dtm: Option<i32>, dtz: Option<i32>) -> (i32, Option<i32>) {
    match (dtm, dtz) {
        (None, _) => (0, Some(0)),
        (Some(0), _) => (-1, Some(-1)),
        (Some(mate), None) => (mate, None),
        (_, conversion @ Some(plies)) => (plies, conversion),
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
pub struct LichessLineAnswer {
    mainline: Vec<LichessStep>,
    /// `w` or `b`; `null` for a draw.
    winner: Option<char>,
    dtz: Option<i32>,
    precise_dtz: Option<i32>,
    /// As those of a position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// A move of a line, with the distance of the position after it.
#[derive(Debug, Serialize)]
pub(crate) struct LichessStep {
    uci: String,
    san: String,
    dtz: i32,
    precise_dtz: Option<i32>,
}

impl LichessLineAnswer {
    /// A whole line.
    pub(crate) fn new(LineAnswer { start, line, end }: LineAnswer) -> LichessLineAnswer {
        let (dtz, precise_dtz) = signed_dtz(start.dtm, start.dtz);
        let last = if line.len() % 2 == 1 { start.side } else { !start.side };
        let letter = match last {
            Color::White => 'w',
            Color::Black => 'b',
        };
        LichessLineAnswer {
            mainline: line.into_iter().map(LichessStep::new).collect(),
            winner: (end == LineEnd::Checkmate).then_some(letter),
            dtz: Some(dtz),
            precise_dtz,
            notes: start.notes,
        }
    }
}

impl LichessStep {
    fn new(LineMoveAnswer { mv, after, .. }: LineMoveAnswer) -> LichessStep {
        let (dtz, precise_dtz) = signed_dtz(after.dtm.signed_plies(), after.dtz.signed_plies());
        LichessStep { uci: mv.uci, san: mv.san, dtz, precise_dtz }
    }
}
