//! Equal requests at the same time: the first is answered, the others share its answer.
//!
//! Nothing is kept: an answer is shared by those who ask for it before it is there. The first request is not special to
//! the others. If it is cancelled, turned away or too late, one of the others takes its turn.

use std::hash::Hash;

use tokio::time::timeout_at;

use crate::admission::jobs::Cost;
use crate::admission::pool::Grant;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::backend::Backend;
use crate::backend::under_way::{Follower, Turn, UnderWay};
use crate::status::Failure;

impl Backend {
    /// Does a piece of work. If an equal one is under way, its answer is shared instead. The answer is formatted within
    /// the job of the request that finds it.
    pub(crate) async fn run_once<K, V, T>(
        &self,
        under_way: &UnderWay<K, V>,
        key: K,
        context: &RequestContext,
        cost: Cost,
        work: impl FnOnce(&CancellationCheck) -> Option<V> + Send + 'static,
        format: impl FnOnce(&V) -> T + Send + 'static,
    ) -> Result<(T, Grant), Failure>
    where
        K: Clone + Eq + Hash + Send + Sync + 'static,
        V: Clone + Send + Sync + 'static,
        T: Send + 'static,
    {
        loop {
            match under_way.join(&key) {
                Turn::First(lead) => {
                    let work = move |check: &CancellationCheck| {
                        let answer = work(check)?;
                        lead.publish(&answer);
                        Some(format(&answer))
                    };
                    return self.jobs.run(context, cost, work).await;
                }
                Turn::Later(follower) => {
                    if let Some((answer, permits)) = self.follow(follower, context, cost).await? {
                        return Ok((format(&answer), permits));
                    }
                }
            }
        }
    }

    /// The answer to an equal request; `None` if that request has ended without.
    pub(crate) async fn follow<V: Clone>(
        &self,
        follower: Follower<V>,
        context: &RequestContext,
        cost: Cost,
    ) -> Result<Option<(V, Grant)>, Failure> {
        let permits = self.jobs.take_positions(context, cost)?;
        self.metrics.positions.inc_by(cost.positions as u64);
        match timeout_at(context.deadline, follower.answer()).await {
            Ok(Some(answer)) => {
                self.metrics.coalesced.inc();
                Ok(Some((answer, permits)))
            }
            Ok(None) => Ok(None),
            Err(_) => Err(Failure::Deadline { limit: context.time }),
        }
    }
}
