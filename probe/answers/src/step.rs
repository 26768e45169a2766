//! The steps of a question.

use crate::Refusal;

/// The state of a question after a step.
#[derive(Debug)]
pub enum Step<T> {
    /// The answer.
    Done(T),
    /// There is no answer.
    Refused(Box<Refusal>),
    /// Bytes are wanted, of which the source knows. With them, the question goes on.
    Wants,
    /// There is more to do. The caller may look first whether anybody still waits for the answer.
    More,
}

impl<T> Step<T> {
    pub(crate) fn map<U>(self, map: impl FnOnce(T) -> U) -> Step<U> {
        match self {
            Step::Done(done) => Step::Done(map(done)),
            Step::Refused(refusal) => Step::Refused(refusal),
            Step::Wants => Step::Wants,
            Step::More => Step::More,
        }
    }
}
