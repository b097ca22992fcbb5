//! Loops over elements of arrays run in a single thread of the device, unless the processor is faster. So do runs of statements about a few numbers (`runs`).
//!
//! Before:
//! ```text
//! let s: f32 = loop (s: f32 = 0f32) for i: i64 < n { .. xs[i] .. }     // nothing in it is done in parallel
//! ```
//! After:
//! ```text
//! let short: bool = ..                              // by the work, and the bytes that the processor would have to fetch
//! let s: f32 = if short {
//!   let ss: [1]f32 = map 1 (only) \(at: i64) { let s: f32 = loop .. in s }
//!   let s: f32 = index ss [0]
//!   in s
//! } else {
//!   #[processor] let s: f32 = loop ..
//!   in s
//! }
//! ```
//!
//! One thread of a device is slow, but its arrays need not leave the memory of the device, and nobody waits for it. So a loop over a small table
//! stays there, and a long one goes to the processor. A program that must leave nothing to the
//! processor (`Tuner::is_strict`) has no such test. In such a program, a thread also makes calls of functions that call themselves and have arrays as arguments or results.
//!
//! Needs: nest, distributed. Gives: the same, with `workers` and attributes. Keeps: results and failures. Refuses: loops that a thread cannot run (`able`),
//! that show values, or whose results have rows of different lengths; entry points that have nothing for the device, unless the program is strict.
//! Method: from the entry points, the functions that the host runs. What the loop consumes is copied in the thread, since a lambda consumes nothing from
//! outside. Where a function is called by threads, too, its host gets a version of its own. Cost: linear; of each loop there are at most two copies.

mod runs;
mod written_out;

use crate::nest::effects::{Effects, effects};
use crate::nest::memory::{Signature, signatures};
use crate::nest::mentions;
use crate::nest::subst::{Names, Subst};
use crate::place::able::{Able, RunsOn};
use crate::schedule::amount::{Amount, Factor};
use crate::schedule::emit::Emit;
use crate::schedule::work::{FunWork, work};
use crate::tuning::{NEVER, THRESHOLD, Tuner};
use norn_base::Span;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Elem, Exp, FunId, Lambda, Operator, Prim, Prog,
    Scalar, Stm, Type, Var,
};
use std::collections::{HashMap, HashSet};

/// The attribute of a statement that is left to the processor because it costs less there.
pub const PROCESSOR: &str = "processor";

/// So much work takes a single thread as long as it takes the processor to wait for the device, and to fetch and return a few bytes.
const SHORT: i64 = 1 << 9;
/// The processor moves so many bytes while a single thread does one operation.
const BYTES: i64 = 1 << 9;

pub fn single(prog: &mut Prog) {
    single_tuned(prog, &mut Tuner::default());
}

/// With thresholds that a user may have set.
pub fn single_tuned(prog: &mut Prog, tuner: &mut Tuner) {
    tuner.begin_pass();
    let (able, effects, work, signatures) = (Able::new(prog), effects(prog), work(prog), signatures(prog));
    let mut reached: Vec<FunId> = Vec::new();
    let all: Vec<FunId> = match prog.entries.is_empty() {
        true => (0..prog.funs.len() as u32).map(FunId).collect(),
        false => prog.entries.iter().map(|entry| entry.fun).collect(),
    };
    for fun in all {
        if !reached.contains(&fun) && (tuner.is_strict() || able.runs_at_host(fun)) {
            reached.push(fun);
        }
    }
    let for_threads = called_by_threads(prog);
    let consumes: Vec<bool> =
        prog.funs.iter().map(|fun| fun.params.iter().any(|param| param.unique)).collect();
    let handles_arrays: Vec<bool> =
        prog.funs.iter().map(|fun| fun.vars.iter().any(|info| info.ty.is_array())).collect();
    let mut at_host: HashMap<FunId, FunId> = HashMap::new();
    let mut next = 0;
    while let Some(id) = reached.get(next).copied() {
        next += 1;
        let mut fun = prog.funs[id.0 as usize].clone();
        tuner.begin_fun(&fun.name);
        let names = Names::of(&signatures, &mut fun);
        let work = &work[id.0 as usize];
        let mut pass = Single {
            names,
            able: &able,
            effects: &effects,
            consumes: &consumes,
            handles_arrays: &handles_arrays,
            signatures: &signatures,
            work,
            tuner,
            loops: 0,
            called: Vec::new(),
            from_device: HashSet::new(),
        };
        pass.body(&mut fun.body);
        let Single { names, called, loops, .. } = pass;
        fun.vars = names.vars;
        for callee in called {
            if !reached.contains(&callee) {
                reached.push(callee);
            }
        }
        if loops == 0 {
            at_host.insert(id, id);
            continue;
        }
        normalise_fun(&mut fun);
        if for_threads.contains(&id) {
            at_host.insert(id, FunId(prog.funs.len() as u32));
            prog.funs.push(fun);
        } else {
            at_host.insert(id, id);
            prog.funs[id.0 as usize] = fun;
        }
    }
    if at_host.iter().all(|(old, new)| old == new) {
        return;
    }
    prog.entries.iter_mut().for_each(|entry| entry.fun = of(&at_host, entry.fun));
    for fun in reached {
        call_at_host(&mut prog.funs[of(&at_host, fun).0 as usize].body, &at_host);
    }
}

fn of(at_host: &HashMap<FunId, FunId>, fun: FunId) -> FunId {
    at_host.get(&fun).copied().unwrap_or(fun)
}

/// The host calls its versions.
fn call_at_host(body: &mut Body, at_host: &HashMap<FunId, FunId>) {
    for stm in &mut body.stms {
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = &mut stm.exp {
            *fun = of(at_host, *fun);
        }
        stm.for_each_part_mut(&mut |part| {
            if let PartMut::Body(body) = part {
                call_at_host(body, at_host);
            }
        });
    }
}

/// How many elements an array has that a loop carries, as far as that is known before.
fn elements(ty: &Type, stm: &Stm) -> Amount {
    let inside = mentions::bound_inside(stm);
    ty.dims().iter().fold(Amount::from(1), |count, dim| match dim.atom() {
        Some(Atom::Var(size)) if !inside.contains(&size) => count.times(&Factor::Size(size).into()),
        Some(Atom::Const(Scalar::I64(size))) => count.times(&u64::try_from(size).unwrap_or(0).into()),
        Some(Atom::Var(_) | Atom::Const(_)) | None => count,
    })
}

/// The functions that lambdas call, and those that these call.
pub fn called_by_threads(prog: &Prog) -> HashSet<FunId> {
    let mut found = HashSet::new();
    prog.funs.iter().for_each(|fun| calls_in(&fun.body, false, &mut |fun| _ = found.insert(fun)));
    let mut to_visit: Vec<FunId> = found.iter().copied().collect();
    while let Some(fun) = to_visit.pop() {
        calls_in(&prog.funs[fun.0 as usize].body, true, &mut |callee| {
            if found.insert(callee) {
                to_visit.push(callee);
            }
        });
    }
    found
}

/// The calls in lambdas, or everywhere.
fn calls_in(body: &Body, everywhere: bool, f: &mut dyn FnMut(FunId)) {
    for stm in &body.stms {
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = &stm.exp
            && everywhere
        {
            f(*fun);
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => calls_in(body, everywhere, f),
            Part::Lambda(lambda) => calls_in(&lambda.body, true, f),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}

struct Single<'a> {
    names: Names,
    able: &'a Able,
    effects: &'a Effects,
    /// Of each function, whether it consumes an argument.
    consumes: &'a [bool],
    /// Of each function, whether it has arrays, be it in cells.
    handles_arrays: &'a [bool],
    signatures: &'a [Signature],
    work: &'a FunWork,
    tuner: &'a mut Tuner,
    /// How many were found.
    loops: usize,
    /// What the host calls.
    called: Vec<FunId>,
    /// What operators yield, and what is read from arrays or computed of these.
    from_device: HashSet<Var>,
}

impl Single<'_> {
    /// A body that the host runs.
    fn body(&mut self, body: &mut Body) {
        self.runs(body);
        for mut stm in std::mem::take(&mut body.stms) {
            match (self.able.runs_on(&self.names.vars, &stm), &mut stm.exp) {
                (RunsOn::Device, _) => {}
                (RunsOn::Cpu, Exp::Control(ControlExp::Loop { .. })) => {
                    if self.fits_thread(&stm) {
                        self.in_thread(stm, &mut body.stms);
                        continue;
                    }
                }
                (RunsOn::Cpu, Exp::Control(ControlExp::Call { fun, args })) => {
                    let (fun, args) = (*fun, args.clone());
                    if self.tuner.is_strict() && self.recursion_fits_thread(&stm, fun, &args) {
                        self.loops += 1;
                        self.map_of_one(stm, &mut body.stms);
                        continue;
                    }
                    self.called.push(fun);
                }
                (_, Exp::Control(ControlExp::Call { fun, args: _ })) => self.called.push(*fun),
                (_, exp) => exp.for_each_part_mut(&mut |part| {
                    if let PartMut::Body(body) = part {
                        self.body(body);
                    }
                }),
            }
            body.stms.push(stm);
        }
    }

    /// Whether a call is recursion over arrays that stay as they are, or over cells with arrays, which a thread can run.
    fn recursion_fits_thread(&self, stm: &Stm, fun: FunId, args: &[Atom]) -> bool {
        let is_array = |var: Var| self.names.ty(var).is_array();
        let has_arrays =
            args.iter().filter_map(|arg| arg.var()).chain(stm.vars.iter().copied()).any(is_array);
        (has_arrays || self.handles_arrays[fun.0 as usize])
            && !self.consumes[fun.0 as usize]
            && self.effects.is_recursive(fun)
            && self.fits_thread(stm)
    }

    /// Whether a thread can run the statement, and store what it yields.
    fn fits_thread(&self, stm: &Stm) -> bool {
        let inner_sizes_are_known = |var: &Var| match self.names.ty(*var) {
            Type::Value(Elem::Prim(_) | Elem::Ref(..), dims) => dims
                .iter()
                .skip(1)
                .all(|dim| dim.atom().and_then(Atom::var).is_none_or(|size| !stm.vars.contains(&size))),
            Type::Seg { .. } | Type::Acc(_) | Type::Region | Type::Cert => false,
        };
        !stm.vars.is_empty()
            && self.able.fits_thread(&self.names.vars, stm)
            && stm.vars.iter().all(inner_sizes_are_known)
            && !self.effects.stm_shows(stm)
    }

    /// The loop as a map of one element, or as that and as it was.
    fn in_thread(&mut self, stm: Stm, out: &mut Vec<Stm>) {
        self.loops += 1;
        let usual = if self.tuner.is_strict() { "`never`" } else { "by work and sizes" };
        let limit = self.tuner.ask(self.loops, "processor", usual, THRESHOLD, stm.span);
        let limit = limit.or_else(|| self.tuner.is_strict().then_some(NEVER));
        let mut work = self.work.of_loop(&stm).cloned().unwrap_or_default();
        if let Exp::Control(ControlExp::Loop { params, .. }) = &stm.exp {
            for (param, _) in params.iter().filter(|(param, _)| param.unique) {
                work = work.plus(&elements(self.names.ty(param.var), &stm));
            }
        }
        let is_short = match limit {
            None => work.is_below(SHORT as u64 + 1),
            Some(limit) => limit == NEVER || work.constant().is_some_and(|work| (work as i64) < limit),
        };
        if is_short {
            return self.map_of_one(stm, out);
        }
        let mut cond = self.is_short(&stm, &work, limit, out);
        if limit.is_none()
            && let Some(number) = self.tuner.ask_at_run_time(self.loops, "processor")
        {
            let mut emit = Emit::new(&mut self.names.vars, out, stm.span);
            let (set, work) = (emit.tunable(number), emit.amount(&work));
            let is_long = emit.at_most("long", set, work);
            let is_short = emit.not("short", is_long);
            cond = emit.by_tunable(set, is_short, cond);
        }
        let (vars, certs, span) = (stm.vars.clone(), stm.certs.clone(), stm.span);
        let atoms = |vars: &[Var]| vars.iter().map(|var| Atom::Var(*var)).collect();
        let mut subst = Subst::default();
        let there = self.names.copy_stm(&mut subst, &stm);
        let mut then = Body { stms: Vec::new(), result: atoms(&there.vars) };
        self.map_of_one(there, &mut then.stms);
        let mut here = Stm { vars: self.names.like(&stm.vars), ..stm };
        here.attrs.push(PROCESSOR.to_string());
        let els = Body { result: atoms(&here.vars), stms: vec![here] };
        out.push(Stm { certs, ..Stm::new(vars, Exp::if_(cond, then, els), span) });
    }

    /// Whether a thread of the device is done before the processor would be.
    fn is_short(&mut self, stm: &Stm, work: &Amount, limit: Option<i64>, out: &mut Vec<Stm>) -> Atom {
        let mut arrays = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut arrays);
        let inside = mentions::bound_inside(stm);
        arrays.retain(|var| self.names.ty(*var).is_array() && !inside.contains(var));
        arrays.sort_unstable();
        arrays.dedup();
        let types: Vec<Type> = arrays.iter().map(|var| self.names.ty(*var).clone()).collect();
        let mut emit = Emit::new(&mut self.names.vars, out, stm.span);
        let work = emit.amount(work);
        if let Some(limit) = limit {
            return emit.at_most("short", work, Atom::i64(limit.saturating_sub(1)));
        }
        let mut limit = Atom::i64(SHORT);
        for ty in types {
            let mut sizes = ty.dims().iter().filter_map(|dim| dim.atom());
            let first = sizes.next().unwrap_or(Atom::i64(1));
            let count = sizes.fold(first, |count, size| emit.bin(BinOp::Mul, "count", count, size));
            let moved = emit.bin(BinOp::Quot, "moved", count, Atom::i64(BYTES / ty.elem_bytes().max(1)));
            limit = emit.bin(BinOp::Add, "limit", limit, moved);
        }
        emit.at_most("short", work, limit)
    }

    fn map_of_one(&mut self, mut stm: Stm, out: &mut Vec<Stm>) {
        let span = stm.span;
        let certs = stm.certs.clone();
        let mut body = Body::default();
        if let Exp::Control(ControlExp::Loop { params, form: _, body: _ }) = &mut stm.exp {
            for (param, first) in params {
                if let (true, Atom::Var(array)) =
                    (param.unique && self.names.ty(param.var).is_array(), *first)
                {
                    let copy = self.names.like(&[array])[0];
                    body.stms.push(Stm::new(vec![copy], Exp::copy(array), span));
                    *first = copy.into();
                }
            }
        }
        let vars = stm.vars.clone();
        stm.vars = self.names.like(&vars);
        body.result = stm.vars.iter().map(|var| (*var).into()).collect();
        body.stms.push(stm);
        self.map_of_body(body, &vars, (certs, span), out);
    }

    /// A map of one element with this body, whose results become these variables.
    fn map_of_body(&mut self, body: Body, vars: &[Var], (certs, span): (Vec<Var>, Span), out: &mut Vec<Stm>) {
        let one = Atom::i64(1);
        let mut after = Vec::new();
        let mut arrays = Vec::new();
        for var in vars {
            let ty = self.names.ty(*var).clone();
            let name = self.names.name(*var);
            let is_new = |dim: &Dim| dim.atom().and_then(Atom::var).is_some_and(|size| vars.contains(&size));
            let at = vec![DimIndex::Fix(Atom::i64(0))];
            let mut dims = ty.dims().to_vec();
            let varies = dims.first().is_some_and(is_new);
            if varies {
                dims[0] = Dim::Irregular;
            }
            let array = self.names.fresh(&name, ty.with_dims(dims).array_of(Dim::Size(one)));
            arrays.push(array);
            if !varies {
                after.push(Stm::new(vec![*var], Exp::index(array, at), span));
                continue;
            }
            let row = self.names.row_params(array);
            let is = row[1];
            after.push(Stm::new(row, Exp::index(array, at), span));
            let dims = ty.dims().to_vec();
            after.push(Stm::new(vec![*var], Exp::Array(ArrayExp::Coerce { array: is, dims }), span));
        }
        let only = self.names.fresh("only", Type::array(Prim::I64, vec![Dim::Size(one)]));
        out.push(Stm::new(vec![only], Exp::iota(one), span));
        let params = self.names.row_params(only);
        let exp =
            Exp::Op(Operator::Map { width: one, inputs: vec![only], lambda: Lambda::new(params, body) });
        out.push(Stm { certs, ..Stm::new(arrays, exp, span) });
        out.append(&mut after);
    }
}
