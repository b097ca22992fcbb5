//! Runs imp programs on a device.
//!
//! [`Exec`] is a program that is compiled and loaded. Its entry points are called (`call`) with [`Values`] of the
//! host: columns that fit the entry point (`bind`) become words (`arguments`), the program runs, and the words it
//! leaves become columns again (`results`). `failure` reports a failed run in terms of the source program.
//!
//! Functions and CPU kernels are compiled code of the host. A program may have group kernels, too, which run on a
//! GPU; the functions that launch them have their arrays there. Values move there before a call and back after it, or
//! stay there ([`Held`]).

mod arguments;
mod bind;
mod call;
mod code;
mod column;
mod failure;
mod held;
mod interface;
mod memory;
mod module;
mod results;
mod room;
mod stay;

pub use code::{Code, KernelCode, parse_kernels, print_kernels};
pub use column::{Array, Cell, Column, Elements, NOWHERE, Values};
pub use failure::{Ended, is_outlined};
pub use held::Held;
pub use module::module;

use arguments::{Refused, Side};
use call::{Call, Called, Wanted};
use held::Keeper;
use norn_ir::failure::Failure;
use norn_ir::imp::{Prog, Type, VarInfo};
use norn_runtime::RuntimeError;
use norn_runtime::cpu::{Canceller, Compiled, Cost, Cpu, Instance, Observer};
use norn_runtime::gpu::{Gpu, Loaded, Module, Program, Traffic};
use room::Room;
use std::sync::Arc;
use std::time::Duration;

/// A program on a device. Constants are computed once, when first asked for.
pub struct Exec {
    cpu: Arc<Cpu>,
    gpu: Option<Arc<Gpu>>,
    /// Without its code.
    prog: Prog,
    instance: Instance,
    keeper: Arc<Keeper>,
    code: Code,
    compile_time: CompileTime,
    /// Of the last call.
    traffic: Traffic,
}

/// What came of a call.
pub struct Outcome {
    /// The columns of the entry point's result.
    pub values: Values<'static>,
    /// What the program took, without the values' way in and out.
    pub time: Duration,
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
    /// What was asked of the GPU, if the program has a part there.
    pub traffic: Option<Traffic>,
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
        let instance = Instance::new(&cpu, library, program)?;
        Ok(Exec::made(cpu, gpu, interface::interface(prog), instance, code, compile_time))
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
        let instance = Instance::new(&cpu, library, program).ok()?;
        Some(Exec::made(cpu, gpu, interface, instance, code, CompileTime::default()))
    }

    fn made(
        cpu: Arc<Cpu>,
        gpu: Option<Arc<Gpu>>,
        prog: Prog,
        instance: Instance,
        code: Code,
        compile_time: CompileTime,
    ) -> Exec {
        let (keeper, traffic) = (Arc::default(), Traffic::default());
        Exec { cpu, gpu, prog, instance, keeper, code, compile_time, traffic }
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
        self.compile_time
    }

    /// Ends calls from another thread.
    pub fn canceller(&self) -> Canceller {
        self.instance.canceller()
    }

    /// Who is told of the words that the program shows (see `norn_ir::nest::observe`).
    pub fn observe(&mut self, observer: Observer) {
        self.instance.observe(observer);
    }

    /// Whether launches are measured.
    pub fn set_profiling(&mut self, on: bool) {
        self.instance.set_profiling(on);
    }

    /// How many groups of threads the program takes the GPU to hold at the same time, which decides between versions of nests; None: as
    /// many as it does hold.
    pub fn set_gpu_groups(&mut self, groups: Option<i64>) {
        self.instance.set_gpu_groups(groups);
    }

    /// What launches have cost since this was last asked, and what the last call asked of the GPU.
    pub fn take_profile(&mut self) -> Profile {
        // What is taken from the GPU first is not among the others then.
        let on_gpu = self.instance.gpu().map(Program::take_profile).unwrap_or_default();
        Profile { on_processor: self.instance.take_profile(), on_gpu, traffic: self.traffic() }
    }

    /// What the last call asked of the GPU, if the program has a part there.
    pub fn traffic(&self) -> Option<Traffic> {
        self.instance.gpu().map(|_| self.traffic)
    }

    /// Forgets constants, and says how many blocks nobody has released: none, if the program is right.
    pub fn forget(&mut self) -> usize {
        self.instance.forget()
    }

    /// Calls an entry point (an index into `prog.entries`) with the columns of its arguments, in the order of its
    /// parameters. Sizes and regions that the function wants are found from the columns; a size about which two
    /// columns disagree is a failure.
    pub fn call(&mut self, entry: usize, values: &Values) -> Result<Outcome, Ended> {
        self.run(entry, values, Wanted::Values)
    }

    /// As `call`, but regular arrays of the result that are on the GPU stay there.
    pub fn call_holding(&mut self, entry: usize, values: &Values) -> Result<Outcome, Ended> {
        self.run(entry, values, Wanted::Held)
    }

    /// As `call`, for its time alone: nobody looks at the results.
    pub fn time(&mut self, entry: usize, values: &Values) -> Result<Duration, Ended> {
        self.run(entry, values, Wanted::Nothing).map(|outcome| outcome.time)
    }

    fn run(&mut self, entry: usize, values: &Values, wanted: Wanted) -> Result<Outcome, Ended> {
        if let Some(program) = self.instance.gpu() {
            self.keeper.settle(program);
        }
        let prog = &self.prog;
        let entry_point = &prog.entries[entry];
        let failed = |message| {
            let span = prog.funs[entry_point.fun.0 as usize].span;
            Ended::Failed(Failure { message, span, trace: Vec::new(), omitted: 0 })
        };
        let scalars = bind::bind(prog, entry_point, &values.columns).map_err(failed)?;
        let side = interface::side(prog, entry_point);
        let room = Room::new(self.cpu.memory());
        let call =
            Call { prog, number: entry, side, values, scalars: &scalars, results: wanted, room: &room };
        let outcome = match (room.take(values.bytes()), side) {
            (Err(stop), _) => Err(Refused::Stopped(stop)),
            (Ok(()), Side::Host) => call.on_processor(&mut self.instance),
            (Ok(()), Side::Device) => call.with_gpu(&mut self.instance, &self.keeper),
        };
        // Constants are kept; whatever else is left was made by compiled code that does not release it.
        let left = if prog.consts.is_empty() { self.instance.live_blocks() } else { 0 };
        debug_assert!(outcome.is_err() || left == 0, "exec: {} leaves {left} blocks", entry_point.name);
        match outcome {
            Ok(Called { values, time, traffic }) => {
                self.traffic = traffic;
                Ok(Outcome { values, time })
            }
            Err(Refused::Lost) => Err(failed(failure::LOST.to_string())),
            Err(Refused::NoMemory { bytes, on_gpu }) => {
                let gpu = self.gpu.as_ref().filter(|_| on_gpu);
                let memory = self.cpu.memory();
                let (live, limit) = match gpu {
                    Some(gpu) => (gpu.memory_live(), gpu.memory_limit()),
                    None => (memory.live(), memory.limit()),
                };
                Err(failed(failure::out_of_memory(bytes, live, limit, on_gpu)))
            }
            Err(Refused::Stopped(stop)) => {
                Err(failure::ended(prog, entry_point.fun, self.gpu.is_some(), stop))
            }
        }
    }
}

impl Drop for Exec {
    fn drop(&mut self) {
        if let Some(program) = self.instance.gpu() {
            self.keeper.release_all(program);
        }
    }
}

/// A program without kernels may still copy arrays that are there.
fn needs_gpu(prog: &Prog) -> bool {
    let is_remote = |var: &VarInfo| matches!(var.ty, Type::Remote(_));
    !prog.group_kernels.is_empty() || prog.funs.iter().any(|fun| fun.vars.iter().any(is_remote))
}
