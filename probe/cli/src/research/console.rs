//! Progress of a scan for people: a bar on a terminal, lines now and then elsewhere.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use makruk_research::Progress;

use super::signals::Stop;

/// How often something is said where there is no terminal: after a twentieth of the time so far, within these bounds.
const LOG_EVERY: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(300)];

/// Shows a scan on standard error.
pub(super) struct Console {
    what: String,
    bar: ProgressBar,
    /// Whether lines are written: there is no bar.
    lines: bool,
    stop: Stop,
    begun: Instant,
    said: Instant,
}

impl Console {
    /// A display of what is being done; `quiet` says nothing.
    pub(super) fn new(what: String, quiet: bool, stop: Stop) -> Console {
        // Where output goes to the same terminal, a bar would be written over.
        let (bar, lines) = (io::stderr().is_terminal() && !io::stdout().is_terminal(), !io::stderr().is_terminal());
        let target = if bar && !quiet { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = ProgressStyle::with_template("{prefix} [{wide_bar}] {percent}% {elapsed}, {eta} left  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(what.clone());
        let now = Instant::now();
        Console { what, bar, lines: lines && !quiet, stop, begun: now, said: now }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Console {
    fn scanned(&mut self, cells: u64, of: u64, found: u64) {
        let elapsed = self.begun.elapsed();
        let rate = cells as f64 / elapsed.as_secs_f64().max(1e-3);
        self.bar.set_length(of);
        self.bar.set_position(cells);
        self.bar.set_message(format!("{found} found, {}/s", short(rate)));
        if self.lines && self.said.elapsed() >= (elapsed / 20).clamp(LOG_EVERY[0], LOG_EVERY[1]) {
            self.said = Instant::now();
            let left = elapsed.mul_f64(of.saturating_sub(cells) as f64 / cells.max(1) as f64);
            eprintln!(
                "{}: {} of {} cells ({:.0}%), {}/s, {found} found, {} left",
                self.what,
                short(cells as f64),
                short(of as f64),
                100.0 * cells as f64 / of.max(1) as f64,
                short(rate),
                HumanDuration(left)
            );
        }
    }

    fn is_stopped(&mut self) -> bool {
        self.stop.has_come()
    }
}

/// 1234567 as 1.2M.
pub(super) fn short(number: f64) -> String {
    [(1e9, "G"), (1e6, "M"), (1e3, "k")]
        .into_iter()
        .find(|&(unit, _)| number >= unit)
        .map_or_else(|| format!("{number:.0}"), |(unit, letter)| format!("{:.1}{letter}", number / unit))
}
