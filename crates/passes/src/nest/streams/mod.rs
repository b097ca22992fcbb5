//! Stream operators: one stream instead of several operators, so that what lies between is as long as a chunk.
//!
//! ```text
//! let ys: [k]f32 = scan k (xs) ..             let e: f32, s: f32 = stream k (xs) seq (0f32, 0f32)
//! let s: f32 = reduce k (ys) ..         ==>     \(c: i64, a: f32, b: f32, chunk: [c]f32) {
//!                                                 scan the chunk, add `a`, reduce, add `b`
//!                                             }
//! ```
//!
//! The rules of the paper on Futhark (PLDI 2017), figure 9, until none applies:
//!
//! | rule | turns | into |
//! |---|---|---|
//! | F1, F2 | `map` | a stream of independent chunks, or one chunk after the other |
//! | F3, F4 | `reduce` | the same, with the result so far as accumulator |
//! | F5 | `scan` | one chunk after the other |
//! | F6 | two streams of independent chunks, one of which flows into the other | one |
//! | F7 | two streams that take one chunk after the other | one |
//!
//! **Where.** F1 and F3 only serve F6, so they apply where a map or reduction stands next to a stream that
//! flows into it, or the reverse: that is `streams`. F2, F4, F5 and F7 give up parallelism, so they apply only inside the
//! chunks of a parallel stream, which one thread works on, and only around a scan (or what a scan became): all else is
//! better off in a fused operator (`fuse`). That is `sequences`, and the case of the paper's figure 10. What keeps no
//! arrays then is a loop (`sequence`).
//!
//! **Needs** a valid program. **Keeps** results. **Cost.** One graph of the block for each rule that applies.

mod sequence;

use super::fuse::graph::{Flow, Graph, OperatorKind};
use super::fuse::sizes::Sizes;
use super::fuse::{compat, rewrite};
use super::memory::{Signature, memory, signatures};
use super::subst::{Names, Subst};
use norn_base::Span;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Atom, BinOp, Body, Dim, DimIndex, Exp, Lambda, Operator, Prim, Prog, Reduction, Showing, Stm, StreamForm,
    Type, Var,
};
use sequence::as_loop;
use std::collections::HashMap;

pub fn streams(prog: &mut Prog) {
    apply_rules(prog, Flow::Elements);
}

pub fn sequences(prog: &mut Prog) {
    apply_rules(prog, Flow::Chunks);
}

fn apply_rules(prog: &mut Prog, flow: Flow) {
    let (signatures, showing) = (signatures(prog), Showing::of(prog));
    for fun in &mut prog.funs {
        let memory = memory(&signatures, fun);
        let names = Names { vars: std::mem::take(&mut fun.vars), memory };
        let mut pass =
            Streams { names, signatures: &signatures, showing: &showing, sizes: Sizes::default(), flow };
        pass.body(&mut fun.body, false);
        fun.vars = pass.names.vars;
    }
    normalise(prog);
}

struct Streams<'a> {
    names: Names,
    signatures: &'a [Signature],
    showing: &'a Showing,
    sizes: Sizes,
    /// Which rules apply.
    flow: Flow,
}

impl Streams<'_> {
    /// `chunk`: whether one thread works on all of the body.
    fn body(&mut self, body: &mut Body, chunk: bool) {
        match self.flow {
            Flow::Elements => {
                let has_stream =
                    body.stms.iter().any(|stm| matches!(stm.exp, Exp::Op(Operator::Stream { .. })));
                while has_stream && self.apply_rule(body) {}
            }
            Flow::Chunks => while chunk && self.apply_rule(body) {},
        }
        for stm in &mut body.stms {
            // Its elements are cut no further: the rules would apply to their own results.
            if chunk && self.flow == Flow::Chunks && as_loop(&mut self.names, stm) {
                continue;
            }
            let inside = match &stm.exp {
                Exp::Op(Operator::Stream { form, .. }) => match form {
                    StreamForm::Map { .. } | StreamForm::Reduce { .. } => true,
                    // Nor are its chunks.
                    StreamForm::Seq { .. } => false,
                },
                _ => false,
            };
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(body, chunk),
                PartMut::Lambda(lambda) => self.body(&mut lambda.body, inside),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
        }
    }

    /// One application of F6, or of F7, with what makes streams of the two operators.
    fn apply_rule(&mut self, body: &mut Body) -> bool {
        let flow = self.flow;
        let graph = Graph::with_flow(
            &self.names.vars,
            body,
            &self.names.memory,
            self.signatures,
            self.showing,
            &mut self.sizes,
            flow,
        );
        let Some((first, second)) = self.pair(body, &graph, flow) else { return false };
        let pair = vec![graph.kernels[first].stm, graph.kernels[second].stm];
        let single = (0..body.stms.len()).filter(|stm| !pair.contains(stm)).map(|stm| vec![stm]);
        let units: Vec<Vec<usize>> = std::iter::once(pair.clone()).chain(single).collect();
        let order = rewrite::order(&graph, &units);
        let mut old: Vec<Option<Stm>> = std::mem::take(&mut body.stms).into_iter().map(Some).collect();
        let members: Vec<Stm> = pair.iter().filter_map(|at| old[*at].take()).collect();
        let needed = |var: Var| graph.used_outside(var, &pair);
        let mut fused = Some(rewrite::stream(&mut self.names, members, &needed, flow == Flow::Chunks));
        for unit in order {
            body.stms.extend(if unit == 0 { fused.take() } else { old[units[unit][0]].take() });
        }
        true
    }

    /// The first two operators that a rule fits.
    fn pair(&self, body: &Body, graph: &Graph, flow: Flow) -> Option<(usize, usize)> {
        let count = graph.kernels.len();
        let pairs = (0..count).flat_map(|second| (0..second).map(move |first| (first, second)));
        pairs.into_iter().find(|(first, second)| {
            let (one, other) = (&graph.kernels[*first], &graph.kernels[*second]);
            let (one_stm, other_stm) = (&body.stms[one.stm], &body.stms[other.stm]);
            let kinds = [one.kind, other.kind];
            let fit = match flow {
                Flow::Elements => {
                    kinds.contains(&OperatorKind::Stream)
                        && kinds.iter().all(|kind| {
                            matches!(kind, OperatorKind::Map | OperatorKind::Reduce | OperatorKind::Stream)
                        })
                }
                Flow::Chunks => {
                    kinds.iter().any(|kind| matches!(kind, OperatorKind::Scan | OperatorKind::Sequence))
                        && kinds.iter().all(|kind| {
                            matches!(
                                kind,
                                OperatorKind::Map
                                    | OperatorKind::Reduce
                                    | OperatorKind::Scan
                                    | OperatorKind::Sequence
                            )
                        })
                }
            };
            fit && other.flow.contains(*first)
                && !other.before.contains(*first)
                && one_stm.attrs == other_stm.attrs
                && compat::same_width(graph, *first, *second)
                && one.width == other.width
                && compat::regular(&self.names.vars, one_stm)
                && compat::regular(&self.names.vars, other_stm)
                && !lies_between(graph, *first, *second)
        })
    }
}

/// Whether a kernel depends on the first and is one that the second depends on.
fn lies_between(graph: &Graph, first: usize, second: usize) -> bool {
    let mut after = vec![false; second + 1];
    after[first] = true;
    for middle in first + 1..second {
        let kernel = &graph.kernels[middle];
        after[middle] = (first..middle)
            .any(|before| after[before] && (kernel.flow.contains(before) || kernel.before.contains(before)));
    }
    let last = &graph.kernels[second];
    (first + 1..second)
        .any(|middle| after[middle] && (last.flow.contains(middle) || last.before.contains(middle)))
}

/// An operator as a stream: what its lambda does with a chunk.
struct Part {
    any_order: bool,
    size: Var,
    /// Parameters for the accumulators, and what they start with, if one chunk follows the other.
    accs: Vec<Var>,
    init: Vec<Atom>,
    /// What combines the accumulators of independent chunks.
    op: Option<Lambda>,
    inputs: Vec<Var>,
    chunks: Vec<Var>,
    /// Yields accumulators, then chunks.
    body: Body,
    /// How many of the results, and of `vars`, are accumulators.
    folded: usize,
    vars: Vec<Var>,
}

/// F6 and F7 for any number of members, in their order: one stream. `sequential`: chunks one after the other.
pub(super) fn compose(
    names: &mut Names,
    members: Vec<Stm>,
    needed: &dyn Fn(Var) -> bool,
    sequential: bool,
) -> (Vec<Var>, Exp) {
    let mut width = Atom::i64(0);
    let size = names.fresh("size", Type::i64());
    let mut chunk_of: HashMap<Var, Var> = HashMap::new();
    let mut whole = Part {
        any_order: true,
        size,
        accs: Vec::new(),
        init: Vec::new(),
        op: None,
        inputs: Vec::new(),
        chunks: Vec::new(),
        body: Body::default(),
        folded: 0,
        vars: Vec::new(),
    };
    let mut kept: Vec<(Atom, Var)> = Vec::new();
    let mut spare: Vec<(Atom, Var)> = Vec::new();
    let mut ops: Vec<Lambda> = Vec::new();
    for stm in members {
        let (at, mut part) = as_stream(names, stm, sequential);
        width = at;
        let mut subst = Subst::of(&[part.size], [size.into()]);
        let mut own = Vec::new();
        for (input, chunk) in part.inputs.iter().zip(&part.chunks) {
            match chunk_of.get(input) {
                Some(there) => {
                    subst.set(*chunk, *there);
                }
                None => {
                    chunk_of.insert(*input, *chunk);
                    whole.inputs.push(*input);
                    own.push(*chunk);
                }
            }
        }
        subst.types_of(&mut names.vars, &own);
        subst.types_of(&mut names.vars, &part.accs);
        subst.body_and_types(&mut names.vars, &mut part.body);
        whole.chunks.extend(own);
        whole.any_order &= part.any_order;
        whole.accs.extend(part.accs);
        whole.init.extend(part.init);
        ops.extend(part.op);
        whole.body.stms.append(&mut part.body.stms);
        whole.body.result.extend_from_slice(&part.body.result[..part.folded]);
        whole.vars.extend_from_slice(&part.vars[..part.folded]);
        for (var, result) in part.vars.iter().zip(&part.body.result).skip(part.folded) {
            chunk_of.extend(result.var().map(|chunk| (*var, chunk)));
            if needed(*var) { kept.push((*result, *var)) } else { spare.push((*result, *var)) }
        }
    }
    if kept.is_empty() && whole.vars.is_empty() {
        kept.extend(spare.pop());
    }
    whole.body.result.extend(kept.iter().map(|(chunk, _)| *chunk));
    whole.vars.extend(kept.iter().map(|(_, var)| *var));
    let form = if sequential {
        StreamForm::Seq { init: whole.init }
    } else if ops.is_empty() {
        StreamForm::Map { any_order: whole.any_order }
    } else {
        StreamForm::Reduce { any_order: whole.any_order, op: side_by_side(ops) }
    };
    let params: Vec<Var> = std::iter::once(size).chain(whole.accs).chain(whole.chunks).collect();
    let lambda = Lambda::new(params, whole.body);
    (whole.vars, Exp::Op(Operator::Stream { width, form, inputs: whole.inputs, lambda }))
}

/// Operators on parts of the accumulators as one on all: the left halves of their parameters, then the right.
fn side_by_side(ops: Vec<Lambda>) -> Lambda {
    let (mut left, mut right, mut body) = (Vec::new(), Vec::new(), Body::default());
    for op in ops {
        let half = op.params.len() / 2;
        left.extend_from_slice(&op.params[..half]);
        right.extend_from_slice(&op.params[half..]);
        body.stms.extend(op.body.stms);
        body.result.extend(op.body.result);
    }
    left.append(&mut right);
    Lambda::new(left, body)
}

/// The width, and the member as a stream.
fn as_stream(names: &mut Names, stm: Stm, sequential: bool) -> (Atom, Part) {
    let Stm { vars, exp, span, .. } = stm;
    match exp {
        Exp::Op(Operator::Stream { width, form, inputs, lambda }) => {
            let (any_order, init, op, folded) = match form {
                StreamForm::Map { any_order } => (any_order, Vec::new(), None, 0),
                StreamForm::Reduce { any_order, op } => {
                    let folded = op.params.len() / 2;
                    (any_order, Vec::new(), Some(op), folded)
                }
                StreamForm::Seq { init } => {
                    let folded = init.len();
                    (false, init, None, folded)
                }
            };
            let chunks = lambda.params[1 + init.len()..].to_vec();
            let accs = lambda.params[1..1 + init.len()].to_vec();
            let size = lambda.params[0];
            (width, Part { any_order, size, accs, init, op, inputs, chunks, body: lambda.body, folded, vars })
        }
        Exp::Op(Operator::Map { width, inputs, lambda }) => {
            (width, map_as_stream(names, vars, inputs, lambda, span))
        }
        Exp::Op(Operator::Reduce { width, op, inputs }) if sequential => {
            (width, reduce_as_sequence(names, vars, op, inputs, span))
        }
        Exp::Op(Operator::Reduce { width, op, inputs }) => {
            (width, reduce_as_stream(names, vars, op, inputs, span))
        }
        Exp::Op(Operator::Scan { width, op, inputs }) => {
            (width, scan_as_sequence(names, vars, op, inputs, span))
        }
        _ => panic!("streams: an operator that is no stream and does not become one"),
    }
}

/// F1 and F2.
fn map_as_stream(names: &mut Names, vars: Vec<Var>, inputs: Vec<Var>, lambda: Lambda, span: Span) -> Part {
    let mut part = begin(names, &inputs, vars);
    let outs: Vec<Var> = part.vars.clone().iter().map(|var| chunk(names, *var, part.size)).collect();
    let exp = Exp::map(part.size.into(), part.chunks.clone(), lambda);
    push(&mut part.body, outs.clone(), exp, span);
    part.body.result = atoms(&outs);
    part
}

/// F3. Chunks are combined by the operator; an empty one yields the neutral element.
fn reduce_as_stream(names: &mut Names, vars: Vec<Var>, op: Reduction, inputs: Vec<Var>, span: Span) -> Part {
    let mut part = begin(names, &inputs, vars);
    part.any_order = op.commutative;
    part.op = Some(names.copy_lambda(&op.lambda));
    let outs = rows(names, &inputs);
    let exp = Exp::reduce(part.size.into(), op, part.chunks.clone());
    push(&mut part.body, outs.clone(), exp, span);
    part.body.result = atoms(&outs);
    part.folded = outs.len();
    part
}

/// F4. What a chunk yields is added to the accumulator.
fn reduce_as_sequence(
    names: &mut Names,
    vars: Vec<Var>,
    op: Reduction,
    inputs: Vec<Var>,
    span: Span,
) -> Part {
    let mut part = begin(names, &inputs, vars);
    part.accs = rows(names, &inputs);
    part.init = op.neutral.clone();
    let mut combine = names.copy_lambda(&op.lambda);
    let outs = rows(names, &inputs);
    let exp = Exp::reduce(part.size.into(), op, part.chunks.clone());
    push(&mut part.body, outs.clone(), exp, span);
    let given = part.accs.iter().chain(&outs).map(|var| Atom::Var(*var));
    let subst = Subst::of(&combine.params, given);
    subst.body_and_types(&mut names.vars, &mut combine.body);
    part.body.stms.append(&mut combine.body.stms);
    part.body.result = combine.body.result;
    part.folded = part.body.result.len();
    part
}

/// F5. The chunk is scanned, the accumulator added to all of it, and its last element the next accumulator.
fn scan_as_sequence(names: &mut Names, vars: Vec<Var>, op: Reduction, inputs: Vec<Var>, span: Span) -> Part {
    let mut part = begin(names, &inputs, Vec::new());
    let size = part.size;
    part.accs = rows(names, &inputs);
    part.init = op.neutral.clone();
    let mut add = names.copy_lambda(&op.lambda);
    let scanned: Vec<Var> = vars.iter().map(|var| chunk(names, *var, size)).collect();
    let exp = Exp::scan(size.into(), op, part.chunks.clone());
    push(&mut part.body, scanned.clone(), exp, span);

    let outs: Vec<Var> = vars.iter().map(|var| chunk(names, *var, size)).collect();
    let left: Vec<Var> = add.params.drain(..part.accs.len()).collect();
    let subst = Subst::of(&left, atoms(&part.accs));
    subst.types_of(&mut names.vars, &add.params);
    subst.body_and_types(&mut names.vars, &mut add.body);
    push(&mut part.body, outs.clone(), Exp::map(size.into(), scanned, add), span);

    // A chunk may be empty.
    let [some, last] =
        [("some", Type::bool()), ("last", Type::i64())].map(|(name, ty)| names.fresh(name, ty));
    push(&mut part.body, vec![some], Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(0), size.into()), span);
    let mut then = Body::default();
    push(&mut then, vec![last], Exp::bin(BinOp::Sub, Prim::I64, size.into(), Atom::i64(1)), span);
    for array in &outs {
        let row = row(names, *array);
        let slice = vec![DimIndex::Fix(last.into())];
        push(&mut then, vec![row], Exp::index(*array, slice), span);
        then.result.push(row.into());
    }
    let els = Body { stms: Vec::new(), result: atoms(&part.accs) };
    let next = rows(names, &inputs);
    push(&mut part.body, next.clone(), Exp::if_(some.into(), then, els), span);
    part.folded = next.len();
    part.body.result = atoms(&[next, outs].concat());
    // The last accumulators are results of the stream that the source did not have.
    part.vars = rows(names, &inputs);
    part.vars.extend(vars);
    part
}

fn begin(names: &mut Names, inputs: &[Var], vars: Vec<Var>) -> Part {
    let size = names.fresh("size", Type::i64());
    let chunks = inputs.iter().map(|var| chunk(names, *var, size)).collect();
    Part {
        any_order: true,
        size,
        accs: Vec::new(),
        init: Vec::new(),
        op: None,
        inputs: inputs.to_vec(),
        chunks,
        body: Body::default(),
        folded: 0,
        vars,
    }
}

/// A variable for a chunk of the array.
fn chunk(names: &mut Names, array: Var, size: Var) -> Var {
    let mut dims = names.ty(array).dims().to_vec();
    if let Some(outer) = dims.first_mut() {
        *outer = Dim::size(size);
    }
    let ty = names.ty(array).with_dims(dims);
    let name = names.name(array);
    names.fresh(&name, ty)
}

/// A variable for a row of each array.
fn rows(names: &mut Names, arrays: &[Var]) -> Vec<Var> {
    arrays.iter().map(|array| row(names, *array)).collect()
}

fn row(names: &mut Names, array: Var) -> Var {
    let ty = names.ty(array).row().unwrap_or(Type::bool());
    let name = names.name(array);
    names.fresh(&name, ty)
}

fn push(body: &mut Body, vars: Vec<Var>, exp: Exp, span: Span) {
    body.stms.push(Stm::new(vars, exp, span));
}

fn atoms(vars: &[Var]) -> Vec<Atom> {
    vars.iter().map(|var| Atom::Var(*var)).collect()
}
