//! Studies: positions worth composing from.
//!
//! Evenly spaced cells of a material are searched for two kinds:
//!
//! - [`StudyKind::Save`]: the defender, to move, has one drawing move among at least [`LEAST_LEGAL`] legal ones. The
//!   solution lasts as long as the defender has a single drawing move; the attacker answers so that the fewest moves draw.
//! - [`StudyKind::Refusal`]: the attacker, to move, can capture the last piece, each such capture draws, and one move wins
//!   under the count. The solution lasts as long as a single move wins; the defender makes the move ranked first.
//!
//! A solution also ends where a position is repeated. Studies are ranked by the sum of their [`Merit`]s. Studies in which
//! the side that begins ends with the same two moves, in either order, are alike; only the best of them is kept, the first
//! of equals. The same tables give the same studies.

mod refusal;
mod saved;
mod svg;

use std::collections::HashMap;
use std::ops::ControlFlow;

use makruk_probe::{LineMove, ProbeError, Prober, RankedMove};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, Move, Position};

use super::{
    Cursor, LocatedPosition, Order, Progress, ResearchError, Scanner, SlabSource, Stride, Totals, WdlAvailability,
};

pub use svg::board_svg;

/// The fewest legal moves in the first position of a study.
pub const LEAST_LEGAL: usize = 5;
/// The longest solution, in plies.
pub const MOST_PLIES: usize = 24;
/// A merit counts at most this often.
const MOST_TIMES: u32 = 6;

/// The kinds of studies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StudyKind {
    /// The side to move draws by the count.
    Save,
    /// The side to move wins by declining a piece.
    Refusal,
}

/// The properties that make a study better, or worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Merit {
    /// A move of the solution puts a man where capturing it draws.
    Offer,
    /// A move of the solution leaves another man where capturing it draws.
    Abandon,
    /// A move of the solution is quiet: neither capture nor check, flight from an attack nor sacrifice.
    Quiet,
    /// A move of the solution is the only one that keeps the result, of several legal ones.
    Only,
    /// There are natural first moves, and the solution begins with none of them.
    Unnatural,
    /// A natural first move (a capture, a check, a man's flight from an attack) fails.
    Try,
    /// The attacker's best answer declines the sacrifice.
    Declined,
    /// The attacker declines a man.
    Refused,
    /// The shortest mate without the count begins with a capture.
    Trap,
    /// The first move captures.
    FirstTakes,
    /// The side to move is in check.
    InCheck,
}

impl Merit {
    /// Every merit.
    pub const ALL: [Merit; 11] = [
        Merit::Offer,
        Merit::Abandon,
        Merit::Quiet,
        Merit::Only,
        Merit::Unnatural,
        Merit::Try,
        Merit::Declined,
        Merit::Refused,
        Merit::Trap,
        Merit::FirstTakes,
        Merit::InCheck,
    ];

    /// The points for each time.
    pub const fn weight(self) -> i32 {
        match self {
            Merit::Offer => 20,
            Merit::Abandon => 12,
            Merit::Quiet => 6,
            Merit::Only => 2,
            Merit::Unnatural => 10,
            Merit::Try => 3,
            Merit::Declined => 8,
            Merit::Refused => 8,
            Merit::Trap => 10,
            Merit::FirstTakes => -15,
            Merit::InCheck => -8,
        }
    }

    /// The name, in a few words.
    pub const fn name(self) -> &'static str {
        match self {
            Merit::Offer => "offer",
            Merit::Abandon => "man abandoned",
            Merit::Quiet => "quiet move",
            Merit::Only => "only move",
            Merit::Unnatural => "every natural move fails",
            Merit::Try => "natural try",
            Merit::Declined => "best left untaken",
            Merit::Refused => "refusal",
            Merit::Trap => "quickest mate would take",
            Merit::FirstTakes => "first move takes",
            Merit::InCheck => "in check",
        }
    }
}

impl StudyKind {
    /// `save` or `refusal`.
    pub const fn name(self) -> &'static str {
        match self {
            StudyKind::Save => "save",
            StudyKind::Refusal => "refusal",
        }
    }
}

/// A study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    /// Its kind.
    pub kind: StudyKind,
    /// The cell of its first position.
    pub cursor: Cursor,
    /// Its first position, without a count; the count begins with the defender's next move.
    pub fen: Fen,
    /// The solution. Each move of the side that begins is the only one that keeps the result.
    pub solution: Vec<LineMove>,
    /// Its merits and how often each occurs, at most six times.
    pub merits: Vec<(Merit, u32)>,
}

impl Study {
    /// The sum of the merits' points.
    pub fn score(&self) -> i32 {
        self.merits.iter().map(|&(merit, times)| merit.weight() * times as i32).sum()
    }

    /// The key of studies that are alike: the last two moves of the side that begins, in either order.
    fn likeness(&self) -> StudyLikeness {
        let own = self.solution.len().div_ceil(2);
        let last = self.solution.iter().step_by(2).skip(own.saturating_sub(2));
        let mut last: Vec<String> = last.map(|mv| mv.san.clone()).collect();
        last.sort();
        (self.cursor.material, self.kind, last)
    }
}

/// Equal for studies that are alike.
type StudyLikeness = (Material, StudyKind, Vec<String>);

/// The extent of a search for studies.
#[derive(Clone, Copy, Debug)]
pub struct StudySettings {
    /// About how many positions of each kind and side to move are analysed.
    pub candidates: u64,
    /// The number of studies to keep.
    pub keep: usize,
    /// Threads; all cores if `None`.
    pub threads: Option<usize>,
}

/// The best studies of a material, best first. `None` if `progress` stopped the search.
///
/// # Errors
///
/// If a table is missing or damaged, or the threads cannot be started.
pub fn studies<S: SlabSource + Sync>(
    prober: &Prober<S>,
    material: Material,
    settings: &StudySettings,
    progress: &mut dyn Progress,
) -> Result<Option<Vec<Study>>, ResearchError> {
    let totals = Totals::read(prober, material)?;
    let layout = Layout::new(material);
    let wdl = WdlAvailability::of(prober, material);
    let mut best = BestStudies { keep: settings.keep, found: HashMap::new() };
    for side in Color::ALL {
        let saves = totals.cells(totals.attackers[!side].saves);
        if saves > 0 {
            let stride = Stride::new(&layout, saves, settings.candidates);
            let order = Order::new([material], Some(side));
            let examine = |save: LocatedPosition| -> Result<Option<Study>, ResearchError> {
                if !stride.takes(save.cursor.number) {
                    return Ok(None);
                }
                Ok(saved::study(prober, &save, wdl)?)
            };
            let sink = |study| {
                best.add(study);
                Ok(ControlFlow::Continue(()))
            };
            let scanner = Scanner::new(prober, &order, 0..order.len(), settings.threads)?;
            if scanner.run(examine, sink, progress)?.next < order.len() {
                return Ok(None);
            }
        }
        if material.is_armed() && material.side(!side).total() == 1 && totals.attackers[side].in_time > 0 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build()?;
            let Some(found) = refusal::studies(prober, &totals, side, settings.candidates, &pool, progress)? else {
                return Ok(None);
            };
            found.into_iter().for_each(|study| best.add(study));
        }
    }
    Ok(Some(best.ranked()))
}

/// Sorts the studies of several materials, best first, and keeps the best.
pub fn rank_studies(studies: &mut Vec<Study>, keep: usize) {
    let key =
        |study: &Study| (-study.score(), study.cursor.material, study.cursor.side, study.cursor.number, study.kind);
    studies.sort_by_key(key);
    studies.truncate(keep);
}

/// The best studies so far, one of each likeness.
struct BestStudies {
    keep: usize,
    found: HashMap<StudyLikeness, Study>,
}

impl BestStudies {
    /// Adds a study. The first of equals stays; studies are added in order.
    fn add(&mut self, study: Study) {
        let likeness = study.likeness();
        if self.found.get(&likeness).is_none_or(|known| known.score() < study.score()) {
            self.found.insert(likeness, study);
        }
        if self.found.len() >= 4 * self.keep.max(64) {
            self.found = self.ranked().into_iter().map(|study| (study.likeness(), study)).collect();
        }
    }

    fn ranked(&self) -> Vec<Study> {
        let mut ranked: Vec<Study> = self.found.values().cloned().collect();
        rank_studies(&mut ranked, self.keep);
        ranked
    }
}

/// The merits of a study so far.
#[derive(Default)]
struct Merits(Vec<(Merit, u32)>);

impl Merits {
    fn add(&mut self, merit: Merit, times: u32) {
        if times == 0 {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| *known == merit) {
            Some((_, known)) => *known = (*known + times).min(MOST_TIMES),
            None => self.0.push((merit, times.min(MOST_TIMES))),
        }
    }

    /// Adds the merits of the first move, which is one of the legal ones.
    fn add_first(&mut self, position: &Position, legal: impl Iterator<Item = Move>, first: Move) {
        let naturals = legal.filter(|&mv| is_natural(position, mv)).count() as u32;
        let natural = is_natural(position, first);
        self.add(Merit::Try, naturals - u32::from(natural));
        self.add(Merit::Unnatural, u32::from(!natural && naturals > 0));
        self.add(Merit::FirstTakes, u32::from(position.captured(first).is_some()));
        self.add(Merit::InCheck, u32::from(position.is_check()));
    }

    fn sorted(mut self) -> Vec<(Merit, u32)> {
        self.0.sort();
        self.0
    }
}

/// Appends a move to a solution; returns the position after it.
pub(crate) fn push<S: SlabSource>(prober: &Prober<S>, solution: &mut Vec<LineMove>, now: &Fen, mv: RankedMove) -> Fen {
    let made = LineMove::new(prober.rules(), now, mv);
    let after = made.after.clone();
    solution.push(made);
    after
}

/// Whether the last position of a solution is a repetition.
pub(crate) fn is_repeated(root: &Fen, solution: &[LineMove]) -> bool {
    let Some((last, before)) = solution.split_last() else { return false };
    let position = &last.after.position;
    root.position == *position || before.iter().any(|mv| mv.after.position == *position)
}

/// The attacker's move, of those that keep the result, after which the fewest moves draw; of several the one ranked first.
pub(crate) fn hardest<S: SlabSource>(
    prober: &Prober<S>,
    now: &Fen,
    replies: &[RankedMove],
) -> Result<Option<RankedMove>, ProbeError> {
    let Some(first) = replies.first() else { return Ok(None) };
    let mut hardest: Option<(usize, RankedMove)> = None;
    for &mv in replies.iter().filter(|mv| mv.category == first.category) {
        let answers = prober.moves(&now.play(prober.rules(), mv.mv))?;
        let drawing = answers.iter().filter(|mv| mv.category.is_drawn()).count();
        if hardest.is_none_or(|(fewest, _)| drawing < fewest) {
            hardest = Some((drawing, mv));
        }
    }
    Ok(hardest.map(|(_, mv)| mv))
}

/// Whether a move is natural: a capture, a check, or a man's flight from an attack.
pub(crate) fn is_natural(position: &Position, mv: Move) -> bool {
    let attacked = !position.board().attackers(mv.from, !position.turn()).is_empty();
    let flees = attacked && position.king(position.turn()) != mv.from;
    position.captured(mv).is_some() || flees || position.play(mv).is_check()
}
