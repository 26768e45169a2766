//! Failures in the log.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use makruk_answers::Refusal;
use makruk_proto::v1::ErrorReason;
use tokio::task::JoinError;
use tonic::Code;
use tracing::Level;

use crate::status::{Failure, code, error_reason, level};

/// The throttles of failures that are logged above DEBUG, one for each reason. So no kind of failure, least of all one
/// that clients can cause at will, uses up the lines of another.
static LOGGED: [LogThrottle; REASONS] = [const { LogThrottle::new() }; REASONS];
/// More than there are reasons.
const REASONS: usize = 32;

/// Bounds the lines of the log: a damaged table that many clients probe would fill the disk. Metrics count all
/// failures.
struct LogThrottle {
    /// The second since the start whose lines are counted.
    second: AtomicU64,
    lines: AtomicU32,
}

impl LogThrottle {
    const LINES_PER_SECOND: u32 = 10;

    const fn new() -> LogThrottle {
        LogThrottle { second: AtomicU64::new(0), lines: AtomicU32::new(0) }
    }

    fn of(reason: ErrorReason) -> &'static LogThrottle {
        &LOGGED[usize::try_from(reason as i32).unwrap_or(0) % REASONS]
    }

    fn admits(&self) -> bool {
        static START: OnceLock<Instant> = OnceLock::new();
        let second = START.get_or_init(Instant::now).elapsed().as_secs();
        // Two threads at the turn of a second may let a few more lines through.
        if self.second.swap(second, Ordering::Relaxed) != second {
            self.lines.store(0, Ordering::Relaxed);
        }
        self.lines.fetch_add(1, Ordering::Relaxed) < LogThrottle::LINES_PER_SECOND
    }
}

impl Failure {
    /// Logs the failure together with the text of the request.
    pub(crate) fn log(&self, request: &str) {
        match self {
            Failure::Broken { error } => log(&self.refusal(), self.level(), request, Some(error)),
            Failure::Shared(failure) => failure.log(request),
            _ => log(&self.refusal(), self.level(), request, None),
        }
    }
}

/// Logs the refusal of one of many positions.
pub(crate) fn log_refusal(refusal: &Refusal) {
    log(refusal, level(refusal), refusal.fen.as_deref().unwrap_or_default(), None);
}

/// Logs a refusal with its whole cause.
fn log(refusal: &Refusal, level: Level, request: &str, fault: Option<&JoinError>) {
    let is_logged = match level {
        Level::DEBUG => tracing::enabled!(Level::DEBUG),
        _ => LogThrottle::of(error_reason(refusal.reason)).admits(),
    };
    if is_logged {
        let reason = error_reason(refusal.reason);
        let request: String = request.chars().take(100).collect();
        let cause = refusal.cause.as_ref().map(ToString::to_string).or_else(|| fault.map(ToString::to_string));
        log_line(level, &request, code(refusal), reason, cause.as_deref().unwrap_or(&refusal.error));
    }
}

/// The level of an event must be a constant, so there is one event for each.
fn log_line(level: Level, asked: &str, code: Code, reason: ErrorReason, detail: &str) {
    let reason = reason.reason();
    match level {
        Level::ERROR => tracing::error!(asked = ?asked, code = ?code, reason, "{detail}"),
        Level::WARN => tracing::warn!(asked = ?asked, code = ?code, reason, "{detail}"),
        Level::INFO => tracing::info!(asked = ?asked, code = ?code, reason, "{detail}"),
        _ => tracing::debug!(asked = ?asked, code = ?code, reason, "{detail}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_one_kind_leaves_lines_to_others() {
        let flood = || LogThrottle::of(ErrorReason::DeadlineExceeded).admits();
        let admitted = (0..1000).filter(|_| flood()).count();
        assert!((1..100).contains(&admitted), "{admitted}");
        assert!(LogThrottle::of(ErrorReason::CorruptTable).admits());
    }
}
