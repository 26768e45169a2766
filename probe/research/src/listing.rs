//! Lists of a material's remarkable positions, each once up to symmetry.

use std::ops::ControlFlow;

use makruk_format::index::Layout;
use makruk_probe::{Category, ProbeError, Prober, ValueSource};
use makruk_rules::{ByColor, Color, ToMove};
use makruk_tables::material::Material;
use makruk_tables::tablebase::DistancesSide;
use makruk_tables::value::{MovesLeft, Value};
use rayon::prelude::*;

use crate::cells::Cells;
use crate::error::ResearchError;
use crate::named::named;
use crate::position::LocatedPosition;
use crate::progress::Progress;
use crate::stats::{BaringCaptures, Zugzwangs, tablebase};

named! {
    /// The positions of a list.
    pub enum ListKind("a list") {
        /// Mutual zugzwangs, with the count or without it, with White to move.
        Zugzwangs = "zugzwangs",
        /// The longest mates of each attacker, without the count.
        LongestMates = "longest-mates",
        /// The longest ways of each attacker to a conversion, under the count. Against a bare king these are the
        /// tightest wins.
        LongestConversions = "longest-conversions",
        /// The saves that lose the longest mates without the count, the defender to move.
        DeepestSaves = "deepest-saves",
        /// The wins that take all moves which the count leaves.
        TightestWins = "tightest-wins",
        /// The attacker, to move, wins under the count and can take the last piece, and every such capture draws.
        WastefulCaptures = "wasteful-captures",
    }
}

impl ListKind {
    /// Whether the list is of positions of materials with a DTZ table only.
    pub const fn needs_dtz(self) -> bool {
        matches!(self, ListKind::LongestConversions | ListKind::WastefulCaptures)
    }

    /// Whether the list has only the positions with the most moves.
    const fn is_of_extremes(self) -> bool {
        matches!(self, ListKind::LongestMates | ListKind::LongestConversions | ListKind::DeepestSaves)
    }
}

/// A position of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPosition {
    /// The position and its cell.
    pub located: LocatedPosition,
    /// The remark on it.
    pub remark: Remark,
}

/// The reason why a position is in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// A mutual zugzwang.
    Zugzwang(Zugzwangs),
    /// The attacker's moves to mate.
    MovesToMate(u16),
    /// The attacker's moves to the conversion.
    MovesToConversion(u16),
    /// Every capture draws, at least one of them by the count that it starts, if `by_count`.
    EveryCaptureDraws {
        /// Whether the count makes one of these draws.
        by_count: bool,
    },
}

impl ListedPosition {
    /// The position as one line of EPD: a FEN's first four fields, `id` with the cell, and the remark as comment `c0`.
    pub fn epd(&self) -> String {
        let fen = self.located.fen().to_string();
        let fields = fen.split(' ').take(3).collect::<Vec<_>>().join(" ");
        format!("{fields} - id \"{}\"; c0 \"{}\";", self.located.cursor, self.remark.text())
    }
}

impl Remark {
    fn text(self) -> String {
        match self {
            Remark::Zugzwang(zugzwang) => {
                let kind = if zugzwang.full > 0 { "reciprocal" } else { "half-point" };
                let when = match (zugzwang.by_count, zugzwang.lifted) {
                    (0, 0) => "with the count and without",
                    (0, _) => "only without the count",
                    _ => "only with the count",
                };
                format!("{kind} zugzwang {when}")
            }
            Remark::MovesToMate(1) => "1 move to mate".to_owned(),
            Remark::MovesToMate(moves) => format!("{moves} moves to mate"),
            Remark::MovesToConversion(1) => "1 move to the conversion".to_owned(),
            Remark::MovesToConversion(moves) => format!("{moves} moves to the conversion"),
            Remark::EveryCaptureDraws { by_count: true } => "every capture draws, by the count".to_owned(),
            Remark::EveryCaptureDraws { by_count: false } => "every capture draws".to_owned(),
        }
    }
}

/// A cell of a slab that a list has.
#[derive(Clone, Copy)]
struct Entry {
    side: Color,
    number: u64,
    attacker: Color,
    remark: Remark,
}

impl Entry {
    const fn moves(&self) -> u16 {
        match self.remark {
            Remark::MovesToMate(moves) | Remark::MovesToConversion(moves) => moves,
            Remark::Zugzwang(_) | Remark::EveryCaptureDraws { .. } => 0,
        }
    }
}

/// The tables that a list needs.
enum Tables {
    Distances(ByColor<DistancesSide>),
    Categories(Box<Cells>),
}

/// A list in the making.
struct Lister<'a, S> {
    prober: &'a Prober<S>,
    kind: ListKind,
    layout: Layout,
    left: MovesLeft,
    tables: Tables,
}

/// Passes the positions of a list to `sink` until it breaks off, slab by slab; of each pair of zugzwangs the one with
/// White to move. Lists of extremes have White to move before Black to move. Returns the number of positions; `None` if
/// `progress` stopped the scan.
///
/// # Errors
///
/// If a table is missing or damaged, and the errors of `sink`.
pub fn list<S: ValueSource + Sync, E: From<ResearchError>>(
    prober: &Prober<S>,
    material: Material,
    kind: ListKind,
    threads: Option<usize>,
    progress: &mut dyn Progress,
    mut sink: impl FnMut(ListedPosition) -> Result<ControlFlow<()>, E>,
) -> Result<Option<u64>, E> {
    let lister = Lister::new(prober, material, kind).map_err(ResearchError::from)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(ResearchError::from)?;
    let layout = &lister.layout;
    let slabs: Vec<usize> = (0..layout.slabs()).collect();
    let mut extremes: Vec<Entry> = Vec::new();
    let mut listed = 0;
    let mut pass = |entry: Entry| -> Result<ControlFlow<()>, E> {
        let Some(located) = LocatedPosition::at(layout, entry.side, entry.number) else {
            return Ok(ControlFlow::Continue(()));
        };
        listed += 1;
        sink(ListedPosition { located, remark: entry.remark })
    };
    let mut done = 0;
    let mut found_so_far = 0;
    for batch in slabs.chunks(4 * pool.current_num_threads()) {
        if progress.is_stopped() {
            return Ok(None);
        }
        let scan = |&slab: &usize| lister.of_slab(slab);
        let found: Result<Vec<Vec<Entry>>, ProbeError> = pool.install(|| batch.par_iter().map(scan).collect());
        for entry in found.map_err(ResearchError::from)?.into_iter().flatten() {
            found_so_far += 1;
            if kind.is_of_extremes() {
                extremes.push(entry);
            } else if pass(entry)?.is_break() {
                return Ok(Some(listed));
            }
        }
        keep_extremes_if(kind, &mut extremes);
        done += 2 * batch.len() as u64 * layout.slab_len();
        progress.scanned(done, 2 * layout.slabs() as u64 * layout.slab_len(), found_so_far);
    }
    extremes.sort_by_key(|entry| (entry.side, entry.number));
    for entry in extremes {
        if pass(entry)?.is_break() {
            break;
        }
    }
    Ok(Some(listed))
}

/// Keeps the entries with the most moves, of each attacker.
fn keep_extremes(entries: &mut Vec<Entry>) {
    let most = ByColor::from_fn(|attacker| {
        entries.iter().filter(|entry| entry.attacker == attacker).map(Entry::moves).max().unwrap_or(0)
    });
    entries.retain(|entry| entry.moves() == most[entry.attacker]);
}

impl<'a, S: ValueSource> Lister<'a, S> {
    fn new(prober: &'a Prober<S>, material: Material, kind: ListKind) -> Result<Lister<'a, S>, ProbeError> {
        let tables = match kind {
            ListKind::Zugzwangs | ListKind::WastefulCaptures => {
                Tables::Categories(Box::new(Cells::open(prober, material)?))
            }
            _ => {
                let tablebase = tablebase(prober, material)?;
                let side = |side| tablebase.distances_side(material, side);
                Tables::Distances(ByColor { white: side(Color::White)?, black: side(Color::Black)? })
            }
        };
        let (layout, left) = (Layout::new(material), MovesLeft::of(material, prober.rules()));
        Ok(Lister { prober, kind, layout, left, tables })
    }

    /// The entries of a slab; of extremes only those of the slab.
    fn of_slab(&self, slab: usize) -> Result<Vec<Entry>, ProbeError> {
        match &self.tables {
            Tables::Distances(sides) => {
                let mut entries = Vec::new();
                for side in Color::ALL {
                    self.by_distances(&sides[side], side, slab, &mut entries)?;
                }
                Ok(entries)
            }
            Tables::Categories(cells) => self.by_categories(cells, slab),
        }
    }

    fn by_distances(
        &self,
        distances: &DistancesSide,
        side: Color,
        slab: usize,
        entries: &mut Vec<Entry>,
    ) -> Result<(), ProbeError> {
        let (mut dtm_codes, mut dtz_codes) = (Vec::new(), Vec::new());
        distances.slab(slab, &mut dtm_codes, &mut dtz_codes)?;
        let (dtm_values, dtz_values) = (distances.dtm_values(), distances.dtz_values());
        let start = slab as u64 * self.layout.slab_len();
        let mut most = ByColor { white: 0, black: 0 };
        for (number, (dtm, dtz)) in (start..).zip(dtm_codes.into_iter().zip(dtz_codes)) {
            let (dtm, dtz) = (dtm_values[usize::from(dtm)], dtz_values[usize::from(dtz)]);
            let Some(remark) = self.remark(dtm, dtz) else { continue };
            let attacker = if matches!(dtm, Value::Win(_)) { side } else { !side };
            let entry = Entry { side, number, attacker, remark };
            let is_short = self.kind.is_of_extremes() && entry.moves() < most[attacker];
            if !is_short && self.layout.first_at(side, number).is_some() {
                most[attacker] = entry.moves();
                entries.push(entry);
            }
        }
        keep_extremes_if(self.kind, entries);
        Ok(())
    }

    /// The remark on a position with these distances, if the list may have it.
    fn remark(&self, dtm: Value, dtz: Value) -> Option<Remark> {
        let attacks = match dtm {
            Value::Draw => return None,
            Value::Win(_) => true,
            Value::Loss(_) => false,
        };
        let in_time = self.left.suffice(dtz, ToMove::attacker_if(attacks));
        match self.kind {
            ListKind::LongestMates => dtm.moves().map(Remark::MovesToMate),
            ListKind::LongestConversions if in_time => dtz.moves().map(Remark::MovesToConversion),
            ListKind::DeepestSaves if !in_time && !attacks => dtm.moves().map(Remark::MovesToMate),
            ListKind::TightestWins
                if in_time && dtz.moves().map(u32::from) == self.left.moves(ToMove::attacker_if(attacks)) =>
            {
                dtz.moves().map(Remark::MovesToConversion)
            }
            _ => None,
        }
    }

    fn by_categories(&self, cells: &Cells, slab: usize) -> Result<Vec<Entry>, ProbeError> {
        let mut entries = Vec::new();
        let start = slab as u64 * self.layout.slab_len();
        let (mut white, mut black) = (Vec::new(), Vec::new());
        cells.slab(self.prober, Color::White, slab, &mut white)?;
        cells.slab(self.prober, Color::Black, slab, &mut black)?;
        if self.kind == ListKind::Zugzwangs {
            for (number, (white, black)) in (start..).zip(white.into_iter().zip(black)) {
                let zugzwang = Zugzwangs::of(white, black);
                if zugzwang != Zugzwangs::default() && self.layout.first_at(Color::White, number).is_some() {
                    let remark = Remark::Zugzwang(zugzwang);
                    entries.push(Entry { side: Color::White, number, attacker: Color::White, remark });
                }
            }
            return Ok(entries);
        }
        for (side, cells) in [(Color::White, white), (Color::Black, black)] {
            for (number, cell) in (start..).zip(cells) {
                if cell != Some(Category::Win) {
                    continue;
                }
                let Some(position) = self.layout.first_at(side, number) else { continue };
                let mut captures = BaringCaptures::default();
                captures.add(self.prober, &position, 1)?;
                if captures.all_draw > 0 {
                    let remark = Remark::EveryCaptureDraws { by_count: captures.draws_by_count > 0 };
                    entries.push(Entry { side, number, attacker: side, remark });
                }
            }
        }
        Ok(entries)
    }
}

fn keep_extremes_if(kind: ListKind, entries: &mut Vec<Entry>) {
    if kind.is_of_extremes() {
        keep_extremes(entries);
    }
}
