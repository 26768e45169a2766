//! A match: every starting position twice, with colours exchanged, some games at a time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use makruk_tables::rules::{Color, Fen};

use super::engine::{EngineCommand, UciEngine};
use super::game::{Player, play};
use super::record::{GameRecord, Results};
use super::sprt::{Sprt, Verdict};

/// Time between two lines of progress.
const PROGRESS: Duration = Duration::from_secs(20);

/// The games to play.
pub struct MatchPlan {
    /// The engines.
    pub engines: [EngineCommand; 2],
    /// The starting positions.
    pub positions: Vec<Fen>,
    /// The seed of the engines' random numbers, which differ from pair to pair.
    pub seed: u64,
    /// Games at a time.
    pub games_at_a_time: usize,
    /// No pair begins after this time.
    pub deadline: Option<Instant>,
    /// No pair begins after this test has accepted a hypothesis.
    pub sprt: Option<Sprt>,
}

impl MatchPlan {
    /// The pairs that the results lack.
    fn missing(&self, results: &Results) -> Vec<usize> {
        let lacks = |&pair: &usize| (0..2).any(|game| results.game(pair, game).is_none());
        (0..self.positions.len()).filter(lacks).collect()
    }

    /// Whether the results have all pairs.
    pub fn is_complete(&self, results: &Results) -> bool {
        self.missing(results).is_empty()
    }

    fn verdict(&self, results: &Results) -> Option<Verdict> {
        self.sprt.map(|test| test.verdict(&results.share()))
    }

    fn is_decided(&self, results: &Results) -> bool {
        self.verdict(results).is_some_and(|verdict| verdict.accepted.is_some())
    }
}

/// Plays the pairs that the results lack, until the plan's test accepts a hypothesis.
///
/// # Errors
///
/// If the results are of other positions, or an engine fails; the error names the game. Games before it stay in the
/// results.
pub fn run(plan: &MatchPlan, results: Results) -> Result<Results> {
    for game in results.games() {
        let Some(planned) = plan.positions.get(game.pair).map(Fen::to_string) else { continue };
        ensure!(
            game.fen == planned,
            "{}: pair {} began from {}, but the position of that number is {planned}; continue with the positions of these \
             results, or name another file of results",
            results.path().display(),
            game.pair,
            game.fen,
        );
    }
    if plan.is_decided(&results) {
        return Ok(results);
    }
    let missing = plan.missing(&results);
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let shared = Mutex::new((results, Instant::now(), 0usize));
    let begun = Instant::now();
    let worker = || -> Result<()> {
        let mut engines = [UciEngine::start(&plan.engines[0])?, UciEngine::start(&plan.engines[1])?];
        loop {
            let late = plan.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let is_decided = {
                let (results, ..) = &*shared.lock().map_err(|_| anyhow!("another game has failed"))?;
                plan.is_decided(results)
            };
            if stop.load(Ordering::Relaxed) || late || is_decided {
                return Ok(());
            }
            let Some(&pair) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { return Ok(()) };
            for game in 0..2 {
                let known = {
                    let (results, ..) = &*shared.lock().map_err(|_| anyhow!("another game has failed"))?;
                    results.game(pair, game).is_some()
                };
                if known {
                    continue;
                }
                let record =
                    play_one(plan, pair, game, &mut engines).with_context(|| format!("pair {pair}, game {game}"))?;
                let (results, ..) = &mut *shared.lock().map_err(|_| anyhow!("another game has failed"))?;
                results.add(record)?;
            }
            let (results, shown, done) = &mut *shared.lock().map_err(|_| anyhow!("another game has failed"))?;
            *done += 1;
            if shown.elapsed() >= PROGRESS {
                *shown = Instant::now();
                let left = begun.elapsed().as_secs_f64() / *done as f64 * (missing.len() - *done) as f64;
                let score = results.score();
                let elo = score.elo().map_or_else(|| "-".to_owned(), |elo| elo.to_string());
                let verdict = plan.verdict(results).map_or_else(String::new, |verdict| format!("; {verdict}"));
                let to_go = missing.len() - *done;
                eprintln!("{} pairs, {to_go} to go, {left:.0} s left; Elo {elo}{verdict}", score.count());
            }
        }
    };
    let outcomes: Vec<Result<()>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..plan.games_at_a_time)
            .map(|_| {
                scope.spawn(|| {
                    let outcome = worker();
                    stop.fetch_or(outcome.is_err(), Ordering::Relaxed);
                    outcome
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow!("a game has panicked"))))
            .collect()
    });
    outcomes.into_iter().collect::<Result<()>>()?;
    shared.into_inner().map(|(results, ..)| results).map_err(|_| anyhow!("a game has failed"))
}

fn play_one(plan: &MatchPlan, pair: usize, game: usize, engines: &mut [UciEngine; 2]) -> Result<GameRecord> {
    let start = &plan.positions[pair];
    let seed = plan.seed.wrapping_mul(1 << 32).wrapping_add(pair as u64);
    let [first, second] = engines;
    let players: [&mut dyn Player; 2] = if game == 0 { [first, second] } else { [second, first] };
    let played = play(start, players, seed, |_| true)?.context("a game that nobody stopped")?;
    let mut effort = played.effort;
    if game == 1 {
        effort.swap(0, 1);
    }
    let first_side = if game == 0 { start.position.turn() } else { !start.position.turn() };
    let half_points = played.outcome.winner.map_or(1, |winner: Color| if winner == first_side { 2 } else { 0 });
    Ok(GameRecord {
        pair,
        game,
        half_points,
        ending: played.outcome.ending.to_string(),
        effort,
        fen: start.to_string(),
        moves: played.moves.join(" "),
    })
}
