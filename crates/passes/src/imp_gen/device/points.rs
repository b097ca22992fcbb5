//! Kernels that write into rows, as kernels with points.
//!
//! Temporary, as `from_nest`: when `flatten` makes kernels, these have their points from the beginning.
//!
//! ```text
//! grid (| t < count) { let i = quot.i64 t m  let j = rem.i64 t m  .. in i, k, x } scatter (i, k) (x) into (v)     // count = n * m
//!
//! grid (i < n | j < m) { .. in k, x } scatter (k) (x) into (v)
//! ```
//!
//! A dimension whose extent is a product, and whose index the body divides by one of the factors, is two dimensions. Those in front which
//! are the first indices of the destination, and as many as it has, are points.

use super::kernel::Kernel;
use crate::nest::mentions;
use norn_base::Span;
use norn_ir::flat::{Extent, Into, Out, SpaceDim};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, Dim, DimIndex, Exp, Prim, ScalarExp, Stm, Type, Var, VarInfo,
};
use rustc_hash::FxHashMap;

/// What the host has computed, as far as it matters for spaces.
#[derive(Default)]
pub struct HostFacts {
    products: FxHashMap<Var, (Atom, Atom)>,
    /// Arrays of the numbers from 0 on.
    counts: FxHashMap<Var, Atom>,
}

impl HostFacts {
    pub fn note(&mut self, stm: &Stm) {
        let [var] = stm.vars[..] else { return };
        match &stm.exp {
            Exp::Scalar(ScalarExp::Bin(BinOp::Mul, Prim::I64, x, y)) => {
                self.products.insert(var, (*x, *y));
            }
            Exp::Array(ArrayExp::Range { prim: Prim::I64, count, start, step })
                if (*start, *step) == (Atom::i64(0), Atom::i64(1)) =>
            {
                self.counts.insert(var, *count);
            }
            _ => {}
        }
    }

    /// The kernel, which goes through one dimension and writes, with points if that is what it does.
    pub fn with_points(&self, vars: &mut Vec<VarInfo>, span: Span, mut kernel: Kernel) -> Kernel {
        let [SpaceDim { var, extent: Extent::Size(width) }] = kernel.through[..] else { return kernel };
        let mut making = IndexSplitter { vars, span, body: kernel.body.clone() };
        let counts = |array: &Var| self.counts.contains_key(array);
        let Some(number) = making.take(|exp| match exp {
            Exp::Array(ArrayExp::Index { array, slice }) => {
                counts(array) && slice[..] == [DimIndex::Fix(Atom::Var(var))]
            }
            _ => false,
        }) else {
            return kernel;
        };
        let mut dims = vec![(number, width)];
        while let Some((outer, inner)) =
            dims[0].1.var().and_then(|extent| self.products.get(&extent).copied())
        {
            let Some((row, place)) = making.divided(dims[0].0, inner) else { break };
            dims.splice(..1, [(row, outer), (place, inner)]);
        }
        let (indices, into) = match &kernel.outs[..] {
            [Out::Scatter { indices, into } | Out::Hist { indices, into, .. }] => (*indices, into),
            _ => return kernel,
        };
        let most = indices.min(dims.len() - 1);
        let is_point = |number: &usize| {
            let (dim, size) = dims[*number];
            let as_long = |into: &Into| {
                making.vars[into.array.0 as usize].ty.dims().get(*number) == Some(&Dim::Size(size))
            };
            kernel.body.result[*number] == Atom::Var(dim) && into.iter().all(as_long)
        };
        let points = (0..most).take_while(is_point).count();
        if points == 0 {
            return kernel;
        }
        let dims = dims.into_iter().map(|(var, size)| SpaceDim { var, extent: Extent::Size(size) });
        kernel.points = dims.collect();
        kernel.through = kernel.points.split_off(points);
        kernel.body = making.body;
        kernel.body.result.drain(..points);
        if let [Out::Scatter { indices, .. } | Out::Hist { indices, .. }] = &mut kernel.outs[..] {
            *indices -= points;
        }
        kernel
    }
}

struct IndexSplitter<'a> {
    vars: &'a mut Vec<VarInfo>,
    span: Span,
    body: Body,
}

impl IndexSplitter<'_> {
    /// The variable that a statement like this binds, which is taken out.
    fn take(&mut self, is_it: impl Fn(&Exp) -> bool) -> Option<Var> {
        let at = self.body.stms.iter().position(|stm| stm.vars.len() == 1 && is_it(&stm.exp))?;
        Some(self.body.stms.remove(at).vars[0])
    }

    /// The quotient and the remainder of an index, if the body asks for one of them. Who asks for the index itself gets it from these.
    fn divided(&mut self, number: Var, by: Atom) -> Option<(Var, Var)> {
        let is = |op: BinOp| move |exp: &Exp| *exp == Exp::bin(op, Prim::I64, Atom::Var(number), by);
        let found = [BinOp::Quot, BinOp::Rem].map(|op| self.take(is(op)));
        if found == [None, None] {
            return None;
        }
        let [row, place] = found.map(|var| var.unwrap_or_else(|| self.new_var("i")));
        let mut used = Vec::new();
        self.body.stms.iter().for_each(|stm| mentions::in_stm(self.vars, stm, &mut used));
        mentions::in_atoms(&self.body.result, &mut used);
        if used.contains(&number) {
            let before = self.new_var("before");
            let bin = |op: BinOp, x: Atom, y: Atom| Exp::bin(op, Prim::I64, x, y);
            let product = Stm::new(vec![before], bin(BinOp::Mul, row.into(), by), self.span);
            let sum = Stm::new(vec![number], bin(BinOp::Add, before.into(), place.into()), self.span);
            self.body.stms.splice(0..0, [product, sum]);
        }
        Some((row, place))
    }

    fn new_var(&mut self, name: &str) -> Var {
        self.vars.push(VarInfo::new(name, Type::i64()));
        Var(self.vars.len() as u32 - 1)
    }
}
