//! Work of many parts, on all threads of the pool.
//!
//! Parts are large: a slab, or a batch of positions. So a call through a pointer costs nothing, and the pool's own code
//! is compiled once instead of for every kind of work.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use makruk_format::lock;
use rayon::prelude::*;

/// Does `work` on each item, and returns the outcomes in the order of the items. After a failure no more items are
/// begun.
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

/// Makes an item for each number below `count`, on all threads, and takes each in its order. No item is begun while
/// `ahead` others, 1 at least, are being made or wait for one before them. `make` must not use the pool: its thread
/// could be given the part of another thread, and wait for itself.
///
/// # Errors
///
/// The first failure to make or to take an item. No more items are begun then.
pub(crate) fn try_in_order<T: Send, E: Send>(
    count: usize,
    ahead: usize,
    make: impl Fn(usize) -> Result<T, E> + Sync,
    take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    let line = Pipeline { begun: 0, taken: 0, made: BTreeMap::new(), take, failure: None, is_stopped: false };
    let (line, moved) = (Mutex::new(line), Condvar::new());
    each(rayon::current_num_threads().min(count), &|_| {
        let _stop = OnPanic(|| {
            lock(&line).is_stopped = true;
            moved.notify_all();
        });
        while let Some(number) = Pipeline::begin(&line, &moved, count, ahead) {
            let item = make(number);
            lock(&line).put(number, item);
            moved.notify_all();
        }
    });
    let line = line.into_inner().unwrap_or_else(PoisonError::into_inner);
    line.failure.map_or(Ok(()), Err)
}

/// Items that are made by several threads and taken in order.
struct Pipeline<T, E, F> {
    /// The number of items that were begun.
    begun: usize,
    /// The number of items that were taken.
    taken: usize,
    /// The items that wait for one before them, by number.
    made: BTreeMap<usize, T>,
    take: F,
    failure: Option<E>,
    /// Whether no more items are begun.
    is_stopped: bool,
}

impl<T, E, F: FnMut(T) -> Result<(), E>> Pipeline<T, E, F> {
    /// The number of the next item, once there is room for it; `None` if there is nothing more to do.
    fn begin(line: &Mutex<Self>, moved: &Condvar, count: usize, ahead: usize) -> Option<usize> {
        let is_full = |line: &mut Self| !line.is_stopped && line.begun < count && line.begun >= line.taken + ahead;
        let mut line: MutexGuard<'_, Self> =
            moved.wait_while(lock(line), is_full).unwrap_or_else(PoisonError::into_inner);
        if line.is_stopped || line.begun == count {
            return None;
        }
        line.begun += 1;
        Some(line.begun - 1)
    }

    /// Puts an item in its place, and takes those that no other is before.
    fn put(&mut self, number: usize, item: Result<T, E>) {
        let done = item.and_then(|item| {
            self.made.insert(number, item);
            while let Some(item) = self.made.remove(&self.taken).filter(|_| !self.is_stopped) {
                (self.take)(item)?;
                self.taken += 1;
            }
            Ok(())
        });
        if let Err(failure) = done {
            self.failure.get_or_insert(failure);
            self.is_stopped = true;
        }
    }
}

/// Does something if its thread panics, which must not leave others waiting.
struct OnPanic<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

/// Calls `work` with each number below `count`.
fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::*;

    #[test]
    fn outcomes_are_in_the_order_of_the_items() {
        let squares = try_map(0..1000_u32, |item| Ok::<_, ()>(item * item));
        assert_eq!(squares, Ok((0..1000).map(|item| item * item).collect()));
        assert_eq!(try_map([0; 0], |_| Err::<(), _>("never called")), Ok(vec![]));
    }

    #[test]
    fn items_are_taken_in_order_and_few_wait() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("a pool");
        let (made, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut items = Vec::new();
        let outcome = pool.install(|| {
            let make = |number: usize| {
                assert!(made.fetch_add(1, Ordering::SeqCst) < taken.load(Ordering::SeqCst) + 6 + 4);
                // The first of each few takes long.
                std::thread::sleep(Duration::from_micros(if number.is_multiple_of(5) { 900 } else { 10 }));
                Ok::<_, ()>(number)
            };
            try_in_order(200, 6, make, |number| {
                taken.fetch_add(1, Ordering::SeqCst);
                items.push(number);
                Ok(())
            })
        });
        assert_eq!(outcome, Ok(()));
        assert!(items.into_iter().eq(0..200));
        assert_eq!(try_in_order(0, 1, |_| Err::<(), _>("never called"), |()| Ok(())), Ok(()));
    }

    #[test]
    fn failures_and_panics_end_the_line() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
        let begun = AtomicUsize::new(0);
        let make = |number: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            if number == 7 { Err(number) } else { Ok(number) }
        };
        assert_eq!(pool.install(|| try_in_order(1000, 5, make, |_| Ok(()))), Err(7));
        assert!(begun.into_inner() < 1000);
        let full = pool.install(|| try_in_order(100, 5, Ok, |number| if number == 3 { Err("full") } else { Ok(()) }));
        assert_eq!(full, Err("full"));
        let panics = |number: usize| if number == 7 { panic!("as asked") } else { Ok::<_, ()>(number) };
        let panicked = std::panic::AssertUnwindSafe(|| pool.install(|| try_in_order(1000, 1, panics, |_| Ok(()))));
        assert!(std::panic::catch_unwind(panicked).is_err());
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
