//! The parts of an answer, each asked for until all of its bytes are here.

use crate::Step;

/// The parts of an answer. Those that are complete stay; those that want bytes are asked for again.
#[derive(Debug)]
pub(crate) struct Parts<T> {
    found: Vec<Option<T>>,
    next: usize,
    is_whole: bool,
}

impl<T> Parts<T> {
    pub(crate) fn new(len: usize) -> Parts<T> {
        Parts { found: (0..len).map(|_| None).collect(), next: 0, is_whole: true }
    }

    /// Begins with the first part that is not there yet.
    pub(crate) fn rewind(&mut self) {
        (self.next, self.is_whole) = (0, true);
    }

    /// Asks for the next part that is not there yet; a part that wants bytes is `None`. After the last, the step says
    /// whether all are there.
    pub(crate) fn go_on(&mut self, ask: impl FnOnce(usize) -> Option<T>) -> Step<Vec<T>> {
        while self.found.get(self.next).is_some_and(Option::is_some) {
            self.next += 1;
        }
        let Some(part) = self.found.get_mut(self.next) else {
            let is_whole = self.is_whole;
            self.rewind();
            return if is_whole { Step::Done(self.found.drain(..).flatten().collect()) } else { Step::Wants };
        };
        *part = ask(self.next);
        self.is_whole &= part.is_some();
        self.next += 1;
        Step::More
    }
}
