//! Ctrl-C and SIGTERM: the first stops a scan in order, the second ends the process at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The exit status of a stopped scan, as shells have it for Ctrl-C.
pub(super) const INTERRUPTED: u8 = 130;

/// Whether a signal was received.
#[derive(Clone, Debug)]
pub(super) struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Handles the signals from now on.
    pub(super) fn watch() -> io::Result<StopSignal> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: a signal that is received when the flag is set ends the process.
            flag::register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&stop))?;
            flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(StopSignal(stop))
    }

    /// Whether a signal was received.
    pub(super) fn was_received(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
