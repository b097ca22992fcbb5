//! Runs imp programs on a device.
//!
//! [`Exec`] is a program that is compiled and loaded. Its entry points are called (`call`) with [`Values`] of the
//! host: columns that fit the entry point (`bind`) become words (`arguments`), the program runs, and the words it
//! leaves become columns again (`results`). `failure` reports a failed run in terms of the source program.
//!
//! Calls can be made from several threads at the same time (`instances`), and ended from others ([`Canceller`]).
//!
//! Functions and CPU kernels are compiled code of the host. A program may have group kernels, too, which run on a
//! GPU; the functions that launch them have their arrays there. Values move there before a call and back after it, or
//! stay there ([`Held`]). Where several devices share the work, there is the same program for the first one alone, too (`sharing`).

mod arguments;
mod bind;
mod call;
mod code;
mod column;
mod failure;
mod held;
mod instances;
mod interface;
mod manner;
mod memory;
mod module;
mod results;
mod room;
mod sharing;

pub use code::{Code, KernelCode, parse_kernels, print_kernels};
pub use column::{Array, Cell, Column, Elements, NOWHERE, Values};
pub use failure::{Ended, is_made, is_outlined};
pub use held::{Held, Loan};
pub use module::module;

use arguments::{Refused, Side};
use call::{Call, Called, ResultsAs};
use instances::Instances;
use manner::Manner;
use norn_ir::failure::Failure;
use norn_ir::imp::{Prog, Type, VarInfo};
use norn_runtime::cpu::{Compiled, Cost, Cpu, Instance, Observer, Origin, Settings, Stop, Why};
use norn_runtime::gpu::{Gpu, Loaded, Module, Program, Timeline, Traffic};
use norn_runtime::schedule::Who;
use norn_runtime::{Canceller, RuntimeError};
use room::Room;
use sharing::{Sharing, Unmade};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A program on a device. Constants are computed once, on first use.
pub struct Exec {
    cpu: Arc<Cpu>,
    gpu: Option<Arc<Gpu>>,
    /// Without its code.
    prog: Prog,
    instances: Arc<Instances>,
    settings: Mutex<Settings>,
    /// Of each entry point.
    manners: Vec<Manner>,
    code: Code,
    compile_time: CompileTime,
    /// The same program for several devices, which makes some of the calls.
    sharing: Option<Box<Sharing>>,
}

/// What came of a call.
pub struct Outcome {
    /// The columns of the entry point's result.
    pub values: Values<'static>,
    /// What the program took, without the values' way in and out.
    pub time: Duration,
    /// What it asked of the GPU, if it has a part there.
    pub traffic: Option<Traffic>,
    /// What the call took as a whole, and until its arguments were where they are needed.
    whole: Duration,
    arrival: Duration,
}

/// How long compilers took, unless they had nothing to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CompileTime {
    pub library: Option<Duration>,
    pub kernels: Option<Duration>,
}

/// What launches have cost, by their sites.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Profile {
    pub on_processor: Vec<Cost>,
    pub on_gpu: Vec<Cost>,
}

impl Exec {
    /// Compiles a program, which must obey the rules of imp, unless that was done before. Group kernels and remote arrays need a GPU.
    pub fn new(cpu: Arc<Cpu>, gpu: Option<Arc<Gpu>>, prog: &Prog) -> Result<Exec, RuntimeError> {
        Exec::with_others(cpu, gpu, &[], prog)
    }

    /// The same with other GPUs of the same kind, which work for the program, too, where it selects them.
    pub fn with_others(
        cpu: Arc<Cpu>,
        gpu: Option<Arc<Gpu>>,
        others: &[Arc<Gpu>],
        prog: &Prog,
    ) -> Result<Exec, RuntimeError> {
        let gpu = gpu.filter(|_| needs_gpu(prog));
        let module = gpu.as_ref().map(|gpu| module(prog, gpu.facts().api));
        Exec::made_of(cpu, gpu.zip(module), others, prog)
    }

    /// The same, with kernels that somebody else has made: one for each group kernel of the program.
    pub fn with_module(
        cpu: Arc<Cpu>,
        kernels: Option<(Arc<Gpu>, Module)>,
        prog: &Prog,
    ) -> Result<Exec, RuntimeError> {
        Exec::made_of(cpu, kernels, &[], prog)
    }

    fn made_of(
        cpu: Arc<Cpu>,
        kernels: Option<(Arc<Gpu>, Module)>,
        others: &[Arc<Gpu>],
        prog: &Prog,
    ) -> Result<Exec, RuntimeError> {
        let text = norn_emit::emit_c(prog);
        // SAFETY: the text is ours.
        let Compiled { library, compile_time, name } = unsafe { cpu.load(&text, prog.entries.len()) }?;
        let mut code = Code { library: name, kernels: None };
        let mut compile_time = CompileTime { library: compile_time, kernels: None };
        let (mut gpu, mut program) = (None, None);
        if let Some((on, module)) = kernels {
            let loaded: Loaded = on.load(&module)?;
            let others: Result<Vec<Program>, RuntimeError> =
                others.iter().map(|other| Ok(other.load(&module)?.program)).collect();
            let others = others?;
            code.kernels = Some(KernelCode { binary: loaded.name, kernels: module.kernels });
            compile_time.kernels = loaded.compile_time;
            (gpu, program) = (Some(on), Some(loaded.program.with_others(others)));
        }
        let origin = Origin::new(&cpu, library, program)?;
        Ok(Exec::made(cpu, gpu, interface::interface(prog), origin, code, compile_time))
    }

    /// A program that was compiled before: what `interface` and `code` said of it then. None if a device has forgotten it.
    pub fn restore(cpu: Arc<Cpu>, gpu: Option<Arc<Gpu>>, interface: Prog, code: Code) -> Option<Exec> {
        // SAFETY: what has that name was compiled from a text of ours.
        let library = unsafe { cpu.find(&code.library, interface.entries.len()) }?;
        let gpu = gpu.filter(|_| code.kernels.is_some());
        let program = match &code.kernels {
            Some(kernels) => Some(gpu.as_ref()?.find(&kernels.binary, &kernels.kernels)?),
            None => None,
        };
        let origin = Origin::new(&cpu, library, program).ok()?;
        Some(Exec::made(cpu, gpu, interface, origin, code, CompileTime::default()))
    }

    fn made(
        cpu: Arc<Cpu>,
        gpu: Option<Arc<Gpu>>,
        prog: Prog,
        origin: Origin,
        code: Code,
        compile_time: CompileTime,
    ) -> Exec {
        let instances = Arc::new(Instances::new(origin));
        let manners = prog.entries.iter().map(|_| Manner::new()).collect();
        let settings = Mutex::default();
        Exec { cpu, gpu, prog, instances, settings, manners, code, compile_time, sharing: None }
    }

    /// The same, but calls may be made by another one, which is the same program for several devices, of which this one has the first.
    pub fn shared_by(self, shared: Exec) -> Exec {
        Exec { sharing: Some(Box::new(Sharing::with(shared))), ..self }
    }

    /// The same of a program for several devices, but calls may be made by the first of them, in the same program: each number is computed as by all.
    pub fn shared_by_itself(self) -> Exec {
        let sharing = Sharing::of(&self);
        Exec { sharing: Some(Box::new(sharing)), ..self }
    }

    /// Whether several devices have made the last call.
    pub fn was_shared(&self) -> bool {
        self.sharing.as_ref().is_some_and(|sharing| sharing.was_last())
    }

    /// What has made the last call: this, or the same program for several devices.
    pub fn last_used(&self) -> &Exec {
        self.sharing.as_ref().and_then(|sharing| sharing.last_used()).unwrap_or(self)
    }

    fn shared(&self) -> Option<&Exec> {
        self.sharing.as_ref().and_then(|sharing| sharing.exec.as_ref())
    }

    /// The program without its code: what is needed to call it.
    pub fn interface(&self) -> &Prog {
        &self.prog
    }

    /// By which devices know the compiled program.
    pub fn code(&self) -> &Code {
        &self.code
    }

    pub fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// The GPU, if the program has something for it to do.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.gpu.as_deref()
    }

    pub fn compile_time(&self) -> CompileTime {
        let Some(shared) = self.shared() else { return self.compile_time };
        let both = |own: Option<Duration>, other: Option<Duration>| {
            own.into_iter().chain(other).reduce(|own, other| own + other)
        };
        let (own, other) = (self.compile_time, shared.compile_time);
        CompileTime { library: both(own.library, other.library), kernels: both(own.kernels, other.kernels) }
    }

    /// Who is notified of the words that the program shows (see `norn_ir::nest::observe`). One that shows some is not shared with another (`shared_by`).
    pub fn observe(&self, observer: Observer) {
        self.instances.origin.observe(observer);
    }

    /// Whether launches of calls that begin from now on are measured.
    pub fn set_profiling(&self, on: bool) {
        self.settings().profiling = on;
        self.shared().into_iter().for_each(|shared| shared.set_profiling(on));
    }

    /// How many groups of threads the program takes the GPU to hold at the same time, in calls that begin from now on, which decides between
    /// versions of nests; None: as many as it does hold.
    pub fn set_gpu_groups(&self, groups: Option<i64>) {
        self.settings().gpu_groups = groups;
        self.shared().into_iter().for_each(|shared| shared.set_gpu_groups(groups));
    }

    fn settings(&self) -> MutexGuard<'_, Settings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What launches have cost since the last call, in calls that have ended.
    pub fn take_profile(&self) -> Profile {
        let mut profile = Profile::default();
        self.instances.for_idle(|instance| {
            // What is taken from the GPU first is not among the others then.
            add_costs(&mut profile.on_gpu, instance.gpu().map(Program::take_profile).unwrap_or_default());
            add_costs(&mut profile.on_processor, instance.take_profile());
        });
        profile
    }

    /// What each GPU has done while launches were timed, and when, since the last call.
    pub fn take_timelines(&self) -> Vec<Timeline> {
        let mut timelines = Vec::new();
        self.instances.for_idle(|instance| {
            timelines.extend(instance.gpu().into_iter().flat_map(|program| program.take_timelines()));
        });
        timelines
    }

    /// Forgets constants, and returns how many blocks nobody has released: none, if the program is right. No call goes on.
    pub fn forget(&self) -> usize {
        let mut left = 0;
        self.instances.for_idle(|instance| left += instance.forget());
        left + self.shared().map_or(0, Exec::forget)
    }

    /// Whether so many bytes of the host's memory may be taken beside what the program has. The error is a sentence.
    pub fn has_room(&self, bytes: u64) -> Result<(), String> {
        Room::new(self.cpu.memory()).take(bytes).map_err(|stop| failure::sentence(&stop))
    }

    /// Whether an entry point takes arrays that are on the GPU.
    pub fn takes_held(&self, entry: usize) -> bool {
        interface::side(&self.prog, &self.prog.entries[entry]) == Side::Device
    }

    /// Calls an entry point (an index into `prog.entries`) with the columns of its arguments, in the order of its
    /// parameters. Sizes and regions that the function wants are found from the columns; a size about which two
    /// columns disagree is a failure. An array that is held and that nobody else knows is lost if the entry point consumes it.
    pub fn call(&self, entry: usize, values: &Values, canceller: &Canceller) -> Result<Outcome, Ended> {
        self.run(entry, values, ResultsAs::Values, canceller)
    }

    /// As `call`, but regular arrays of the result stay where they are, if they are large or on the GPU.
    pub fn call_holding(
        &self,
        entry: usize,
        values: &Values,
        canceller: &Canceller,
    ) -> Result<Outcome, Ended> {
        self.run(entry, values, ResultsAs::Held, canceller)
    }

    /// As `call`, for its time alone: nobody looks at the results.
    pub fn time(&self, entry: usize, values: &Values, canceller: &Canceller) -> Result<Duration, Ended> {
        self.run(entry, values, ResultsAs::Nothing, canceller).map(|outcome| outcome.time)
    }

    fn run(
        &self,
        entry: usize,
        values: &Values,
        results_as: ResultsAs,
        canceller: &Canceller,
    ) -> Result<Outcome, Ended> {
        match &self.sharing {
            Some(sharing) if self.takes_held(entry) => sharing.run(self, entry, values, &|exec, devices| {
                exec.run_here(entry, values, results_as, devices, canceller)
            }),
            _ => self.run_here(entry, values, results_as, Who::All, canceller),
        }
        .map_err(|unmade| unmade.ended)
    }

    fn run_here(
        &self,
        entry: usize,
        values: &Values,
        results_as: ResultsAs,
        devices: Who,
        canceller: &Canceller,
    ) -> Result<Outcome, Unmade> {
        let failed = |message| self.failed(entry, message);
        let scalars = bind::bind(&self.prog, &self.prog.entries[entry], &values.columns).map_err(failed)?;
        let values = self.moved(entry, values).map_err(failed)?;
        let outcome = self.instances.with(canceller, |instance| {
            instance.set(*self.settings());
            if let Some(program) = self.instances.origin.gpu() {
                program.use_devices(devices);
            }
            let stopper = instance.stopper();
            let stop = stopper.clone();
            let run = || self.run_on(instance, entry, &values, &scalars, results_as);
            let outcome = canceller.during(move || stop.stop(), run);
            // Nobody stops it any more, and the next call is another one.
            stopper.allow();
            outcome
        });
        outcome.flatten().unwrap_or(Err(Ended::Cancelled.into()))
    }

    /// The values, where those that are held are in the memory that the entry point works on, or in the host's.
    fn moved<'a, 'v>(&self, entry: usize, values: &'a Values<'v>) -> Result<Cow<'a, Values<'v>>, String> {
        let gpu = self.instances.origin.gpu().filter(|_| self.takes_held(entry));
        let is_far = |held: &Held| held.gpu().is_some() && !gpu.is_some_and(|gpu| held.is_for(gpu));
        let mut values = Cow::Borrowed(values);
        for at in 0..values.columns.len() {
            if let Column::Held(held) = &values.columns[at]
                && is_far(held)
            {
                let fetched = held.fetch()?;
                values.to_mut().columns[at] = Column::Array(fetched);
            }
        }
        Ok(values)
    }

    fn failed(&self, entry: usize, message: String) -> Ended {
        let span = self.prog.funs[self.prog.entries[entry].fun.0 as usize].span;
        Ended::Failed(Failure { message, span, trace: Vec::new(), omitted: 0 })
    }

    fn run_on(
        &self,
        instance: &mut Instance,
        entry: usize,
        values: &Values,
        scalars: &[u64],
        results_as: ResultsAs,
    ) -> Result<Outcome, Unmade> {
        let prog = &self.prog;
        let entry_point = &prog.entries[entry];
        let failed = |message| self.failed(entry, message);
        let side = interface::side(prog, entry_point);
        let room = Room::new(self.cpu.memory());
        let call = Call {
            prog,
            number: entry,
            side,
            values,
            scalars,
            results: results_as,
            room: &room,
            program: self.instances.origin.gpu(),
        };
        let make_call = |instance: &mut Instance| match side {
            Side::Host => call.on_processor(instance),
            Side::Device => call.with_gpu(instance, &self.instances),
        };
        let (manner, begin) = (&self.manners[entry], Instant::now());
        let outcome = match room.take(values.bytes()) {
            Err(stop) => Err(Refused::Stopped(stop)),
            Ok(()) => {
                // A call that may have to be made again is not given what it overwrites, and nobody looks on.
                let gives = values
                    .columns
                    .iter()
                    .any(|column| matches!(column, Column::Held(held) if held.is_alone()));
                let stays = manner.stays() && !gives && !instance.is_observed();
                instance.stay(stays);
                let outcome = make_call(instance);
                manner.learn(instance.take_launched());
                match outcome {
                    Err(Refused::Stopped(Stop { why: Why::OutOfStack, .. })) if stays => {
                        manner.be_deep();
                        instance.stay(false);
                        make_call(instance)
                    }
                    outcome => outcome,
                }
            }
        };
        // Constants are kept; whatever else is left was made by compiled code that does not release it.
        let counts = cfg!(debug_assertions) && prog.consts.is_empty();
        let left = if counts { instance.live_blocks() } else { 0 };
        debug_assert!(outcome.is_err() || left == 0, "exec: {} leaves {left} blocks", entry_point.name);
        match outcome {
            Ok(Called { values, time, arrival, traffic }) => {
                let traffic = instance.gpu().map(|_| traffic);
                Ok(Outcome { values, time, traffic, whole: begin.elapsed(), arrival })
            }
            Err(Refused::Lost) => Err(Unmade::by_device(failed(failure::LOST.to_string()))),
            Err(Refused::NoMemory { bytes, on_gpu }) => {
                let gpu = self.gpu.as_ref().filter(|_| on_gpu);
                let memory = self.cpu.memory();
                let (live, limit) = match gpu {
                    Some(gpu) => (gpu.memory_live(), gpu.memory_limit()),
                    None => (memory.live(), memory.limit()),
                };
                Err(Unmade::by_device(failed(failure::out_of_memory(bytes, live, limit, on_gpu))))
            }
            Err(Refused::Stopped(stop)) => {
                let is_of_device = matches!(stop.why, Why::OutOfMemory { .. } | Why::Device(_));
                let ended = failure::ended(prog, entry_point.fun, self.gpu.is_some(), stop);
                Err(Unmade { ended, is_of_device })
            }
        }
    }
}

fn add_costs(all: &mut Vec<Cost>, more: Vec<Cost>) {
    if all.len() < more.len() {
        all.resize(more.len(), Cost::default());
    }
    all.iter_mut().zip(more).for_each(|(sum, cost)| sum.add(cost));
}

/// A program without kernels may still copy arrays that are there.
fn needs_gpu(prog: &Prog) -> bool {
    let is_remote = |var: &VarInfo| matches!(var.ty, Type::Remote(_));
    !prog.group_kernels.is_empty() || prog.funs.iter().any(|fun| fun.vars.iter().any(is_remote))
}
