//! Mutual zugzwang: each side's result is worse if it is to move than if its opponent is.

use makruk_probe::Category;

/// A placement's mutual zugzwangs, by the values with either side to move. The count begins now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MutualZugzwang {
    /// Mutual zugzwang under the count.
    pub with_count: bool,
    /// Mutual zugzwang without the count.
    pub without_count: bool,
    /// The side to move loses, whichever it is.
    pub full: bool,
}

impl MutualZugzwang {
    /// The zugzwangs of a placement with these values to either side to move; `None` if the placement is illegal with
    /// that side to move. The order of the two does not matter.
    pub fn of(one: Option<Category>, other: Option<Category>) -> MutualZugzwang {
        // If one side does worse to move than with the other to move, then so does the other side.
        let is_mutual = |counts| match (result(one, counts), result(other, counts)) {
            (Some(one), Some(other)) => one < -other,
            _ => false,
        };
        MutualZugzwang {
            with_count: is_mutual(true),
            without_count: is_mutual(false),
            full: one == Some(Category::Loss) && other == Some(Category::Loss),
        }
    }
}

/// The result to the side to move, 1 being a win: under the count, or without.
fn result(cell: Option<Category>, counts: bool) -> Option<i32> {
    Some(match cell? {
        Category::Loss => -1,
        Category::BlessedLoss => -i32::from(!counts),
        Category::Draw => 0,
        Category::CursedWin => i32::from(!counts),
        Category::Win => 1,
    })
}
