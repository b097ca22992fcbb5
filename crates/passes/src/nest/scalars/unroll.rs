//! Operators over a few elements, and loops of a few iterations, written out one after the other.
//!
//! ```text
//! let ys: [3]f32 = map 3 (xs) \(x: f32) {          let y0: f32 = mul.f32 x0 x0
//!   let y: f32 = mul.f32 x x            ==>        let y1: f32 = mul.f32 x1 x1
//!   in y                                           let y2: f32 = mul.f32 x2 x2
//! }                                                let ys: [3]f32 = array (y0, y1, y2)
//! ```
//!
//! Decides by the number of elements and by how many statements that makes. Refuses: what would make more than there is room for, or more than registers hold; and loops that
//! take no element of a small array by their number, unless all that is inside is written out, too.

use super::{MOST, MOST_OF_TABLES, SMALL, Scalars, beside, few, small};
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, DimIndex, Exp, Lambda, LoopForm, Operator, Param, Reduction, Scalar,
    ScalarExp, Stm, Var,
};
use std::collections::HashSet;

/// An operator as what is done for each element, and what of that is combined.
struct Done<'a> {
    inputs: &'a [Var],
    lambda: Option<&'a Lambda>,
    scans: &'a [Reduction],
    reductions: &'a [Reduction],
}

impl Scalars<'_> {
    /// Whether the statement has been done element by element.
    pub fn unroll(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> bool {
        let (width, done) = match &stm.exp {
            Exp::Op(Operator::Map { width, inputs, lambda }) => {
                (*width, Done { inputs, lambda: Some(lambda), scans: &[], reductions: &[] })
            }
            Exp::Op(Operator::Reduce { width, op, inputs }) => {
                (*width, Done { inputs, lambda: None, scans: &[], reductions: std::slice::from_ref(op) })
            }
            Exp::Op(Operator::Scan { width, op, inputs }) => {
                (*width, Done { inputs, lambda: None, scans: std::slice::from_ref(op), reductions: &[] })
            }
            Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) => {
                (*width, Done { inputs, lambda: Some(lambda), scans, reductions })
            }
            _ => return false,
        };
        let (width, most) = match few(width) {
            Some(width) => (width, MOST),
            None => match width {
                Atom::Const(Scalar::I64(width))
                    if (1..=SMALL).contains(&width)
                        && (self.is_constant || self.goes_through_table(&done)) =>
                {
                    (width, MOST_OF_TABLES)
                }
                Atom::Const(_) | Atom::Var(_) => return false,
            },
        };
        if self.in_loop && straight_statement(stm).is_none() {
            return false;
        }
        let Some(cost) = self.cost(stm, &done, width, most) else { return false };
        self.room -= cost;
        self.one_by_one(stm, &done, width, out);
        true
    }

    /// How many statements would come of it, if all values are small and there is room.
    fn cost(&self, stm: &Stm, done: &Done, width: i64, most: usize) -> Option<usize> {
        let scalar_or_small = |var: &Var| {
            let ty = self.names.ty(*var);
            ty.is_scalar() || small(ty).is_some()
        };
        let ops = done.scans.iter().chain(done.reductions);
        let mut values = stm.vars.iter().chain(ops.clone().flat_map(|op| &op.lambda.params));
        if !values.all(scalar_or_small) {
            return None;
        }
        // Of irregular rows, the lambda would take the lengths, too.
        if done.inputs.iter().any(|input| self.names.ty(*input).has_irregular_rows()) {
            return None;
        }
        // Long rows, each of one element: they are many elements together, and apart as many operators.
        let bound = mentions::bound_inside(stm);
        if done.lambda.is_some_and(|lambda| goes_through_own_rows(&lambda.body, &bound)) {
            return None;
        }
        let bodies = done.lambda.iter().map(|lambda| &lambda.body).chain(ops.map(|op| &op.lambda.body));
        let statements: usize = bodies.map(Body::statements).sum();
        let cost = statements.saturating_mul(width as usize);
        (cost <= most && cost <= self.room).then_some(cost)
    }

    /// Whether an array whose elements stand there is an input, or indexed by the number of the element.
    fn goes_through_table(&self, done: &Done) -> bool {
        let is_indexed = |lambda: &Lambda| self.indexes_table(&lambda.body, &lambda.params);
        done.inputs.iter().any(|input| self.is_table(*input)) || done.lambda.is_some_and(is_indexed)
    }

    /// Whether a body takes an element of an array whose elements stand there, by one of these numbers, or by one that is computed of them and of constants.
    fn indexes_table(&self, body: &Body, numbers: &[Var]) -> bool {
        let mut numbers = numbers.to_vec();
        body.stms.iter().any(|stm| match &stm.exp {
            Exp::Array(ArrayExp::Index { array, slice }) => {
                let by_number =
                    |dim: &DimIndex| matches!(dim, DimIndex::Fix(Atom::Var(var)) if numbers.contains(var));
                self.is_table(*array) && slice.iter().any(by_number)
            }
            Exp::Scalar(ScalarExp::Bin(_, _, x, y)) => {
                let is_number = |atom: &Atom| atom.var().is_none_or(|var| numbers.contains(&var));
                if is_number(x) && is_number(y) {
                    numbers.extend(&stm.vars);
                }
                false
            }
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                self.indexes_table(then, &numbers) || self.indexes_table(els, &numbers)
            }
            _ => false,
        })
    }

    /// Whether the statement was a loop of a few iterations, or one that goes through such an array, and its iterations stand one after the other now.
    pub fn write_out(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> bool {
        let Exp::Control(ControlExp::Loop { params, form: LoopForm::For(number, bound), body }) = &stm.exp
        else {
            return false;
        };
        let Atom::Const(Scalar::I64(count)) = *bound else { return false };
        let is_plain = |param: &Param| {
            let ty = self.names.ty(param.var);
            ty.is_scalar() || small(ty).is_some()
        };
        if !(1..=SMALL).contains(&count) || !params.iter().all(|(param, _)| is_plain(param)) {
            return false;
        }
        let carried: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
        let goes_through = self.indexes_table(body, &[*number]) || indexes_any(body, &carried, *number);
        let cost = body.statements().saturating_mul(count as usize);
        let written = straight(body).map(|statements| statements.saturating_mul(count as usize));
        let is_unrollable = match written {
            Some(written) if few(*bound).is_some() && written <= MOST => cost <= self.room,
            None if self.in_loop => false,
            Some(_) | None => goes_through && cost <= MOST_OF_TABLES.min(self.room),
        };
        if !is_unrollable {
            return false;
        }
        self.room -= cost;
        let own = params.iter().map(|(param, _)| param.var).chain([*number]).collect();
        let step = Lambda::new(own, body.clone());
        let mut values: Vec<Atom> = params.iter().map(|(_, initial)| *initial).collect();
        for number in 0..count {
            values.push(Atom::i64(number));
            values = self.apply(&step, values, stm, out);
        }
        for (var, value) in stm.vars.iter().zip(values) {
            let elements = self.elements(value, &self.names.ty(*var).clone(), stm, out);
            self.assemble(*var, elements, stm, out);
        }
        true
    }

    fn one_by_one(&mut self, stm: &Stm, done: &Done, width: i64, out: &mut Vec<Stm>) {
        let ops: Vec<&Reduction> = done.scans.iter().chain(done.reductions).collect();
        let mut sums: Vec<Vec<Atom>> = ops.iter().map(|op| op.neutral.clone()).collect();
        // The elements of each array that is yielded.
        let mut yielded: Vec<Vec<Atom>> = Vec::new();
        let columns = |ops: &[Reduction]| ops.iter().map(|op| op.neutral.len()).sum::<usize>();
        let (scanned, reduced) = (columns(done.scans), columns(done.reductions));
        let (scan_vars, others) = stm.vars.split_at(scanned);
        let (reduced_vars, kept_vars) = others.split_at(reduced);
        let array_vars = [scan_vars, kept_vars].concat();
        for number in 0..width {
            let rows: Vec<Atom> =
                done.inputs.iter().map(|input| self.row(*input, number, stm, out)).collect();
            let mut columns = match done.lambda {
                None => rows,
                Some(lambda) => self.apply(lambda, rows, stm, out),
            }
            .into_iter();
            let mut arrays: Vec<Atom> = Vec::new();
            for (at, op) in ops.iter().enumerate() {
                let own = columns.by_ref().take(op.neutral.len());
                let both = sums[at].iter().copied().chain(own).collect();
                sums[at] = self.apply(&op.lambda, both, stm, out);
                if at < done.scans.len() {
                    arrays.extend(&sums[at]);
                }
            }
            arrays.extend(columns);
            yielded.resize(arrays.len(), Vec::new());
            for ((all, one), var) in yielded.iter_mut().zip(arrays).zip(&array_vars) {
                let ty = self.names.ty(*var);
                let row = ty.with_dims(ty.dims()[1..].to_vec());
                let elements = self.elements(one, &row, stm, out);
                all.extend(elements);
            }
        }
        let reduced: Vec<Atom> = sums.split_off(done.scans.len()).concat();
        let kept = yielded.split_off(scanned);
        let mut values = yielded;
        for (value, var) in reduced.into_iter().zip(reduced_vars) {
            values.push(self.elements(value, &self.names.ty(*var).clone(), stm, out));
        }
        values.extend(kept);
        for (var, elements) in stm.vars.iter().zip(values) {
            self.assemble(*var, elements, stm, out);
        }
    }

    /// The row with this number.
    fn row(&mut self, array: Var, number: i64, stm: &Stm, out: &mut Vec<Stm>) -> Atom {
        let ty = self.names.ty(array).clone();
        if let Some(known) = self.known.get(&array).filter(|_| ty.rank() == 1) {
            return known[number as usize];
        }
        let name = self.names.name(array);
        let row = self.names.fresh(&name, ty.with_dims(ty.dims()[1..].to_vec()));
        let slice = vec![DimIndex::Fix(Atom::i64(number))];
        self.statement(beside(stm, vec![row], Exp::index(array, slice)), out);
        row.into()
    }

    /// What a lambda yields of these values.
    fn apply(&mut self, lambda: &Lambda, values: Vec<Atom>, stm: &Stm, out: &mut Vec<Stm>) -> Vec<Atom> {
        let Lambda { params, mut body } = self.names.copy_lambda(lambda);
        Subst::of(&params, values).body_and_types(&mut self.names.vars, &mut body);
        for mut inner in body.stms {
            inner.certs.extend(&stm.certs);
            self.statement(inner, out);
        }
        body.result
    }
}

/// Whether a body takes an element of one of these arrays by this number.
fn indexes_any(body: &Body, arrays: &[Var], number: Var) -> bool {
    body.stms.iter().any(|stm| match &stm.exp {
        Exp::Array(ArrayExp::Index { array, slice } | ArrayExp::Update { array, slice, .. }) => {
            arrays.contains(array) && slice.contains(&DimIndex::Fix(number.into()))
        }
        _ => false,
    })
}

/// How many statements a body is when its operators over a few elements and its loops of a few iterations are written out; nothing if others would stay.
fn straight(body: &Body) -> Option<usize> {
    body.stms.iter().try_fold(0usize, |sum, stm| Some(sum.saturating_add(straight_statement(stm)?)))
}

fn straight_statement(stm: &Stm) -> Option<usize> {
    let times = |width: Atom, bodies: &[&Body]| {
        let inner = bodies.iter().map(|body| straight(body)).sum::<Option<usize>>()?;
        Some(inner.saturating_mul(few(width)? as usize))
    };
    match &stm.exp {
        Exp::Scalar(_) | Exp::Array(_) | Exp::Control(ControlExp::Check(_)) => Some(1),
        Exp::Op(
            op @ (Operator::Map { .. }
            | Operator::Reduce { .. }
            | Operator::Scan { .. }
            | Operator::Fused { .. }),
        ) => {
            let lambdas = op.lambda().into_iter().chain(op.reductions());
            times(op.width(), &lambdas.map(|lambda| &lambda.body).collect::<Vec<_>>())
        }
        Exp::Control(ControlExp::Loop { form: LoopForm::For(_, bound), body, .. }) => times(*bound, &[body]),
        Exp::Control(ControlExp::If { cond: _, then, els }) => {
            Some(straight(then)?.saturating_add(straight(els)?).saturating_add(1))
        }
        Exp::Control(_) | Exp::Op(_) | Exp::Cell(_) => None,
    }
}

/// Whether an operator goes through many elements of what is bound there.
fn goes_through_own_rows(body: &Body, bound: &HashSet<Var>) -> bool {
    body.stms.iter().any(|stm| {
        let is_own = |op: &Operator| {
            few(op.width()).is_none() && op.inputs().iter().any(|input| bound.contains(input))
        };
        let mut found = stm.exp.op().is_some_and(is_own);
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => found |= goes_through_own_rows(body, bound),
            Part::Lambda(lambda) => found |= goes_through_own_rows(&lambda.body, bound),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        found
    })
}
