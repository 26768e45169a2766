//! What the service can do, whatever the words it is asked in.

use std::sync::Arc;
use std::time::Duration;

use makruk_tables::format::{Metric, MovesLeft, TableFolder};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::Fen;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::Limits;
use super::catalogue::{Catalogue, Listed};
use super::jobs::{Asker, Held, Jobs, Wanted};
use super::live::{Live, Values};
use super::longest::{Longest, Search};
use super::metrics::Metrics;
use super::status::Failure;
use super::totals::Totals;
use makruk_probe::{MAX_LINE_PLIES, Policy, ProbeError, Prober, RankedMove, Step, TableError, TableId, Verdict, Walk};

/// Steps of a line that one job finds.
const STEPS_PER_JOB: usize = 64;

/// A prober as jobs hold it.
pub(super) type LiveProber = Prober<Arc<Values>>;

/// Makes an answer of what was found, in the words of who asks. It runs within the job.
pub(super) type Form<T> = fn(&Fen, &Verdict, Option<&[RankedMove]>) -> T;

/// Everything that answers.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) live: Live,
    pub(super) catalogue: Catalogue,
    pub(super) limits: Limits,
    pub(super) metrics: Arc<Metrics>,
    /// Set when the server takes on nothing more.
    pub(super) stopping: CancellationToken,
    /// Places for searches.
    pub(super) searches: Arc<Semaphore>,
    pub(super) jobs: Jobs,
    longest: Longest,
}

/// A perfect player's move and what it leads to.
pub(super) struct Played<T> {
    pub(super) position: T,
    /// The move in the position, and the position after it; `None` if the game is over.
    pub(super) made: Option<(RankedMove, Fen, Fen)>,
}

/// A set's tables on the whole.
pub(super) struct Statistics {
    pub(super) material: Material,
    pub(super) metrics: Vec<(Metric, Totals, Option<Search>)>,
    /// The winner's moves that the count leaves if it begins now.
    pub(super) moves_left: MovesLeft,
}

impl Engine {
    pub(super) fn new(live: Live, catalogue: Catalogue, limits: Limits, metrics: Arc<Metrics>) -> Engine {
        let jobs = Jobs::new(limits, Arc::clone(&metrics));
        let searches = Arc::new(Semaphore::new(limits.searches.clamp(1, Semaphore::MAX_PERMITS)));
        let stopping = CancellationToken::new();
        Engine { live, catalogue, limits, metrics, stopping, searches, jobs, longest: Longest::new() }
    }

    /// Whether there are tables to answer from, and the server is not shutting down.
    pub(super) fn is_ready(&self) -> bool {
        !self.stopping.is_cancelled() && self.catalogue.now().is_ready()
    }

    /// What a position is worth.
    pub(super) async fn probe<T: Send + 'static>(
        &self,
        asker: &Asker,
        text: Arc<str>,
        moves: bool,
        form: Form<T>,
    ) -> Result<(T, Held), Failure> {
        let prober = self.live.prober();
        let (answer, held) = self.jobs.run(asker, 1, move |_| Some(answer(&prober, &text, moves, form))).await?;
        Ok((answer?, held))
    }

    /// What many positions are worth, each with its own outcome, in order.
    pub(super) async fn batch<T: Send + 'static>(
        &self,
        asker: &Asker,
        texts: Vec<String>,
        moves: bool,
        form: fn(&str, Result<Answered<'_>, Failure>) -> T,
    ) -> Result<(Vec<T>, Held), Failure> {
        let (positions, most) = (texts.len(), self.limits.batch);
        if positions > most {
            return Err(Failure::TooManyPositions { positions, most });
        }
        let prober = self.live.prober();
        let questions = texts.into_iter().map(move |text| (text, moves)).collect();
        self.jobs.run(asker, positions, move |wanted| answers(&prober, questions, form, wanted)).await
    }

    /// As [`Engine::batch`], waiting for a place: for a stream that has nothing else to do.
    pub(super) async fn next_of_stream<T: Send + 'static>(
        &self,
        asker: &Asker,
        questions: Vec<(String, bool)>,
        form: fn(&str, Result<Answered<'_>, Failure>) -> T,
    ) -> Result<(Vec<T>, Held), Failure> {
        let prober = self.live.prober();
        let positions = questions.len();
        self.jobs.run_when_possible(asker, positions, move |wanted| answers(&prober, questions, form, wanted)).await
    }

    /// The start of a line: what the position is worth, and the way on.
    pub(super) async fn line<T: Send + 'static>(
        &self,
        asker: &Asker,
        text: Arc<str>,
        defence: Policy,
        max_plies: u32,
        form: Form<T>,
    ) -> Result<((T, LiveWalk), Held), Failure> {
        let prober = self.live.prober();
        let most = match max_plies {
            0 => MAX_LINE_PLIES,
            most => MAX_LINE_PLIES.min(most as usize),
        };
        let work = move |_: &Wanted| {
            let begin = || {
                let fen = Fen::parse(&text)?;
                let start = form(&fen, &prober.probe(&fen)?, None);
                let walk = Walk::new(&prober, &fen, defence, most);
                Ok::<_, ProbeError>((start, walk))
            };
            let begun = begin();
            Some(begun.map(|(start, walk)| (start, LiveWalk { walk, prober })))
        };
        let (begun, held) = self.jobs.run(asker, 1, work).await?;
        Ok((begun?, held))
    }

    /// The next moves of a line, and with the last of them why it ends.
    pub(super) async fn walk_on(
        &self,
        asker: &Asker,
        mut on: LiveWalk,
    ) -> Result<((Vec<Step>, LiveWalk), Held), Failure> {
        let work = move |wanted: &Wanted| {
            let mut steps = Vec::new();
            while steps.len() < STEPS_PER_JOB {
                if !wanted.is_wanted() {
                    return None;
                }
                match on.walk.step(&on.prober) {
                    Ok(step) => {
                        let is_end = matches!(step, Step::End(_));
                        steps.push(step);
                        if is_end {
                            break;
                        }
                    }
                    Err(error) => return Some(Err(error)),
                }
            }
            Some(Ok((steps, on)))
        };
        let (walked, held) = self.jobs.run_when_possible(asker, 1, work).await?;
        Ok((walked?, held))
    }

    /// The move that a perfect player makes.
    pub(super) async fn play<T: Send + 'static>(
        &self,
        asker: &Asker,
        text: Arc<str>,
        policy: Policy,
        form: Form<T>,
    ) -> Result<(Played<T>, Held), Failure> {
        let prober = self.live.prober();
        let work = move |_: &Wanted| {
            let play = || {
                let fen = Fen::parse(&text)?;
                let position = form(&fen, &prober.probe(&fen)?, None);
                let made = prober.play(&fen, policy)?.map(|mv| {
                    let after = prober.resolved(&fen).play(prober.rules(), mv.mv);
                    (mv, fen, after)
                });
                Ok::<_, ProbeError>(Played { position, made })
            };
            Some(play())
        };
        let (played, held) = self.jobs.run(asker, 1, work).await?;
        Ok((played?, held))
    }

    /// Anything that takes a prober, on so many positions; the work gives up by returning `None` when it is no longer wanted.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        asker: &Asker,
        positions: usize,
        work: impl FnOnce(&LiveProber, &Wanted) -> Option<T> + Send + 'static,
    ) -> Result<(T, Held), Failure> {
        let prober = self.live.prober();
        self.jobs.run(asker, positions, move |wanted| work(&prober, wanted)).await
    }

    /// The tables that there are.
    pub(super) fn tables(&self, men: Option<u32>) -> Vec<Listed> {
        let has_men = |listed: &Listed| men.is_none_or(|men| listed.material.men() == men as usize);
        self.catalogue.now().tables().filter(has_men).collect()
    }

    /// What a set's tables say on the whole; with `longest`, the search for the longest wins too, as far as it comes within
    /// the deadline.
    pub(super) async fn statistics(&self, asker: &Asker, set: &str, longest: bool) -> Result<Statistics, Failure> {
        let material: Material = set.parse().map_err(Failure::Material)?;
        if material == Material::BARE_KINGS {
            return Err(Failure::BareKings);
        }
        let metrics = if material.is_armed() { &Metric::DISTANCES[..] } else { &[Metric::Dtm] };
        let (folder, rules) = (self.catalogue.path().to_owned(), self.live.rules().clone());
        let read = move |_: &Wanted| {
            let layout = Layout::new(material);
            let totals = metrics.iter().map(|&metric| {
                let table = TableFolder::open_existing(&folder).and_then(|folder| folder.open_set(&layout, metric));
                let table = table.map_err(|source| Failure::of_table(material, metric, &folder, source))?;
                Ok((metric, Totals::of(&table, material, metric, &rules)))
            });
            Some(totals.collect::<Result<Vec<_>, Failure>>())
        };
        let (totals, _) = self.jobs.run(asker, 1, read).await?;
        let mut metrics = Vec::new();
        for (metric, totals) in totals? {
            let search = if longest { Some(self.longest_wins(asker, material, metric).await) } else { None };
            if let Some(Search::Failed(reason)) = &search {
                let source = reason.to_string().into();
                let id = TableId { material, metric };
                let path = self.catalogue.path().join(id.to_string());
                return Err(ProbeError::from(TableError::Corrupt { id, path, source }).into());
            }
            metrics.push((metric, totals, search));
        }
        Ok(Statistics { material, metrics, moves_left: MovesLeft::of(material, self.live.rules()) })
    }

    async fn longest_wins(&self, asker: &Asker, material: Material, metric: Metric) -> Search {
        let Some(identity) = self.catalogue.now().identity(material, metric) else { return Search::Pending };
        // The rest of the answer has to be in time too.
        let patience = asker.deadline - Duration::from_millis(50).min(asker.time / 4);
        self.longest.find(self.catalogue.path(), material, metric, identity, patience).await
    }
}

/// A line that can be walked on.
pub(super) struct LiveWalk {
    walk: Walk,
    prober: LiveProber,
}

/// A position that was answered.
pub(super) struct Answered<'a> {
    pub(super) fen: &'a Fen,
    pub(super) verdict: &'a Verdict,
    pub(super) moves: Option<&'a [RankedMove]>,
}

/// One position's answer. May block on the disk.
fn answer<T>(prober: &LiveProber, text: &str, with_moves: bool, form: Form<T>) -> Result<T, ProbeError> {
    let fen = Fen::parse(text)?;
    let verdict = prober.probe(&fen)?;
    let moves = if with_moves { Some(prober.moves(&fen)?) } else { None };
    Ok(form(&fen, &verdict, moves.as_deref()))
}

/// Many positions' answers, as long as they are wanted. May block on the disk.
fn answers<T>(
    prober: &LiveProber,
    questions: Vec<(String, bool)>,
    form: fn(&str, Result<Answered<'_>, Failure>) -> T,
    wanted: &Wanted,
) -> Option<Vec<T>> {
    let mut answers = Vec::with_capacity(questions.len());
    for (at, (text, with_moves)) in questions.iter().enumerate() {
        // Asking for the time takes longer than some answers.
        if (*with_moves || at % 32 == 0) && !wanted.is_wanted() {
            return None;
        }
        let answer = Fen::parse(text).map_err(ProbeError::from).and_then(|fen| {
            let verdict = prober.probe(&fen)?;
            let moves = if *with_moves { Some(prober.moves(&fen)?) } else { None };
            Ok((fen, verdict, moves))
        });
        answers.push(match answer {
            Ok((fen, verdict, moves)) => {
                form(text, Ok(Answered { fen: &fen, verdict: &verdict, moves: moves.as_deref() }))
            }
            Err(error) => {
                let failure = Failure::Probe(error);
                failure.log(text);
                form(text, Err(failure))
            }
        });
    }
    Some(answers)
}
