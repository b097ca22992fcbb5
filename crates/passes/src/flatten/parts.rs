//! Some elements of a nest: one level in place of all, over the numbers of these elements.
//!
//! ```text
//! map n (xss) \xs { map m (xs) \x { .. x .. } }     map k (ts) \t {      // k of the n * m elements
//!                                                     let i: i64 = quot.i64 t m
//!                                                     let xs: [m]f32 = index xss [i]
//!                                                     let j: i64 = rem.i64 t m
//!                                                     let x: f32 = index xs [j]
//!                                                     .. x ..
//! ```
//!
//! What was a parameter of a level, or stored, is an element of its array now, which is cheap; nothing is copied.

use super::Distributor;
use super::context::{Context, Group, Home, Level, Stored};
use crate::nest::mentions;
use norn_ir::nest::{ArrayExp, Atom, BinOp, Dim, DimIndex, Exp, Prim, Stm, Type, Var};
use std::rc::Rc;

/// All elements of a nest, one after the other.
pub struct Elements {
    pub count: Atom,
    /// How the number of an element tells the numbers of those around it, from the outermost level in.
    levels: Vec<Numbering>,
}

enum Numbering {
    /// As many in each element around.
    Even(Atom),
    /// Rows of these lengths, which end there; and of each element, the number of its row.
    Rows { lengths: Var, ends: Var, rows: Var },
}

/// Which row an element is in.
pub struct RowNumber {
    /// The number of the row at each level, or if rows have different lengths, among all.
    pub in_each: Vec<Var>,
    pub in_all: Var,
}

/// Variables for the number of an element at a level: among all, and within the one around it.
struct ElementNumber {
    all: Var,
    within: Var,
}

impl Distributor<'_, '_> {
    pub fn elements(&mut self, cx: &Context) -> Elements {
        let mut levels = Vec::new();
        let mut count = Atom::i64(1);
        for depth in 0..cx.depth() {
            let width = cx.levels[depth].width;
            match width.var().filter(|_| !cx.is_outside(width)) {
                None => {
                    count = match depth {
                        0 => width,
                        _ => self
                            .emit("count", Type::i64(), Exp::bin(BinOp::Mul, Prim::I64, count, width))
                            .into(),
                    };
                    levels.push(Numbering::Even(width));
                }
                Some(width) => {
                    let mut outer = cx.clone();
                    outer.levels.truncate(depth);
                    let (lengths, _) = self.all_in_one(&mut outer, width);
                    let (ends, total) = self.ends(lengths);
                    let (_, rows) = self.row_numbers(ends, total);
                    count = total.into();
                    levels.push(Numbering::Rows { lengths, ends, rows });
                }
            }
        }
        Elements { count, levels }
    }

    /// The context of those elements whose numbers are in an array. It knows these variables, and what they need.
    pub fn some_of(&mut self, cx: &Context, elements: &Elements, numbers: Var, roots: &[Var]) -> Context {
        self.some_placed(cx, elements, numbers, roots).0
    }

    /// The same, and which row, outside the innermost level, the element is in.
    pub fn some_in_rows(
        &mut self,
        cx: &Context,
        elements: &Elements,
        numbers: Var,
        roots: &[Var],
    ) -> (Context, RowNumber) {
        let (part, places) = self.some_placed(cx, elements, numbers, roots);
        let (_, outer) = places.split_last().expect("distribute: elements without levels");
        let in_each =
            match elements.levels[..outer.len()].iter().all(|level| matches!(level, Numbering::Even(_))) {
                true => outer.iter().map(|place| place.within).collect(),
                false => outer.last().map(|place| place.all).into_iter().collect(),
            };
        let in_all = outer.last().expect("distribute: elements without rows").all;
        (part, RowNumber { in_each, in_all })
    }

    fn some_placed(
        &mut self,
        cx: &Context,
        elements: &Elements,
        numbers: Var,
        roots: &[Var],
    ) -> (Context, Vec<ElementNumber>) {
        let number = self.names.fresh("t", Type::i64());
        let width = self.names.ty(numbers).dims()[0].atom().unwrap_or(Atom::i64(0));
        let mut part = Context::default();
        part.push(Level { width, groups: vec![Group { input: numbers, params: vec![number] }] });
        let places = self.places(&mut part, elements, number);
        roots.iter().for_each(|root| self.take_along(cx, &mut part, &places, *root));
        (part, places)
    }

    fn places(&mut self, part: &mut Context, elements: &Elements, number: Var) -> Vec<ElementNumber> {
        let mut places = Vec::new();
        let mut all = number;
        for (depth, level) in elements.levels.iter().enumerate().rev() {
            if depth == 0 {
                places.push(ElementNumber { all, within: all });
                break;
            }
            let (outer, within) = match level {
                Numbering::Even(width) => {
                    let outer = self.again_bin(part, BinOp::Quot, all.into(), *width);
                    (outer, self.again_bin(part, BinOp::Rem, all.into(), *width))
                }
                Numbering::Rows { lengths, ends, rows } => {
                    let outer = self.again_entry(part, *rows, all);
                    let end = self.again_entry(part, *ends, outer);
                    let length = self.again_entry(part, *lengths, outer);
                    let start = self.again_bin(part, BinOp::Sub, end.into(), length.into());
                    (outer, self.again_bin(part, BinOp::Sub, all.into(), start.into()))
                }
            };
            places.push(ElementNumber { all, within });
            all = outer;
        }
        places.reverse();
        places
    }

    fn again_bin(&mut self, part: &mut Context, op: BinOp, x: Atom, y: Atom) -> Var {
        let var = self.names.fresh("i", Type::i64());
        let stm = self.stm(vec![var], Exp::bin(op, Prim::I64, x, y), self.span);
        self.again(part, stm);
        var
    }

    pub fn again_entry(&mut self, part: &mut Context, array: Var, at: Var) -> Var {
        let var = self.names.fresh("i", Type::i64());
        let slice = vec![DimIndex::Fix(at.into())];
        let stm = self.stm(vec![var], Exp::index(array, slice), self.span);
        self.again(part, stm);
        var
    }

    /// Whoever needs it does this statement.
    pub fn again(&mut self, cx: &mut Context, stm: Stm) {
        let home = Home::Again { level: cx.depth(), at: self.tick(), stm: Rc::new(stm.clone()), cost: 1 };
        stm.vars.iter().for_each(|var| cx.set(*var, home.clone()));
    }

    /// A variable of the nest in the context of some of its elements.
    fn take_along(&mut self, cx: &Context, part: &mut Context, places: &[ElementNumber], var: Var) {
        if part.home(var).is_some() {
            return;
        }
        match cx.home(var).cloned() {
            None => {}
            Some(Home::Check) => part.set(var, Home::Check),
            Some(Home::Waiting) => part.set(var, Home::Waiting),
            Some(Home::Param { level, group }) => {
                let Group { input, params } = cx.levels[level - 1].groups[group].clone();
                self.take_along(cx, part, places, input);
                let mut sizes = Vec::new();
                params.iter().for_each(|param| mentions::in_type(&self.names.vars, *param, &mut sizes));
                sizes.retain(|size| !params.contains(size));
                sizes.into_iter().for_each(|size| self.take_along(cx, part, places, size));
                let slice = vec![DimIndex::Fix(places[level - 1].within.into())];
                if let ([_, row], true) = (&params[..], level == cx.depth()) {
                    part.rows.insert(*row);
                }
                let stm = self.stm(params, Exp::index(input, slice), self.span);
                self.again(part, stm);
            }
            Some(Home::Stored(stored)) => self.take_stored(cx, part, places, var, stored),
            Some(Home::Again { stm, .. }) => {
                let mut operands = Vec::new();
                mentions::in_stm(&self.names.vars, &stm, &mut operands);
                mentions::certs(&stm, &mut operands);
                operands.into_iter().for_each(|operand| self.take_along(cx, part, places, operand));
                let mut stm = (*stm).clone();
                // A length that was taken along before, for the sizes of others, stays what it is: these come before this.
                if let (Exp::Array(ArrayExp::Index { .. }), [length, _]) = (&stm.exp, &mut stm.vars[..])
                    && part.home(*length).is_some()
                {
                    *length = self.names.fresh("length", Type::i64());
                }
                self.again(part, stm);
            }
        }
    }

    fn take_stored(
        &mut self,
        cx: &Context,
        part: &mut Context,
        places: &[ElementNumber],
        var: Var,
        stored: Stored,
    ) {
        let (array, _) = self.in_one_dimension(stored.array, stored.level);
        let ty = self.names.ty(var).clone();
        let mut row = self.names.ty(array).row().unwrap_or(Type::bool());
        let is_irregular = row.dims().first() == Some(&Dim::Irregular);
        // A length that was not stored, since it comes with its row.
        let own = ty.dims().first().and_then(|dim| dim.atom()).and_then(Atom::var).filter(|size| {
            is_irregular && matches!(cx.home(*size), Some(Home::Waiting)) && part.home(*size).is_none()
        });
        let mut sizes = Vec::new();
        mentions::in_type(&self.names.vars, var, &mut sizes);
        sizes.retain(|size| Some(*size) != own);
        sizes.into_iter().for_each(|size| self.take_along(cx, part, places, size));
        let mut vars = Vec::new();
        if is_irregular {
            vars.push(own.unwrap_or_else(|| self.names.fresh("length", Type::i64())));
            let mut dims = row.dims().to_vec();
            dims[0] = ty.dims()[0];
            row = row.with_dims(dims);
        }
        let slice = vec![DimIndex::Fix(places[stored.level - 1].all.into())];
        let exp = Exp::index(array, slice);
        if row.same_pattern(&ty) {
            if vars.len() == 1 && stored.level == cx.depth() {
                part.rows.insert(var);
            }
            vars.push(var);
            let stm = self.stm(vars, exp, self.span);
            return self.again(part, stm);
        }
        let whole = self.names.fresh(&self.names.name(var), row);
        vars.push(whole);
        let stm = self.stm(vars, exp, self.span);
        self.again(part, stm);
        let stm = self.stm(vec![var], Exp::coerce(whole, ty.dims().to_vec()), self.span);
        self.again(part, stm);
    }
}
