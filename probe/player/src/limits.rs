//! The limits of a move: time, depth, nodes.

use std::time::Duration;

use makruk_rules::Move;

/// The limits of a thought. Without any it takes [`Limits::UNSAID`]; without one of time, at most [`Limits::LONGEST`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Only these moves are considered, if any are named.
    pub only: Vec<Move>,
    /// The move waits until it is asked for.
    pub hold: bool,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// A mate in this number of moves is enough.
    pub mate: Option<u32>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// Time left on the clock of the side to move.
    pub clock: Option<Duration>,
    /// The time that each move adds to the clock.
    pub increment: Duration,
    /// Moves until the clock is given more; `None`: to the end of the game.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// The time for a move without any limit.
    pub const UNSAID: Duration = Duration::from_secs(1);

    /// The most time for a move that is limited by depth, nodes or a mate alone.
    pub const LONGEST: Duration = Duration::from_secs(3600);

    /// The time to spend, from the release of a move that waits. `overhead` is lost on the way to the other program.
    pub fn budget(&self, overhead: Duration) -> Duration {
        if let Some(time) = self.time {
            return time.saturating_sub(overhead).max(time / 2);
        }
        if let Some(clock) = self.clock {
            // A clock that is given more after few moves may be used up before.
            let moves = self.moves_to_go.map_or(30, |moves| moves.clamp(1, 30));
            let share = clock / moves + self.increment * 3 / 4;
            return share.min(clock.saturating_sub(overhead) * 3 / 4);
        }
        let is_limited = self.hold || self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        if is_limited { Limits::LONGEST } else { Limits::UNSAID }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn a_clock_is_never_overdrawn() {
        for clock in [0, 1, 20, 1000, 60_000] {
            for increment in [0, 10, 5000] {
                for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                    let limits =
                        Limits { clock: Some(MS(clock)), increment: MS(increment), moves_to_go, ..Limits::default() };
                    let budget = limits.budget(MS(20));
                    assert!(budget <= MS(clock) * 3 / 4, "{limits:?}");
                }
            }
        }
    }

    #[test]
    fn limits_hold() {
        let limits = Limits::default();
        assert_eq!(limits.budget(MS(20)), Limits::UNSAID);
        assert_eq!(Limits { depth: Some(3), ..limits.clone() }.budget(MS(20)), Limits::LONGEST);
        assert_eq!(Limits { hold: true, ..limits.clone() }.budget(MS(20)), Limits::LONGEST);
        assert_eq!(Limits { time: Some(MS(500)), depth: Some(9), ..limits.clone() }.budget(MS(20)), MS(480));
        assert_eq!(Limits { time: Some(MS(10)), ..limits }.budget(MS(20)), MS(5));
    }
}
