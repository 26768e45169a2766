//! Positions worth composing from.
//!
//! Two kinds are looked for, at evenly spaced cells of a set, a stated number of each kind and side:
//!
//! - [`StudyKind::Save`]: the defender, to move, has one drawing move among at least [`LEAST_LEGAL`] legal ones. The
//!   solution goes on for as long as he has one drawing move only; the attacker answers so that the fewest moves draw.
//! - [`StudyKind::Refusal`]: the attacker, to move, can take the last piece, each such capture draws, and one move wins
//!   within the count. The solution goes on for as long as one move wins; the defender makes the move ranked first.
//!
//! A solution ends where a position comes a second time, too. Studies are ranked by the sum of what they have of the
//! [`Merit`]s; of those whose side to move ends with the same two moves,
//! in either order, only the first of the best is kept. The same tables give
//! the same studies.

mod refusal;
mod saved;
mod svg;

use std::collections::HashMap;
use std::ops::ControlFlow;

use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, Move, Position};
use rayon::ThreadPoolBuildError;

use super::{Cursor, Found, Lights, Order, Progress, Settings, SlabSource, Step, Totals, scan};
use makruk_probe::{LineMove, ProbeError, Prober, RankedMove};

pub use svg::board_svg;

/// The fewest legal moves of a study's first position.
pub const LEAST_LEGAL: usize = 5;
/// The most plies of a solution.
pub const MOST_PLIES: usize = 24;
/// The most often that one merit counts.
const MOST_TIMES: u32 = 6;

/// What a study is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StudyKind {
    /// To move and draw by the count.
    Save,
    /// To move and win, by leaving a piece alone.
    Refusal,
}

/// What makes a study worth more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Merit {
    /// A move of the solution puts a man where taking it draws.
    Offer,
    /// One leaves a man to be taken so.
    Abandon,
    /// A move of the solution is quiet: no capture, no check, no flight from an attack, no sacrifice.
    Quiet,
    /// A move of the solution is the only one.
    Only,
    /// The first move is none of the natural ones, of which there are some.
    Unnatural,
    /// A natural first move (a capture, a check, a man's flight from an attack) that fails.
    Try,
    /// The attacker's best answer leaves the man that is given alone.
    Declined,
    /// The attacker leaves a man alone that he could take.
    Refused,
    /// The quickest mate, without the count, would begin with taking.
    Trap,
    /// The first move takes.
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

    /// What it is worth, each time.
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

    /// In a word or two.
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
    /// What it is about.
    pub kind: StudyKind,
    /// Where it is.
    pub cursor: Cursor,
    /// The position, no count running: it begins with the defender's next move.
    pub fen: Fen,
    /// The solution. Every move of the side that begins is the only one that keeps its result.
    pub solution: Vec<LineMove>,
    /// How often it has which merits, at most six times each.
    pub merits: Vec<(Merit, u32)>,
}

impl Study {
    /// The sum of its merits.
    pub fn score(&self) -> i32 {
        self.merits.iter().map(|&(merit, times)| merit.weight() * times as i32).sum()
    }

    /// What tells it from others like it: the last two moves of the side that begins, in either order.
    fn likeness(&self) -> Likeness {
        let own = self.solution.len().div_ceil(2);
        let last = self.solution.iter().step_by(2).skip(own.saturating_sub(2));
        let mut last: Vec<String> = last.map(|mv| mv.san.clone()).collect();
        last.sort();
        (self.cursor.material, self.kind, last)
    }
}

/// Studies that end alike are alike.
type Likeness = (Material, StudyKind, Vec<String>);

/// How studies are looked for.
#[derive(Clone, Copy, Debug)]
pub struct StudySettings {
    /// About how many positions of each kind and side of a set are looked at closely.
    pub candidates: u64,
    /// How many studies are kept.
    pub keep: usize,
    /// Threads; all cores if `None`.
    pub threads: Option<usize>,
}

/// The best studies of a set, best first. `None` if it was stopped.
///
/// # Errors
///
/// If a table is missing or damaged, or there are no threads to be had.
pub fn studies<S, E>(
    prober: &Prober<S>,
    set: Material,
    settings: &StudySettings,
    progress: &mut dyn Progress,
) -> Result<Option<Vec<Study>>, E>
where
    S: SlabSource + Sync,
    E: From<ProbeError> + From<ThreadPoolBuildError> + Send,
{
    let totals = Totals::read(prober, set)?;
    let lights = Lights::of(prober, set);
    let mut best = Best { keep: settings.keep, found: HashMap::new() };
    for side in Color::ALL {
        let saves = totals.cells(totals.attackers[!side].saves);
        if saves > 0 {
            let step = Step::of(saves, settings.candidates);
            let order = Order::new([set], Some(side));
            let examine = |found: Found| -> Result<Option<Study>, E> {
                if !step.takes(found.cursor.number) {
                    return Ok(None);
                }
                Ok(saved::study(prober, &found, lights)?)
            };
            let sink = |study| {
                best.add(study);
                Ok(ControlFlow::Continue(()))
            };
            let threads = Settings { threads: settings.threads };
            let ended = scan(prober, &order, 0..order.len(), &threads, examine, sink, progress)?;
            if ended.next < order.len() {
                return Ok(None);
            }
        }
        if set.is_armed() && set.side(!side).total() == 1 && totals.attackers[side].in_time > 0 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build()?;
            let Some(found) = refusal::studies(prober, &totals, side, settings.candidates, &pool, progress)? else {
                return Ok(None);
            };
            found.into_iter().for_each(|study| best.add(study));
        }
    }
    Ok(Some(best.ranked()))
}

/// Puts the studies of several sets in order and keeps the best.
pub fn rank_studies(studies: &mut Vec<Study>, keep: usize) {
    let key =
        |study: &Study| (-study.score(), study.cursor.material, study.cursor.side, study.cursor.number, study.kind);
    studies.sort_by_key(key);
    studies.truncate(keep);
}

/// The best so far, by likeness.
struct Best {
    keep: usize,
    found: HashMap<Likeness, Study>,
}

impl Best {
    /// Studies come in order, so the first of equals stays.
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

/// Merits, counted.
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

    /// Adds those of the first move, which is one of the legal ones.
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

/// Adds a move to a solution; gives what it leads to.
fn push<S: SlabSource>(prober: &Prober<S>, solution: &mut Vec<LineMove>, now: &Fen, mv: RankedMove) -> Fen {
    let made = LineMove::new(prober.rules(), now, mv);
    let after = made.after.clone();
    solution.push(made);
    after
}

/// Has the position been there before, in a solution or where it begins?
fn is_repeated(root: &Fen, solution: &[LineMove]) -> bool {
    let Some((last, before)) = solution.split_last() else { return false };
    let position = &last.after.position;
    root.position == *position || before.iter().any(|mv| mv.after.position == *position)
}

/// A move that comes to mind first: a capture, a check, or a man's flight from an attack.
fn is_natural(position: &Position, mv: Move) -> bool {
    let attacked = !position.board().attackers(mv.from, !position.turn()).is_empty();
    let flees = attacked && position.king(position.turn()) != mv.from;
    position.captured(mv).is_some() || flees || position.play(mv).is_check()
}
