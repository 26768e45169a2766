//! A thought on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use super::{Control, Decision, Game, Limits, Player, Told};

/// A thread that looks for a move.
#[derive(Debug)]
pub(super) struct Thinking {
    control: Arc<Control>,
    thread: JoinHandle<()>,
}

impl Thinking {
    /// Begins. `tell` learns what is seen, and `decided` what was decided when the move may be made.
    pub(super) fn begin(
        player: Arc<Player>,
        game: Game,
        limits: Limits,
        mut tell: impl FnMut(Told) + Send + 'static,
        decided: impl FnOnce(Decision) + Send + 'static,
    ) -> std::io::Result<Thinking> {
        let control = Arc::new(Control::new(limits.budget(player.settings().overhead), limits.hold));
        let watched = Arc::clone(&control);
        let thread = std::thread::Builder::new().name("thinking".to_owned()).spawn(move || {
            let thought = || player.think(&game, &limits, &watched, &mut tell);
            // Whatever goes wrong, the game goes on.
            let decision = catch_unwind(AssertUnwindSafe(thought)).unwrap_or_else(|_| {
                let legal = game.now().position.legal_moves();
                let allowed = legal.iter().find(|mv| limits.only.contains(mv)).or(legal.first());
                Decision { best: allowed.copied(), reply: None }
            });
            watched.wait();
            decided(decision);
        })?;
        Ok(Thinking { control, thread })
    }

    /// The move may be made when it is found.
    pub(super) fn release(&self) {
        self.control.release();
    }

    /// The move is wanted now. Returns before it is made.
    pub(super) fn hurry(&self) {
        self.control.stop();
    }

    /// The time since it began.
    pub(super) fn elapsed(&self) -> Duration {
        self.control.elapsed()
    }

    /// Returns when the move has been made, now.
    pub(super) fn stop(self) {
        self.control.stop();
        self.finish();
    }

    /// Returns when the move has been made, in its own time.
    pub(super) fn finish(self) {
        self.control.release();
        // What a panicking thread had to say it has said.
        let _ = self.thread.join();
    }
}
