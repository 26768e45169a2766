//! The values of a side that the table of a child omits, derived once for all moves that lead there.
//!
//! A promotion leads to a material of as many men, whose table may omit the side to move then. Each such value follows
//! from a dozen others, and several promotions lead to the same position.

use std::ops::Range;

use makruk_tables::index::Layout;
use makruk_tables::rules::{Bitboard, Color, CountingRules, Piece, Role, Square};
use makruk_tables::tablebase::Tablebase;
use makruk_tables::value::Value;

use super::exits::Reached;
use super::minimax::{Minimax, Tables};
use super::setup::Setup;
use super::values::{BATCH_CHUNKS, CHUNK_PLACES, Codes, Part, Values};
use crate::error::BuildError;
use crate::parallel::try_map;
use crate::progress::Progress;

/// The tables of a child with the values of the side that they omit, if they omit one.
pub(super) fn with_omitted<'a>(
    stored: &'a Tablebase,
    child: Tables<'a>,
    reached: Reached,
    rules: &CountingRules,
    progress: &dyn Progress,
) -> Result<Tables<'a>, BuildError> {
    let Some(side) = Color::ALL.into_iter().find(|&side| child.omits(side)) else { return Ok(child) };
    let minimax = Minimax::of_child(stored, child, rules, progress)?;
    let codes = derive(&minimax, side, reached, progress)?;
    let mut child = minimax.into_own();
    child.set(side, codes);
    Ok(child)
}

/// The codes of a side to move, by metric: DTM and, if the material has it, DTZ.
fn derive(
    minimax: &Minimax<'_>,
    side: Color,
    reached: Reached,
    progress: &dyn Progress,
) -> Result<Vec<Codes>, BuildError> {
    let numbers = minimax.numbers();
    let squares = promotion_squares(minimax.own().layout(), !side);
    let tables: Vec<&Values<'_, Value>> = minimax.own().distances().collect();
    let mut codes: Vec<Codes> = tables.iter().map(|table| table.zeros(side, numbers)).collect();
    let mut parts: Vec<_> = codes.iter_mut().map(|codes| codes.parts(0..numbers, CHUNK_PLACES).into_iter()).collect();
    let mut chunks = (0..numbers).step_by(CHUNK_PLACES as usize).map(|first| {
        let parts: Vec<Part<'_>> = parts.iter_mut().filter_map(Iterator::next).collect();
        (first..numbers.min(first + CHUNK_PLACES), parts)
    });
    let derive_chunk = |(chunk, mut parts): (Range<u64>, Vec<Part<'_>>)| {
        for (at, number) in (0..).zip(chunk) {
            if reached == Reached::Promoted && !has_met_on(squares, minimax, !side, number) {
                continue;
            }
            let Some((_, distances)) = minimax.expected(side, number)? else { continue };
            for (table, part) in tables.iter().zip(&mut parts) {
                part.set(at, table.derived_code(side, number, distances)?);
            }
        }
        Ok::<_, BuildError>(())
    };
    loop {
        progress.check()?;
        let batch: Vec<_> = chunks.by_ref().take(BATCH_CHUNKS).collect();
        if batch.is_empty() {
            break;
        }
        try_map(batch, derive_chunk)?;
    }
    drop(chunks);
    drop(parts);
    Ok(codes)
}

/// The squares of promotion of a colour, under all symmetries of the material.
fn promotion_squares(layout: &Layout, color: Color) -> Bitboard {
    let rank = || Square::all().filter(move |square| square.rank() == color.promotion_rank());
    layout.symmetry().transforms().flat_map(|transform| rank().map(move |square| transform.square(square))).collect()
}

/// Whether a met of this colour stands on one of the squares at a number.
fn has_met_on(squares: Bitboard, minimax: &Minimax<'_>, color: Color, number: u64) -> bool {
    let Some(setup) = Setup::at(minimax.shape(), number) else { return false };
    let mut men = setup.pieces().iter().zip(&setup.squares);
    men.any(|(&piece, &square)| piece == Piece::new(color, Role::Met) && squares.contains(square))
}
