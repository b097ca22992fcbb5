//! The state of one program on a device: its loaded modules, its state and heap there, its log, and how many launches are under way.
//!
//! Each unit of kernels (`units`) is a module, which `module_of` loads when a kernel of it is first launched. The program survives a reset of the device, after which modules are loaded again
//! (`renew`). `widen_for` replaces them by ones with 64-bit indices, when an array is too large for the first.
//! If kernels can fail, the host waits after so many launches at least, so that a loop of the host that launches a failing kernel ends within milliseconds.

use super::at_work;
use super::device::{Launch, ModuleId, Part};
use super::ledger::Ledger;
use super::log::Log;
use super::module::{Access, Kernel, Param, most_narrow_bytes};
use super::pool::Piece;
use super::program::{Halt, Request};
use super::queue::Queue;
use super::recent::{Launched, Trouble};
use super::state::{OUT_OF_HEAP, OUT_OF_REGION, STATE_BYTES, State};
use super::units::Units;
use crate::RuntimeError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// After so many launches somebody waits, if kernels can fail: a loop of the host that launches one that has failed would go on for all of its iterations
/// otherwise. Kernels behind one that failed do nothing, so that this many take milliseconds.
const MOST_UNSEEN: usize = 4096;

/// What one program has on a device.
pub(super) struct Running {
    /// By this number the others know it.
    pub owner: u64,
    units: Units,
    /// From which size of an array on the kernels have to be compiled again, with indices of 64 bits; none if they were.
    narrow_below: Option<u64>,
    kernels: Vec<Kernel>,
    names: Vec<Arc<str>>,
    /// Whether a kernel can fail, so that the state has to be looked at.
    may_fail: bool,
    /// How many kernels were launched since somebody looked.
    unseen: usize,
    pub here: Here,
    /// Whether something was asked for that nobody has waited for.
    pub busy: bool,
    pub ledger: Ledger,
    /// How many launches were numbered.
    pub launches: u64,
    /// What may have to be done again.
    pub log: Log,
    /// Of each kernel, how many words it has requested of a region that was too small.
    pub requested_words: Vec<u64>,
    /// Whether each kernel was launched before.
    was_launched: Vec<bool>,
}

/// What a program has in one generation of its device.
pub(super) struct Here {
    generation: u64,
    /// Of each unit, if a kernel of it was launched.
    modules: Vec<Option<ModuleId>>,
    /// Those that others have replaced, whose kernels may still be under way.
    replaced: Vec<ModuleId>,
    pub state: u64,
    pub heap: Option<Piece>,
    /// For the ends of regions (`replay`).
    pub ends: Option<Piece>,
}

impl Here {
    fn new(queue: &mut Queue, owner: u64, units: &Units) -> Result<Here, RuntimeError> {
        let fresh = |trouble: Trouble| RuntimeError::Device(trouble.message);
        let state = queue.obtain(owner, STATE_BYTES as u64).map_err(fresh)?;
        let state = state.ok_or_else(|| RuntimeError::Device("there is no memory on the device".into()))?;
        let here = Here {
            generation: queue.generation(),
            modules: vec![None; units.count()],
            replaced: Vec::new(),
            state: state.address,
            heap: None,
            ends: None,
        };
        here.reset_state(queue, owner).map_err(fresh)?;
        Ok(here)
    }

    /// Nothing has failed.
    pub fn reset_state(&self, queue: &mut Queue, owner: u64) -> Result<(), Trouble> {
        let state = State::new(queue.device.facts().api, self.heap);
        queue.write(owner, self.state, state.bytes())
    }
}

impl Running {
    pub fn new(queue: &mut Queue, units: Units, kernels: Vec<Kernel>) -> Result<Running, RuntimeError> {
        static PROGRAMS: AtomicU64 = AtomicU64::new(1);
        let owner = PROGRAMS.fetch_add(1, Relaxed);
        let here = Here::new(queue, owner, &units)?;
        let names = kernels.iter().map(|kernel| kernel.name.as_str().into()).collect();
        let may_fail = kernels.iter().any(|kernel| kernel.may_fail);
        let (requested_words, was_launched) = (vec![0; kernels.len()], vec![false; kernels.len()]);
        Ok(Running {
            owner,
            units,
            narrow_below: Some(most_narrow_bytes(&kernels)),
            kernels,
            names,
            may_fail,
            unseen: 0,
            here,
            busy: false,
            ledger: Ledger::default(),
            launches: 0,
            log: Log::default(),
            requested_words,
            was_launched,
        })
    }

    /// The text of the kernels.
    pub fn text(&self) -> &str {
        self.units.text()
    }

    /// Compiles and loads kernels that are likely to be needed first.
    pub fn prepare(&mut self, queue: &mut Queue) -> Result<(), RuntimeError> {
        self.units.first().map_or(Ok(()), |unit| self.module_of(queue, unit).map(drop))
    }

    /// The module of a unit, which is compiled unless that was done before.
    fn module_of(&mut self, queue: &mut Queue, unit: usize) -> Result<ModuleId, RuntimeError> {
        let modules = &self.here.modules;
        if let Some(module) = modules[unit] {
            return Ok(module);
        }
        let kernels = &self.kernels[self.units.kernels(unit)];
        let device = &mut *queue.device;
        // A driver may refuse what another one has compiled.
        let kept = self.units.kept(unit).and_then(|code| device.load(&code, kernels).ok());
        let module = match kept {
            Some(module) => module,
            None => {
                let code = self.units.compile(device, unit, &|other| modules[other].is_some())?;
                device.load(&code, kernels)?
            }
        };
        self.here.modules[unit] = Some(module);
        Ok(module)
    }

    /// Has kernels use indices of 64 bits from now on, if these cannot find all elements of an array of so many bytes.
    pub fn widen_for(&mut self, bytes: u64, always_wide: bool) {
        let too_large = |below: u64| bytes >= below || always_wide;
        if self.narrow_below.take_if(|below| too_large(*below)).is_some() {
            self.units.widen();
            let modules = self.here.modules.iter_mut().filter_map(Option::take);
            self.here.replaced.extend(modules);
        }
    }

    /// Nothing is under way any more: the device has lost it.
    pub fn forget(&mut self) {
        self.ledger.forget_running();
        self.log = Log::default();
        self.busy = false;
    }

    /// Begins again on a device that was reset.
    pub fn renew(&mut self, queue: &mut Queue) -> Result<(), RuntimeError> {
        self.forget();
        self.here = Here::new(queue, self.owner, &self.units)?;
        Ok(())
    }

    /// Gives everything back that is on the device.
    pub fn leave(&mut self, queue: &mut Queue) {
        // If this fails the device is lost, which the next command reports.
        let _ = self.close_log(queue);
        let Here { modules, replaced, state, heap, ends, .. } = &self.here;
        let pieces = [*heap, *ends].map(|piece| piece.map(|piece| piece.address));
        for address in pieces.into_iter().chain([Some(*state)]).flatten() {
            let _ = queue.give_back(self.owner, address);
        }
        modules.iter().flatten().chain(replaced).for_each(|module| queue.device.unload(*module));
    }

    /// Whether all that is under way will be done, and be done once.
    pub fn is_sure(&self) -> bool {
        !self.may_fail && !self.log.is_open()
    }

    pub fn uses_heap(&self, kernel: usize) -> bool {
        self.kernels[kernel].uses_heap
    }

    /// Whether a kernel may find too little memory, so that it has to run again.
    pub fn may_repeat(&self, kernel: usize) -> bool {
        let adds = |param: &Param| matches!(param, Param::Region(access) if access.writes);
        self.uses_heap(kernel) || self.params(kernel).iter().any(adds)
    }

    pub fn params(&self, kernel: usize) -> &[Param] {
        &self.kernels[kernel].params
    }

    pub fn regions_of(&self, kernel: usize) -> (Vec<(usize, Access)>, u64) {
        let Kernel { params, group_size, .. } = &self.kernels[kernel];
        let region = |(at, param): (usize, &Param)| match param {
            Param::Region(access) => Some((at, *access)),
            Param::Pointer(_) | Param::Scalar(_) => None,
        };
        (params.iter().enumerate().filter_map(region).collect(), (*group_size).into())
    }

    /// How many words a kernel takes, if there is one with this number.
    pub fn arity(&self, kernel: usize) -> Option<usize> {
        self.kernels.get(kernel).map(|kernel| kernel.params.len())
    }

    /// Starts a kernel; returns whether so much is under way that somebody has to wait.
    pub fn start(&mut self, queue: &mut Queue, request: &Request) -> Result<bool, Trouble> {
        let Request { kernel, ref args, groups, site } = *request;
        let unit = self.units.of_kernel(kernel);
        // The first launch may have to compile, or the driver does, which says nothing of others.
        let is_first = !std::mem::replace(&mut self.was_launched[kernel], true);
        let module = match is_first {
            true => at_work::waiting(|| self.module_of(queue, unit)),
            false => self.module_of(queue, unit),
        }
        .map_err(Trouble::of_compiler)?;
        let Kernel { group_size, params, uses_heap, pool, .. } = &self.kernels[kernel];
        let launch = Launch {
            module,
            kernel: kernel - self.units.kernels(unit).start,
            groups,
            state: self.here.state,
            heap: self.here.heap.map(|heap| heap.address).filter(|_| *uses_heap),
            pool: pool.map_or(0, |param| args[param]),
            args,
            timed: self.ledger.wants_times(),
        };
        if self.ledger.timing {
            queue.ask(self.owner, |queue| self.ledger.compare_clocks(&mut *queue.device))?;
        }
        let launched = Launched { owner: self.owner, kernel: self.names[kernel].clone(), site };
        let timer = match is_first {
            true => at_work::waiting(|| queue.launch(launched, &launch))?,
            false => queue.launch(launched, &launch)?,
        };
        self.busy = true;
        let width = groups.saturating_mul((*group_size).into());
        let bytes = if self.ledger.timing { reach(queue, params, args) } else { 0 };
        self.unseen += 1;
        let is_unseen = self.may_fail && self.unseen >= MOST_UNSEEN;
        Ok(self.ledger.begin(site, timer, width, bytes) || is_unseen)
    }

    /// When a large transfer begins whose time is measured: all work that was issued before is done then.
    pub fn begin_transfer(&self, queue: &mut Queue, bytes: usize) -> Result<Option<Instant>, Trouble> {
        /// Of what is smaller, the time says little.
        const LARGE: usize = 1 << 20;
        if !self.ledger.timing || bytes < LARGE {
            return Ok(None);
        }
        queue.ask(self.owner, |queue| queue.device.synchronise())?;
        Ok(Some(Instant::now()))
    }

    /// When a move begins that a timeline shows: the device is not busy then, if there is much to move.
    pub fn begin_move(&self, queue: &mut Queue, bytes: usize) -> Result<Option<Instant>, Trouble> {
        const MUCH: usize = 1 << 12;
        if self.ledger.timing && bytes >= MUCH {
            queue.ask(self.owner, |queue| queue.device.synchronise())?;
        }
        Ok(self.ledger.timing.then(Instant::now))
    }

    /// Waits, and reads these parts. A check that failed is reported once.
    pub fn wait(&mut self, queue: &mut Queue, parts: Vec<Part>) -> Result<(), Halt> {
        if let Some(halt) = self.log.halt.take() {
            return Err(halt);
        }
        if self.log.is_open() {
            return self.settle(queue, parts);
        }
        let state = self.wait_for_state(queue, parts).map_err(Halt::Trouble)?;
        if state.failed == 0 {
            return Ok(());
        }
        self.here.reset_state(queue, self.owner).map_err(Halt::Trouble)?;
        let is_exhausted = [OUT_OF_HEAP, OUT_OF_REGION].contains(&state.site);
        assert!(!is_exhausted, "a kernel allocates that is not said to use the heap");
        Err(Halt::Check { site: state.site, operands: state.operands() })
    }

    /// Has kernels that did not begin yet do nothing, and waits.
    pub fn abandon(&mut self, queue: &mut Queue) -> Result<(), Trouble> {
        self.check_generation(queue)?;
        // As if one had failed.
        let (state, failed) = (self.here.state, 1i32.to_ne_bytes());
        queue.ask(self.owner, |queue| queue.device.interrupt(state, &failed))?;
        self.wait_for_state(queue, Vec::new())?;
        self.log.halt = None;
        self.close_log(queue)?;
        self.here.reset_state(queue, self.owner)
    }

    /// Waits, and reads the state and these parts.
    pub fn wait_for_state(&mut self, queue: &mut Queue, parts: Vec<Part>) -> Result<State, Trouble> {
        self.check_generation(queue)?;
        self.ledger.traffic.waits += 1;
        self.ledger.traffic.bytes_from_device += parts.iter().map(|part| part.to.len() as u64).sum::<u64>();
        let mut state = State::default();
        let first = Part { from: self.here.state, to: state.bytes_mut() };
        let first = Some(first).filter(|_| self.may_fail);
        let mut read: Vec<Part> =
            first.into_iter().chain(parts.into_iter().filter(|part| !part.to.is_empty())).collect();
        // Where there is nothing to read, there is still all to wait for.
        queue.read(self.owner, &mut read)?;
        drop(read);
        self.busy = false;
        self.unseen = 0;
        queue.ask(self.owner, |queue| self.ledger.charge(&mut *queue.device))?;
        Ok(state)
    }

    /// What a program had on a device that was reset since it began is gone.
    pub fn check_generation(&self, queue: &Queue) -> Result<(), Trouble> {
        if self.here.generation == queue.generation() {
            return Ok(());
        }
        let message = "The device was reset because of another program.".to_string();
        Err(Trouble { message, kernel: None, site: None })
    }
}

/// The sum of the sizes of the blocks that are passed to a kernel.
fn reach(queue: &Queue, params: &[Param], args: &[u64]) -> u64 {
    let size = |(param, arg): (&Param, &u64)| match param {
        Param::Pointer(_) | Param::Region(_) => queue.pool.piece_at(*arg).map_or(0, |piece| piece.bytes),
        Param::Scalar(_) => 0,
    };
    params.iter().zip(args).map(size).sum()
}
