//! The pools of a processor: calls that run at the same time have threads of their own.
//!
//! In one pool, a thread that waits for its share of one call would begin another, and the first could neither end nor be cancelled before
//! that is done. So a call takes a pool for itself, and gives it back: there are as many as calls have run at the same time. Who
//! calls from many threads gives each call fewer threads (`CpuOptions::threads`).

use super::pool::Pool;
use crate::RuntimeError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub struct Pools {
    /// Threads of a pool.
    threads: usize,
    known: Mutex<PoolTable>,
}

#[derive(Default)]
struct PoolTable {
    /// Those that no call has, the last used last.
    idle: Vec<Arc<Pool>>,
    /// One of all, for calls that cannot have their own.
    shared: Option<Arc<Pool>>,
}

/// A pool for a call.
pub struct Lease<'a> {
    pools: &'a Pools,
    pool: Arc<Pool>,
    /// Nobody else has it.
    is_own: bool,
}

impl Pools {
    pub fn new(threads: usize) -> Pools {
        Pools { threads, known: Mutex::default() }
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Makes sure that there is a pool.
    pub fn prepare(&self) -> Result<(), RuntimeError> {
        if self.lock().shared.is_none() {
            self.take()?;
        }
        Ok(())
    }

    /// A pool that no other call has. Where the system refuses more threads, it is one that others have, too.
    pub fn take(&self) -> Result<Lease<'_>, RuntimeError> {
        let idle = self.lock().idle.pop();
        let made = idle.map_or_else(|| Pool::new(self.threads).map(Arc::new), Ok);
        let mut known = self.lock();
        let (pool, is_own) = match (made, &known.shared) {
            (Ok(pool), _) => (pool, true),
            (Err(_), Some(shared)) => (shared.clone(), false),
            (Err(error), None) => return Err(error),
        };
        known.shared.get_or_insert_with(|| pool.clone());
        Ok(Lease { pools: self, pool, is_own })
    }

    fn lock(&self) -> MutexGuard<'_, PoolTable> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease<'_> {
    pub fn pool(&self) -> &Pool {
        &self.pool
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if self.is_own {
            self.pools.lock().idle.push(self.pool.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_at_the_same_time_have_pools_of_their_own() {
        let pools = Pools::new(1);
        let first = pools.take().unwrap();
        let second = pools.take().unwrap();
        assert!(!Arc::ptr_eq(&first.pool, &second.pool));
        let kept = second.pool.clone();
        drop(second);
        assert!(Arc::ptr_eq(&kept, &pools.take().unwrap().pool));
    }
}
