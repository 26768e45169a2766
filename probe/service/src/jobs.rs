//! Blocking work, bounded.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

use super::Limits;
use super::metrics::Metrics;
use super::status::{Failure, Load};

/// Runs the work of requests, each piece as one job that owns its place.
#[derive(Clone, Debug)]
pub(super) struct Jobs {
    requests: Arc<Semaphore>,
    positions: Arc<Semaphore>,
    limits: Limits,
    metrics: Arc<Metrics>,
}

/// Who asks, and until when an answer is worth anything.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    /// What the connection may still have in work; no bound of its own if `None`.
    pub(super) connection: Option<Arc<Semaphore>>,
    /// When the answer must be there.
    pub(super) deadline: Instant,
    /// The time that made.
    pub(super) time: Duration,
}

impl Asker {
    /// Someone who asks now.
    pub(super) fn new(connection: Option<Arc<Semaphore>>, time: Duration) -> Asker {
        Asker { connection, deadline: Instant::now() + time, time }
    }

    /// The same, asking again.
    #[must_use]
    pub(super) fn again(&self, time: Duration) -> Asker {
        Asker::new(self.connection.clone(), time)
    }
}

/// A piece of work's positions, which count until this is dropped: when its answer has been written, or the client is gone.
#[derive(Debug)]
pub(super) struct Held {
    _in_all: OwnedSemaphorePermit,
    _of_connection: Option<OwnedSemaphorePermit>,
}

/// Tells work that runs whether anyone still waits for it.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    gone: Arc<AtomicBool>,
    deadline: Instant,
}

impl Wanted {
    /// Whether the work should go on.
    pub(super) fn is_wanted(&self) -> bool {
        !self.gone.load(Ordering::Relaxed) && Instant::now() < self.deadline
    }

    /// Whether there is more time than this.
    pub(super) fn has_time(&self, spare: Duration) -> bool {
        !self.gone.load(Ordering::Relaxed) && Instant::now() + spare < self.deadline
    }
}

/// Nobody waits any more once this is dropped.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Jobs {
    pub(super) fn new(limits: Limits, metrics: Arc<Metrics>) -> Jobs {
        // tokio's own bound is far beyond what any machine could have in work.
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits.clamp(1, Semaphore::MAX_PERMITS)));
        Jobs { requests: semaphore(limits.in_flight), positions: semaphore(limits.positions), limits, metrics }
    }

    /// Runs a request's work on so many positions, or turns it away at once. The work gives up by returning `None` when it
    /// is no longer wanted.
    ///
    /// Its place among the requests goes with the job and comes back when the work is over, not when the request is. What
    /// has begun for a client that is gone runs to the next time it asks whether it is wanted.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        asker: &Asker,
        positions: usize,
        work: impl FnOnce(&Wanted) -> Option<T> + Send + 'static,
    ) -> Result<(T, Held), Failure> {
        let full = |load, most| move |_| self.turn_away(load, most);
        let request =
            Arc::clone(&self.requests).try_acquire_owned().map_err(full(Load::Requests, self.limits.in_flight))?;
        let many = weight(positions);
        let of_connection = match &asker.connection {
            None => None,
            Some(connection) => {
                let permit = Arc::clone(connection).try_acquire_many_owned(many);
                Some(permit.map_err(full(Load::ConnectionPositions, self.limits.connection_positions))?)
            }
        };
        let in_all = Arc::clone(&self.positions)
            .try_acquire_many_owned(many)
            .map_err(full(Load::Positions, self.limits.positions))?;
        self.start(asker, positions, request, Held { _in_all: in_all, _of_connection: of_connection }, work).await
    }

    /// As [`Jobs::run`], but waits for a place up to the deadline: for who asks for the next piece of something, and has
    /// nothing else to do meanwhile.
    pub(super) async fn run_when_possible<T: Send + 'static>(
        &self,
        asker: &Asker,
        positions: usize,
        work: impl FnOnce(&Wanted) -> Option<T> + Send + 'static,
    ) -> Result<(T, Held), Failure> {
        let many = weight(positions);
        let places = async {
            // In this order everywhere, so that nobody who holds one waits for another who waits for the first.
            let of_connection = match &asker.connection {
                None => None,
                Some(connection) => Some(Arc::clone(connection).acquire_many_owned(many).await.ok()?),
            };
            let in_all = Arc::clone(&self.positions).acquire_many_owned(many).await.ok()?;
            let request = Arc::clone(&self.requests).acquire_owned().await.ok()?;
            Some((request, Held { _in_all: in_all, _of_connection: of_connection }))
        };
        match timeout_at(asker.deadline, places).await {
            Ok(Some((request, held))) => self.start(asker, positions, request, held, work).await,
            Ok(None) | Err(_) => Err(self.turn_away(Load::Requests, self.limits.in_flight)),
        }
    }

    async fn start<T: Send + 'static>(
        &self,
        asker: &Asker,
        positions: usize,
        request: OwnedSemaphorePermit,
        held: Held,
        work: impl FnOnce(&Wanted) -> Option<T> + Send + 'static,
    ) -> Result<(T, Held), Failure> {
        self.metrics.positions.inc_by(positions as u64);
        let waiting = Waiting(Arc::default());
        let wanted = Wanted { gone: Arc::clone(&waiting.0), deadline: asker.deadline };
        let span = tracing::Span::current();
        let job = spawn_blocking(move || {
            // Both come back when the work is over, even if it panics.
            let (_request, held) = (request, held);
            let _within = span.enter();
            // It may have waited long for a thread.
            wanted.is_wanted().then(|| work(&wanted)).flatten().map(|done| (done, held))
        });
        match timeout_at(asker.deadline, job).await {
            Ok(Ok(Some(done))) => Ok(done),
            Ok(Ok(None)) | Err(_) => Err(Failure::Deadline { limit: asker.time }),
            Ok(Err(error)) => Err(Failure::Broken { error }),
        }
    }

    fn turn_away(&self, load: Load, most: usize) -> Failure {
        self.metrics.shed(load);
        Failure::Overloaded { load, most }
    }
}

/// Positions as a semaphore takes them.
fn weight(positions: usize) -> u32 {
    u32::try_from(positions.max(1)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn jobs(limits: Limits) -> Jobs {
        Jobs::new(limits, Arc::new(Metrics::new()))
    }

    fn one() -> Jobs {
        jobs(Limits { in_flight: 1, ..Limits::default() })
    }

    fn asker(time: Duration) -> Asker {
        Asker::new(None, time)
    }

    #[tokio::test]
    async fn a_request_that_is_gone_frees_its_place_only_when_its_work_is_done() {
        let jobs = one();
        let (begun_tx, begun) = mpsc::channel();
        let (go, going) = mpsc::channel::<()>();
        let request = tokio::spawn({
            let jobs = jobs.clone();
            async move {
                let work = move |wanted: &Wanted| {
                    assert!(wanted.is_wanted());
                    begun_tx.send(()).unwrap();
                    going.recv().unwrap();
                    assert!(!wanted.is_wanted());
                    Some(())
                };
                jobs.run(&asker(LONG), 1, work).await
            }
        });
        spawn_blocking(move || begun.recv().unwrap()).await.unwrap();
        request.abort();
        assert!(request.await.unwrap_err().is_cancelled());
        let turned_away = jobs.run(&asker(LONG), 1, |_| Some(())).await;
        assert!(matches!(turned_away, Err(Failure::Overloaded { load: Load::Requests, most: 1 })));
        go.send(()).unwrap();
        assert!(jobs.run_when_possible(&asker(LONG), 1, |_| Some(())).await.is_ok());
    }

    #[tokio::test]
    async fn late_work() {
        let slow = async |time| {
            let work = |_: &Wanted| {
                std::thread::sleep(Duration::from_millis(200));
                Some(())
            };
            one().run(&asker(time), 1, work).await
        };
        assert!(matches!(slow(Duration::from_millis(20)).await, Err(Failure::Deadline { .. })));
        assert!(slow(LONG).await.is_ok());
        assert!(matches!(one().run(&asker(LONG), 1, |_| None::<()>).await, Err(Failure::Deadline { .. })));
    }

    #[tokio::test]
    async fn broken_work_frees_its_place() {
        let jobs = one();
        for _ in 0..3 {
            let broken = jobs.run(&asker(LONG), 1, |_| -> Option<()> { panic!("on purpose") }).await;
            assert!(matches!(broken, Err(Failure::Broken { .. })));
        }
    }

    #[tokio::test]
    async fn positions_count_until_their_answer_is_let_go() {
        let jobs = jobs(Limits { positions: 10, connection_positions: 6, ..Limits::default() });
        let connection = || Asker::new(Some(Arc::new(Semaphore::new(6))), LONG);
        let (first, second) = (connection(), connection());
        let ask = async |asker: &Asker, positions| jobs.run(asker, positions, |_| Some(())).await.map(|(_, held)| held);
        let load = |outcome: Result<Held, Failure>| match outcome {
            Err(Failure::Overloaded { load, .. }) => load,
            other => panic!("{other:?}"),
        };
        let unread = ask(&first, 6).await.unwrap();
        assert_eq!(load(ask(&first, 1).await), Load::ConnectionPositions);
        assert_eq!(load(ask(&second, 5).await), Load::Positions);
        assert!(ask(&second, 4).await.is_ok());
        drop(unread);
        assert!(ask(&first, 6).await.is_ok());
        assert_eq!(load(ask(&asker(LONG), 11).await), Load::Positions);
    }
}
