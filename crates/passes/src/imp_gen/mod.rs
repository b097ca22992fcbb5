//! From flat to imp: arrays become memory, operators become loops and kernels.
//!
//! ```text
//! let ys: [n]f32 = grid 1000 map n (xs) \(x: f32) { .. }      a kernel, which loops over its chunk, and its launch
//! let zs: [m]f32 = ys[a:b]                                    the pointer `ys + a`, and nothing else
//! let ws: [m]f32 = zs with [0] = 1                            one store
//! ```
//!
//! Needs: flat, with regions. Gives: imp, all functions with entry points and constants. Keeps: what fails, where, with which
//! operands. Refuses: what is listed as `Unsupported`, with its place.
//!
//! Method. Variables have a representation (`repr`): scalars are variables, arrays are pointers with a layout that is
//! known here, so that slices, transpositions and reshapes cost nothing. Where control flow joins and at the borders of
//! functions arrays are row-major parts. Blocks of memory are reference-counted; ownership is decided here (`owners`), so
//! that counts change only where two variables share a block. What is consumed is overwritten in place: rule N12 of nest
//! guarantees that nothing reads it afterwards. A result with a known destination (a row of an output, a branch) is
//! computed there where possible (`short_circuit`).
//!
//! Cost: linear in the program, but the lambda of an operator is translated once for each way it is used.

mod arrays;
mod bodies;
mod calls;
mod cells;
mod checks;
mod control;
mod copy;
mod counted;
mod device;
mod entries;
mod exp;
mod gather;
mod in_place;
mod irregular;
mod kernels;
mod operators;
mod owners;
mod repr;
mod short_circuit;
mod state;
mod totals;
mod updates;
mod views;

use crate::tuning::Tuner;
pub use counted::counted_vars;
pub use device::GROUP;
pub use device::from_nest::{Inner, KernelForm, has_grids};
pub use device::groups::{FEW, FEW_THREADS, inner_map, shared_by_hist};
pub use device::kernel::Kernel;
pub use device::map::is_done_by_elements;
pub use device::room::{Combined, kept_by_thread, scan_room};
pub use in_place::{made_in_place, origin};
use norn_ir::imp;
use norn_ir::imp::build::CodeBuilder;
use norn_ir::nest::calls::{call_groups, callees};
use norn_ir::nest::{self, FunId};
pub(crate) use operators::elementwise;
pub use operators::elementwise::{any_order, joined, primitive_columns};
pub use owners::uses_of_stm;
use rustc_hash::{FxHashMap, FxHashSet};
pub use state::Unsupported;
use state::{Gen, Output, OwnRows, Where};
use std::cell::OnceCell;

pub fn imp_gen(prog: &nest::Prog) -> Result<imp::Prog, Vec<Unsupported>> {
    imp_gen_tuned(prog, &mut Tuner::default())
}

/// With numbers for kernels that a user may have set.
pub fn imp_gen_tuned(prog: &nest::Prog, tuner: &mut Tuner) -> Result<imp::Prog, Vec<Unsupported>> {
    tuner.begin_pass();
    let recursive = recursive_funs(prog);
    let mut out = Output { shares_work: tuner.devices() > 1, ..Output::default() };
    let mut funs = Vec::with_capacity(prog.funs.len());
    for (i, fun) in prog.funs.iter().enumerate() {
        funs.push(function(prog, fun, recursive[i], &mut out, tuner));
    }
    let mut consts = Vec::with_capacity(prog.consts.len());
    for constant in &prog.consts {
        consts.push(imp::Const { fun: imp::FunId(funs.len() as u32) });
        funs.push(constant_function(constant.fun, &funs[constant.fun.0 as usize], &mut out));
    }
    if !out.unsupported.is_empty() {
        return Err(out.unsupported);
    }
    Ok(imp::Prog {
        datas: prog.datas.clone(),
        funs,
        kernels: out.kernels,
        group_kernels: out.group_kernels,
        consts,
        sites: out.sites.finish(),
        entries: prog.entries.iter().map(|entry| entries::entry(prog, entry)).collect(),
        ifaces: prog.ifaces.clone(),
    })
}

/// A function of the host with the variables of its kernels, and these, by the operators in its body; nothing for other functions.
pub fn device_kernels(fun: &nest::Fun) -> Option<(nest::Fun, FxHashMap<*const nest::Operator, KernelForm>)> {
    let mut with_kernels = (Where::of(fun) == Where::Host).then(|| fun.clone())?;
    let kernels = device::from_nest::kernels_of(&mut with_kernels, &mut Tuner::default());
    Some((with_kernels, kernels))
}

fn function(
    prog: &nest::Prog,
    fun: &nest::Fun,
    recursive: bool,
    out: &mut Output,
    tuner: &mut Tuner,
) -> imp::Fun {
    let counted_vars = counted_vars(&fun.vars, &fun.body);
    let at = Where::of(fun);
    let mut with_kernels = fun.clone();
    let kernels = match at {
        Where::Host => device::from_nest::kernels_of(&mut with_kernels, tuner),
        Where::Cpu | Where::Thread | Where::Group => FxHashMap::default(),
    };
    let fun = &with_kernels;
    let mut used_vars = FxHashSet::default();
    owners::uses_of_body(&fun.body, &mut |var| {
        used_vars.insert(var);
    });
    let mut this = Gen {
        prog,
        fun,
        code: CodeBuilder::new(),
        env: FxHashMap::default(),
        away: FxHashMap::default(),
        owners: owners::Owners::default(),
        places: FxHashMap::default(),
        offsets: FxHashMap::default(),
        filters: None,
        from_zero: FxHashSet::default(),
        sums: FxHashSet::default(),
        reserved: FxHashMap::default(),
        transposed_at_once: match at {
            Where::Host => device::layouts::transposed_at_once(fun),
            Where::Cpu | Where::Thread | Where::Group => FxHashMap::default(),
        },
        made_transposed: FxHashMap::default(),
        kernels: &kernels,
        pool: None,
        group_size: device::GROUP,
        counted_vars: &counted_vars,
        used_vars: &used_vars,
        part: None,
        own_rows: OwnRows::default(),
        task_elements: imp::Exp::i64(0),
        grain: 1,
        rooms: FxHashSet::default(),
        updates_in_place: FxHashMap::default(),
        updates: OnceCell::new(),
        written_by_part: FxHashMap::default(),
        inside_loops: usize::from(at == Where::Thread),
        may_jam: true,
        jams: 0,
        at,
        span: fun.span,
        out,
    };
    this.owners.enter(&fun.body);
    let mut params = Vec::new();
    for param in &fun.params {
        this.bind_param(param.var, &mut params);
    }
    this.statements(&fun.body);
    if fun.is_show() {
        this.show();
    }
    let results = this.results(&fun.body.result);
    this.end_body();
    this.code.finish_fun(fun.name.clone(), params, results, recursive, fun.span)
}

/// What computes a constant makes the regions that its function takes, and yields them first.
fn constant_function(id: FunId, fun: &imp::Fun, out: &mut Output) -> imp::Fun {
    let mut code = CodeBuilder::new();
    let regions: Vec<imp::Var> =
        fun.params.iter().map(|_| code.new_var("region", imp::Type::Region)).collect();
    regions.iter().for_each(|region| code.push(imp::Stmt::RegionNew(*region)));
    let values: Vec<imp::Var> = fun.ret.iter().map(|ty| code.new_var("value", *ty)).collect();
    // The statement that asks for the constant is in the trace already.
    let site = out.sites.add(imp::SiteKind::Operator("constant".into()), fun.span);
    let args = regions.iter().map(|region| (*region).into()).collect();
    code.push(imp::Stmt::Call { fun: imp::FunId(id.0), args, results: values.clone(), site });
    let results = regions.into_iter().chain(values).map(imp::Exp::Var).collect();
    code.finish_fun(format!("constant_{}", fun.name), Vec::new(), results, false, fun.span)
}

/// Which functions may call themselves, by way of others or not.
fn recursive_funs(prog: &nest::Prog) -> Vec<bool> {
    let mut recursive = vec![false; prog.funs.len()];
    for group in call_groups(prog) {
        for id in &group {
            let at = id.0 as usize;
            recursive[at] = group.len() > 1 || callees(prog, &prog.funs[at].body).contains(&at);
        }
    }
    recursive
}
