//! A loaded program with its state: its constants, and the memory it holds.

use super::Cpu;
use super::blocks::{self, count_live};
use super::library::Library;
use super::memory::Memory;
use super::pools::Pools;
use super::session::Session;
use super::show::{Observer, SharedObserver};
use super::visit::Visit;
use super::worker::{RunState, Shared};
use crate::RuntimeError;
use crate::gpu::{Program, Traffic};
use crate::profile::Cost;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError};

pub use super::abi::{Block, Region};

pub struct Instance {
    library: Arc<Library>,
    shared: Box<Shared>,
    settings: Settings,
    /// Whether the thread that enters runs the program itself, if it can.
    stays: bool,
}

/// What all instances of a program have in common.
pub struct Origin {
    library: Arc<Library>,
    memory: Arc<Memory>,
    pools: Arc<Pools>,
    gpu: Option<Arc<Program>>,
    observer: SharedObserver,
}

/// How an instance runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Whether launches are measured.
    pub profiling: bool,
    /// How many groups the program takes the GPU to hold at the same time; None: as many as it does hold.
    pub gpu_groups: Option<i64>,
}

/// Ends the run of an instance, from another thread.
#[derive(Clone)]
pub struct Stopper(Arc<RunState>);

impl Stopper {
    /// Asks the run to end soon, and those that begin later, too.
    pub fn stop(&self) {
        self.0.cancel();
    }

    /// Allows runs again.
    pub fn allow(&self) {
        self.0.allow();
    }
}

impl Origin {
    /// A program, with the part of it that is on a GPU if there is one.
    pub fn new(cpu: &Cpu, library: Library, gpu: Option<Program>) -> Result<Origin, RuntimeError> {
        cpu.pools.prepare()?;
        Ok(Origin {
            library: Arc::new(library),
            memory: cpu.memory.clone(),
            pools: cpu.pools.clone(),
            gpu: gpu.map(Arc::new),
            observer: SharedObserver::default(),
        })
    }

    /// The program with a state of its own. What it has on a GPU belongs to one instance at a time.
    pub fn instance(&self) -> Instance {
        let globals = self.library.globals();
        let mut shared = Shared::new(self.memory.clone(), self.pools.clone(), globals, self.gpu.clone());
        shared.observer = self.observer.clone();
        Instance { library: self.library.clone(), shared, settings: Settings::default(), stays: false }
    }

    /// The part of the program that is on a GPU.
    pub fn gpu(&self) -> Option<&Arc<Program>> {
        self.gpu.as_ref()
    }

    /// Who is notified of the words that the program shows.
    pub fn observe(&self, observer: Observer) {
        *self.observer.lock().unwrap_or_else(PoisonError::into_inner) = Some(observer);
    }
}

impl Instance {
    /// A program, with the part of it that is on a GPU if there is one.
    pub fn new(cpu: &Cpu, library: Library, gpu: Option<Program>) -> Result<Instance, RuntimeError> {
        Ok(Origin::new(cpu, library, gpu)?.instance())
    }

    pub fn stopper(&self) -> Stopper {
        Stopper(self.shared.state.clone())
    }

    /// Whether the thread that enters from now on runs the program itself, if it has enough stack: for what needs one thread.
    pub fn stay(&mut self, stays: bool) {
        self.stays = stays;
    }

    /// Whether something was launched on several threads since the last call.
    pub fn take_launched(&mut self) -> bool {
        self.shared.has_launched.swap(false, Relaxed)
    }

    /// Whether somebody looks on.
    pub fn is_observed(&self) -> bool {
        self.shared.observer.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Does something with the program, on a thread that can run it. If the GPU has lost its memory, everything that the program
    /// holds is freed before.
    pub fn enter<R: Send>(&mut self, work: impl FnOnce(&mut Session) -> R + Send) -> R {
        let (library, shared) = (&self.library, &*self.shared);
        revive(shared);
        let visit = self.stays.then(|| Visit::begin(shared)).flatten();
        if visit.is_some() {
            return work(&mut Session { library, shared, worker: shared.current() });
        }
        // There is a pool since the program was loaded, so at least that one can be had.
        let lease = shared.pools.take().unwrap_or_else(|error| panic!("no threads: {error}"));
        lease.pool().install(|| work(&mut Session { library, shared, worker: shared.current() }))
    }

    /// How it runs from now on.
    pub fn set(&mut self, settings: Settings) {
        if settings == self.settings {
            return;
        }
        self.settings = settings;
        let Settings { profiling, gpu_groups } = settings;
        let groups = self.shared.gpu.as_ref().map(|program| {
            program.set_profiling(profiling);
            gpu_groups.unwrap_or(program.gpu().facts().groups)
        });
        for worker in self.shared.workers_mut() {
            worker.abi.profile = i32::from(profiling);
            worker.abi.device_groups = groups.unwrap_or(worker.abi.device_groups);
        }
    }

    /// What launches have cost, by their sites, since the last call.
    pub fn take_profile(&mut self) -> Vec<Cost> {
        let mut all: Vec<Cost> = self.shared.gpu.as_deref().map(Program::take_profile).unwrap_or_default();
        for worker in self.shared.workers_mut() {
            let costs = worker.profile.take();
            if all.len() < costs.len() {
                all.resize(costs.len(), Cost::default());
            }
            all.iter_mut().zip(costs).for_each(|(sum, cost)| sum.add(cost));
        }
        all
    }

    /// How much was asked of the GPU since the last call.
    pub fn take_traffic(&mut self) -> Traffic {
        self.shared.gpu.as_deref().map(Program::take_traffic).unwrap_or_default()
    }

    /// The part of the program that is on a GPU, ready to be asked for something even if it has lost its memory.
    pub fn ready_gpu(&mut self) -> Option<&Program> {
        revive(&self.shared);
        self.gpu()
    }

    /// The part of the program that is on a GPU.
    pub fn gpu(&self) -> Option<&Program> {
        self.shared.gpu.as_deref()
    }

    /// Frees everything that the program holds: between two runs these are its constants, which are computed again when they are
    /// next asked for. Returns how many blocks were in use.
    pub fn forget(&mut self) -> usize {
        let live = count_live(&self.shared);
        self.shared.clean_up();
        live
    }

    /// How many blocks are in use. Between two runs, these are those of constants.
    pub fn live_blocks(&self) -> usize {
        count_live(&self.shared)
    }
}

/// If the GPU has lost its memory, frees everything that the program holds, and begins again. The program is not running.
fn revive(shared: &Shared) {
    if let Some(program) = shared.gpu.as_ref().filter(|program| program.has_lost()) {
        shared.clean_up();
        // If the GPU is not ready then, it reports that at its next command.
        let _ = program.begin();
    }
}

/// How many bytes a block can hold.
///
/// # Safety
/// The block exists.
pub unsafe fn block_bytes(block: *mut Block) -> u64 {
    // SAFETY: the block exists, as the caller promises.
    unsafe { (*block).bytes as u64 }
}

/// Where the memory of a block begins.
///
/// # Safety
/// The block exists.
pub unsafe fn block_data(block: *mut Block) -> *mut u8 {
    // SAFETY: the block exists, as the caller promises.
    unsafe { blocks::data(block) }
}

/// Where the memory of a block is on the GPU; 0 if it is here.
///
/// # Safety
/// The block exists.
pub unsafe fn block_address(block: *mut Block) -> u64 {
    // SAFETY: the block exists, as the caller promises.
    unsafe { (*block).address }
}
