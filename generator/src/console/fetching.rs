//! The progress of fetching.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use makruk_format::{TableId, lock};
use makruk_rules::printable;

use super::print_line;
use crate::fetch::{FetchProgress, MissingTable};

/// The time between two lines without a terminal.
const LOG_EVERY: Duration = Duration::from_secs(10);

/// Shows on standard error how tables are fetched: a bar on a terminal, which goes with this value; lines now and then
/// elsewhere.
#[derive(Debug)]
pub struct FetchConsole {
    bar: ProgressBar,
    quiet: bool,
    tables: usize,
    fetched: AtomicU64,
    logged: Mutex<Instant>,
    stop: Arc<AtomicBool>,
}

impl FetchConsole {
    /// A display that asks to stop when `stop` is set. A quiet one shows only which mirrors are refused.
    pub fn new(missing: &[MissingTable], quiet: bool, stop: Arc<AtomicBool>) -> FetchConsole {
        let bytes = missing.iter().map(MissingTable::bytes_left).sum();
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(bytes) };
        let style = "{prefix} [{bar:14}] {percent:>3}% {elapsed}, {eta} left  {binary_bytes_per_sec} {wide_msg}";
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(format!("0/{}", missing.len()));
        let logged = Mutex::new(Instant::now());
        FetchConsole { bar, quiet, tables: missing.len(), fetched: AtomicU64::new(0), logged, stop }
    }
}

impl FetchProgress for FetchConsole {
    fn bytes(&self, number: i64) {
        match u64::try_from(number) {
            Ok(more) => self.bar.inc(more),
            // The bar's length does not have the bytes of an earlier run.
            Err(_) => self.bar.inc_length(number.unsigned_abs()),
        }
        let mut logged = lock(&self.logged);
        if self.bar.is_hidden() && !self.quiet && logged.elapsed() >= LOG_EVERY {
            *logged = Instant::now();
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let percent = 100 * done / all.max(1);
            let fetched = self.fetched.load(Ordering::Relaxed);
            let line = format!("{fetched} of {} tables fetched; {percent}% of {all} bytes", self.tables);
            print_line(std::io::stderr(), &line);
        }
    }

    fn fetched(&self, table: TableId) {
        let number = self.fetched.fetch_add(1, Ordering::Relaxed) + 1;
        self.bar.set_prefix(format!("{number}/{} {table}", self.tables));
    }

    fn refused(&self, sentence: &str) {
        self.bar.suspend(|| print_line(std::io::stderr(), &printable(sentence)));
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
