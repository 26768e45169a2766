//! Puzzles among random positions of a material.

use std::collections::HashMap;

use fastrand::Rng;
use makruk_format::index::Layout;
use makruk_probe::{Category, ProbeError, Prober, ValueSource};
use makruk_rules::{Color, Fen};
use makruk_tables::material::Material;
use rayon::prelude::*;

use super::{Puzzle, PuzzleTheme};
use crate::error::ResearchError;
use crate::progress::Progress;

/// Positions that are drawn and examined at a time.
const BATCH: u64 = 4096;
/// Draws for each candidate: many cells hold no position that is won or saved.
const MOST_DRAWS: u64 = 40;

/// The extent of a search for puzzles.
#[derive(Clone, Debug)]
pub struct PuzzleSettings {
    /// The positions to examine of each material: wins and saves, with either side to move.
    pub sample: u64,
    /// The puzzles to keep of each theme of a material.
    pub each: usize,
    /// The themes.
    pub themes: Vec<PuzzleTheme>,
    /// The seed of the draws.
    pub seed: u64,
    /// Threads; all cores if `None`.
    pub threads: Option<usize>,
}

/// The best puzzles of a material, by theme and best first. `None` if `progress` stopped the search.
///
/// # Errors
///
/// If a table is missing or damaged, or the threads cannot be started.
pub fn puzzles<S: ValueSource + Sync>(
    prober: &Prober<S>,
    material: Material,
    settings: &PuzzleSettings,
    progress: &mut dyn Progress,
) -> Result<Option<Vec<Puzzle>>, ResearchError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build()?;
    let layout = Layout::new(material);
    let name = material
        .to_string()
        .bytes()
        .fold(settings.seed, |seed, byte| seed.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte));
    let mut rng = Rng::with_seed(name);
    let mut best = BestPuzzles::new(settings);
    let (mut drawn, mut examined) = (0, 0);
    let most = settings.sample.saturating_mul(MOST_DRAWS);
    while examined < settings.sample && drawn < most {
        if progress.is_stopped() {
            return Ok(None);
        }
        let cell = |_| {
            let side = if rng.bool() { Color::White } else { Color::Black };
            (side, rng.u64(0..layout.positions()[side]))
        };
        let cells: Vec<(Color, u64)> = (0..BATCH).map(cell).collect();
        drawn += BATCH;
        let examine = |&(side, number): &(Color, u64)| -> Result<Option<Option<Puzzle>>, ProbeError> {
            let Some(position) = layout.position_at(side, number) else { return Ok(None) };
            let fen = Fen::new(position, None);
            match prober.category(&fen)? {
                Category::Win | Category::BlessedLoss => Ok(Some(Puzzle::of(prober, &fen)?)),
                _ => Ok(None),
            }
        };
        let found: Vec<Option<Option<Puzzle>>> =
            pool.install(|| cells.par_iter().map(examine).collect::<Result<_, ProbeError>>())?;
        for candidate in found.into_iter().flatten() {
            // The last batch ends where the candidates do, so that the number is exact.
            if examined == settings.sample {
                break;
            }
            examined += 1;
            candidate.into_iter().for_each(|puzzle| best.add(puzzle));
        }
        progress.scanned(examined, settings.sample, best.len());
    }
    Ok(Some(best.ranked()))
}

/// Sorts puzzles by theme, best first, and keeps this number of each theme and material; no two are images of each
/// other.
pub fn rank_puzzles(puzzles: &mut Vec<Puzzle>, each: usize) {
    puzzles.sort_by_key(|puzzle| {
        (puzzle.theme, -puzzle.score(), puzzle.material(), puzzle.key.place().0, puzzle.key.place().1)
    });
    let (mut kept, mut known) = (HashMap::new(), HashMap::new());
    puzzles.retain(|puzzle| {
        let kept: &mut usize = kept.entry((puzzle.theme, puzzle.material())).or_default();
        let is_kept = *kept < each && known.insert(puzzle.key, ()).is_none();
        *kept += usize::from(is_kept);
        is_kept
    });
}

/// Equal for puzzles that are alike: the last two moves of the side that solves, in either order.
type PuzzleLikeness = (PuzzleTheme, Material, Vec<String>);

fn likeness(puzzle: &Puzzle) -> PuzzleLikeness {
    let own = puzzle.moves_to_find();
    let last = puzzle.solution.iter().step_by(2).skip(own.saturating_sub(2));
    let mut last: Vec<String> = last.map(|mv| mv.san.clone()).collect();
    last.sort();
    (puzzle.theme, puzzle.material(), last)
}

/// The best puzzles so far, one of each likeness.
struct BestPuzzles<'a> {
    settings: &'a PuzzleSettings,
    found: HashMap<PuzzleLikeness, Puzzle>,
}

impl BestPuzzles<'_> {
    fn new(settings: &PuzzleSettings) -> BestPuzzles<'_> {
        BestPuzzles { settings, found: HashMap::new() }
    }

    fn len(&self) -> u64 {
        self.found.len() as u64
    }

    /// Adds a puzzle. The first of equals stays; puzzles are added in order.
    fn add(&mut self, puzzle: Puzzle) {
        if !self.settings.themes.contains(&puzzle.theme) {
            return;
        }
        let likeness = likeness(&puzzle);
        if self.found.get(&likeness).is_none_or(|known| known.score() < puzzle.score()) {
            self.found.insert(likeness, puzzle);
        }
    }

    fn ranked(self) -> Vec<Puzzle> {
        let mut ranked: Vec<Puzzle> = self.found.into_values().collect();
        rank_puzzles(&mut ranked, self.settings.each);
        ranked
    }
}
