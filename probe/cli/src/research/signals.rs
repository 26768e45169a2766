//! Ctrl-C and its like: the first asks for an end, the second ends the process at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The exit status of what Ctrl-C has stopped, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;

/// Whether a signal has come.
#[derive(Clone, Debug)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Watches from now on.
    pub(super) fn watch() -> io::Result<Stop> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: a signal that comes when the flag is set already ends the process.
            flag::register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&stop))?;
            flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(Stop(stop))
    }

    /// Has one come?
    pub(super) fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
