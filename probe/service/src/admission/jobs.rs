//! Jobs: blocking work, bounded.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;

use crate::admission::limits::Limits;
use crate::admission::permits::{PositionPermits, places};
use crate::admission::request_context::{CancelOnDrop, CancellationCheck, RequestContext};
use crate::metrics::Metrics;
use crate::status::{Failure, Load};

/// Runs the work of requests on blocking threads, each piece as one job that owns its place.
#[derive(Clone, Debug)]
pub(crate) struct Jobs {
    requests: Arc<Semaphore>,
    positions: Arc<Semaphore>,
    limits: Limits,
    metrics: Arc<Metrics>,
}

impl Jobs {
    pub(crate) fn new(limits: Limits, metrics: Arc<Metrics>) -> Jobs {
        Jobs { requests: places(limits.in_flight), positions: places(limits.positions), limits, metrics }
    }

    /// Runs a request's work on so many positions, or sheds it at once. Cancelled work gives up by returning `None`.
    ///
    /// The job owns its place among the requests, which is free again when the work is over, not when the request is. Work
    /// of a client that is gone runs until it next checks for cancellation.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext,
        positions: usize,
        work: impl FnOnce(&CancellationCheck) -> Option<T> + Send + 'static,
    ) -> Result<(T, PositionPermits), Failure> {
        let full = |load, most| move |_| self.shed(load, most);
        let request =
            Arc::clone(&self.requests).try_acquire_owned().map_err(full(Load::Requests, self.limits.in_flight))?;
        let many = weight(positions);
        let of_connection = match &context.connection {
            None => None,
            Some(connection) => {
                let permit = Arc::clone(connection).try_acquire_many_owned(many);
                Some(permit.map_err(full(Load::ConnectionPositions, self.limits.connection_positions))?)
            }
        };
        let of_server = Arc::clone(&self.positions)
            .try_acquire_many_owned(many)
            .map_err(full(Load::Positions, self.limits.positions))?;
        self.start(
            context,
            positions,
            request,
            PositionPermits { _of_server: of_server, _of_connection: of_connection },
            work,
        )
        .await
    }

    /// Like [`Jobs::run`], but waits for a place up to the deadline: for streams, which have nothing else to do meanwhile.
    pub(crate) async fn run_when_possible<T: Send + 'static>(
        &self,
        context: &RequestContext,
        positions: usize,
        work: impl FnOnce(&CancellationCheck) -> Option<T> + Send + 'static,
    ) -> Result<(T, PositionPermits), Failure> {
        let many = weight(positions);
        let places = async {
            // All take them in this order, so no two requests wait for each other.
            let of_connection = match &context.connection {
                None => None,
                Some(connection) => Some(Arc::clone(connection).acquire_many_owned(many).await.ok()?),
            };
            let of_server = Arc::clone(&self.positions).acquire_many_owned(many).await.ok()?;
            let request = Arc::clone(&self.requests).acquire_owned().await.ok()?;
            Some((request, PositionPermits { _of_server: of_server, _of_connection: of_connection }))
        };
        match timeout_at(context.deadline, places).await {
            Ok(Some((request, permits))) => self.start(context, positions, request, permits, work).await,
            Ok(None) | Err(_) => Err(self.shed(Load::Requests, self.limits.in_flight)),
        }
    }

    async fn start<T: Send + 'static>(
        &self,
        context: &RequestContext,
        positions: usize,
        request: OwnedSemaphorePermit,
        permits: PositionPermits,
        work: impl FnOnce(&CancellationCheck) -> Option<T> + Send + 'static,
    ) -> Result<(T, PositionPermits), Failure> {
        self.metrics.positions.inc_by(positions as u64);
        let waiting = CancelOnDrop::default();
        let check = waiting.check(context.deadline);
        let span = tracing::Span::current();
        let job = spawn_blocking(move || {
            // Both are released when the work is over, even if it panics.
            let (_request, permits) = (request, permits);
            let _within = span.enter();
            // The job may have waited long for a thread.
            (!check.is_cancelled()).then(|| work(&check)).flatten().map(|done| (done, permits))
        });
        match timeout_at(context.deadline, job).await {
            Ok(Ok(Some(done))) => Ok(done),
            Ok(Ok(None)) | Err(_) => Err(Failure::Deadline { limit: context.time }),
            Ok(Err(error)) => Err(Failure::Broken { error }),
        }
    }

    fn shed(&self, load: Load, most: usize) -> Failure {
        self.metrics.shed(load);
        Failure::Overloaded { load, most }
    }
}

/// A number of positions as a number of semaphore permits.
fn weight(positions: usize) -> u32 {
    u32::try_from(positions.max(1)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn jobs(limits: Limits) -> Jobs {
        Jobs::new(limits, Arc::new(Metrics::new()))
    }

    fn one() -> Jobs {
        jobs(Limits { in_flight: 1, ..Limits::default() })
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
                jobs.run(&context(LONG), 1, work).await
            }
        });
        spawn_blocking(move || begun.recv().unwrap()).await.unwrap();
        request.abort();
        assert!(request.await.unwrap_err().is_cancelled());
        let turned_away = jobs.run(&context(LONG), 1, |_| Some(())).await;
        assert!(matches!(turned_away, Err(Failure::Overloaded { load: Load::Requests, most: 1 })));
        go.send(()).unwrap();
        assert!(jobs.run_when_possible(&context(LONG), 1, |_| Some(())).await.is_ok());
    }

    #[tokio::test]
    async fn late_work() {
        let slow = async |time| {
            let work = |_: &CancellationCheck| {
                std::thread::sleep(Duration::from_millis(200));
                Some(())
            };
            one().run(&context(time), 1, work).await
        };
        assert!(matches!(slow(Duration::from_millis(20)).await, Err(Failure::Deadline { .. })));
        assert!(slow(LONG).await.is_ok());
        assert!(matches!(one().run(&context(LONG), 1, |_| None::<()>).await, Err(Failure::Deadline { .. })));
    }

    #[tokio::test]
    async fn broken_work_frees_its_place() {
        let jobs = one();
        for _ in 0..3 {
            let broken = jobs.run(&context(LONG), 1, |_| -> Option<()> { panic!("on purpose") }).await;
            assert!(matches!(broken, Err(Failure::Broken { .. })));
        }
    }

    #[tokio::test]
    async fn positions_count_until_their_answer_is_let_go() {
        let jobs = jobs(Limits { positions: 10, connection_positions: 6, ..Limits::default() });
        let connection = || RequestContext::new(Some(Arc::new(Semaphore::new(6))), LONG);
        let (first, second) = (connection(), connection());
        let ask = async |context: &RequestContext, positions| {
            jobs.run(context, positions, |_| Some(())).await.map(|(_, permits)| permits)
        };
        let load = |outcome: Result<PositionPermits, Failure>| match outcome {
            Err(Failure::Overloaded { load, .. }) => load,
            other => panic!("{other:?}"),
        };
        let unread = ask(&first, 6).await.unwrap();
        assert_eq!(load(ask(&first, 1).await), Load::ConnectionPositions);
        assert_eq!(load(ask(&second, 5).await), Load::Positions);
        assert!(ask(&second, 4).await.is_ok());
        drop(unread);
        assert!(ask(&first, 6).await.is_ok());
        assert_eq!(load(ask(&context(LONG), 11).await), Load::Positions);
    }
}
