//! The records, batch by batch.

use std::collections::HashMap;
use std::ops::Range;

use makruk_probe::{ProbeError, Prober};
use makruk_tables::material::Material;
use makruk_tables::rules::{Fen, Position};
use makruk_tables::value::Distances;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use thiserror::Error;

use super::candidate::{Candidate, Played};
use super::distance_reader::{ReadTask, read, read_tasks};
use super::evenness::{AcceptanceRates, Class};
use super::position_draw::PositionDraw;
use super::record_rng::{RecordRng, Stream};
use super::{CountChoice, Evenness, TrainingPosition, Weighting};
use crate::{Progress, SlabSource};

/// The records that are drawn together: the more, the better the order of the tables serves, and the more memory they take.
const BATCH: u64 = 1 << 18;
/// The draws from which the shares of the classes are estimated.
const PILOT: u64 = 1 << 17;
/// So many cells of a material hold a position that is accepted unread, if any does.
const MOST_CELLS: u32 = 100_000;
/// So many positions include one that is accepted, if any is.
const MOST_POSITIONS: u64 = 10_000_000;
/// The records that one task renders.
const RENDERED_AT_ONCE: usize = 2048;

/// The source of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionSource {
    /// Legal positions of materials in which the side to move has a legal move, in either colours.
    Drawn {
        /// The materials.
        materials: Vec<Material>,
        /// How likely each is.
        weighting: Weighting,
    },
    /// Positions of games, in random order. Those of other materials, and those without a legal move, are left out.
    Played {
        /// The materials.
        materials: Vec<Material>,
        /// The positions.
        fens: Vec<Fen>,
    },
}

/// The positions that are left out because a search, not an evaluation, decides them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quietness {
    /// None.
    #[default]
    Any,
    /// Those with the side to move in check or with a legal capture.
    NoCapture,
    /// Those with the side to move in check or whose best move captures.
    QuietMove,
}

/// The settings of a training set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingSettings {
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// The counts, each choice as likely as any other; none for those that ran in the games.
    pub counts: Vec<CountChoice>,
    /// The classes that are to be equally frequent.
    pub evenness: Evenness,
    /// Classes rarer than one in so many positions are not made as frequent as others.
    pub rarest: u32,
    /// The positions that are left out.
    pub quietness: Quietness,
    /// Are the best moves asked for?
    pub best_moves: bool,
    /// All cores if `None`.
    pub threads: Option<usize>,
}

impl Default for TrainingSettings {
    fn default() -> TrainingSettings {
        TrainingSettings {
            seed: 1,
            counts: vec![CountChoice::None],
            evenness: Evenness::None,
            rarest: 1000,
            quietness: Quietness::Any,
            best_moves: false,
            threads: None,
        }
    }
}

/// The reason why records could not be made.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// A table is missing or damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The threads could not be started.
    #[error("cannot start the threads")]
    Threads(#[from] ThreadPoolBuildError),
    /// There is no material to draw from.
    #[error("there is no material to take positions from")]
    NoMaterial,
    /// No position meets the conditions.
    #[error("no position that was drawn meets the conditions")]
    NoneAccepted,
}

/// Records of positions. Each depends on the seed, the settings and its number alone, not on the others or on threads.
#[derive(Debug)]
pub struct TrainingSet<'a, S> {
    prober: &'a Prober<S>,
    settings: TrainingSettings,
    draw: PositionDraw,
    /// The cells of a slab, by material.
    slab_lens: Vec<u64>,
    /// The positions of games, in the order of the records.
    played: Option<Vec<Fen>>,
    pool: ThreadPool,
}

/// What became of a candidate: a record, or the numbers for the next draw.
type Outcome = Result<TrainingPosition, RecordRng>;

impl<'a, S: SlabSource + Sync> TrainingSet<'a, S> {
    /// The records of a source under these settings.
    ///
    /// # Errors
    ///
    /// If there is no material, or the threads cannot be started.
    pub fn new(
        prober: &'a Prober<S>,
        source: PositionSource,
        settings: TrainingSettings,
    ) -> Result<TrainingSet<'a, S>, TrainingError> {
        let (materials, weighting, fens) = match source {
            PositionSource::Drawn { materials, weighting } => (materials, weighting, None),
            PositionSource::Played { materials, fens } => (materials, Weighting::Materials, Some(fens)),
        };
        let draw = PositionDraw::new(materials, weighting);
        let slab_lens: Vec<u64> = draw.layouts().map(|layout| layout.slab_len()).collect();
        if slab_lens.is_empty() {
            return Err(TrainingError::NoMaterial);
        }
        let pool = ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build()?;
        let played = fens.map(|fens| shuffled(fens, settings.seed));
        Ok(TrainingSet { prober, settings, draw, slab_lens, played, pool })
    }

    /// Renders these records and passes their bytes on, in order. Of games there are no more records than positions, and
    /// positions that do not meet the conditions have none. Returns the number of the first record that was not rendered: the
    /// end, unless `progress` stopped it.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, if no position meets the conditions, and the errors of `sink`.
    pub fn run<E: From<TrainingError>>(
        &self,
        records: Range<u64>,
        render: impl Fn(&TrainingPosition, &mut Vec<u8>) + Sync,
        mut sink: impl FnMut(&[u8]) -> Result<(), E>,
        progress: &mut dyn Progress,
    ) -> Result<u64, E> {
        let end = self.played.as_ref().map_or(records.end, |fens| records.end.min(fens.len() as u64));
        let (all, mut next) = (end.saturating_sub(records.start), records.start);
        let Some(rates) = self.rates(progress)? else { return Ok(next) };
        while next < end {
            let batch = next..end.min(next + BATCH);
            let mut report = |done: usize, progress: &mut dyn Progress| {
                let done = next - records.start + done as u64;
                progress.scanned(done, all, done);
            };
            let Some(found) = self.batch(Stream::Records, batch.clone(), &rates, &mut report, progress)? else {
                return Ok(next);
            };
            let rendered: Vec<Vec<u8>> = self.pool.install(|| {
                let render_all = |positions: &[TrainingPosition]| {
                    let mut out = Vec::new();
                    positions.iter().for_each(|position| render(position, &mut out));
                    out
                };
                found.par_chunks(RENDERED_AT_ONCE).map(render_all).collect()
            });
            for bytes in &rendered {
                sink(bytes)?;
            }
            next = batch.end;
        }
        Ok(next)
    }

    /// The rates at which classes are accepted; `None` if `progress` stopped the estimate.
    fn rates(&self, progress: &mut dyn Progress) -> Result<Option<AcceptanceRates>, TrainingError> {
        if self.settings.evenness == Evenness::None {
            return Ok(Some(AcceptanceRates::default()));
        }
        let pilot = 0..self.played.as_ref().map_or(PILOT, |fens| fens.len() as u64);
        let found = self.batch(Stream::Pilot, pilot, &AcceptanceRates::default(), &mut |_, _| {}, progress)?;
        Ok(found.map(|found| {
            let mut frequencies: HashMap<Class, u64> = HashMap::new();
            for position in &found {
                *frequencies.entry(self.settings.evenness.class(&position.verdict)).or_default() += 1;
            }
            AcceptanceRates::new(&frequencies, self.settings.rarest)
        }))
    }

    /// The positions of some records; `None` if `progress` stopped them.
    fn batch(
        &self,
        stream: Stream,
        records: Range<u64>,
        rates: &AcceptanceRates,
        report: &mut dyn FnMut(usize, &mut dyn Progress),
        progress: &mut dyn Progress,
    ) -> Result<Option<Vec<TrainingPosition>>, TrainingError> {
        let first = records.start;
        let mut found: Vec<Option<TrainingPosition>> = Vec::new();
        found.resize_with((records.end - first) as usize, || None);
        let rng = |record: u64| RecordRng::new(self.settings.seed, stream, record);
        let mut open: Vec<(usize, RecordRng)> =
            records.map(|record| ((record - first) as usize, rng(record))).collect();
        let (mut drawn, mut accepted) = (0, 0);
        while !open.is_empty() {
            if progress.is_stopped() {
                return Ok(None);
            }
            drawn += open.len() as u64;
            let outcomes = self.pool.install(|| self.round(first, std::mem::take(&mut open), rates))?;
            for (record, outcome) in outcomes {
                match outcome {
                    Ok(position) => {
                        found[record] = Some(position);
                        accepted += 1;
                    }
                    // A position of a game is not drawn again.
                    Err(rng) if self.played.is_none() => open.push((record, rng)),
                    Err(_) => {}
                }
            }
            if accepted == 0 && drawn >= MOST_POSITIONS {
                return Err(TrainingError::NoneAccepted);
            }
            report(accepted, progress);
        }
        Ok(Some(found.into_iter().flatten().collect()))
    }

    /// One candidate of each record, in the order of the tables, and what became of it.
    fn round(
        &self,
        first: u64,
        open: Vec<(usize, RecordRng)>,
        rates: &AcceptanceRates,
    ) -> Result<Vec<(usize, Outcome)>, TrainingError> {
        let candidate = |(record, rng)| self.candidate(first, record, rng).transpose();
        let mut candidates: Vec<Candidate> =
            open.into_par_iter().filter_map(candidate).collect::<Result<_, TrainingError>>()?;
        candidates.par_sort_unstable_by_key(|candidate| (candidate.place, candidate.record));
        let slab_len = |material: usize| self.slab_lens[material];
        let label = |task: &ReadTask| -> Result<Vec<(usize, Outcome)>, TrainingError> {
            let candidates = &candidates[task.range.clone()];
            let distances = read(self.prober, task, candidates, slab_len)?;
            let outcome = |(candidate, distances): (&Candidate, Distances)| {
                Ok((candidate.record, self.outcome(candidate, distances, rates)?))
            };
            candidates.iter().zip(distances).map(outcome).collect()
        };
        let outcomes: Vec<Vec<(usize, Outcome)>> =
            read_tasks(&candidates, slab_len).par_iter().map(label).collect::<Result<_, _>>()?;
        Ok(outcomes.into_iter().flatten().collect())
    }

    /// The next candidate of a record; `None` if a game's position has none.
    fn candidate(&self, first: u64, record: usize, rng: RecordRng) -> Result<Option<Candidate>, TrainingError> {
        let Some(fens) = &self.played else {
            let drawn = self.draw.draw(rng, record, MOST_CELLS, |position| self.accepts(position));
            return drawn.map(Some).ok_or(TrainingError::NoneAccepted);
        };
        let Some(fen) = fens.get(first as usize + record).filter(|fen| self.accepts(&fen.position)) else {
            return Ok(None);
        };
        let placed = self.draw.place(&fen.position, rng, record);
        let played = Some(Played { count: fen.count, fullmove: fen.fullmove });
        Ok(placed.map(|candidate| Candidate { played, ..candidate }))
    }

    /// Is a position accepted, its value left out?
    fn accepts(&self, position: &Position) -> bool {
        match self.settings.quietness {
            Quietness::Any => position.has_legal_move(),
            Quietness::QuietMove => !position.is_check() && position.has_legal_move(),
            Quietness::NoCapture => {
                let moves = if position.is_check() { Default::default() } else { position.legal_moves() };
                !moves.is_empty() && moves.iter().all(|&mv| position.captured(mv).is_none())
            }
        }
    }

    fn outcome(
        &self,
        candidate: &Candidate,
        distances: Distances,
        rates: &AcceptanceRates,
    ) -> Result<Outcome, TrainingError> {
        let TrainingSettings { counts, evenness, quietness, best_moves, .. } = &self.settings;
        let mut rng = candidate.rng.clone();
        let count = match (candidate.played, counts.len() as u64) {
            (Some(played), 0) => played.count,
            (None, 0) => None,
            (_, choices) => {
                let choice = counts[rng.below(choices) as usize];
                choice.draw(&mut rng, self.prober.rules(), &candidate.position, distances)
            }
        };
        let fullmove = candidate.played.map_or(1, |played| played.fullmove);
        let fen = Fen { position: candidate.image.of(&candidate.position), count, fullmove };
        let verdict = self.prober.judged(&fen, distances)?;
        if *evenness != Evenness::None && !rates.accepts(evenness.class(&verdict), &mut rng) {
            return Ok(Err(rng));
        }
        let best = if *best_moves || *quietness == Quietness::QuietMove {
            self.prober.moves(&fen)?.first().copied()
        } else {
            None
        };
        if *quietness == Quietness::QuietMove && best.is_some_and(|best| best.capture) {
            return Ok(Err(rng));
        }
        Ok(Ok(TrainingPosition { fen, verdict, best: best.filter(|_| *best_moves) }))
    }
}

/// Positions in an order that the seed decides, each order as likely as any other.
fn shuffled(mut fens: Vec<Fen>, seed: u64) -> Vec<Fen> {
    let mut rng = RecordRng::new(seed, Stream::Order, 0);
    for end in (1..fens.len()).rev() {
        fens.swap(end, rng.below(end as u64 + 1) as usize);
    }
    fens
}
