//! Scans places of an order for saves on many threads, in order and in bounded memory.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};

use makruk_probe::{ProbeError, Prober, ValueSource};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::kind::PositionKind;
use crate::order::Order;
use crate::position::LocatedPosition;
use crate::progress::Progress;
use crate::slabs::{FoundInSlab, SlabScan};

/// The most slabs that are read at a time, for each thread.
const SLABS_PER_THREAD: usize = 8;
/// The most saves that are examined at a time, for each thread; their results wait in memory for the sink.
const SAVES_PER_THREAD: usize = 512;

/// The end of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanEnd {
    /// The first place that was not scanned; the end of the places asked for if the scan is complete.
    pub next: u64,
    /// The number of saves that were counted, or passed on to the sink.
    pub found: u64,
}

/// A scan of places of an order for saves.
pub struct Scanner<'a, S> {
    prober: &'a Prober<S>,
    pool: ThreadPool,
    slabs: SlabScan,
    places: Range<u64>,
    /// Slabs that were read and not yet passed on.
    ready: VecDeque<FoundInSlab>,
    /// The number of slabs that are read next. It is small at first, so that the first results come soon.
    slabs_at_once: usize,
    end: ScanEnd,
}

impl<'a, S: ValueSource + Sync> Scanner<'a, S> {
    /// A scan of these places; on all cores if `threads` is `None`.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn new(
        prober: &'a Prober<S>,
        order: &Order,
        places: Range<u64>,
        threads: Option<usize>,
    ) -> Result<Scanner<'a, S>, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()?;
        Ok(Scanner {
            prober,
            slabs: SlabScan::new(PositionKind::Saves, order.clone(), places.clone()),
            ready: VecDeque::new(),
            slabs_at_once: pool.current_num_threads(),
            end: ScanEnd { next: places.start, found: 0 },
            pool,
            places,
        })
    }

    /// Passes the saves through `examine`, on any thread, which turns each into a result or drops it, and the results
    /// to
    /// `sink`, in order, which ends the scan by [`ControlFlow::Break`].
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, and the errors of `examine` and `sink`.
    pub fn run<T, E>(
        mut self,
        examine: impl Fn(LocatedPosition) -> Result<Option<T>, E> + Sync,
        mut sink: impl FnMut(T) -> Result<ControlFlow<()>, E>,
        progress: &mut dyn Progress,
    ) -> Result<ScanEnd, E>
    where
        T: Send,
        E: From<ProbeError> + Send,
    {
        let most = SAVES_PER_THREAD * self.pool.current_num_threads();
        while let Some(slab) = self.advance()? {
            for numbers in slab.numbers.chunks(most) {
                if progress.is_stopped() {
                    return Ok(self.end);
                }
                for (number, result) in self.examine_all(&slab, numbers, &examine)? {
                    self.end = ScanEnd { next: slab.base + number + 1, found: self.end.found + 1 };
                    if sink(result)?.is_break() {
                        return Ok(self.end);
                    }
                }
                if let Some(last) = numbers.last() {
                    self.pass(slab.base + last + 1, progress);
                }
            }
            self.pass(slab.end, progress);
            if progress.is_stopped() {
                break;
            }
        }
        Ok(self.end)
    }

    /// Counts the saves without setting up their positions.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn count(mut self, progress: &mut dyn Progress) -> Result<ScanEnd, ProbeError> {
        while let Some(slab) = self.advance()? {
            self.end.found += slab.numbers.len() as u64;
            self.pass(slab.end, progress);
            if progress.is_stopped() {
                break;
            }
        }
        Ok(self.end)
    }

    /// The next slab; `None` at the end.
    fn advance(&mut self) -> Result<Option<FoundInSlab>, ProbeError> {
        if self.ready.is_empty() {
            let (slabs, most) = (&mut self.slabs, self.slabs_at_once);
            self.ready = self.pool.install(|| slabs.advance(self.prober, most))?.into();
            self.slabs_at_once = (2 * most).min(SLABS_PER_THREAD * self.pool.current_num_threads());
        }
        Ok(self.ready.pop_front())
    }

    /// The results of some saves of a slab, with the saves' numbers, in order.
    fn examine_all<T: Send, E: Send>(
        &self,
        slab: &FoundInSlab,
        numbers: &[u64],
        examine: impl Fn(LocatedPosition) -> Result<Option<T>, E> + Sync,
    ) -> Result<Vec<(u64, T)>, E> {
        let one = |&number: &u64| -> Option<Result<(u64, T), E>> {
            let position = self.slabs.position(slab.side, number)?;
            Some(examine(position).transpose()?.map(|result| (number, result)))
        };
        self.pool.install(|| numbers.par_iter().filter_map(one).collect())
    }

    /// Notes that everything before a place is done.
    fn pass(&mut self, next: u64, progress: &mut dyn Progress) {
        self.end.next = next;
        progress.scanned(next - self.places.start, self.places.end - self.places.start, self.end.found);
    }
}
