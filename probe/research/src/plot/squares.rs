//! The length of wins by the square of the defender's king.

use makruk_probe::{ProbeError, Prober, SlabSource};
use makruk_tables::format::Storage;
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Square};
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Metric, Wdl};
use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;
use rayon::prelude::*;

use super::PlotError;
use super::chart::{Area, bar, style, text};
use crate::cells::Cells;

/// The wins of an attacker to move, by the square of the defender's king.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquaresPlot {
    /// The material.
    pub material: Material,
    /// The side that wins, in the colours of the material's name.
    pub attacker: Color,
    /// The wins for each square of the defender's king, in positions of the full board.
    pub wins: [SquareWins; 64],
}

/// The wins with the defender's king on one square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquareWins {
    /// The wins without the count.
    pub won: u64,
    /// Those of them that the count takes.
    pub taken: u64,
    /// The sum of their moves to mate.
    pub moves: u64,
}

impl SquareWins {
    fn scaled(self, scale: impl Fn(u64) -> u64) -> SquareWins {
        SquareWins { won: scale(self.won), taken: scale(self.taken), moves: scale(self.moves) }
    }

    fn add(&mut self, other: SquareWins) {
        self.won += other.won;
        self.taken += other.taken;
        self.moves += other.moves;
    }

    /// The average moves to mate; `None` without a win.
    fn mean(&self) -> Option<f64> {
        (self.won > 0).then(|| self.moves as f64 / self.won as f64)
    }
}

pub(super) const WIDTH: u32 = 620;
pub(super) const HEIGHT: u32 = 690;
const SIDE: i32 = 68;
const LEFT: i32 = 46;
const TOP: i32 = 84;

impl SquaresPlot {
    /// Reads a whole table, on all threads of the rayon pool that this is called in.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, if it omits the attacker to move, or if the attacker wins nothing.
    pub fn read<S: SlabSource + Sync>(
        prober: &Prober<S>,
        material: Material,
        attacker: Color,
    ) -> Result<SquaresPlot, PlotError> {
        let tablebase = crate::stats::tablebase(prober, material)?;
        let id = TableId { material, metric: Metric::Dtm };
        if tablebase.open(id).map_err(ProbeError::from)?.side(attacker).storage == Storage::Absent {
            return Err(PlotError::Omitted(material));
        }
        let mates = tablebase.side(id, attacker).map_err(ProbeError::from)?;
        let cells = Cells::open(prober, material)?;
        let layout = cells.layout();
        let slabs: Vec<SquareWins> = (0..layout.slabs())
            .into_par_iter()
            .map(|slab| {
                let (mut categories, mut codes, mut wins) = (Vec::new(), Vec::new(), SquareWins::default());
                cells.slab(prober, attacker, slab, &mut categories)?;
                mates.slab(slab, &mut codes)?;
                let values = mates.values();
                for (cell, &code) in categories.iter().zip(&codes).filter(|(cell, _)| **cell >= Some(Wdl::CursedWin)) {
                    wins.won += 1;
                    wins.taken += u64::from(*cell == Some(Wdl::CursedWin));
                    wins.moves += values[usize::from(code)].moves().map_or(0, u64::from);
                }
                Ok(wins)
            })
            .collect::<Result<_, ProbeError>>()?;
        let wins = unfold(layout, attacker, slabs);
        match wins.iter().any(|wins| wins.won > 0) {
            true => Ok(SquaresPlot { material, attacker, wins }),
            false => Err(PlotError::Nothing(material)),
        }
    }

    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), PlotError> {
        let width = area.dim_in_pixel().0 as i32;
        let means = || self.wins.iter().filter_map(SquareWins::mean);
        let (least, most) = means().fold((f64::MAX, f64::MIN), |(least, most), mean| (least.min(mean), most.max(mean)));
        let attacker = if self.attacker == Color::White { "White" } else { "Black" };
        text(
            area,
            &format!("{}: wins of {attacker}, to move", self.material),
            (width / 2, 20),
            style(20, HPos::Center),
        )?;
        text(
            area,
            "by the square of the other king: moves to mate on average;",
            (width / 2, 44),
            style(14, HPos::Center),
        )?;
        text(area, "below them, the share of the wins that the count takes", (width / 2, 62), style(14, HPos::Center))?;
        for square in Square::all() {
            let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
            let (x, y) = (LEFT + SIDE * file, TOP + SIDE * (7 - rank));
            let wins = &self.wins[square.index()];
            let Some(mean) = wins.mean() else { continue };
            let level = if most > least { (mean - least) / (most - least) } else { 0.0 };
            bar(area, [(x, y), (x + SIDE - 2, y + SIDE - 2)], shade(level))?;
            text(area, &format!("{mean:.1}"), (x + SIDE / 2, y + SIDE / 2 - 9), style(19, HPos::Center))?;
            let share = 100.0 * wins.taken as f64 / wins.won as f64;
            text(area, &format!("{share:.0}%"), (x + SIDE / 2, y + SIDE / 2 + 15), style(14, HPos::Center))?;
        }
        for n in 0..8u8 {
            let along = i32::from(n) * SIDE + SIDE / 2;
            text(
                area,
                &char::from(b'a' + n).to_string(),
                (LEFT + along, TOP + 8 * SIDE + 14),
                style(15, HPos::Center),
            )?;
            text(area, &(8 - n).to_string(), (LEFT - 16, TOP + along), style(15, HPos::Center))?;
        }
        Ok(())
    }
}

/// The wins of the full board by the square of the defender's king, from the wins of each slab.
///
/// A slab stands for the positions of all images of its kings. Each transform of the symmetry makes one image; a slab's
/// weight is the number of transforms, or half of it if each position has two cells in the slab. Two transforms make the
/// same image then. So each image gets the slab's wins times weight, summed over the transforms and divided by their number.
fn unfold(layout: &Layout, attacker: Color, slabs: Vec<SquareWins>) -> [SquareWins; 64] {
    let symmetry = layout.symmetry();
    let mut wins = [SquareWins::default(); 64];
    for (slab, found) in slabs.into_iter().enumerate() {
        let king = layout.kings().pair(slab)[!attacker];
        let weight = layout.kings().weight(slab);
        for transform in symmetry.transforms() {
            wins[transform.square(king).index()].add(found.scaled(|positions| positions * weight));
        }
    }
    let transforms = symmetry.transforms().count() as u64;
    wins.map(|wins| wins.scaled(|sum| sum / transforms))
}

/// A colour from nearly white to orange.
fn shade(level: f64) -> RGBColor {
    let mix = |from: f64, to: f64| (from + (to - from) * level) as u8;
    RGBColor(mix(250.0, 0xe8.into()), mix(246.0, 0x8a.into()), mix(232.0, 0x3c.into()))
}
