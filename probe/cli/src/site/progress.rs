//! The progress of a site: the share that is done, and the time that is left.

use std::time::{Duration, Instant};

/// The progress of work whose parts are weighed in bytes.
#[derive(Debug)]
pub(super) struct Progress {
    begun: Instant,
    all: u64,
    /// Bytes of the parts that are done, and of those of them that took time.
    done: u64,
    worked: u64,
}

/// Time that has to pass before the rest is estimated.
const ENOUGH: Duration = Duration::from_secs(5);

impl Progress {
    pub(super) fn new(all: u64) -> Progress {
        Progress { begun: Instant::now(), all, done: 0, worked: 0 }
    }

    /// A part is done; `is_new` unless an earlier run had done it.
    pub(super) fn add(&mut self, bytes: u64, is_new: bool) {
        self.done += bytes;
        self.worked += if is_new { bytes } else { 0 };
    }

    /// The share that is done, and the time that is left: ` 42 %, 3 min left`.
    pub(super) fn text(&self) -> String {
        self.text_after(self.begun.elapsed())
    }

    fn text_after(&self, elapsed: Duration) -> String {
        let share = (100 * self.done).checked_div(self.all).unwrap_or(100).min(100);
        let rest = self.all.saturating_sub(self.done);
        if elapsed < ENOUGH || self.worked == 0 || rest == 0 {
            return format!("{share:3} %");
        }
        let seconds = elapsed.as_secs_f64() * rest as f64 / self.worked as f64;
        let left = match seconds {
            seconds if seconds < 90.0 => format!("{seconds:.0} s"),
            seconds if seconds < 5400.0 => format!("{:.0} min", seconds / 60.0),
            seconds => format!("{:.1} h", seconds / 3600.0),
        };
        format!("{share:3} %, {left} left")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_estimated_from_the_work_of_this_run() {
        let mut progress = Progress::new(1000);
        assert_eq!(progress.text_after(Duration::from_secs(60)), "  0 %");
        // What an earlier run has made took no time.
        progress.add(500, false);
        assert_eq!(progress.text_after(Duration::from_secs(60)), " 50 %");
        progress.add(100, true);
        assert_eq!(progress.text_after(Duration::from_secs(1)), " 60 %");
        assert_eq!(progress.text_after(Duration::from_secs(10)), " 60 %, 40 s left");
        assert_eq!(progress.text_after(Duration::from_secs(60)), " 60 %, 4 min left");
        assert_eq!(progress.text_after(Duration::from_secs(3600)), " 60 %, 4.0 h left");
        progress.add(400, true);
        assert_eq!(progress.text_after(Duration::from_secs(60)), "100 %");
        assert_eq!(Progress::new(0).text_after(Duration::from_secs(60)), "100 %");
    }
}
