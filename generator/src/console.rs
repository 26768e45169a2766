//! Progress for people: a bar on a terminal, lines now and then elsewhere.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;
use makruk_tables::value::{Metric, Value};

use crate::built::{Built, WrittenTable};
use crate::error::BuildError;
use crate::lock::lock;
use crate::plan::work;
use crate::progress::Progress;

/// The bounds of the time between two lines without a terminal, which is a twentieth of the time so far.
const LOG_EVERY: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(300)];

/// The share of an attack that finding its capture seeds is taken for.
const CAPTURES_SHARE: f64 = 0.045;

/// The time left, if the build goes on as it went on the whole. The work of a material is an estimate, so the last minutes
/// alone would predict worse. The time is unknown while next to nothing is done.
fn time_left(elapsed: Duration, done: u64, of: u64) -> String {
    if done < of / 1000 || done == 0 {
        return "time left unknown".to_owned();
    }
    format!("{} left", HumanDuration(elapsed.mul_f64(of.saturating_sub(done) as f64 / done as f64)))
}

/// A step of building or verifying a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Attack(Metric, Color),
    Writing(Metric),
    Verifying,
}

/// A step, and how far it has come.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// An attack has begun.
    Beginning { metric: Metric, attacker: Color },
    /// Finding the captures that the smaller materials decide.
    CaptureSeeds { metric: Metric, attacker: Color, slabs: u64, of: u64 },
    /// Going back from the mates, move by move.
    Solving { metric: Metric, attacker: Color, moves: u16 },
    /// Encoding and writing a table.
    Writing { metric: Metric, slabs: u64, of: u64 },
    /// Comparing values with those of their moves.
    Verifying { positions: u64, of: u64 },
}

impl Phase {
    fn step(self) -> Step {
        match self {
            Phase::Beginning { metric, attacker }
            | Phase::CaptureSeeds { metric, attacker, .. }
            | Phase::Solving { metric, attacker, .. } => Step::Attack(metric, attacker),
            Phase::Writing { metric, .. } => Step::Writing(metric),
            Phase::Verifying { .. } => Step::Verifying,
        }
    }

    /// The share of the step that is done.
    fn share(self) -> f64 {
        let share = |done: u64, of: u64| done as f64 / of.max(1) as f64;
        match self {
            Phase::Beginning { .. } => 0.0,
            Phase::CaptureSeeds { slabs, of, .. } => CAPTURES_SHARE * share(slabs, of),
            // The number of moves is not known before the end, but most decisions come early.
            Phase::Solving { moves, .. } => f64::from(moves + 1) / f64::from(moves + 21),
            Phase::Writing { slabs, of, .. } => share(slabs, of),
            Phase::Verifying { positions, of } => share(positions, of),
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Phase::Beginning { metric, attacker } => write!(f, "{metric} {attacker} attacks"),
            Phase::CaptureSeeds { metric, attacker, slabs, of } => {
                write!(f, "{metric} {attacker} attacks, captures in {slabs} of {of} slabs")
            }
            Phase::Solving { metric, attacker, moves } => write!(f, "{metric} {attacker} attacks, move {moves}"),
            Phase::Writing { metric, .. } => write!(f, "{metric} writing"),
            Phase::Verifying { .. } => f.write_str("values checked"),
        }
    }
}

/// The material that is being built or verified.
#[derive(Debug)]
struct Current {
    material: Material,
    /// Its number among those to be built, from 1.
    number: usize,
    /// Its work, and the part of it that the bar shows.
    work: u64,
    shown: u64,
    /// The number of its steps, and of those that are done.
    steps: u64,
    done: u64,
    phase: Option<Phase>,
    /// Positions decided or checked so far.
    positions: u64,
    begun: Instant,
}

impl Current {
    /// Takes note of a phase; returns the work that was done since the last.
    fn advance(&mut self, phase: Phase) -> u64 {
        if self.phase.is_some_and(|before| before.step() != phase.step()) {
            self.done += 1;
        }
        self.phase = Some(phase);
        let share = (self.done as f64 + phase.share()) / self.steps as f64;
        let work = (self.work as f64 * share.min(1.0)) as u64;
        let more = work.saturating_sub(self.shown);
        self.shown += more;
        more
    }

    /// The attack that is under way.
    fn attack(&self) -> Option<(Metric, Color)> {
        match self.phase?.step() {
            Step::Attack(metric, attacker) => Some((metric, attacker)),
            Step::Writing(_) | Step::Verifying => None,
        }
    }
}

/// The work that a console reports.
#[derive(Clone, Copy, Debug)]
enum Task {
    Build {
        /// Are search tables written too?
        search: bool,
    },
    Verify,
}

impl Task {
    /// The steps of a material: for each metric an attack for each armed side, for each table the writing.
    fn steps(self, material: Material) -> u64 {
        match self {
            Task::Build { search } => {
                let attackers = if material.is_armed() { 2 } else { 1 };
                let tables = material.table_metrics().len() + usize::from(search);
                (attackers * material.distance_metrics().len() + tables) as u64
            }
            Task::Verify => 1,
        }
    }
}

#[derive(Debug)]
struct State {
    task: Task,
    /// The number of materials to be built.
    materials: usize,
    begun: usize,
    current: Option<Current>,
    logged: Instant,
}

/// Shows a build on standard error, and results on standard output.
pub struct Console {
    bar: ProgressBar,
    terminal: bool,
    state: Mutex<State>,
    stop: Arc<AtomicBool>,
}

impl Console {
    /// A display that asks the build to stop when `stop` is set.
    pub fn new(stop: Arc<AtomicBool>) -> Console {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = ProgressStyle::with_template("{prefix} [{wide_bar}] {percent}% {elapsed}, {left}  {msg}");
        let left = |state: &ProgressState, out: &mut dyn fmt::Write| {
            let left = time_left(state.elapsed(), state.pos(), state.len().unwrap_or(0));
            // A terminal that is gone is no reason to stop.
            let _ = out.write_str(&left);
        };
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left));
        let state = State {
            task: Task::Build { search: false },
            materials: 0,
            begun: 0,
            current: None,
            logged: Instant::now(),
        };
        Console { bar, terminal, state: Mutex::new(state), stop }
    }

    /// The same for a build that makes search tables too.
    #[must_use]
    pub fn with_search(self) -> Console {
        lock(&self.state).task = Task::Build { search: true };
        self
    }

    /// Prints a line of results, on standard output, that stays.
    pub fn print(&self, text: &str) {
        self.bar.suspend(|| print_line(std::io::stdout(), text));
    }

    /// Prints a line about something wrong, on standard error, that stays.
    pub fn warn(&self, text: &str) {
        self.bar.suspend(|| print_line(std::io::stderr(), text));
    }

    /// Begins to verify materials, in this order.
    pub fn verify(&self, materials: &[Material]) {
        self.begin(materials);
        lock(&self.state).task = Task::Verify;
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Completes the current material, and prints a line about it on standard error.
    fn complete(&self, text: &str) {
        let mut state = lock(&self.state);
        let rest = state.current.take().map_or(0, |current| current.work.saturating_sub(current.shown));
        self.bar.inc(rest);
        self.bar.suspend(|| print_line(std::io::stderr(), text));
        if state.begun == state.materials {
            self.bar.finish_and_clear();
        }
    }

    /// Shows a phase that begins or goes on. `phase` makes it from the current material.
    fn show(&self, phase: impl FnOnce(&mut Current) -> Option<Phase>) {
        let state = &mut *lock(&self.state);
        let Some(current) = &mut state.current else { return };
        let Some(phase) = phase(current) else { return };
        self.bar.inc(current.advance(phase));
        let rate = current.positions as f64 / current.begun.elapsed().as_secs_f64().max(1e-3);
        let message = format!("{phase}, {} positions, {}/s", short(current.positions as f64), short(rate));
        let elapsed = self.bar.elapsed();
        if !self.terminal && state.logged.elapsed() >= (elapsed / 20).clamp(LOG_EVERY[0], LOG_EVERY[1]) {
            state.logged = Instant::now();
            let (done, of) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let percent = 100.0 * done as f64 / of.max(1) as f64;
            let (number, materials, material) = (current.number, state.materials, current.material);
            let left = time_left(elapsed, done, of);
            print_line(
                std::io::stderr(),
                &format!("{number} of {materials}: {material} {message}; {percent:.0}% of all, {left}"),
            );
        }
        self.bar.set_message(message);
    }
}

impl Progress for Console {
    fn begin(&self, materials: &[Material]) {
        {
            let mut state = lock(&self.state);
            state.materials = materials.len();
            state.logged = Instant::now();
        }
        self.bar.set_length(materials.iter().map(|&material| work(material)).sum());
        self.bar.reset_elapsed();
    }

    fn material(&self, material: Material) {
        let mut state = lock(&self.state);
        state.begun += 1;
        self.bar.set_prefix(format!("{}/{} {material}", state.begun, state.materials));
        state.current = Some(Current {
            material,
            number: state.begun,
            work: work(material),
            shown: 0,
            steps: state.task.steps(material),
            done: 0,
            phase: None,
            positions: 0,
            begun: Instant::now(),
        });
    }

    fn phase(&self, metric: Metric, attacker: Color) {
        self.show(|_| Some(Phase::Beginning { metric, attacker }));
    }

    fn captures(&self, slabs: u64, of: u64) {
        self.show(|current| {
            let (metric, attacker) = current.attack()?;
            Some(Phase::CaptureSeeds { metric, attacker, slabs, of })
        });
    }

    fn decided(&self, moves: u16, positions: u64) {
        self.show(|current| {
            current.positions += positions;
            let (metric, attacker) = current.attack()?;
            Some(Phase::Solving { metric, attacker, moves })
        });
    }

    fn written(&self, metric: Metric, slabs: u64, of: u64) {
        self.show(|_| Some(Phase::Writing { metric, slabs, of }));
    }

    fn verified(&self, positions: u64, of: u64) {
        self.show(|current| {
            current.positions = positions;
            Some(Phase::Verifying { positions, of })
        });
    }

    fn built(&self, built: &Built) {
        self.complete(&summary(built));
    }

    fn already_built(&self, material: Material) {
        self.complete(&format!("{material}: built meanwhile by another process"));
    }

    fn check(&self) -> Result<(), BuildError> {
        if self.stop.load(Ordering::Relaxed) {
            self.bar.finish_and_clear();
            return Err(BuildError::Stopped);
        }
        Ok(())
    }
}

/// Prints a line. A reader that is gone is no reason to stop.
fn print_line(mut to: impl Write, text: &str) {
    let _ = writeln!(to, "{text}");
}

/// One line about a material that was built.
fn summary(built: &Built) -> String {
    let tables: Vec<String> = built.tables.iter().map(describe).collect();
    format!("{}: {}; {:.1} s", built.material, tables.join("; "), built.seconds)
}

/// A table: its length, and the longest win where its values are distances.
fn describe(table: &WrittenTable) -> String {
    let WrittenTable { metric, bytes, values } = table;
    match metric {
        Metric::Wdl | Metric::Search => format!("{metric} {bytes} bytes"),
        Metric::Dtm | Metric::Dtz => {
            let longest = values.iter().map(|values| values.max_win_plies()).max().unwrap_or(0);
            let moves = Value::Win(longest).moves().unwrap_or(0);
            format!("{metric} longest win {moves} moves, {bytes} bytes")
        }
    }
}

/// 1234567 as 1.2M.
fn short(number: f64) -> String {
    [(1e9, "G"), (1e6, "M"), (1e3, "k")]
        .into_iter()
        .find(|&(unit, _)| number >= unit)
        .map_or_else(|| format!("{number:.0}"), |(unit, letter)| format!("{:.1}{letter}", number / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The calls of a build, in their order.
    #[test]
    fn the_steps_of_a_material_add_up() {
        for name in ["KRvKM", "KRvK"] {
            let material: Material = name.parse().unwrap();
            let console = Console::new(Arc::default());
            console.begin(&[material]);
            console.material(material);
            let mut shown = 0;
            let mut advances = || {
                let now = console.bar.position();
                assert!(now >= shown, "{name}");
                shown = now;
                now as f64 / work(material) as f64
            };
            for &metric in material.table_metrics() {
                if metric != Metric::Wdl {
                    for attacker in Color::ALL.into_iter().filter(|&side| !material.side(side).is_bare()) {
                        console.phase(metric, attacker);
                        console.captures(1, 2);
                        advances();
                        console.decided(0, 10);
                        console.decided(1, 10);
                        advances();
                    }
                }
                console.written(metric, 1, 2);
                advances();
                console.written(metric, 2, 2);
                assert!(metric == *material.table_metrics().last().unwrap() || advances() < 0.9);
            }
            assert!(advances() > 0.999, "{name}: {}", advances());
        }
    }

    #[test]
    fn a_phase_says_what_is_done() {
        let (metric, attacker) = (Metric::Dtz, Color::Black);
        let text = |phase: Phase| phase.to_string();
        assert_eq!(text(Phase::Beginning { metric, attacker }), "dtz Black attacks");
        let seeds = Phase::CaptureSeeds { metric, attacker, slabs: 64, of: 462 };
        assert_eq!(text(seeds), "dtz Black attacks, captures in 64 of 462 slabs");
        assert_eq!(text(Phase::Solving { metric, attacker, moves: 7 }), "dtz Black attacks, move 7");
        assert_eq!(text(Phase::Writing { metric, slabs: 1, of: 2 }), "dtz writing");
        assert_eq!(text(Phase::Verifying { positions: 1, of: 2 }), "values checked");
    }

    #[test]
    fn the_time_left_is_unknown_at_first() {
        let left = |done| time_left(Duration::from_secs(60), done, 10_000);
        assert_eq!(left(0), "time left unknown");
        assert_eq!(left(5), "time left unknown");
        assert_eq!(left(5000), "60 seconds left");
    }
}
