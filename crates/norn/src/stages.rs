//! A lowered program on its way to the processor and to a GPU: each stage is made when it is first needed, and once. Who compiles a
//! program for one backend calls `pipeline`; who compiles it for several, as tests do, has the stages that these share from here.

use crate::pipeline::{flat_to_imp, optimised_to_device_imp, refuse_processor, unplaced_to_imp};
use norn_base::Diagnostics;
use norn_ir::imp;
use norn_ir::nest::Prog;
use norn_passes::pipeline::{optimise_nest, to_flat, to_unplaced};
use norn_passes::place::survey::survey;
use norn_passes::tuning::Tuner;
use std::cell::OnceCell;

/// The stages of one program.
pub struct Stages {
    lowered: Prog,
    optimised: OnceCell<Prog>,
    flat: OnceCell<Prog>,
    imp: OnceCell<Result<imp::Prog, Diagnostics>>,
    device: OnceCell<Device>,
    strict: OnceCell<Result<imp::Prog, Diagnostics>>,
}

/// What becomes of the program for a GPU and its host.
struct Device {
    /// What is left to the processor, as errors.
    left: Result<(), Diagnostics>,
    imp: Result<imp::Prog, Diagnostics>,
}

impl Stages {
    pub fn new(lowered: Prog) -> Stages {
        Stages {
            lowered,
            optimised: OnceCell::new(),
            flat: OnceCell::new(),
            imp: OnceCell::new(),
            device: OnceCell::new(),
            strict: OnceCell::new(),
        }
    }

    pub fn lowered(&self) -> &Prog {
        &self.lowered
    }

    /// After the passes on nest.
    pub fn optimised(&self) -> &Prog {
        self.optimised.get_or_init(|| changed(&self.lowered, optimise_nest))
    }

    /// With what runs in parallel on the processor.
    pub fn flat(&self) -> &Prog {
        self.flat.get_or_init(|| changed(self.optimised(), to_flat))
    }

    /// As `pipeline::to_imp` makes it.
    pub fn imp(&self) -> Result<&imp::Prog, &Diagnostics> {
        self.imp.get_or_init(|| flat_to_imp(self.flat())).as_ref()
    }

    /// As `pipeline::to_device_imp` makes it.
    pub fn device_imp(&self, strict: bool) -> Result<&imp::Prog, &Diagnostics> {
        let device = self.device.get_or_init(|| {
            let unplaced = changed(self.optimised(), to_unplaced);
            Device {
                left: refuse_processor(&survey(&unplaced)),
                imp: unplaced_to_imp(unplaced, &mut Tuner::default()),
            }
        });
        match &device.left {
            Err(_) if strict => {
                self.strict.get_or_init(|| self.tuned_device_imp(true, &mut Tuner::default())).as_ref()
            }
            Ok(()) | Err(_) => device.imp.as_ref(),
        }
    }

    /// Whether the program for a GPU is another one if nothing may be left to the processor.
    pub fn has_strict_version(&self) -> bool {
        let usual = self.device_imp(false).ok().map(std::ptr::from_ref);
        let strict = self.device_imp(true).ok().map(std::ptr::from_ref);
        strict.is_some() && strict != usual
    }

    /// The same with tunables that somebody has set, made each time.
    pub fn tuned_device_imp(&self, strict: bool, tuner: &mut Tuner) -> Result<imp::Prog, Diagnostics> {
        optimised_to_device_imp(self.optimised().clone(), strict, tuner)
    }
}

fn changed(prog: &Prog, change: fn(&mut Prog)) -> Prog {
    let mut prog = prog.clone();
    change(&mut prog);
    prog
}
