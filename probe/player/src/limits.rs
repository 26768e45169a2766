//! How long a move may take.

use std::time::Duration;

use makruk_tables::rules::Move;

/// What a search may spend. Nothing said: [`Limits::UNSAID`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Only these moves are considered, if any are named.
    pub only: Vec<Move>,
    /// The move is not made before it is asked for.
    pub hold: bool,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// A mate in so many moves is enough.
    pub mate: Option<u32>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// Time left on the clock of the side to move.
    pub clock: Option<Duration>,
    /// What the clock is given with each move.
    pub increment: Duration,
    /// Moves until the clock is given more; none: to the game's end.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// Time for a move if nothing is said of it.
    pub const UNSAID: Duration = Duration::from_secs(1);

    /// The time to spend; `None` if something else limits the search. `overhead` is lost on the way to whoever asks.
    pub fn budget(&self, overhead: Duration) -> Option<Duration> {
        if let Some(time) = self.time {
            return Some(time.saturating_sub(overhead).max(time / 2));
        }
        if let Some(clock) = self.clock {
            // A clock that is given more after few moves may be used up before.
            let moves = self.moves_to_go.map_or(30, |moves| moves.clamp(1, 30));
            let share = clock / moves + self.increment * 3 / 4;
            return Some(share.min(clock.saturating_sub(overhead) * 3 / 4));
        }
        let unlimited = self.hold || self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        (!unlimited).then_some(Limits::UNSAID)
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
                    let budget = limits.budget(MS(20)).unwrap();
                    assert!(budget <= MS(clock) * 3 / 4, "{limits:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_said_holds() {
        let limits = Limits::default();
        assert_eq!(limits.budget(MS(20)), Some(Limits::UNSAID));
        assert_eq!(Limits { depth: Some(3), ..limits.clone() }.budget(MS(20)), None);
        assert_eq!(Limits { hold: true, ..limits.clone() }.budget(MS(20)), None);
        assert_eq!(Limits { time: Some(MS(500)), depth: Some(9), ..limits.clone() }.budget(MS(20)), Some(MS(480)));
        assert_eq!(Limits { time: Some(MS(10)), ..limits }.budget(MS(20)), Some(MS(5)));
    }
}
