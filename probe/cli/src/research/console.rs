//! The progress of a scan for people: a bar on a terminal, otherwise lines now and then.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use makruk_console::{StopSignal, warn};
use makruk_research::Progress;
use makruk_research::text::short_number;

/// The time between two lines: a twentieth of the time so far, within these bounds.
const LOG_EVERY: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(300)];

/// Shows the progress of a scan on standard error.
pub(super) struct ScanConsole {
    name: String,
    /// The units that the progress counts.
    units: &'static str,
    bar: ProgressBar,
    /// Whether lines are printed instead of a bar.
    lines: bool,
    stop: StopSignal,
    begun: Instant,
    last_line: Instant,
}

impl ScanConsole {
    /// The console of a scan with this name; a quiet one shows nothing.
    pub(super) fn new(name: String, quiet: bool, stop: StopSignal) -> ScanConsole {
        // Output to the same terminal would overwrite a bar.
        let (bar, lines) = (io::stderr().is_terminal() && !io::stdout().is_terminal(), !io::stderr().is_terminal());
        let target = if bar && !quiet { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = ProgressStyle::with_template("{prefix} [{wide_bar}] {percent}% {elapsed}, {eta} left  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(name.clone());
        let now = Instant::now();
        ScanConsole { name, units: "cells", bar, lines: lines && !quiet, stop, begun: now, last_line: now }
    }

    /// The console of a scan that counts other units than cells.
    pub(super) fn of(self, units: &'static str) -> ScanConsole {
        ScanConsole { units, ..self }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for ScanConsole {
    fn scanned(&mut self, cells: u64, all: u64, found: u64) {
        let elapsed = self.begun.elapsed();
        let rate = cells as f64 / elapsed.as_secs_f64().max(1e-3);
        self.bar.set_length(all);
        self.bar.set_position(cells);
        self.bar.set_message(format!("{found} found, {}/s", short_number(rate as u64)));
        if self.lines && self.last_line.elapsed() >= (elapsed / 20).clamp(LOG_EVERY[0], LOG_EVERY[1]) {
            self.last_line = Instant::now();
            let left = elapsed.mul_f64(all.saturating_sub(cells) as f64 / cells.max(1) as f64);
            warn(&format!(
                "{}: {} of {} {} ({:.0}%), {}/s, {found} found, {} left",
                self.name,
                short_number(cells),
                short_number(all),
                self.units,
                100.0 * cells as f64 / all.max(1) as f64,
                short_number(rate as u64),
                HumanDuration(left)
            ));
        }
    }

    fn is_stopped(&mut self) -> bool {
        self.stop.was_received()
    }
}
