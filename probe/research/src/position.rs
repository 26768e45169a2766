//! A position of a table and its cell.

use makruk_format::index::Layout;
use makruk_rules::{Color, Fen, Position};

use crate::order::Cursor;

/// A position and the cell that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedPosition {
    /// The cell.
    pub cursor: Cursor,
    /// The position; White is the first side of the material's name.
    pub position: Position,
}

impl LocatedPosition {
    /// The position of a cell; `None` if the cell holds no legal position.
    pub(crate) fn at(layout: &Layout, side: Color, number: u64) -> Option<LocatedPosition> {
        let position = layout.position_at(side, number)?;
        Some(LocatedPosition { cursor: Cursor { material: layout.material(), side, number }, position })
    }

    /// The position without a count.
    pub fn fen(&self) -> Fen {
        Fen::new(self.position.clone(), None)
    }

    /// The distinct images of the position under its material's symmetry, the position itself first.
    pub fn images(&self) -> Vec<LocatedPosition> {
        let symmetry = Layout::new(self.cursor.material).symmetry();
        let mut images: Vec<LocatedPosition> = Vec::new();
        for transform in symmetry.transforms() {
            let men = self.position.board().pieces().map(|(square, man)| (transform.square(square), man));
            // The image of a legal position is legal.
            let Ok(position) = Position::new(men.collect(), self.position.turn()) else { continue };
            if images.iter().all(|image| image.position != position) {
                images.push(LocatedPosition { cursor: self.cursor, position });
            }
        }
        images
    }
}
