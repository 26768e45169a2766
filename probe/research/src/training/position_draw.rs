//! Draws legal positions of materials.

use makruk_tables::index::{KingPairs, Layout, Symmetry};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Position};

use super::candidate::{Candidate, Image};
use super::record_rng::RecordRng;

/// The probability of each material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weighting {
    /// All legal positions, in either colours, are equally likely; so materials of more men prevail.
    #[default]
    Positions,
    /// All materials are equally likely, and so are all positions of one material.
    Materials,
}

/// The positions of materials.
///
/// A cell is drawn, then one of its images. The weight of its slab is the number of positions of the full board that a cell stands
/// for. In a slab with both kings on the diagonal it is half of that in others, because such a slab holds each position twice.
#[derive(Clone, Debug)]
pub(super) struct PositionDraw {
    weighting: Weighting,
    materials: Vec<DrawnMaterial>,
    /// The sums of the weights of the materials up to each.
    ends: Vec<u64>,
    eight_fold: Vec<u64>,
    mirror: Vec<u64>,
}

#[derive(Clone, Debug)]
struct DrawnMaterial {
    layout: Layout,
    /// The place of the first cell with White to move; those with Black to move follow.
    base: u64,
    /// The number of cells of a side to move.
    cells: u64,
    slab_len: u64,
}

/// The sums of the weights of the slabs up to each.
fn slab_ends(symmetry: Symmetry) -> Vec<u64> {
    let kings = KingPairs::of(symmetry);
    sums((0..kings.len()).map(|slab| kings.weight(slab)))
}

fn sums(weights: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut sum = 0;
    let add = |weight| {
        sum += weight;
        sum
    };
    weights.map(add).collect()
}

/// A random place in a list of sums; its probability is proportional to its summand. `None` if the list is empty.
fn pick(rng: &mut RecordRng, ends: &[u64]) -> Option<usize> {
    let number = rng.below(*ends.last()?);
    Some(ends.partition_point(|&end| end <= number))
}

impl PositionDraw {
    /// The positions of these materials, without two bare kings.
    pub(super) fn new(materials: impl IntoIterator<Item = Material>, weighting: Weighting) -> PositionDraw {
        let (eight_fold, mirror) = (slab_ends(Symmetry::EightFold), slab_ends(Symmetry::Mirror));
        let mut drawn: Vec<DrawnMaterial> = Vec::new();
        let mut base = 0;
        for material in materials {
            if material == Material::BARE_KINGS || drawn.iter().any(|known| known.layout.material() == material) {
                continue;
            }
            let layout = Layout::new(material);
            let (slab_len, cells) = (layout.slab_len(), layout.positions()[Color::White]);
            drawn.push(DrawnMaterial { layout, base, cells, slab_len });
            base += 2 * cells;
        }
        let weight = |drawn: &DrawnMaterial| match weighting {
            Weighting::Materials => 1,
            Weighting::Positions => {
                let ends = if drawn.layout.symmetry() == Symmetry::Mirror { &mirror } else { &eight_fold };
                // Both sides to move have as many cells; a material that differs from its colour-flipped form has both forms.
                let forms = if drawn.layout.material().is_color_symmetric() { 1 } else { 2 };
                ends.last().copied().unwrap_or_default() * drawn.slab_len * forms
            }
        };
        let ends = sums(drawn.iter().map(weight));
        PositionDraw { weighting, materials: drawn, ends, eight_fold, mirror }
    }

    /// The layouts of the materials.
    pub(super) fn layouts(&self) -> impl Iterator<Item = &Layout> {
        self.materials.iter().map(|drawn| &drawn.layout)
    }

    /// A position that is accepted; `None` if the first `most` draws give none.
    pub(super) fn draw(
        &self,
        mut rng: RecordRng,
        record: u32,
        most: u32,
        accepts: impl Fn(&Position) -> bool,
    ) -> Option<Candidate> {
        let mut material = pick(&mut rng, &self.ends)?;
        for _ in 0..most {
            let drawn = &self.materials[material];
            let (side, number) = self.cell(&mut rng, drawn)?;
            if drawn.layout.position_at(side, number).is_some_and(|position| accepts(&position)) {
                let image = Image::draw(&mut rng, &drawn.layout);
                return Some(Candidate { place: drawn.place(side, number), rng, record, image });
            }
            // The material is drawn again, so that the legal positions of all materials are equally likely.
            if self.weighting == Weighting::Positions {
                material = pick(&mut rng, &self.ends)?;
            }
        }
        None
    }

    /// A random cell of a material; its probability is proportional to its slab's weight. It may hold no position.
    fn cell(&self, rng: &mut RecordRng, drawn: &DrawnMaterial) -> Option<(Color, u64)> {
        let side = Color::ALL[rng.below(2) as usize];
        let ends = if drawn.layout.symmetry() == Symmetry::Mirror { &self.mirror } else { &self.eight_fold };
        let slab = pick(rng, ends)? as u64;
        Some((side, slab * drawn.slab_len + rng.below(drawn.slab_len)))
    }

    /// The place of a position that was not drawn; `None` if its material is not one of these.
    pub(super) fn place(&self, position: &Position) -> Option<u64> {
        self.materials.iter().find_map(|drawn| {
            let (side, number) = drawn.layout.number(position)?;
            Some(drawn.place(side, number))
        })
    }

    /// The cell at a place, which has to be one of these.
    pub(super) fn cell_at(&self, place: u64) -> PlacedCell<'_> {
        let at = self.materials.partition_point(|drawn| drawn.base <= place).saturating_sub(1);
        let drawn = &self.materials[at];
        let number = place - drawn.base;
        let (side, number) =
            if number < drawn.cells { (Color::White, number) } else { (Color::Black, number - drawn.cells) };
        let (slab, offset) = ((number / drawn.slab_len) as usize, (number % drawn.slab_len) as usize);
        PlacedCell { material: at, layout: &drawn.layout, side, slab, offset, slab_len: drawn.slab_len }
    }
}

impl DrawnMaterial {
    fn place(&self, side: Color, number: u64) -> u64 {
        self.base + if side == Color::White { number } else { self.cells + number }
    }
}

/// A cell of one of the materials.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedCell<'a> {
    /// The material's place in the list of materials.
    pub(super) material: usize,
    pub(super) layout: &'a Layout,
    /// The side to move, in the colours of the material's name.
    pub(super) side: Color,
    pub(super) slab: usize,
    pub(super) offset: usize,
    pub(super) slab_len: u64,
}

impl PlacedCell<'_> {
    /// The legal position of the cell, if it has one.
    pub(super) fn position(&self) -> Option<Position> {
        self.layout.position_at(self.side, self.slab as u64 * self.slab_len + self.offset as u64)
    }

    /// Whether it is a cell of the same slab.
    pub(super) fn shares_slab(&self, other: &PlacedCell<'_>) -> bool {
        (self.material, self.side, self.slab) == (other.material, other.side, other.slab)
    }
}
