//! How long each phase of compiling takes, for `norn dev --time`.

use crate::engine::{CompileError, Context, Rejection};
use crate::{check_file, pipeline};
use norn_exec::Exec;
use norn_passes::pipeline::{FLAT_PASSES, NEST_ORDER, NEST_PASSES};
use std::path::Path;
use std::time::{Duration, Instant};

/// Phases in the order of their first run. The time of one that runs several times is that of all runs.
#[derive(Clone, Debug, Default)]
pub struct Phases {
    pub times: Vec<(&'static str, Duration)>,
}

impl Phases {
    fn time<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        let time = start.elapsed();
        match self.times.iter_mut().find(|(other, _)| *other == name) {
            Some((_, total)) => *total += time,
            None => self.times.push((name, time)),
        }
        result
    }

    pub fn total(&self) -> Duration {
        self.times.iter().map(|(_, time)| time).sum()
    }
}

/// Compiles the program whose main file is at `path` for the processor. The result of it is lost. There is no time of the C
/// compiler if it had compiled the same before.
pub fn time_phases(path: &Path) -> Result<Phases, CompileError> {
    let mut phases = Phases::default();
    let outcome = phases.time("check", || check_file(path)).map_err(CompileError::Io)?;
    let reject = |sources, diagnostics| CompileError::Rejected(Box::new(Rejection { sources, diagnostics }));
    let Some(checked) = outcome.checked.filter(|_| !outcome.diagnostics.has_errors()) else {
        return Err(reject(outcome.sources, outcome.diagnostics));
    };
    let lowered = phases.time("lower", || norn_lower::lower(&checked.program));
    let (mut prog, derivatives) = match lowered {
        Ok(lowered) => lowered,
        Err(diagnostics) => return Err(reject(outcome.sources, diagnostics)),
    };
    let done = phases.time("differentiate", || norn_differentiate::differentiate(&mut prog, derivatives));
    if let Err(diagnostics) = done {
        return Err(reject(outcome.sources, diagnostics));
    }
    phases.time("regions", || norn_lower::infer_regions(&mut prog));
    let nest = NEST_ORDER.iter().filter_map(|name| NEST_PASSES.iter().find(|pass| pass.name == *name));
    for pass in nest.chain(FLAT_PASSES) {
        phases.time(pass.name, || (pass.run)(&mut prog));
    }
    let generated = phases.time("imp", || pipeline::generate(&prog));
    let mut imp = match generated {
        Ok(imp) => imp,
        Err(diagnostics) => return Err(reject(outcome.sources, diagnostics)),
    };
    phases.time("vectorise", || norn_passes::pipeline::improve_imp(&mut imp, None));
    phases.time("emit", || norn_emit::emit_c(&imp));
    let device = Context::default().cpu(false).map_err(CompileError::Device)?;
    let exec = Exec::new(device, None, &imp).map_err(CompileError::Device)?;
    phases.times.extend(exec.compile_time().library.map(|time| ("cc", time)));
    Ok(phases)
}
