//! Jobs: blocking work, bounded.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout_at};

use crate::admission::connection::ServerRoom;
use crate::admission::permits::PositionPermits;
use crate::admission::places::places;
use crate::admission::request_context::{CancelOnDrop, CancellationCheck, RequestContext};
use crate::status::{Failure, Load};

/// A pause of a stream for which there is no place.
const PLACE_PAUSE: Duration = Duration::from_millis(5);

/// Runs the work of requests on blocking threads, each piece as one job that owns its place.
#[derive(Clone, Debug)]
pub(crate) struct Jobs {
    room: Arc<ServerRoom>,
    requests: Arc<Semaphore>,
    lanes: [Option<LanePlaces>; 3],
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
}

/// The places of a lane.
#[derive(Clone, Debug)]
struct LanePlaces {
    /// Jobs that may wait for the lane or run in it.
    requests: Arc<Semaphore>,
    /// Jobs that may run.
    threads: Arc<Semaphore>,
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

    /// Probes of positions, of which so many come with their moves.
    pub(crate) const fn probes(positions: usize, with_moves: usize) -> Cost {
        let probes = positions + with_moves * Cost::MOVES;
        let lane = if probes <= Cost::FEW_PROBES { Lane::Probes } else { Lane::Batches };
        Cost { positions, lane }
    }

    /// A long series of probes.
    pub(crate) const fn batch(positions: usize) -> Cost {
        Cost { positions, lane: Lane::Batches }
    }

    /// A scan whose answer is as long as that of so many positions.
    pub(crate) const fn scan(positions: usize) -> Cost {
        Cost { positions, lane: Lane::Scans }
    }
}

/// The places that a job has taken.
struct JobPermits {
    _request: OwnedSemaphorePermit,
    _of_lane: Option<OwnedSemaphorePermit>,
    positions: PositionPermits,
}

impl Jobs {
    pub(crate) fn new(room: Arc<ServerRoom>) -> Jobs {
        let limits = room.limits;
        let lane = |share: usize, threads: usize| {
            Some(LanePlaces { requests: places(limits.in_flight / share), threads: places(threads) })
        };
        Jobs {
            requests: places(limits.in_flight),
            lanes: [None, lane(2, limits.batch_threads), lane(8, limits.scan_threads)],
            room,
        }
    }

    /// Runs a request's work, or sheds it at once. Cancelled work gives up by returning `None`.
    ///
    /// The job owns its place among the requests, which is free again when the work is over, not when the request is. Work
    /// of a client that is gone runs until it next checks for cancellation.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext,
        cost: Cost,
        work: impl FnOnce(&CancellationCheck) -> Option<T> + Send + 'static,
    ) -> Result<(T, PositionPermits), Failure> {
        let most = self.room.limits.in_flight;
        let request = self.take(&self.requests, 1, Load::Requests, most)?;
        let of_lane = match &self.lanes[cost.lane as usize] {
            None => None,
            Some(lane) => Some(self.take(&lane.requests, 1, Load::Requests, most)?),
        };
        let positions = self.take_positions(context, cost)?;
        self.start(context, cost, JobPermits { _request: request, _of_lane: of_lane, positions }, work).await
    }

    /// Takes the places of a request's positions: for work, or for an answer that other work finds.
    pub(crate) fn take_positions(&self, context: &RequestContext, cost: Cost) -> Result<PositionPermits, Failure> {
        let limits = &self.room.limits;
        let many = weight(cost.positions);
        let connection = context.connection.clone();
        let of_connection = match &connection {
            None => None,
            Some(connection) => {
                let most = limits.connection_positions;
                Some(self.take(&connection.positions, many, Load::ConnectionPositions, most)?)
            }
        };
        if let Some(connection) = &connection {
            let (many, most) = (cost.positions, limits.positions);
            let of_peer = self.room.held(&connection.peer.positions, most) + many;
            if !self.room.has_places(many, &self.room.positions, most, of_peer) {
                return Err(self.shed(Load::Positions, limits.positions));
            }
        }
        let of_server = self.take(&self.room.positions, many, Load::Positions, limits.positions)?;
        let of_peer = match &connection {
            None => None,
            Some(connection) => {
                let most = limits.peer_share(limits.positions);
                Some(self.take(&connection.peer.positions, many, Load::PeerPositions, most)?)
            }
        };
        Ok(PositionPermits { _of_client: [of_connection, of_peer], _of_server: of_server, _connection: connection })
    }

    fn take(
        &self,
        places: &Arc<Semaphore>,
        many: u32,
        load: Load,
        most: usize,
    ) -> Result<OwnedSemaphorePermit, Failure> {
        Arc::clone(places).try_acquire_many_owned(many).map_err(|_| self.shed(load, most))
    }

    /// Like [`Jobs::run`], but waits for a place up to the deadline: for streams, which have nothing else to do meanwhile.
    pub(crate) async fn run_when_possible<T: Send + 'static>(
        &self,
        context: &RequestContext,
        cost: Cost,
        work: impl FnOnce(&CancellationCheck) -> Option<T> + Send + 'static,
    ) -> Result<(T, PositionPermits), Failure> {
        let many = weight(cost.positions);
        let take = async |places: &Arc<Semaphore>, many: u32| Arc::clone(places).acquire_many_owned(many).await.ok();
        let permits = async {
            // All take them in this order, so no two requests wait for each other.
            let of_client = match &context.connection {
                None => [None, None],
                Some(connection) => {
                    let of_connection = take(&connection.positions, many).await?;
                    [Some(of_connection), Some(take(&connection.peer.positions, many).await?)]
                }
            };
            if let Some(connection) = &context.connection {
                let (room, most) = (&self.room, self.room.limits.positions);
                // The peer holds the places of this piece of work already.
                let of_peer = || room.held(&connection.peer.positions, most);
                while !room.has_places(cost.positions, &room.positions, most, of_peer()) {
                    sleep(PLACE_PAUSE).await;
                }
            }
            let of_server = take(&self.room.positions, many).await?;
            let connection = context.connection.clone();
            let positions = PositionPermits { _of_client: of_client, _of_server: of_server, _connection: connection };
            let of_lane = match &self.lanes[cost.lane as usize] {
                None => None,
                Some(lane) => Some(take(&lane.requests, 1).await?),
            };
            Some(JobPermits { _request: take(&self.requests, 1).await?, _of_lane: of_lane, positions })
        };
        match timeout_at(context.deadline, permits).await {
            Ok(Some(permits)) => self.start(context, cost, permits, work).await,
            Ok(None) | Err(_) => Err(self.shed(Load::Requests, self.room.limits.in_flight)),
        }
    }

    async fn start<T: Send + 'static>(
        &self,
        context: &RequestContext,
        cost: Cost,
        permits: JobPermits,
        work: impl FnOnce(&CancellationCheck) -> Option<T> + Send + 'static,
    ) -> Result<(T, PositionPermits), Failure> {
        self.room.metrics.positions.inc_by(cost.positions as u64);
        let late = || Failure::Deadline { limit: context.time };
        let thread = match &self.lanes[cost.lane as usize] {
            None => None,
            Some(lane) => match timeout_at(context.deadline, Arc::clone(&lane.threads).acquire_owned()).await {
                Ok(Ok(thread)) => Some(thread),
                Ok(Err(_)) | Err(_) => return Err(late()),
            },
        };
        let waiting = CancelOnDrop::default();
        let check = waiting.check(context.deadline);
        let span = tracing::Span::current();
        let job = spawn_blocking(move || {
            // All are released when the work is over, even if it panics.
            let (_thread, permits) = (thread, permits);
            let _within = span.enter();
            // The job may have waited long for a thread.
            (!check.is_cancelled()).then(|| work(&check)).flatten().map(|done| (done, permits.positions))
        });
        match timeout_at(context.deadline, job).await {
            Ok(Ok(Some(done))) => Ok(done),
            Ok(Ok(None)) | Err(_) => Err(late()),
            Ok(Err(error)) => Err(Failure::Broken { error: Arc::new(error) }),
        }
    }

    fn shed(&self, load: Load, most: usize) -> Failure {
        self.room.metrics.shed(load);
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

    use super::*;
    use crate::admission::connection::Connections;
    use crate::admission::limits::Limits;
    use crate::metrics::Metrics;

    const LONG: Duration = Duration::from_secs(60);

    fn jobs(limits: Limits) -> Jobs {
        Jobs::new(Arc::new(ServerRoom::new(limits, Arc::new(Metrics::new()))))
    }

    fn one() -> Jobs {
        jobs(Limits { in_flight: 1, ..Limits::default() })
    }

    const ONE: Cost = Cost::probes(1, 0);

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
        assert!(matches!(turned_away, Err(Failure::Overloaded { load: Load::Requests, most: 1 })));
        go.send(()).unwrap();
        assert!(jobs.run_when_possible(&context(LONG), ONE, |_| Some(())).await.is_ok());
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
        assert!(matches!(slow(Duration::from_millis(20)).await, Err(Failure::Deadline { .. })));
        assert!(slow(LONG).await.is_ok());
        assert!(matches!(one().run(&context(LONG), ONE, |_| None::<()>).await, Err(Failure::Deadline { .. })));
    }

    #[tokio::test]
    async fn broken_work_frees_its_place() {
        let jobs = one();
        for _ in 0..3 {
            let broken = jobs.run(&context(LONG), ONE, |_| -> Option<()> { panic!("on purpose") }).await;
            assert!(matches!(broken, Err(Failure::Broken { .. })));
        }
    }

    #[tokio::test]
    async fn positions_count_until_their_answer_is_let_go() {
        let limits = Limits { positions: 10, connection_positions: 6, peer_percent: 100, ..Limits::default() };
        let jobs = jobs(limits);
        let connections = Connections::new(Arc::clone(&jobs.room));
        let peer = connections.peer(std::net::IpAddr::from([192, 0, 2, 1]));
        let connection = || RequestContext::new(Some(connections.begin(Arc::clone(&peer))), LONG);
        let (first, second) = (connection(), connection());
        let ask = async |context: &RequestContext, positions| {
            jobs.run(context, Cost::probes(positions, 0), |_| Some(())).await.map(|(_, permits)| permits)
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

    #[tokio::test]
    async fn a_peer_leaves_positions_to_others() {
        let jobs = jobs(Limits { positions: 10, peer_percent: 50, ..Limits::default() });
        let connections = Connections::new(Arc::clone(&jobs.room));
        let begin = |last| {
            let peer = connections.peer(std::net::IpAddr::from([192, 0, 2, last]));
            RequestContext::new(Some(connections.begin(peer)), LONG)
        };
        let ask = async |context: &RequestContext, positions| {
            jobs.run(context, Cost::probes(positions, 0), |_| Some(())).await.map(|(_, permits)| permits)
        };
        let _unread = ask(&begin(1), 5).await.unwrap();
        let load = ask(&begin(1), 1).await.unwrap_err();
        assert!(matches!(load, Failure::Overloaded { load: Load::PeerPositions, most: 5 }), "{load:?}");
        assert!(ask(&begin(2), 5).await.is_ok());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn scans_leave_threads_and_places_to_probes() {
        let jobs = jobs(Limits { in_flight: 16, scan_threads: 1, ..Limits::default() });
        let (go, going) = mpsc::channel::<()>();
        let scan = tokio::spawn({
            let jobs = jobs.clone();
            async move { jobs.run(&context(LONG), Cost::scan(1), move |_| going.recv().ok()).await.map(drop) }
        });
        while jobs.lanes[Lane::Scans as usize].as_ref().unwrap().threads.available_permits() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // The second scan waits for the first, and there is no place for a third.
        let (soon, late) = (context(Duration::from_millis(50)), context(LONG));
        let waiting = jobs.run(&soon, Cost::scan(1), |_| Some(()));
        let shed = jobs.run(&late, Cost::scan(1), |_| Some(()));
        let (waiting, shed, probe) = tokio::join!(waiting, shed, jobs.run(&late, ONE, |_| Some(())));
        assert!(matches!(waiting, Err(Failure::Deadline { .. })));
        assert!(matches!(shed, Err(Failure::Overloaded { load: Load::Requests, .. })));
        assert!(probe.is_ok());
        go.send(()).unwrap();
        assert!(scan.await.unwrap().is_ok());
    }
}
