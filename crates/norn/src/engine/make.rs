//! What runs a program: the interpreter, or code for the processor, for a GPU, or for several devices.
//!
//! For several devices the program is compiled twice: as they share it, and for the first of them alone, which makes the calls that are too small to be shared (`norn_exec::sharing`). Where devices of one kind would round in another way than one of them alone, the first makes
//! calls alone in the program for all: what a program yields must not depend on how long it took before. All calls are shared where the user has set how work is divided.

use super::backend::{Backend, Options};
use super::runner::Runner;
use crate::stages::Stages;
use crate::tune::TuneError;
use norn_base::Diagnostics;
use norn_exec::Exec;
use norn_ir::imp;
use norn_ir::nest::Prog;
use norn_passes::tuning::Tuner;
use norn_runtime::cpu::Cpu;
use norn_runtime::gpu::{Api, Gpu};
use norn_runtime::usual_limit;
use std::sync::Arc;

/// Why a program that was lowered cannot be run.
pub(super) enum Refusal {
    Diagnostics(Diagnostics),
    Device(norn_runtime::RuntimeError),
    Tune(TuneError),
}

/// What runs the program, and as which backend: one that shows values is interpreted where compiled code could not show them. Its stages
/// are made here, unless there are some already.
pub(super) fn make_runner(
    prog: Prog,
    stages: Option<&Stages>,
    options: Options,
) -> Result<(Backend, Runner), Refusal> {
    let Options { backend, improve, ref context, quick, observe, .. } = options;
    // What shows values has to be compiled as it is asked for.
    let stages = stages.filter(|_| !prog.observes());
    let interpreted = observe && prog.observes() && !norn_passes::nest::traces::can_be_data(&prog);
    let backend = if interpreted { Backend::Interp } else { backend };
    let runner = match backend {
        Backend::Interp => {
            let prog = match stages {
                _ if !improve => prog,
                Some(stages) => stages.flat().clone(),
                None => improved(prog),
            };
            let memory_limit = context.options().memory_limit.unwrap_or_else(usual_limit);
            Runner::interp(prog, memory_limit)
        }
        Backend::Cpu | Backend::OpenCl | Backend::Cuda => {
            let host = context.cpu(quick).map_err(Refusal::Device)?;
            let gpu = context.gpu_of(backend).map_err(Refusal::Device)?;
            let others = backend.api().map_or(Ok(Vec::new()), |api| context.others(api));
            let others = others.map_err(Refusal::Device)?;
            let shown = || {
                let mut code = prog.clone();
                if observe {
                    norn_passes::nest::traces::traces(&mut code);
                } else {
                    code.forget_observers();
                }
                code
            };
            let code = stages.map_or_else(|| Source::Code(Box::new(shown())), Source::Stages);
            let sites = match &code {
                Source::Code(code) => code.show_sites(),
                Source::Stages(_) => Vec::new(),
            };
            let making = CompileRequest { code, host, gpu, options: &options };
            let (shared, has_blocks) = making.exec(&others)?;
            let may_work_alone = shared.gpu().is_some_and(Gpu::may_work_alone) && !others.is_empty();
            let exec = match (may_work_alone && sites.is_empty(), has_blocks) {
                (true, false) => making.exec(&[])?.0.shared_by(shared),
                (true, true) => shared.shared_by_itself(),
                (false, _) => shared,
            };
            drop(making);
            Runner::Compiled { prog: Box::new(prog), exec: Box::new(exec), sites }
        }
    };
    Ok((backend, runner))
}

/// What code is made of.
enum Source<'a> {
    Code(Box<Prog>),
    /// It may have been made before.
    Stages(&'a Stages),
}

/// A program that is to be compiled.
struct CompileRequest<'a> {
    code: Source<'a>,
    host: Arc<Cpu>,
    gpu: Option<Arc<Gpu>>,
    options: &'a Options,
}

impl CompileRequest<'_> {
    /// For the GPU, if there is one, and these others that share its work. Whether floats are combined in another order then.
    fn exec(&self, others: &[Arc<Gpu>]) -> Result<(Exec, bool), Refusal> {
        let Options { strict_device, ref tune, .. } = *self.options;
        let tune = tune.as_ref().filter(|_| self.gpu.is_some());
        let mut tuner = tune.map_or_else(Tuner::default, |tune| tune.tuner());
        let has_processor = others.iter().any(|other| other.facts().api == Api::Processor);
        tuner.share_among(1 + others.len(), has_processor);
        let made = |imp: &imp::Prog| {
            Exec::with_others(self.host.clone(), self.gpu.clone(), others, imp).map_err(Refusal::Device)
        };
        let imp = match &self.code {
            Source::Stages(stages) if tune.is_some() || !others.is_empty() => {
                stages.tuned_device_imp(strict_device, &mut tuner)
            }
            Source::Stages(stages) => {
                let imp = match self.gpu {
                    Some(_) => stages.device_imp(strict_device),
                    None => stages.imp(),
                };
                return Ok((made(imp.map_err(|said| Refusal::Diagnostics(said.clone()))?)?, false));
            }
            Source::Code(code) if self.gpu.is_some() => {
                crate::pipeline::to_device_imp((**code).clone(), strict_device, &mut tuner)
            }
            Source::Code(code) => crate::pipeline::to_imp((**code).clone()),
        };
        let imp = imp.map_err(Refusal::Diagnostics)?;
        let has_blocks = tuner.has_blocks();
        tune.map_or(Ok(()), |tune| tune.check(tuner)).map_err(Refusal::Tune)?;
        Ok((made(&imp)?, has_blocks))
    }
}

fn improved(mut prog: Prog) -> Prog {
    norn_passes::pipeline::optimise_nest(&mut prog);
    norn_passes::pipeline::to_flat(&mut prog);
    prog
}
