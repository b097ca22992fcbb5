//! Workers: what a thread of the pool has of a program that runs on it.
//!
//! A program has one worker for each thread of a pool, and one for a thread that visits it (`visit`). Compiled code sees its first part (`abi::Worker`); the host finds the rest
//! behind it. Only its thread uses a worker while the program runs, but for the list of blocks it made.

use super::abi::{self, CLASSES, Host, Run, STOP_CANCELLED};
use super::blocks::{self, Made};
use super::device::{
    device_alloc, device_bring, device_cell, device_copy, device_fetch, device_fill, device_here,
    device_launch, device_launch_within, device_look, device_part, device_place, device_plan, device_planned,
    device_read, device_read_all, device_select, device_write, device_written,
};
use super::launch::launch;
use super::memory::Memory;
use super::pool::stack_limit;
use super::pools::Pools;
use super::profile::{charge, now};
use super::regions::{region_end, region_grow, region_new};
use super::show::{SharedObserver, show};
use super::visit::limit_of_visit;
use crate::gpu::{Program, Trouble};
use crate::profile::Profile;
use std::any::Any;
use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

#[repr(C)]
pub struct Worker {
    pub abi: abi::Worker,
    pub number: usize,
    pub made: Made,
    pub profile: Profile,
    shared: *const Shared,
}

/// What all workers of a program share.
pub struct Shared {
    pub memory: Arc<Memory>,
    pub pools: Arc<Pools>,
    pub state: Arc<RunState>,
    /// Where the program keeps the results of its constants.
    pub globals: Box<[UnsafeCell<u64>]>,
    /// The part of the program that is on a GPU.
    pub gpu: Option<Arc<Program>>,
    /// Why the GPU could not go on with the run.
    pub trouble: Mutex<Option<Trouble>>,
    /// Whether it was the GPU that had no memory.
    pub refused_by_gpu: AtomicBool,
    /// Whether something was launched in several chunks since the last call.
    pub has_launched: AtomicBool,
    /// Who looks on.
    pub observer: SharedObserver,
    /// The message of the host's part when it panicked, which must not get through compiled code.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    workers: Box<[UnsafeCell<Worker>]>,
}

/// How a run stands. Whether it was asked to end is a bit of `Run::stop`, and nowhere else: that a run begins and that somebody cancels
/// it are then two changes of one atomic word, and none of them is lost, whichever comes first.
#[derive(Default)]
pub struct RunState {
    pub run: UnsafeCell<Run>,
}

// SAFETY: what a worker holds is used by its thread alone (`current`), or under a lock (`made`). Compiled code, which we make, writes to
// the run and the globals by the rules of abi.h: one thread describes a failure, and a constant is computed before others ask for it.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}
// SAFETY: all that other threads reach of a run is `stop`, which is atomic. The rest is written by compiled code, by the rules of abi.h, and
// by us while none runs.
unsafe impl Send for RunState {}
// SAFETY: as above.
unsafe impl Sync for RunState {}

static HOST: Host = Host {
    alloc: blocks::alloc,
    free: blocks::free,
    launch,
    region_new,
    region_end,
    region_grow,
    yield_now,
    now,
    charge,
    show,
    device_alloc,
    device_launch,
    device_launch_within,
    device_read,
    device_read_all,
    device_write,
    device_copy,
    device_fill,
    device_select,
    device_plan,
    device_part,
    device_planned,
    device_bring,
    device_here,
    device_written,
    device_fetch,
    device_look,
    device_cell,
    device_place,
};

extern "C" fn yield_now(_: *mut abi::Worker) {
    std::thread::yield_now();
}

impl Worker {
    /// The worker of which compiled code has the first part.
    pub fn of(abi: *mut abi::Worker) -> *mut Worker {
        abi.cast()
    }

    /// What it shares with the others.
    ///
    /// # Safety
    /// The worker exists.
    pub unsafe fn shared<'a>(worker: *mut Worker) -> &'a Shared {
        // SAFETY: the worker exists, as the caller promises, and what it shares owns it.
        unsafe { &*(*worker).shared }
    }
}

impl Shared {
    /// For a program with so many bytes of globals.
    pub fn new(
        memory: Arc<Memory>,
        pools: Arc<Pools>,
        globals: usize,
        gpu: Option<Arc<Program>>,
    ) -> Box<Shared> {
        let state = Arc::new(RunState::default());
        let globals = (0..globals.div_ceil(8)).map(|_| UnsafeCell::new(0)).collect();
        let device_groups = gpu.as_ref().map_or(0, |program| program.gpu().facts().groups);
        let device_pool = gpu.as_ref().map_or(0, |program| program.gpu().facts().pool);
        let mut shared = Box::new(Shared {
            memory,
            pools,
            state,
            globals,
            gpu,
            trouble: Mutex::default(),
            refused_by_gpu: AtomicBool::new(false),
            has_launched: AtomicBool::new(false),
            observer: SharedObserver::default(),
            panic: Mutex::default(),
            workers: Box::default(),
        });
        let count = shared.pools.threads();
        let (address, run) = (&raw const *shared, shared.state.run.get());
        let globals = shared.globals.as_ptr().cast_mut().cast();
        let worker = |number| Worker {
            abi: abi::Worker {
                host: &HOST,
                run,
                globals,
                stack_limit: null_mut(),
                workers: count as i32,
                profile: 0,
                free: [null_mut(); CLASSES],
                device_groups,
                device_pool,
                tunables: null(),
            },
            number,
            made: Made::new(),
            profile: Profile::default(),
            shared: address,
        };
        shared.workers = (0..count + 1).map(|number| UnsafeCell::new(worker(number))).collect();
        shared
    }

    pub fn run(&self) -> *mut Run {
        self.state.run.get()
    }

    /// The worker of the thread that asks, which is one of the pool, or visits the program. Ready to run code.
    pub fn current(&self) -> *mut Worker {
        let threads = self.workers.len() - 1;
        let (number, limit) = match limit_of_visit(self) {
            Some(limit) => (threads, limit),
            None => match rayon::current_thread_index().filter(|number| *number < threads) {
                Some(number) => (number, stack_limit()),
                None => panic!("compiled code runs on a thread that is not of the pool"),
            },
        };
        let worker = self.workers[number].get();
        // SAFETY: the worker is that of this thread, which alone uses it. Its stack is only known now: the thread may have started later
        // than the worker was made.
        unsafe { (*worker).abi.stack_limit = limit as *mut _ };
        worker
    }

    /// What `work` returns, on threads of a pool: those that run the program, or those of another pool if a thread visits it.
    pub fn in_pool<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        if limit_of_visit(self).is_none() {
            return work();
        }
        // There is a pool since the program was loaded, so at least that one can be had.
        let lease = self.pools.take().unwrap_or_else(|error| panic!("no threads: {error}"));
        lease.pool().install(work)
    }

    /// The blocks that a worker made: the part of a worker that others may touch.
    pub fn made(&self, worker: usize) -> &Made {
        // SAFETY: the list has a lock of its own, and is the part of a worker that others may look at; no reference to the whole worker
        // exists while code runs.
        unsafe { &(*self.workers[worker].get()).made }
    }

    pub fn all_made(&self) -> impl Iterator<Item = &Made> {
        (0..self.workers.len()).map(|worker| self.made(worker))
    }

    /// All workers, while nothing runs.
    pub fn workers_mut(&mut self) -> impl Iterator<Item = &mut Worker> {
        self.workers.iter_mut().map(UnsafeCell::get_mut)
    }

    /// Whether the program should end as soon as possible.
    pub fn has_stopped(&self) -> bool {
        self.state.stop().load(Relaxed) != 0
    }

    /// What `work` returns. Compiled code has called it, so that it must not panic: if it does, the run ends, and whoever began it gets the panic
    /// (`resume_panic`).
    pub fn guarded<R>(&self, otherwise: R, work: impl FnOnce() -> R) -> R {
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
            self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
            self.state.cancel();
            otherwise
        })
    }

    /// Goes on with the panic that ended the run, if one did. No code of the program runs any more.
    pub fn resume_panic(&self) {
        let payload = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(payload) = payload {
            self.clean_up();
            self.state.allow();
            resume_unwind(payload);
        }
    }

    /// Makes ready for another run.
    pub fn reset_run(&self) {
        // SAFETY: the run exists as long as we do, and no code of the program runs.
        unsafe { Run::clear(self.run()) };
        self.refused_by_gpu.store(false, Relaxed);
    }

    /// Forgets what a failed run has left behind, constants included.
    pub fn clean_up(&self) {
        blocks::sweep(self);
        // SAFETY: no code of the program runs, which alone uses the globals.
        self.globals.iter().for_each(|word| unsafe { *word.get() = 0 });
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        blocks::free_all(self);
    }
}

impl RunState {
    /// Asks the run to end, and all that follow.
    pub fn cancel(&self) {
        self.stop().fetch_or(STOP_CANCELLED, Relaxed);
    }

    /// Allows runs again.
    pub fn allow(&self) {
        self.stop().fetch_and(!STOP_CANCELLED, Relaxed);
    }

    fn stop(&self) -> &AtomicI32 {
        // SAFETY: the field is atomic, and it is never borrowed or written together with others.
        unsafe { &(*self.run.get()).stop }
    }
}

const _: () = assert!(std::mem::offset_of!(Worker, abi) == 0);

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    /// Both change the word at the same time, very often.
    #[test]
    fn a_request_to_end_is_never_lost_to_a_run_that_begins() {
        let state = RunState::default();
        let (begin, end) = (Barrier::new(2), Barrier::new(2));
        const ROUNDS: usize = 20_000;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    begin.wait();
                    state.cancel();
                    end.wait();
                }
            });
            for round in 0..ROUNDS {
                begin.wait();
                // SAFETY: there is no program.
                unsafe { Run::clear(state.run.get()) };
                end.wait();
                assert_ne!(state.stop().load(Relaxed), 0, "lost in round {round}");
                state.allow();
            }
        });
    }
}
