//! Goes through positions in order.

use std::ops::{ControlFlow, Range};

use makruk_tables::index::Layout;
use makruk_tables::rules::{Color, Fen, Position};
use rayon::prelude::*;

use super::{Cell, Cells, Cursor, Order, Progress, SlabSource, Stretch};
use makruk_probe::{ProbeError, Prober};

/// The most slabs that are in work at a time, for each thread.
const SLABS_PER_THREAD: usize = 8;
/// Saves that are looked at closely at a time, for each thread: what is made of them waits in memory to be passed on.
const SAVES_PER_THREAD: usize = 512;

/// A save that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where in the order it stands.
    pub cursor: Cursor,
    /// The position, White being the first side of the set's name.
    pub position: Position,
}

impl Found {
    /// The position without a count.
    pub fn fen(&self) -> Fen {
        Fen::new(self.position.clone(), None)
    }

    /// The position under each of its set's symmetries, as it is first, those alike once.
    pub fn images(&self) -> Vec<Found> {
        let symmetry = Layout::new(self.cursor.material).symmetry();
        let mut images: Vec<Found> = Vec::new();
        for transform in symmetry.transforms() {
            let men = self.position.board().pieces().map(|(square, man)| (transform.square(square), man));
            // What is legal stays so.
            let Ok(position) = Position::new(men.collect(), self.position.turn()) else { continue };
            if images.iter().all(|image| image.position != position) {
                images.push(Found { cursor: self.cursor, position });
            }
        }
        images
    }
}

/// How a scan is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Threads; all cores if `None`.
    pub threads: Option<usize>,
}

/// How a scan has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The place that comes next: the end of those asked for, if it has come to that.
    pub next: u64,
    /// How many saves were passed on.
    pub found: u64,
}

/// Scans places of the order for saves: `examine` looks at each, on any thread, and makes something of it or drops it;
/// `sink` gets these in order, and breaks off when it has enough.
///
/// # Errors
///
/// If a table is missing or damaged, and those of `examine` and `sink`.
pub fn scan<S, T, E>(
    prober: &Prober<S>,
    order: &Order,
    places: Range<u64>,
    settings: &Settings,
    examine: impl Fn(Found) -> Result<Option<T>, E> + Sync,
    mut sink: impl FnMut(T) -> Result<ControlFlow<()>, E>,
    progress: &mut dyn Progress,
) -> Result<Ended, E>
where
    S: SlabSource + Sync,
    T: Send,
    E: From<ProbeError> + From<rayon::ThreadPoolBuildError> + Send,
{
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build()?;
    let threads = pool.current_num_threads();
    let mut ended = Ended { next: places.start, found: 0 };
    let all = places.end.saturating_sub(places.start);
    for stretch in order.stretches(places.clone()) {
        let cells = Cells::open(prober, stretch.material)?;
        let mut slabs = slabs(cells.layout(), &stretch);
        // The first answers should not have to wait for many slabs.
        let mut at_once = threads;
        loop {
            let batch: Vec<Range<u64>> = slabs.by_ref().take(at_once).collect();
            if batch.is_empty() {
                break;
            }
            at_once = (2 * at_once).min(SLABS_PER_THREAD * threads);
            let saves = |numbers: &Range<u64>| saves_of(prober, &cells, stretch.side, numbers.clone());
            let found: Vec<Vec<u64>> =
                pool.install(|| batch.par_iter().map(saves).collect::<Result<_, ProbeError>>())?;
            for (numbers, found) in batch.iter().zip(found) {
                for chunk in found.chunks(SAVES_PER_THREAD * threads) {
                    if progress.is_stopped() {
                        return Ok(ended);
                    }
                    let look = |&number: &u64| {
                        let Some(found) = find(cells.layout(), stretch.side, number) else { return Ok(None) };
                        Ok(examine(found)?.map(|made| (number, made)))
                    };
                    let made: Vec<Option<(u64, T)>> =
                        pool.install(|| chunk.par_iter().map(look).collect::<Result<_, E>>())?;
                    for (number, made) in made.into_iter().flatten() {
                        ended.next = stretch.start + (number + 1 - stretch.numbers.start);
                        ended.found += 1;
                        if sink(made)?.is_break() {
                            return Ok(ended);
                        }
                    }
                    if let Some(last) = chunk.last() {
                        ended.next = stretch.start + (last + 1 - stretch.numbers.start);
                        progress.scanned(ended.next - places.start, all, ended.found);
                    }
                }
                ended.next = stretch.start + (numbers.end - stretch.numbers.start);
                progress.scanned(ended.next - places.start, all, ended.found);
                if progress.is_stopped() {
                    return Ok(ended);
                }
            }
        }
    }
    ended.next = places.end.max(places.start);
    Ok(ended)
}

/// Counts the saves among places of the order, without a look at any.
///
/// # Errors
///
/// If a table is missing or damaged, or threads can't be started.
pub fn count<S: SlabSource + Sync, E: From<ProbeError> + From<rayon::ThreadPoolBuildError>>(
    prober: &Prober<S>,
    order: &Order,
    places: Range<u64>,
    settings: &Settings,
    progress: &mut dyn Progress,
) -> Result<Ended, E> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads.unwrap_or(0)).build()?;
    let mut ended = Ended { next: places.start, found: 0 };
    for stretch in order.stretches(places.clone()) {
        let cells = Cells::open(prober, stretch.material)?;
        let mut slabs = slabs(cells.layout(), &stretch);
        loop {
            let batch: Vec<Range<u64>> = slabs.by_ref().take(SLABS_PER_THREAD * pool.current_num_threads()).collect();
            let Some(last) = batch.last() else { break };
            let saves = |numbers: &Range<u64>| saves_of(prober, &cells, stretch.side, numbers.clone());
            let count = |numbers: &Range<u64>| Ok(saves(numbers)?.len() as u64);
            let found: Vec<u64> = pool.install(|| batch.par_iter().map(count).collect::<Result<_, ProbeError>>())?;
            ended.found += found.iter().sum::<u64>();
            ended.next = stretch.start + (last.end - stretch.numbers.start);
            progress.scanned(ended.next - places.start, places.end - places.start, ended.found);
            if progress.is_stopped() {
                return Ok(ended);
            }
        }
    }
    ended.next = places.end.max(places.start);
    Ok(ended)
}

/// A stretch slab by slab.
pub(super) fn slabs(layout: &Layout, stretch: &Stretch) -> impl Iterator<Item = Range<u64>> + use<> {
    let (len, numbers) = (layout.slab_len(), stretch.numbers.clone());
    (numbers.start / len..numbers.end.div_ceil(len))
        .map(move |slab| numbers.start.max(slab * len)..numbers.end.min((slab + 1) * len))
}

/// The numbers of the saves among those of one slab. A position that has two cells is named once.
pub(super) fn saves_of<S: SlabSource>(
    prober: &Prober<S>,
    cells: &Cells,
    side: Color,
    numbers: Range<u64>,
) -> Result<Vec<u64>, ProbeError> {
    let layout = cells.layout();
    let (slab, len) = ((numbers.start / layout.slab_len()) as usize, layout.slab_len());
    let start = slab as u64 * len;
    let mut worth = Vec::new();
    cells.slab(prober, side, slab, &mut worth)?;
    let wanted = worth.iter().enumerate().take((numbers.end - start) as usize).skip((numbers.start - start) as usize);
    let saves = wanted.filter(|&(_, &cell)| cell == Cell::BlessedLoss).map(|(offset, _)| start + offset as u64);
    if layout.kings().is_diagonal(slab) {
        Ok(saves.filter(|&number| layout.first_at(side, number).is_some()).collect())
    } else {
        Ok(saves.collect())
    }
}

/// The position of a cell.
pub(super) fn find(layout: &Layout, side: Color, number: u64) -> Option<Found> {
    let position = layout.position_at(side, number)?;
    Some(Found { cursor: Cursor { material: layout.material(), side, number }, position })
}
