//! A sample of the count saves of a material that are worth showing.

use std::cmp::Reverse;

use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen};

use crate::admission::request_context::CancellationCheck;
use makruk_probe::{Category, ProbeError, Prober, ValueSource};

/// Positions that are probed.
const SAMPLES: usize = 4000;
/// The most saves that are compared with each other.
pub(crate) const MOST_COMPARED: usize = 120;
/// The most saves that are returned.
const MOST_RETURNED: usize = 6;
/// The seed of the random numbers: every search draws the same ones.
const SEED: u64 = 64;

/// A count save that was found.
#[derive(Clone, Debug)]
pub(crate) struct SampledSave {
    pub(crate) fen: Fen,
    /// Whether a drawing move offers the piece that moves.
    pub(crate) offers: bool,
    /// Whether a drawing move abandons another piece.
    pub(crate) abandons: bool,
    /// The numbers of moves that draw, and of legal moves.
    pub(crate) drawing: usize,
    pub(crate) legal: usize,
}

/// The saves among random positions of a material: those with a sacrifice first, then those with the fewest drawing moves.
/// Every search of a material returns the same. `None` if the request is cancelled.
pub(crate) fn search<S: ValueSource>(
    prober: &Prober<S>,
    material: Material,
    check: &CancellationCheck,
) -> Option<Result<Vec<SampledSave>, ProbeError>> {
    let layout = Layout::new(material);
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut found: Vec<SampledSave> = Vec::new();
    for sample in 0..SAMPLES {
        if sample % 16 == 0 && check.is_cancelled() {
            return None;
        }
        if found.len() == MOST_COMPARED {
            break;
        }
        let side = Color::ALL[sample % 2];
        let Some(position) = layout.position_at(side, random.u64(..layout.positions()[side])) else { continue };
        match find_save(prober, &Fen::new(position, None)) {
            Ok(Some(save)) => found.push(save),
            Ok(None) => {}
            Err(error) => return Some(Err(error)),
        }
    }
    found.sort_by_key(|found| {
        (!found.offers, !found.abandons, found.drawing, Reverse(found.legal), found.fen.to_string())
    });
    found.truncate(MOST_RETURNED);
    Some(Ok(found))
}

/// A position, if it is a save with at least one losing move.
fn find_save<S: ValueSource>(prober: &Prober<S>, fen: &Fen) -> Result<Option<SampledSave>, ProbeError> {
    if prober.probe(fen)?.category != Category::BlessedLoss {
        return Ok(None);
    }
    let moves = prober.moves(fen)?;
    let (drawing, legal) = (moves.iter().filter(|mv| mv.category.is_drawn()).count(), moves.len());
    if drawing == legal {
        return Ok(None);
    }
    let (offered, abandoned): (Vec<_>, Vec<_>) = prober.sacrifices(fen)?.into_iter().partition(|given| given.offered);
    let (offers, abandons) = (!offered.is_empty(), !abandoned.is_empty());
    Ok(Some(SampledSave { fen: fen.clone(), offers, abandons, drawing, legal }))
}
