//! The score of a verdict.

use makruk_probe::judge::moves_in;
use makruk_probe::{Category, Verdict};

/// The score that a verdict has for a trainer, from the side to move, in the trainer's units.
///
/// A win under the count is worth `win`, less `step` for each move of the winner up to the conversion, but never less than half of
/// `win`. A cursed win is worth `cursed`, a draw 0. Losses and blessed losses are worth the same with a minus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreScale {
    /// The score of a win.
    pub win: i16,
    /// The score that each move to the conversion takes off a win.
    pub step: i16,
    /// The score of a cursed win.
    pub cursed: i16,
}

impl Default for ScoreScale {
    /// Wins score at most 3000, since generators of training data leave out positions beyond it. Cursed wins score as draws.
    fn default() -> ScoreScale {
        ScoreScale { win: 3000, step: 10, cursed: 0 }
    }
}

impl ScoreScale {
    /// The score of a position.
    pub fn score(self, verdict: &Verdict) -> i16 {
        let moves =
            verdict.dtz.signed_plies().map_or(0, |plies| moves_in(plies.unsigned_abs().min(9999) as u16) as i32);
        let win = i32::from(self.win);
        let won = (win - i32::from(self.step) * moves).max(win / 2) as i16;
        match verdict.category {
            Category::Win => won,
            Category::CursedWin => self.cursed,
            Category::Draw => 0,
            Category::BlessedLoss => -self.cursed,
            Category::Loss => -won,
        }
    }

    /// The result of perfect play under the count, from the side to move: 1, 0 or -1.
    pub const fn result(verdict: &Verdict) -> i8 {
        match verdict.category {
            Category::Win => 1,
            Category::CursedWin | Category::Draw | Category::BlessedLoss => 0,
            Category::Loss => -1,
        }
    }
}
