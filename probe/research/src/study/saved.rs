//! Studies in which the defender saves himself.

use makruk_tables::rules::Fen;

use super::{LEAST_LEGAL, MOST_PLIES, Merit, Merits, Study, StudyKind, is_natural, is_repeated, push};
use crate::{Found, Lights, Look, SlabSource};
use makruk_probe::{LineMove, ProbeError, Prober, RankedMove};

/// The study that a save is, if one move draws.
pub(super) fn study<S: SlabSource>(
    prober: &Prober<S>,
    found: &Found,
    lights: Lights,
) -> Result<Option<Study>, ProbeError> {
    let look = Look::new(prober, found, lights);
    if look.legal().len() < LEAST_LEGAL || look.saving()?.len() != 1 {
        return Ok(None);
    }
    let key = look.saving()?[0];
    let root = look.root().clone();
    let mut merits = Merits::default();
    merits.add_first(&root.position, look.legal().iter().copied(), key);
    let defender = root.position.turn();
    let mut solution: Vec<LineMove> = Vec::new();
    let mut now = root.clone();
    loop {
        // Here the defender is to move, and has a man left unless this is the end of it.
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
        let Some(answer) = hardest(prober, &now)? else { break };
        let takes = |mv: &RankedMove| sacrifice.as_ref().is_some_and(|given| mv.mv.to == given.capture.to);
        merits.add(Merit::Declined, u32::from(sacrifice.is_some() && !takes(&answer)));
        now = push(prober, &mut solution, &now, answer);
        if is_repeated(&root, &solution) {
            break;
        }
    }
    let fen = found.fen();
    Ok(Some(Study { kind: StudyKind::Save, cursor: found.cursor, fen, solution, merits: merits.sorted() }))
}

/// The attacker's answer, of those that keep what he has, after which the fewest moves draw; of these the first in rank.
fn hardest<S: SlabSource>(prober: &Prober<S>, now: &Fen) -> Result<Option<RankedMove>, ProbeError> {
    let moves = prober.moves(now)?;
    let Some(first) = moves.first() else { return Ok(None) };
    let mut hardest: Option<(usize, RankedMove)> = None;
    for &mv in moves.iter().filter(|mv| mv.category == first.category) {
        let answers = prober.moves(&now.play(prober.rules(), mv.mv))?;
        let drawing = answers.iter().filter(|mv| mv.category.is_drawn()).count();
        if hardest.is_none_or(|(fewest, _)| drawing < fewest) {
            hardest = Some((drawing, mv));
        }
    }
    Ok(hardest.map(|(_, mv)| mv))
}
