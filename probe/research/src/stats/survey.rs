//! A scan of a material's cells, both sides to move.

use std::ops::Add;

use makruk_probe::{Category, ProbeError, Prober, ValueSource};
use makruk_rules::{ByColor, Color};
use rayon::prelude::*;

use super::counts::{BaringCaptures, SaveCounts};
use super::totals::Totals;
use crate::analysis::SaveAnalysis;
use crate::cells::Cells;
use crate::position::LocatedPosition;
use crate::progress::Progress;
use crate::stride::Stride;
use crate::zugzwang::MutualZugzwang;

/// The size of a survey's samples: at most about this many, of each side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveySettings {
    /// Slabs that are scanned, evenly spaced.
    pub slabs: u64,
    /// Saves that are analysed.
    pub saves: u64,
    /// Saves for which the moves that the attacker is short are computed, where the headers do not say.
    pub shorts: u64,
    /// Wins under the count that are searched for baring captures.
    pub captures: u64,
}

/// Mutual zugzwangs: placements on the full board in which each side's result is worse if it is to move than if its
/// opponent is. With the count, it begins now. A placement stands for two positions, one with each side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zugzwangs {
    /// Mutual zugzwangs with the count.
    pub with_count: u64,
    /// Mutual zugzwangs without the count.
    pub without_count: u64,
    /// Mutual zugzwangs with the count and not without it.
    pub by_count: u64,
    /// Mutual zugzwangs without the count and not with it.
    pub lifted: u64,
    /// Mutual zugzwangs with the count in which whichever side is to move loses.
    pub full: u64,
}

/// The outcome of a survey. Exact where every slab was scanned and every cell sampled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The number of slabs that were scanned.
    pub slabs: u64,
    /// Mutual zugzwangs.
    pub zugzwangs: Zugzwangs,
    /// Mutual zugzwangs up to symmetry.
    pub zugzwangs_distinct: Zugzwangs,
    /// The saves of each defender in the scanned slabs; with all slabs,
    /// [`AttackerTotals::saves`](super::AttackerTotals::saves) of the other side.
    pub found: ByColor<u64>,
    /// The wins of each attacker in the scanned slabs, without the count, up to symmetry.
    pub won_distinct: ByColor<u64>,
    /// The wins of each attacker under the count among them.
    pub in_time_distinct: ByColor<u64>,
    /// The saves of each defender in the scanned slabs, up to symmetry.
    pub found_distinct: ByColor<u64>,
    /// The properties of each defender's sampled saves.
    pub saves: ByColor<SaveCounts>,
    /// The baring captures of each attacker, in the sampled wins.
    pub captures: ByColor<BaringCaptures>,
    /// One of this many of each attacker's wins was sampled for these.
    pub capture_strides: ByColor<u64>,
}

impl Survey {
    /// Whether each of a material's slabs was scanned.
    pub(super) const fn is_whole(&self, slabs: usize) -> bool {
        self.slabs == slabs as u64
    }

    fn add(&mut self, other: &Survey) {
        self.slabs += other.slabs;
        self.zugzwangs = self.zugzwangs + other.zugzwangs;
        self.zugzwangs_distinct = self.zugzwangs_distinct + other.zugzwangs_distinct;
        for color in Color::ALL {
            self.won_distinct[color] += other.won_distinct[color];
            self.in_time_distinct[color] += other.in_time_distinct[color];
            self.found_distinct[color] += other.found_distinct[color];
            self.found[color] += other.found[color];
            self.saves[color] += &other.saves[color];
            self.captures[color] += &other.captures[color];
        }
    }
}

/// The strides for one side to move.
#[derive(Clone, Copy)]
struct Strides {
    saves: Stride,
    shorts: Stride,
    captures: Stride,
}

pub(super) fn survey<S: ValueSource + Sync>(
    prober: &Prober<S>,
    totals: &Totals,
    settings: &SurveySettings,
    pool: &rayon::ThreadPool,
    progress: &mut dyn Progress,
) -> Result<Option<Survey>, ProbeError> {
    let cells = Cells::open(prober, totals.material)?;
    let layout = cells.layout();
    let slab_stride = Stride::new(layout, layout.slabs() as u64, settings.slabs);
    let slabs: Vec<usize> = (0..layout.slabs()).filter(|&slab| slab_stride.takes(slab as u64)).collect();
    let stride = |positions: u64, wanted| Stride::new(layout, totals.cells(positions) / slab_stride.get(), wanted);
    let strides = ByColor::from_fn(|side: Color| {
        let saves = totals.attackers[!side].saves;
        Strides {
            saves: stride(saves, settings.saves),
            shorts: stride(saves, settings.shorts),
            // About half of an attacker's wins are with him to move.
            captures: stride(totals.attackers[side].in_time / 2, settings.captures),
        }
    });
    let capture_strides = ByColor::from_fn(|side: Color| slab_stride.get() * strides[side].captures.get());
    let mut survey = Survey { capture_strides, ..Survey::default() };
    let all = 2 * slabs.len() as u64 * layout.slab_len();
    let mut done = 0;
    for batch in slabs.chunks(4 * pool.current_num_threads()) {
        if progress.is_stopped() {
            return Ok(None);
        }
        let scan = |&slab: &usize| survey_slab(&cells, prober, &strides, slab);
        let found: Vec<Survey> = pool.install(|| batch.par_iter().map(scan).collect::<Result<_, ProbeError>>())?;
        found.iter().for_each(|found| survey.add(found));
        done += 2 * batch.len() as u64 * layout.slab_len();
        progress.scanned(done, all, survey.found.white + survey.found.black);
    }
    Ok(Some(survey))
}

fn survey_slab<S: ValueSource>(
    table: &Cells,
    prober: &Prober<S>,
    strides: &ByColor<Strides>,
    slab: usize,
) -> Result<Survey, ProbeError> {
    let mut survey = Survey { slabs: 1, ..Survey::default() };
    let layout = table.layout();
    let has_dtz = layout.material().has_dtz();
    let weight = layout.kings().weight(slab);
    let start = slab as u64 * layout.slab_len();
    let (mut white, mut black) = (Vec::new(), Vec::new());
    table.slab(prober, Color::White, slab, &mut white)?;
    table.slab(prober, Color::Black, slab, &mut black)?;
    // On the diagonal a slab holds most positions twice.
    let is_first = |side, number| !layout.kings().is_diagonal(slab) || layout.first_at(side, number).is_some();
    for (number, (&white, &black)) in (start..).zip(white.iter().zip(&black)) {
        let found = Zugzwangs::of(white, black);
        if found != Zugzwangs::default() {
            survey.zugzwangs = survey.zugzwangs + found.times(weight);
            survey.zugzwangs_distinct = survey.zugzwangs_distinct + found.times(is_first(Color::White, number).into());
        }
    }
    for (side, cells) in [(Color::White, white), (Color::Black, black)] {
        let strides = strides[side];
        for (number, cell) in (start..).zip(cells) {
            let (attacker, in_time) = match cell {
                None | Some(Category::Draw) => continue,
                Some(Category::Loss) => (!side, true),
                Some(Category::BlessedLoss) => (!side, false),
                Some(Category::CursedWin) => (side, false),
                Some(Category::Win) => (side, true),
            };
            let is_save = cell == Some(Category::BlessedLoss);
            if is_first(side, number) {
                survey.won_distinct[attacker] += 1;
                survey.in_time_distinct[attacker] += u64::from(in_time);
                survey.found_distinct[side] += u64::from(is_save);
            }
            if is_save {
                survey.found[side] += weight;
                let (analyse, ask) = (strides.saves.takes(number), has_dtz && strides.shorts.takes(number));
                if !analyse && !ask {
                    continue;
                }
                let Some(position) = LocatedPosition::at(layout, side, number) else { continue };
                let (save, saves) = (SaveAnalysis::new(prober, &position), &mut survey.saves[side]);
                if analyse {
                    saves.add_properties(&save, weight)?;
                }
                if ask {
                    saves.add_short(&save, weight)?;
                }
            } else if attacker == side
                && in_time
                && has_dtz
                && strides.captures.takes(number)
                && let Some(position) = layout.position_at(side, number)
            {
                survey.captures[side].add(prober, &position, weight)?;
            }
        }
    }
    Ok(survey)
}

impl Add for Zugzwangs {
    type Output = Zugzwangs;

    fn add(self, other: Zugzwangs) -> Zugzwangs {
        Zugzwangs {
            with_count: self.with_count + other.with_count,
            without_count: self.without_count + other.without_count,
            by_count: self.by_count + other.by_count,
            lifted: self.lifted + other.lifted,
            full: self.full + other.full,
        }
    }
}

impl Zugzwangs {
    /// The kinds of zugzwang that a placement with these values to White to move and to Black to move is: each 1 or 0.
    pub(crate) fn of(white: Option<Category>, black: Option<Category>) -> Zugzwangs {
        let MutualZugzwang { with_count, without_count, full } = MutualZugzwang::of(white, black);
        let number = u64::from;
        Zugzwangs {
            with_count: number(with_count),
            without_count: number(without_count),
            by_count: number(with_count && !without_count),
            lifted: number(without_count && !with_count),
            full: number(full),
        }
    }

    /// This number of placements like this one.
    const fn times(self, weight: u64) -> Zugzwangs {
        Zugzwangs {
            with_count: self.with_count * weight,
            without_count: self.without_count * weight,
            by_count: self.by_count * weight,
            lifted: self.lifted * weight,
            full: self.full * weight,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zugzwang_is_mutual_when_either_side_does_worse_to_move() {
        let counted = |white, black| {
            let found = Zugzwangs::of(white, black).times(8);
            [found.with_count, found.without_count, found.by_count, found.lifted, found.full].map(|n| n / 8)
        };
        assert_eq!(counted(Some(Category::Draw), Some(Category::Loss)), [1, 1, 0, 0, 0]);
        assert_eq!(counted(Some(Category::Loss), Some(Category::Loss)), [1, 1, 0, 0, 1]);
        // White wins only with Black to move; without the count in either case.
        assert_eq!(counted(Some(Category::CursedWin), Some(Category::Loss)), [1, 0, 1, 0, 0]);
        // The count turns the win into a draw.
        assert_eq!(counted(Some(Category::Draw), Some(Category::BlessedLoss)), [0, 1, 0, 1, 0]);
        for (white, black) in [
            (Some(Category::Win), Some(Category::Loss)),
            (Some(Category::Win), Some(Category::Draw)),
            (Some(Category::Draw), Some(Category::Draw)),
            (None, Some(Category::Loss)),
            (Some(Category::CursedWin), Some(Category::BlessedLoss)),
        ] {
            assert_eq!(counted(white, black), [0; 5], "{white:?} {black:?}");
        }
    }
}
