//! Scalar replacement: small arrays inside operators become one variable for each element.
//!
//! Before:
//! ```text
//! map n (ps) \(p: [2]f32) {
//!   let zero: [2]f32 = array (0f32, 0f32)
//!   let s: [2]f32 = reduce m (qs) neutral (zero) \(a: [2]f32, b: [2]f32) {
//!     let c: [2]f32 = map 2i64 (a, b) \(x: f32, y: f32) { let z: f32 = add.f32 x y  in z }
//!     in c
//!   }
//!   in s
//! }
//! ```
//! After:
//! ```text
//! map n (ps) \(p: [2]f32) {
//!   let s.0: f32, s.1: f32 = fused m (qs) \(q: [2]f32) {
//!     let q.0: f32 = index q [0i64]
//!     let q.1: f32 = index q [1i64]
//!     in q.0, q.1
//!   } reduce neutral (0f32, 0f32) \(a.0: f32, a.1: f32, b.0: f32, b.1: f32) {
//!     let z.0: f32 = add.f32 a.0 b.0
//!     let z.1: f32 = add.f32 a.1 b.1
//!     in z.0, z.1
//!   }
//!   let s: [2]f32 = array (s.0, s.1)
//!   in s
//! }
//! ```
//!
//! Needs: a valid program, best fused. Gives: inside of operators, no operator over a few elements whose number is known, and no small array
//! that a loop, a branch or a reduction carries along though only its elements are used. Keeps: results and failures.
//! Refuses: arrays that are indexed by an index that is not known (`friendly`), since registers cannot be indexed. And what is outside of
//! all operators, because on a device the host would have to fetch the numbers; the sums of an operator that also computes what it adds up are
//! worth that. For a processor, loops outside of operators count as well (`registers`), but operators there stay if they have more than numbers inside: they may be worth several threads.
//!
//! Method: forwards, with the elements of arrays as far as they are known. Arrays stay beside their elements; dce removes those that are no longer needed. `unroll` does operators element by element, `carried` changes what loops, branches and reductions yield, and `columns` what operators
//! take.
//! Cost: linear in what comes out, which is limited for each function (`ROOM`).

mod carried;
mod columns;
mod combined;
mod friendly;
mod literals;
mod unroll;

pub use combined::combined_rows;
pub use literals::literals;

use crate::nest::memory::{memory, signatures};
use crate::nest::subst::Names;
use literals::Literals;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, DimIndex, Elem, Exp, Lambda, Operator, Prog, Scalar, ScalarExp,
    Stm, Type, Var,
};
use norn_ir::scalar::eval::eval_bin;
use std::collections::{HashMap, HashSet};

/// Arrays of more elements than these are no small ones.
const SMALL: i64 = 32;
/// Operators over more elements than these are loops, unless they go through a small array whose elements are numbers that stand there: such as
/// the directions in which a cell has neighbours.
const FEW: i64 = 8;
/// So many statements may come of one operator, of one that goes through such an array, and of all those of a function.
const MOST: usize = 256;
const MOST_OF_TABLES: usize = 768;
const ROOM: usize = 4096;

pub fn scalars(prog: &mut Prog) {
    scalars_in(prog, false);
}

/// For a processor, whose code outside of operators reads numbers as cheaply as any: in loops there, too.
pub fn registers(prog: &mut Prog) {
    scalars_in(prog, true);
}

fn scalars_in(prog: &mut Prog, on_processor: bool) {
    let signatures = signatures(prog);
    let literals = literals::of_constants(prog, &signatures);
    for fun in &mut prog.funs {
        let memory = memory(&signatures, fun);
        let names = Names { vars: std::mem::take(&mut fun.vars), memory };
        let mut scalars = Scalars { on_processor, ..Scalars::new(names, &literals) };
        scalars.outside(&mut fun.body);
        fun.vars = scalars.names.vars;
        normalise_fun(fun);
    }
}

struct Scalars<'a> {
    names: Names,
    literals: &'a Literals,
    /// The body is that of a constant: what is written out, a number at a time, is computed at compile time.
    is_constant: bool,
    /// The elements of arrays, one after the other: numbers that are there wherever the array is.
    known: HashMap<Var, Vec<Atom>>,
    /// Those whose elements are counted: nobody has written them down.
    ranges: HashSet<Var>,
    /// How many more statements may be made.
    room: usize,
    /// Loops outside of operators count, too.
    on_processor: bool,
    /// The body at work is of such a loop: what would be worth a launch stays.
    in_loop: bool,
}

impl Scalars<'_> {
    fn new(names: Names, literals: &Literals) -> Scalars<'_> {
        Scalars {
            names,
            literals,
            is_constant: false,
            known: HashMap::new(),
            ranges: HashSet::new(),
            room: ROOM,
            on_processor: false,
            in_loop: false,
        }
    }

    /// What is outside of all operators stays, but for what these compute and combine at once.
    fn outside(&mut self, body: &mut Body) {
        let stms = std::mem::take(&mut body.stms);
        for mut stm in stms {
            if matches!(stm.exp, Exp::Op(Operator::Fused { .. })) && self.carry(&stm, &mut body.stms) {
                continue;
            }
            if self.on_processor && matches!(stm.exp, Exp::Control(ControlExp::Loop { .. })) {
                self.in_loop = true;
                self.statement(stm, &mut body.stms);
                self.in_loop = false;
                continue;
            }
            self.parts(&mut stm.exp, &mut |this, body| this.outside(body));
            self.note_constants(&stm);
            if let Some(elements) = self.elements_of(&stm).filter(|_| self.is_small(stm.vars[0])) {
                self.note(&stm, elements);
            }
            self.take_columns(&mut stm, &mut body.stms);
            body.stms.push(stm);
        }
    }

    /// All that an expression has inside. What combines arrays stays, because it is known by its form.
    fn parts(&mut self, exp: &mut Exp, body: &mut dyn FnMut(&mut Self, &mut Body)) {
        match exp {
            Exp::Op(Operator::Reduce { .. } | Operator::Scan { .. }) => {}
            Exp::Op(Operator::Fused { lambda, .. } | Operator::Hist { lambda, .. }) => self.lambda(lambda),
            exp => exp.for_each_part_mut(&mut |part| match part {
                PartMut::Body(inside) => body(self, inside),
                PartMut::Lambda(lambda) => self.lambda(lambda),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            }),
        }
    }

    /// A lambda of an operator.
    fn lambda(&mut self, lambda: &mut Lambda) {
        let in_loop = std::mem::take(&mut self.in_loop);
        self.body(&mut lambda.body);
        self.in_loop = in_loop;
    }

    /// A body that is run for each element of an operator.
    fn body(&mut self, body: &mut Body) {
        let stms = std::mem::take(&mut body.stms);
        let mut out = Vec::with_capacity(stms.len());
        for stm in stms {
            self.statement(stm, &mut out);
        }
        body.stms = out;
    }

    fn statement(&mut self, mut stm: Stm, out: &mut Vec<Stm>) {
        if self.unroll(&stm, out) || self.write_out(&stm, out) || self.carry(&stm, out) {
            return;
        }
        self.parts(&mut stm.exp, &mut |this, body| this.body(body));
        self.note_constants(&stm);
        if let Some(elements) = self.elements_of(&stm) {
            match (&elements[..], self.names.ty(stm.vars[0]).is_scalar()) {
                ([element], true) => stm.exp = Exp::atom(*element),
                _ => self.note(&stm, elements),
            }
        }
        self.take_columns(&mut stm, out);
        out.push(stm);
    }

    /// What a statement binds has these elements.
    fn note(&mut self, stm: &Stm, elements: Vec<Atom>) {
        if matches!(stm.exp, Exp::Array(ArrayExp::Range { .. })) {
            self.ranges.insert(stm.vars[0]);
        }
        self.known.insert(stm.vars[0], elements);
    }

    /// The same for constants.
    fn note_constants(&mut self, stm: &Stm) {
        if let Exp::Control(ControlExp::Const(id)) = &stm.exp
            && let Some(literals) = self.literals.get(id)
        {
            self.known.extend(stm.vars.iter().copied().zip(literals.iter().cloned()));
        }
    }

    /// Whether it is a small array whose elements are known and are not counted.
    fn is_table(&self, var: Var) -> bool {
        self.known.contains_key(&var) && !self.ranges.contains(&var)
    }

    /// The elements of what a statement binds, if it only takes them from elsewhere.
    fn elements_of(&self, stm: &Stm) -> Option<Vec<Atom>> {
        let [var] = stm.vars[..] else { return None };
        if stm.is_opaque() {
            return None;
        }
        let count = match self.names.ty(var) {
            ty if ty.is_scalar() => 1,
            ty => small(ty)?,
        };
        let elements: Vec<Atom> = match &stm.exp {
            Exp::Array(ArrayExp::ArrayLit(rows)) => {
                let mut elements = Vec::with_capacity(count);
                for row in rows {
                    match row.var().filter(|var| !self.names.ty(*var).is_scalar()) {
                        Some(row) => elements.extend(self.known.get(&row)?),
                        None => elements.push(*row),
                    }
                }
                elements
            }
            Exp::Array(ArrayExp::Replicate { count: _, value }) => {
                match value.var().map(|var| self.names.ty(var)) {
                    Some(ty) if !ty.is_scalar() => {
                        let row = self.known.get(&value.var()?)?;
                        row.iter().copied().cycle().take(count).collect()
                    }
                    _ => vec![*value; count],
                }
            }
            Exp::Array(ArrayExp::Range { start: Atom::Const(start), step: Atom::Const(step), .. }) => {
                let next = |last: &Scalar| eval_bin(BinOp::Add, *last, *step);
                std::iter::successors(Some(*start), next).take(count).map(Atom::Const).collect()
            }
            Exp::Scalar(ScalarExp::Atom(Atom::Var(array)))
            | Exp::Array(ArrayExp::Copy(array) | ArrayExp::Reshape { array, .. }) => {
                self.known.get(array)?.clone()
            }
            Exp::Array(ArrayExp::Coerce { array, .. }) => self.known.get(array)?.clone(),
            Exp::Array(ArrayExp::Concat { arrays, size: _ }) => {
                let parts: Option<Vec<&Vec<Atom>>> =
                    arrays.iter().map(|array| self.known.get(array)).collect();
                parts?.into_iter().flatten().copied().collect()
            }
            Exp::Array(ArrayExp::Rearrange { array, perm }) => {
                let elements = self.known.get(array)?;
                let from = sizes(self.names.ty(*array))?;
                permuted(&from, perm)
                    .into_iter()
                    .map(|at| elements.get(at).copied())
                    .collect::<Option<_>>()?
            }
            Exp::Array(ArrayExp::Index { array, slice }) => {
                let elements = self.known.get(array)?;
                let at = self.offset(*array, slice)?;
                elements.get(at..at + count)?.to_vec()
            }
            Exp::Array(ArrayExp::Update { array, slice, value }) => {
                let mut elements = self.known.get(array)?.clone();
                let at = self.offset(*array, slice)?;
                let new = match value.var().filter(|var| !self.names.ty(*var).is_scalar()) {
                    Some(row) => self.known.get(&row)?.clone(),
                    None => vec![*value],
                };
                elements.get_mut(at..at + new.len())?.copy_from_slice(&new);
                elements
            }
            _ => return None,
        };
        (elements.len() == count).then_some(elements)
    }

    /// The first element of a part of a small array, if it is known which part.
    fn offset(&self, array: Var, slice: &[DimIndex]) -> Option<usize> {
        let sizes = sizes(self.names.ty(array))?;
        let mut offset = 0;
        for (dim, size) in sizes.iter().enumerate() {
            let at = match slice.get(dim) {
                Some(DimIndex::Fix(Atom::Const(Scalar::I64(at)))) if (0..*size).contains(at) => *at,
                Some(_) => return None,
                None => 0,
            };
            offset = offset * size + at;
        }
        Some(offset as usize)
    }

    /// The elements of a small array, taken out of it if they are not known. Its own type may have other names for sizes than this one of whoever has it next: a check
    /// makes them equal.
    fn elements(&mut self, array: Atom, small: &Type, like: &Stm, out: &mut Vec<Stm>) -> Vec<Atom> {
        let Some(array) = array.var() else { return vec![array] };
        if let Some(known) = self.known.get(&array) {
            return known.clone();
        }
        let Some(sizes) = sizes(small).filter(|sizes| !sizes.is_empty()) else { return vec![array.into()] };
        let count = sizes.iter().product::<i64>();
        let mut elements = Vec::with_capacity(count as usize);
        for number in 0..count {
            let mut slice = Vec::with_capacity(sizes.len());
            let mut rest = number;
            for size in sizes.iter().rev() {
                slice.push(DimIndex::Fix(Atom::i64(rest % size)));
                rest /= size;
            }
            slice.reverse();
            let name = self.names.name(array);
            let element = self.names.fresh(&name, small.with_dims(Vec::new()));
            out.push(beside(like, vec![element], Exp::index(array, slice)));
            elements.push(element.into());
        }
        elements
    }

    /// The array of these elements, which are known from now on. A scalar is its only element.
    fn assemble(&mut self, var: Var, elements: Vec<Atom>, like: &Stm, out: &mut Vec<Stm>) {
        let ty = self.names.ty(var).clone();
        if ty.is_scalar() {
            return out.push(beside(like, vec![var], Exp::atom(elements[0])));
        }
        let mut rows = elements.clone();
        let sizes = sizes(&ty).unwrap_or_default();
        for dim in (1..sizes.len()).rev() {
            let row = ty.with_dims(ty.dims()[dim..].to_vec());
            let mut outer = Vec::with_capacity(rows.len() / sizes[dim] as usize);
            for row_elements in rows.chunks(sizes[dim] as usize) {
                let name = self.names.name(var);
                let row = self.names.fresh(&name, row.clone());
                out.push(beside(like, vec![row], Exp::array(row_elements.to_vec())));
                outer.push(row.into());
            }
            rows = outer;
        }
        out.push(beside(like, vec![var], Exp::array(rows)));
        self.known.insert(var, elements);
    }

    /// New variables for the elements of a small array.
    fn element_vars(&mut self, array: Var) -> Vec<Var> {
        let ty = self.names.ty(array).clone();
        let name = self.names.name(array);
        let count = small(&ty).unwrap_or(1);
        (0..count).map(|_| self.names.fresh(&name, ty.with_dims(Vec::new()))).collect()
    }

    fn is_small(&self, var: Var) -> bool {
        small(self.names.ty(var)).is_some()
    }
}

/// A statement that does a part of what another did.
fn beside(like: &Stm, vars: Vec<Var>, exp: Exp) -> Stm {
    Stm { certs: like.certs.clone(), ..Stm::new(vars, exp, like.span) }
}

fn atoms(vars: &[Var]) -> Vec<Atom> {
    vars.iter().map(|var| Atom::Var(*var)).collect()
}

/// The sizes of an array of numbers that are all known.
fn sizes(ty: &Type) -> Option<Vec<i64>> {
    let Type::Value(Elem::Prim(_), dims) = ty else { return None };
    let size = |dim: &norn_ir::nest::Dim| match dim.atom() {
        Some(Atom::Const(Scalar::I64(size))) => Some(size),
        Some(Atom::Const(_) | Atom::Var(_)) | None => None,
    };
    dims.iter().map(size).collect()
}

/// Where the elements of an array whose dimensions are permuted are found in it, in their order. Dimensions that are not mentioned stay.
fn permuted(sizes: &[i64], perm: &[usize]) -> Vec<usize> {
    let order: Vec<usize> = perm.iter().copied().chain(perm.len()..sizes.len()).collect();
    let stride = |dim: usize| sizes[dim + 1..].iter().product::<i64>();
    let mut places = vec![0i64];
    for dim in order {
        let along = |place: i64| (0..sizes[dim]).map(move |at| place + at * stride(dim));
        places = places.into_iter().flat_map(along).collect();
    }
    places.into_iter().map(|place| place as usize).collect()
}

/// How many elements a small array has.
fn small(ty: &Type) -> Option<usize> {
    let sizes = sizes(ty).filter(|sizes| !sizes.is_empty())?;
    let count = sizes.iter().try_fold(1i64, |product, size| product.checked_mul(*size))?;
    (1..=SMALL).contains(&count).then_some(count as usize)
}

/// An operator over so few elements that it can be done one by one.
fn few(width: Atom) -> Option<i64> {
    match width {
        Atom::Const(Scalar::I64(width)) if (1..=FEW).contains(&width) => Some(width),
        Atom::Const(_) | Atom::Var(_) => None,
    }
}
