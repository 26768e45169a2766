//! Statistics as rows of named fields: one for each set and attacker that wins anything, one for all.

use std::collections::BTreeMap;

use makruk_tables::index::Layout;
use makruk_tables::rules::Color;
use serde_json::{Map, Value};

use super::{Place, SetStats, Zugzwangs};

/// A field of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// There is none.
    None,
    /// A text.
    Text(String),
    /// A number.
    Number(u64),
    /// A share, from 0 to 1.
    Share(f64),
    /// Numbers by number.
    Histogram(BTreeMap<u32, u64>),
}

/// A row: names and fields, always the same names in the same order.
pub type Row = Vec<(&'static str, Field)>;

impl Field {
    /// As JSON: shares with four decimals, histograms as objects.
    pub fn to_json(&self) -> Value {
        match self {
            Field::None => Value::Null,
            Field::Text(text) => Value::from(text.as_str()),
            Field::Number(number) => Value::from(*number),
            Field::Share(share) => Value::from((share * 1e4).round() / 1e4),
            Field::Histogram(of) => Value::Object(
                of.iter().map(|(key, number)| (key.to_string(), Value::from(*number))).collect::<Map<_, _>>(),
            ),
        }
    }

    /// As a field of CSV: nothing for none, `1:20 2:11` for a histogram.
    pub fn to_csv(&self) -> String {
        match self {
            Field::None => String::new(),
            Field::Text(text) => text.clone(),
            Field::Number(number) => number.to_string(),
            Field::Share(share) => format!("{share:.4}"),
            Field::Histogram(of) => {
                of.iter().map(|(key, number)| format!("{key}:{number}")).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// The number, if it is one.
    pub const fn number(&self) -> Option<u64> {
        match self {
            Field::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// The names of the fields, as CSV has them.
pub fn csv_header() -> String {
    let row = Sums::default().row();
    row.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

/// The rows of some sets: for each attacker that wins anything, White's first, then that of all together.
pub fn rows(sets: &[SetStats]) -> Vec<Row> {
    let mut all = Sums { set: "all".to_owned(), attacker: "both", zugzwangs: Some([0; 4]), ..Sums::default() };
    let mut rows = Vec::new();
    for stats in sets {
        all.positions += stats.totals.positions;
        all.drawn += stats.totals.drawn;
        let of_set = Sums::of(stats, Color::White);
        all.scanned |= of_set.scanned;
        all.slabs += of_set.slabs;
        all.zugzwangs = match (all.zugzwangs, of_set.zugzwangs) {
            (Some(all), Some(more)) => Some(std::array::from_fn(|at| all[at] + more[at])),
            _ => None,
        };
        for color in Color::ALL.into_iter().filter(|&color| stats.totals.attackers[color].won > 0) {
            let of = Sums::of(stats, color);
            all.add(&of);
            rows.push(of.row());
        }
    }
    rows.push(all.row());
    rows
}

/// What a row is made of: numbers that can be added up. Those of samples are scaled to all saves before.
#[derive(Clone, Debug, Default)]
struct Sums {
    set: String,
    attacker: &'static str,
    scanned: bool,
    slabs: u64,
    positions: u64,
    drawn: u64,
    won: u64,
    in_time: u64,
    by_board: u64,
    by_pieces: u64,
    saves: u64,
    saves_by_board: u64,
    looked: u64,
    only_move: f64,
    sacrifice: f64,
    last_piece: f64,
    forced: f64,
    given: [f64; 4],
    asked: u64,
    short: BTreeMap<u32, u64>,
    unknown: u64,
    mate: (u16, Option<Place>),
    longest_in_time: (u16, Option<Place>),
    deepest: Option<Place>,
    trade_cells: u64,
    trades: u64,
    trade_draws_by_count: u64,
    trade_draws: u64,
    refuse: u64,
    /// All of them, by the count, lifted, full; `None` if not all slabs were gone through: they come in heaps.
    zugzwangs: Option<[u64; 4]>,
}

impl Sums {
    fn of(stats: &SetStats, color: Color) -> Sums {
        let attacker = &stats.totals.attackers[color];
        let longest = stats.longest.as_ref().map(|longest| longest[color].clone()).unwrap_or_default();
        let mut sums = Sums {
            set: stats.totals.material.to_string(),
            attacker: color.name(),
            positions: stats.totals.positions,
            drawn: stats.totals.drawn,
            won: attacker.won,
            in_time: attacker.in_time,
            by_board: attacker.by_board,
            by_pieces: attacker.by_pieces(),
            saves: attacker.saves,
            saves_by_board: attacker.saves_by_board,
            mate: (attacker.longest_mate, longest.mate),
            longest_in_time: (attacker.longest_in_time, longest.in_time),
            deepest: longest.saved,
            ..Sums::default()
        };
        let is_told = !stats.totals.material.is_armed();
        if is_told {
            sums.asked = attacker.saves;
            sums.short = attacker.short.clone();
        }
        let Some(survey) = &stats.survey else { return sums };
        let slabs = Layout::new(stats.totals.material).slabs() as u64;
        let (saves, trades) = (&survey.saves[!color], &survey.trades[color]);
        let scale = |number: u64| match saves.looked {
            0 => 0.0,
            looked => number as f64 * attacker.saves as f64 / looked as f64,
        };
        if !is_told {
            sums.asked = saves.asked;
            sums.short = saves.short.clone();
            sums.unknown = saves.unknown;
        }
        Sums {
            scanned: true,
            looked: saves.looked,
            only_move: scale(saves.only_move),
            sacrifice: scale(saves.sacrifice),
            last_piece: scale(saves.last_piece),
            forced: scale(saves.forced),
            given: saves.given.map(scale),
            trade_cells: trades.cells,
            trades: trades.positions,
            trade_draws_by_count: trades.draws_by_count,
            trade_draws: trades.draws,
            refuse: trades.refuse,
            slabs: survey.slabs,
            zugzwangs: (survey.slabs == slabs).then(|| {
                let Zugzwangs { with_count, by_count, lifted, full, .. } = survey.zugzwangs;
                [with_count, by_count, lifted, full]
            }),
            ..sums
        }
    }

    /// Adds what attackers' rows have; what sets have is added once for each set. Shortages of samples of different sets
    /// are not added up.
    fn add(&mut self, other: &Sums) {
        self.won += other.won;
        self.in_time += other.in_time;
        self.by_board += other.by_board;
        self.by_pieces += other.by_pieces;
        self.saves += other.saves;
        self.saves_by_board += other.saves_by_board;
        self.looked += other.looked;
        self.only_move += other.only_move;
        self.sacrifice += other.sacrifice;
        self.last_piece += other.last_piece;
        self.forced += other.forced;
        self.given.iter_mut().zip(other.given).for_each(|(given, more)| *given += more);
        self.trade_cells += other.trade_cells;
        self.trades += other.trades;
        self.trade_draws_by_count += other.trade_draws_by_count;
        self.trade_draws += other.trade_draws;
        self.refuse += other.refuse;
        for (longest, other) in [(&mut self.mate, &other.mate), (&mut self.longest_in_time, &other.longest_in_time)] {
            if other.0 > longest.0 {
                longest.clone_from(other);
            }
        }
        let moves = |place: &Option<Place>| place.as_ref().map(|place| place.moves);
        if moves(&other.deepest) > moves(&self.deepest) {
            self.deepest.clone_from(&other.deepest);
        }
    }

    fn row(&self) -> Row {
        let number = Field::Number;
        let share = |part: f64, of: f64| if of > 0.0 { Field::Share(part / of) } else { Field::None };
        let text =
            |place: &Option<Place>| place.as_ref().map_or(Field::None, |place| Field::Text(place.fen.to_string()));
        let scanned = |field: Field| if self.scanned { field } else { Field::None };
        let saves = |part: f64| scanned(share(part, self.saves as f64));
        let trades = |part: u64| scanned(share(part as f64, self.trades as f64));
        let moves = |moves: u16| if moves > 0 { number(moves.into()) } else { Field::None };
        let zugzwangs = |at: usize| scanned(self.zugzwangs.map_or(Field::None, |zugzwangs| number(zugzwangs[at])));
        let taken = self.won - self.in_time;
        let [rook, knight, khon, met] = self.given;
        vec![
            ("set", Field::Text(self.set.clone())),
            ("attacker", Field::Text(self.attacker.to_owned())),
            ("positions", number(self.positions)),
            ("drawn", number(self.drawn)),
            ("won", number(self.won)),
            ("won_in_time", number(self.in_time)),
            ("taken", number(taken)),
            ("taken_share", share(taken as f64, self.won as f64)),
            ("taken_by_board", number(self.by_board)),
            ("taken_by_pieces", number(self.by_pieces)),
            ("saves", number(self.saves)),
            ("saves_by_board", number(self.saves_by_board)),
            ("slabs_looked_at", scanned(number(self.slabs))),
            ("saves_looked_at", scanned(number(self.looked))),
            ("only_move_share", saves(self.only_move)),
            ("sacrifice_share", saves(self.sacrifice)),
            ("last_piece_share", saves(self.last_piece)),
            ("forced_sacrifice_share", saves(self.forced)),
            ("rook_given_share", saves(rook)),
            ("knight_given_share", saves(knight)),
            ("khon_given_share", saves(khon)),
            ("met_given_share", saves(met)),
            ("short_asked", if self.asked > 0 { number(self.asked) } else { Field::None }),
            ("short_by", if self.asked > 0 { Field::Histogram(self.short.clone()) } else { Field::None }),
            ("short_unknown", if self.asked > 0 { number(self.unknown) } else { Field::None }),
            ("longest_mate_moves", moves(self.mate.0)),
            ("longest_mate", text(&self.mate.1)),
            ("longest_in_time_moves", moves(self.longest_in_time.0)),
            ("longest_in_time", text(&self.longest_in_time.1)),
            ("deepest_saved_moves", self.deepest.as_ref().map_or(Field::None, |place| number(place.moves.into()))),
            ("deepest_saved", text(&self.deepest)),
            ("captures_cells", scanned(number(self.trade_cells))),
            ("captures", scanned(number(self.trades))),
            ("capture_draws_by_count_share", trades(self.trade_draws_by_count)),
            ("capture_draws_share", trades(self.trade_draws)),
            ("captures_all_draw_share", trades(self.refuse)),
            ("zugzwangs", zugzwangs(0)),
            ("zugzwangs_by_count", zugzwangs(1)),
            ("zugzwangs_lifted", zugzwangs(2)),
            ("zugzwangs_full", zugzwangs(3)),
        ]
    }
}
