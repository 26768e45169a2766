//! A histogram of distances, with the limit of the count.

use makruk_probe::{ProbeError, Prober, SlabSource};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountRule, ToMove};
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Metric, MovesLeft, Value};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::chart::{Area, bar, line, step, style, text};
use super::{IN_TIME, INK, LIMIT, PlotError, TAKEN};
use crate::text::short_number;

/// The wins of an attacker to move, by their moves: to mate against a bare king without pawns, otherwise to the conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistancesPlot {
    /// The material.
    pub material: Material,
    /// The side that wins, in the colours of the material's name.
    pub attacker: Color,
    /// Numbers of moves, ascending, and for each the positions of the full board that take it.
    pub bars: Vec<(u16, u64)>,
    /// The moves that a count that begins now leaves; `None` with pawns, when none begins.
    pub limit: Option<u32>,
    /// Wins without a conversion.
    pub without: u64,
}

const LEFT: i32 = 70;
const TOP: i32 = 64;
const BOTTOM: i32 = 62;

impl DistancesPlot {
    /// Reads the headers of a material's tables.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, or the attacker wins nothing.
    pub fn read<S: SlabSource>(
        prober: &Prober<S>,
        material: Material,
        attacker: Color,
    ) -> Result<DistancesPlot, PlotError> {
        let tablebase = crate::stats::tablebase(prober, material)?;
        let values = |metric| -> Result<_, ProbeError> {
            Ok(&tablebase.table::<Value>(TableId::of(material, metric))?.spec().values[attacker])
        };
        let (mates, conversions) = (values(Metric::Dtm)?, values(Metric::Dtz)?);
        let bars: Vec<(u16, u64)> = conversions
            .entries()
            .iter()
            .filter_map(|&(value, positions)| match value {
                Value::Win(_) if positions > 0 => Some((value.moves()?, positions)),
                _ => None,
            })
            .collect();
        let limit = MovesLeft::of(material, prober.rules()).moves(ToMove::Attacker);
        // Rules without board's honour have no count either.
        if bars.is_empty() || limit.is_none() && !material.has_pawns() {
            return Err(PlotError::Nothing(material));
        }
        Ok(DistancesPlot { material, attacker, bars, limit, without: mates.won() - conversions.won() })
    }

    /// The end of the scale, in positions. One bar much higher than all others, which immediate captures often make, is cut
    /// off and labelled.
    fn scale(&self) -> u64 {
        let mut numbers: Vec<u64> = self.bars.iter().map(|bar| bar.1).collect();
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        match numbers[..] {
            [first, second, ..] if first > 3 * second => second + second / 5,
            [first, ..] => first,
            [] => 1,
        }
    }

    /// Whether wins of this number of moves come too late for the count.
    fn is_late(&self, moves: u16) -> bool {
        self.limit.is_some_and(|limit| u32::from(moves) > limit)
    }

    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), PlotError> {
        let (width, height) = area.dim_in_pixel();
        let (width, height) = (width as i32, height as i32);
        let most = self.scale();
        let longest = self.bars.last().map_or(1, |bar| u32::from(bar.0)).max(self.limit.unwrap_or(0)) + 1;
        let x = |moves: f64| LEFT + (moves * f64::from(width - LEFT - 24) / f64::from(longest + 1)) as i32;
        // The label of the limit stands above the bars.
        let headroom = most as f64 * 1.1;
        let y = |number: u64| height - BOTTOM - (number as f64 * f64::from(height - BOTTOM - TOP) / headroom) as i32;
        let title = format!("{}: wins of {}, to move", self.material, name(self.attacker));
        text(area, &title, (width / 2, 22), style(22, HPos::Center))?;
        let late: u64 = self.bars.iter().filter(|bar| self.is_late(bar.0)).map(|bar| bar.1).sum();
        let in_time: u64 = self.bars.iter().map(|bar| bar.1).sum::<u64>() - late;
        let mut facts = format!("{} in time, {} too late", short_number(in_time), short_number(late));
        if self.material.has_dtz() {
            let forced = if self.material.has_pawns() { "end of the pawns" } else { "capture" };
            let without = short_number(self.without);
            facts.push_str(&format!(", {without} won only without the count: no {forced} in time can be forced"));
        }
        text(area, &facts, (width / 2, 46), style(15, HPos::Center))?;
        for tick in (0..=most).step_by(step(most, 6) as usize) {
            line(area, [(LEFT, y(tick)), (width - 24, y(tick))], plotters::style::RGBColor(0xdd, 0xdd, 0xdd), 1)?;
            text(area, &short_number(tick), (LEFT - 8, y(tick)), style(14, HPos::Right))?;
        }
        for &(moves, number) in &self.bars {
            let color = if self.is_late(moves) { TAKEN } else { IN_TIME };
            let moves = f64::from(moves);
            let (from, to) = (x(moves - 0.42), x(moves + 0.42));
            bar(area, [(from, y(number.min(most)).min(y(0) - 1)), (to.max(from + 1), y(0))], color)?;
            if number > most {
                text(area, &format!("{} of them", short_number(number)), (to + 6, y(most) + 8), style(14, HPos::Left))?;
            }
        }
        line(area, [(LEFT, y(0)), (width - 24, y(0))], INK, 1)?;
        for tick in (0..=longest).step_by(step(longest.into(), 14) as usize) {
            text(area, &tick.to_string(), (x(f64::from(tick)), y(0) + 16), style(14, HPos::Center))?;
        }
        let axis = match self.material.count_rule() {
            CountRule::None => "moves to mate, or to a move that ends the last pawn and wins in time",
            CountRule::Board => "moves to mate, or to a capture that bares the king and wins in time",
            CountRule::Pieces => "moves to mate",
        };
        text(area, axis, (width / 2, height - 20), style(15, HPos::Center))?;
        let Some(left) = self.limit else { return Ok(()) };
        let limit = x(f64::from(left) + 0.5);
        line(area, [(limit, TOP), (limit, y(0) + 6)], LIMIT, 2)?;
        let is_right = limit > width * 2 / 3;
        let (at, side) = if is_right { (limit - 8, HPos::Right) } else { (limit + 8, HPos::Left) };
        text(area, &format!("the count: {left} moves"), (at, TOP + 8), style(15, side))
    }
}

/// The name of a side, capitalised.
const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
