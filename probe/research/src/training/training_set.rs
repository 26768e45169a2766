//! The records, batch by batch.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use makruk_probe::{ProbeError, Prober, SlabSource};
use makruk_tables::material::Material;
use makruk_tables::rules::{Fen, Position};
use makruk_tables::value::Distances;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use thiserror::Error;

use super::candidate::{Candidate, Image};
use super::distance_reader::{DistanceReader, ReadTask};
use super::evenness::{AcceptanceRates, Class};
use super::position_draw::PositionDraw;
use super::record_rng::{RecordRng, Stream};
use super::{CountChoice, Evenness, TrainingPosition, Weighting};
use crate::progress::Progress;

/// The draws from which the shares of the classes are estimated.
const PILOT: u64 = 1 << 17;
/// The most cells that are drawn for a candidate. They are enough to include a position that is accepted unread, if there is one.
const MOST_CELLS: u32 = 100_000;
/// The most positions that are read without one that is accepted. They are enough to include one, if there is one.
const MOST_POSITIONS: u64 = 10_000_000;

/// The source of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionSource {
    /// Legal positions of materials in which the side to move has a legal move, in either colours.
    Drawn {
        /// The materials.
        materials: Vec<Material>,
        /// The probability of each material.
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
    /// The choices of counts, which are equally likely; empty for the counts that ran in the games.
    pub counts: Vec<CountChoice>,
    /// The classes that are to be equally frequent.
    pub evenness: Evenness,
    /// Classes rarer than one in this number of positions stay rarer than the others.
    pub rarest: u32,
    /// The positions that are left out.
    pub quietness: Quietness,
    /// Whether the best moves are asked for.
    pub best_moves: bool,
    /// The most records that are drawn together. A greater number takes less time, because neighbours in the tables are read
    /// together, and more memory. Records do not depend on it.
    pub batch: u32,
    /// The number of threads; `None` is one for each core.
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
            batch: 1 << 22,
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
    #[error("none of the sampled positions meets the conditions")]
    NoneAccepted,
}

/// Records of positions. Each depends only on the seed, the settings and its number, not on other records or on threads.
#[derive(Debug)]
pub struct TrainingSet<'a, S> {
    prober: &'a Prober<S>,
    settings: TrainingSettings,
    draw: PositionDraw,
    reader: DistanceReader,
    /// The positions of games, in the order of the records.
    played: Option<Vec<Fen>>,
    pool: ThreadPool,
}

/// The records of one task, rendered.
#[derive(Debug, Default)]
struct RenderedTask {
    bytes: Vec<u8>,
    /// The numbers of the records, and the ends of their bytes.
    records: Vec<(u32, usize)>,
    /// The records whose position was not accepted, with the numbers for the next draw.
    rejected: Vec<(u32, RecordRng)>,
}

/// The records of a batch, rendered by tasks.
#[derive(Debug, Default)]
struct RenderedBatch {
    tasks: Vec<RenderedTask>,
    /// The task and the bytes of each record; an empty range where a game's position has none.
    records: Vec<(u32, Range<usize>)>,
    accepted: usize,
}

impl RenderedBatch {
    fn new(records: usize) -> RenderedBatch {
        RenderedBatch { records: vec![(0, 0..0); records], ..RenderedBatch::default() }
    }

    fn add(&mut self, task: RenderedTask) {
        let mut start = 0;
        for &(record, end) in &task.records {
            self.records[record as usize] = (self.tasks.len() as u32, start..end);
            start = end;
        }
        self.accepted += task.records.len();
        self.tasks.push(RenderedTask { rejected: Vec::new(), records: Vec::new(), ..task });
    }

    /// The bytes of the records, in order.
    fn bytes(&self) -> impl Iterator<Item = &[u8]> {
        self.records.iter().filter_map(|(task, range)| self.tasks.get(*task as usize)?.bytes.get(range.clone()))
    }
}

impl<'a, S: SlabSource + Sync> TrainingSet<'a, S> {
    /// The records of a source under these settings.
    ///
    /// # Errors
    ///
    /// If there is no material, a material to draw from lacks a table, or the threads cannot be started.
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
        if draw.layouts().next().is_none() {
            return Err(TrainingError::NoMaterial);
        }
        let reader = DistanceReader::new(prober, &draw, fens.is_none())?;
        let pool = ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build()?;
        let played = fens.map(|fens| shuffled(fens, settings.seed));
        Ok(TrainingSet { prober, settings, draw, reader, played, pool })
    }

    /// Renders these records and passes their bytes on, in order. Games have at most one record for each position; a position
    /// that does not meet the conditions has no record. Returns the number of the first record that was not rendered, which is
    /// the end unless `progress` stopped the work.
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
            let batch = next..end.min(next.saturating_add(self.batch_len()));
            let mut report = |accepted: usize, progress: &mut dyn Progress| {
                let done = next - records.start + accepted as u64;
                progress.scanned(done, all, done);
            };
            let work = BatchWork { stream: Stream::Records, records: batch.clone(), rates: &rates, render: &render };
            let Some(rendered) = self.batch(&work, &mut report, progress)? else { return Ok(next) };
            for bytes in rendered.bytes() {
                sink(bytes)?;
            }
            next = batch.end;
        }
        Ok(next)
    }

    fn batch_len(&self) -> u64 {
        u64::from(self.settings.batch.max(1))
    }

    /// The rates at which classes are accepted; `None` if `progress` stopped the estimate.
    fn rates(&self, progress: &mut dyn Progress) -> Result<Option<AcceptanceRates>, TrainingError> {
        let evenness = self.settings.evenness;
        if evenness == Evenness::None {
            return Ok(Some(AcceptanceRates::default()));
        }
        let frequencies: Mutex<HashMap<Class, u64>> = Mutex::default();
        let count = |position: &TrainingPosition, _: &mut Vec<u8>| {
            let mut frequencies = frequencies.lock().unwrap_or_else(PoisonError::into_inner);
            *frequencies.entry(evenness.class(&position.verdict)).or_default() += 1;
        };
        let all = self.played.as_ref().map_or(PILOT, |fens| fens.len() as u64);
        let rates = AcceptanceRates::default();
        let mut next = 0;
        while next < all {
            let batch = next..all.min(next + self.batch_len());
            next = batch.end;
            let work = BatchWork { stream: Stream::Pilot, records: batch, rates: &rates, render: &count };
            if self.batch(&work, &mut |_, _| {}, progress)?.is_none() {
                return Ok(None);
            }
        }
        let frequencies = frequencies.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(AcceptanceRates::new(&frequencies, self.settings.rarest)))
    }

    /// The records of a batch; `None` if `progress` stopped them.
    fn batch(
        &self,
        work: &BatchWork<'_>,
        report: &mut dyn FnMut(usize, &mut dyn Progress),
        progress: &mut dyn Progress,
    ) -> Result<Option<RenderedBatch>, TrainingError> {
        let len = (work.records.end - work.records.start) as u32;
        let rng = |record: u32| RecordRng::new(self.settings.seed, work.stream, work.records.start + u64::from(record));
        let mut open: Vec<(u32, RecordRng)> = (0..len).map(|record| (record, rng(record))).collect();
        let mut rendered = RenderedBatch::new(len as usize);
        let mut drawn = 0;
        while !open.is_empty() {
            if progress.is_stopped() {
                return Ok(None);
            }
            drawn += open.len() as u64;
            let tasks = self.pool.install(|| self.round(work, std::mem::take(&mut open)))?;
            for mut task in tasks {
                // A position of a game is not drawn again.
                if self.played.is_none() {
                    open.append(&mut task.rejected);
                }
                rendered.add(task);
            }
            if rendered.accepted == 0 && drawn >= MOST_POSITIONS && self.played.is_none() {
                return Err(TrainingError::NoneAccepted);
            }
            report(rendered.accepted, progress);
        }
        Ok(Some(rendered))
    }

    /// One candidate of each record, read in the order of the tables.
    fn round(&self, work: &BatchWork<'_>, open: Vec<(u32, RecordRng)>) -> Result<Vec<RenderedTask>, TrainingError> {
        let candidate = |(record, rng)| self.candidate(work, record, rng).transpose();
        let mut candidates: Vec<Candidate> =
            open.into_par_iter().filter_map(candidate).collect::<Result<_, TrainingError>>()?;
        candidates.par_sort_unstable_by_key(|candidate| (candidate.place, candidate.record));
        let tasks = self.reader.tasks(&self.draw, &candidates);
        tasks.par_iter().map(|task| self.task(work, task, &candidates[task.range.clone()])).collect()
    }

    fn task(
        &self,
        work: &BatchWork<'_>,
        task: &ReadTask,
        candidates: &[Candidate],
    ) -> Result<RenderedTask, TrainingError> {
        let positions: Vec<Position> =
            candidates.iter().filter_map(|candidate| self.position(work, candidate)).collect();
        let distances = self.reader.read(self.prober, &self.draw, task, candidates, &positions)?;
        let mut rendered = RenderedTask::default();
        for ((candidate, position), distances) in candidates.iter().zip(&positions).zip(distances) {
            let mut rng = candidate.rng.clone();
            match self.accepted(work, candidate, position, distances, &mut rng)? {
                Some(position) => {
                    (work.render)(&position, &mut rendered.bytes);
                    rendered.records.push((candidate.record, rendered.bytes.len()));
                }
                None => rendered.rejected.push((candidate.record, rng)),
            }
        }
        Ok(rendered)
    }

    /// The position of a game that a record is to have.
    fn played(&self, work: &BatchWork<'_>, record: u32) -> Option<&Fen> {
        self.played.as_ref()?.get((work.records.start + u64::from(record)) as usize)
    }

    /// The position of a candidate: as the tables have it or, of a game, as it was played.
    fn position(&self, work: &BatchWork<'_>, candidate: &Candidate) -> Option<Position> {
        match self.played(work, candidate.record) {
            Some(fen) => Some(fen.position.clone()),
            None => self.draw.cell_at(candidate.place).position(),
        }
    }

    /// The next candidate of a record; `None` if a game's position has none.
    fn candidate(&self, work: &BatchWork<'_>, record: u32, rng: RecordRng) -> Result<Option<Candidate>, TrainingError> {
        if self.played.is_none() {
            let drawn = self.draw.draw(rng, record, MOST_CELLS, |position| self.accepts(position));
            return drawn.map(Some).ok_or(TrainingError::NoneAccepted);
        }
        let fen = self.played(work, record).filter(|fen| self.accepts(&fen.position));
        let place = fen.and_then(|fen| self.draw.place(&fen.position));
        Ok(place.map(|place| Candidate { place, rng, record, image: Image::SAME }))
    }

    /// Whether a position is accepted before its value is known.
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

    /// The record's position with its count, verdict and best move; `None` if it is not accepted.
    fn accepted(
        &self,
        work: &BatchWork<'_>,
        candidate: &Candidate,
        position: &Position,
        distances: Distances,
        rng: &mut RecordRng,
    ) -> Result<Option<TrainingPosition>, TrainingError> {
        let TrainingSettings { counts, evenness, quietness, best_moves, .. } = &self.settings;
        let played = self.played(work, candidate.record);
        let count = match counts.len() as u64 {
            0 => played.and_then(|fen| fen.count),
            choices => {
                let choice = counts[rng.below(choices) as usize];
                choice.draw(rng, self.prober.rules(), position, distances)
            }
        };
        let fullmove = played.map_or(1, |fen| fen.fullmove);
        let fen = Fen { position: candidate.image.of(position), count, fullmove };
        let verdict = self.prober.judged(&fen, distances)?;
        if *evenness != Evenness::None && !work.rates.accepts(evenness.class(&verdict), rng) {
            return Ok(None);
        }
        let best = if *best_moves || *quietness == Quietness::QuietMove {
            self.prober.moves(&fen)?.first().copied()
        } else {
            None
        };
        if *quietness == Quietness::QuietMove && best.is_some_and(|best| best.capture) {
            return Ok(None);
        }
        Ok(Some(TrainingPosition { fen, verdict, best: best.filter(|_| *best_moves) }))
    }
}

/// The description of a batch.
struct BatchWork<'a> {
    stream: Stream,
    records: Range<u64>,
    rates: &'a AcceptanceRates,
    render: &'a (dyn Fn(&TrainingPosition, &mut Vec<u8>) + Sync),
}

/// Positions in an order that the seed decides, each order as likely as any other.
fn shuffled(mut fens: Vec<Fen>, seed: u64) -> Vec<Fen> {
    let mut rng = RecordRng::new(seed, Stream::Order, 0);
    for end in (1..fens.len()).rev() {
        fens.swap(end, rng.below(end as u64 + 1) as usize);
    }
    fens
}
