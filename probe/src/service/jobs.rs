//! Blocking work, bounded.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, timeout_at};

use super::Limits;
use super::status::Failure;
use crate::ProbeError;

/// Runs the work of requests, each as one job that owns its permit.
#[derive(Clone, Debug)]
pub(super) struct Jobs {
    permits: Arc<Semaphore>,
    limits: Limits,
}

/// Work that has not begun is not begun once nobody waits for it. What has begun runs on.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Jobs {
    pub(super) fn new(limits: Limits) -> Jobs {
        // tokio's own bound is far beyond what any machine could have in work.
        let permits = limits.in_flight.clamp(1, Semaphore::MAX_PERMITS);
        Jobs { permits: Arc::new(Semaphore::new(permits)), limits }
    }

    /// Runs a request's work.
    ///
    /// The permit goes with the job and comes back when the work is over, not when the request is.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ProbeError> + Send + 'static,
    ) -> Result<T, Failure> {
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else {
            return Err(Failure::Overloaded { in_flight: self.limits.in_flight });
        };
        let deadline = Instant::now() + self.limits.deadline;
        let mut job = AbortOnDrop(spawn_blocking(move || {
            let _permit = permit;
            // It may have waited long for a thread.
            (Instant::now() < deadline).then(work)
        }));
        let late = Failure::Deadline { limit: self.limits.deadline };
        match timeout_at(deadline, &mut job.0).await {
            Ok(Ok(Some(answer))) => answer.map_err(Failure::Probe),
            Ok(Ok(None)) | Err(_) => Err(late),
            Ok(Err(error)) => Err(Failure::Broken { error }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    fn jobs(in_flight: usize, deadline: Duration) -> Jobs {
        Jobs::new(Limits { in_flight, deadline, ..Limits::default() })
    }

    #[tokio::test]
    async fn a_request_that_is_gone_frees_its_place_only_when_its_work_is_done() {
        let jobs = jobs(1, Duration::from_secs(60));
        let (begun_tx, begun) = mpsc::channel();
        let (go, going) = mpsc::channel::<()>();
        let request = tokio::spawn({
            let jobs = jobs.clone();
            async move {
                jobs.run(move || {
                    begun_tx.send(()).unwrap();
                    going.recv().unwrap();
                    Ok(())
                })
                .await
            }
        });
        tokio::task::spawn_blocking(move || begun.recv().unwrap()).await.unwrap();
        request.abort();
        assert!(request.await.unwrap_err().is_cancelled());
        assert!(matches!(jobs.run(|| Ok(())).await, Err(Failure::Overloaded { in_flight: 1 })));
        go.send(()).unwrap();
        let freed = jobs.permits.acquire().await.unwrap();
        drop(freed);
        assert!(jobs.run(|| Ok(())).await.is_ok());
    }

    #[tokio::test]
    async fn late_work() {
        let slow = async |jobs: Jobs| {
            jobs.run(|| {
                std::thread::sleep(Duration::from_millis(200));
                Ok(())
            })
            .await
        };
        assert!(matches!(slow(jobs(1, Duration::from_millis(20))).await, Err(Failure::Deadline { .. })));
        assert!(slow(jobs(1, Duration::from_secs(60))).await.is_ok());
    }

    #[tokio::test]
    async fn broken_work_frees_its_place() {
        let jobs = jobs(1, Duration::from_secs(60));
        for _ in 0..3 {
            let broken = jobs.run(|| -> Result<(), _> { panic!("on purpose") });
            assert!(matches!(broken.await, Err(Failure::Broken { .. })));
        }
    }
}
