//! What is known of a cell from the cells before it on its board.

use crate::index::StripeFeatures;

/// The symbols of a cell: which of its candidates its code is.
pub(super) const SYMBOLS: usize = 16;
/// The code is none of the candidates and follows by itself.
pub(super) const ESCAPE: usize = SYMBOLS - 1;
/// The first symbol that counts from the nearest code: one more, one less, two more, ...
const FIRST_STEP: usize = 5;

/// How far a neighbour's code is off from the nearest, up to this either way.
const MOST_OFF: i32 = 2;
const OFFS: usize = 2 * MOST_OFF as usize + 1;
/// Kinds of squares: attacked, defended, attacking.
const KINDS: usize = 8;
/// What a cell is like, its neighbours' codes left out.
const CLASSES: usize = 32;

/// Contexts of each bucket of codes.
pub(super) const CONTEXTS: usize = CLASSES * OFFS * OFFS;

/// No code.
const NONE: u16 = u16::MAX;

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// What a cell's code may be, and how sure that is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The context, less its bucket, which is that of `nearest`.
    pub(super) context: usize,
    /// The code of the last cell of the same kind; with a reference, of the last one of which the reference says the same.
    pub(super) nearest: u16,
    north: u16,
    west: u16,
    north_east: u16,
}

impl Known {
    /// The code of a symbol but [`ESCAPE`]; may be no code of the list if the symbol was never written.
    #[inline(always)]
    pub(super) fn code(&self, symbol: usize, usual: u16) -> u16 {
        match symbol {
            0 => self.nearest,
            1 => self.north,
            2 => self.west,
            3 => self.north_east,
            4 => usual,
            _ => {
                let step = (symbol - FIRST_STEP) as u16 / 2 + 1;
                if (symbol - FIRST_STEP).is_multiple_of(2) {
                    self.nearest.wrapping_add(step)
                } else {
                    self.nearest.wrapping_sub(step)
                }
            }
        }
    }

    /// The first symbol that stands for a code.
    #[inline(always)]
    pub(super) fn symbol(&self, code: u16, usual: u16) -> usize {
        if code == self.nearest {
            return 0;
        }
        (1..ESCAPE).find(|&symbol| self.code(symbol, usual) == code).unwrap_or(ESCAPE)
    }
}

/// Codes remembered from one board of a block to the next: the last of each kind, and the last by the low byte of what the
/// reference said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    kinds: [u16; KINDS],
    references: [u16; 256],
}

impl Memory {
    /// Nothing yet.
    pub(super) const EMPTY: Memory = Memory { kinds: [NONE; KINDS], references: [NONE; 256] };
}

/// A byte whose bits are the lowest of eight bytes.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// For each cell its kind, times 4; if `compared`, 1 more if its northern neighbour is of the same kind, 2 more if its western
/// one is.
#[inline(always)]
fn kinds(scene: &StripeFeatures, compared: bool) -> [u8; 64] {
    let same = |shift: u32| {
        !((scene.attacked ^ scene.attacked << shift)
            | (scene.defended ^ scene.defended << shift)
            | (scene.attacking ^ scene.attacking << shift))
    };
    let (same_north, same_west) = if compared { (same(8) & !0xff, same(1) & !FILE_A) } else { (0, 0) };
    let bits = [same_north, same_west, scene.attacked, scene.defended, scene.attacking];
    let mut kinds = [0; 64];
    for (rank, kinds) in kinds.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let spread = |squares: u64| SPREAD[usize::from(squares.to_le_bytes()[rank])];
        let of_rank = bits.iter().rev().fold(0, |all, &squares| all << 1 | spread(squares));
        *kinds = of_rank.to_le_bytes();
    }
    kinds
}

/// Goes through the cells of a board in the squares' order. `code` is asked for each cell's code, which it finds out or
/// decodes from what is known. Cells that are not in `cells` are left alone; that should be the scene's stored cells or the
/// first of them.
///
/// A `reference` is what another table says of the same cells.
#[inline(always)]
pub(super) fn walk(
    scene: &StripeFeatures,
    cells: u64,
    usual: u16,
    memory: &mut Memory,
    reference: Option<&[u16; 64]>,
    mut code: impl FnMut(usize, &Known) -> u16,
) {
    let kinds = kinds(scene, reference.is_none());
    // The code last seen on each file, and what the reference had there. Files are counted from 1 here, so that the one
    // before the first is there and empty.
    let mut files = [NONE; 16];
    let mut references = [NONE; 16];
    let mut left = cells;
    while left != 0 {
        let cell = left.trailing_zeros() as usize & 63;
        left &= left - 1;
        let file = (cell & 7) + 1;
        let same = usize::from(kinds[cell]);
        let kind = same >> 2;
        let (mut north, mut west, mut north_east) = (files[file], files[file - 1], files[file + 1]);
        let (mut nearest, class) = match reference {
            None => (memory.kinds[kind], same),
            Some(reference) => {
                let here = reference[cell];
                let same_north = usize::from(references[file] == here);
                let same_west = usize::from(references[file - 1] == here);
                references[file] = here;
                let known = memory.references[usize::from(here & 0xff)];
                let class = same_north | same_west << 1 | usize::from(known != NONE) << 2;
                let nearest = if known == NONE { memory.kinds[kind] } else { known };
                (nearest, class << 2 | kind & 1 | kind >> 1 & 2)
            }
        };
        if north == NONE {
            north = if west == NONE { nearest } else { west };
        }
        if north == NONE {
            north = usual;
        }
        if west == NONE {
            west = north;
        }
        if north_east == NONE {
            north_east = north;
        }
        if nearest == NONE {
            nearest = north;
        }
        let off = |code: u16| ((i32::from(code) - i32::from(nearest)).clamp(-MOST_OFF, MOST_OFF) + MOST_OFF) as usize;
        let context = (class * OFFS + off(north)) * OFFS + off(west);
        let found = code(cell, &Known { context, nearest, north, west, north_east });
        files[file] = found;
        memory.kinds[kind] = found;
        if let Some(reference) = reference {
            memory.references[usize::from(reference[cell] & 0xff)] = found;
        }
    }
}
