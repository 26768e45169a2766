//! A material, its colour-flipped form, and the materials that its exits lead to.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{MAX_MEN, MaterialSide, Orientation};
use makruk_rules::{Board, ByColor, ByRole, Color, CountRule, Piece, Role};

/// The men of both sides in canonical order: `KRRvKR`. White is the first side of the name.
///
/// A material and its colour-flipped form share one table, so the colours of a `Material` need not be those of a
/// position:
/// [`Material::of`] returns the orientation.
///
/// ```
/// use makruk_format::material::{Material, Orientation};
/// use makruk_rules::Fen;
///
/// // Either side may come first, in any lettering; the canonical name has the side with more men first.
/// let material: Material = "KRvKQR".parse()?;
/// assert_eq!(material.to_string(), "KRMvKR");
/// assert_eq!(material.men(), 5);
/// let children: Vec<String> = material.children().iter().map(Material::to_string).collect();
/// assert_eq!(children, ["KRMvK", "KRvKR", "KRvKM"]);
///
/// let fen = Fen::parse("8/8/3k4/8/3rm3/8/8/R3K3 w - 128 0")?;
/// let found = Material::of(fen.position.board())?;
/// assert_eq!(found.material, material);
/// assert_eq!(found.orientation, Orientation::ColorFlipped);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, with = "String"))]
pub struct Material {
    sides: ByColor<MaterialSide>,
}

/// A material, and the orientation of a board or of another material against its canonical name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Oriented {
    /// The material, canonically named.
    pub material: Material,
    /// The orientation of the board or material that it was derived from.
    pub orientation: Orientation,
}

/// A text that does not name a material.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseMaterialError {
    /// The text is not of the form `KRRvKR`.
    #[error(
        "{0:?} is not a material: expected two sides with a king each, such as KRRvKR, \
         in letters R (rook), N (knight), S (khon), M (met), P (pawn)"
    )]
    Syntax(String),
    /// A side has more men of a role than the game.
    #[error(
        "{0:?} is not a material: a side has at most 2 rooks, 2 knights, 2 khons, 8 pawns, and 9 mets and pawns together"
    )]
    Impossible(String),
    /// The material has more than [`MAX_MEN`] men.
    #[error("{text:?} has {men} men: materials of up to {MAX_MEN} men have tables")]
    TooManyMen {
        /// The text.
        text: String,
        /// The number of men.
        men: usize,
    },
}

/// A number of men that no table has: more than [`MAX_MEN`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the position has {0} men: the tables cover up to {MAX_MEN}")]
pub struct TooManyMen(pub u32);

impl Material {
    /// Two bare kings: always a draw, without a table.
    pub const BARE_KINGS: Material =
        Material { sides: ByColor { white: MaterialSide::BARE, black: MaterialSide::BARE } };

    /// The material of two sides' men, and their orientation against its canonical order.
    pub(crate) fn of_sides(white: MaterialSide, black: MaterialSide) -> Oriented {
        let sides = ByColor { white, black };
        if black < white {
            Oriented { material: Material { sides: sides.swap() }, orientation: Orientation::ColorFlipped }
        } else {
            Oriented { material: Material { sides }, orientation: Orientation::Canonical }
        }
    }

    /// The material on a board, and the board's orientation against it.
    ///
    /// # Errors
    ///
    /// If there are more than [`MAX_MEN`] men.
    pub fn of(board: &Board) -> Result<Oriented, TooManyMen> {
        if board.men() as usize > MAX_MEN {
            return Err(TooManyMen(board.men()));
        }
        Ok(Material::of_sides(MaterialSide::of(board, Color::White), MaterialSide::of(board, Color::Black)))
    }

    /// All materials of `men` men, kings included, in order.
    pub fn all(men: usize) -> Vec<Material> {
        let mut all = Vec::new();
        let Some(pieces) = men.checked_sub(2).filter(|&pieces| pieces > 0) else { return all };
        for black in 0..=pieces / 2 {
            for white_men in MaterialSide::all(pieces - black) {
                all.extend(
                    MaterialSide::all(black)
                        .into_iter()
                        .map(|black_men| Material::of_sides(white_men, black_men).material),
                );
            }
        }
        all.sort();
        all.dedup();
        all
    }

    /// A number that no other material has, below 2^40.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.sides.white.key() << 20 | self.sides.black.key()
    }

    /// One side's men.
    pub fn side(&self, color: Color) -> MaterialSide {
        self.sides[color]
    }

    /// The number of men, kings included.
    pub fn men(&self) -> usize {
        2 + self.sides.white.total() + self.sides.black.total()
    }

    /// Whether each side has a man besides its king.
    #[inline]
    pub fn is_armed(&self) -> bool {
        self.sides.iter().all(|men| !men.is_bare())
    }

    /// Whether either side has an unpromoted pawn.
    #[inline]
    pub fn has_pawns(&self) -> bool {
        self.sides.iter().any(|men| men.count(Role::Pawn) > 0)
    }

    /// The number of unpromoted pawns of both sides.
    pub(crate) fn pawns(&self) -> u32 {
        self.sides.iter().map(|men| men.count(Role::Pawn)).sum()
    }

    /// The rule of the counts that run in positions of this material.
    #[inline]
    pub fn count_rule(&self) -> CountRule {
        if self.has_pawns() || *self == Material::BARE_KINGS {
            CountRule::None
        } else if self.is_armed() {
            CountRule::Board
        } else {
            CountRule::Pieces
        }
    }

    /// Whether a man of either side moves differently up and down the board. Then only the left-right symmetry is left.
    pub(crate) fn is_directed(&self) -> bool {
        self.pieces().any(|piece| piece.role.is_directed())
    }

    /// Whether both sides have the same men, as in KRvKR.
    pub fn is_color_symmetric(&self) -> bool {
        self.sides.white == self.sides.black
    }

    /// The men besides the kings: White's in the order R N S M P, then Black's.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        let sides = self.sides;
        Color::ALL.into_iter().flat_map(move |color| sides[color].roles().map(move |role| Piece::new(color, role)))
    }

    /// The materials that captures and promotions lead to, each once, [`Material::BARE_KINGS`] left out.
    pub fn children(&self) -> Vec<Material> {
        let exits = Color::ALL.into_iter().flat_map(|mover| self.exits(mover));
        let mut children: Vec<_> =
            exits.map(|exit| exit.child.material).filter(|&child| child != Material::BARE_KINGS).collect();
        children.sort();
        children.dedup();
        children
    }

    /// These materials and all that captures and promotions lead to from them, children before parents, each once.
    pub fn with_descendants(materials: impl IntoIterator<Item = Material>) -> Vec<Material> {
        let mut all: Vec<Material> = materials.into_iter().collect();
        let mut next = 0;
        while let Some(material) = all.get(next) {
            let children = material.children();
            all.extend(children);
            next += 1;
        }
        all.retain(|&material| material != Material::BARE_KINGS);
        all.sort_by_key(|material| (material.men(), material.pawns(), *material));
        all.dedup();
        all
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.sides.white, self.sides.black)
    }
}

/// Reads either order of the sides, any lettering, and the letters of a side in any order.
impl FromStr for Material {
    type Err = ParseMaterialError;

    fn from_str(text: &str) -> Result<Material, ParseMaterialError> {
        let syntax = || ParseMaterialError::Syntax(text.chars().take(40).collect());
        let side = |letters: &str| {
            let mut counts = ByRole::<u8>::default();
            let mut rest = letters.chars();
            if !rest.next().is_some_and(|king| king.eq_ignore_ascii_case(&'K')) {
                return Err(syntax());
            }
            // As people write it: `K+2R`.
            let mut number = 1;
            for letter in rest.filter(|letter| !matches!(letter, '+' | ' ')) {
                if let Some(digit @ 1..=8) = letter.to_digit(10) {
                    number = digit as u8;
                    continue;
                }
                let role = Role::from_letter(letter).ok_or_else(syntax)?;
                counts.get(role).ok_or_else(syntax)?;
                counts[role] = counts[role].saturating_add(std::mem::replace(&mut number, 1));
            }
            if number != 1 {
                return Err(syntax());
            }
            Ok(MaterialSide::new(counts))
        };
        let (white, black) = text.split_once(['v', 'V']).ok_or_else(syntax)?;
        let (white, black) = (side(white.trim())?, side(black.trim())?);
        let men = 2 + white.total() + black.total();
        if !white.is_possible() || !black.is_possible() {
            Err(ParseMaterialError::Impossible(text.chars().take(40).collect()))
        } else if men > MAX_MEN {
            Err(ParseMaterialError::TooManyMen { text: text.to_owned(), men })
        } else {
            Ok(Material::of_sides(white, black).material)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_has_this_many_materials() {
        let counts: Vec<usize> = (2..=6).map(|men| Material::all(men).len()).collect();
        assert_eq!(counts, [0, 5, 30, 107, 335]);
        let pawnless = |men| Material::all(men).into_iter().filter(|material| !material.has_pawns()).count();
        assert_eq!([3, 4, 5, 6, 7].map(pawnless), [4, 20, 57, 146, 288]);
    }

    #[test]
    fn names_are_canonical_and_read_back_from_either_side() {
        for men in 3..=7 {
            for material in Material::all(men) {
                let name = material.to_string();
                assert_eq!(name.parse(), Ok(material));
                let (white, black) = name.split_once('v').unwrap();
                assert_eq!(format!("{black}v{white}").parse(), Ok(material));
                assert_eq!(material.men(), men);
            }
        }
        for (text, canonical) in [
            ("KRvKRR", "KRRvKR"),
            ("KNvKR", "KRvKN"),
            ("KSvKN", "KNvKS"),
            ("kqbvk", "KSMvK"),
            ("KvKPR", "KRPvK"),
            ("KPvKM", "KMvKP"),
        ] {
            assert_eq!(text.parse::<Material>().unwrap().to_string(), canonical);
        }
    }

    #[test]
    fn texts_that_name_no_material() {
        for text in ["", "K", "v", "KR", "KRv", "vKR", "KRvR", "KXvK", "KKvK", "KRvKvK", "สvK"] {
            assert!(matches!(text.parse::<Material>(), Err(ParseMaterialError::Syntax(_))), "{text}");
        }
        for text in ["KRRRvK", "KPPPPPPPPPvK", "KMMMMMPPPPPvK"] {
            assert!(matches!(text.parse::<Material>(), Err(ParseMaterialError::Impossible(_))), "{text}");
        }
        assert!(matches!("KRRNNvKRR".parse::<Material>(), Err(ParseMaterialError::TooManyMen { men: 8, .. })));
        assert_eq!("KvK".parse(), Ok(Material::BARE_KINGS));
    }

    #[test]
    fn captures_lead_to_children() {
        let names = |material: &str| -> Vec<String> {
            material.parse::<Material>().unwrap().children().iter().map(Material::to_string).collect()
        };
        assert_eq!(names("KRRvKR"), ["KRRvK", "KRvKR"]);
        assert_eq!(names("KNNvKS"), ["KNNvK", "KNvKS"]);
        assert_eq!(names("KSMvKN"), ["KSMvK", "KNvKS", "KNvKM"]);
        assert!(names("KMvK").is_empty());
        assert_eq!(names("KRPvKN"), ["KRMvKN", "KRMvK", "KRPvK", "KRvKN", "KNvKP"]);
    }

    #[test]
    fn children_come_before_parents() {
        let all = Material::with_descendants(Material::all(5));
        assert_eq!(all.len(), 142);
        for (at, material) in all.iter().enumerate() {
            assert!(material.children().iter().all(|child| all[..at].contains(child)));
        }
    }
}
