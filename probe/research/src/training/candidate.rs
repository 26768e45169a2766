//! A position that may become a record.

use makruk_tables::index::Transform;
use makruk_tables::rules::{Board, Color, Count, Position};

use super::record_rng::RecordRng;

/// A position that was drawn or taken from a game, before its value is known.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The number of the record, from the first of its batch.
    pub(super) record: usize,
    /// The place among the cells of all materials, by which candidates are read in the order of the tables.
    pub(super) place: u64,
    /// The material's place in the list of materials.
    pub(super) material: usize,
    /// The side to move, in the colours of the material's name.
    pub(super) side: Color,
    /// The number of the cell among those of the side to move.
    pub(super) number: u64,
    /// The position as the tables have it; that of a game as it was played.
    pub(super) position: Position,
    /// The image of the position that the record has.
    pub(super) image: Image,
    /// The count and the number of the move, of a position from a game.
    pub(super) played: Option<Played>,
    /// The numbers for whatever else is drawn.
    pub(super) rng: RecordRng,
}

/// The count of a game's position, and the number of the move to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Played {
    pub(super) count: Option<Count>,
    pub(super) fullmove: u32,
}

/// One of the images that a cell stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// A symmetry of the material.
    pub(super) transform: Transform,
    /// Are the colours exchanged then?
    pub(super) is_flipped: bool,
}

impl Image {
    /// The position itself.
    pub(super) const SAME: Image = Image { transform: Transform::IDENTITY, is_flipped: false };

    /// The image of a legal position.
    pub(super) fn of(self, position: &Position) -> Position {
        if self == Image::SAME {
            return position.clone();
        }
        let men = position.board().pieces().map(|(square, man)| (self.transform.square(square), man));
        // The image has the kings of the position.
        let image = Position::trusted(men.collect::<Board>(), position.turn()).unwrap_or_else(|| position.clone());
        if self.is_flipped { image.color_flipped() } else { image }
    }
}
