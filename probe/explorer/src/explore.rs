//! Everything that a page shows about a position.

use makruk_probe::{Category, Mistake, ProbeError, Prober, Sacrifice, ValueSource, Verdict};
use makruk_tables::rules::{Color, Fen, Reading};
use thiserror::Error;

use crate::{ExploredJson, UnjudgedJson};

/// A count that is said to be one side's although the other's king is bare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("counts: {name}'s king is bare, so {name} counts", name = .0.name())]
pub struct CountsBesideBareKing(pub Color);

/// The side whose king is bare, if the other's is not.
pub fn bare_side(fen: &Fen) -> Option<Color> {
    let board = fen.position.board();
    Color::ALL.into_iter().find(|&side| board.is_bare(side) && !board.is_bare(!side))
}

/// Whether the count of a FEN can be this side's.
///
/// # Errors
///
/// The other side's king is bare.
pub fn check_counts(fen: &Fen, counts: Option<Color>) -> Result<(), CountsBesideBareKing> {
    match bare_side(fen) {
        Some(bare) if fen.count.is_some() && counts.is_some_and(|side| side != bare) => Err(CountsBesideBareKing(bare)),
        _ => Ok(()),
    }
}

/// Everything that the page shows about a position. A position without a verdict still has its legal moves, and the
/// failure as `describe` makes it readable. `counts` is the side whose count runs, if that is known. The winner's own
/// count does not limit the winner, who may stop it. The verdict is then that for a count that begins now.
pub fn explore<S: ValueSource>(
    prober: &Prober<S>,
    reading: &Reading,
    counts: Option<Color>,
    describe: impl Fn(ProbeError) -> UnjudgedJson,
) -> ExploredJson {
    let given = &reading.fen;
    let mut fen = given.clone();
    let mut judged = prober.probe(&fen);
    let winner = judged.as_ref().ok().and_then(Verdict::winner);
    let is_stopped = fen.count.is_some() && counts.is_some() && winner == counts;
    if is_stopped {
        fen.count = None;
        judged = prober.probe(&fen);
    }
    let fen = &fen;
    let counts = bare_side(fen).or_else(|| counts.filter(|_| !is_stopped)).or_else(|| winner.map(|winner| !winner));
    let judged = judged.map(|verdict| {
        let moves = prober.moves(fen).and_then(|moves| {
            let is_saved = verdict.category == Category::BlessedLoss;
            let sacrifices: Vec<Sacrifice> = if is_saved { prober.sacrifices(fen)? } else { Vec::new() };
            Ok((moves, sacrifices))
        });
        (verdict, moves)
    });
    let root = prober.resolved(fen);
    let explored = ExploredJson::new(prober.rules(), reading).counted_by(counts, is_stopped);
    match judged {
        Ok((verdict, Ok((moves, sacrifices)))) => {
            let judge = |mv: &_| moves.first().and_then(|best| Mistake::judge(best, mv));
            explored.judged(given, &verdict).with_moves(prober.rules(), &root, &moves, judge, &sacrifices)
        }
        Ok((verdict, Err(error))) => {
            explored.judged(given, &verdict).with_legal_moves(prober.rules(), &root).failed(&describe(error))
        }
        Err(error) => explored.with_legal_moves(prober.rules(), &root).failed(&describe(error)),
    }
}
