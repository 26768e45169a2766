//! Looks for the saves of a set that are worth showing.

use std::cmp::Reverse;

use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen};

use super::jobs::Wanted;
use makruk_probe::{Category, ProbeError, Prober, ValueSource};

/// Positions that are looked at.
const SAMPLES: usize = 4000;
/// Saves that are weighed against each other.
pub(super) const WEIGHED: usize = 120;
/// The most that are named.
const MOST: usize = 6;
/// Where the numbers that look random begin: the same every time.
const SEED: u64 = 64;

/// A save that was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) fen: Fen,
    /// Does a drawing move give up the man that moves, or leave one behind?
    pub(super) offers: bool,
    pub(super) abandons: bool,
    /// How many moves keep the draw, of how many.
    pub(super) drawing: usize,
    pub(super) legal: usize,
}

/// The saves, among positions of a set picked at random, in which a man is given up and the fewest moves draw; the same every
/// time. `None` if nobody waits for it any more.
pub(super) fn search<S: ValueSource>(
    prober: &Prober<S>,
    material: Material,
    wanted: &Wanted,
) -> Option<Result<Vec<Found>, ProbeError>> {
    let layout = Layout::new(material);
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut found: Vec<Found> = Vec::new();
    for sample in 0..SAMPLES {
        if sample % 16 == 0 && !wanted.is_wanted() {
            return None;
        }
        if found.len() == WEIGHED {
            break;
        }
        let side = Color::ALL[sample % 2];
        let Some(position) = layout.position_at(side, random.u64(..layout.positions()[side])) else { continue };
        match look(prober, &Fen::new(position, None)) {
            Ok(Some(save)) => found.push(save),
            Ok(None) => {}
            Err(error) => return Some(Err(error)),
        }
    }
    found.sort_by_key(|found| {
        (!found.offers, !found.abandons, found.drawing, Reverse(found.legal), found.fen.to_string())
    });
    found.truncate(MOST);
    Some(Ok(found))
}

/// A position, if it is a save in which something can go wrong.
fn look<S: ValueSource>(prober: &Prober<S>, fen: &Fen) -> Result<Option<Found>, ProbeError> {
    if prober.probe(fen)?.category != Category::BlessedLoss {
        return Ok(None);
    }
    let moves = prober.moves(fen)?;
    let (drawing, legal) = (moves.iter().filter(|mv| mv.category.is_drawn()).count(), moves.len());
    if drawing == legal {
        return Ok(None);
    }
    let (offered, left): (Vec<_>, Vec<_>) = prober.sacrifices(fen)?.into_iter().partition(|given| given.offered);
    let (offers, abandons) = (!offered.is_empty(), !left.is_empty());
    Ok(Some(Found { fen: fen.clone(), offers, abandons, drawing, legal }))
}
