//! The passes, each listed once, and the order in which they run.
//!
//! 1. `NEST_ORDER`: nest to optimised nest, for every backend. A pass may run several times, since one creates work for another.
//! 2. `FLAT_PASSES` (CPU) or `DEVICE_PASSES` (GPU): optimised nest to a scheduled program, in which every operator is sequential or in a grid.
//! 3. `FISSION_PASSES`, `CUT_PASSES`, `AMONG_PASSES`: for several devices, the host's work as tasks, and loops over their parts.
//! 4. `IMP_PASSES`: passes on imp.
//!
//! In debug builds and tests the verifier runs after each pass. `norn dev --pass NAME` finds a pass here by its name.

use crate::tuning::Tuner;
use crate::{
    checks, cut, elements, epilogue, fission, flatten, frames, invariants, layout, loop_order, nest, outline,
    place, reads, remainders, schedule, share, single, sink, vectorise,
};
use norn_ir::imp;
use norn_ir::nest::Prog;

/// A step that improves a nest program, or makes a flat one of it.
pub struct NestPass {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    pub run: fn(&mut Prog),
}

/// Each pass once, in the order of its first run.
pub const NEST_PASSES: &[NestPass] = &[
    NestPass { name: "traces", about: "what traces show is data", run: nest::traces::traces },
    NestPass { name: "inline", about: "replace calls by bodies", run: nest::inline::inline },
    NestPass { name: "dce", about: "remove what nothing needs", run: nest::dce::dce },
    NestPass { name: "simplify", about: "compute what is known", run: nest::simplify::simplify },
    NestPass {
        name: "literals",
        about: "small constants are computed at compile time",
        run: nest::scalars::literals,
    },
    NestPass {
        name: "tail_calls",
        about: "loops instead of functions that call themselves last of all",
        run: nest::tail_calls::tail_calls,
    },
    NestPass { name: "cse", about: "compute the same thing once", run: nest::cse::cse },
    NestPass {
        name: "quotients",
        about: "quotients that are the same for all elements rely on no check",
        run: nest::quotients::quotients,
    },
    NestPass { name: "hoist", about: "move out what does not depend on its body", run: nest::hoist::hoist },
    NestPass {
        name: "hoist_work",
        about: "move out work that does not depend on its body",
        run: nest::hoist::hoist_work,
    },
    NestPass { name: "loops", about: "count and map instead of looping", run: nest::loops::loops },
    NestPass {
        name: "interchange",
        about: "a map of loops instead of a loop of maps",
        run: nest::interchange::interchange,
    },
    NestPass { name: "fuse", about: "do the work of several operators in one", run: nest::fuse::fuse },
    NestPass {
        name: "streams",
        about: "one stream instead of several operators",
        run: nest::streams::streams,
    },
    NestPass {
        name: "sequences",
        about: "one loop instead of several operators in a chunk",
        run: nest::streams::sequences,
    },
    NestPass { name: "scalars", about: "numbers instead of small arrays", run: nest::scalars::scalars },
];

/// The runs, by the names of the passes: some make work for others that have run before.
pub const NEST_ORDER: &[&str] = &[
    "traces",
    "inline",
    "dce",
    "simplify",
    "literals",
    "tail_calls",
    "cse",
    "loops",
    "streams",
    "simplify",
    "dce",
    "hoist_work",
    "sequences",
    "interchange",
    "fuse",
    "simplify",
    "scalars",
    "simplify",
    "quotients",
    "hoist",
    "cse",
    "simplify",
    "dce",
];

/// All runs one after the other.
pub fn optimise_nest(prog: &mut Prog) {
    NEST_ORDER.iter().for_each(|name| run_on_nest(prog, name));
}

fn run_on_nest(prog: &mut Prog, name: &str) {
    let pass = NEST_PASSES.iter().find(|pass| pass.name == name);
    let pass = pass.unwrap_or_else(|| panic!("pipeline: there is no pass {name}"));
    (pass.run)(prog);
    if cfg!(debug_assertions) {
        nest_is_valid(prog, name);
    }
}

/// From optimised nest to flat.
pub const FLAT_PASSES: &[NestPass] = &[
    NestPass {
        name: "windows",
        about: "windows of matrices are reduced row by row",
        run: nest::windows::windows,
    },
    NestPass {
        name: "loop_order",
        about: "maps over columns that are transposed go through rows",
        run: loop_order::loop_order,
    },
    NestPass {
        name: "registers",
        about: "numbers instead of small arrays in loops of the processor",
        run: registers,
    },
    NestPass { name: "schedule", about: "decide what runs in parallel", run: schedule::schedule },
];

/// What is written out simplifies what is around it.
fn registers(prog: &mut Prog) {
    nest::scalars::registers(prog);
    nest::simplify::simplify_speculating(prog);
    nest::cse::cse(prog);
    nest::dce::dce(prog);
}

/// The map is fused with what is around it.
fn gathers(prog: &mut Prog) {
    if nest::interchange::interchange_for_device(prog) {
        let fuse = NEST_ORDER.iter().position(|name| *name == "fuse");
        NEST_ORDER[fuse.expect("pipeline: nothing is fused")..]
            .iter()
            .for_each(|name| run_on_nest(prog, name));
    }
}

/// From optimised nest to flat, for a device with groups of threads and its host.
pub const DEVICE_PASSES: &[NestPass] = &[
    NestPass {
        name: "gathers",
        about: "a map of loops instead of a loop of maps, also where iterations read other arrays",
        run: gathers,
    },
    NestPass {
        name: "distribute",
        about: "take nests of operators apart, so that each operator is a kernel",
        run: flatten::distribute,
    },
    NestPass {
        name: "elements",
        about: "operators over rows of different lengths work on all elements",
        run: elements::elements,
    },
    NestPass {
        name: "join",
        about: "one kernel for several that are over the same elements, or take them from each other",
        run: join,
    },
    NestPass {
        name: "single",
        about: "short loops over elements run in a single thread of the device",
        run: single::single,
    },
    NestPass {
        name: "sink",
        about: "what only kernels need of the device's numbers, they compute themselves",
        run: sink::sink,
    },
    NestPass {
        name: "share",
        about: "one function for an operator that is in many places",
        run: share::share,
    },
    NestPass { name: "place", about: "decide what the device does, and what its host", run: place::place },
    NestPass {
        name: "layout",
        about: "rows that threads make lie as those who read them like it",
        run: layout::layout,
    },
];

/// For a program whose work is split among devices, behind those for a device.
pub const FISSION_PASSES: &[NestPass] = &[NestPass {
    name: "fission",
    about: "what can be done in parts, on several devices, is a task",
    run: fission::fission,
}];

/// The same on one device, for tests.
pub const CUT_PASSES: &[NestPass] =
    &[NestPass { name: "cut", about: "tasks are done in parts, one after the other", run: cut::cut }];

/// The same as it is for two devices; nobody plans.
pub const AMONG_PASSES: &[NestPass] = &[NestPass {
    name: "cut_among",
    about: "tasks are done in parts, which devices can do at the same time",
    run: |prog| {
        cut::cut_among(prog, 2, false);
    },
}];

/// A placed program with its work in parts, if it is for several devices, or a user wants to see that.
pub fn cut_placed(prog: &mut Prog, tuner: &mut Tuner) {
    let (rows, devices) = (tuner.rows_of_parts(), tuner.devices());
    if rows.is_none() && devices < 2 {
        return;
    }
    match rows {
        Some(_) => run_flat(prog, FISSION_PASSES),
        None => {
            let runs = fission::Runs { count: devices, least: tuner.least_sorted_in_runs() };
            fission::fission_in_runs(prog, runs, tuner.least_rows_of_calls());
            FISSION_PASSES.iter().for_each(|pass| flat_is_valid(prog, pass));
        }
    }
    match rows {
        Some(rows) => cut::cut_at(prog, rows),
        None => {
            let has_blocks = cut::cut_among(prog, devices, tuner.has_processor());
            tuner.note_blocks(has_blocks);
        }
    }
    CUT_PASSES.iter().for_each(|pass| flat_is_valid(prog, pass));
}

/// What was taken apart has neighbours that it had not before.
fn join(prog: &mut Prog) {
    nest::cse::cse(prog);
    flatten::collapse::collapse(prog);
    nest::fuse::fuse_apart(prog);
    nest::cse::cse(prog);
    flatten::kept_rows::kept_rows(prog);
    nest::dce::dce(prog);
    nest::counted_together::counted_together(prog);
    flatten::wide::wide(prog);
}

/// In place of `distribute`, for tests. The interpreter has one worker, for whom outer parallelism is always enough: so that inner
/// parallelism is seen, too.
pub const APART: NestPass = NestPass {
    name: "distribute without versions",
    about: "take nests of operators apart, whatever their sizes",
    run: flatten::distribute_apart,
};

/// The passes for a device with it.
pub fn device_passes_apart() -> Vec<&'static NestPass> {
    DEVICE_PASSES.iter().map(|pass| if pass.name == "distribute" { &APART } else { pass }).collect()
}

/// All of these one after the other.
pub fn to_flat(prog: &mut Prog) {
    run_flat(prog, FLAT_PASSES);
}

/// The same for a device.
pub fn to_device_flat(prog: &mut Prog) {
    to_unplaced(prog);
    place_unplaced(prog);
}

/// The same until it is decided what runs where, which can be surveyed then.
pub fn to_unplaced(prog: &mut Prog) {
    to_unplaced_tuned(prog, &mut Tuner::default());
}

/// The same with thresholds that a user may have set.
pub fn to_unplaced_tuned(prog: &mut Prog, tuner: &mut Tuner) {
    for pass in &DEVICE_PASSES[..place_at()] {
        run_tuned(prog, pass, tuner);
        flat_is_valid(prog, pass);
    }
}

/// Runs a pass that may have thresholds.
pub fn run_tuned(prog: &mut Prog, pass: &NestPass, tuner: &mut Tuner) {
    match pass.name {
        "distribute" => flatten::distribute_tuned(prog, tuner),
        "single" => single::single_tuned(prog, tuner),
        _ => (pass.run)(prog),
    }
}

/// The rest of the way for such a program.
pub fn place_unplaced(prog: &mut Prog) {
    run_flat(prog, &DEVICE_PASSES[place_at()..]);
}

fn place_at() -> usize {
    let at = DEVICE_PASSES.iter().position(|pass| pass.name == "place");
    at.unwrap_or_else(|| panic!("pipeline: nothing is placed"))
}

fn run_flat(prog: &mut Prog, passes: &[NestPass]) {
    for pass in passes {
        (pass.run)(prog);
        flat_is_valid(prog, pass);
    }
}

fn flat_is_valid(prog: &Prog, pass: &NestPass) {
    if cfg!(debug_assertions) {
        norn_ir::nest::grids::verify::expect_valid(prog, pass.name);
    }
}

/// A step that improves an imp program.
pub struct ImpPass {
    pub name: &'static str,
    pub about: &'static str,
    /// Whether it changes programs for a device and its host alone.
    pub is_for_device: bool,
    pub run: fn(&mut imp::Prog),
}

pub const IMP_PASSES: &[ImpPass] = &[
    ImpPass {
        name: "checks",
        about: "what fails in every iteration fails before the loop",
        is_for_device: false,
        run: checks::checks,
    },
    ImpPass {
        name: "epilogue",
        about: "a kernel of one group ends the kernel before it",
        is_for_device: true,
        run: epilogue::epilogue,
    },
    ImpPass {
        name: "invariants",
        about: "what each iteration of a loop of the host needs of the same memory is computed once",
        is_for_device: true,
        run: invariants::invariants,
    },
    ImpPass {
        name: "reads",
        about: "the host waits once for all that it reads at a time",
        is_for_device: true,
        run: reads::reads,
    },
    ImpPass {
        name: "frames",
        about: "functions of kernels that call themselves become loops with a stack",
        is_for_device: true,
        run: frames::frames,
    },
    ImpPass {
        name: "vectorise",
        about: "loops work on several elements at a time",
        is_for_device: false,
        run: vectorise::vectorise,
    },
    ImpPass {
        name: "remainders",
        about: "remainders and quotients of what a loop counts are counted, too",
        is_for_device: false,
        run: remainders::remainders,
    },
    ImpPass {
        name: "outline",
        about: "long runs of statements become functions",
        is_for_device: false,
        run: outline::outline,
    },
];

/// All of these one after the other, until the one that is named, if one is.
pub fn improve_imp(prog: &mut imp::Prog, last: Option<&str>) {
    for pass in IMP_PASSES {
        (pass.run)(prog);
        if cfg!(debug_assertions) {
            imp::verify::expect_valid(prog, pass.name);
        }
        if last == Some(pass.name) {
            return;
        }
    }
}

fn nest_is_valid(prog: &Prog, pass: &str) {
    use norn_ir::nest::verify::{Stage, expect_valid, verify};
    // A program whose regions are not inferred yet may be improved too.
    if !verify(prog, Stage::BeforeRegions).is_empty() {
        expect_valid(prog, Stage::Complete, pass);
    }
}
