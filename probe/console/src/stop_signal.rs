//! Signals that ask a long command to stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use super::remedy::warn;

/// The exit status of a signal is its number plus this, as in shells.
const BY_SIGNAL: u8 = 128;

/// Whether a signal was received: SIGINT (Ctrl-C), SIGTERM or SIGHUP; on Windows Ctrl-C or Ctrl-Break. The first asks
/// for a stop, the second ends the process at once.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    flag: Arc<AtomicBool>,
    number: Arc<AtomicU8>,
}

impl StopSignal {
    /// Handles the signals from now on.
    ///
    /// # Errors
    ///
    /// The system refuses to register a handler, or to start a thread.
    pub fn watch() -> io::Result<StopSignal> {
        let stop = StopSignal::default();
        let received = stop.clone();
        let cannot = |error: io::Error| io::Error::new(error.kind(), format!("cannot handle signals: {error}"));
        watch(move |number| received.receive(number)).map_err(cannot)?;
        Ok(stop)
    }

    fn receive(&self, number: u8) {
        // The next build removes the temporary file of the table that is being written; a checkpoint stays.
        if self.number.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            std::process::exit((BY_SIGNAL + number).into());
        }
        warn("stopping; press Ctrl-C again to stop at once");
        self.flag.store(true, Ordering::Release);
    }

    /// The flag that the first signal sets.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Whether a signal was received.
    pub fn was_received(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }

    /// The exit status of a command that a signal stopped; 0 if none was received.
    pub fn exit_status(&self) -> u8 {
        match self.number.load(Ordering::Relaxed) {
            0 => 0,
            number => BY_SIGNAL + number,
        }
    }
}

/// Gives the numbers of the signals that arrive to `received`, on a thread of their own.
#[cfg(unix)]
fn watch(received: impl Fn(u8) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

    // A file beyond the limit on the size of files is an error like a full disk, which writing reports.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    // Under nohup and in the background of a script these signals are inherited as ignored; they stay ignored. Only
    // Linux reports them; elsewhere a hangup keeps its default action.
    let ignored = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    let ignored = ignored().unwrap_or(1 << (SIGHUP - 1));
    let watched = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut arriving = signal_hook::iterator::Signals::new(watched)?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || arriving.forever().for_each(|signal| received(signal as u8)))?;
    Ok(())
}

/// Gives Ctrl-C's number on Unix to `received`, on a thread of its own, for each event of the console.
#[cfg(windows)]
fn watch(received: impl Fn(u8) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || received(2)).map_err(io::Error::other)
}
