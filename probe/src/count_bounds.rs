//! The counts for which a category holds.

use makruk_tables::rules::{Count, Fen, Position, ToMove};
use makruk_tables::value::{Value, Wdl};

use crate::error::ProbeError;
use crate::judge::{self, Category, Distances};
use crate::prober::Prober;
use crate::source::ValueSource;
use crate::verdict::root_count;

/// The counts for which the category of a position holds, by the plies that they have left: LIMIT less PLY. A key of the board,
/// these bounds and the category make an entry for the hash table of a search.
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
    const fn at_least(plies: i32) -> CountBounds {
        CountBounds { fewest: Some(plies), most: None }
    }

    const fn at_most(plies: i32) -> CountBounds {
        CountBounds { fewest: None, most: Some(plies) }
    }

    /// The counts under which the winner is in time for a conversion in at most this number of plies.
    fn enough(most: u16) -> CountBounds {
        CountBounds::at_least(i32::from(most) - 1)
    }

    /// The counts under which the winner is not in time for a conversion in at least this number of plies.
    fn short(fewest: u16) -> CountBounds {
        CountBounds::at_most(i32::from(fewest) - 2)
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
    /// With n plies to the conversion, the winner is in time if the count has at least n - 1 plies left, whichever side is to
    /// move: the winner may make one final move after the count is full.
    pub fn of(distances: Distances, category: Category) -> CountBounds {
        let Some(plies) = judge::plies(distances.dtz) else { return CountBounds::default() };
        if matches!(category, Category::Win | Category::Loss) {
            CountBounds::enough(plies)
        } else {
            CountBounds::short(plies)
        }
    }
}

/// The answer of the search tables to a position under its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchAnswer {
    /// The category, and the counts for which it holds.
    Decided(Category, CountBounds),
    /// The count lies within the range of the plies to the conversion.
    Undecided {
        /// Whether the count that begins now divides the range, too. Then a WDL table may decide the category. The range of a stored
        /// side is not divided; one that is derived from captures may be.
        may_wdl_decide: bool,
    },
}

impl<S: ValueSource> Prober<S> {
    /// The category of a position under its count, and the counts for which it holds. Search tables answer if they decide the
    /// category, else WDL tables, else the distances. The bounds of the distances are the widest.
    ///
    /// # Errors
    ///
    /// As [`Prober::probe`].
    pub fn bounded_category(&self, fen: &Fen) -> Result<(Category, CountBounds), ProbeError> {
        let may_wdl_decide = match self.search_answer(fen) {
            Ok(SearchAnswer::Decided(category, bounds)) => return Ok((category, bounds)),
            Ok(SearchAnswer::Undecided { may_wdl_decide }) => may_wdl_decide,
            Err(_) => true,
        };
        match may_wdl_decide.then(|| self.bounded_wdl_category(fen)) {
            Some(Ok(Some(found))) => Ok(found),
            Some(Ok(None) | Err(_)) | None => self.bounded_category_by_distances(fen),
        }
    }

    /// As [`Prober::bounded_category`], by the distances alone.
    ///
    /// # Errors
    ///
    /// As [`Prober::probe`].
    pub fn bounded_category_by_distances(&self, fen: &Fen) -> Result<(Category, CountBounds), ProbeError> {
        let distances = self.distances(&fen.position)?;
        let category = judge::category(distances, root_count(self.rules(), fen));
        // With a pawn on the board no count runs.
        let has_pawns = fen.position.board().has_pawns();
        Ok((category, if has_pawns { CountBounds::default() } else { CountBounds::of(distances, category) }))
    }

    /// As [`Prober::bounded_category`], by the search tables alone; `None` if the category depends on the exact distance.
    ///
    /// # Errors
    ///
    /// As [`Prober::value`].
    pub fn bounded_search_category(&self, fen: &Fen) -> Result<Option<(Category, CountBounds)>, ProbeError> {
        Ok(match self.search_answer(fen)? {
            SearchAnswer::Decided(category, bounds) => Some((category, bounds)),
            SearchAnswer::Undecided { .. } => None,
        })
    }

    /// The answer of the search tables alone.
    ///
    /// # Errors
    ///
    /// As [`Prober::value`].
    pub fn search_answer(&self, fen: &Fen) -> Result<SearchAnswer, ProbeError> {
        use SearchAnswer::{Decided, Undecided};

        if fen.position.board().men() == 2 {
            return Ok(Decided(Category::Draw, CountBounds::default()));
        }
        let score = self.source().search(&fen.position)?;
        let left = root_count(self.rules(), fen).map(plies_left);
        let (in_time, late) = match score.mover_wins() {
            None => return Ok(Decided(Category::Draw, CountBounds::default())),
            Some(true) => (Category::Win, Category::CursedWin),
            // A mate is a draw if the count had drawn the game before.
            Some(false) if score.most_plies() == Some(0) => (Category::Loss, Category::Draw),
            Some(false) => (Category::Loss, Category::BlessedLoss),
        };
        let Some(short) = score.fewest_plies().map(CountBounds::short) else {
            return Ok(Decided(late, CountBounds::default()));
        };
        let enough = score.most_plies().map(CountBounds::enough);
        let contain = |bounds: CountBounds| left.is_some_and(|left| bounds.contain_plies(left));
        let has_pawns = fen.position.board().has_pawns();
        Ok(match enough {
            // No count runs: any conversion is in time.
            Some(_) if has_pawns => Decided(in_time, CountBounds::default()),
            Some(enough) if left.is_none() || contain(enough) => Decided(in_time, enough),
            _ if contain(short) => Decided(late, short),
            _ => {
                let is_enough = |left| enough.is_some_and(|enough| enough.contain_plies(left));
                let is_open = |left| !is_enough(left) && !short.contain_plies(left);
                Undecided { may_wdl_decide: self.divides_range(fen, in_time == Category::Win, is_open) }
            }
        })
    }

    /// Whether the WDL value divides a range of plies to the conversion, the side to move winning or losing. `is_open` says whether
    /// a number of plies left lies within the range.
    fn divides_range(&self, fen: &Fen, wins: bool, is_open: impl Fn(i32) -> bool) -> bool {
        if fen.running_count().is_some_and(Count::is_expired) {
            return true;
        }
        // Without a count, the WDL value is that of a position under no count.
        let Some(now) = self.moves_of_count_begun(&fen.position, wins) else { return true };
        if wins { is_open(2 * now - 2) || is_open(2 * now) } else { is_open(2 * now - 1) }
    }

    /// The moves that a count beginning now leaves, with the defender to move; one more with the attacker to move. `None` if the
    /// rules have no count for this material. The side to move wins or loses.
    fn moves_of_count_begun(&self, position: &Position, wins: bool) -> Option<i32> {
        let defender = if wins { !position.turn() } else { position.turn() };
        let begun = self.rules().start(position.board(), defender)?;
        Some(begun.attacker_moves_left(ToMove::Defender) as i32)
    }

    /// As [`Prober::bounded_category`], by the WDL tables alone; `None` if the category depends on the distance.
    ///
    /// # Errors
    ///
    /// As [`Prober::value`].
    pub fn bounded_wdl_category(&self, fen: &Fen) -> Result<Option<(Category, CountBounds)>, ProbeError> {
        let position = &fen.position;
        let wdl = self.wdl(position)?;
        if wdl == Wdl::Draw {
            return Ok(Some((Category::Draw, CountBounds::default())));
        }
        if let Some(count) = fen.running_count().filter(|count| count.is_expired()) {
            return Ok(Some(expired(position, wdl, count)));
        }
        let wins = wdl > Wdl::Draw;
        let Some(now) = self.moves_of_count_begun(position, wins) else {
            // There is no count for this material: the category holds if no count runs.
            let has_count = fen.running_count().is_some();
            return Ok((!has_count).then_some((wdl.category(), CountBounds::default())));
        };
        let found = match wdl {
            Wdl::Draw => (Category::Draw, CountBounds::default()),
            Wdl::Win => (Category::Win, CountBounds::at_least((2 * now - 2).max(0))),
            Wdl::WinInTimeIfAttackerMoves if fen.running_count().is_some_and(|count| plies_left(count) < 2 * now) => {
                (Category::CursedWin, CountBounds::at_most(2 * now - 1))
            }
            Wdl::WinInTimeIfAttackerMoves => (Category::Win, CountBounds::at_least(2 * now)),
            Wdl::CursedWin => (Category::CursedWin, CountBounds::at_most(2 * now + 1)),
            Wdl::Loss => (Category::Loss, CountBounds::at_least((2 * now - 1).max(0))),
            Wdl::BlessedLoss => (Category::BlessedLoss, CountBounds::at_most(2 * now)),
        };
        Ok(fen.running_count().is_none_or(|count| found.1.contain(count)).then_some(found))
    }
}

/// The category once the count has run out.
#[cold]
fn expired(position: &Position, wdl: Wdl, count: Count) -> (Category, CountBounds) {
    let ran_out = CountBounds::at_most(-1);
    if wdl > Wdl::Draw {
        return (Category::CursedWin, ran_out);
    }
    if position.has_legal_move() {
        return (Category::BlessedLoss, ran_out);
    }
    let mated = Distances::bare(Value::Loss(0));
    let category = judge::category(mated, Some(count));
    (category, CountBounds::of(mated, category))
}

#[cfg(test)]
mod tests {
    use makruk_tables::material::Material;
    use makruk_tables::rules::CountingRules;
    use makruk_tables::value::{Bounds, Metric, MovesLeft, Score};

    use super::*;
    use makruk_tables::tablebase::TableError;

    /// A position's range in a search table and its category in a WDL table.
    struct Tables {
        rules: CountingRules,
        search: Bounds,
        wdl: Wdl,
    }

    impl ValueSource for Tables {
        fn rules(&self) -> &CountingRules {
            &self.rules
        }

        fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
            panic!("{metric} of {position:?} is not needed")
        }

        fn wdl(&self, _: &Position) -> Result<Wdl, TableError> {
            Ok(self.wdl)
        }

        fn search(&self, _: &Position) -> Result<Bounds, TableError> {
            Ok(self.search)
        }
    }

    #[test]
    fn a_wdl_table_is_asked_where_it_may_decide() {
        let (mut open, mut by_wdl) = (0, 0);
        // With a bare king 24 plies are left to Black, 25 to White; with both sides armed 128 are.
        for (text, wins) in [
            ("8/8/8/8/4K3/8/1kN5/R7 b - - 0 1", false),
            ("8/8/8/8/4K3/8/1kN5/R7 w - - 0 1", true),
            ("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", true),
            ("8/8/8/8/8/4s1k1/4R3/K7 b - - 0 1", false),
        ] {
            let root: Fen = text.parse().unwrap();
            let begun = plies_left(root_count(&CountingRules::MAKRUK, &root).unwrap());
            let left = MovesLeft::of(Material::of(root.position.board()).unwrap().material, &CountingRules::MAKRUK);
            let parity = u16::from(wins);
            let near = (begun as u16 & !1) - 6 + parity..=(begun as u16 & !1) + 8 + parity;
            for (least, most) in near
                .clone()
                .step_by(2)
                .flat_map(|least| (least..=*near.end()).step_by(2).map(move |most| (least, most)))
            {
                for plies in (least..=most).step_by(2) {
                    let dtz = if wins { Value::Win(plies) } else { Value::Loss(plies) };
                    let range = match wins {
                        true => Bounds { worst: Score::Win(most), best: Score::Win(least) },
                        false => Bounds { worst: Score::Loss(least), best: Score::Loss(most) },
                    };
                    let rules = CountingRules::MAKRUK;
                    let prober = Prober::new(Tables { rules, search: range, wdl: left.wdl(dtz.into()) });
                    let counts = (-2..12).map(|ply| Count::new(begun as u32 + 6, (ply + 2) as u32).ok());
                    for count in counts.chain([None]) {
                        let fen = Fen { count, ..root.clone() };
                        let expected = judge::category(Distances::bare(dtz), root_count(prober.rules(), &fen));
                        let wdl = prober.bounded_wdl_category(&fen).unwrap();
                        assert!(wdl.is_none_or(|(category, _)| category == expected), "{fen} {dtz:?} {wdl:?}");
                        match prober.search_answer(&fen).unwrap() {
                            SearchAnswer::Decided(category, _) => assert_eq!(category, expected, "{fen} {dtz:?}"),
                            SearchAnswer::Undecided { may_wdl_decide } => {
                                assert!(may_wdl_decide || wdl.is_none(), "{fen} {range:?} {dtz:?} {wdl:?}");
                                assert!(count.is_some() || may_wdl_decide && wdl.is_some(), "{fen} {range:?} {dtz:?}");
                                open += 1;
                                by_wdl += usize::from(wdl.is_some());
                                if wdl.is_some() {
                                    assert_eq!(prober.bounded_category(&fen).unwrap().0, expected);
                                }
                            }
                        }
                    }
                }
            }
        }
        assert!(0 < by_wdl && by_wdl < open, "{by_wdl} of {open}");
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
