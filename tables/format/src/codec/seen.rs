//! The codes that were seen before a square's: `FORMAT.md`'s histories of a block and of a stripe.

use super::context::{Class, KINDS, NONE, StripeCodes};

/// The codes last seen in a block: on each kind of square, and for each low byte of the reference's code.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    by_kind: [u16; KINDS],
    by_reference: [u16; 256],
}

impl History {
    /// The history at the beginning of a block.
    pub(super) const EMPTY: History = History { by_kind: [NONE; KINDS], by_reference: [NONE; 256] };
}

/// The codes last seen on squares of a kind, or where the reference had a code: in the block, and in the stripe so far.
/// The constants are whether there is a reference.
pub(super) struct SeenByKind<'a> {
    block: &'a mut History,
    /// In the stripe, by file, counted from 1: the code last seen on this file or those beside it.
    near: [[u16; KINDS]; 10],
}

/// The codes from which a square's is guessed first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likely {
    /// The code last seen where the reference had the same low byte, or without a reference near a square of this kind.
    pub(super) first: u16,
    /// The code last seen on a square of this kind in the block.
    pub(super) of_kind: u16,
}

impl SeenByKind<'_> {
    /// The codes seen when a stripe begins.
    pub(super) fn new(block: &mut History) -> SeenByKind<'_> {
        SeenByKind { block, near: [[NONE; KINDS]; 10] }
    }

    /// The likely codes of a square, where the reference has the code `here`.
    #[inline(always)]
    pub(super) fn likely<const HAS_REFERENCE: bool>(&self, square: usize, class: Class, here: u16) -> Likely {
        let kind = class.kind();
        let first = match HAS_REFERENCE {
            true => self.block.by_reference[usize::from(here & 0xff)],
            false => self.near[(square & 7) + 1][kind],
        };
        Likely { first, of_kind: self.block.by_kind[kind] }
    }

    /// Takes note of a square's code.
    #[inline(always)]
    pub(super) fn see<const HAS_REFERENCE: bool>(&mut self, square: usize, class: Class, here: u16, code: u16) {
        let (kind, file) = (class.kind(), (square & 7) + 1);
        self.block.by_kind[kind] = code;
        match HAS_REFERENCE {
            true => self.block.by_reference[usize::from(here & 0xff)] = code,
            false => self.near[file - 1..file + 2].iter_mut().for_each(|near| near[kind] = code),
        }
    }
}

/// The codes last seen around a square: on its file and those beside it, and farther away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbours {
    pub(super) north: u16,
    pub(super) west: u16,
    /// On the file before, among the ranks below.
    pub(super) north_west: u16,
    pub(super) north_east: u16,
    /// On the file, at least two ranks below.
    pub(super) far_north: u16,
    /// Two files before.
    pub(super) far_west: u16,
}

/// The code last seen on each file, and the one before it, on the way through a stripe.
pub(super) struct LastSeen {
    /// By file, counted from 2. None is beside the board.
    places: [u16; 32],
}

impl LastSeen {
    pub(super) const NONE: LastSeen = LastSeen { places: [NONE; 32] };
    /// The place of the code before the last is so far after that of the last.
    const BEFORE: usize = 16;

    /// The codes around a square, the stripe's entries being on some squares.
    #[inline(always)]
    pub(super) fn around(&self, square: usize, squares: u64) -> Neighbours {
        let at = |place: usize| self.places[place & 31];
        let place = (square & 7) + 2;
        // If the square to the west has a code, it is the last of its file, and the one before is of a lower rank.
        // If the square below has a code, it is the last of this file, and the one before is from below that.
        let before = |back: u32| (squares << back >> square & 1) as usize * LastSeen::BEFORE;
        Neighbours {
            north: at(place),
            west: at(place - 1),
            north_west: at(place - 1 + before(1)),
            north_east: at(place + 1),
            far_north: at(place + before(8)),
            far_west: at(place - 2),
        }
    }

    /// Takes note of a square's code.
    #[inline(always)]
    pub(super) fn see(&mut self, square: usize, code: u16) {
        let place = (square & 7) + 2;
        self.places[place + LastSeen::BEFORE] = std::mem::replace(&mut self.places[place], code);
    }
}

/// The squares of a rank.
pub(super) const RANK: usize = 8;
/// The places of a rank.
const RANK_PLACES: usize = 16;
/// The place of the first square: two ranks are before it, and two files.
const FIRST_PLACE: usize = 2 * RANK_PLACES + 2;

/// The code last seen on each file, for each rank: on this rank or below. All codes of the stripe are known.
#[derive(Debug)]
pub(super) struct LastSeenByRank {
    places: [u16; FIRST_PLACE + 8 * RANK_PLACES],
}

impl LastSeenByRank {
    /// No codes: this number instead.
    pub(super) const fn new(none: u16) -> LastSeenByRank {
        LastSeenByRank { places: [none; _] }
    }

    #[inline(always)]
    const fn place(rank: usize, file: usize) -> usize {
        rank * RANK_PLACES + file + FIRST_PLACE
    }

    /// Takes the codes of a stripe that has entries on some squares.
    #[inline(always)]
    pub(super) fn see_all(&mut self, squares: u64, codes: &StripeCodes) {
        for rank in 0..RANK {
            let entries = &ALL_ONES[usize::from(squares.to_le_bytes()[rank])];
            for file in 0..RANK {
                let place = LastSeenByRank::place(rank, file);
                let below = self.places[place - RANK_PLACES];
                self.places[place] = codes[rank * RANK + file] & entries[file] | below & !entries[file];
            }
        }
    }

    /// The codes around a square.
    #[inline(always)]
    pub(super) fn around(&self, rank: usize, file: usize) -> Neighbours {
        let place = LastSeenByRank::place(rank, file);
        Neighbours {
            north: self.places[place - RANK_PLACES],
            west: self.places[place - 1],
            north_west: self.places[place - RANK_PLACES - 1],
            north_east: self.places[place - RANK_PLACES + 1],
            far_north: self.places[place - 2 * RANK_PLACES],
            far_west: self.places[place - 2],
        }
    }
}

/// For each set of squares of a rank, all ones on them.
static ALL_ONES: [[u16; RANK]; 256] = {
    let mut ones = [[0; RANK]; 256];
    let mut at = 0;
    while at < 256 * RANK {
        let (squares, file) = (at / RANK, at % RANK);
        ones[squares][file] = if squares >> file & 1 == 1 { u16::MAX } else { 0 };
        at += 1;
    }
    ones
};
