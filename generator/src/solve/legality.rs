//! Legality: the bits of a row that are legal positions, and those that stand for captures.

use std::sync::LazyLock;

use makruk_tables::index::MAX_AXES;
use makruk_tables::rules::{Bitboard, Color, Role, Square, between, leaper_attacks, rook_attacks};

use super::bitset::Row;
use super::geometry::{AxisKind, Geometry, RowMen};

/// The squares between two squares of a line, and whether a rook on the one attacks the other on an empty board.
struct Line {
    aligned: bool,
    between: u64,
}

static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let pairs = Square::all().flat_map(|a| Square::all().map(move |b| (a, b)));
    pairs
        .map(|(a, b)| Line { aligned: rook_attacks(a, Bitboard::EMPTY).contains(b), between: between(a, b).0 })
        .collect()
});

/// The legality of a row's bits: in which of them each man attacks the enemy king, and in which men share a square.
pub(crate) struct RowLegality<'a, const W: usize> {
    geometry: &'a Geometry,
    men: &'a RowMen,
    /// For each man, the bits in which it attacks the other side's king.
    checks: [Row<W>; MAX_AXES],
}

impl<'a, const W: usize> RowLegality<'a, W> {
    /// Finds the checks of a row.
    #[inline(always)]
    pub(crate) fn new(geometry: &'a Geometry, men: &'a RowMen) -> RowLegality<'a, W> {
        let mut checks = [[0; W]; MAX_AXES];
        for (man, checks) in checks.iter_mut().enumerate().take(geometry.men().len()) {
            *checks = checks_of(geometry, men, man);
        }
        RowLegality { geometry, men, checks }
    }

    /// The bits with `color` to move that are legal positions.
    #[inline(always)]
    pub(crate) fn legal(&self, color: Color) -> Row<W> {
        let free = self.free(None);
        let unsafe_king = self.checked_by(color, None);
        std::array::from_fn(|w| free[w] & !unsafe_king[w])
    }

    /// The bits that stand for the position after `mover` took the enemy man `captured`: that man shares its square with
    /// one of the mover's, no other men share a square, and the mover's king is not left in check.
    #[inline(always)]
    pub(crate) fn captures(&self, mover: Color, captured: usize) -> Row<W> {
        let free = self.free(Some(captured));
        let illegal = self.checked_by(!mover, Some(captured));
        let taker = self.shares_with(mover, captured);
        std::array::from_fn(|w| free[w] & taker[w] & !illegal[w])
    }

    /// The bits in which a man of `color` attacks the other king, one man being ignored.
    #[inline(always)]
    fn checked_by(&self, color: Color, ignored: Option<usize>) -> Row<W> {
        let mut attacked = [0; W];
        for (man, (piece, checks)) in self.geometry.men().iter().zip(&self.checks).enumerate() {
            if piece.color == color && Some(man) != ignored {
                for w in 0..W {
                    attacked[w] |= checks[w];
                }
            }
        }
        attacked
    }

    /// The squares of the row's fixed men, one outer man being ignored; `None` if two of them share a square.
    #[inline(always)]
    fn fixed_without(&self, ignored: Option<usize>) -> Option<u64> {
        let mut fixed = self.men.king_bits();
        for (man, square) in self.men.outer.iter().enumerate() {
            if Some(man) != ignored {
                let bit = 1u64 << square.number();
                if fixed & bit != 0 {
                    return None;
                }
                fixed |= bit;
            }
        }
        Some(fixed)
    }

    /// The bits in which all men but the ignored one stand on squares of their own.
    #[inline(always)]
    fn free(&self, ignored: Option<usize>) -> Row<W> {
        let Some(fixed) = self.fixed_without(ignored) else { return [0; W] };
        let last = self.geometry.men().len() - 1;
        let inner_counts = W == 64 && ignored != Some(last.wrapping_sub(1));
        let bit_counts = ignored != Some(last);
        std::array::from_fn(|w| {
            let inner = if inner_counts { 1u64 << (w & 63) } else { 0 };
            if fixed & inner != 0 {
                0
            } else if bit_counts {
                !(fixed | inner)
            } else {
                !0
            }
        })
    }

    /// The bits in which the man `captured` shares its square with a man of `mover`.
    #[inline(always)]
    fn shares_with(&self, mover: Color, captured: usize) -> Row<W> {
        let geometry = self.geometry;
        let mut fixed = Bitboard::of(self.men.kings[mover]).0;
        for (man, square) in self.men.outer.iter().enumerate() {
            if geometry.men()[man].color == mover {
                fixed |= 1 << square.number();
            }
        }
        let last = geometry.men().len() - 1;
        let inner_takes = W == 64 && geometry.men()[last - 1].color == mover;
        let bit_takes = geometry.men()[last].color == mover;
        std::array::from_fn(|w| {
            let word = 1u64 << (w & 63);
            match geometry.axis_kind(captured) {
                AxisKind::Outer(axis) => {
                    let on = 1u64 << self.men.outer[axis].number();
                    if fixed & on != 0 || (inner_takes && word == on) {
                        !0
                    } else if bit_takes {
                        on
                    } else {
                        0
                    }
                }
                AxisKind::Inner if fixed & word != 0 => !0,
                AxisKind::Inner if bit_takes => word,
                AxisKind::Inner => 0,
                AxisKind::Bit => fixed | if inner_takes { word } else { 0 },
            }
        })
    }
}

/// The bits of a row in which every man stands on a square of its own.
#[inline(always)]
pub(crate) fn disjoint<const W: usize>(men: &RowMen) -> Row<W> {
    let fixed = men.fixed();
    if fixed.count_ones() != men.count() {
        return [0; W];
    }
    std::array::from_fn(|w| {
        let inner = if W == 64 { 1u64 << (w & 63) } else { 0 };
        if fixed & inner != 0 { 0 } else { !(fixed | inner) }
    })
}

/// The bits of a row in which a man attacks the other side's king.
#[inline(always)]
fn checks_of<const W: usize>(geometry: &Geometry, men: &RowMen, man: usize) -> Row<W> {
    let piece = geometry.men()[man];
    let king = men.kings[!piece.color];
    let fixed = men.fixed();
    // A leaper attacks the king from the squares that the same man of the other colour attacks from the king's square.
    let origins = leaper_attacks(!piece.color, piece.role, king).0;
    let is_rook = piece.role == Role::Rook;
    // A rook's bits, given its square: none if a fixed man stands between, else those in which no varying man does.
    let line = |rook: Square| &LINES[rook.index() * 64 + king.index()];
    match geometry.axis_kind(man) {
        AxisKind::Outer(axis) if is_rook => {
            let line = line(men.outer[axis]);
            let open = line.aligned && line.between & fixed == 0;
            std::array::from_fn(|w| {
                let inner_blocks = W == 64 && line.between >> (w & 63) & 1 != 0;
                if open && !inner_blocks { !line.between } else { 0 }
            })
        }
        AxisKind::Outer(axis) => [if origins >> men.outer[axis].number() & 1 != 0 { !0 } else { 0 }; W],
        AxisKind::Inner if is_rook => std::array::from_fn(|w| {
            let line = line(Square::new(w as u8 & 63));
            if line.aligned && line.between & fixed == 0 { !line.between } else { 0 }
        }),
        AxisKind::Inner => std::array::from_fn(|w| if origins >> (w & 63) & 1 != 0 { !0 } else { 0 }),
        AxisKind::Bit if is_rook => std::array::from_fn(|w| {
            let inner = if W == 64 { 1u64 << (w & 63) } else { 0 };
            rook_attacks(king, Bitboard(fixed | inner)).0
        }),
        AxisKind::Bit => [origins; W],
    }
}
