//! Studies in which the defender draws by the count.

use makruk_probe::{LineMove, ProbeError, Prober, RankedMove, SlabSource};

use super::{LEAST_LEGAL, MOST_PLIES, Merit, Merits, Study, StudyKind, hardest, is_natural, is_repeated, push};
use crate::analysis::{SaveAnalysis, WdlAvailability};
use crate::position::LocatedPosition;

/// The study that begins with a save, if a single move draws.
pub(super) fn study<S: SlabSource>(
    prober: &Prober<S>,
    save: &LocatedPosition,
    wdl: WdlAvailability,
) -> Result<Option<Study>, ProbeError> {
    let analysis = SaveAnalysis::new(prober, save, wdl);
    let &[first] = analysis.saving_moves()? else { return Ok(None) };
    if analysis.legal_moves().len() < LEAST_LEGAL {
        return Ok(None);
    }
    let root = analysis.root().clone();
    let mut merits = Merits::default();
    merits.add_first(&root.position, analysis.legal_moves().iter().copied(), first);
    let defender = root.position.turn();
    let mut solution: Vec<LineMove> = Vec::new();
    let mut now = root.clone();
    loop {
        // The defender is to move.
        let moves = prober.moves(&now)?;
        let drawing: Vec<RankedMove> = moves.iter().filter(|mv| mv.category.is_drawn()).copied().collect();
        let [only] = drawing[..] else { break };
        if solution.len() >= MOST_PLIES
            || (now.position.board().is_bare(defender) && !root.position.board().is_bare(defender))
        {
            break;
        }
        let sacrifice = prober.sacrifice(&now, only.mv, false)?;
        merits.add(Merit::Only, u32::from(moves.len() > 1));
        match &sacrifice {
            Some(given) if given.offered => merits.add(Merit::Offer, 1),
            Some(_) => merits.add(Merit::Abandon, 1),
            None => merits.add(Merit::Quiet, u32::from(moves.len() > 1 && !is_natural(&now.position, only.mv))),
        }
        now = push(prober, &mut solution, &now, only);
        if now.count.is_some_and(|count| count.is_expired()) {
            break;
        }
        let Some(answer) = hardest(prober, &now, &prober.moves(&now)?)? else { break };
        let takes = |mv: &RankedMove| sacrifice.as_ref().is_some_and(|given| mv.mv.to == given.capture.to);
        merits.add(Merit::Declined, u32::from(sacrifice.is_some() && !takes(&answer)));
        now = push(prober, &mut solution, &now, answer);
        if is_repeated(&root, &solution) {
            break;
        }
    }
    let fen = save.fen();
    Ok(Some(Study { kind: StudyKind::Save, cursor: save.cursor, fen, solution, merits: merits.sorted() }))
}
