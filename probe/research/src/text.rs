//! Text for people: short numbers.

/// A number with at most one decimal and a unit: 1234567 as `1.2M`.
pub fn short_number(number: u64) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    let Some((unit, letter)) = units.into_iter().find(|&(unit, _)| number >= unit) else { return number.to_string() };
    let scaled = format!("{:.1}", number as f64 / unit as f64);
    format!("{}{letter}", scaled.trim_end_matches(".0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0, 999, 1000, 1_260_000, 3_000_000_000].map(short_number), ["0", "999", "1k", "1.3M", "3G"]);
    }
}
