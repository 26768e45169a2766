//! Signals that stop a build or a verification.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;

use anyhow::{Context, Result};
use makruk_console::warn;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

/// The exit status of a signal is its number plus this, as in shells.
const BY_SIGNAL: i32 = 128;

/// The signals that this process has received.
pub(super) struct Signals {
    stop: Arc<AtomicBool>,
    first: Arc<AtomicI32>,
}

impl Signals {
    /// Watches from now on: the first signal asks for a stop, the second ends the process at once.
    ///
    /// # Errors
    ///
    /// The system refuses to register a handler.
    pub(super) fn watch() -> Result<Signals> {
        Signals::try_watch().context("cannot register the signal handlers")
    }

    fn try_watch() -> std::io::Result<Signals> {
        // A file beyond the limit on the size of files is an error like a full disk, which writing reports.
        signal_hook::flag::register(SIGXFSZ, Arc::default())?;
        let signals = Signals { stop: Arc::default(), first: Arc::default() };
        let (stop, first) = (signals.stop(), Arc::clone(&signals.first));
        // Under nohup and in the background of a script these signals are inherited as ignored; they stay ignored.
        let ignored = ignored_signals();
        let watched = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let mut arriving = signal_hook::iterator::Signals::new(watched)?;
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in arriving.forever() {
                // The next build removes the temporary file of the table that is being written; a checkpoint stays.
                if first.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed).is_err() {
                    std::process::exit(BY_SIGNAL + signal);
                }
                stop.store(true, Ordering::Release);
                warn("\nstopping; press Ctrl-C again to stop at once");
            }
        })?;
        Ok(signals)
    }

    /// The flag that the first signal sets.
    pub(super) fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Whether a signal has come.
    pub(super) fn have_come(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// The status of a process that a signal stopped.
    pub(super) fn exit_code(&self) -> ExitCode {
        let status = BY_SIGNAL + self.first.load(Ordering::Relaxed);
        u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from)
    }
}

/// The signals that this process inherited as ignored, a bit for each, the lowest for signal 1. Only Linux reports
/// them; elsewhere a hangup keeps its default action.
fn ignored_signals() -> u64 {
    let unknown = 1 << (SIGHUP - 1);
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return unknown };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(unknown)
}
