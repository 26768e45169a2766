//! The memory of another process.

use std::fmt;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Reads the memory of a process once per second.
pub(crate) struct Memory {
    seen: watch::Receiver<Seen>,
    task: JoinHandle<()>,
}

/// Kibibytes of resident memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    first: u64,
    last: u64,
    most: u64,
}

impl Memory {
    pub(crate) fn watch(pid: u32) -> Memory {
        let (sender, seen) = watch::channel(Seen::default());
        let task = tokio::spawn(async move {
            loop {
                if let Some(now) = resident(pid) {
                    sender.send_modify(|seen| {
                        seen.first = if seen.first == 0 { now } else { seen.first };
                        seen.last = now;
                        seen.most = seen.most.max(now);
                    });
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        Memory { seen, task }
    }

    /// The readings.
    pub(crate) fn end(self) -> Seen {
        self.task.abort();
        *self.seen.borrow()
    }
}

/// From /proc; `None` on other systems than Linux, or if there is no such process.
fn resident(pid: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |kib: u64| kib as f64 / 1024.0;
        write!(
            f,
            "the server's memory: {:.1} MiB at first, {:.1} MiB at last, {:.1} MiB at most",
            mib(self.first),
            mib(self.last),
            mib(self.most)
        )
    }
}
