//! The control of a thought: its deadline, and orders to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Stops a thinking thread. The thread shares it with the one that gives the orders.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
    began: Instant,
    budget: Duration,
}

#[derive(Debug)]
struct State {
    /// The move must not be made yet.
    hold: bool,
    /// The latest time to stop.
    deadline: Option<Instant>,
}

impl Control {
    /// Thinking begins now and may take this long. With `hold` it continues until [`stop`](Control::stop) or
    /// [`release`](Control::release), from which the budget counts.
    pub fn new(budget: Duration, hold: bool) -> Control {
        let began = Instant::now();
        let deadline = if hold { None } else { after(began, budget) };
        let state = Mutex::new(State { hold, deadline });
        Control { stop: AtomicBool::new(false), state, changed: Condvar::new(), began, budget }
    }

    /// Stop now, and make the move.
    pub fn stop(&self) {
        let mut state = self.state();
        self.stop.store(true, Ordering::Release);
        state.hold = false;
        self.changed.notify_all();
    }

    /// The move may be made; the time for it begins now.
    pub fn release(&self) {
        let mut state = self.state();
        if state.hold {
            state.hold = false;
            state.deadline = after(Instant::now(), self.budget);
            self.changed.notify_all();
        }
    }

    /// Whether it is time to stop.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Acquire) || self.state().deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether it was ordered to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// The time since thinking began.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns when the move may be made.
    pub fn wait(&self) {
        let mut state = self.state();
        while state.hold {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a budget; `None` if it is too far away to be represented, and so never reached.
fn after(begin: Instant, budget: Duration) -> Option<Instant> {
    begin.checked_add(budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_move_waits_and_its_time_begins_when_it_is_released() {
        let control = Control::new(Duration::ZERO, true);
        assert!(!control.is_over(), "time does not count yet");
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| control.wait());
            control.release();
            waits.join().unwrap();
        });
        assert!(control.is_over() && !control.is_stopped());
    }

    #[test]
    fn stopping_ends_everything() {
        let control = Control::new(Duration::MAX, true);
        control.stop();
        control.wait();
        assert!(control.is_over() && control.is_stopped());
        assert!(!Control::new(Duration::MAX, false).is_over());
    }
}
