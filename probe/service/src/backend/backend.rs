//! Everything that answers.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use makruk_probe::{ProbeError, RankedMove, Verdict};
use makruk_tables::rules::{Fen, Reading};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::admission::jobs::{Cost, Jobs};
use crate::admission::limits::Limits;
use crate::admission::pool::Grant;
use crate::admission::pools::Pools;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::answer_cache::AnswerCache;
use crate::http::page::PagePolicy;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::status::Failure;
use crate::tables::longest_win_search::LongestWinSearches;
use crate::tables::monitor::FolderMonitor;
use crate::tables::snapshot::{CurrentTables, SnapshotProber};

/// Time for a thread to become free. Then none is: jobs that may take longer leave threads to others.
const THREAD_WAIT: Duration = Duration::from_secs(2);

/// Formats a position's answer for a protocol. It runs within the job.
pub(crate) type AnswerFormat<T> = fn(&Reading, &Verdict, Option<&[RankedMove]>) -> T;

/// Formats the answer to one of many positions. It runs within the job.
pub(crate) type ResultFormat<T> = fn(&str, Result<ProbedPosition<'_>, Failure>) -> T;

/// Everything that answers.
#[derive(Debug)]
pub(crate) struct Backend {
    pub(crate) tables: CurrentTables,
    pub(crate) monitor: FolderMonitor,
    pub(crate) limits: Limits,
    /// The pages of others that may embed the page.
    pub(crate) page_policy: PagePolicy,
    /// Whether calls need a token.
    pub(crate) needs_token: bool,
    pub(crate) metrics: Arc<Metrics>,
    /// Cancelled when the server accepts nothing more.
    pub(crate) stopping: CancellationToken,
    /// Everything that clients share.
    pub(crate) pools: Arc<Pools>,
    pub(crate) jobs: Jobs,
    /// Pages of mapped files that were lost by the last scan.
    pub(crate) lost_pages: AtomicUsize,
    /// The answers that are kept.
    pub(crate) answers: AnswerCache,
    pub(super) longest_wins: LongestWinSearches,
}

/// A position that was probed.
pub(crate) struct ProbedPosition<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) verdict: &'a Verdict,
    pub(crate) moves: Option<&'a [RankedMove]>,
}

impl Backend {
    pub(crate) fn new(
        tables: CurrentTables,
        monitor: FolderMonitor,
        settings: &Settings,
        page_policy: PagePolicy,
        metrics: Arc<Metrics>,
    ) -> Backend {
        let (limits, stopping) = (settings.limits, CancellationToken::new());
        let trusted_proxies = settings.trusted_proxies.iter().map(IpAddr::to_canonical).collect();
        let pools = Arc::new(Pools { trusted_proxies, ..Pools::new(limits, Arc::clone(&metrics)) });
        Backend {
            jobs: Jobs::new(Arc::clone(&pools)),
            longest_wins: LongestWinSearches::new(settings.known_longest_wins, stopping.clone()),
            stopping,
            answers: AnswerCache::new(),
            lost_pages: AtomicUsize::new(makruk_tables::format::lost_pages()),
            tables,
            monitor,
            page_policy,
            needs_token: settings.token_file.is_some(),
            limits,
            metrics,
            pools,
        }
    }

    /// Whether any table can be opened, a thread is free to read it, and the server is not shutting down.
    pub(crate) async fn is_ready(&self) -> bool {
        !self.stopping.is_cancelled() && self.monitor.content().is_ready() && self.has_thread().await
    }

    /// Whether a thread is free soon: threads may wait for a disk that does not answer.
    #[expect(clippy::disallowed_methods, reason = "it asks whether a thread is free")]
    pub(crate) async fn has_thread(&self) -> bool {
        matches!(timeout(THREAD_WAIT, spawn_blocking(|| ())).await, Ok(Ok(())))
    }

    /// The generation of the tables, by which answers are kept.
    pub(crate) fn generation(&self) -> u64 {
        self.monitor.content().generation
    }

    /// The context of work whose answer is for several requests: none of their deadlines and connections is its own.
    pub(crate) fn shared_context(&self) -> RequestContext {
        RequestContext::new(None, self.limits.deadline)
    }

    /// The value of a position, and of its moves if requested.
    pub(crate) async fn probe<T: Send + 'static>(
        &self,
        context: &RequestContext,
        text: &str,
        moves: bool,
        format: AnswerFormat<T>,
    ) -> Result<(T, Grant), Failure> {
        let reading = Reading::parse(text).map_err(|error| {
            self.metrics.positions.inc();
            ProbeError::from(error)
        })?;
        let prober = self.tables.prober();
        let work = move |_: &CancellationCheck| {
            let probed = probe_position(&prober, &reading.fen, moves);
            Some(probed.map(|(verdict, moves)| format(&reading, &verdict, moves.as_deref())))
        };
        let (answer, permits) = self.jobs.run(context, Cost::probes(1, usize::from(moves)), work).await?;
        Ok((answer?, permits))
    }

    /// The values of many positions, each with its own result, in order, joined to one answer.
    pub(crate) async fn batch<T: 'static, U: Send + 'static>(
        &self,
        context: &RequestContext,
        texts: Vec<String>,
        moves: bool,
        format: ResultFormat<T>,
        join: fn(Vec<T>) -> U,
    ) -> Result<(U, Grant), Failure> {
        let (positions, most) = (texts.len(), self.limits.batch);
        if positions > most {
            return Err(Failure::TooManyPositions { positions, most });
        }
        let prober = self.tables.prober();
        let questions = texts.into_iter().map(move |text| (text, moves)).collect();
        let cost = Cost::probes(positions, if moves { positions } else { 0 });
        self.jobs.run(context, cost, move |check| probe_all(&prober, questions, format, check).map(join)).await
    }

    /// Like [`Backend::batch`] for a piece of a stream, which waits for its place.
    pub(crate) async fn next_of_stream<T: Send + 'static>(
        &self,
        context: &RequestContext,
        questions: Vec<(String, bool)>,
        format: ResultFormat<T>,
    ) -> Result<(Vec<T>, Grant), Failure> {
        let prober = self.tables.prober();
        let cost = Cost::probes(questions.len(), questions.iter().filter(|(_, with_moves)| *with_moves).count());
        self.jobs.run_when_possible(context, cost, move |check| probe_all(&prober, questions, format, check)).await
    }

    /// Any other work; cancelled work gives up by returning `None`.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext,
        cost: Cost,
        work: impl FnOnce(&SnapshotProber, &CancellationCheck) -> Option<T> + Send + 'static,
    ) -> Result<(T, Grant), Failure> {
        let prober = self.tables.prober();
        self.jobs.run(context, cost, move |check| work(&prober, check)).await
    }
}

/// Probes a position and, if requested, its moves. May block on the disk.
fn probe_position(
    prober: &SnapshotProber,
    fen: &Fen,
    with_moves: bool,
) -> Result<(Verdict, Option<Vec<RankedMove>>), ProbeError> {
    let verdict = prober.probe(fen)?;
    let moves = if with_moves { Some(prober.moves(fen)?) } else { None };
    Ok((verdict, moves))
}

/// Probes many positions until the request is cancelled. May block on the disk.
fn probe_all<T>(
    prober: &SnapshotProber,
    questions: Vec<(String, bool)>,
    format: ResultFormat<T>,
    check: &CancellationCheck,
) -> Option<Vec<T>> {
    let mut answers = Vec::with_capacity(questions.len());
    for (at, (text, with_moves)) in questions.iter().enumerate() {
        // Reading the clock takes longer than some probes.
        if (*with_moves || at % 32 == 0) && check.is_cancelled() {
            return None;
        }
        let probed = Reading::parse(text).map_err(ProbeError::from).and_then(|reading| {
            let (verdict, moves) = probe_position(prober, &reading.fen, *with_moves)?;
            Ok((reading, verdict, moves))
        });
        answers.push(match probed {
            Ok((reading, verdict, moves)) => {
                format(text, Ok(ProbedPosition { reading: &reading, verdict: &verdict, moves: moves.as_deref() }))
            }
            Err(error) => {
                let failure = Failure::Probe(error);
                failure.log(text);
                format(text, Err(failure))
            }
        });
    }
    Some(answers)
}
