//! A question under way.

use std::fmt::Debug;

use makruk_probe::{Attempt, Prober, Reason as Failure};

use crate::{Door, Reason, Refusal, Step};

/// A question, which has the type of its answer.
pub trait Ask: Sized {
    /// The answer.
    type Answer;
    /// The question under way.
    type Work: Work<Answer = Self::Answer>;

    /// Begins the question.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is about too many positions.
    fn begin(self, door: Door) -> Result<Self::Work, Box<Refusal>>;

    /// Asks the tables of folders the question to its end.
    ///
    /// # Errors
    ///
    /// If it has no answer.
    fn ask(self, prober: Prober, door: Door) -> Result<Self::Answer, Box<Refusal>>;
}

/// Work on an answer. Parts that are complete stay; the part that wants bytes is asked for again.
pub trait Work: Debug {
    /// The answer.
    type Answer;

    /// Takes a step. That of a question about a whole material takes long: it ends early if `goes_on` returns false,
    /// with less in the answer or without it. There is no step after the answer or a refusal.
    fn go_on(&mut self, prober: &impl Attempt, door: Door, goes_on: &dyn Fn() -> bool) -> Step<Self::Answer>;

    /// Begins with the first part that is not there yet: its bytes have come meanwhile.
    fn rewind(&mut self) {}
}

/// A question under way, and those whom it is asked of.
#[derive(Debug)]
pub struct Asking<P, Q: Ask> {
    prober: P,
    door: Door,
    pub(crate) work: Q::Work,
}

impl<P: Attempt, Q: Ask> Asking<P, Q> {
    /// Begins a question.
    ///
    /// # Errors
    ///
    /// As [`Ask::begin`].
    pub fn new(question: Q, prober: P, door: Door) -> Result<Asking<P, Q>, Box<Refusal>> {
        Ok(Asking { prober, door, work: question.begin(door)? })
    }

    /// Begins with the first part that is not there yet: its bytes have come meanwhile.
    pub fn rewind(&mut self) {
        self.work.rewind();
    }

    /// Takes a step. There is none after the answer or a refusal.
    pub fn go_on(&mut self) -> Step<Q::Answer> {
        self.go_on_while(&|| true)
    }

    /// Takes a step, as [`Work::go_on`].
    pub fn go_on_while(&mut self, goes_on: &dyn Fn() -> bool) -> Step<Q::Answer> {
        self.work.go_on(&self.prober, self.door, goes_on)
    }
}

/// Takes all steps.
pub(crate) fn end<Q: Ask>(question: Q, prober: Prober, door: Door) -> Result<Q::Answer, Box<Refusal>> {
    ask_in_rounds(question, prober, door, || Err("these tables are remote, and this program cannot fetch".to_owned()))
}

/// Takes all steps; `fetch` fetches the bytes that the question wants, or returns a sentence.
///
/// # Errors
///
/// If there is no answer, or no bytes.
pub fn ask_in_rounds<Q: Ask>(
    question: Q,
    prober: impl Attempt,
    door: Door,
    fetch: impl Fn() -> Result<(), String>,
) -> Result<Q::Answer, Box<Refusal>> {
    let mut asking = Asking::new(question, prober, door)?;
    loop {
        match asking.go_on() {
            Step::Done(answer) => return Ok(answer),
            Step::Refused(refusal) => return Err(refusal),
            Step::More => {}
            Step::Wants => {
                let reason = Reason::Probe(Failure::UnreadableTable);
                fetch().map_err(|error| Box::new(Refusal::new(reason, error)))?;
                asking.rewind();
            }
        }
    }
}

/// Questions, each with its answer and its work, which a function begins. They are asked by code that is not generic,
/// and so compiled here.
macro_rules! questions {
    ($($(#[$feature:meta])? $question:ty => $answer:ty, $work:ty, $begin:expr;)*) => {$(
        $(#[$feature])?
        impl crate::Ask for $question {
            type Answer = $answer;
            type Work = $work;

            fn begin(self, door: crate::Door) -> Result<$work, Box<crate::Refusal>> {
                #[allow(clippy::redundant_closure_call)] // it may be a function
                $begin(self, door)
            }

            fn ask(self, prober: makruk_probe::Prober, door: crate::Door) -> Result<$answer, Box<crate::Refusal>> {
                crate::asking::end(self, prober, door)
            }
        }
    )*};
}
pub(crate) use questions;
