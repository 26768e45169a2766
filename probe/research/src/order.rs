//! The order of a scan: material by material, White to move before Black to move, cells by number.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use makruk_format::index::Layout;
use makruk_rules::Color;
use makruk_tables::material::Material;
use thiserror::Error;

/// A cell of a table, whether it holds a legal position or not. Written `KRRvKR:black:123456`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// The material.
    pub material: Material,
    /// The side to move, in the colours of the material's name.
    pub side: Color,
    /// The cell's number among those of this side to move.
    pub number: u64,
}

/// A text that is not a cursor.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} is not a valid cursor: {problem}; expected MATERIAL:SIDE:NUMBER, such as KRRvKR:black:123456")]
pub struct ParseCursorError {
    text: String,
    problem: String,
}

/// A cursor of a cell that the order does not contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{0} is not a position of the materials and sides to move that are named")]
pub struct CursorOutsideError(pub Cursor);

/// Part K of N equal parts of a scan. The outputs of all parts, concatenated in order, are the output of the whole
/// scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    number: u64,
    of: u64,
}

/// Consecutive cells of one side to move of a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The material.
    pub material: Material,
    /// The side to move.
    pub side: Color,
    /// The numbers of the cells.
    pub numbers: Range<u64>,
    /// The place of the first cell in the order.
    pub start: u64,
}

/// The cells of some materials in order: of each material those with White to move, then those with Black to move. A
/// cell's place in the order is counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Material, side to move, place of its first cell.
    sides: Vec<(Material, Color, u64)>,
    len: u64,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.material, self.side.name(), self.number)
    }
}

impl FromStr for Cursor {
    type Err = ParseCursorError;

    fn from_str(text: &str) -> Result<Cursor, ParseCursorError> {
        let fail = |problem: String| ParseCursorError { text: text.chars().take(60).collect(), problem };
        let parts: Vec<&str> = text.splitn(4, ':').collect();
        let [material, side, number] = parts[..] else {
            return Err(fail(format!("it has {} of the three fields", parts.len().min(3))));
        };
        let material: Material =
            material.parse().map_err(|error| fail(format!("its material cannot be used: {error}")))?;
        if material == Material::BARE_KINGS {
            return Err(fail("two bare kings have no table".to_owned()));
        }
        let found = |what: &str, found: &str| format!("its {what} is {found:?}");
        let side = Color::from_name(side).ok_or_else(|| fail(found("side", side)))?;
        // `u64::from_str` accepts a plus sign.
        let number = number.parse().ok().filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()));
        let number = number.ok_or_else(|| fail(found("number", parts[2])))?;
        Ok(Cursor { material, side, number })
    }
}

impl Part {
    /// Part `number` of `of`, the first being 1.
    pub const fn new(number: u64, of: u64) -> Part {
        Part { number, of }
    }

    /// The places of this part. The lengths of all parts differ by at most one place.
    pub fn of(self, places: Range<u64>) -> Range<u64> {
        let len = u128::from(places.end.saturating_sub(places.start));
        let at = |number: u64| places.start + (len * u128::from(number) / u128::from(self.of)) as u64;
        at(self.number - 1)..at(self.number)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of => Ok(Part { number, of }),
            _ => Err(format!("{text:?} is not a valid part: expected K/N with K from 1 to N, such as 2/8")),
        }
    }
}

impl Order {
    /// An order of materials as they are given, each once; with `side`, only cells with that side to move. Two bare
    /// kings, which have no table, are left out.
    pub fn new(materials: impl IntoIterator<Item = Material>, side: Option<Color>) -> Order {
        let mut order = Order { sides: Vec::new(), len: 0 };
        for material in materials {
            if material == Material::BARE_KINGS || order.sides.iter().any(|(known, ..)| *known == material) {
                continue;
            }
            let positions = Layout::new(material).positions();
            for color in Color::ALL.into_iter().filter(|&color| side.is_none_or(|side| side == color)) {
                order.sides.push((material, color, order.len));
                order.len += positions[color];
            }
        }
        order
    }

    /// The number of places.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Whether the order is without any place.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The materials, in order.
    pub fn materials(&self) -> Vec<Material> {
        let mut materials: Vec<Material> = self.sides.iter().map(|(material, ..)| *material).collect();
        materials.dedup();
        materials
    }

    /// The cell at a place; `None` at the end of the order.
    pub fn cursor(&self, place: u64) -> Option<Cursor> {
        let at = self.sides.partition_point(|(.., start)| *start <= place).checked_sub(1)?;
        let &(material, side, start) = self.sides.get(at)?;
        (place < self.len).then(|| Cursor { material, side, number: place - start })
    }

    /// The place of a cell, or of the end of a side to move, whose number follows that of the side's last cell. `None`
    /// if the cell is not in the order.
    pub fn place(&self, cursor: Cursor) -> Option<u64> {
        let at =
            self.sides.iter().position(|&(material, side, _)| (material, side) == (cursor.material, cursor.side))?;
        let start = self.sides[at].2;
        let end = self.sides.get(at + 1).map_or(self.len, |next| next.2);
        (cursor.number <= end - start).then(|| start + cursor.number)
    }

    /// The places from one cell to before another; without them, from the beginning and to the end of the order.
    ///
    /// # Errors
    ///
    /// If a cell is not in the order.
    pub fn places(&self, from: Option<Cursor>, until: Option<Cursor>) -> Result<Range<u64>, CursorOutsideError> {
        let place = |cursor: Option<Cursor>, default: u64| match cursor {
            None => Ok(default),
            Some(cursor) => self.place(cursor).ok_or(CursorOutsideError(cursor)),
        };
        let (first, end) = (place(from, 0)?, place(until, self.len)?);
        Ok(first..end.max(first))
    }

    /// Consecutive places as stretches of cells, in order.
    pub fn stretches(&self, places: Range<u64>) -> impl Iterator<Item = Stretch> + '_ {
        self.sides.iter().enumerate().filter_map(move |(at, &(material, side, start))| {
            let end = self.sides.get(at + 1).map_or(self.len, |next| next.2);
            let (first, last) = (places.start.max(start), places.end.min(end));
            (first < last).then(|| Stretch { material, side, numbers: first - start..last - start, start: first })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str) -> Material {
        name.parse().unwrap()
    }

    #[test]
    fn places_and_cells_are_a_bijection() {
        let order = Order::new(["KRvK", "KSvK", "KRvK"].map(material), None);
        assert_eq!(order.materials(), ["KRvK", "KSvK"].map(material));
        assert_eq!(order.len(), 2 * 64 * (462 + 1806));
        for place in (0..order.len()).step_by(97).chain([order.len() - 1]) {
            let cursor = order.cursor(place).unwrap();
            assert_eq!(order.place(cursor), Some(place));
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
        assert_eq!(order.cursor(order.len()), None);
        let end = Cursor { material: material("KSvK"), side: Color::Black, number: 64 * 1806 };
        assert_eq!(order.place(end), Some(order.len()));
        assert_eq!(order.place(Cursor { number: end.number + 1, ..end }), None);
        let outside = Cursor { material: material("KNvK"), ..end };
        assert_eq!(order.place(outside), None);
        let first = Cursor { number: 0, ..end };
        assert_eq!(order.places(Some(first), Some(end)), Ok(order.len() - 64 * 1806..order.len()));
        assert_eq!(order.places(Some(end), Some(first)), Ok(order.len()..order.len()));
        assert_eq!(order.places(None, None), Ok(0..order.len()));
        assert_eq!(order.places(None, Some(outside)), Err(CursorOutsideError(outside)));
        let black = Order::new([material("KRvK")], Some(Color::Black));
        assert_eq!(black.cursor(5).unwrap().to_string(), "KRvK:black:5");
        assert_eq!(black.place("KRvK:white:5".parse().unwrap()), None);
    }

    #[test]
    fn stretches_cover_places_once_and_in_order() {
        let order = Order::new(["KRvK", "KSvK"].map(material), None);
        for places in [0..order.len(), 100..100, 5..64 * 462, 64 * 462 - 1..64 * 462 + 1, 17..order.len() - 3] {
            let mut next = places.start;
            for stretch in order.stretches(places.clone()) {
                assert_eq!(stretch.start, next);
                let first = Cursor { material: stretch.material, side: stretch.side, number: stretch.numbers.start };
                assert_eq!(order.cursor(next), Some(first));
                next += stretch.numbers.end - stretch.numbers.start;
            }
            assert_eq!(next, places.end);
        }
    }

    #[test]
    fn parts_follow_each_other() {
        for of in [1, 2, 3, 7, 64] {
            let mut next = 11;
            for number in 1..=of {
                let part: Part = format!("{number}/{of}").parse().unwrap();
                let places = part.of(11..1000);
                assert_eq!(places.start, next);
                assert!(places.end - places.start >= 989 / of && places.end - places.start <= 989 / of + 1);
                next = places.end;
            }
            assert_eq!(next, 1000);
        }
        for bad in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(bad.parse::<Part>().unwrap_err().contains("expected K/N"), "{bad}");
        }
    }

    #[test]
    fn texts_that_are_no_cursor_say_why() {
        for (text, why) in [
            ("", "1 of the three fields"),
            ("KRvK:white", "2 of the three fields"),
            ("KXvK:white:1", "its material cannot be used"),
            ("KvK:white:1", "two bare kings"),
            ("KRvK:red:1", "its side is \"red\""),
            ("KRvK:white:-1", "its number is \"-1\""),
            ("KRvK:white:1:2", "3 of the three fields"),
            ("KRvK:white:99999999999999999999", "its number is"),
        ] {
            let error = text.parse::<Cursor>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
