//! The counts for which a category holds.

use makruk_rules::{Count, Fen};
use makruk_tables::value::Bounds;

use crate::error::ProbeError;
use crate::judge::{self, Category, Distances};
use crate::prober::Prober;
use crate::source::ValueSource;
use crate::verdict::root_count;

/// The counts for which the category of a position holds, by the plies that they have left: LIMIT less PLY. A key of
/// the board, these bounds and the category make an entry for the hash table of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CountBounds {
    /// The fewest plies left; `None` if there is no lower bound.
    pub fewest: Option<i32>,
    /// The most plies left; `None` if there is no upper bound.
    pub most: Option<i32>,
}

/// The plies that a count has left; negative if it has run out.
fn plies_left(count: Count) -> i32 {
    count.limit() as i32 - count.ply() as i32
}

impl CountBounds {
    /// The counts under which the winner is in time for a conversion in at most this number of plies.
    fn enough(most: u16) -> CountBounds {
        CountBounds { fewest: Some(i32::from(most) - 1), most: None }
    }

    /// The counts under which the winner is not in time for a conversion in at least this number of plies.
    fn short(fewest: u16) -> CountBounds {
        CountBounds { fewest: None, most: Some(i32::from(fewest) - 2) }
    }

    /// Whether a count lies within the bounds.
    pub fn contain(self, count: Count) -> bool {
        self.contain_plies(plies_left(count))
    }

    fn contain_plies(self, left: i32) -> bool {
        self.fewest.is_none_or(|fewest| fewest <= left) && self.most.is_none_or(|most| left <= most)
    }

    /// The counts for which a position with these distances has this category.
    ///
    /// With n plies to the conversion, the winner is in time if the count has at least n - 1 plies left, whichever side
    /// is to move. The winner may make one final move after the count is full.
    pub fn of(distances: Distances, category: Category) -> CountBounds {
        let Some(plies) = distances.dtz.plies() else { return CountBounds::default() };
        if matches!(category, Category::Win | Category::Loss) {
            CountBounds::enough(plies)
        } else {
            CountBounds::short(plies)
        }
    }
}

impl<S: ValueSource> Prober<S> {
    /// The category of a position under its count, and the counts for which it holds. The category tables answer if
    /// they decide it, else the distances, whose bounds are the widest.
    pub fn bounded_category(&self, fen: &Fen) -> Result<(Category, CountBounds), ProbeError> {
        match self.decided_category(fen) {
            Ok(Some(found)) => Ok(found),
            // The distances answer where a category table is missing or damaged, too.
            Ok(None) | Err(_) => self.bounded_category_by_distances(fen),
        }
    }

    /// As [`Prober::bounded_category`], by the distances alone.
    pub fn bounded_category_by_distances(&self, fen: &Fen) -> Result<(Category, CountBounds), ProbeError> {
        let distances = self.distances(&fen.position)?;
        let category = judge::category(distances, root_count(self.rules(), fen));
        // With a pawn on the board no count runs.
        let has_pawns = fen.position.board().has_pawns();
        Ok((category, if has_pawns { CountBounds::default() } else { CountBounds::of(distances, category) }))
    }

    /// As [`Prober::bounded_category`], by the category tables alone; `None` if the count lies within the range of the
    /// plies to the conversion, so that the exact distance decides.
    pub fn decided_category(&self, fen: &Fen) -> Result<Option<(Category, CountBounds)>, ProbeError> {
        if fen.position.board().men() == 2 {
            return Ok(Some((Category::Draw, CountBounds::default())));
        }
        Ok(self.category_within(fen, self.source().bounds(&fen.position)?))
    }

    /// As [`Prober::decided_category`], by these bounds of the position's score.
    pub fn category_within(&self, fen: &Fen, score: Bounds) -> Option<(Category, CountBounds)> {
        let (in_time, late) = match score.mover_wins() {
            None => return Some((Category::Draw, CountBounds::default())),
            Some(true) => (Category::Win, Category::CursedWin),
            // A mate is a draw if the count had drawn the game before.
            Some(false) if score.most_plies() == Some(0) => (Category::Loss, Category::Draw),
            Some(false) => (Category::Loss, Category::BlessedLoss),
        };
        let Some(short) = score.fewest_plies().map(CountBounds::short) else {
            return Some((late, CountBounds::default()));
        };
        let enough = score.most_plies().map(CountBounds::enough);
        let left = root_count(self.rules(), fen).map(plies_left);
        let contain = |bounds: CountBounds| left.is_some_and(|left| bounds.contain_plies(left));
        match enough {
            // No count runs: any conversion is in time.
            Some(_) if fen.position.board().has_pawns() => Some((in_time, CountBounds::default())),
            Some(enough) if left.is_none() || contain(enough) => Some((in_time, enough)),
            _ => contain(short).then_some((late, short)),
        }
    }
}

#[cfg(test)]
mod tests {
    use makruk_rules::{CountingRules, Position};
    use makruk_tables::value::{Bounds, Metric, Score, Value};

    use super::*;
    use crate::TableError;

    /// A position's range in a category table, and its distance.
    struct Tables {
        rules: CountingRules,
        range: Bounds,
        dtz: Value,
    }

    impl ValueSource for Tables {
        fn rules(&self) -> &CountingRules {
            &self.rules
        }

        fn value(&self, _: &Position, _: Metric) -> Result<Value, TableError> {
            Ok(self.dtz)
        }

        fn bounds(&self, _: &Position) -> Result<Bounds, TableError> {
            Ok(self.range)
        }
    }

    #[test]
    fn a_range_decides_what_its_ends_agree_on() {
        let (mut decided, mut open) = (0, 0);
        // With a bare king 24 plies are left to Black, 25 to White; with both sides armed 128 are.
        for (text, wins) in [
            ("8/8/8/8/4K3/8/1kN5/R7 b - - 0 1", false),
            ("8/8/8/8/4K3/8/1kN5/R7 w - - 0 1", true),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", true),
            ("8/8/8/8/8/4s1k1/4R3/K7 b - - 0 1", false),
        ] {
            let root: Fen = text.parse().unwrap();
            let begun = plies_left(root_count(&CountingRules::MAKRUK, &root).unwrap());
            let parity = u16::from(wins);
            let near = (begun as u16 & !1) - 6 + parity..=(begun as u16 & !1) + 8 + parity;
            for (least, most) in near
                .clone()
                .step_by(2)
                .flat_map(|least| (least..=*near.end()).step_by(2).map(move |most| (least, most)))
            {
                for plies in (least..=most).step_by(2) {
                    let value = |plies| if wins { Value::Win(plies) } else { Value::Loss(plies) };
                    let range = match wins {
                        true => Bounds { worst: Score::Win(most), best: Score::Win(least) },
                        false => Bounds { worst: Score::Loss(least), best: Score::Loss(most) },
                    };
                    let rules = CountingRules::MAKRUK;
                    let prober = Prober::new(Tables { rules, range, dtz: value(plies) });
                    let counts = (0..14).map(|ply| Count::new(begun as u32 + 6, ply).ok());
                    for count in counts.chain([None]) {
                        let fen = Fen { count, ..root.clone() };
                        let under =
                            |plies| judge::category(Distances::bare(value(plies)), root_count(prober.rules(), &fen));
                        let found = prober.decided_category(&fen).unwrap().map(|(category, _)| category);
                        let expected = (under(least) == under(most)).then_some(under(plies));
                        assert_eq!(found, expected, "{fen} {range:?} {plies}");
                        assert_eq!(prober.category(&fen).unwrap(), under(plies), "{fen} {range:?} {plies}");
                        decided += usize::from(found.is_some());
                        open += usize::from(found.is_none());
                    }
                }
            }
        }
        assert!(open > 3_000 && decided > 3_000, "{open} open, {decided} decided");
    }

    #[test]
    fn a_category_holds_up_to_its_bounds_and_no_further() {
        let values = |win: bool| (0..40u16).map(move |plies| if win { Value::Win(plies) } else { Value::Loss(plies) });
        for dtz in values(true)
            .filter(|value| matches!(value, Value::Win(plies) if plies % 2 == 1))
            .chain(values(false).filter(|value| matches!(value, Value::Loss(plies) if plies % 2 == 0)))
        {
            let distances = Distances { dtm: dtz, dtz };
            for limit in 1..30 {
                for ply in 0..40 {
                    let count = Count::new(limit, ply).unwrap();
                    let category = judge::category(distances, Some(count));
                    let bounds = CountBounds::of(distances, category);
                    assert!(bounds.contain(count), "{dtz:?} {count}");
                    for other in 0..40 {
                        let other = Count::new(limit, other).unwrap();
                        let same = judge::category(distances, Some(other)) == category;
                        assert_eq!(bounds.contain(other), same, "{dtz:?} {count} {other}");
                    }
                }
            }
        }
    }
}
