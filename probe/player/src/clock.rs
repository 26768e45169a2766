//! The clocks of the XBoard protocol.

use std::time::Duration;

use makruk_rules::{ByColor, Color};

use super::Limits;

/// The limits that `level`, `st`, `sd` and `time` have set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// Plies.
    pub(super) depth: Option<u32>,
    /// Time for each move.
    fixed: Option<Duration>,
    /// Time left.
    left: Option<Duration>,
    increment: Duration,
    /// Moves of a session; `None`: all of the game.
    session: Option<u32>,
    /// Moves made since the clocks were set.
    made: ByColor<u32>,
}

impl Clock {
    /// Applies a command; `None` if its numbers can't be read.
    pub(super) fn set(&mut self, command: &str, text: &str) -> Option<()> {
        match command {
            "st" => self.fixed = Some(seconds(text)?),
            "sd" => self.depth = Some(text.parse().ok()?),
            "time" => self.left = Some(Duration::from_millis(text.parse::<i64>().ok()?.max(0) as u64 * 10)),
            "level" => {
                let mut fields = text.split_whitespace();
                let moves: u32 = fields.next()?.parse().ok()?;
                let (base, increment) = (fields.next()?, seconds(fields.next()?)?);
                let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
                let minutes: u64 = minutes.parse().ok().filter(|&minutes| minutes < 1_000_000)?;
                self.left = Some(Duration::from_secs(60 * minutes) + seconds(rest)?);
                (self.increment, self.session) = (increment, (moves > 0).then_some(moves));
                (self.fixed, self.made) = (None, ByColor::default());
            }
            _ => return None,
        }
        Some(())
    }

    /// A side has moved.
    pub(super) fn moved(&mut self, side: Color) {
        self.made[side] = self.made[side].saturating_add(1);
    }

    /// The limits of the side to move.
    pub(super) fn limits(&self, side: Color) -> Limits {
        Limits {
            depth: self.depth,
            time: self.fixed,
            clock: self.left.filter(|_| self.fixed.is_none()),
            increment: self.increment,
            moves_to_go: self.session.map(|moves| moves - self.made[side] % moves),
            ..Limits::default()
        }
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    // A year is longer than any game.
    (0.0..3e7).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_set_the_limits() {
        let mut clock = Clock::default();
        assert_eq!(clock.limits(Color::White), Limits::default());
        clock.set("level", "40 0:30 1.5").unwrap();
        clock.moved(Color::White);
        let limits = clock.limits(Color::White);
        assert_eq!((limits.clock, limits.increment), (Some(Duration::from_secs(30)), Duration::from_millis(1500)));
        assert_eq!((limits.moves_to_go, clock.limits(Color::Black).moves_to_go), (Some(39), Some(40)));
        clock.set("time", "250").unwrap();
        clock.set("sd", "6").unwrap();
        assert_eq!((clock.limits(Color::White).clock, clock.depth), (Some(Duration::from_millis(2500)), Some(6)));
        clock.set("st", "0.5").unwrap();
        let limits = clock.limits(Color::White);
        assert_eq!((limits.time, limits.clock), (Some(Duration::from_millis(500)), None));
        clock.set("level", "0 5 0").unwrap();
        assert_eq!(clock.limits(Color::White).moves_to_go, None);
        for (command, text) in [("level", "40 x 1"), ("level", "40 5"), ("st", "-1"), ("st", "nan"), ("sd", "two")] {
            assert_eq!(clock.set(command, text), None, "{command} {text}");
        }
    }
}
