//! A reduction of the reductions of rows by the same operator goes through all elements at once.
//!
//! ```text
//! let s: f32, rows: [n][m]f32 = fused n (xss) \(xs: [m]f32) {          let nm: i64 = mul.i64 n m
//!   let t: f32, row: [m]f32 = fused m (xs) \(x: f32) {..} reduce op     let places: [nm]i64 = range nm from 0 by 1
//!   in t, row                                                          let s: f32, all: [nm]f32 = fused nm (places) \(e) {
//! } reduce op                                                            let j: i64 = rem.i64 e m
//!                                                              ==>       let i: i64 = quot.i64 e m
//!                                                                        let x: f32 = index xss [i, j]
//!                                                                        ..
//!                                                                      } reduce op
//!                                                                      let rows: [n][m]f32 = reshape all 1 (n, m)
//! ```
//!
//! A step on a grid that also finds out how much has changed is an example: what rows have would be stored and combined by two more kernels.
//!
//! Needs: nest. Gives: the same. Keeps: results and failures; the elements are combined in their order. Refuses: rows whose length depends on the row; elements with operators, loops or calls inside, and what is done
//! for each row that takes more than a few instructions; operators that read less memory than there are elements, which tiles do faster; and
//! those whose neighbours read what is far apart, such as columns, which threads side by side go down. Cost: linear.

use crate::nest::cse::key::key;
use crate::nest::memory::signatures;
use crate::nest::mentions::{self, bound_inside};
use crate::nest::subst::Names;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Elem, Exp, Lambda, Operator, Prim, Prog,
    Reduction, ScalarExp, Stm, Type, Var, VarInfo,
};
use rustc_hash::FxHashSet;

/// In these functions; whether there was such a reduction.
pub fn all_elements(prog: &mut Prog, in_functions: &[bool]) -> bool {
    let signatures = signatures(prog);
    let mut changed = false;
    for (fun, _) in prog.funs.iter_mut().zip(in_functions).filter(|(_, is_in)| **is_in) {
        let mut names = Names::of(&signatures, fun);
        changed |= in_body(&mut names, &mut FxHashSet::default(), &mut fun.body);
        fun.vars = names.vars;
    }
    if changed {
        normalise(prog);
    }
    changed
}

/// In a body outside of all operators, and those in it. `rearranged`: views of arrays whose neighbours are not side by side in memory.
fn in_body(names: &mut Names, rearranged: &mut FxHashSet<Var>, body: &mut Body) -> bool {
    let mut changed = false;
    let mut done = Vec::with_capacity(body.stms.len());
    for mut stm in std::mem::take(&mut body.stms) {
        if let Exp::Control(_) = &stm.exp {
            stm.for_each_part_mut(&mut |part| {
                if let PartMut::Body(body) = part {
                    changed |= in_body(names, rearranged, body);
                }
            });
        }
        if matches!(stm.exp, Exp::Array(ArrayExp::Rearrange { .. })) {
            rearranged.extend(&stm.vars);
        }
        let rows = Rows::of(names, &stm).filter(|rows| rows.are_in_order(names, rearranged));
        match rows.map(|rows| rows.at_once(names, &stm)) {
            Some(stms) => {
                done.extend(stms);
                changed = true;
            }
            None => done.push(stm),
        }
    }
    body.stms = done;
    changed
}

/// An operator that reduces rows, and that of the rows.
struct Rows<'a> {
    outer: Level<'a>,
    inner: Level<'a>,
    op: &'a Reduction,
    /// What is done for each row before.
    before: &'a [Stm],
    last: &'a Stm,
}

struct Level<'a> {
    width: Atom,
    inputs: &'a [Var],
    /// None: it yields the elements of its inputs.
    lambda: Option<&'a Lambda>,
}

impl Level<'_> {
    fn stms(&self) -> &[Stm] {
        self.lambda.map_or(&[], |lambda| &lambda.body.stms)
    }
}

fn level(stm: &Stm) -> Option<(Level<'_>, &Reduction)> {
    if !stm.attrs.is_empty() {
        return None;
    }
    match &stm.exp {
        Exp::Op(Operator::Reduce { width, op, inputs }) => {
            Some((Level { width: *width, inputs, lambda: None }, op))
        }
        Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) => {
            let [op] = &reductions[..] else { return None };
            let is_plain = scans.is_empty() && lambda.params.len() == inputs.len();
            is_plain.then_some((Level { width: *width, inputs, lambda: Some(lambda) }, op))
        }
        _ => None,
    }
}

impl<'a> Rows<'a> {
    fn of(names: &Names, stm: &'a Stm) -> Option<Rows<'a>> {
        let (outer, op) = level(stm)?;
        let outer_lambda = outer.lambda?;
        let (last, before) = outer_lambda.body.stms.split_last()?;
        let (inner, inner_op) = level(last)?;
        let bound = bound_inside(stm);
        let is_outside = |atom: &Atom| atom.var().is_none_or(|var| !bound.contains(&var));
        let reduced = op.neutral.len();
        let result = &outer_lambda.body.result;
        let of_rows = |atom: &Atom| atom.var().is_some_and(|var| last.vars[reduced..].contains(&var));
        let is_scalar = |var: &Var| names.ty(*var).prim().is_some();
        let is_number = |atom: &Atom| atom.var().is_none_or(|var| is_scalar(&var));
        // As much memory is read or written as there are elements.
        let is_large =
            result.len() > reduced || inner.inputs.iter().any(|input| outer_lambda.params.contains(input));
        let fits = is_large
            && is_outside(&inner.width)
            && same_operator(&names.vars, op, inner_op, stm)
            && op.lambda.params.iter().all(is_scalar)
            && last.certs.iter().all(|cert| !bound.contains(cert))
            && result[..reduced].iter().copied().eq(last.vars[..reduced].iter().map(|var| Atom::Var(*var)))
            && result[reduced..].iter().all(of_rows)
            && before.iter().all(|stm| is_for_each(names, stm))
            && inner.stms().iter().all(is_element)
            && inner.lambda.is_none_or(|lambda| lambda.body.result.iter().all(is_number));
        fits.then_some(Rows { outer, inner, op, before, last })
    }

    /// Whether elements that follow each other read what is side by side in memory, as far as their indices show.
    fn are_in_order(&self, names: &Names, rearranged: &FxHashSet<Var>) -> bool {
        let mut order = Order { names, rearranged, of_element: FxHashSet::default() };
        order.of_element.extend(self.inner.lambda.iter().flat_map(|lambda| &lambda.params));
        !self.outer.inputs.iter().any(|input| rearranged.contains(input))
            && order.holds(self.before)
            && order.holds(self.inner.stms())
    }

    fn at_once(&self, names: &mut Names, stm: &Stm) -> Vec<Stm> {
        let (n, m) = (self.outer.width, self.inner.width);
        let mut number = |name: &str| names.fresh(name, Type::i64());
        let (total, place, j, i) = (number("total"), number("e"), number("index"), number("row"));
        let bin = |var, op, x: Atom, y| Stm::new(vec![var], Exp::bin(op, Prim::I64, x, y), stm.span);
        let mut stms = vec![bin(j, BinOp::Rem, place.into(), m), bin(i, BinOp::Quot, place.into(), m)];
        let mut at = |level: &Level, index: Var, stms: &mut Vec<Stm>| -> Vec<Var> {
            let params = match level.lambda {
                Some(lambda) => lambda.params.clone(),
                None => level.inputs.iter().flat_map(|input| names.row_params(*input)).collect(),
            };
            for (param, input) in params.iter().zip(level.inputs) {
                let slice = vec![DimIndex::Fix(index.into())];
                stms.push(Stm::new(vec![*param], Exp::index(*input, slice), stm.span));
            }
            params
        };
        at(&self.outer, i, &mut stms);
        stms.extend_from_slice(self.before);
        let elements = at(&self.inner, j, &mut stms);
        stms.extend_from_slice(self.inner.stms());
        let values: Vec<Atom> = match self.inner.lambda {
            Some(lambda) => lambda.body.result.clone(),
            None => elements.into_iter().map(Atom::Var).collect(),
        };
        // In the order in which the outer operator yields rows.
        let reduced = self.op.neutral.len();
        let results = self.outer.lambda.map_or(&[][..], |lambda| &lambda.body.result[reduced..]);
        let kept =
            results.iter().filter_map(|row| self.last.vars.iter().position(|var| row.var() == Some(*var)));
        let result = values[..reduced].iter().copied().chain(kept.map(|at| values[at])).collect();
        let size = Dim::Size(total.into());
        let places = names.fresh("places", Type::Value(Elem::Prim(Prim::I64), vec![size]));
        let range =
            ArrayExp::Range { prim: Prim::I64, count: total.into(), start: Atom::i64(0), step: Atom::i64(1) };
        let mut vars = stm.vars[..reduced].to_vec();
        let mut behind = Vec::new();
        for rows in &stm.vars[reduced..] {
            let all = names.fresh("all", names.ty(*rows).with_dims(vec![size]));
            vars.push(all);
            behind.push(Stm::new(vec![*rows], Exp::reshape(all, 1, vec![n, m]), stm.span));
        }
        let exp = Exp::Op(Operator::Fused {
            width: total.into(),
            inputs: vec![places],
            lambda: Lambda::new(vec![place], Body { stms, result }),
            scans: Vec::new(),
            reductions: vec![self.op.clone()],
        });
        let certs = [&stm.certs[..], &self.last.certs].concat();
        let mut made = vec![
            bin(total, BinOp::Mul, n, m),
            Stm::new(vec![places], Exp::Array(range), stm.span),
            Stm { vars, exp, certs, ..stm.clone() },
        ];
        made.extend(behind);
        made
    }
}

fn same_operator(vars: &[VarInfo], a: &Reduction, b: &Reduction, around: &Stm) -> bool {
    let of = |op: &Reduction| {
        let stm = Stm::new(Vec::new(), Exp::reduce(Atom::i64(0), op.clone(), Vec::new()), around.span);
        key(vars, &stm)
    };
    of(a).is_some() && of(a) == of(b)
}

/// What may be done for each element instead of for each row.
fn is_for_each(names: &Names, stm: &Stm) -> bool {
    let takes_few_instructions = match &stm.exp {
        Exp::Array(ArrayExp::Index { .. }) | Exp::Scalar(ScalarExp::Atom(_) | ScalarExp::Convert { .. }) => {
            true
        }
        Exp::Scalar(ScalarExp::Un(_, prim, _)) => !prim.is_float(),
        Exp::Scalar(ScalarExp::Bin(op, prim, ..)) => {
            !prim.is_float() || matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul)
        }
        _ => false,
    };
    let is_regular = |var: &Var| names.ty(*var).dims().iter().all(|dim| dim.atom().is_some());
    stm.attrs.is_empty() && takes_few_instructions && stm.vars.iter().all(is_regular)
}

/// Where the elements are that statements read.
struct Order<'a> {
    names: &'a Names,
    rearranged: &'a FxHashSet<Var>,
    /// What depends on where in its row the element is.
    of_element: FxHashSet<Var>,
}

impl Order<'_> {
    /// Whether only the last index of what is read depends on where in its row the element is.
    fn holds(&mut self, stms: &[Stm]) -> bool {
        stms.iter().all(|stm| {
            let mut inside = true;
            stm.for_each_part(&mut |part| {
                if let Part::Body(body) = part {
                    inside &= self.holds(&body.stms);
                }
            });
            let mut mentioned = Vec::new();
            mentions::in_stm(&self.names.vars, stm, &mut mentioned);
            if mentioned.iter().any(|var| self.of_element.contains(var)) {
                self.of_element.extend(&stm.vars);
            }
            inside && self.reads_along_rows(&stm.exp)
        })
    }

    fn reads_along_rows(&self, exp: &Exp) -> bool {
        let Exp::Array(ArrayExp::Index { array, slice }) = exp else { return true };
        let depends =
            |at: &DimIndex| matches!(at, DimIndex::Fix(Atom::Var(var)) if self.of_element.contains(var));
        let outer = slice.split_last().map_or(&[][..], |(_, outer)| outer);
        !self.rearranged.contains(array) && !outer.iter().any(depends)
    }
}

/// Whether it is no operator, loop or call, and has none inside.
fn is_element(stm: &Stm) -> bool {
    let is_control = match &stm.exp {
        Exp::Control(exp) => {
            matches!(exp, ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Check(_))
        }
        Exp::Scalar(_) | Exp::Array(ArrayExp::Index { .. }) => true,
        Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => false,
    };
    let mut inside = true;
    stm.for_each_part(&mut |part| {
        if let Part::Body(body) = part {
            inside &= body.stms.iter().all(is_element);
        }
    });
    is_control && inside && stm.attrs.is_empty()
}
