//! Progress for people: a bar on a terminal, lines now and then elsewhere.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use makruk_tables::format::{Metric, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

use crate::built::Built;
use crate::error::BuildError;
use crate::plan::work;
use crate::progress::Progress;

/// How often something is said where there is no terminal: after a twentieth of the time so far, within these bounds.
const LOG_EVERY: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(300)];

/// How long a build will still take if it goes on as it went on the whole. How much work a set takes is a guess, so what
/// went on just now says less. While next to nothing is done, nobody knows.
fn time_left(elapsed: Duration, done: u64, of: u64) -> String {
    if done < of / 1000 || done == 0 {
        return "time left unknown".to_owned();
    }
    format!("{} left", HumanDuration(elapsed.mul_f64(of.saturating_sub(done) as f64 / done as f64)))
}

/// The part of an attack that looking up its captures is taken for.
const CAPTURES_PART: f64 = 0.045;

/// Shows a build on standard error.
pub struct Console {
    bar: ProgressBar,
    state: Mutex<State>,
    stop: Arc<AtomicBool>,
}

struct State {
    terminal: bool,
    total: usize,
    number: usize,
    set: String,
    /// Work of the set that is being built, and how much of it the bar has.
    work: u64,
    shown: u64,
    /// How many tables and attacks the set has, and how many of these are done.
    parts: u64,
    parts_of: fn(Material) -> u64,
    done: u64,
    phase: String,
    decided: u64,
    begun: Instant,
    logged: Instant,
}

impl Console {
    /// A display that asks the build to stop when `stop` is set.
    pub fn new(stop: Arc<AtomicBool>) -> Console {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(
            Some(0),
            if terminal { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() },
        );
        let style = ProgressStyle::with_template("{prefix} [{wide_bar}] {percent}% {elapsed}, {left}  {msg}");
        let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let left = time_left(state.elapsed(), state.pos(), state.len().unwrap_or(0));
            // Nobody writes to a terminal that is gone.
            let _ = out.write_str(&left);
        };
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left));
        let state = State {
            terminal,
            total: 0,
            number: 0,
            set: String::new(),
            work: 0,
            shown: 0,
            parts: 1,
            // For each metric an attack for each armed side, for each table the writing.
            parts_of: |set| {
                let attackers = if set.is_armed() { 2 } else { 1 };
                (attackers * set.distance_metrics().len() + set.table_metrics().len()) as u64
            },
            done: 0,
            phase: String::new(),
            decided: 0,
            begun: Instant::now(),
            logged: Instant::now(),
        };
        Console { bar, state: Mutex::new(state), stop }
    }

    fn with_state<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        f(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A line of results, on standard output, that stays.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| print(std::io::stdout(), text));
    }

    /// A line about something wrong, on standard error, that stays.
    pub fn complain(&self, text: &str) {
        self.bar.suspend(|| print(std::io::stderr(), &format!("makruk-gen: {text}")));
    }

    /// These sets will be verified, in this order.
    pub fn verify(&self, sets: &[Material]) {
        self.begin(sets);
        self.with_state(|state| state.parts_of = |_| 1);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// A line about the build, on standard error, that stays.
    fn line(&self, text: &str) {
        self.bar.suspend(|| print(std::io::stderr(), text));
    }

    /// A set is done.
    fn end_set(&self, state: &mut State, text: &str) {
        self.bar.inc(state.work.saturating_sub(state.shown));
        state.phase.clear();
        self.line(text);
        if state.number == state.total {
            self.bar.finish_and_clear();
        }
    }

    fn show(&self, state: &mut State, part: f64) {
        let fraction = (state.done as f64 + part) / state.parts as f64;
        let work = (state.work as f64 * fraction.min(1.0)) as u64;
        self.bar.inc(work.saturating_sub(state.shown));
        state.shown = state.shown.max(work);
        let rate = state.decided as f64 / state.begun.elapsed().as_secs_f64().max(1e-3);
        let message = format!("{}, {} positions, {}/s", state.phase, short(state.decided as f64), short(rate));
        let elapsed = self.bar.elapsed();
        if !state.terminal && state.logged.elapsed() >= (elapsed / 20).clamp(LOG_EVERY[0], LOG_EVERY[1]) {
            state.logged = Instant::now();
            let (done, of) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let percent = 100.0 * done as f64 / of.max(1) as f64;
            print(
                std::io::stderr(),
                &format!(
                    "{} of {}: {} {message}; {percent:.0}% of all, {}",
                    state.number,
                    state.total,
                    state.set,
                    time_left(elapsed, done, of)
                ),
            );
        }
        self.bar.set_message(message);
    }
}

impl Progress for Console {
    fn begin(&self, sets: &[Material]) {
        self.with_state(|state| {
            state.total = sets.len();
            state.logged = Instant::now();
        });
        self.bar.set_length(sets.iter().map(|&set| work(set)).sum());
        self.bar.reset_elapsed();
    }

    fn set(&self, set: Material) {
        self.with_state(|state| {
            state.number += 1;
            state.set = set.to_string();
            state.work = work(set);
            state.shown = 0;
            state.done = 0;
            state.decided = 0;
            state.begun = Instant::now();
            state.parts = (state.parts_of)(set);
            self.bar.set_prefix(format!("{}/{} {set}", state.number, state.total));
        });
    }

    fn phase(&self, metric: Metric, attacker: Color) {
        self.with_state(|state| {
            if !state.phase.is_empty() && state.shown > 0 {
                state.done += 1;
            }
            state.phase = format!("{metric} {attacker} attacks");
            self.show(state, 0.0);
        });
    }

    fn captures(&self, slabs: u64, of: u64) {
        self.with_state(|state| {
            let (attack, _) = state.phase.split_once(", ").unwrap_or((&state.phase, ""));
            state.phase = format!("{attack}, captures in {slabs} of {of} slabs");
            self.show(state, CAPTURES_PART * slabs as f64 / of.max(1) as f64);
        });
    }

    fn decided(&self, moves: u16, positions: u64) {
        self.with_state(|state| {
            state.decided += positions;
            let (attack, _) = state.phase.split_once(", ").unwrap_or((&state.phase, ""));
            state.phase = format!("{attack}, move {moves}");
            // How many moves there will be nobody knows: most decisions come early.
            self.show(state, f64::from(moves + 1) / f64::from(moves + 21));
        });
    }

    fn written(&self, metric: Metric, blocks: u64, of: u64) {
        self.with_state(|state| {
            let phase = format!("{metric} writing");
            if state.phase != phase && !state.phase.is_empty() {
                state.done += 1;
            }
            state.phase = phase;
            self.show(state, blocks as f64 / of.max(1) as f64);
        });
    }

    fn verified(&self, positions: u64, of: u64) {
        self.with_state(|state| {
            state.phase = "values checked".to_owned();
            state.decided = positions;
            self.show(state, positions as f64 / of.max(1) as f64);
        });
    }

    fn built(&self, built: &Built) {
        self.with_state(|state| self.end_set(state, &summary(built)));
    }

    fn found(&self, set: Material) {
        self.with_state(|state| self.end_set(state, &format!("{set}: built meanwhile by another process")));
    }

    fn check(&self) -> Result<(), BuildError> {
        if self.stop.load(Ordering::Relaxed) {
            self.bar.finish_and_clear();
            return Err(BuildError::Stopped);
        }
        Ok(())
    }
}

/// A line. That nobody reads it any more is no reason to stop.
fn print(mut to: impl Write, text: &str) {
    let _ = writeln!(to, "{text}");
}

/// One line about a set that was built.
fn summary(built: &Built) -> String {
    let tables: Vec<String> = built
        .tables
        .iter()
        .map(|table| {
            let longest = table.values.iter().map(|values| values.max_win_plies()).max().unwrap_or(0);
            format!(
                "{} longest win {} moves, {} bytes",
                table.metric,
                Value::Win(longest).moves().unwrap_or(0),
                table.bytes
            )
        })
        .collect();
    format!("{}: {}; {:.1} s", built.set, tables.join("; "), built.seconds)
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

    /// Builds as the console hears of them.
    #[test]
    fn the_parts_of_a_set_add_up() {
        for name in ["KRvKM", "KRvK"] {
            let set: Material = name.parse().unwrap();
            let console = Console::new(Arc::default());
            console.begin(&[set]);
            console.set(set);
            let mut shown = 0;
            let mut goes_on = || {
                let now = console.bar.position();
                assert!(now >= shown, "{name}");
                shown = now;
                now as f64 / work(set) as f64
            };
            for &metric in set.table_metrics() {
                if metric != Metric::Wdl {
                    for attacker in Color::ALL.into_iter().filter(|&side| !set.side(side).is_bare()) {
                        console.phase(metric, attacker);
                        console.captures(1, 2);
                        goes_on();
                        console.decided(0, 10);
                        console.decided(1, 10);
                        goes_on();
                    }
                }
                console.written(metric, 1, 2);
                goes_on();
                console.written(metric, 2, 2);
                assert!(metric == *set.table_metrics().last().unwrap() || goes_on() < 0.9);
            }
            assert!(goes_on() > 0.999, "{name}: {}", goes_on());
        }
    }

    #[test]
    fn nobody_knows_how_long_what_is_not_begun_will_take() {
        let left = |done| time_left(Duration::from_secs(60), done, 10_000);
        assert_eq!(left(0), "time left unknown");
        assert_eq!(left(5), "time left unknown");
        assert_eq!(left(5000), "60 seconds left");
    }
}
