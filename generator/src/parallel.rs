//! Work of many parts, on all threads of the pool.
//!
//! Parts are large: a slab, or a batch of positions. So a call through a pointer costs nothing, and the pool's own code is compiled
//! once instead of for every kind of work.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::lock::lock;

/// Does `work` on each item, and returns the outcomes in the order of the items. After a failure no more items are begun.
///
/// # Errors
///
/// The failure of the first item that has one, of those that were begun.
pub(crate) fn try_map<I: Send, O: Send, E: Send>(
    items: impl IntoIterator<Item = I>,
    work: impl Fn(I) -> Result<O, E> + Sync,
) -> Result<Vec<O>, E> {
    let has_failed = AtomicBool::new(false);
    let outcomes = map(items, |item| {
        let begun = (!has_failed.load(Ordering::Relaxed)).then(|| work(item));
        if let Some(Err(_)) = begun {
            has_failed.store(true, Ordering::Relaxed);
        }
        begun
    });
    outcomes.into_iter().flatten().collect()
}

/// Does `work` on each item, and returns the outcomes in the order of the items.
pub(crate) fn map<I: Send, O: Send>(items: impl IntoIterator<Item = I>, work: impl Fn(I) -> O + Sync) -> Vec<O> {
    let items: Vec<Mutex<Option<I>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let outcomes: Vec<Mutex<Option<O>>> = items.iter().map(|_| Mutex::new(None)).collect();
    each(items.len(), &|number| {
        let item = lock(&items[number]).take();
        let outcome = item.map(&work);
        *lock(&outcomes[number]) = outcome;
    });
    outcomes.into_iter().filter_map(|outcome| outcome.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Calls `work` with each number below `count`.
fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_in_the_order_of_the_items() {
        let squares = try_map(0..1000_u32, |item| Ok::<_, ()>(item * item));
        assert_eq!(squares, Ok((0..1000).map(|item| item * item).collect()));
        assert_eq!(try_map([0; 0], |_| Err::<(), _>("never called")), Ok(vec![]));
    }

    #[test]
    fn after_a_failure_nothing_is_begun() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let begun = Mutex::new(Vec::new());
        let outcome = pool.install(|| {
            try_map(0..100, |item| {
                begun.lock().expect("no work panics").push(item);
                if item == 3 { Err(item) } else { Ok(item) }
            })
        });
        assert_eq!(outcome, Err(3));
        assert!(begun.into_inner().expect("no work panics").len() < 100);
    }
}
