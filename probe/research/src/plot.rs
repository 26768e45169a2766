//! Pictures of materials, as SVG. The viewer chooses the font.

use std::fmt::Write;

use makruk_format::Storage;
use makruk_format::index::Layout;
use makruk_probe::{Category, ProbeError, Prober, ValueSource};
use makruk_rules::{Color, CountRule, Square, ToMove};
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Metric, MovesLeft, Value};
use rayon::prelude::*;
use thiserror::Error;

use crate::cells::Cells;
use crate::stats::tablebase;
use crate::text::short_number;

/// The colour of the line at a count's limit.
const LIMIT: &str = "#b41428";
const IN_TIME: &str = "#2c6e9b";
const TAKEN: &str = "#e08a2e";
const GRID: &str = "#dddddd";

/// The reason why there is no picture.
#[derive(Debug, Error)]
pub enum PlotError {
    /// A table is missing or damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The picture would be empty.
    #[error("there are no wins to draw")]
    Nothing,
    /// The tables omit the attacker to move.
    #[error("the tables of {0} omit the attacker to move")]
    Omitted(Material),
}

/// An SVG without its end; lengths are pixels.
struct Picture(String);

impl Picture {
    fn new(width: i32, height: i32) -> Picture {
        let mut picture = Picture(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n"
        ));
        picture.bar((0, 0), (width, height), "#ffffff");
        picture
    }

    fn bar(&mut self, (left, top): (i32, i32), (width, height): (i32, i32), color: &str) {
        // Writing to a string cannot fail.
        let _ =
            writeln!(self.0, "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\"/>");
    }

    /// A text at a point of its middle line: its `start`, `middle` or `end`.
    fn text(&mut self, text: &str, (x, y): (i32, i32), size: i32, anchor: &str) {
        let _ = writeln!(
            self.0,
            "<text x=\"{x}\" y=\"{y}\" dy=\".35em\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"#222222\">{text}</text>"
        );
    }
}

/// The smallest round step with which at most `steps` steps reach `most`.
fn step(most: u64, steps: u64) -> u64 {
    let least = most.div_ceil(steps).max(1);
    let ten = 10u64.pow(least.ilog10());
    [1, 2, 5, 10].map(|times| times * ten).into_iter().find(|&step| step >= least).unwrap_or(least)
}

/// The wins of an attacker to move, by their moves: to mate against a bare king without pawns, otherwise to the
/// conversion. A line marks the moves that the count leaves.
///
/// # Errors
///
/// If a table is missing or damaged, or the attacker wins nothing.
pub fn plot_distances<S: ValueSource>(
    prober: &Prober<S>,
    material: Material,
    attacker: Color,
) -> Result<String, PlotError> {
    const LEFT: i32 = 70;
    const TOP: i32 = 64;
    const FLOOR: i32 = 398;
    const RIGHT: i32 = 876;
    let tablebase = tablebase(prober, material)?;
    let values = |metric| -> Result<_, ProbeError> {
        Ok(&tablebase.table::<Value>(TableId::of(material, metric))?.spec().values[attacker])
    };
    let (mates, conversions) = (values(Metric::Dtm)?, values(Metric::Dtz)?);
    let bar = |&(value, positions): &(Value, u64)| match value {
        Value::Win(_) if positions > 0 => Some((u32::from(value.moves()?), positions)),
        _ => None,
    };
    let bars: Vec<(u32, u64)> = conversions.entries().iter().filter_map(bar).collect();
    let limit = MovesLeft::of(material, prober.rules()).moves(ToMove::Attacker);
    if bars.is_empty() {
        return Err(PlotError::Nothing);
    }
    // A bar much higher than all others, as immediate captures make one, is cut off and labelled.
    let mut numbers: Vec<u64> = bars.iter().map(|bar| bar.1).collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    let most = match numbers[..] {
        [first, second, ..] if first > 3 * second => second + second / 5,
        [first, ..] => first,
        [] => 1,
    };
    let longest = bars.last().map_or(1, |bar| bar.0).max(limit.unwrap_or(0)) + 1;
    let x = |moves: f64| LEFT + (moves * f64::from(RIGHT - LEFT) / f64::from(longest + 1)) as i32;
    // The label of the limit stands above the bars.
    let y = |number: u64| FLOOR - (number as f64 * f64::from(FLOOR - TOP) / (most as f64 * 1.1)) as i32;
    let is_late = |moves: u32| limit.is_some_and(|limit| moves > limit);
    let sum = |late: bool| short_number(bars.iter().filter(|bar| is_late(bar.0) == late).map(|bar| bar.1).sum());
    let mut picture = Picture::new(900, 460);
    picture.text(&title(material, attacker), (450, 22), 18, "middle");
    let mut facts = format!("{} in time, {} too late", sum(false), sum(true));
    if material.has_dtz() {
        facts.push_str(&format!(", {} won only without the count", short_number(mates.won() - conversions.won())));
    }
    picture.text(&facts, (450, 46), 12, "middle");
    for tick in (0..=most).step_by(step(most, 6) as usize) {
        picture.bar((LEFT, y(tick)), (RIGHT - LEFT, 1), GRID);
        picture.text(&short_number(tick), (LEFT - 8, y(tick)), 11, "end");
    }
    for &(moves, number) in &bars {
        let (from, to) = (x(f64::from(moves) - 0.42), x(f64::from(moves) + 0.42));
        let top = y(number.min(most)).min(FLOOR - 1);
        picture.bar((from, top), ((to - from).max(1), FLOOR - top), if is_late(moves) { TAKEN } else { IN_TIME });
        if number > most {
            picture.text(&format!("{} of them", short_number(number)), (to + 6, top + 8), 11, "start");
        }
    }
    for tick in (0..=longest).step_by(step(longest.into(), 14) as usize) {
        picture.text(&tick.to_string(), (x(f64::from(tick)), FLOOR + 16), 11, "middle");
    }
    let axis = match material.count_rule() {
        CountRule::None => "moves to mate, or to a move that ends the last pawn and wins in time",
        CountRule::Board => "moves to mate, or to a capture that bares the king and wins in time",
        CountRule::Pieces => "moves to mate",
    };
    picture.text(axis, (450, FLOOR + 42), 12, "middle");
    if let Some(left) = limit {
        let at = x(f64::from(left) + 0.5);
        picture.bar((at - 1, TOP), (2, FLOOR + 6 - TOP), LIMIT);
        let (label, anchor) = if at > 600 { (at - 8, "end") } else { (at + 8, "start") };
        picture.text(&format!("the count: {left} moves"), (label, TOP + 8), 12, anchor);
    }
    Ok(picture.0 + "</svg>\n")
}

/// The wins with the defender's king on one square: won, taken by the count, and the sum of their moves to mate.
type SquareWins = [u64; 3];

/// The length of the wins of an attacker to move, by the square of the defender's king, and the shares that the count
/// takes. Reads a whole table, on all threads of the rayon pool that this is called in.
///
/// # Errors
///
/// If a table is missing or damaged, if it omits the attacker to move, or if the attacker wins nothing.
pub fn plot_squares<S: ValueSource + Sync>(
    prober: &Prober<S>,
    material: Material,
    attacker: Color,
) -> Result<String, PlotError> {
    const SIDE: i32 = 68;
    const LEFT: i32 = 46;
    const TOP: i32 = 84;
    let wins = wins_by_square(prober, material, attacker)?;
    let means = || wins.iter().filter(|[won, ..]| *won > 0).map(|[won, _, moves]| *moves as f64 / *won as f64);
    let (least, most) = means().fold((f64::MAX, f64::MIN), |(least, most), mean| (least.min(mean), most.max(mean)));
    let mut picture = Picture::new(620, 690);
    picture.text(&title(material, attacker), (310, 20), 16, "middle");
    let subject = "moves to mate on average, and the share of wins that the count takes, by the other king's square";
    picture.text(subject, (310, 53), 11, "middle");
    for (square, [won, taken, moves]) in Square::all().zip(wins).filter(|(_, [won, ..])| *won > 0) {
        let (x, y) = (LEFT + SIDE * i32::from(square.file()), TOP + SIDE * i32::from(7 - square.rank()));
        let mean = moves as f64 / won as f64;
        // From nearly white to orange.
        let level = if most > least { (mean - least) / (most - least) } else { 0.0 };
        let mix = |from: f64, to: f64| (from + (to - from) * level) as u8;
        let shade = format!("rgb({},{},{})", mix(250.0, 232.0), mix(246.0, 138.0), mix(232.0, 60.0));
        picture.bar((x, y), (SIDE - 2, SIDE - 2), &shade);
        picture.text(&format!("{mean:.1}"), (x + SIDE / 2, y + SIDE / 2 - 9), 15, "middle");
        let share = 100.0 * taken as f64 / won as f64;
        picture.text(&format!("{share:.0}%"), (x + SIDE / 2, y + SIDE / 2 + 15), 11, "middle");
    }
    for n in 0..8u8 {
        let along = i32::from(n) * SIDE + SIDE / 2;
        picture.text(&char::from(b'a' + n).to_string(), (LEFT + along, TOP + 8 * SIDE + 14), 12, "middle");
        picture.text(&(8 - n).to_string(), (LEFT - 16, TOP + along), 12, "middle");
    }
    Ok(picture.0 + "</svg>\n")
}

fn title(material: Material, attacker: Color) -> String {
    format!("{material}: wins of {attacker}, to move")
}

fn wins_by_square<S: ValueSource + Sync>(
    prober: &Prober<S>,
    material: Material,
    attacker: Color,
) -> Result<[SquareWins; 64], PlotError> {
    let tablebase = tablebase(prober, material)?;
    let id = TableId { material, metric: Metric::Dtm };
    if tablebase.open(id).map_err(ProbeError::from)?.side(attacker).storage == Storage::Absent {
        return Err(PlotError::Omitted(material));
    }
    let mates = tablebase.side(id, attacker).map_err(ProbeError::from)?;
    let cells = Cells::open(prober, material)?;
    let layout = cells.layout();
    let of_slab = |slab| -> Result<SquareWins, ProbeError> {
        let (mut categories, mut codes, mut wins) = (Vec::new(), Vec::new(), SquareWins::default());
        cells.slab(prober, attacker, slab, &mut categories)?;
        mates.slab(slab, &mut codes)?;
        for (cell, &code) in categories.iter().zip(&codes).filter(|(cell, _)| **cell >= Some(Category::CursedWin)) {
            wins[0] += 1;
            wins[1] += u64::from(*cell == Some(Category::CursedWin));
            wins[2] += mates.values()[usize::from(code)].moves().map_or(0, u64::from);
        }
        Ok(wins)
    };
    let slabs: Vec<SquareWins> = (0..layout.slabs()).into_par_iter().map(of_slab).collect::<Result<_, ProbeError>>()?;
    let wins = unfold(layout, attacker, slabs);
    if wins.iter().all(|[won, ..]| *won == 0) { Err(PlotError::Nothing) } else { Ok(wins) }
}

/// The wins of the full board by the square of the defender's king, from the wins of each slab.
///
/// Each transform of the symmetry makes an image of a slab; two make the same image if the slab's weight is half the
/// number of transforms. So the weighted wins are summed over the transforms and divided by their number.
fn unfold(layout: &Layout, attacker: Color, slabs: Vec<SquareWins>) -> [SquareWins; 64] {
    let (symmetry, kings) = (layout.symmetry(), layout.kings());
    let mut wins = [SquareWins::default(); 64];
    for (slab, found) in slabs.into_iter().enumerate() {
        for transform in symmetry.transforms() {
            let there = &mut wins[transform.square(kings.pair(slab)[!attacker]).index()];
            there.iter_mut().zip(found).for_each(|(sum, number)| *sum += number * kings.weight(slab));
        }
    }
    let transforms = symmetry.transforms().count() as u64;
    wins.map(|wins| wins.map(|sum| sum / transforms))
}
