//! Legality: the bits of a row that are legal positions, and those that stand for exits.

use std::sync::LazyLock;

use makruk_format::index::MAX_AXES;
use makruk_rules::{Bitboard, Color, Piece, Role, Square, between, leaper_attacks, rook_attacks};
use makruk_tables::material::Exit;

use super::bitset::Row;
use super::geometry::{AxisKind, Geometry, RowMen};

/// The men of an exit, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExitMen {
    /// The man that is taken.
    pub taken: Option<usize>,
    /// The pawn that is promoted.
    pub promoted: Option<usize>,
}

impl ExitMen {
    /// No exit.
    pub(crate) const NONE: ExitMen = ExitMen { taken: None, promoted: None };

    /// The men of each exit of a kind: of like men, each one's.
    pub(crate) fn of(geometry: &Geometry, exit: &Exit) -> Vec<ExitMen> {
        // The number of each man of a kind; only `None` without a kind.
        let numbers = |piece: Option<Piece>| -> Vec<Option<usize>> {
            let Some(piece) = piece else { return vec![None] };
            let men = geometry.men();
            (0..men.len()).filter(|&man| men[man] == piece).map(Some).collect()
        };
        let promoted = numbers(exit.promoted());
        let with_taken = |taken| promoted.iter().map(move |&promoted| ExitMen { taken, promoted });
        numbers(exit.captured).into_iter().flat_map(with_taken).collect()
    }

    /// The men of all exits that `mover` can make.
    pub(crate) fn all(geometry: &Geometry, mover: Color) -> Vec<ExitMen> {
        geometry.layout().material().exits(mover).flat_map(|exit| ExitMen::of(geometry, &exit)).collect()
    }
}

/// The squares between two squares of a line, and whether a rook on the one attacks the other on an empty board.
struct RookLine {
    aligned: bool,
    between: u64,
}

static LINES: LazyLock<Vec<RookLine>> = LazyLock::new(|| {
    let pairs = Square::all().flat_map(|a| Square::all().map(move |b| (a, b)));
    pairs
        .map(|(a, b)| RookLine { aligned: rook_attacks(a, Bitboard::EMPTY).contains(b), between: between(a, b).0 })
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
        let free: Row<W> = free(self.geometry, self.men, ExitMen::NONE);
        let unsafe_king = self.checked_by(color, None);
        std::array::from_fn(|w| free[w] & !unsafe_king[w])
    }

    /// The bits that stand for the position after `mover` left the material by an exit of these men. A man that is
    /// taken shares its square with one of the mover's men. A pawn that is promoted is on its promotion rank. No other
    /// men share a square, and the mover's king is not left in check.
    #[inline(always)]
    pub(crate) fn exits(&self, mover: Color, exit: ExitMen) -> Row<W> {
        let RowLegality { geometry, men, .. } = self;
        let free: Row<W> = free(geometry, men, exit);
        let illegal = self.checked_by(!mover, exit.taken);
        let by_taker = match (exit.taken, exit.promoted) {
            (None, _) => [!0; W],
            (Some(taken), Some(promoted)) => shared(geometry, men, taken, 0, |man| man == promoted),
            (Some(taken), None) => {
                let king = Bitboard::of(men.kings[mover]).0;
                shared(geometry, men, taken, king, |man| geometry.men()[man].color == mover)
            }
        };
        std::array::from_fn(|w| free[w] & by_taker[w] & !illegal[w])
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
}

/// The squares of the row's fixed men, one outer man being ignored; `None` if two of them share a square.
#[inline(always)]
fn fixed_without(men: &RowMen, ignored: Option<usize>) -> Option<u64> {
    let mut fixed = men.king_bits();
    for (man, square) in men.outer.iter().enumerate() {
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

/// The bits in which every man stands where it may, and on a square of its own but for the man that an exit takes. A
/// pawn that an exit promotes stands on its promotion rank.
#[inline(always)]
pub(crate) fn free<const W: usize>(geometry: &Geometry, men: &RowMen, exit: ExitMen) -> Row<W> {
    let region = |man: usize| match exit.promoted {
        Some(promoted) if promoted == man => geometry.men()[man].color.promotion_squares().0,
        _ => geometry.region(man),
    };
    let Some(fixed) = fixed_without(men, exit.taken) else { return [0; W] };
    if men.outer.iter().enumerate().any(|(man, square)| region(man) >> square.number() & 1 == 0) {
        return [0; W];
    }
    let last = geometry.men().len() - 1;
    let inner_region = if W == 64 { region(last - 1) } else { !0 };
    let inner_counts = W == 64 && exit.taken != Some(last.wrapping_sub(1));
    let (bit_region, bit_counts) = (region(last), exit.taken != Some(last));
    std::array::from_fn(|w| {
        let word = 1u64 << (w & 63);
        let inner = if inner_counts { word } else { 0 };
        if fixed & inner != 0 || (W == 64 && inner_region & word == 0) {
            0
        } else if bit_counts {
            bit_region & !(fixed | inner)
        } else {
            bit_region
        }
    })
}

/// The bits in which a man shares its square with one of some others, or with one of some fixed squares.
#[inline(always)]
pub(crate) fn shared<const W: usize>(
    geometry: &Geometry,
    men: &RowMen,
    man: usize,
    mut fixed: u64,
    is_other: impl Fn(usize) -> bool,
) -> Row<W> {
    for (other, square) in men.outer.iter().enumerate() {
        if other != man && is_other(other) {
            fixed |= 1 << square.number();
        }
    }
    let last = geometry.men().len() - 1;
    let with_inner = W == 64 && is_other(last - 1);
    let with_bit = is_other(last);
    std::array::from_fn(|w| {
        let word = 1u64 << (w & 63);
        match geometry.axis_kind(man) {
            AxisKind::Outer(axis) => {
                let on = 1u64 << men.outer[axis].number();
                if fixed & on != 0 || (with_inner && word == on) {
                    !0
                } else if with_bit {
                    on
                } else {
                    0
                }
            }
            AxisKind::Inner if fixed & word != 0 => !0,
            AxisKind::Inner if with_bit => word,
            AxisKind::Inner => 0,
            AxisKind::Bit => fixed | if with_inner { word } else { 0 },
        }
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
