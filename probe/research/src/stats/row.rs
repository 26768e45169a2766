//! Statistics as rows: one for each material and attacker that wins anything, one for all together.

use std::collections::BTreeMap;

use makruk_format::index::Layout;
use makruk_rules::Color;

use super::counts::{ByProperty, SaveProperty};
use super::{AttackerTotals, LongestWin, LongestWins, MaterialStats, Survey, Zugzwangs};

/// A share, from 0 to 1. Written with four decimals.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Share(pub f64);

/// The number of positions for each number of moves.
pub type Histogram = BTreeMap<u32, u64>;

/// Declares [`StatsRow`]: the list of its fields is the list of the columns, each with its value from some sums.
macro_rules! columns {
    ($sums:ident => { $($prepare:tt)* } $($(#[doc = $doc:literal])* $name:ident: $type:ty = $value:expr,)*) => {
        /// A row of statistics. Programs match the names of its fields: fields may be added, never changed. A field is
        /// `None` if it was not computed, or if the row has no such value.
        #[derive(Clone, Debug, PartialEq)]
        pub struct StatsRow {
            $($(#[doc = $doc])* pub $name: $type,)*
        }

        impl StatsRow {
            /// The names of the columns.
            pub const COLUMNS: &[&str] = &[$(stringify!($name)),*];

            /// The row as a line of CSV. No field needs quotes.
            pub fn to_csv(&self) -> String {
                [$(self.$name.csv()),*].join(",")
            }
        }

        impl RowSums {
            fn row(&self) -> StatsRow {
                let $sums = self;
                $($prepare)*
                StatsRow { $($name: $value,)* }
            }
        }
    };
}

columns! {
    sums => {
        let RowSums { totals, longest, short, scan, .. } = sums;
        let scanned = |of: fn(&ScanSums) -> u64| scan.as_ref().map(of);
        let of_saves = |property: SaveProperty| {
            let scan = scan.as_ref().filter(|scan| scan.saves > 0)?;
            share(scan.with[property], totals.saves as f64)
        };
        let of_captures = |of: fn(&ScanSums) -> u64| {
            let scan = scan.as_ref()?;
            share(of(scan) as f64, scan.captures as f64)
        };
        let distinct = |of: fn(&DistinctSums) -> u64| scan.as_ref()?.distinct.as_ref().map(of);
        let zugzwangs = |of: fn(&ZugzwangSums) -> u64| scan.as_ref()?.zugzwangs.as_ref().map(of);
        let moves = |moves: u16| (moves > 0).then_some(u64::from(moves));
        let fen = |longest: &Option<LongestWin>| longest.as_ref().map(|longest| longest.fen.to_string());
    }
    /// The material's name, or `all`.
    material: String = sums.material.clone(),
    /// The side that wins, in the colours of the name: `white` or `black`; `both` in the row of all.
    attacker: &'static str = sums.attacker,
    /// The legal positions of the material, either side to move.
    positions: u64 = sums.positions,
    /// The positions that neither side wins, even without the count.
    drawn: u64 = sums.drawn,
    /// The attacker's wins without the count.
    won: u64 = totals.won,
    /// The attacker's wins under the count.
    won_in_time: u64 = totals.in_time,
    /// The wins that the count takes.
    taken: u64 = totals.taken(),
    /// These, as a share of the wins.
    taken_share: Option<Share> = share(totals.taken() as f64, totals.won as f64),
    /// The wins that board's honour takes.
    taken_by_board: u64 = totals.by_board,
    /// The wins that pieces' honour takes.
    taken_by_pieces: u64 = totals.by_pieces(),
    /// The saves of the other side.
    saves: u64 = totals.saves,
    /// The saves that board's honour makes.
    saves_by_board: u64 = totals.saves_by_board,
    /// The wins without the count up to symmetry; `None` unless every slab was scanned. The same holds for the next
    /// two.
    won_distinct: Option<u64> = distinct(|distinct| distinct.won),
    /// The wins under the count up to symmetry.
    won_in_time_distinct: Option<u64> = distinct(|distinct| distinct.in_time),
    /// The saves up to symmetry.
    saves_distinct: Option<u64> = distinct(|distinct| distinct.saves),
    /// The slabs that were scanned.
    slabs_looked_at: Option<u64> = scanned(|scan| scan.slabs),
    /// The saves that were analysed. All columns after the next are shares of the saves, estimated from these.
    saves_looked_at: Option<u64> = scanned(|scan| scan.saves),
    /// The standard error of a share of one half that is estimated from this number of saves. It is an upper bound for
    /// every other share; 0 if all saves were analysed.
    saves_error: Option<Share> = scan.as_ref().and_then(|scan| share(scan.saves_variance.sqrt(), totals.saves as f64)),
    /// Saves in which the defender is in check.
    check_share: Option<Share> = of_saves(SaveProperty::Check),
    /// Saves with a single saving move.
    only_move_share: Option<Share> = of_saves(SaveProperty::OnlyMove),
    /// Saves with a saving sacrifice.
    sacrifice_share: Option<Share> = of_saves(SaveProperty::Sacrifice),
    /// Saves with a saving sacrifice of the last piece.
    last_piece_share: Option<Share> = of_saves(SaveProperty::LastPiece),
    /// Saves in which every saving move is a sacrifice.
    forced_sacrifice_share: Option<Share> = of_saves(SaveProperty::Forced),
    /// Saves with a saving sacrifice that captures nothing: an offer, or a man lost anyway.
    quiet_sacrifice_share: Option<Share> = of_saves(SaveProperty::QuietSacrifice),
    /// Saves with a saving offer.
    offer_share: Option<Share> = of_saves(SaveProperty::Offer),
    /// Saves with a saving exchange.
    exchange_share: Option<Share> = of_saves(SaveProperty::Exchange),
    /// Saves with a saving sacrifice of a man that every move loses.
    lost_anyway_share: Option<Share> = of_saves(SaveProperty::LostAnyway),
    /// Saves with a saving sacrifice of a rook.
    rook_given_share: Option<Share> = of_saves(SaveProperty::RookGiven),
    /// Saves with a saving sacrifice of a knight.
    knight_given_share: Option<Share> = of_saves(SaveProperty::KnightGiven),
    /// Saves with a saving sacrifice of a khon.
    khon_given_share: Option<Share> = of_saves(SaveProperty::KhonGiven),
    /// Saves with a saving sacrifice of a met.
    met_given_share: Option<Share> = of_saves(SaveProperty::MetGiven),
    /// The saves for which the moves that the attacker is short were computed.
    short_asked: Option<u64> = short.as_ref().map(|short| short.asked),
    /// These saves, by the moves that the attacker is short.
    short_by: Option<Histogram> = short.as_ref().map(|short| short.by.clone()),
    /// These saves for which the number is unknown.
    short_unknown: Option<u64> = short.as_ref().map(|short| short.unknown),
    /// The moves of the longest mate without the count.
    longest_mate_moves: Option<u64> = moves(totals.longest_mate),
    /// Its position.
    longest_mate: Option<String> = fen(&longest.mate),
    /// The moves of the longest way to a conversion in time.
    longest_in_time_moves: Option<u64> = moves(totals.longest_in_time),
    /// Its position.
    longest_in_time: Option<String> = fen(&longest.in_time),
    /// The moves of the longest mate that only the count prevents.
    deepest_saved_moves: Option<u64> = longest.saved.as_ref().map(|saved| saved.moves.into()),
    /// Its position.
    deepest_saved: Option<String> = fen(&longest.saved),
    /// The wins in time that were searched for baring captures.
    captures_cells: Option<u64> = scanned(|scan| scan.capture_cells),
    /// One of this many wins in time, with the attacker to move, was searched; 1 if all were. `None` in the row of all.
    captures_stride: Option<u64> = scan.as_ref().and_then(|scan| scan.captures_stride),
    /// The standard error of a share of one half of the captures, as `saves_error`.
    captures_error: Option<Share> =
        scan.as_ref().and_then(|scan| share(scan.captures_variance.sqrt(), scan.captures as f64)),
    /// The positions among them, on the full board, in which the attacker can take the last piece. The next three
    /// columns are shares of these.
    captures: Option<u64> = scanned(|scan| scan.sampled_captures),
    /// Positions in which such a capture draws by the count that it starts.
    capture_draws_by_count_share: Option<Share> = of_captures(|scan| scan.draws_by_count),
    /// Positions in which such a capture draws.
    capture_draws_share: Option<Share> = of_captures(|scan| scan.draws),
    /// Positions in which every such capture draws.
    captures_all_draw_share: Option<Share> = of_captures(|scan| scan.all_draw),
    /// Mutual zugzwangs under the count; `None` unless every slab was scanned, since zugzwangs are unevenly spread.
    zugzwangs: Option<u64> = zugzwangs(|zugzwangs| zugzwangs.all.with_count),
    /// Mutual zugzwangs under the count and not without it.
    zugzwangs_by_count: Option<u64> = zugzwangs(|zugzwangs| zugzwangs.all.by_count),
    /// Mutual zugzwangs without the count that are none under it.
    zugzwangs_lifted: Option<u64> = zugzwangs(|zugzwangs| zugzwangs.all.lifted),
    /// Mutual zugzwangs under the count in which the side to move loses, whichever it is.
    zugzwangs_full: Option<u64> = zugzwangs(|zugzwangs| zugzwangs.all.full),
    /// Mutual zugzwangs under the count, up to symmetry.
    zugzwangs_distinct: Option<u64> = zugzwangs(|zugzwangs| zugzwangs.distinct.with_count),
    /// Mutual zugzwangs under the count and not without it, up to symmetry.
    zugzwangs_by_count_distinct: Option<u64> = zugzwangs(|zugzwangs| zugzwangs.distinct.by_count),
    /// Mutual zugzwangs without the count that are none under it, up to symmetry.
    zugzwangs_lifted_distinct: Option<u64> = zugzwangs(|zugzwangs| zugzwangs.distinct.lifted),
}

/// A field of CSV. A missing value is empty, a histogram is written `1:20 2:11`.
trait CsvField {
    fn csv(&self) -> String;
}

impl CsvField for String {
    fn csv(&self) -> String {
        self.clone()
    }
}

impl CsvField for &str {
    fn csv(&self) -> String {
        (*self).to_owned()
    }
}

impl CsvField for u64 {
    fn csv(&self) -> String {
        self.to_string()
    }
}

impl CsvField for Share {
    fn csv(&self) -> String {
        format!("{:.4}", self.0)
    }
}

impl CsvField for Histogram {
    fn csv(&self) -> String {
        self.iter().map(|(key, number)| format!("{key}:{number}")).collect::<Vec<_>>().join(" ")
    }
}

impl<T: CsvField> CsvField for Option<T> {
    fn csv(&self) -> String {
        self.as_ref().map_or_else(String::new, CsvField::csv)
    }
}

impl StatsRow {
    /// Whether shares of the saves are estimates from some of them.
    pub fn saves_are_sampled(&self) -> bool {
        self.saves_looked_at.is_some_and(|looked| looked < self.saves)
    }

    /// Whether shares of the captures of the last piece are estimates from some of them.
    pub fn captures_are_sampled(&self) -> bool {
        self.captures_error.is_some_and(|Share(error)| error > 0.0)
    }

    /// The rows of some materials: of each one for each attacker that wins anything, White first; then, unless there is
    /// one row alone, one of all together.
    pub fn of(materials: &[MaterialStats]) -> Vec<StatsRow> {
        let mut all = RowSums { material: "all".to_owned(), attacker: "both", ..RowSums::default() };
        let mut rows = Vec::new();
        for stats in materials {
            all.add_material(stats);
            for color in Color::ALL.into_iter().filter(|&color| stats.totals.attackers[color].won > 0) {
                let sums = RowSums::of(stats, color);
                all.add_attacker(&sums);
                rows.push(sums.row());
            }
        }
        if rows.len() != 1 {
            rows.push(all.row());
        }
        rows
    }
}

/// The numbers of a row that can be added up.
#[derive(Clone, Debug, Default)]
struct RowSums {
    material: String,
    attacker: &'static str,
    positions: u64,
    drawn: u64,
    totals: AttackerTotals,
    longest: LongestWins,
    /// `None` in the row of all: samples of different materials are not added up.
    short: Option<ShortSums>,
    /// `None` if nothing was scanned.
    scan: Option<ScanSums>,
}

/// The saves by the moves that attackers are short.
#[derive(Clone, Debug)]
struct ShortSums {
    asked: u64,
    by: Histogram,
    unknown: u64,
}

/// The sums of scans. Those of samples are estimates for all saves, or for all captures.
#[derive(Clone, Debug, Default)]
struct ScanSums {
    slabs: u64,
    saves: u64,
    with: ByProperty<f64>,
    /// The variance of an estimated number of saves, of all that half of the saves are.
    saves_variance: f64,
    capture_cells: u64,
    /// Positions with baring captures in the sample.
    sampled_captures: u64,
    /// `None` in the row of all.
    captures_stride: Option<u64>,
    /// All positions with baring captures, and those in which they draw.
    captures: u64,
    draws_by_count: u64,
    draws: u64,
    all_draw: u64,
    /// The variance of an estimated number of captures, of all that half of the captures are.
    captures_variance: f64,
    /// `None` unless every slab was scanned.
    distinct: Option<DistinctSums>,
    /// `None` unless every slab was scanned.
    zugzwangs: Option<ZugzwangSums>,
}

/// Numbers of wins and saves up to symmetry.
#[derive(Clone, Copy, Debug, Default)]
struct DistinctSums {
    won: u64,
    in_time: u64,
    saves: u64,
}

/// Zugzwangs of the full board, and up to symmetry.
#[derive(Clone, Copy, Debug, Default)]
struct ZugzwangSums {
    all: Zugzwangs,
    distinct: Zugzwangs,
}

impl ZugzwangSums {
    /// The sums of a material, if it was scanned as a whole.
    fn of(stats: &MaterialStats, survey: &Survey) -> Option<ZugzwangSums> {
        let is_whole = survey.is_whole(Layout::new(stats.totals.material).slabs());
        is_whole.then_some(ZugzwangSums { all: survey.zugzwangs, distinct: survey.zugzwangs_distinct })
    }
}

impl RowSums {
    fn of(stats: &MaterialStats, color: Color) -> RowSums {
        let totals = stats.totals.attackers[color].clone();
        let short = if stats.totals.material.has_dtz() {
            stats.survey.as_ref().map(|survey| {
                let saves = &survey.saves[!color];
                ShortSums { asked: saves.asked, by: saves.short.clone(), unknown: saves.unknown }
            })
        } else {
            Some(ShortSums { asked: totals.saves, by: totals.short.clone(), unknown: 0 })
        };
        RowSums {
            material: stats.totals.material.to_string(),
            attacker: color.name(),
            positions: stats.totals.positions,
            drawn: stats.totals.drawn,
            longest: stats.longest.as_ref().map(|longest| longest[color].clone()).unwrap_or_default(),
            short: short.filter(|short| short.asked > 0),
            scan: stats.survey.as_ref().map(|survey| ScanSums {
                slabs: survey.slabs,
                zugzwangs: ZugzwangSums::of(stats, survey),
                ..ScanSums::of(stats, survey, color)
            }),
            totals,
        }
    }

    /// Adds the numbers that a material has once.
    fn add_material(&mut self, stats: &MaterialStats) {
        self.positions += stats.totals.positions;
        self.drawn += stats.totals.drawn;
        let Some(survey) = &stats.survey else { return };
        // With the first material everything was scanned so far.
        let scan = self.scan.get_or_insert_with(|| ScanSums {
            distinct: Some(DistinctSums::default()),
            zugzwangs: Some(ZugzwangSums::default()),
            ..ScanSums::default()
        });
        scan.slabs += survey.slabs;
        scan.zugzwangs = scan
            .zugzwangs
            .zip(ZugzwangSums::of(stats, survey))
            .map(|(sum, more)| ZugzwangSums { all: sum.all + more.all, distinct: sum.distinct + more.distinct });
    }

    /// Adds the numbers that each attacker has.
    fn add_attacker(&mut self, other: &RowSums) {
        let deeper = |one: &LongestWin, other: &LongestWin| other.moves > one.moves;
        if other.totals.longest_mate > self.totals.longest_mate {
            self.longest.mate.clone_from(&other.longest.mate);
        }
        if other.totals.longest_in_time > self.totals.longest_in_time {
            self.longest.in_time.clone_from(&other.longest.in_time);
        }
        if let Some(saved) = &other.longest.saved
            && self.longest.saved.as_ref().is_none_or(|known| deeper(known, saved))
        {
            self.longest.saved = Some(saved.clone());
        }
        self.totals += &other.totals;
        if let (Some(scan), Some(other)) = (&mut self.scan, &other.scan) {
            scan.add(other);
        }
    }
}

impl ScanSums {
    /// The sums of an attacker; the material's own are left out.
    fn of(stats: &MaterialStats, survey: &Survey, attacker: Color) -> ScanSums {
        let (saves, captures) = (&survey.saves[!attacker], &survey.captures[attacker]);
        let all_saves = stats.totals.attackers[attacker].saves;
        let per_save = if saves.looked == 0 { 0.0 } else { all_saves as f64 / saves.looked as f64 };
        let stride = survey.capture_strides[attacker];
        let is_whole = survey.is_whole(Layout::new(stats.totals.material).slabs());
        ScanSums {
            slabs: 0,
            zugzwangs: None,
            distinct: is_whole.then_some(DistinctSums {
                won: survey.won_distinct[attacker],
                in_time: survey.in_time_distinct[attacker],
                saves: survey.found_distinct[!attacker],
            }),
            saves: saves.looked,
            with: saves.with.map(|sampled| sampled as f64 * per_save),
            saves_variance: variance(all_saves, saves.cells, per_save),
            capture_cells: captures.cells,
            sampled_captures: captures.positions,
            captures_stride: Some(stride),
            captures: stride * captures.positions,
            draws_by_count: stride * captures.draws_by_count,
            draws: stride * captures.draws,
            all_draw: stride * captures.all_draw,
            captures_variance: variance(stride * captures.positions, captures.found_cells, stride as f64),
        }
    }

    /// Adds the sums of an attacker.
    fn add(&mut self, other: &ScanSums) {
        self.saves += other.saves;
        self.with += &other.with;
        self.saves_variance += other.saves_variance;
        self.capture_cells += other.capture_cells;
        self.sampled_captures += other.sampled_captures;
        self.captures += other.captures;
        self.draws_by_count += other.draws_by_count;
        self.draws += other.draws;
        self.all_draw += other.all_draw;
        self.captures_variance += other.captures_variance;
        self.distinct = self.distinct.zip(other.distinct).map(|(sum, more)| DistinctSums {
            won: sum.won + more.won,
            in_time: sum.in_time + more.in_time,
            saves: sum.saves + more.saves,
        });
    }
}

/// The variance of the estimated number of positions that half of `all` have, from this number of sampled cells, each
/// of which stands for `per_cell` of its kind. The sample is taken as a simple one without replacement.
fn variance(all: u64, cells: u64, per_cell: f64) -> f64 {
    if cells == 0 || per_cell <= 1.0 {
        return 0.0;
    }
    let all = all as f64;
    all * all * 0.25 / cells as f64 * (1.0 - per_cell.recip())
}

fn share(part: f64, of: f64) -> Option<Share> {
    (of > 0.0).then(|| Share(part / of))
}

#[cfg(test)]
mod tests;
