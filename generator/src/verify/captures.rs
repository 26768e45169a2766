//! The material that a capture leaves, maybe colour-flipped.

use arrayvec::ArrayVec;
use makruk_tables::index::{Layout, MAX_AXES, Placement};
use makruk_tables::material::{Orientation, Oriented};
use makruk_tables::rules::{Color, Square};

use super::setup::Setup;

/// The capture of one man of a material.
pub(super) struct Capture {
    /// The number of the child that is left, among the material's children.
    child: usize,
    /// The orientation of the material that is left.
    orientation: Orientation,
    /// The men left, in the order of the child's axes.
    men: ArrayVec<usize, MAX_AXES>,
}

impl Capture {
    /// The capture of a man, the material's children being given; `None` if it leaves two bare kings.
    pub(super) fn new(layout: &Layout, man: usize, children: &[&Layout]) -> Option<Capture> {
        let pieces: ArrayVec<_, MAX_AXES> = layout.men().collect();
        let Oriented { material: left, orientation } = layout.material().without(pieces[man])?;
        let child = children.iter().position(|child| child.material() == left)?;
        let mut men = ArrayVec::<usize, MAX_AXES>::new();
        for piece in children[child].men() {
            let piece = orientation.piece(piece);
            let next = (0..pieces.len()).find(|&at| at != man && pieces[at] == piece && !men.contains(&at))?;
            men.push(next);
        }
        Some(Capture { child, orientation, men })
    }

    /// The number of the child that is left, among the material's children.
    pub(super) const fn child(&self) -> usize {
        self.child
    }

    /// The place of what is left of a setup with `turn` to move: the child's side to move, and the number.
    pub(super) fn number(&self, child: &Layout, setup: &Setup<'_>, turn: Color) -> (Color, u64) {
        let orient = |square: Square| self.orientation.square(square);
        let kings = if self.orientation.is_flipped() { setup.kings.swap() } else { setup.kings };
        let men = self.men.iter().map(|&man| orient(setup.squares[man])).collect();
        let (slab, offset) =
            child.slab_and_offset(&Placement { kings: kings.map(orient), men }).expect("the kings are apart");
        (self.orientation.color(turn), slab as u64 * child.slab_len() + offset)
    }
}
