//! The order in which positions come: set by set, side to move by side to move, by number in the table.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::Color;
use thiserror::Error;

/// A place in the order: a cell, whether a position is there or not. Written `KRRvKR:black:123456`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// The set.
    pub material: Material,
    /// The side to move, in the colours of the set's name.
    pub side: Color,
    /// The number within that side of the table.
    pub number: u64,
}

/// A text that is no place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} is no place in a scan: {problem}; expected SET:SIDE:NUMBER, such as KRRvKR:black:123456")]
pub struct ParseCursorError {
    text: String,
    problem: String,
}

/// One of so many parts of a scan, which follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    number: u64,
    of: u64,
}

/// Cells of one side of a set that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The set.
    pub material: Material,
    /// The side to move.
    pub side: Color,
    /// The cells' numbers.
    pub numbers: Range<u64>,
    /// The place of the first of them in the order.
    pub start: u64,
}

/// Sets one after the other, of each White to move, then Black. Places are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Set, side to move, place of its first cell.
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
        let [set, side, number] = parts[..] else {
            return Err(fail(format!("it has {} of the three fields", parts.len().min(3))));
        };
        let material: Material = set.parse().map_err(|error| fail(format!("its set cannot be used: {error}")))?;
        if material == Material::BARE_KINGS {
            return Err(fail("two bare kings have no table".to_owned()));
        }
        let found = |what: &str, found: &str| format!("its {what} is {found:?}");
        let side = Color::ALL.into_iter().find(|color| color.name() == side);
        let side = side.ok_or_else(|| fail(found("side", parts[1])))?;
        // A sign is no digit.
        let number = number.parse().ok().filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()));
        let number = number.ok_or_else(|| fail(found("number", parts[2])))?;
        Ok(Cursor { material, side, number })
    }
}

impl Part {
    /// All of it.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// The part that so many places make: parts are as long as each other, but for one place.
    pub fn of(self, places: Range<u64>) -> Range<u64> {
        let len = u128::from(places.end.saturating_sub(places.start));
        let at = |number: u64| places.start + (len * u128::from(number) / u128::from(self.of)) as u64;
        at(self.number - 1)..at(self.number)
    }

    /// Does what comes before the whole come before this part, too?
    pub const fn is_first(self) -> bool {
        self.number == 1
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of => Ok(Part { number, of }),
            _ => Err(format!("{text:?} is no part: expected K/N with K from 1 to N, such as 2/8")),
        }
    }
}

impl Order {
    /// These sets, each once, in the order given; with `side`, that side to move only.
    pub fn new(sets: impl IntoIterator<Item = Material>, side: Option<Color>) -> Order {
        let mut order = Order { sides: Vec::new(), len: 0 };
        for material in sets {
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

    /// How many places there are.
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// No place at all?
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The sets, in order.
    pub fn sets(&self) -> Vec<Material> {
        let mut sets: Vec<Material> = self.sides.iter().map(|(material, ..)| *material).collect();
        sets.dedup();
        sets
    }

    /// The cell at a place; `None` at the end.
    pub fn cursor(&self, place: u64) -> Option<Cursor> {
        let at = self.sides.partition_point(|(.., start)| *start <= place).checked_sub(1)?;
        let &(material, side, start) = self.sides.get(at)?;
        (place < self.len).then(|| Cursor { material, side, number: place - start })
    }

    /// The place of a cell, or of the end of a side, which has the number behind its last; `None` if it is not in the order.
    pub fn place(&self, cursor: Cursor) -> Option<u64> {
        let at =
            self.sides.iter().position(|&(material, side, _)| (material, side) == (cursor.material, cursor.side))?;
        let start = self.sides[at].2;
        let end = self.sides.get(at + 1).map_or(self.len, |next| next.2);
        (cursor.number <= end - start).then(|| start + cursor.number)
    }

    /// Some places as cells of sides that follow each other.
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

    fn set(name: &str) -> Material {
        name.parse().unwrap()
    }

    #[test]
    fn places_and_cells_are_a_bijection() {
        let order = Order::new(["KRvK", "KSvK", "KRvK"].map(set), None);
        assert_eq!(order.sets(), ["KRvK", "KSvK"].map(set));
        assert_eq!(order.len(), 2 * 64 * (462 + 1806));
        for place in (0..order.len()).step_by(97).chain([order.len() - 1]) {
            let cursor = order.cursor(place).unwrap();
            assert_eq!(order.place(cursor), Some(place));
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
        assert_eq!(order.cursor(order.len()), None);
        let end = Cursor { material: set("KSvK"), side: Color::Black, number: 64 * 1806 };
        assert_eq!(order.place(end), Some(order.len()));
        assert_eq!(order.place(Cursor { number: end.number + 1, ..end }), None);
        assert_eq!(order.place(Cursor { material: set("KNvK"), ..end }), None);
        let black = Order::new([set("KRvK")], Some(Color::Black));
        assert_eq!(black.cursor(5).unwrap().to_string(), "KRvK:black:5");
        assert_eq!(black.place("KRvK:white:5".parse().unwrap()), None);
    }

    #[test]
    fn stretches_cover_places_once_and_in_order() {
        let order = Order::new(["KRvK", "KSvK"].map(set), None);
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
                assert_eq!(part.is_first(), number == 1);
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
            ("KXvK:white:1", "its set cannot be used"),
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
