//! The time that is left of a build.

use std::time::Duration;

/// The time before which nothing is predicted: the first steps, which run once, take more time than their share of the
/// work.
const FIRST: Duration = Duration::from_secs(2);

/// The time left, if the build continues at its average speed. The work of a material is an estimate, so the last
/// minutes alone would predict worse. The time is unknown at first, and while next to nothing is done.
pub(super) fn time_left(elapsed: Duration, done: u64, of: u64) -> String {
    if elapsed < FIRST || done < of / 1000 || done == 0 {
        return "time left unknown".to_owned();
    }
    format!("{} left", in_short(elapsed.mul_f64(of.saturating_sub(done) as f64 / done as f64)))
}

/// A time of two digits: `45 s`, `12 min`, `3 h`, `4 days`.
fn in_short(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..99.5 => format!("{seconds:.0} s"),
        ..5970.0 => format!("{:.0} min", seconds / 60.0),
        ..358_200.0 => format!("{:.0} h", seconds / 3600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_unknown_at_first() {
        let left = |done| time_left(Duration::from_secs(60), done, 10_000);
        assert_eq!(left(0), "time left unknown");
        assert_eq!(left(5), "time left unknown");
        assert_eq!(left(5000), "60 s left");
        assert_eq!(time_left(Duration::from_secs(1), 5000, 10_000), "time left unknown");
    }

    #[test]
    fn a_time_has_two_digits() {
        let short = |seconds| in_short(Duration::from_secs(seconds));
        assert_eq!([0, 99, 100, 5940, 7200, 400_000].map(short), ["0 s", "99 s", "2 min", "99 min", "2 h", "5 days"]);
    }
}
