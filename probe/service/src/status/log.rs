//! Failures in the log.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Instant;

use makruk_answers::Refusal;
use makruk_rules::printable;
use tokio::task::JoinError;
use tracing::Level;

use crate::status::{Failure, code, error_reason, level};

/// The most lines above DEBUG in a second for each reason: a damaged table that many clients probe would fill the disk.
/// So no kind of failure, least of all one that clients can cause at will, uses up the lines of another. Metrics count
/// all failures.
const LINES_PER_SECOND: u32 = 10;
/// The second since the start whose lines are counted, and their number by reason.
static LINES: Mutex<(u64, BTreeMap<&str, u32>)> = Mutex::new((0, BTreeMap::new()));
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Whether a failure of this reason may have a line.
fn admits(reason: &'static str) -> bool {
    let now = START.elapsed().as_secs();
    let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    if lines.0 != now {
        *lines = (now, BTreeMap::new());
    }
    let of_reason = lines.1.entry(reason).or_default();
    *of_reason += 1;
    *of_reason <= LINES_PER_SECOND
}

impl Failure {
    /// Logs the failure together with the text of the request.
    pub(crate) fn log(&self, request: &str) {
        log(self.level, &self.refusal, request, self.fault.as_deref());
    }
}

/// Logs the refusal of one of many positions.
pub(crate) fn log_refusal(refusal: &Refusal) {
    log(level(refusal), refusal, refusal.fen.as_deref().unwrap_or_default(), None);
}

/// Logs a refusal with its whole cause.
fn log(level: Level, refusal: &Refusal, request: &str, fault: Option<&JoinError>) {
    let reason = error_reason(refusal.reason).reason();
    let is_logged = if level == Level::DEBUG { tracing::enabled!(Level::DEBUG) } else { admits(reason) };
    if !is_logged {
        return;
    }
    let asked: String = request.chars().take(100).collect();
    let cause = refusal.cause.as_ref().map(ToString::to_string).or_else(|| fault.map(ToString::to_string));
    // Texts of clients are part of it.
    let (code, detail) = (code(refusal), printable(cause.as_deref().unwrap_or(&refusal.error)));
    // The level of an event must be a constant.
    match level {
        Level::ERROR => tracing::error!(?asked, ?code, reason, "{detail}"),
        Level::WARN => tracing::warn!(?asked, ?code, reason, "{detail}"),
        _ => tracing::debug!(?asked, ?code, reason, "{detail}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_concerns_the_operator_is_a_warning() {
        let second = std::time::Duration::from_secs(1);
        assert_eq!((Failure::deadline(second).level, Failure::idle(second).level), (Level::WARN, Level::DEBUG));
    }

    #[test]
    fn a_flood_of_one_kind_leaves_lines_to_others() {
        let admitted = (0..1000).filter(|_| admits("DEADLINE_EXCEEDED")).count();
        assert!((1..100).contains(&admitted), "{admitted}");
        assert!(admits("CORRUPT_TABLE"));
    }
}
