//! A thread that thinks about one move.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use super::{Control, Decision, Game, Info, Limits, Player};

/// A thread that finds a move.
#[derive(Debug)]
pub(super) struct Thinking {
    control: Arc<Control>,
    thread: JoinHandle<()>,
}

impl Thinking {
    /// Begins. `report` is called with information, and `decided` with the decision once the move may be made.
    pub(super) fn begin(
        player: Arc<Player>,
        game: Game,
        limits: Limits,
        mut report: impl FnMut(Info) + Send + 'static,
        decided: impl FnOnce(Decision) + Send + 'static,
    ) -> std::io::Result<Thinking> {
        let control = Arc::new(Control::new(limits.budget(player.settings().overhead), limits.hold));
        let watched = Arc::clone(&control);
        let thread = std::thread::Builder::new().name("thinking".to_owned()).spawn(move || {
            let thought = || player.think(&game, &limits, &watched, &mut report);
            // After a panic the game continues with any legal move.
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

    /// Lets the move be made as soon as it is found.
    pub(super) fn release(&self) {
        self.control.release();
    }

    /// Orders the move to be made now. Returns before it is made.
    pub(super) fn hurry(&self) {
        self.control.stop();
    }

    /// The time since it began.
    pub(super) fn elapsed(&self) -> Duration {
        self.control.elapsed()
    }

    /// Orders the move to be made now, and waits for it.
    pub(super) fn stop(self) {
        self.control.stop();
        self.finish();
    }

    /// Waits until the move has been made, in its own time.
    pub(super) fn finish(self) {
        self.control.release();
        // The thread catches its panics, and a failure to send the decision concerns nobody.
        let _ = self.thread.join();
    }
}
