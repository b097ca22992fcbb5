//! Streams become grids over chunks: what a device knows are maps, reductions and loops.
//!
//! Before:
//! ```text
//! let s: f32 = stream n (xs) reduce \(a: f32, b: f32) { .. } do \(size: i64, chunk: [size]f32) { .. loop .. chunk[i] .. }
//! ```
//! After:
//! ```text
//! let each: i64 = ..                                      // n by the threads that run at once, and at least as much as an accumulator has
//! let ss: [chunks]f32 = map chunks (iota) \(t: i64) {     // sequential_inner: one thread for each chunk
//!   let size: i64 = ..
//!   let chunk: [size]f32 = index xs [t * each : size]
//!   .. loop .. chunk[i] ..
//! }
//! let s: f32 = reduce chunks (ss) neutral (..) \(a: f32, b: f32) { .. }
//! ```
//!
//! The result does not depend on how the input is cut. So a stream is one chunk, all of its input, where that is best:
//! - if nothing in the body goes through the chunk one element after the other, its operators are kernels over all elements;
//! - inside a map, and in a function that one calls, a thread has all of the chunk;
//! - if chunks follow each other (`seq`), nothing is gained by cutting.
//!
//! Chunks whose elements may come from anywhere take every so manieth element, so that neighbouring threads read neighbours. What a chunk yields for
//! each of its elements is stored in a row of a matrix, whose rows are as long as all chunks but the last; the first `n` elements are the result. The
//! neutral element is what an empty chunk yields.
//!
//! Keeps: results and failures, the work up to a constant. Refuses: streams of values of recursive types; those that write to accumulators are
//! dealt with in `acc_streams`. Cost: linear; the body of a reducing stream is there twice.

use super::worth::has_cells;
use crate::nest::memory::signatures;
use crate::nest::mentions;
use crate::nest::subst::{Names, Subst};
use crate::schedule::emit::Emit;
use crate::single::called_by_threads;
use norn_base::Span;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Elem, Exp, FunId, Lambda, Operator, Prim, Prog,
    Reduction, Scalar, Stm, StreamForm, Type, Var,
};
use std::collections::HashSet;

/// In all functions; whether there was a stream.
pub fn chunks(prog: &mut Prog) -> bool {
    let signatures = signatures(prog);
    let mut changed = false;
    let by_threads = called_by_threads(prog);
    for (number, fun) in prog.funs.iter_mut().enumerate() {
        let needed = mentions::mentioned(fun);
        let mut pass = Chunks { needed, names: Names::of(&signatures, fun), changed: false };
        pass.body(&mut fun.body, by_threads.contains(&FunId(number as u32)));
        fun.vars = pass.names.vars;
        changed |= pass.changed;
    }
    if changed {
        normalise(prog);
    }
    changed
}

struct Chunks {
    names: Names,
    /// Of each variable, whether somebody mentions it.
    needed: Vec<bool>,
    changed: bool,
}

/// A stream, taken apart.
struct Stream {
    vars: Vec<Var>,
    certs: Vec<Var>,
    span: Span,
    width: Atom,
    form: StreamForm,
    inputs: Vec<Var>,
    lambda: Lambda,
}

impl Chunks {
    fn body(&mut self, body: &mut Body, in_lambda: bool) {
        for mut stm in std::mem::take(&mut body.stms) {
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(body, in_lambda),
                PartMut::Lambda(lambda) => self.body(&mut lambda.body, true),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            let is_plain = |names: &Names, lambda: &Lambda| !has_cells(&names.vars, &lambda.body);
            match stm.exp {
                Exp::Op(Operator::Stream { width, form, inputs, lambda })
                    if is_plain(&self.names, &lambda) =>
                {
                    self.changed = true;
                    let Stm { vars, certs, span, .. } = stm;
                    let stream = Stream { vars, certs, span, width, form, inputs, lambda };
                    match &stream.form {
                        StreamForm::Map { any_order } | StreamForm::Reduce { any_order, op: _ }
                            if !in_lambda && has_loop(&stream.lambda.body) =>
                        {
                            let any_order = *any_order;
                            self.grid(stream, any_order, &mut body.stms);
                        }
                        StreamForm::Map { .. } | StreamForm::Reduce { .. } | StreamForm::Seq { .. } => {
                            self.whole(stream, &mut body.stms);
                        }
                    }
                }
                exp => body.stms.push(Stm { exp, ..stm }),
            }
        }
    }

    /// One chunk.
    fn whole(&mut self, stream: Stream, out: &mut Vec<Stm>) {
        let Stream { vars, certs, span, width, form, inputs, lambda } = stream;
        let init = match form {
            StreamForm::Map { .. } | StreamForm::Reduce { .. } => Vec::new(),
            StreamForm::Seq { init } => init,
        };
        let shared: Vec<Var> = lambda.params.iter().copied().filter(|var| self.is_array(*var)).collect();
        let given = [width].into_iter().chain(init).chain(inputs.iter().map(|var| Atom::Var(*var)));
        let subst = Subst::of(&lambda.params, given);
        let mut body = lambda.body;
        let bound = bound_in(&body);
        let is_new = |names: &Names, results: &[Atom], at: usize| {
            let Some(var) = results[at].var() else { return true };
            let class = |var: Var| names.memory.class(var);
            bound.contains(&var)
                && !shared.iter().any(|other| class(*other) == class(var))
                && !results[..at].iter().filter_map(|atom| atom.var()).any(|other| class(other) == class(var))
                && !mentioned(names, &body)
                    .iter()
                    .any(|other| !bound.contains(other) && class(*other) == class(var))
        };
        let copied: Vec<bool> = (0..vars.len())
            .map(|at| self.is_array(vars[at]) && !is_new(&self.names, &body.result, at))
            .collect();
        subst.body_and_types(&mut self.names.vars, &mut body);
        for stm in &mut body.stms {
            stm.certs.extend(&certs);
        }
        out.append(&mut body.stms);
        for ((var, result), copied) in vars.into_iter().zip(body.result).zip(copied) {
            let exp = match result {
                Atom::Var(array) if copied => Exp::copy(array),
                Atom::Var(array) if self.is_array(array) => {
                    Exp::coerce(array, self.names.ty(var).dims().to_vec())
                }
                result => Exp::atom(result),
            };
            out.push(Stm { certs: certs.clone(), ..Stm::new(vec![var], exp, span) });
        }
    }

    fn is_array(&self, var: Var) -> bool {
        self.names.ty(var).is_array()
    }

    /// A thread for each of as many chunks as run at once.
    fn grid(&mut self, stream: Stream, any_order: bool, out: &mut Vec<Stm>) {
        let Stream { mut vars, certs, span, width, form, inputs, mut lambda } = stream;
        let op = match form {
            StreamForm::Reduce { any_order: _, op } => Some(op),
            StreamForm::Map { .. } | StreamForm::Seq { .. } => None,
        };
        let folded = op.as_ref().map_or(0, |op| op.params.len() / 2);
        for at in (folded..vars.len()).rev() {
            if vars.len() > 1 && !self.needed[vars[at].0 as usize] {
                vars.remove(at);
                lambda.body.result.remove(at);
            }
        }
        let accs: Vec<Type> = vars[..folded].iter().map(|var| self.names.ty(*var).clone()).collect();
        let neutral = match &op {
            Some(_) => self.empty_chunk(&lambda, &inputs, &certs, span, out)[..folded].to_vec(),
            None => Vec::new(),
        };
        let mut emit = Emit::new(&mut self.names.vars, out, span);
        let workers = emit.workers();
        let mut each = divided_up(&mut emit, "each", width, workers);
        for ty in &accs {
            let mut sizes = ty.dims().iter().filter_map(|dim| dim.atom());
            let first = sizes.next().unwrap_or(Atom::i64(1));
            let count = sizes.fold(first, |count, size| emit.bin(BinOp::Mul, "count", count, size));
            each = emit.bin(BinOp::Max, "each", each, count);
        }
        each = emit.bin(BinOp::Max, "each", each, Atom::i64(1));
        let chunks = divided_up(&mut emit, "chunks", width, each);
        let chunks = emit.bin(BinOp::Max, "chunks", chunks, Atom::i64(1));

        let numbers = self.names.fresh("numbers", Type::array(Prim::I64, vec![Dim::Size(chunks)]));
        out.push(Stm::new(vec![numbers], Exp::iota(chunks), span));
        let number = self.names.fresh("number", Type::i64());
        let Lambda { params, mut body } = lambda;
        let mut stms = Vec::new();
        // What is yielded for each element stays in its order.
        let strided = any_order && vars.len() == folded;
        let mut emit = Emit::new(&mut self.names.vars, &mut stms, span);
        let (start, count, stride) = if strided {
            let left = emit.bin(BinOp::Sub, "left", width, number.into());
            (number.into(), divided_up(&mut emit, "count", left, chunks), chunks)
        } else {
            let start = emit.bin(BinOp::Mul, "start", number.into(), each);
            let left = emit.bin(BinOp::Sub, "left", width, start);
            (start, emit.bin(BinOp::Min, "count", left, each), Atom::i64(1))
        };
        stms.push(Stm::new(vec![params[0]], Exp::atom(count), span));
        for (chunk, input) in params[1..].iter().zip(&inputs) {
            let slice = vec![DimIndex::Slice { start, count: params[0].into(), stride }];
            stms.push(Stm::new(vec![*chunk], Exp::index(*input, slice), span));
        }
        body.stms.splice(0..0, stms);
        let mut after = Vec::new();
        let mut arrays = Vec::new();
        for (at, var) in vars.iter().enumerate() {
            let name = self.names.name(*var);
            let ty = self.names.ty(*var).clone();
            if at < folded {
                arrays.push(self.names.fresh(&name, ty.array_of(Dim::Size(chunks))));
                continue;
            }
            let mut dims = ty.dims().to_vec();
            dims[0] = Dim::Size(each);
            let row = ty.with_dims(dims);
            let Atom::Var(part) = body.result[at] else { panic!("distribute: a chunk that is no array") };
            let all = in_row(&mut self.names, part, &row, params[0].into(), span, &mut body.stms);
            body.result[at] = all.into();
            let array = self.names.fresh(&name, row.array_of(Dim::Size(chunks)));
            arrays.push(array);
            let mut emit = Emit::new(&mut self.names.vars, &mut after, span);
            let total = emit.bin(BinOp::Mul, "total", chunks, each);
            let mut dims = ty.dims().to_vec();
            dims[0] = Dim::Size(total);
            let joined = self.names.fresh(&name, ty.with_dims(dims));
            after.push(Stm::new(vec![joined], Exp::reshape(array, 2, vec![total]), span));
            let slice = vec![DimIndex::Slice { start: Atom::i64(0), count: width, stride: Atom::i64(1) }];
            after.push(Stm::new(vec![*var], Exp::index(joined, slice), span));
        }
        let lambda = Lambda::new(vec![number], body);
        let attrs = vec!["sequential_inner".to_string()];
        let map = Exp::map(chunks, vec![numbers], lambda);
        // Numbers are combined by the kernel that goes through the chunks; what combines arrays has operators of its own.
        let combining = if accs.iter().any(Type::is_array) { Vec::new() } else { attrs.clone() };
        out.push(Stm { certs: certs.clone(), attrs, ..Stm::new(arrays.clone(), map, span) });
        if let Some(op) = op {
            let reduction = Reduction { lambda: op, neutral, commutative: any_order };
            let (folds, arrays) = (vars[..folded].to_vec(), arrays[..folded].to_vec());
            let exp = Exp::reduce(chunks, reduction, arrays);
            out.push(Stm { certs, attrs: combining, ..Stm::new(folds, exp, span) });
        }
        out.append(&mut after);
    }

    /// What a chunk of no elements yields.
    fn empty_chunk(
        &mut self,
        lambda: &Lambda,
        inputs: &[Var],
        certs: &[Var],
        span: Span,
        out: &mut Vec<Stm>,
    ) -> Vec<Atom> {
        let Lambda { params, mut body } = self.names.copy_lambda(lambda);
        let none = Atom::i64(0);
        let subst = Subst::of(&params[..1], [none]);
        subst.types_of(&mut self.names.vars, &params[1..]);
        subst.body_and_types(&mut self.names.vars, &mut body);
        for (chunk, input) in params[1..].iter().zip(inputs) {
            let slice = vec![DimIndex::Slice { start: none, count: none, stride: Atom::i64(1) }];
            out.push(Stm {
                certs: certs.to_vec(),
                ..Stm::new(vec![*chunk], Exp::index(*input, slice), span)
            });
        }
        out.append(&mut body.stms);
        body.result
    }
}

pub fn divided_up(emit: &mut Emit, name: &str, x: Atom, y: Atom) -> Atom {
    let more = emit.bin(BinOp::Add, "more", x, y);
    let most = emit.bin(BinOp::Sub, "most", more, Atom::i64(1));
    emit.bin(BinOp::Quot, name, most, y)
}

/// Whether something in it is done one after the other, outside of lambdas.
pub fn has_loop(body: &Body) -> bool {
    body.stms.iter().any(|stm| {
        let mut found = matches!(stm.exp, Exp::Control(ControlExp::Loop { .. } | ControlExp::Call { .. }));
        stm.for_each_part(&mut |part| {
            if let Part::Body(body) = part {
                found = found || has_loop(body);
            }
        });
        found
    })
}

/// At any depth.
fn bound_in(body: &Body) -> HashSet<Var> {
    body.stms.iter().flat_map(|stm| mentions::bound_inside(stm).into_iter().chain(stm.vars.clone())).collect()
}

fn mentioned(names: &Names, body: &Body) -> Vec<Var> {
    let mut found = Vec::new();
    body.stms.iter().for_each(|stm| mentions::in_stm(&names.vars, stm, &mut found));
    found.retain(|var| names.ty(*var).is_array());
    found
}

/// The array as the first part of a longer one.
pub fn in_row(names: &mut Names, part: Var, row: &Type, count: Atom, span: Span, out: &mut Vec<Stm>) -> Var {
    let Some(Elem::Prim(prim)) = row.elem() else { panic!("distribute: a chunk of no numbers") };
    let mut value = Atom::Const(Scalar::zero(prim));
    let mut dims: Vec<Dim> = Vec::new();
    for dim in row.dims().iter().rev() {
        dims.insert(0, *dim);
        let blank = names.fresh("blank", row.with_dims(dims.clone()));
        let count = dim.atom().unwrap_or(Atom::i64(0));
        out.push(Stm::new(vec![blank], Exp::replicate(count, value), span));
        value = blank.into();
    }
    let Atom::Var(blank) = value else { panic!("distribute: a chunk without a dimension") };
    let all = names.fresh(&names.name(part), row.clone());
    let slice = vec![DimIndex::Slice { start: Atom::i64(0), count, stride: Atom::i64(1) }];
    out.push(Stm::new(
        vec![all],
        Exp::Array(ArrayExp::Update { array: blank, slice, value: part.into() }),
        span,
    ));
    all
}
