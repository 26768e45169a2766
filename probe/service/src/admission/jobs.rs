//! Jobs: blocking work, bounded.
//!
//! A job owns its places until it ends, whoever waits for it: otherwise the attacks `pictures`, `dear-requests` and
//! `busy-lane` take all threads.

use std::sync::Arc;
use std::task::Poll;

use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use crate::admission::holder::Holder;
use crate::admission::pool::{Grant, Pool};
use crate::admission::pools::Pools;
use crate::admission::request_context::{CancellationCheck, RequestContext, SLICE};
use crate::status::{Failure, Load};

/// Runs the work of requests on blocking threads, each piece as one job that owns its place.
#[derive(Clone, Debug)]
pub(crate) struct Jobs {
    pools: Arc<Pools>,
    lanes: [Option<LanePools>; 4],
}

/// A lane of jobs. Work waits for its lane, so that expensive work leaves threads for cheap work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// A position or a few: these jobs go to the threads directly.
    Probes,
    /// Many positions.
    Batches,
    /// Reads of whole tables, and work whose cost cannot be known before.
    Scans,
    /// Pieces of searches, which have the threads of scans. Their few places leave those of scans to others: otherwise
    /// the attack `held-searches` takes all of them.
    Searches,
}

/// The pools of a lane.
#[derive(Clone, Debug)]
struct LanePools {
    /// Jobs that may wait for the lane or run in it.
    requests: Arc<Pool>,
    /// Jobs that may run.
    threads: Arc<Pool>,
}

/// The cost of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Positions whose answers take memory.
    pub(crate) positions: usize,
    pub(crate) lane: Lane,
}

impl Cost {
    /// The factor by which a position costs more with its moves.
    const MOVES: usize = 16;
    /// The most probes of a job that needs no lane.
    const FEW_PROBES: usize = 64;

    /// Probes of positions, and the number of them that come with their moves.
    pub(crate) const fn probes(positions: usize, with_moves: usize) -> Cost {
        let probes = positions + with_moves * Cost::MOVES;
        let lane = if probes <= Cost::FEW_PROBES { Lane::Probes } else { Lane::Batches };
        Cost { positions, lane }
    }

    /// A long series of probes.
    pub(crate) const fn batch(positions: usize) -> Cost {
        Cost { positions, lane: Lane::Batches }
    }

    /// A scan whose answer is as long as that of this number of positions.
    pub(crate) const fn scan(positions: usize) -> Cost {
        Cost { positions, lane: Lane::Scans }
    }
}

impl Jobs {
    pub(crate) fn new(pools: Arc<Pools>) -> Jobs {
        let limits = pools.limits;
        let pool = |most: usize| Pool::new(Load::Requests, most, &pools.metrics);
        let lane = |share: usize| LanePools {
            requests: pool(limits.in_flight / share),
            threads: pool((limits.threads / share).max(1)),
        };
        let (batches, scans) = (lane(2), lane(8));
        let searches = LanePools { requests: Arc::clone(&pools.searches), threads: Arc::clone(&scans.threads) };
        Jobs { lanes: [None, Some(batches), Some(scans), Some(searches)], pools }
    }

    /// Runs a request's work, or sheds it at once. Cancelled work gives up by returning `None`.
    ///
    /// The job owns its place among the requests, which is free again when the work is over, not when the request is.
    /// Work of a client that is gone runs until it next checks for cancellation; of one that has closed its half of the
    /// connection, to the end of a slice.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext,
        cost: Cost,
        work: impl FnOnce(&CancellationCheck) -> Option<T> + Send + 'static,
    ) -> Result<(T, Grant), Failure> {
        self.run_in_slices(context, cost, false, at_once(work)).await
    }

    /// Like [`Jobs::run_in_slices`], and waits for a place: for streams, which have nothing else to do meanwhile. It
    /// does so in a task of its own. Nobody polls the answers of a client that takes none; work within them would keep
    /// its places meanwhile.
    pub(crate) async fn run_when_possible<T: Send + 'static>(
        &self,
        context: &RequestContext,
        cost: Cost,
        work: impl FnMut(&CancellationCheck) -> Option<Poll<T>> + Send + 'static,
    ) -> Result<(T, Grant), Failure> {
        let (jobs, context) = (self.clone(), context.clone());
        let job = async move { jobs.run_in_slices(&context, cost, true, work).await };
        let done = AbortOnDropHandle::new(tokio::spawn(job.in_current_span())).await;
        done.unwrap_or_else(|fault| Err(Failure::broken(fault)))
    }

    /// Like [`Jobs::run`], of work that gives its thread to whoever comes first when it returns `Poll::Pending`. That
    /// is the address that has worked least lately, which keeps the thread while no other request of it waits. So long
    /// work leaves others their turn. If it `waits` for a place, it does so up to the deadline.
    pub(crate) async fn run_in_slices<T: Send + 'static>(
        &self,
        context: &RequestContext,
        cost: Cost,
        waits: bool,
        mut work: impl FnMut(&CancellationCheck) -> Option<Poll<T>> + Send + 'static,
    ) -> Result<(T, Grant), Failure> {
        let holder = context.holder.as_ref();
        let _working = holder.map(Holder::works);
        let take = async |pool: &Arc<Pool>, amount| match waits {
            true => timeout_at(context.deadline, pool.wait(holder, amount)).await.map_err(|_| pool.shed()),
            false => pool.take(holder, amount),
        };
        // All take them in this order, so no two requests wait for each other. What waits for its lane holds no
        // positions, which others could use.
        let (lane, mut places) = (&self.lanes[cost.lane as usize], Vec::new());
        if let Some(lane) = lane {
            places.push(take(&lane.requests, 1).await?);
        }
        let mut positions = take(&self.pools.positions, cost.positions.max(1)).await?;
        places.push(take(&self.pools.requests, 1).await?);
        self.pools.metrics.positions.inc_by(cost.positions as u64);
        let time = context.time;
        let late = move || Failure::deadline(time);
        let cancelled = CancellationToken::new();
        let _cancelled = cancelled.clone().drop_guard();
        loop {
            let mut thread = None;
            if let Some(lane) = lane {
                let granted = timeout_at(context.deadline, lane.threads.wait(holder, 1)).await.map_err(|_| late())?;
                // A job that has a thread keeps it.
                granted.fix();
                thread = Some(granted);
            }
            let (cancelled, deadline, holder) = (cancelled.clone(), context.deadline, context.holder.clone());
            let span = tracing::Span::current();
            #[expect(clippy::disallowed_methods, reason = "the job owns its places")]
            let job = spawn_blocking(move || {
                // All are released when the work is over, even if it panics.
                let thread = thread;
                places.iter().for_each(Grant::fix);
                let _within = span.enter();
                let mut check = CancellationCheck { cancelled, deadline, begun: Instant::now() };
                loop {
                    // The job may have waited long for a thread.
                    let done = if check.is_cancelled() { None } else { work(&check) };
                    // Work that was cancelled counts, too.
                    let goes_on = thread.as_ref().is_none_or(|thread| thread.has_worked(check.begun.elapsed()));
                    let done = done.ok_or_else(late)?;
                    // Of a client that is gone, over HTTP/1.1 no more is known.
                    if done.is_pending() && holder.as_ref().is_some_and(|holder| holder.has_closed_its_half()) {
                        return Err(Failure::half_closed(SLICE));
                    }
                    if done.is_ready() || !goes_on {
                        return Ok((done, work, places, positions));
                    }
                    check.begun = Instant::now();
                }
            });
            match timeout_at(context.deadline, job).await {
                Ok(Ok(Ok((Poll::Ready(done), .., positions)))) => return Ok((done, positions)),
                Ok(Ok(Ok((Poll::Pending, rest, kept, of_answer)))) => {
                    (work, places, positions) = (rest, kept, of_answer)
                }
                Ok(Ok(Err(failure))) => return Err(failure),
                Err(_) => return Err(late()),
                Ok(Err(fault)) => return Err(Failure::broken(fault)),
            }
        }
    }
}

/// Work that has one slice.
pub(crate) fn at_once<T>(
    work: impl FnOnce(&CancellationCheck) -> Option<T>,
) -> impl FnMut(&CancellationCheck) -> Option<Poll<T>> {
    let mut work = Some(work);
    move |check| work.take()?(check).map(Poll::Ready)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use makruk_answers::Reason;

    use super::*;
    use crate::admission::limits::Limits;
    use crate::metrics::Metrics;

    const LONG: Duration = Duration::from_secs(60);

    fn jobs(limits: Limits) -> Jobs {
        Jobs::new(Arc::new(Pools::new(limits, Arc::new(Metrics::new()))))
    }

    fn one() -> Jobs {
        jobs(Limits { in_flight: 1, ..Limits::default() })
    }

    const ONE: Cost = Cost::probes(1, 0);

    fn reason<T>(outcome: Result<T, Failure>) -> Option<Reason> {
        outcome.err().map(|failure| failure.refusal.reason)
    }

    fn context(time: Duration) -> RequestContext {
        RequestContext::new(None, time)
    }

    #[tokio::test]
    async fn a_request_that_is_gone_frees_its_place_only_when_its_work_is_done() {
        let jobs = one();
        let (begun_tx, begun) = mpsc::channel();
        let (go, going) = mpsc::channel::<()>();
        let request = tokio::spawn({
            let jobs = jobs.clone();
            async move {
                let work = move |check: &CancellationCheck| {
                    assert!(!check.is_cancelled());
                    begun_tx.send(()).unwrap();
                    going.recv().unwrap();
                    assert!(check.is_cancelled());
                    Some(())
                };
                jobs.run(&context(LONG), ONE, work).await
            }
        });
        spawn_blocking(move || begun.recv().unwrap()).await.unwrap();
        request.abort();
        assert!(request.await.unwrap_err().is_cancelled());
        let turned_away = jobs.run(&context(LONG), ONE, |_| Some(())).await;
        assert_eq!(reason(turned_away), Some(Reason::Overloaded));
        go.send(()).unwrap();
        assert!(jobs.run_when_possible(&context(LONG), ONE, at_once(|_| Some(()))).await.is_ok());
    }

    #[tokio::test]
    async fn late_work() {
        let slow = async |time| {
            let work = |_: &CancellationCheck| {
                std::thread::sleep(Duration::from_millis(200));
                Some(())
            };
            one().run(&context(time), ONE, work).await
        };
        assert_eq!(reason(slow(Duration::from_millis(20)).await), Some(Reason::DeadlineExceeded));
        assert!(slow(LONG).await.is_ok());
        let given_up = one().run(&context(LONG), ONE, |_| None::<()>).await;
        assert_eq!(reason(given_up), Some(Reason::DeadlineExceeded));
    }

    #[tokio::test]
    async fn broken_work_frees_its_place() {
        let jobs = one();
        for _ in 0..3 {
            let broken = jobs.run(&context(LONG), ONE, |_| -> Option<()> { panic!("on purpose") }).await;
            assert_eq!(reason(broken), Some(Reason::INTERNAL));
        }
    }

    #[tokio::test]
    async fn positions_count_until_their_answer_is_let_go() {
        let jobs = jobs(Limits { positions: 10, ..Limits::default() });
        let begin = |last| {
            let holder = Holder::new(std::net::IpAddr::from([192, 0, 2, last]), None, Default::default());
            RequestContext::new(Some(holder), LONG)
        };
        let ask = async |context: &RequestContext, positions| {
            jobs.run(context, Cost::probes(positions, 0), |_| Some(())).await.map(|(_, places)| places)
        };
        let (first, second) = (begin(1), begin(2));
        let unread = ask(&first, 6).await.unwrap();
        let load = ask(&second, 7).await.map(drop).unwrap_err();
        assert!(load.refusal.error.starts_with("10 positions are in progress"), "{load:?}");
        drop(unread);
        let _unread = ask(&first, 10).await.unwrap();
        assert!(ask(&second, 1).await.is_ok(), "the address that holds all loses it");
        assert!(first.holder.unwrap().ended().is_cancelled());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn long_work_leaves_others_their_turn_and_ends_with_its_request() {
        let jobs = jobs(Limits { threads: 2, ..Limits::default() });
        let of = |last| {
            let holder = Holder::new(std::net::IpAddr::from([192, 0, 2, last]), None, Default::default());
            RequestContext::new(Some(holder), LONG)
        };
        let threads = Arc::clone(&jobs.lanes[Lane::Batches as usize].as_ref().unwrap().threads);
        let endless = tokio::spawn({
            let (jobs, context) = (jobs.clone(), of(1));
            let work = |check: &CancellationCheck| {
                while !check.is_slice_over() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Some(Poll::<()>::Pending)
            };
            async move { jobs.run_in_slices(&context, Cost::batch(1), false, work).await.map(drop) }
        });
        while threads.taken() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        for _ in 0..3 {
            assert!(jobs.run(&of(2), Cost::batch(1), |_| Some(())).await.is_ok(), "the one thread is shared");
        }
        endless.abort();
        assert!(endless.await.is_err_and(|ended| ended.is_cancelled()));
        while threads.taken() + jobs.pools.positions.taken() + jobs.pools.requests.taken() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn scans_leave_threads_and_places_to_probes() {
        let jobs = jobs(Limits { in_flight: 16, threads: 8, ..Limits::default() });
        let (go, going) = mpsc::channel::<()>();
        let scan = tokio::spawn({
            let jobs = jobs.clone();
            async move { jobs.run(&context(LONG), Cost::scan(1), move |_| going.recv().ok()).await.map(drop) }
        });
        while jobs.lanes[Lane::Scans as usize].as_ref().unwrap().threads.taken() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // The second scan waits for the first, and there is no place for a third.
        let (soon, late) = (context(Duration::from_millis(50)), context(LONG));
        let waiting = jobs.run(&soon, Cost::scan(1), |_| Some(()));
        let shed = jobs.run(&late, Cost::scan(1), |_| Some(()));
        let (waiting, shed, probe) = tokio::join!(waiting, shed, jobs.run(&late, ONE, |_| Some(())));
        assert_eq!(reason(waiting), Some(Reason::DeadlineExceeded));
        assert_eq!(reason(shed), Some(Reason::Overloaded));
        assert!(probe.is_ok());
        go.send(()).unwrap();
        assert!(scan.await.unwrap().is_ok());
    }
}
