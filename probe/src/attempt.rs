//! Questions whose values may not be here yet.

use crate::prober::Prober;
use crate::source::ValueSource;

/// A prober whose tables may have to be fetched. An answer for which any value was missing is never given.
pub trait Attempt {
    /// The source of the values.
    type Source: ValueSource;

    /// Asks a question. Returns `None`, and not the answer, if bytes are wanted; the question is to be asked again when
    /// they are here.
    fn attempt<T>(&self, ask: impl FnOnce(&Prober<Self::Source>) -> T) -> Option<T>;
}

/// The tables of folders are here.
impl<S: ValueSource> Attempt for Prober<S> {
    type Source = S;

    fn attempt<T>(&self, ask: impl FnOnce(&Prober<S>) -> T) -> Option<T> {
        Some(ask(self))
    }
}
