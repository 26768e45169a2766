//! Scores, as the protocols write them.

use std::fmt;

use makruk_tables::value::Value;

use makruk_probe::{Category, CountRule, Distances};

/// The score of a mate found by the search, plus the plies to it.
pub(super) const MATE: i32 = 32_000;
/// Scores beyond this are mates found by the search.
pub(super) const MATE_BOUND: i32 = 31_000;
/// The score of a win by the tables with pieces' honour running, plus the plies to mate.
pub(super) const TABLE_WIN: i32 = 20_000;
/// The score that such a win lacks for each stage that is still to come, so that a conversion is not put off.
pub(super) const STAGE: i32 = 2_000;
/// The score of a cursed win.
const CURSED: i32 = 30;

/// A score as protocols write it, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Certain mate in this number of moves of the winner; negative when the side to move is mated.
    Mate(i32),
    /// Hundredths of a pawn.
    Centipawns(i32),
}

impl Score {
    /// The score of a search's number.
    pub(super) const fn of(value: i32) -> Score {
        if value > MATE_BOUND {
            Score::Mate((MATE - value + 1) / 2)
        } else if value < -MATE_BOUND {
            Score::Mate(-(MATE + value) / 2)
        } else {
            Score::Centipawns(value)
        }
    }

    /// The score in XBoard's form: hundredths of a pawn, mates beyond 100,000.
    pub const fn xboard(self) -> i32 {
        match self {
            Score::Mate(moves) if moves > 0 => 100_000 + moves,
            Score::Mate(moves) => -100_000 + moves,
            Score::Centipawns(value) => value,
        }
    }
}

/// As UCI writes it: `mate 3` or `cp -20`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Mate(moves) => write!(f, "mate {moves}"),
            Score::Centipawns(value) => write!(f, "cp {value}"),
        }
    }
}

/// The search's score of a verdict, from the side to move, in a position where this rule of the count applies. With
/// pawns none does: their end may begin board's honour, which leads to pieces' honour.
pub(super) fn table_value(category: Category, distances: Distances, rule: CountRule) -> i32 {
    let stages = match rule {
        CountRule::None => 2,
        CountRule::Board => 1,
        CountRule::Pieces => 0,
    };
    let way = |value: Value| i32::from(value.plies().unwrap_or(0)) + stages * STAGE;
    match category {
        Category::Win => TABLE_WIN - way(distances.dtz),
        Category::CursedWin => CURSED,
        Category::Draw => 0,
        Category::BlessedLoss => -CURSED,
        Category::Loss => way(distances.dtz) - TABLE_WIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_winner() {
        assert_eq!(Score::of(MATE - 1), Score::Mate(1));
        assert_eq!(Score::of(MATE - 3), Score::Mate(2));
        assert_eq!(Score::of(-MATE + 2), Score::Mate(-1));
        assert_eq!(Score::of(-MATE + 4), Score::Mate(-2));
        assert_eq!(Score::of(TABLE_WIN), Score::Centipawns(20_000));
        assert_eq!((Score::Mate(2).xboard(), Score::Mate(-2).xboard()), (100_002, -100_002));
        assert_eq!((Score::Mate(-3).to_string(), Score::of(-20).to_string()), ("mate -3".into(), "cp -20".into()));
    }

    #[test]
    fn verdicts_are_ordered() {
        let win = |dtz| Distances { dtm: Value::Win(31), dtz: Value::Win(dtz) };
        let loss = Distances { dtm: Value::Loss(30), dtz: Value::Loss(30) };
        let values = [
            table_value(Category::Win, Distances::bare(Value::Win(301)), CountRule::Pieces),
            table_value(Category::Win, win(1), CountRule::Board),
            table_value(Category::Win, win(45), CountRule::Board),
            table_value(Category::Win, win(1), CountRule::None),
            table_value(Category::CursedWin, win(45), CountRule::Board),
            table_value(Category::Draw, Distances::DRAW, CountRule::Board),
            table_value(Category::BlessedLoss, loss, CountRule::Board),
            table_value(Category::Loss, loss, CountRule::None),
            table_value(Category::Loss, loss, CountRule::Board),
            table_value(Category::Loss, loss, CountRule::Pieces),
        ];
        assert!(values.is_sorted_by(|a, b| a > b), "{values:?}");
        assert!(values.iter().all(|value| value.abs() < MATE_BOUND));
    }
}
