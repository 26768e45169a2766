//! The parser of filters.

use std::ops::RangeInclusive;

use makruk_probe::SacrificeKind;
use makruk_rules::{Color, Piece, Role};
use thiserror::Error;

use super::condition::{Condition, KingOf, MoveClass, Poison, Quantity};
use super::expression::Expression;
use crate::kind::PositionKind;
use crate::region::{Pattern, parse_region};

/// The longest filter that is read.
const MOST_BYTES: usize = 4000;
/// The deepest nesting of parentheses and `not`.
const DEEPEST: usize = 50;
/// The longest word that an error repeats, in characters.
const LONGEST_WORD: usize = 40;

/// The error of a text that is not a filter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot read the filter at column {column}: expected {expected}, found {found}")]
pub struct FilterError {
    /// The first character that cannot be read; the text begins at column 1.
    pub column: usize,
    /// The text that was expected there.
    pub expected: String,
    /// The text found there.
    pub found: String,
}

/// A word, or an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    column: usize,
}

/// The operators of conditions.
const OPERATORS: [&str; 6] = ["!=", "<=", ">=", "=", "<", ">"];
/// The fields that positions of a kind have, as an error lists them.
const fn fields(kind: PositionKind) -> &'static str {
    match kind {
        PositionKind::Saves => {
            "a field (sacrifice, kind, given, offered, abandoned, needed, left, unique, saving, legal, move, by, \
             short, dtm, dtz, check, side, king, attacker_king, board, or a man's letter)"
        }
        PositionKind::Wins => {
            "a field of wins (spare, poisoned, unique, saving, legal, move, by, dtm, dtz, check, side, king, \
             attacker_king, board, or a man's letter)"
        }
        PositionKind::Zugzwangs => {
            "a field of zugzwangs (by_count, full, unique, saving, legal, move, by, dtm, dtz, check, side, king, \
             attacker_king, board, or a man's letter)"
        }
    }
}

/// Whether positions of a kind have a field.
fn has_field(kind: PositionKind, field: &str) -> bool {
    match field {
        "sacrifice" | "kind" | "given" | "offered" | "abandoned" | "needed" | "left" | "short" => {
            kind == PositionKind::Saves
        }
        "spare" | "poisoned" => kind == PositionKind::Wins,
        "by_count" | "full" => kind == PositionKind::Zugzwangs,
        "unique" | "check" | "move" | "by" | "side" | "king" | "attacker_king" | "board" => true,
        _ => quantity(field).is_some() || man(field).is_some(),
    }
}

pub(super) fn parse(kind: PositionKind, text: &str) -> Result<Expression, FilterError> {
    if text.len() > MOST_BYTES {
        return Err(FilterError {
            column: 1,
            expected: format!("at most {MOST_BYTES} bytes"),
            found: format!("{}", text.len()),
        });
    }
    let mut parser = Parser { kind, tokens: tokens(text), at: 0, end: text.chars().count() + 1, depth: 0 };
    if parser.tokens.is_empty() {
        return Ok(Expression::All(Vec::new()));
    }
    let expression = parser.any()?;
    match parser.peek() {
        None => Ok(expression),
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
    kind: PositionKind,
    tokens: Vec<Token<'a>>,
    at: usize,
    /// The column after the last character.
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

    fn any(&mut self) -> Result<Expression, FilterError> {
        let mut parts = vec![self.all()?];
        while self.take("or") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Any(parts) })
    }

    fn all(&mut self) -> Result<Expression, FilterError> {
        let mut parts = vec![self.one()?];
        while self.take("and") {
            parts.push(self.one()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::All(parts) })
    }

    fn one(&mut self) -> Result<Expression, FilterError> {
        if self.depth == DEEPEST {
            return Err(self.fail(format!("at most {DEEPEST} nested parentheses and nots")));
        }
        self.depth += 1;
        let one = if self.take("not") {
            Expression::Not(Box::new(self.one()?))
        } else if self.take("(") {
            let inner = self.any()?;
            if !self.take(")") {
                return Err(self.fail("and, or, or )"));
            }
            inner
        } else {
            self.condition()?
        };
        self.depth -= 1;
        Ok(one)
    }

    fn condition(&mut self) -> Result<Expression, FilterError> {
        let field = self.peek().filter(|text| !matches!(*text, "(" | ")" | "and" | "or"));
        let Some(field) = field.filter(|text| !OPERATORS.contains(text)) else {
            return Err(self.fail(format!("not, ( or {}", fields(self.kind))));
        };
        if !has_field(self.kind, field) {
            return Err(self.fail(fields(self.kind)));
        }
        let flag = match field {
            "offered" => Some(Condition::Offered(true)),
            "abandoned" => Some(Condition::Offered(false)),
            "unique" => Some(Condition::Unique),
            "check" => Some(Condition::Check),
            "by_count" => Some(Condition::ByCount),
            "full" => Some(Condition::Full),
            _ => None,
        };
        if let Some(condition) = flag {
            self.at += 1;
            return Ok(Expression::Condition(condition));
        }
        self.at += 1;
        let quantity = quantity(field);
        let operators = if quantity.is_some() { "=, !=, <, <=, > or >=" } else { "= or !=" };
        let operator = self.peek().filter(|text| OPERATORS.contains(text));
        let operator =
            operator.filter(|text| quantity.is_some() || text.ends_with('=') && !text.starts_with(['<', '>']));
        let Some(operator) = operator else { return Err(self.fail(operators)) };
        self.at += 1;
        let value = self.peek().unwrap_or_default();
        let condition = match quantity {
            Some(quantity) => quantity_condition(quantity, operator, value),
            None => word_condition(field, value),
        };
        let condition = condition.map_err(|expected| self.fail(expected))?;
        self.at += 1;
        Ok(if operator == "!=" { Expression::Not(Box::new(condition)) } else { condition })
    }
}

/// The man of a letter. The other letters of FENs are not accepted, so that no word is taken for a man.
fn man(field: &str) -> Option<Piece> {
    let mut letters = field.chars();
    let letter = letters.next().filter(|letter| "KRNSMPkrnsmp".contains(*letter) && letters.next().is_none())?;
    Piece::from_letter(letter)
}

fn quantity(field: &str) -> Option<Quantity> {
    Quantity::ALL.into_iter().find(|quantity| quantity.name() == field)
}

fn quantity_condition(quantity: Quantity, operator: &str, value: &str) -> Result<Expression, String> {
    let is_equal = matches!(operator, "=" | "!=");
    if quantity == Quantity::Short && value == "?" && is_equal {
        return Ok(Expression::Condition(Condition::ShortUnknown));
    }
    let expected = match (quantity, is_equal) {
        (Quantity::Short, true) => "a whole number, a range such as 1..3, or ?",
        (_, true) => "a whole number, or a range such as 1..3",
        (_, false) => "a whole number",
    };
    let read = |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let bounds: Option<RangeInclusive<u32>> = match (operator, value.split_once("..")) {
        ("=" | "!=", Some((first, last))) => read(first).zip(read(last)).map(|(first, last)| first..=last),
        ("=" | "!=", None) => read(value).map(|number| number..=number),
        ("<=", None) => read(value).map(|most| 0..=most),
        (">=", None) => read(value).map(|least| least..=u32::MAX),
        // No number is below 0 or above the highest.
        #[allow(clippy::reversed_empty_ranges)]
        ("<", None) => read(value).map(|above| above.checked_sub(1).map_or(1..=0, |most| 0..=most)),
        #[allow(clippy::reversed_empty_ranges)]
        (">", None) => read(value).map(|below| below.checked_add(1).map_or(1..=0, |least| least..=u32::MAX)),
        _ => None,
    };
    bounds.map(|bounds| Expression::Condition(Condition::Quantity(quantity, bounds))).ok_or_else(|| expected.to_owned())
}

fn word_condition(field: &str, value: &str) -> Result<Expression, String> {
    let condition = match field {
        "sacrifice" => match value {
            "last" => Condition::Sacrifice { last: true },
            "any" => Condition::Sacrifice { last: false },
            "none" => {
                return Ok(Expression::Not(Box::new(Expression::Condition(Condition::Sacrifice { last: false }))));
            }
            _ => return Err("last, any or none".to_owned()),
        },
        "poisoned" => {
            let poison = Poison::ALL.into_iter().find(|poison| poison.name() == value);
            Condition::Poisoned(poison.ok_or("last, any or promotion")?)
        }
        "kind" => {
            let kind = |word| match word {
                "lost" => Some(SacrificeKind::LostAnyway),
                _ => SacrificeKind::ALL.into_iter().find(|kind| kind.name() == word),
            };
            let kinds: Option<Vec<SacrificeKind>> = value.split(',').map(kind).collect();
            Condition::Kind(kinds.ok_or("offer, exchange or lost, or several separated by commas")?)
        }
        "given" => Condition::Given(roles(value, "RNSMP").ok_or("R, N, S, M or P, or several separated by commas")?),
        "by" => Condition::By(roles(value, "KRNSMP").ok_or("K, R, N, S, M or P, or several separated by commas")?),
        "move" => {
            let class = |word| MoveClass::ALL.into_iter().find(|class| class.name() == word);
            let classes: Option<Vec<MoveClass>> = value.split(',').map(class).collect();
            Condition::Move(classes.ok_or("quiet, check, capture or promotion, or several separated by commas")?)
        }
        "side" => Condition::Side(Color::from_name(value).ok_or("white or black")?),
        "board" => Condition::Board(Pattern::parse(value)?),
        _ => {
            let squares = parse_region(value)
                .ok_or("squares: e4, a1..h2, file-a, rank-1, edge, corner or centre, or several separated by commas")?;
            match man(field) {
                Some(man) => Condition::Man(man, squares),
                None if field == "king" => Condition::King { of: KingOf::Defender, squares },
                None => Condition::King { of: KingOf::Attacker, squares },
            }
        }
    };
    Ok(Expression::Condition(condition))
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
    use crate::filter::Filter;

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
            "kind=offer and kind!=exchange,lost",
            "not (check or side = black)or K=centre and k!=edge,d4",
            "short=1..3 and short!=? and dtz>128 and left<5 and needed>=4 and saving!=2 and legal=1",
            "offered or abandoned or move=quiet,check,capture,promotion or by=K,R,P or given!=N,S,M,P",
            "((((unique))))",
            "board=*/*/*/*/*/*/*/k7 and attacker_king=file-a,rank-1 and R=e4 and m=corner and P=e3..e5",
        ] {
            let filter: Filter = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(filter.to_string(), text);
        }
        let depends = |text: &str| text.parse::<Filter>().unwrap().depends_on_squares();
        assert!(!depends("unique and side=white") && depends("unique and not (check or k=e4)"));
    }

    #[test]
    fn each_kind_has_its_own_fields() {
        use PositionKind::{Saves, Wins, Zugzwangs};

        let reads = |kind, text: &str| Filter::parse(kind, text);
        assert!(
            reads(Wins, "spare<=1 and poisoned=last or poisoned=promotion and not poisoned=any and unique and k=edge")
                .is_ok()
        );
        assert!(reads(Zugzwangs, "by_count and not full and dtm>=40 and saving=1").is_ok());
        for (kind, text, column) in [
            (Wins, "unique and sacrifice=last", 12),
            (Wins, "by_count", 1),
            (Wins, "poisoned=first", 10),
            (Zugzwangs, "short<=2", 1),
            (Zugzwangs, "spare=0", 1),
            (Saves, "check and spare=0", 11),
            (Saves, "full", 1),
        ] {
            assert_eq!(reads(kind, text).map_err(|error| error.column), Err(column), "{text}");
        }
        assert!(reads(Wins, "short=1").unwrap_err().expected.contains("a field of wins (spare"));
    }

    #[test]
    fn not_binds_closest_then_and() {
        let parsed = |text| parse(PositionKind::Saves, text).unwrap();
        assert_eq!(parsed("not check and unique or offered"), parsed("((not check) and unique) or offered"));
        assert_ne!(parsed("not check and unique"), parsed("not (check and unique)"));
        assert_eq!(parsed("legal<5"), parsed("legal<=4"));
        assert_eq!(parsed("legal>5"), parsed("legal>=6"));
        assert_eq!(parsed("sacrifice=none"), parsed("not sacrifice=any"));
        assert_eq!(parsed("kind=lost"), parsed("kind=lost_anyway"), "as JSON has it");
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
            ("sacrfice=last", 1, "expected a field (sacrifice, kind, given"),
            ("sacrifice", 10, "expected = or !=, found the end"),
            ("sacrifice<last", 10, "expected = or !=, found \"<\""),
            ("legal!3", 6, "expected =, !=, <, <=, > or >="),
            ("sacrifice=first", 11, "expected last, any or none, found \"first\""),
            ("kind=gift", 6, "expected offer, exchange or lost"),
            ("given=K", 7, "expected R, N, S, M or P"),
            ("given=RN", 7, "by commas"),
            ("move=loud", 6, "expected quiet, check, capture or promotion"),
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
