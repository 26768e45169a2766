//! All cells of a set, both sides to move.

use makruk_tables::rules::{ByColor, Color};
use rayon::prelude::*;

use super::look::{AtHand, Family, Saves, Trades};
use super::totals::Totals;
use crate::{Cell, Progress, SlabSource};
use makruk_probe::{ProbeError, Prober};

/// How closely a survey looks: at most about so many cells of each side of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveySettings {
    /// Slabs (pairs of kings' squares) that are gone through, evenly spaced.
    pub slabs: u64,
    /// Saves whose drawing moves are looked at.
    pub saves: u64,
    /// Saves that are asked how much the attacker is short, where the headers don't tell.
    pub shorts: u64,
    /// Wins within the count whose baring captures are looked at.
    pub trades: u64,
}

/// Every so manieth cell. 1 is all of them; else a prime, so that it is in no step with the order of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step(u64);

/// Placements in which it is bad for either side to be to move, for a count that begins now. Full-board placements, each of
/// which stands for two positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zugzwangs {
    /// Either side does worse, in results, if it is to move than if the other is, with the count.
    pub with_count: u64,
    /// The same without the count.
    pub without_count: u64,
    /// Those with the count that are none without.
    pub by_count: u64,
    /// Those without the count that are none with it.
    pub lifted: u64,
    /// With the count: whoever is to move loses.
    pub full: u64,
}

/// What a scan of a set has found. Exact if it went through all slabs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// How many legal placements there were, either side to move, in the slabs that it went through.
    pub placements: u64,
    /// How many of the set's slabs these are.
    pub slabs: u64,
    /// Mutual zugzwangs.
    pub zugzwangs: Zugzwangs,
    /// The saves of each defender. Of all slabs the same as [`Attacker::saves`](super::Attacker::saves) of the other.
    pub found: ByColor<u64>,
    /// Of each defender, what those that were looked at are like.
    pub saves: ByColor<Saves>,
    /// Of each attacker, captures of the last piece.
    pub trades: ByColor<Trades>,
}

impl Step {
    /// The step that leaves at most about `wanted` of `all`; 0 wanted leaves the first cell at most.
    pub fn of(all: u64, wanted: u64) -> Step {
        let least = all.div_ceil(wanted.max(1)).max(1);
        let is_prime = |n: u64| n > 1 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        Step(if least == 1 { 1 } else { (least..).find(|&n| is_prime(n)).unwrap_or(least) })
    }

    /// Is a cell one of them?
    pub const fn takes(self, number: u64) -> bool {
        number.is_multiple_of(self.0)
    }

    /// Every so manieth.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Survey {
    fn add(&mut self, other: &Survey) {
        self.placements += other.placements;
        self.slabs += other.slabs;
        let (zugzwangs, more) = (&mut self.zugzwangs, other.zugzwangs);
        zugzwangs.with_count += more.with_count;
        zugzwangs.without_count += more.without_count;
        zugzwangs.by_count += more.by_count;
        zugzwangs.lifted += more.lifted;
        zugzwangs.full += more.full;
        for color in Color::ALL {
            self.found[color] += other.found[color];
            self.saves[color].add(&other.saves[color]);
            self.trades[color].add(&other.trades[color]);
        }
    }
}

/// The steps for one side to move.
#[derive(Clone, Copy)]
struct Steps {
    saves: Step,
    shorts: Step,
    trades: Step,
}

pub(super) fn survey<S: SlabSource + Sync>(
    prober: &Prober<S>,
    totals: &Totals,
    settings: &SurveySettings,
    pool: &rayon::ThreadPool,
    progress: &mut dyn Progress,
) -> Result<Option<Survey>, ProbeError> {
    let family = Family::open(prober, totals.material)?;
    let Some(cells) = family.cells() else { return Ok(Some(Survey::default())) };
    let layout = cells.layout();
    let step = Step::of(layout.slabs() as u64, settings.slabs);
    let slabs: Vec<usize> = (0..layout.slabs()).filter(|&slab| step.takes(slab as u64)).collect();
    let steps = ByColor::from_fn(|side: Color| {
        let of = |positions: u64| totals.cells(positions) / step.get();
        let attacker = &totals.attackers[!side];
        Steps {
            saves: Step::of(of(attacker.saves), settings.saves),
            shorts: Step::of(of(attacker.saves), settings.shorts),
            // Half of an attacker's wins are with him to move, or so.
            trades: Step::of(of(totals.attackers[side].in_time / 2), settings.trades),
        }
    });
    let mut survey = Survey::default();
    let all = 2 * slabs.len() as u64 * layout.slab_len();
    let mut done = 0;
    for batch in slabs.chunks(4 * pool.current_num_threads()) {
        if progress.is_stopped() {
            return Ok(None);
        }
        let look = |&slab: &usize| of_slab(&family, prober, &steps, slab);
        let found: Vec<Survey> = pool.install(|| batch.par_iter().map(look).collect::<Result<_, ProbeError>>())?;
        found.iter().for_each(|found| survey.add(found));
        done += 2 * batch.len() as u64 * layout.slab_len();
        progress.scanned(done, all, survey.found.white + survey.found.black);
    }
    Ok(Some(survey))
}

fn of_slab<S: SlabSource>(
    family: &Family<'_, S>,
    prober: &Prober<S>,
    steps: &ByColor<Steps>,
    slab: usize,
) -> Result<Survey, ProbeError> {
    let mut survey = Survey { slabs: 1, ..Survey::default() };
    let Some(set) = family.cells() else { return Ok(survey) };
    let layout = set.layout();
    let is_armed = layout.material().is_armed();
    let weight = layout.kings().weight(slab);
    let start = slab as u64 * layout.slab_len();
    let (mut white, mut black) = (Vec::new(), Vec::new());
    set.slab(prober, Color::White, slab, &mut white)?;
    set.slab(prober, Color::Black, slab, &mut black)?;
    for (&white, &black) in white.iter().zip(&black) {
        survey.placements += if white == Cell::Nothing && black == Cell::Nothing { 0 } else { weight };
        survey.zugzwangs.look(white, black, weight);
    }
    let mut hand = AtHand::default();
    for (side, cells) in [(Color::White, white), (Color::Black, black)] {
        let steps = steps[side];
        let (saves, trades) = (&mut survey.saves[side], &mut survey.trades[side]);
        for (number, cell) in (start..).zip(cells) {
            match cell {
                Cell::BlessedLoss => {
                    survey.found[side] += weight;
                    let (look, ask) = (steps.saves.takes(number), is_armed && steps.shorts.takes(number));
                    if !look && !ask {
                        continue;
                    }
                    let Some(position) = layout.position_at(side, number) else { continue };
                    if look && is_armed {
                        family.save(&position, weight, &mut hand, saves)?;
                    } else if look {
                        family.bare_save(position.clone(), weight, saves)?;
                    }
                    if ask {
                        family.short(position, weight, saves)?;
                    }
                }
                Cell::Win | Cell::WinJustInTime if is_armed && steps.trades.takes(number) => {
                    if let Some(position) = layout.position_at(side, number) {
                        family.trade(&position, weight, &mut hand, trades)?;
                    }
                }
                _ => {}
            }
        }
    }
    Ok(survey)
}

impl Zugzwangs {
    /// Looks at a placement that is worth so much to White to move, and so much to Black to move.
    fn look(&mut self, white: Cell, black: Cell, weight: u64) {
        let result = |cell: Cell, counts: bool| match cell {
            Cell::Nothing => None,
            Cell::Loss => Some(-1),
            Cell::BlessedLoss => Some(if counts { 0 } else { -1 }),
            Cell::Draw => Some(0),
            Cell::CursedWin => Some(if counts { 0 } else { 1 }),
            Cell::WinJustInTime | Cell::Win => Some(1),
        };
        // White does worse to move than with Black to move: then so does Black.
        let is_mutual = |counts| match (result(white, counts), result(black, counts)) {
            (Some(white), Some(black)) => white < -black,
            _ => false,
        };
        let (with, without) = (is_mutual(true), is_mutual(false));
        if !with && !without {
            return;
        }
        let times = |is: bool| if is { weight } else { 0 };
        self.with_count += times(with);
        self.without_count += times(without);
        self.by_count += times(with && !without);
        self.lifted += times(without && !with);
        self.full += times(white == Cell::Loss && black == Cell::Loss);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_leave_about_as_many_as_are_wanted() {
        assert_eq!(Step::of(1000, 1000).get(), 1);
        assert_eq!(Step::of(10, 1000).get(), 1);
        assert_eq!(Step::of(0, 0).get(), 1);
        assert_eq!(Step::of(1000, 100).get(), 11);
        assert_eq!(Step::of(1001, 1000).get(), 2);
        let step = Step::of(77_000_000, 200_000);
        assert_eq!(step.get(), 389);
        assert_eq!((0..77_000).filter(|&n| step.takes(n)).count(), 198);
    }

    #[test]
    fn zugzwang_is_mutual_when_either_side_does_worse_to_move() {
        let look = |white, black| {
            let mut found = Zugzwangs::default();
            found.look(white, black, 8);
            [found.with_count, found.without_count, found.by_count, found.lifted, found.full].map(|n| n / 8)
        };
        assert_eq!(look(Cell::Draw, Cell::Loss), [1, 1, 0, 0, 0]);
        assert_eq!(look(Cell::Loss, Cell::Loss), [1, 1, 0, 0, 1]);
        // White wins only with Black to move; without the count in either case.
        assert_eq!(look(Cell::CursedWin, Cell::Loss), [1, 0, 1, 0, 0]);
        // The count takes the win that there was.
        assert_eq!(look(Cell::Draw, Cell::BlessedLoss), [0, 1, 0, 1, 0]);
        for (white, black) in [
            (Cell::Win, Cell::Loss),
            (Cell::Win, Cell::Draw),
            (Cell::Draw, Cell::Draw),
            (Cell::Nothing, Cell::Loss),
            (Cell::CursedWin, Cell::BlessedLoss),
            (Cell::WinJustInTime, Cell::BlessedLoss),
        ] {
            assert_eq!(look(white, black), [0; 5], "{white:?} {black:?}");
        }
    }
}
