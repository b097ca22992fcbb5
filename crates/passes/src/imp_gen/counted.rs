//! Arrays that are never made: ranges, and replicated scalars, of which only elements are used.
//!
//! ```text
//! let is: [n]i64 = range.i64 n 0 1
//! let ys: [n]f32 = map n (is) \(i: i64) { .. xs[i] .. }       `i` is the loop's own counter
//! ```
//!
//! That saves the memory, and the index of what the lambda reads is known to count by one.

use super::repr::{Array, Counted, Lead, Part};
use super::state::{Gen, Where};
use norn_ir::imp::{BinOp, Elem, Exp, Prim, Scalar};
use norn_ir::nest::walk::Part as NestPart;
use norn_ir::nest::{ArrayExp, Atom, Body, DimIndex, Exp as NestExp, Var, VarInfo};
use rustc_hash::FxHashSet;

/// The variables of a body that are bound by ranges or replicated scalars, and used for their elements alone.
pub fn counted_vars(vars: &[VarInfo], body: &Body) -> FxHashSet<Var> {
    let mut found = FxHashSet::default();
    find(vars, body, &mut found);
    if !found.is_empty() {
        let mut whole = FxHashSet::default();
        whole_uses(body, &mut whole);
        found.retain(|var| !whole.contains(var));
    }
    found
}

fn find(vars: &[VarInfo], body: &Body, found: &mut FxHashSet<Var>) {
    for stm in &body.stms {
        let counts = match &stm.exp {
            NestExp::Array(ArrayExp::Range { .. }) => true,
            NestExp::Array(ArrayExp::Replicate { value, .. }) => {
                value.var().is_none_or(|var| vars[var.0 as usize].ty.is_scalar())
            }
            _ => false,
        };
        if counts {
            found.insert(stm.vars[0]);
        }
        stm.for_each_part(&mut |part| match part {
            NestPart::Body(body) => find(vars, body, found),
            NestPart::Lambda(lambda) => find(vars, &lambda.body, found),
            NestPart::Atom(_) | NestPart::Var(_) | NestPart::Binder(_) => {}
        });
    }
}

/// The variables that are used otherwise than element by element.
fn whole_uses(body: &Body, whole: &mut FxHashSet<Var>) {
    whole.extend(body.result.iter().filter_map(|atom| atom.var()));
    for stm in &body.stms {
        let by_element: &[Var] = match &stm.exp {
            NestExp::Op(op) => op.elements(),
            NestExp::Array(ArrayExp::Index { array, slice })
                if slice.iter().all(|at| matches!(at, DimIndex::Fix(_))) =>
            {
                std::slice::from_ref(array)
            }
            _ => &[],
        };
        let mut seen = 0;
        stm.exp.for_each_part(&mut |part| match part {
            NestPart::Var(var) if by_element.get(seen) == Some(var) => seen += 1,
            NestPart::Atom(Atom::Var(var)) | NestPart::Var(var) => {
                whole.insert(*var);
            }
            NestPart::Body(body) => whole_uses(body, whole),
            NestPart::Lambda(lambda) => whole_uses(&lambda.body, whole),
            NestPart::Atom(Atom::Const(_)) | NestPart::Binder(_) => {}
        });
    }
}

impl Gen<'_> {
    /// An array of `count` numbers that is not in memory.
    pub fn counted(&mut self, prim: Prim, count: Exp, start: Exp, step: Exp) -> Array {
        Array {
            prim,
            lead: vec![Lead { size: count, stride: Exp::i64(1) }],
            // It has no layout, so nobody takes it for memory.
            row_major_from: 1,
            tail: Vec::new(),
            offsets: Vec::new(),
            data: Part::lent(Exp::null_ptr(Elem::Prim(prim))),
            counted: Some(Counted { start, step }),
        }
    }

    /// The element of a regular array so many elements behind its first.
    pub fn element(&mut self, array: &Array, at: Exp) -> Exp {
        match &array.counted {
            None if self.at == Where::Host => self.read_device(array, at),
            None => Exp::load(Elem::Prim(array.prim), array.data.ptr.clone(), at),
            Some(counted) => counted.element(array.prim, at),
        }
    }
}

impl Counted {
    pub fn element(&self, prim: Prim, at: Exp) -> Exp {
        let is = |exp: &Exp, number: i128| *exp == Exp::Const(Scalar::from_int(prim, number));
        if prim == Prim::I64 {
            return self.start.clone().add(at.mul(self.step.clone()));
        }
        // Of a replicated scalar, which may be a float, there is but the one.
        if is(&self.step, 0) {
            return self.start.clone();
        }
        let number = at.convert(Prim::I64, prim);
        let number =
            if is(&self.step, 1) { number } else { Exp::bin(BinOp::Mul, prim, number, self.step.clone()) };
        if is(&self.start, 0) { number } else { Exp::bin(BinOp::Add, prim, self.start.clone(), number) }
    }
}
