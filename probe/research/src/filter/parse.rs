//! Reads filters.

use std::ops::RangeInclusive;

use makruk_tables::rules::{Color, Piece, Role};

use super::test::{Kind, Number, Test};
use super::{FilterError, Wanted};
use crate::region::{Pattern, parse_region};

/// The longest filter that is read.
const MOST_BYTES: usize = 4000;
/// How deep parentheses and `not` may go.
const DEEPEST: usize = 50;
/// The longest word that an error repeats, in characters.
const LONGEST_WORD: usize = 40;

/// A word, or an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    column: usize,
}

/// The operators of tests.
const OPERATORS: [&str; 6] = ["!=", "<=", ">=", "=", "<", ">"];
const FIELDS: &str = "a field (sacrifice, given, offered, abandoned, needed, left, unique, saving, legal, move, by, short, \
                      dtm, dtz, check, side, king, hunter, board, or a man's letter)";

pub(super) fn parse(text: &str) -> Result<Wanted, FilterError> {
    if text.len() > MOST_BYTES {
        return Err(FilterError {
            column: 1,
            expected: format!("at most {MOST_BYTES} bytes"),
            found: format!("{}", text.len()),
        });
    }
    let mut parser = Parser { tokens: tokens(text), at: 0, end: text.chars().count() + 1, depth: 0 };
    if parser.tokens.is_empty() {
        return Ok(Wanted::All(Vec::new()));
    }
    let wanted = parser.any()?;
    match parser.peek() {
        None => Ok(wanted),
        Some(_) => Err(parser.fail("and, or, or the end")),
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut column) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let is_symbol = |letter: char| "()=!<>".contains(letter);
        let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator)).map(|operator| operator.len());
        let length = match operator {
            Some(length) => length,
            None if first.is_whitespace() || is_symbol(first) => first.len_utf8(),
            None => rest.find(|letter: char| letter.is_whitespace() || is_symbol(letter)).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        if !first.is_whitespace() {
            tokens.push(Token { text: token, column });
        }
        column += token.chars().count();
        rest = after;
    }
    tokens
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    /// The column behind the last.
    end: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).map(|token| token.text)
    }

    fn take(&mut self, text: &str) -> bool {
        let is_next = self.peek() == Some(text);
        self.at += usize::from(is_next);
        is_next
    }

    /// Something else was expected here.
    fn fail(&self, expected: impl Into<String>) -> FilterError {
        let token = self.tokens.get(self.at);
        let found = token.map_or("the end".to_owned(), |token| {
            let mut shown: String = token.text.chars().take(LONGEST_WORD).collect();
            if shown.len() < token.text.len() {
                shown.push_str("...");
            }
            format!("{shown:?}")
        });
        FilterError { column: token.map_or(self.end, |token| token.column), expected: expected.into(), found }
    }

    fn any(&mut self) -> Result<Wanted, FilterError> {
        let mut parts = vec![self.all()?];
        while self.take("or") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Wanted::Any(parts) })
    }

    fn all(&mut self) -> Result<Wanted, FilterError> {
        let mut parts = vec![self.one()?];
        while self.take("and") {
            parts.push(self.one()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Wanted::All(parts) })
    }

    fn one(&mut self) -> Result<Wanted, FilterError> {
        if self.depth == DEEPEST {
            return Err(self.fail(format!("at most {DEEPEST} parentheses and nots within each other")));
        }
        self.depth += 1;
        let one = if self.take("not") {
            Wanted::Not(Box::new(self.one()?))
        } else if self.take("(") {
            let inner = self.any()?;
            if !self.take(")") {
                return Err(self.fail("and, or, or )"));
            }
            inner
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(one)
    }

    fn test(&mut self) -> Result<Wanted, FilterError> {
        let field = self.peek().filter(|text| !matches!(*text, "(" | ")" | "and" | "or"));
        let Some(field) = field.filter(|text| !OPERATORS.contains(text)) else {
            return Err(self.fail(format!("not, ( or {FIELDS}")));
        };
        let flag = match field {
            "offered" => Some(Test::Offered(true)),
            "abandoned" => Some(Test::Offered(false)),
            "unique" => Some(Test::Unique),
            "check" => Some(Test::Check),
            _ => None,
        };
        if let Some(test) = flag {
            self.at += 1;
            return Ok(Wanted::Test(test));
        }
        if !is_field(field) {
            return Err(self.fail(FIELDS));
        }
        self.at += 1;
        let number = number(field);
        let operators = if number.is_some() { "=, !=, <, <=, > or >=" } else { "= or !=" };
        let operator = self.peek().filter(|text| OPERATORS.contains(text));
        let operator = operator.filter(|text| number.is_some() || text.ends_with('=') && !text.starts_with(['<', '>']));
        let Some(operator) = operator else { return Err(self.fail(operators)) };
        self.at += 1;
        let value = self.peek().unwrap_or_default();
        let test = match number {
            Some(number) => number_test(number, operator, value),
            None => worded_test(field, value),
        };
        let test = test.map_err(|expected| self.fail(expected))?;
        self.at += 1;
        Ok(if operator == "!=" { Wanted::Not(Box::new(test)) } else { test })
    }
}

fn is_field(field: &str) -> bool {
    matches!(field, "sacrifice" | "given" | "move" | "by" | "side" | "king" | "hunter" | "board")
        || number(field).is_some()
        || man(field).is_some()
}

/// The man of a letter; only those that are written, so that no word is taken for one.
fn man(field: &str) -> Option<Piece> {
    let mut letters = field.chars();
    let letter = letters.next().filter(|letter| "KRNSMkrnsm".contains(*letter) && letters.next().is_none())?;
    Piece::from_letter(letter)
}

fn number(field: &str) -> Option<Number> {
    Some(match field {
        "needed" => Number::Needed,
        "left" => Number::Left,
        "saving" => Number::Saving,
        "legal" => Number::Legal,
        "short" => Number::Short,
        "dtm" => Number::Dtm,
        "dtz" => Number::Dtz,
        _ => return None,
    })
}

fn number_test(number: Number, operator: &str, value: &str) -> Result<Wanted, String> {
    let is_equal = matches!(operator, "=" | "!=");
    if number == Number::Short && value == "?" && is_equal {
        return Ok(Wanted::Test(Test::ShortUnknown));
    }
    let expected = match (number, is_equal) {
        (Number::Short, true) => "a whole number, a range such as 1..3, or ?",
        (_, true) => "a whole number, or a range such as 1..3",
        (_, false) => "a whole number",
    };
    let read = |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let bounds: Option<RangeInclusive<u32>> = match (operator, value.split_once("..")) {
        ("=" | "!=", Some((first, last))) => read(first).zip(read(last)).map(|(first, last)| first..=last),
        ("=" | "!=", None) => read(value).map(|number| number..=number),
        ("<=", None) => read(value).map(|most| 0..=most),
        (">=", None) => read(value).map(|least| least..=u32::MAX),
        // Below 0, and above the highest, there is nothing.
        #[allow(clippy::reversed_empty_ranges)]
        ("<", None) => read(value).map(|above| above.checked_sub(1).map_or(1..=0, |most| 0..=most)),
        #[allow(clippy::reversed_empty_ranges)]
        (">", None) => read(value).map(|below| below.checked_add(1).map_or(1..=0, |least| least..=u32::MAX)),
        _ => None,
    };
    bounds.map(|bounds| Wanted::Test(Test::Number(number, bounds))).ok_or_else(|| expected.to_owned())
}

fn worded_test(field: &str, value: &str) -> Result<Wanted, String> {
    let test = match field {
        "sacrifice" => match value {
            "last" => Test::Sacrifice { last: true },
            "any" => Test::Sacrifice { last: false },
            "none" => return Ok(Wanted::Not(Box::new(Wanted::Test(Test::Sacrifice { last: false })))),
            _ => return Err("last, any or none".to_owned()),
        },
        "given" => Test::Given(roles(value, "RNSM").ok_or("R, N, S or M, or several with commas between")?),
        "by" => Test::By(roles(value, "KRNSM").ok_or("K, R, N, S or M, or several with commas between")?),
        "move" => {
            let kind = |word| match word {
                "quiet" => Some(Kind::Quiet),
                "check" => Some(Kind::Check),
                "capture" => Some(Kind::Capture),
                _ => None,
            };
            let kinds: Option<Vec<Kind>> = value.split(',').map(kind).collect();
            Test::Kind(kinds.ok_or("quiet, check or capture, or several with commas between")?)
        }
        "side" => {
            let side = Color::ALL.into_iter().find(|side| side.name() == value);
            Test::Side(side.ok_or("white or black")?)
        }
        "board" => Test::Board(Pattern::parse(value)?),
        _ => {
            let squares = parse_region(value)
                .ok_or("squares: e4, a1..h2, file-a, rank-1, edge, corner or centre, or several with commas between")?;
            match man(field) {
                Some(man) => Test::Man(man, squares),
                None => Test::King { own: field == "king", squares },
            }
        }
    };
    Ok(Wanted::Test(test))
}

fn roles(value: &str, letters: &str) -> Option<Vec<Role>> {
    let role = |part: &str| {
        let mut rest = part.chars();
        let letter = rest.next().filter(|letter| letters.contains(*letter) && rest.next().is_none())?;
        Role::from_letter(letter)
    };
    value.split(',').map(role).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Filter;

    fn error(text: &str) -> (usize, String) {
        let error = text.parse::<Filter>().unwrap_err();
        (error.column, error.to_string())
    }

    #[test]
    fn filters_of_all_kinds_are_read() {
        for text in [
            "",
            "  ",
            "unique",
            "sacrifice=last and unique and short<=2 and given=R and king=a1..h2",
            "not (check or side = black)or K=centre and k!=edge,d4",
            "short=1..3 and short!=? and dtz>128 and left<5 and needed>=4 and saving!=2 and legal=1",
            "offered or abandoned or move=quiet,check,capture or by=K,R or given!=N,S,M",
            "((((unique))))",
            "board=*/*/*/*/*/*/*/k7 and hunter=file-a,rank-1 and R=e4 and m=corner",
        ] {
            let filter: Filter = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(filter.to_string(), text);
        }
        let tells = |text: &str| text.parse::<Filter>().unwrap().tells_images_apart();
        assert!(!tells("unique and side=white") && tells("unique and not (check or k=e4)"));
    }

    #[test]
    fn not_binds_closest_then_and() {
        let wanted = |text| parse(text).unwrap();
        assert_eq!(wanted("not check and unique or offered"), wanted("((not check) and unique) or offered"));
        assert_ne!(wanted("not check and unique"), wanted("not (check and unique)"));
        assert_eq!(wanted("legal<5"), wanted("legal<=4"));
        assert_eq!(wanted("legal>5"), wanted("legal>=6"));
        assert_eq!(wanted("sacrifice=none"), wanted("not sacrifice=any"));
    }

    #[test]
    fn errors_name_the_column_and_what_was_expected() {
        for (text, column, what) in [
            ("short<= and", 9, "a whole number, found \"and\""),
            ("short<=1..2", 8, "expected a whole number, found \"1..2\""),
            ("short=", 7, "or ?, found the end"),
            ("dtm=?", 5, "range"),
            ("unique unique", 8, "expected and, or, or the end, found \"unique\""),
            ("unique and", 11, "expected not, ( or a field"),
            ("(unique", 8, "expected and, or, or ), found the end"),
            ("unique)", 7, "found \")\""),
            ("sacrfice=last", 1, "expected a field (sacrifice, given"),
            ("sacrifice", 10, "expected = or !=, found the end"),
            ("sacrifice<last", 10, "expected = or !=, found \"<\""),
            ("legal!3", 6, "expected =, !=, <, <=, > or >="),
            ("sacrifice=first", 11, "expected last, any or none, found \"first\""),
            ("given=K", 7, "expected R, N, S or M"),
            ("given=RN", 7, "with commas"),
            ("move=loud", 6, "expected quiet, check or capture"),
            ("side=red", 6, "expected white or black"),
            ("king=z9", 6, "expected squares: e4"),
            ("board=8/8", 7, "8 ranks"),
            ("\u{0e01} = 1", 1, "expected a field"),
            ("unique and\t\u{0e01}", 12, "\u{0e01}"),
            ("legal=-1", 7, "expected a whole number"),
            ("legal=99999999999", 7, "expected a whole number"),
        ] {
            let (at, text_of) = error(text);
            assert!(at == column && text_of.contains(what), "{text}: column {at}, {text_of}");
        }
        assert!(error(&"(".repeat(1000)).1.contains("at most 50"));
        assert!(error(&"not ".repeat(900)).1.contains("at most 50"));
        assert!(error(&"unique or ".repeat(500)).1.contains("at most 4000 bytes"));
        assert!(error(&format!("side={}", "x".repeat(300))).1.len() < 200);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,60}") {
            let _ = text.parse::<Filter>();
        }

        #[test]
        fn words_in_any_order_are_read_or_refused_within_the_text(
            words in prop::collection::vec(prop::sample::select(vec![
                "and", "or", "not", "(", ")", "unique", "check", "short", "legal", "=", "!=", "<=", "3", "1..2", "?",
                "sacrifice", "last", "k", "e4", "side", "white", "board", "8/8/8/8/8/8/8/8",
            ]), 0..12)
        ) {
            let text = words.join(" ");
            match text.parse::<Filter>() {
                Ok(filter) => prop_assert_eq!(filter.to_string(), text),
                Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column)),
            }
        }
    }
}
