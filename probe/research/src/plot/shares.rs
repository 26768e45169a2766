//! The share of each material's wins that the count takes.

use makruk_probe::{Prober, SlabSource};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::chart::{Area, bar, line, style, text};
use super::{INK, LIMIT, PlotError, TAKEN};
use crate::stats::Totals;
use crate::text::short_number;

/// The wins of White, the first side of each material's name, either side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharesPlot {
    /// The materials, the largest share first.
    pub shares: Vec<MaterialShare>,
}

/// The wins of one material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialShare {
    /// The material.
    pub material: Material,
    /// The wins without the count.
    pub won: u64,
    /// The wins that pieces' honour takes.
    pub by_pieces: u64,
    /// The wins that board's honour takes.
    pub by_board: u64,
}

impl MaterialShare {
    /// The share of the wins that the count takes.
    fn taken(&self) -> f64 {
        (self.by_pieces + self.by_board) as f64 / self.won as f64
    }
}

const ROW: i32 = 22;
const TOP: i32 = 96;
const LEFT: i32 = 100;
const RIGHT: i32 = 130;

impl SharesPlot {
    /// Reads the headers of the materials' tables. Materials of whose wins the count takes none are left out.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, or no material is left.
    pub fn read<S: SlabSource>(prober: &Prober<S>, materials: &[Material]) -> Result<SharesPlot, PlotError> {
        let first = *materials.first().ok_or(PlotError::NoMaterial)?;
        let mut shares = Vec::new();
        for &material in materials {
            let attacker = &Totals::read(prober, material)?.attackers[Color::White];
            let (by_pieces, by_board) = (attacker.by_pieces(), attacker.by_board);
            if attacker.taken() > 0 {
                shares.push(MaterialShare { material, won: attacker.won, by_pieces, by_board });
            }
        }
        if shares.is_empty() {
            return Err(PlotError::Nothing(first));
        }
        shares.sort_by(|a, b| b.taken().total_cmp(&a.taken()).then(a.material.cmp(&b.material)));
        Ok(SharesPlot { shares })
    }

    pub(super) fn height(&self) -> u32 {
        (TOP + ROW * self.shares.len() as i32 + 24) as u32
    }

    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), PlotError> {
        let width = area.dim_in_pixel().0 as i32;
        let full = width - LEFT - RIGHT;
        let x = |share: f64| LEFT + (share * f64::from(full)) as i32;
        let foot = TOP + ROW * self.shares.len() as i32;
        text(area, "Wins of the first side that the count takes", (width / 2, 22), style(22, HPos::Center))?;
        for (at, color, what) in [
            (LEFT + 60, TAKEN, "pieces' honour: too few moves after the last capture"),
            (LEFT + 470, LIMIT, "board's honour: 64 moves"),
        ] {
            bar(area, [(at, 42), (at + 14, 56)], color)?;
            text(area, what, (at + 22, 49), style(15, HPos::Left))?;
        }
        for tick in 0..=5 {
            let share = f64::from(tick) / 5.0;
            line(area, [(x(share), TOP - 8), (x(share), foot)], plotters::style::RGBColor(0xdd, 0xdd, 0xdd), 1)?;
            text(area, &format!("{}%", 20 * tick), (x(share), TOP - 18), style(14, HPos::Center))?;
        }
        for (row, share) in self.shares.iter().enumerate() {
            let y = TOP + ROW * row as i32;
            let (pieces_end, end) = (x(share.by_pieces as f64 / share.won as f64), x(share.taken()));
            text(area, &share.material.to_string(), (LEFT - 8, y + ROW / 2), style(15, HPos::Right))?;
            if share.by_pieces > 0 {
                bar(area, [(LEFT, y + 4), (pieces_end.max(LEFT + 1), y + ROW - 4)], TAKEN)?;
            }
            if share.by_board > 0 {
                bar(area, [(pieces_end, y + 4), (end.max(pieces_end + 1), y + ROW - 4)], LIMIT)?;
            }
            let percent = match 100.0 * share.taken() {
                percent if percent < 0.1 => "<0.1%".to_owned(),
                percent => format!("{percent:.1}%"),
            };
            let label = format!("{percent} of {}", short_number(share.won));
            text(area, &label, (end + 8, y + ROW / 2), style(13, HPos::Left))?;
        }
        line(area, [(LEFT, TOP - 8), (LEFT, foot)], INK, 1)
    }
}
