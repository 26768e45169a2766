//! Studies in which the attacker wins by declining a piece.

use makruk_probe::{Category, ProbeError, Prober, RankedMove, SlabSource, best_by_dtm};
use makruk_tables::rules::Color;
use makruk_tables::value::Wdl;
use rayon::prelude::*;

use super::{LEAST_LEGAL, MOST_PLIES, Merit, Merits, Study, StudyKind, is_natural, is_repeated, push};
use crate::order::Cursor;
use crate::position::LocatedPosition;
use crate::progress::Progress;
use crate::stats::{BaringCaptures, FamilyCells, SlabsAtHand, Totals};
use crate::stride::Stride;

/// The wins that are searched for each candidate that is wanted: only in few of them a piece can be captured.
const WINS_PER_CANDIDATE: u64 = 200;

/// The studies among evenly spaced wins of an attacker. `None` if `progress` stopped the search.
pub(super) fn studies<S: SlabSource + Sync>(
    prober: &Prober<S>,
    totals: &Totals,
    attacker: Color,
    candidates: u64,
    pool: &rayon::ThreadPool,
    progress: &mut dyn Progress,
) -> Result<Option<Vec<Study>>, ProbeError> {
    let family = FamilyCells::open(prober, totals.material)?;
    let Some(cells) = family.cells() else { return Ok(Some(Vec::new())) };
    let layout = cells.layout();
    let wins = totals.cells(totals.attackers[attacker].in_time / 2);
    let stride = Stride::new(layout, wins, candidates.saturating_mul(WINS_PER_CANDIDATE));
    let search = |&slab: &usize| -> Result<Vec<Study>, ProbeError> {
        let (mut categories, mut hand, mut found) = (Vec::new(), SlabsAtHand::default(), Vec::new());
        cells.slab(prober, attacker, slab, &mut categories)?;
        for (number, cell) in (slab as u64 * layout.slab_len()..).zip(categories) {
            if cell < Some(Wdl::WinInTimeIfAttackerMoves) || !stride.takes(number) {
                continue;
            }
            let Some(position) = layout.position_at(attacker, number) else { continue };
            let mut captures = BaringCaptures::default();
            family.baring_captures(&position, 1, &mut hand, &mut captures)?;
            if captures.all_draw == 1 && layout.first_at(attacker, number).is_some() {
                let cursor = Cursor { material: totals.material, side: attacker, number };
                found.extend(study(prober, &LocatedPosition { cursor, position })?);
            }
        }
        Ok(found)
    };
    let slabs: Vec<usize> = (0..layout.slabs()).collect();
    let mut studies = Vec::new();
    for batch in slabs.chunks(4 * pool.current_num_threads()) {
        if progress.is_stopped() {
            return Ok(None);
        }
        let found: Vec<Vec<Study>> =
            pool.install(|| batch.par_iter().map(search).collect::<Result<_, ProbeError>>())?;
        studies.extend(found.into_iter().flatten());
        let done = (batch.last().copied().unwrap_or(0) as u64 + 1) * layout.slab_len();
        progress.scanned(done, layout.positions()[attacker], studies.len() as u64);
    }
    Ok(Some(studies))
}

/// The study that begins with a win, if a single move wins and every capture of the last piece draws.
fn study<S: SlabSource>(prober: &Prober<S>, first: &LocatedPosition) -> Result<Option<Study>, ProbeError> {
    let fen = first.fen();
    let root = prober.resolved(&fen);
    let mut merits = Merits::default();
    let mut solution = Vec::new();
    let mut now = root.clone();
    loop {
        let moves = prober.moves(&now)?;
        let winning: Vec<RankedMove> = moves.iter().filter(|mv| mv.category == Category::Win).copied().collect();
        let refused = moves.iter().filter(|mv| mv.bares_king && mv.category != Category::Win).count() as u32;
        let is_first = solution.is_empty();
        let [only] = winning[..] else {
            if is_first {
                return Ok(None);
            }
            break;
        };
        if is_first {
            if moves.len() < LEAST_LEGAL || refused == 0 || only.bares_king {
                return Ok(None);
            }
            merits.add_first(&now.position, moves.iter().map(|mv| mv.mv), only.mv);
            merits.add(Merit::Trap, u32::from(best_by_dtm(&moves).is_some_and(|best| best.bares_king)));
        }
        if now.position.board().is_bare(!now.position.turn()) || solution.len() >= MOST_PLIES {
            break;
        }
        merits.add(Merit::Refused, u32::from(refused > 0 && !only.bares_king));
        merits.add(Merit::Only, u32::from(moves.len() > 1));
        merits.add(Merit::Quiet, u32::from(moves.len() > 1 && !is_natural(&now.position, only.mv)));
        now = push(prober, &mut solution, &now, only);
        // The reply ranked first lasts the longest.
        let Some(&reply) = prober.moves(&now)?.first() else { break };
        now = push(prober, &mut solution, &now, reply);
        if is_repeated(&root, &solution) {
            break;
        }
    }
    Ok(Some(Study { kind: StudyKind::Refusal, cursor: first.cursor, fen, solution, merits: merits.sorted() }))
}
