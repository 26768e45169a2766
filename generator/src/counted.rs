//! Numbers of things, for people.

/// `1 move`, `2 moves`: a number of things whose plural ends in s.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "table")), ["0 tables", "1 table", "2 tables"]);
    }
}
