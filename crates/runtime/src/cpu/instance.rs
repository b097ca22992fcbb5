//! A loaded program with its state: its constants, and the memory it holds.

use super::Cpu;
use super::blocks::{self, count_live};
use super::library::Library;
use super::session::Session;
use super::show::Observer;
use super::worker::{RunState, Shared};
use crate::RuntimeError;
use crate::gpu::{Program, Traffic};
use crate::profile::Cost;
use std::sync::Arc;

pub use super::abi::{Block, Region};

pub struct Instance {
    library: Library,
    shared: Box<Shared>,
}

/// Ends the runs of a program, from another thread.
#[derive(Clone)]
pub struct Canceller(Arc<RunState>);

impl Canceller {
    /// Asks the run to end soon, and those that begin later, too.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Allows runs again.
    pub fn reset(&self) {
        self.0.allow();
    }
}

impl Instance {
    /// A program, with the part of it that is on a GPU if there is one.
    pub fn new(cpu: &Cpu, library: Library, gpu: Option<Program>) -> Result<Instance, RuntimeError> {
        let shared = Shared::new(cpu.memory.clone(), cpu.pool()?, library.globals(), gpu);
        Ok(Instance { library, shared })
    }

    pub fn canceller(&self) -> Canceller {
        Canceller(self.shared.state.clone())
    }

    /// Does something with the program, on a thread that can run it. If the GPU has lost its memory, everything that the program
    /// holds is freed before.
    pub fn enter<R: Send>(&mut self, work: impl FnOnce(&mut Session) -> R + Send) -> R {
        let (library, shared) = (&self.library, &*self.shared);
        if let Some(program) = shared.gpu.as_ref().filter(|program| program.has_lost()) {
            shared.clean_up();
            // If the GPU is not ready then, it says so when it is asked for something.
            let _ = program.begin();
        }
        shared.pool.install(|| work(&mut Session { library, shared, worker: shared.current() }))
    }

    /// Who is told of the words that the program shows.
    pub fn observe(&mut self, observer: Observer) {
        self.shared.observer = std::sync::Mutex::new(Some(observer));
    }

    /// Whether launches are measured.
    pub fn set_profiling(&mut self, on: bool) {
        self.shared.workers_mut().for_each(|worker| worker.abi.profile = i32::from(on));
        if let Some(program) = &self.shared.gpu {
            program.set_profiling(on);
        }
    }

    /// How many groups the program takes the GPU to hold at the same time; None: as many as it does hold.
    pub fn set_gpu_groups(&mut self, groups: Option<i64>) {
        let Some(program) = &self.shared.gpu else { return };
        let groups = groups.unwrap_or(program.gpu().facts().groups);
        self.shared.workers_mut().for_each(|worker| worker.abi.device_groups = groups);
    }

    /// What launches have cost, by their sites, since this was last asked.
    pub fn take_profile(&mut self) -> Vec<Cost> {
        let mut all: Vec<Cost> = self.shared.gpu.as_ref().map(Program::take_profile).unwrap_or_default();
        for worker in self.shared.workers_mut() {
            let costs = worker.profile.take();
            if all.len() < costs.len() {
                all.resize(costs.len(), Cost::default());
            }
            all.iter_mut().zip(costs).for_each(|(sum, cost)| sum.add(cost));
        }
        all
    }

    /// How much was asked of the GPU since this was last asked.
    pub fn take_traffic(&mut self) -> Traffic {
        self.shared.gpu.as_ref().map(Program::take_traffic).unwrap_or_default()
    }

    /// The part of the program that is on a GPU.
    pub fn gpu(&self) -> Option<&Program> {
        self.shared.gpu.as_ref()
    }

    /// Frees everything that the program holds: between two runs these are its constants, which are computed again when they are
    /// next asked for. Says how many blocks were in use.
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
