//! Reads from the disk that are issued together.
//!
//! The values of a position's moves lie in different parts of several files. Read one after the other, each part waits for the
//! disk. So the system is advised of all parts as soon as the first read was slow, and reads them together.

use super::handle::TableHandle;
use super::position_reader::PositionReader;
use crate::format::{Storage, StripeAddress};
use crate::material::{Material, Oriented};
use crate::rules::{Color, Position};
use crate::value::Metric;

/// The most parts of files of which the system is advised at a time.
const MOST_PARTS: usize = 2048;

/// A stripe that will be read.
type Part<'a> = (&'a TableHandle, Color, StripeAddress);

impl PositionReader {
    /// Advises the system of the parts of files that hold the distances of positions.
    #[cold]
    pub(super) fn prefetch(&self, positions: &[Position]) {
        let mut parts = Vec::new();
        for position in positions {
            self.add_parts(position, true, &mut parts);
        }
        // The offsets are read together too, before the blocks that they point at.
        for &(handle, side, address) in &parts {
            handle.table.advise_offsets(side, address);
        }
        for &(handle, side, address) in &parts {
            handle.table.advise_block(side, address);
        }
    }

    /// Adds the parts of a position's distances; if the side is omitted and `derives`, those of its moves.
    fn add_parts<'a>(&'a self, position: &Position, derives: bool, parts: &mut Vec<Part<'a>>) {
        let Ok(Oriented { material, orientation }) = Material::of(position.board()) else { return };
        if material == Material::BARE_KINGS {
            return;
        }
        let side = orientation.color(position.turn());
        let metrics = if material.is_armed() { &Metric::DISTANCES[..] } else { &[Metric::Dtm] };
        let mut is_omitted = false;
        for &metric in metrics {
            let Ok(handle) = self.handle(crate::format::TableId { material, metric }) else { continue };
            if handle.table.storage(side) == Storage::Absent {
                is_omitted = true;
            } else if let Some(address) = handle.address(position, orientation)
                && parts.len() < MOST_PARTS
            {
                parts.push((handle, side, address));
            }
        }
        if is_omitted && derives {
            for mv in position.legal_moves() {
                self.add_parts(&position.play(mv), false, parts);
            }
        }
    }
}
