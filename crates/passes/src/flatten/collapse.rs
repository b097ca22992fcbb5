//! Loop collapsing: maps in maps that only make what is flattened are one map over all elements.
//!
//! ```text
//! let a: [n][m]i64 = map n (ks, xss) \(k: i64, xs: [m]u8) {        let places: [nm]i64 = range nm from 0 by 1
//!   let row: [m]i64 = map m (xs) \(x: u8) { .. }                   let as: [nm]i64 = map nm (places) \(e: i64) {
//!   in row                                                           let j: i64 = rem.i64 e m
//! }                                                           ==>    let i: i64 = quot.i64 e m
//! let as: [nm]i64 = reshape a 2 (nm)                                 let k: i64 = index ks [i]
//! let counts: [b]i32 = hist nm (zeros) from (as) ..                  let x: u8 = index xss [i, j]
//!                                                                    ..
//!                                                                  }
//!                                                                  let counts: [b]i32 = hist nm (zeros) from (as) ..
//! ```
//!
//! A histogram, scatter, filter or scan goes through the elements of a flattened array, and so it is not fused with maps that make its rows: each element
//! would be written, with an index of eight bytes, and read again. A map over all elements is fused with it (`fuse`); the two indices are a product and a difference for a
//! device, which divides by what a launch fixes with a factor.
//!
//! Needs: distributed nest. Gives: the same. Refuses: arrays that something else uses, unless they cost little; rows that are not made by maps, by replication or as a part of another array; bodies with loops, calls or
//! other operators, since what takes the elements may compute them more than once; and what is inside of operators, where one thread goes through the
//! elements and would divide for each. Cost: quadratic in the statements of a body that are reshaped.

use crate::nest::memory::signatures;
use crate::nest::mentions::in_stm;
use crate::nest::subst::{Names, Subst};
use norn_base::Span;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Elem, Exp, Lambda, Operator, Prim, Prog, Stm,
    Type, Var,
};
use std::collections::HashMap;

/// A map of which something else needs results is done twice, for these and for all elements, if it has no more statements than these.
const FEW: usize = 32;

/// In all functions.
pub fn collapse(prog: &mut Prog) {
    let signatures = signatures(prog);
    for fun in &mut prog.funs {
        let mut names = Names::of(&signatures, fun);
        collapse_in(&mut names, &mut fun.body);
        fun.vars = names.vars;
    }
    normalise(prog);
}

/// In a body that runs on the host, and those in it.
fn collapse_in(names: &mut Names, body: &mut Body) {
    for stm in &mut body.stms {
        if let Exp::Control(_) = &stm.exp {
            stm.for_each_part_mut(&mut |part| {
                if let PartMut::Body(body) = part {
                    collapse_in(names, body);
                }
            });
        }
    }
    let mut at = 0;
    while at < body.stms.len() {
        if let Some(flat) = flattened(names, body, at)
            && let Some(made) = all_elements(names, &body.stms[at], &flat)
        {
            let first = flat.reshapes[0];
            let is_map_needed = flat.results.len() < body.stms[at].vars.len();
            let is_gone = |place: usize| place == at && !is_map_needed || flat.reshapes.contains(&place);
            let mut stms = Vec::with_capacity(body.stms.len() + made.len());
            let mut made = Some(made);
            for (place, stm) in std::mem::take(&mut body.stms).into_iter().enumerate() {
                if place == first {
                    stms.extend(made.take().into_iter().flatten());
                }
                if !is_gone(place) {
                    stms.push(stm);
                }
            }
            body.stms = stms;
        } else {
            at += 1;
        }
    }
}

/// Where a map's results are flattened, and what to.
struct Flattened {
    /// Places of the statements, in order.
    reshapes: Vec<usize>,
    /// The numbers of the results, and what each is called then.
    results: Vec<usize>,
    vars: Vec<Var>,
    size: Atom,
    certs: Vec<Var>,
}

/// The results of the map at this place that are flattened and used for nothing else, if an operator behind takes the elements.
fn flattened(names: &Names, body: &Body, at: usize) -> Option<Flattened> {
    let stm = &body.stms[at];
    let Exp::Op(Operator::Map { lambda, .. }) = &stm.exp else { return None };
    if stm.grid.is_some() || !stm.attrs.is_empty() {
        return None;
    }
    let mut flat = Flattened {
        reshapes: Vec::new(),
        results: Vec::new(),
        vars: Vec::new(),
        size: Atom::i64(0),
        certs: stm.certs.clone(),
    };
    for (number, var) in stm.vars.iter().enumerate() {
        let Some((place, size)) = reshape_of(names, body, *var, at) else { continue };
        let reshape = &body.stms[place];
        if !flat.vars.is_empty() && size != flat.size {
            return None;
        }
        flat.size = size;
        flat.results.push(number);
        flat.reshapes.push(place);
        flat.vars.push(reshape.vars[0]);
        flat.certs.extend(reshape.certs.iter().filter(|cert| !stm.certs.contains(cert)));
    }
    flat.reshapes.sort_unstable();
    let (first, last) = (*flat.reshapes.first()?, *flat.reshapes.last()?);
    let is_known = |var: &Var| !body.stms[first..last].iter().any(|stm| stm.vars.contains(var));
    let moves = body.stms[at + 1..first].iter().all(|stm| stm.attrs.is_empty() && leaves_memory(&stm.exp));
    let is_taken = body.stms[first..].iter().any(|stm| takes_elements(stm, &flat.vars));
    // What the others need, too, is computed twice.
    let is_little = flat.results.len() == stm.vars.len() || lambda.body.statements() <= FEW;
    (moves && is_taken && is_little && flat.certs.iter().all(is_known)).then_some(flat)
}

/// Where behind this place the variable is flattened, and to how many elements; if nothing else uses it.
fn reshape_of(names: &Names, body: &Body, var: Var, at: usize) -> Option<(usize, Atom)> {
    let size = |stm: &Stm| match &stm.exp {
        Exp::Array(ArrayExp::Reshape { array, old, new }) if *array == var && *old > 1 => {
            (*old == names.ty(var).rank() && new.len() == 1).then(|| new[0])
        }
        _ => None,
    };
    let mut behind = body.stms.iter().enumerate().skip(at + 1);
    let (place, size) = behind.find_map(|(place, stm)| Some((place, size(stm)?)))?;
    let is_taken = names.memory.is_taken(var) || names.memory.is_taken(body.stms[place].vars[0]);
    (!is_taken && !is_used_besides(names, body, var, place)).then_some((place, size))
}

/// Whether another statement than the one at this place mentions the variable, or the body yields it.
fn is_used_besides(names: &Names, body: &Body, var: Var, place: usize) -> bool {
    let mut found = Vec::new();
    for (at, stm) in body.stms.iter().enumerate() {
        if at != place {
            in_stm(&names.vars, stm, &mut found);
        }
    }
    found.contains(&var) || body.result.contains(&Atom::Var(var))
}

/// Whether nothing is overwritten, so that a map may be done behind it.
fn leaves_memory(exp: &Exp) -> bool {
    match exp {
        Exp::Scalar(_) => true,
        Exp::Array(exp) => !matches!(exp, ArrayExp::Update { .. } | ArrayExp::FlatUpdate { .. }),
        Exp::Control(exp) => matches!(exp, ControlExp::Const(_)),
        Exp::Op(op) => match op {
            Operator::Map { .. }
            | Operator::Reduce { .. }
            | Operator::Scan { .. }
            | Operator::Fused { .. }
            | Operator::Sort { .. } => true,
            Operator::Filter { .. }
            | Operator::Partition { .. }
            | Operator::Scatter { .. }
            | Operator::Hist { .. }
            | Operator::Stream { .. }
            | Operator::AccStream { .. }
            | Operator::Task(_) => false,
        },
        Exp::Cell(_) => false,
    }
}

/// Whether an operator takes an element of one of these arrays at a time.
fn takes_elements(stm: &Stm, arrays: &[Var]) -> bool {
    let Exp::Op(op) = &stm.exp else { return false };
    let inputs = match op {
        Operator::Map { inputs, .. }
        | Operator::Scan { inputs, .. }
        | Operator::Fused { inputs, .. }
        | Operator::Filter { inputs, .. }
        | Operator::Partition { inputs, .. }
        | Operator::Scatter { inputs, .. }
        | Operator::Hist { inputs, .. } => inputs,
        Operator::Reduce { .. }
        | Operator::Sort { .. }
        | Operator::Stream { .. }
        | Operator::AccStream { .. }
        | Operator::Task(_) => return false,
    };
    inputs.iter().any(|input| arrays.contains(input))
}

/// The map over all elements.
fn all_elements(names: &mut Names, stm: &Stm, flat: &Flattened) -> Option<Vec<Stm>> {
    let Exp::Op(Operator::Map { inputs, lambda, .. }) = &stm.exp else { return None };
    let dims: Vec<Atom> =
        names.ty(stm.vars[flat.results[0]]).dims().iter().map(|dim| dim.atom()).collect::<Option<_>>()?;
    let is_of_dims = |var: &Var| {
        let of: Option<Vec<Atom>> = names.ty(*var).dims().iter().map(|dim| dim.atom()).collect();
        of.is_some_and(|of| of == dims)
    };
    if !flat.results.iter().all(|number| is_of_dims(&stm.vars[*number])) {
        return None;
    }
    let place = names.fresh("e", Type::i64());
    let mut body = Body { stms: Vec::new(), result: Vec::new() };
    // From the innermost dimension outwards.
    let mut indices = Vec::new();
    let mut left = place;
    for dim in dims[1..].iter().rev() {
        let (index, rest) = (names.fresh("index", Type::i64()), names.fresh("left", Type::i64()));
        for (var, op) in [(index, BinOp::Rem), (rest, BinOp::Quot)] {
            body.stms.push(Stm::new(vec![var], Exp::bin(op, Prim::I64, left.into(), *dim), stm.span));
        }
        indices.push(Atom::Var(index));
        left = rest;
    }
    indices.push(left.into());
    indices.reverse();
    let mut point = Point {
        names,
        subst: Subst::default(),
        rows: HashMap::new(),
        dims: &dims,
        stms: body.stms,
        span: stm.span,
    };
    let elements = point.element(inputs, lambda, &indices, 0)?;
    let result = flat.results.iter().map(|number| elements[*number]).collect::<Option<_>>()?;
    body = Body { stms: point.stms, result };
    let numbers = names.fresh("places", Type::Value(Elem::Prim(Prim::I64), vec![Dim::Size(flat.size)]));
    let range =
        ArrayExp::Range { prim: Prim::I64, count: flat.size, start: Atom::i64(0), step: Atom::i64(1) };
    let exp = Exp::map(flat.size, vec![numbers], Lambda::new(vec![place], body));
    let map = Stm { vars: flat.vars.clone(), certs: flat.certs.clone(), exp, ..stm.clone() };
    Some(vec![Stm::new(vec![numbers], Exp::Array(range), stm.span), map])
}

/// What is computed for one element.
struct Point<'a> {
    names: &'a mut Names,
    subst: Subst,
    /// Rows, and what they are rows of at which indices.
    rows: HashMap<Var, (Var, Vec<DimIndex>)>,
    dims: &'a [Atom],
    stms: Vec<Stm>,
    span: Span,
}

impl Point<'_> {
    /// What the lambda of a map yields for the element at these indices, of which it is given the one at `level`.
    fn element(
        &mut self,
        inputs: &[Var],
        lambda: &Lambda,
        indices: &[Atom],
        level: usize,
    ) -> Option<Vec<Option<Atom>>> {
        if lambda.params.len() != inputs.len() {
            return None;
        }
        for (param, input) in lambda.params.iter().zip(inputs) {
            let input = self.subst.var(*input);
            let (array, mut slice) = self.rows.get(&input).cloned().unwrap_or((input, Vec::new()));
            slice.push(DimIndex::Fix(indices[level]));
            let row = self.names.like(&[*param])[0];
            self.subst.types_of(&mut self.names.vars, &[row]);
            self.rows.insert(row, (array, slice.clone()));
            let index = Exp::Array(ArrayExp::Index { array, slice });
            self.stms.push(Stm::new(vec![row], index, self.span));
            self.subst.set(*param, row);
        }
        let is_last = level + 1 == self.dims.len();
        // For each row that is made here, its element.
        let mut elements: HashMap<Var, Atom> = HashMap::new();
        for stm in &lambda.body.stms {
            match &stm.exp {
                Exp::Op(Operator::Map { width, inputs, lambda })
                    if !is_last
                        && self.subst.atom(*width) == self.dims[level + 1]
                        && stm.attrs.is_empty() =>
                {
                    let found = self.element(inputs, lambda, indices, level + 1)?;
                    let found = stm.vars.iter().zip(found);
                    elements.extend(found.filter_map(|(var, element)| Some((*var, element?))));
                }
                Exp::Array(ArrayExp::Replicate { count, value })
                    if level + 2 == self.dims.len() && self.subst.atom(*count) == self.dims[level + 1] =>
                {
                    elements.insert(stm.vars[0], self.subst.atom(*value));
                }
                exp if takes_few_instructions(exp) && stm.attrs.is_empty() => {
                    let copy = self.names.copy_stm(&mut self.subst, stm);
                    self.stms.push(copy);
                }
                _ => return None,
            }
        }
        let result = lambda.body.result.iter();
        if is_last {
            return Some(result.map(|atom| Some(self.subst.atom(*atom))).collect());
        }
        let rows: Vec<Option<Var>> = result.map(|atom| atom.var()).collect();
        let element = |row: Option<Var>| {
            let row = row?;
            elements.get(&row).copied().or_else(|| self.read(row, &indices[level + 1..]))
        };
        Some(rows.into_iter().map(element).collect())
    }

    /// The element of an array from outside, or of a view of it.
    fn read(&mut self, row: Var, indices: &[Atom]) -> Option<Atom> {
        let row = self.subst.var(row);
        let Type::Value(elem, dims) = self.names.ty(row) else { return None };
        if dims.len() != indices.len() {
            return None;
        }
        let element = self.names.fresh(&self.names.name(row), Type::Value(*elem, Vec::new()));
        let (array, mut slice) = self.rows.get(&row).cloned().unwrap_or((row, Vec::new()));
        slice.extend(indices.iter().map(|index| DimIndex::Fix(*index)));
        let index = Exp::Array(ArrayExp::Index { array, slice });
        self.stms.push(Stm::new(vec![element], index, self.span));
        Some(element.into())
    }
}

/// Whether it is a matter of a few instructions.
fn takes_few_instructions(exp: &Exp) -> bool {
    let is_body_of_few = |body: &Body| body.stms.iter().all(|stm| takes_few_instructions(&stm.exp));
    match exp {
        Exp::Scalar(_) | Exp::Array(ArrayExp::Index { .. }) => true,
        Exp::Control(ControlExp::If { then, els, .. }) => is_body_of_few(then) && is_body_of_few(els),
        Exp::Control(ControlExp::Check(_)) => true,
        Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => false,
    }
}
