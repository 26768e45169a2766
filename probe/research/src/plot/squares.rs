//! How long wins take, by the square of the defender's king.

use makruk_tables::format::{Metric, Storage};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Square};
use makruk_tables::tablebase::TableId;
use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;
use rayon::prelude::*;

use super::PlotError;
use super::chart::{Area, bar, style, text};
use crate::{Cell, Cells, SlabSource};
use makruk_probe::{ProbeError, Prober};

/// The wins of an attacker who is to move, by the square of the other king.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Squares {
    /// The set.
    pub material: Material,
    /// Who wins, in the colours of its name.
    pub attacker: Color,
    /// Of each square of the other king, in full-board positions.
    pub wins: [Wins; 64],
}

/// Wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wins {
    /// Without the count.
    pub won: u64,
    /// Of these, those that the count takes.
    pub taken: u64,
    /// The sum of their moves to mate.
    pub moves: u64,
}

pub(super) const WIDTH: u32 = 620;
pub(super) const HEIGHT: u32 = 690;
const SIDE: i32 = 68;
const LEFT: i32 = 46;
const TOP: i32 = 84;

impl Squares {
    /// Goes through a table, on all threads of the pool that it is called in.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, leaves out the attacker to move, or has no wins of his.
    pub fn read<S: SlabSource + Sync>(
        prober: &Prober<S>,
        material: Material,
        attacker: Color,
    ) -> Result<Squares, PlotError> {
        let tablebase = crate::stats::tablebase(prober, material)?;
        let id = TableId { material, metric: Metric::Dtm };
        if tablebase.table(id).map_err(ProbeError::from)?.storage(attacker) == Storage::Absent {
            return Err(PlotError::Absent(material));
        }
        let mates = tablebase.side(id, attacker).map_err(ProbeError::from)?;
        let cells = Cells::open(prober, material)?;
        let layout = cells.layout();
        let slabs: Vec<Wins> = (0..layout.slabs())
            .into_par_iter()
            .map(|slab| {
                let (mut worth, mut codes, mut wins) = (Vec::new(), Vec::new(), Wins::default());
                cells.slab(prober, attacker, slab, &mut worth)?;
                mates.slab(slab, &mut codes)?;
                let values = mates.values();
                for (cell, &code) in worth.iter().zip(&codes).filter(|(cell, _)| **cell >= Cell::CursedWin) {
                    wins.won += 1;
                    wins.taken += u64::from(*cell == Cell::CursedWin);
                    wins.moves += values[usize::from(code)].moves().map_or(0, u64::from);
                }
                Ok(wins)
            })
            .collect::<Result<_, ProbeError>>()?;
        let mut squares = Squares { material, attacker, wins: [Wins::default(); 64] };
        let symmetry = layout.symmetry();
        let images = symmetry.transforms().count() as u64;
        for (slab, found) in slabs.into_iter().enumerate() {
            let king = layout.kings().pair(slab)[!attacker];
            // Slabs on the diagonal hold their positions twice, and weigh half as much.
            let weight = layout.kings().weight(slab);
            for transform in symmetry.transforms() {
                let wins = &mut squares.wins[transform.square(king).index()];
                wins.won += 2 * weight * found.won / images;
                wins.taken += 2 * weight * found.taken / images;
                wins.moves += 2 * weight * found.moves / images;
            }
        }
        // Twice as much so far, so that a half was whole.
        for wins in &mut squares.wins {
            *wins = Wins { won: wins.won / 2, taken: wins.taken / 2, moves: wins.moves / 2 };
        }
        match squares.wins.iter().any(|wins| wins.won > 0) {
            true => Ok(squares),
            false => Err(PlotError::Nothing(material)),
        }
    }

    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), PlotError> {
        let width = area.dim_in_pixel().0 as i32;
        let mean = |wins: &Wins| (wins.won > 0).then(|| wins.moves as f64 / wins.won as f64);
        let means = || self.wins.iter().filter_map(mean);
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
            "by the square of the other king: moves to mate on an average;",
            (width / 2, 44),
            style(14, HPos::Center),
        )?;
        text(area, "below them, the share of the wins that the count takes", (width / 2, 62), style(14, HPos::Center))?;
        for square in Square::all() {
            let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
            let (x, y) = (LEFT + SIDE * file, TOP + SIDE * (7 - rank));
            let wins = &self.wins[square.index()];
            let Some(mean) = mean(wins) else { continue };
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

/// From nearly white to orange.
fn shade(level: f64) -> RGBColor {
    let mix = |from: f64, to: f64| (from + (to - from) * level) as u8;
    RGBColor(mix(250.0, 0xe8.into()), mix(246.0, 0x8a.into()), mix(232.0, 0x3c.into()))
}
