//! Calls of functions that read parts of arrays are replaced by their bodies, before a function is differentiated in reverse.
//!
//! ```text
//! map m (is) \(i) {                              map m (is) \(i) {
//!   let y: f64 = call element (n, xs, i)  ==>      let y: f64 = index xs [i]
//!   in y                                           in y
//! }                                              }
//! ```
//!
//! What a function yields of the adjoint of an array is all of it: an array as large, zero but for what the function reads. In a lambda each thread would have one, and in a loop each iteration. And it does
//! not know that the numbers which it maps over are 0, 1, .., nor that as many of them as the array is long. In place
//! of the call, what is read is an entry (`reverse/adjoint`), as if the function had never been one: a lambda of the source is a function here, too. So are those that compute where something is read, such
//! as `i64.min` and `iota`, of which the return sweep knows more than that they yield a number (`reverse/shifts`).
//!
//! Refuses: functions that call themselves, those with a derivative of their own or with the attribute `noinline`, and large ones once there is much already: they keep their call.

use crate::Work;
use norn_base::FileId;
use norn_ir::nest::calls::callees;
use norn_ir::nest::derivative::Custom;
use norn_ir::nest::splice::{library_files, splice_seen};
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Dim, DimIndex, Exp, Fun, FunId, Prog, Stm, Type, Var, VarInfo,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashSet;

/// How many statements are put in place of calls in a function.
const ROOM: usize = 4000;
/// A function that computes a place has at most as many statements.
const LITTLE: usize = 8;

/// What is known of functions. They do not change any more when somebody asks.
pub struct Known {
    /// Of each parameter, whether only parts of it are read somewhere. Looked up only, as all of these.
    parts: FxHashMap<FunId, Vec<bool>>,
    recursive: FxHashMap<FunId, bool>,
    /// The files of functions of the library.
    library: HashSet<FileId>,
}

/// The function, without such calls.
pub fn with_parts_in_place(work: &mut Work, mut fun: Fun) -> Fun {
    let is_library = fun.attrs.iter().any(|attr| attr == "library");
    let Work { prog, customs, functions, .. } = work;
    let mut caller = Caller { prog, customs, known: functions, room: ROOM, is_library };
    let mut body = std::mem::take(&mut fun.body);
    caller.body(&mut fun.vars, &mut body);
    fun.body = body;
    fun
}

struct Caller<'a> {
    prog: &'a Prog,
    customs: &'a [Custom],
    known: &'a mut Known,
    room: usize,
    is_library: bool,
}

impl Caller<'_> {
    fn body(&mut self, vars: &mut Vec<VarInfo>, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            if let Exp::Control(ControlExp::Call { fun, args }) = &stm.exp
                && self.is_worth_it(*fun)
            {
                let prog = self.prog;
                let library = (!self.is_library).then_some(&self.known.library);
                let mut inner = Body::default();
                let callee = &prog.funs[fun.0 as usize];
                splice_seen(vars, &mut inner.stms, callee, args, &stm, library);
                self.body(vars, &mut inner);
                body.stms.extend(inner.stms);
                continue;
            }
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(vars, body),
                PartMut::Lambda(lambda) => self.body(vars, &mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            body.stms.push(stm);
        }
    }

    fn is_worth_it(&mut self, id: FunId) -> bool {
        let prog = self.prog;
        let fun = &prog.funs[id.0 as usize];
        let is_own = self.customs.iter().any(|custom| custom.of == id)
            || fun.is_show()
            || fun.attrs.iter().any(|attr| attr == "noinline");
        let is_needed = is_place(fun) || self.known.parts(prog, id).contains(&true);
        if is_own || !is_needed || self.known.is_recursive(prog, id) {
            return false;
        }
        let size = fun.body.statements();
        let fits = size <= self.room;
        if fits {
            self.room -= size;
        }
        fits
    }
}

impl Known {
    pub fn new(prog: &Prog) -> Known {
        Known { parts: FxHashMap::default(), recursive: FxHashMap::default(), library: library_files(prog) }
    }

    fn is_recursive(&mut self, prog: &Prog, id: FunId) -> bool {
        if let Some(known) = self.recursive.get(&id) {
            return *known;
        }
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut left = vec![id.0 as usize];
        while let Some(next) = left.pop() {
            let new = callees(prog, &prog.funs[next].body);
            left.extend(new.into_iter().filter(|callee| seen.insert(*callee)));
        }
        let is = seen.contains(&(id.0 as usize));
        self.recursive.insert(id, is);
        is
    }

    /// Of each parameter of a function, whether only parts of it are read somewhere.
    fn parts(&mut self, prog: &Prog, id: FunId) -> Vec<bool> {
        if let Some(known) = self.parts.get(&id) {
            return known.clone();
        }
        let fun = &prog.funs[id.0 as usize];
        // While it is being looked at, of a function that calls itself.
        self.parts.insert(id, vec![false; fun.params.len()]);
        let mut reads = Reads { names: FxHashMap::default(), found: vec![false; fun.params.len()] };
        for (at, param) in fun.params.iter().enumerate() {
            if fun.vars[param.var.0 as usize].ty.is_array() {
                reads.names.insert(param.var, at);
            }
        }
        self.reads_of(prog, fun, &fun.body, &mut reads);
        self.parts.insert(id, reads.found.clone());
        reads.found
    }

    fn reads_of(&mut self, prog: &Prog, fun: &Fun, body: &Body, reads: &mut Reads) {
        for stm in &body.stms {
            match &stm.exp {
                Exp::Array(ArrayExp::Index { array, slice })
                    if is_part(slice, fun.vars[array.0 as usize].ty.dims()) =>
                {
                    reads.note(*array);
                }
                Exp::Array(ArrayExp::FlatIndex { array, .. }) => reads.note(*array),
                Exp::Array(ArrayExp::Copy(array))
                | Exp::Array(ArrayExp::Coerce { array, .. } | ArrayExp::Rearrange { array, .. }) => {
                    reads.rename(*array, stm.vars[stm.vars.len() - 1]);
                }
                Exp::Control(ControlExp::Call { fun: callee, args }) => {
                    let parts = self.parts(prog, *callee);
                    for (arg, _) in args.iter().zip(parts).filter(|(_, part)| *part) {
                        arg.var().into_iter().for_each(|array| reads.note(array));
                    }
                }
                Exp::Op(op) => reads.rows(stm, op.inputs()),
                Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) => {}
            }
            stm.for_each_part(&mut |part| match part {
                Part::Body(body) => self.reads_of(prog, fun, body, reads),
                Part::Lambda(lambda) => self.reads_of(prog, fun, &lambda.body, reads),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
        }
    }
}

/// Which parameters are read in part.
struct Reads {
    /// Variables that are a parameter, or rows of it.
    names: FxHashMap<Var, usize>,
    found: Vec<bool>,
}

impl Reads {
    fn note(&mut self, array: Var) {
        if let Some(at) = self.names.get(&array) {
            self.found[*at] = true;
        }
    }

    fn rename(&mut self, array: Var, to: Var) {
        if let Some(at) = self.names.get(&array) {
            self.names.insert(to, *at);
        }
    }

    /// The rows that a lambda takes of inputs of its operator.
    fn rows(&mut self, stm: &Stm, inputs: &[Var]) {
        stm.for_each_part(&mut |part| {
            if let Part::Lambda(lambda) = part
                && lambda.params.len() == inputs.len()
            {
                inputs.iter().zip(&lambda.params).for_each(|(input, param)| self.rename(*input, *param));
            }
        });
    }
}

/// Whether it computes by little, of numbers alone, an integer or a range of them: where something is in an array, perhaps.
fn is_place(fun: &Fun) -> bool {
    let [ret] = &fun.ret[..] else { return false };
    ret.ty.with_dims(Vec::new()) == Type::i64()
        && fun.params.iter().all(|param| fun.vars[param.var.0 as usize].ty.is_scalar())
        && is_simple(&fun.body)
}

/// A few numbers, ranges and choices.
fn is_simple(body: &Body) -> bool {
    body.stms.len() <= LITTLE
        && body.stms.iter().all(|stm| match &stm.exp {
            Exp::Scalar(_) | Exp::Control(ControlExp::Call { .. } | ControlExp::Check(_)) => true,
            Exp::Control(ControlExp::If { cond: _, then, els }) => is_simple(then) && is_simple(els),
            Exp::Array(ArrayExp::Range { .. } | ArrayExp::Coerce { .. }) => true,
            Exp::Array(_) | Exp::Control(_) | Exp::Cell(_) | Exp::Op(_) => false,
        })
}

/// Whether it is not all of an array with these dimensions.
fn is_part(slice: &[DimIndex], dims: &[Dim]) -> bool {
    slice.iter().zip(dims).any(|(at, dim)| match at {
        DimIndex::Fix(_) => true,
        DimIndex::Slice { start, stride, count } => {
            (*start, *stride, Dim::Size(*count)) != (Atom::i64(0), Atom::i64(1), *dim)
        }
    })
}
