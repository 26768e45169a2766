//! Numbers for people.

use std::fmt;

/// A number of bytes, shown in GiB: with two decimals, or as many as the format asks for. Less than one is in MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gib(pub u64);

impl fmt::Display for Gib {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.precision().is_none() && self.0 < 1 << 30 {
            return write!(f, "{:.1} MiB", self.0 as f64 / f64::from(1 << 20));
        }
        let decimals = f.precision().unwrap_or(2);
        write!(f, "{:.decimals$} GiB", self.0 as f64 / f64::from(1 << 30))
    }
}

/// `1 move`, `2 moves`: a number of things whose plural ends in s.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_gib() {
        assert_eq!(Gib(3 << 29).to_string(), "1.50 GiB");
        assert_eq!(format!("{:.1}", Gib(1 << 30)), "1.0 GiB");
        assert_eq!(Gib(1 << 19).to_string(), "0.5 MiB");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "table")), ["0 tables", "1 table", "2 tables"]);
    }
}
