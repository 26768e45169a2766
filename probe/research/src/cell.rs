//! What a cell of a set's table is worth.

use makruk_tables::format::{Value, wdl_category};

use makruk_probe::Category;

/// The worth of a cell, from the side to move, if the count begins now. Ordered: the better, the higher.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Cell {
    /// No legal position.
    #[default]
    Nothing,
    /// Lost.
    Loss,
    /// Lost without the count, drawn by it: a save.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won without the count, drawn by it.
    CursedWin,
    /// Won, but only because the count begins with the defender's next move: one move less, and it would be a cursed win.
    WinJustInTime,
    /// Won.
    Win,
}

impl Cell {
    /// The category; `None` where there is no legal position.
    pub const fn category(self) -> Option<Category> {
        Some(match self {
            Cell::Nothing => return None,
            Cell::Loss => Category::Loss,
            Cell::BlessedLoss => Category::BlessedLoss,
            Cell::Draw => Category::Draw,
            Cell::CursedWin => Category::CursedWin,
            Cell::WinJustInTime | Cell::Win => Category::Win,
        })
    }

    /// The worth that a light table's value stands for.
    pub(super) const fn of_light(value: Value) -> Cell {
        match value {
            Value::Win(3) => Cell::WinJustInTime,
            _ => Cell::of_category(wdl_category(value)),
        }
    }

    /// What a move is worth to the side that makes it, this being what it leads to. The move was the first that counts.
    pub(super) const fn before(self) -> Cell {
        match self {
            Cell::Nothing => Cell::Nothing,
            Cell::Win => Cell::Loss,
            Cell::WinJustInTime | Cell::CursedWin => Cell::BlessedLoss,
            Cell::Draw => Cell::Draw,
            Cell::BlessedLoss => Cell::CursedWin,
            Cell::Loss => Cell::Win,
        }
    }

    pub(super) const fn of_category(category: Category) -> Cell {
        match category {
            Category::Loss => Cell::Loss,
            Category::BlessedLoss => Cell::BlessedLoss,
            Category::Draw => Cell::Draw,
            Category::CursedWin => Cell::CursedWin,
            Category::Win => Cell::Win,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_values_are_told_apart() {
        let of = |value| Cell::of_light(value);
        let values = [Value::Win(1), Value::Win(3), Value::Win(5), Value::Draw, Value::Loss(4), Value::Loss(2)];
        assert!(values.map(of).windows(2).all(|two| two[0] > two[1]), "{:?}", values.map(of));
        assert_eq!(of(Value::Loss(0)), Cell::Loss);
        for value in values {
            assert_eq!(of(value).category(), Some(wdl_category(value)));
        }
        assert_eq!(Cell::Nothing.category(), None);
    }
}
