//! A stock of things that a call needs one of for itself, such as the state of a program.
//!
//! A call takes one that is idle. If there is none, another is made, up to a number; beyond that the call waits until one is brought back, or
//! until it is cancelled. One whose user panics is not brought back: nobody knows what state it is in.

use crate::cancel::Canceller;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often one who waits looks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(5);

pub struct Stock<T> {
    shelf: Mutex<Shelf<T>>,
    brought_back: Condvar,
    most: usize,
}

struct Shelf<T> {
    idle: Vec<T>,
    /// How many there are, with those that are in use.
    count: usize,
}

impl<T> Stock<T> {
    /// At most so many.
    pub fn new(first: T, most: usize) -> Stock<T> {
        let shelf = Shelf { idle: vec![first], count: 1 };
        Stock { shelf: Mutex::new(shelf), brought_back: Condvar::new(), most }
    }

    /// Does something with one that nobody else has. None if the call was cancelled before it began.
    pub fn with<R>(
        &self,
        canceller: &Canceller,
        make: impl FnOnce() -> T,
        work: impl FnOnce(&mut T) -> R,
    ) -> Option<R> {
        let mut shelf = self.lock();
        let taken = loop {
            if let Some(idle) = shelf.idle.pop() {
                break Some(idle);
            }
            if shelf.count < self.most {
                shelf.count += 1;
                break None;
            }
            if canceller.cancelled().is_some() {
                return None;
            }
            let waited = self.brought_back.wait_timeout(shelf, LOOK);
            shelf = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(shelf);
        let place = Place(self);
        let mut taken = taken.unwrap_or_else(make);
        let result = work(&mut taken);
        std::mem::forget(place);
        self.lock().idle.push(taken);
        self.brought_back.notify_one();
        Some(result)
    }

    /// All that nobody has.
    pub fn for_idle(&self, work: impl FnMut(&mut T)) {
        self.lock().idle.iter_mut().for_each(work);
    }

    fn lock(&self) -> MutexGuard<'_, Shelf<T>> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of one that is in use; if that is lost, there is room for another.
struct Place<'a, T>(&'a Stock<T>);

impl<T> Drop for Place<'_, T> {
    fn drop(&mut self) {
        self.0.lock().count -= 1;
        self.0.brought_back.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn each_call_has_its_own_and_what_panics_is_lost() {
        let (stock, never) = (Stock::new(1, 2), Canceller::default());
        let inner = stock.with(&never, || 0, |first| stock.with(&never, || 2, |second| (*first, *second)));
        assert_eq!(inner, Some(Some((1, 2))));
        let lost = catch_unwind(AssertUnwindSafe(|| stock.with(&never, || 3, |_| panic!("lost"))));
        assert!(lost.is_err());
        let mut left = Vec::new();
        stock.for_idle(|one| left.push(*one));
        assert_eq!(left.len(), 1);
        assert_eq!(stock.with(&never, || 4, |_| stock.with(&never, || 5, |other| *other)), Some(Some(5)));
    }

    #[test]
    fn one_who_waits_can_be_cancelled() {
        let (stock, cancelled) = (Stock::new((), 1), Canceller::default());
        cancelled.cancel();
        let outer = stock.with(&cancelled, || (), |()| stock.with(&cancelled, || (), |()| ()));
        assert_eq!(outer, Some(None));
    }
}
