//! The share of each set's wins that the count takes.

use makruk_tables::material::Material;
use makruk_tables::rules::Color;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::chart::{Area, bar, line, short, style, text};
use super::{INK, LIMIT, PlotError, TAKEN};
use crate::{SlabSource, Totals};
use makruk_probe::Prober;

/// Wins of White, the first side of a set's name, either side to move; those that the count takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Set, wins without the count, wins that the count takes: by pieces' honour, by board's honour.
    pub sets: Vec<(Material, u64, [u64; 2])>,
}

const ROW: i32 = 22;
const TOP: i32 = 96;
const LEFT: i32 = 100;
const RIGHT: i32 = 130;

impl Shares {
    /// Reads them off the sets' headers. Sets without wins, or of whose wins the count takes none, are left out; those of
    /// which it takes the largest share come first.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, or no set is left.
    pub fn read<S: SlabSource>(prober: &Prober<S>, sets: &[Material]) -> Result<Shares, PlotError> {
        let mut found = Vec::new();
        for &set in sets {
            let attacker = Totals::read(prober, set)?.attackers[Color::White].clone();
            if attacker.taken() > 0 {
                found.push((set, attacker.won, [attacker.by_pieces(), attacker.by_board]));
            }
        }
        let share = |&(_, won, [pieces, board]): &(Material, u64, [u64; 2])| (pieces + board) as f64 / won as f64;
        found.sort_by(|a, b| share(b).total_cmp(&share(a)).then(a.0.cmp(&b.0)));
        match (found.is_empty(), sets.first()) {
            (true, Some(&set)) => Err(PlotError::Nothing(set)),
            (true, None) => Err(PlotError::Draw("no set is named".to_owned())),
            _ => Ok(Shares { sets: found }),
        }
    }

    pub(super) fn height(&self) -> u32 {
        (TOP + ROW * self.sets.len() as i32 + 24) as u32
    }

    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), PlotError> {
        let width = area.dim_in_pixel().0 as i32;
        let full = width - LEFT - RIGHT;
        let x = |share: f64| LEFT + (share * f64::from(full)) as i32;
        let foot = TOP + ROW * self.sets.len() as i32;
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
        for (row, (set, won, [pieces, board])) in self.sets.iter().enumerate() {
            let y = TOP + ROW * row as i32;
            let (first, second) = (*pieces as f64 / *won as f64, (pieces + board) as f64 / *won as f64);
            text(area, &set.to_string(), (LEFT - 8, y + ROW / 2), style(15, HPos::Right))?;
            if *pieces > 0 {
                bar(area, [(LEFT, y + 4), (x(first).max(LEFT + 1), y + ROW - 4)], TAKEN)?;
            }
            if *board > 0 {
                bar(area, [(x(first), y + 4), (x(second).max(x(first) + 1), y + ROW - 4)], LIMIT)?;
            }
            let share = if second < 0.001 { "<0.1%".to_owned() } else { format!("{:.1}%", 100.0 * second) };
            let told = format!("{share} of {}", short(*won));
            text(area, &told, (x(second) + 8, y + ROW / 2), style(13, HPos::Left))?;
        }
        line(area, [(LEFT, TOP - 8), (LEFT, foot)], INK, 1)
    }
}
