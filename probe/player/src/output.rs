//! What is said to the other program.

use std::fmt::Display;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// The way out, shared by who listens and who thinks.
#[derive(Debug)]
pub(super) struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Output<W> {
        Output(Arc::clone(&self.0))
    }
}

impl<W: Write> Output<W> {
    pub(super) fn new(out: W) -> Output<W> {
        Output(Arc::new(Mutex::new(out)))
    }

    /// Says a line. If nobody listens any more, the end of the input will tell.
    pub(super) fn say(&self, line: impl Display) {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}
