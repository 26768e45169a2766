//! A position that may become a record.

use makruk_tables::index::{Layout, Transform};
use makruk_tables::rules::{Board, Position};

use super::record_rng::RecordRng;

/// A position that was drawn or taken from a game, before its value is known. It is small, since a batch has many.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The place among the cells of all materials. Candidates are read in the order of their places, which is that of the tables.
    pub(super) place: u64,
    /// The random numbers for all further draws.
    pub(super) rng: RecordRng,
    /// The number of the record within its batch.
    pub(super) record: u32,
    /// The image of the position that the record has.
    pub(super) image: Image,
}

/// One of the images that a cell stands for: the number of a symmetry of the material, and whether colours are exchanged after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Image {
    transform: u8,
    is_flipped: bool,
}

impl Image {
    /// The position itself.
    pub(super) const SAME: Image = Image { transform: 0, is_flipped: false };

    /// A random image of a cell; all images are equally likely.
    pub(super) fn draw(rng: &mut RecordRng, layout: &Layout) -> Image {
        let transforms = layout.symmetry().transforms().count() as u64;
        let transform = rng.below(transforms) as u8;
        Image { transform, is_flipped: !layout.material().is_color_symmetric() && rng.below(2) == 1 }
    }

    /// The image of a legal position.
    pub(super) fn of(self, position: &Position) -> Position {
        if self == Image::SAME {
            return position.clone();
        }
        let transform = Transform::all().nth(usize::from(self.transform)).unwrap_or(Transform::IDENTITY);
        let men = position.board().pieces().map(|(square, man)| (transform.square(square), man));
        // The image has the kings of the position.
        let image = Position::trusted(men.collect::<Board>(), position.turn()).unwrap_or_else(|| position.clone());
        if self.is_flipped { image.color_flipped() } else { image }
    }
}
