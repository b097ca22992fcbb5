//! Statements about a few numbers, written out: operators and loops element by element and step by step, arrays as their elements.
//!
//! ```text
//! let b: [2]f32 = map 2 (a) \(x: f32) { mul.f32 x c }       let b0: f32 = mul.f32 a0 c
//! let s: f32 = reduce 2 (b) ..                        ==>   let b1: f32 = mul.f32 a1 c
//!                                                           let s: f32 = add.f32 b0 b1
//! ```
//!
//! So a thread has all of it in registers. It is an interpreter whose numbers are atoms, and which puts out what it cannot compute. Elements of arrays from outside are
//! read once. Gives up where an index is not known.

use crate::nest::mentions;
use crate::nest::subst::{Names, Subst};
use norn_base::Span;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, DimIndex, Exp, Lambda, LoopForm, Operator, Reduction, Scalar,
    ScalarExp, Stm, Type, Var,
};
use norn_ir::scalar::eval::{convert, eval_bin, eval_tri, eval_un};
use std::collections::HashMap;

/// A value by its elements, row by row; a number has no dimensions and one element.
#[derive(Clone)]
struct Value {
    dims: Vec<usize>,
    elements: Vec<Atom>,
}

impl Value {
    fn number(atom: Atom) -> Value {
        Value { dims: Vec::new(), elements: vec![atom] }
    }

    fn row(&self, number: usize) -> Value {
        let dims = self.dims[1..].to_vec();
        let size: usize = dims.iter().product();
        Value { elements: self.elements[number * size..][..size].to_vec(), dims }
    }

    fn of_rows(rows: Vec<Value>, row: &[usize]) -> Value {
        let dims = std::iter::once(rows.len()).chain(row.iter().copied()).collect();
        Value { dims, elements: rows.into_iter().flat_map(|row| row.elements).collect() }
    }
}

/// The body, which yields the same, or nothing if an index is not known.
pub fn written_out(names: &mut Names, body: &Body, span: Span) -> Option<Body> {
    let mut writer = Writer { names, known: HashMap::new(), out: Vec::new(), span };
    let values = writer.body(body)?;
    let mut result = Vec::with_capacity(values.len());
    for (value, atom) in values.into_iter().zip(&body.result) {
        let ty = atom.var().map(|var| writer.names.ty(var).clone());
        result.push(match ty {
            Some(ty) if ty.is_array() => writer.array(&value, &ty),
            _ => value.elements[0],
        });
    }
    Some(Body { stms: writer.out, result })
}

struct Writer<'a> {
    names: &'a mut Names,
    known: HashMap<Var, Value>,
    out: Vec<Stm>,
    span: Span,
}

impl Writer<'_> {
    fn body(&mut self, body: &Body) -> Option<Vec<Value>> {
        body.stms.iter().try_for_each(|stm| self.statement(stm))?;
        body.result.iter().map(|atom| self.value(*atom)).collect()
    }

    fn statement(&mut self, stm: &Stm) -> Option<()> {
        let values = match &stm.exp {
            Exp::Scalar(exp) => vec![Value::number(self.scalar(stm, exp)?)],
            Exp::Array(exp) => vec![self.of_array(stm, exp)?],
            Exp::Control(ControlExp::If { cond, then, els }) => self.branch(stm, *cond, then, els)?,
            Exp::Control(ControlExp::Loop { params, form: LoopForm::For(counter, bound), body }) => {
                let prim = self.names.ty(*counter).prim()?;
                let mut values: Vec<Value> =
                    params.iter().map(|(_, first)| self.value(*first)).collect::<Option<_>>()?;
                for number in 0..known(*bound)? {
                    self.known.insert(*counter, Value::number(Atom::int(prim, number as i128)));
                    params
                        .iter()
                        .zip(values)
                        .for_each(|((param, _), value)| _ = self.known.insert(param.var, value));
                    values = self.body(body)?;
                }
                values
            }
            Exp::Op(op) => self.operator(stm, op)?,
            Exp::Control(_) | Exp::Cell(_) => return None,
        };
        self.known.extend(stm.vars.iter().copied().zip(values));
        Some(())
    }

    /// The elements of an array from outside are read.
    fn value(&mut self, atom: Atom) -> Option<Value> {
        let Atom::Var(var) = atom else { return Some(Value::number(atom)) };
        if let Some(value) = self.known.get(&var) {
            return Some(value.clone());
        }
        let ty = self.names.ty(var).clone();
        let dims: Vec<usize> = ty.dims().iter().map(|dim| known(dim.atom()?)).collect::<Option<_>>()?;
        if dims.is_empty() {
            return Some(Value::number(atom));
        }
        let count: usize = dims.iter().product();
        let mut elements = Vec::with_capacity(count);
        for number in 0..count {
            let mut rest = number;
            let mut at: Vec<DimIndex> = Vec::with_capacity(dims.len());
            for size in dims.iter().rev() {
                at.push(DimIndex::Fix(Atom::i64((rest % size) as i64)));
                rest /= size;
            }
            at.reverse();
            let element = self.names.fresh("e", Type::scalar(ty.elem()?.prim()?));
            self.out.push(Stm::new(vec![element], Exp::index(var, at), self.span));
            elements.push(element.into());
        }
        let value = Value { dims, elements };
        self.known.insert(var, value.clone());
        Some(value)
    }

    fn number(&mut self, atom: Atom) -> Option<Atom> {
        self.value(atom).map(|value| value.elements[0])
    }

    fn scalar(&mut self, stm: &Stm, exp: &ScalarExp) -> Option<Atom> {
        let mut of_numbers = Exp::Scalar(exp.clone());
        let mut found = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut found);
        let mut subst = Subst::default();
        for var in found {
            if let Some(value) = self.known.get(&var) {
                subst.set(var, value.elements[0]);
            }
        }
        of_numbers.for_each_part_mut(&mut |part| {
            if let PartMut::Atom(atom) = part {
                *atom = subst.atom(*atom);
            }
        });
        let Exp::Scalar(exp) = &of_numbers else { return None };
        let folded = match exp {
            ScalarExp::Atom(atom) => return Some(*atom),
            ScalarExp::Un(op, _, x) => x.constant().and_then(|x| eval_un(*op, x)),
            ScalarExp::Bin(op, _, x, y) => {
                x.constant().zip(y.constant()).and_then(|(x, y)| eval_bin(*op, x, y))
            }
            ScalarExp::Tri(op, _, x, y, z) => {
                let known = x.constant().zip(y.constant()).zip(z.constant());
                known.and_then(|((x, y), z)| eval_tri(*op, x, y, z))
            }
            ScalarExp::Convert { from: _, to, value } => value.constant().map(|value| convert(value, *to)),
            ScalarExp::Workers | ScalarExp::Tunable(_) => return None,
        };
        if let Some(constant) = folded {
            return Some(constant.into());
        }
        let var = self.names.like(&stm.vars)[0];
        self.out.push(Stm { vars: vec![var], exp: of_numbers, ..stm.clone() });
        Some(var.into())
    }

    fn of_array(&mut self, stm: &Stm, exp: &ArrayExp) -> Option<Value> {
        let ty = self.names.ty(stm.vars[0]).clone();
        let dims: Vec<usize> = ty.dims().iter().map(|dim| known(dim.atom()?)).collect::<Option<_>>()?;
        let elements = match exp {
            ArrayExp::ArrayLit(rows) => self.joined(rows)?,
            ArrayExp::Concat { arrays, size: _ } => {
                let arrays: Vec<Atom> = arrays.iter().map(|array| Atom::Var(*array)).collect();
                self.joined(&arrays)?
            }
            ArrayExp::Copy(array) | ArrayExp::Reshape { array, .. } => self.value((*array).into())?.elements,
            ArrayExp::Replicate { count, value } => {
                let value = self.value(*value)?;
                (0..known(*count)?).flat_map(|_| value.elements.clone()).collect()
            }
            ArrayExp::Range { prim, count, start, step } => {
                let (start, step) = (self.number(*start)?.constant()?, self.number(*step)?.constant()?);
                let (Scalar::I64(start), Scalar::I64(step)) = (start, step) else { return None };
                let number = |number: usize| i128::from(start) + number as i128 * i128::from(step);
                (0..known(*count)?).map(|at| Atom::int(*prim, number(at))).collect()
            }
            ArrayExp::Index { array, slice } => {
                let places = self.places(*array, slice)?;
                let value = self.value((*array).into())?;
                places.into_iter().map(|at| value.elements.get(at).copied()).collect::<Option<_>>()?
            }
            ArrayExp::Update { array, slice, value } => {
                let places = self.places(*array, slice)?;
                let value = self.value(*value)?;
                let mut elements = self.value((*array).into())?.elements;
                for (at, element) in places.into_iter().zip(value.elements) {
                    *elements.get_mut(at)? = element;
                }
                elements
            }
            ArrayExp::Rearrange { array, perm } => {
                let value = self.value((*array).into())?;
                let order: Vec<usize> = perm.iter().copied().chain(perm.len()..value.dims.len()).collect();
                let sizes: Vec<usize> = order.iter().map(|dim| value.dims[*dim]).collect();
                let of = |number: usize| {
                    let (mut rest, mut at) = (number, vec![0; order.len()]);
                    for (dim, size) in order.iter().zip(&sizes).rev() {
                        at[*dim] = rest % size;
                        rest /= size;
                    }
                    at.iter().zip(&value.dims).fold(0, |place, (index, size)| place * size + index)
                };
                (0..value.elements.len()).map(|number| value.elements[of(number)]).collect()
            }
            _ => return None,
        };
        Some(Value { dims, elements })
    }

    fn joined(&mut self, parts: &[Atom]) -> Option<Vec<Atom>> {
        let parts: Vec<Value> = parts.iter().map(|part| self.value(*part)).collect::<Option<_>>()?;
        Some(parts.into_iter().flat_map(|part| part.elements).collect())
    }

    /// Where the elements of a part of an array are.
    fn places(&mut self, array: Var, slice: &[DimIndex]) -> Option<Vec<usize>> {
        let ty = self.names.ty(array).clone();
        let mut places = vec![0usize];
        for (number, dim) in ty.dims().iter().enumerate() {
            let size = known(dim.atom()?)?;
            let within: Vec<usize> = match slice.get(number) {
                Some(DimIndex::Fix(at)) => vec![known(self.number(*at)?)?],
                Some(DimIndex::Slice { start, count, stride }) => {
                    let start = known(self.number(*start)?)?;
                    let Scalar::I64(stride) = self.number(*stride)?.constant()? else { return None };
                    let at = |step: usize| usize::try_from(start as i64 + step as i64 * stride).ok();
                    (0..known(*count)?).map(at).collect::<Option<_>>()?
                }
                None => (0..size).collect(),
            };
            places = places.iter().flat_map(|place| within.iter().map(move |at| place * size + at)).collect();
        }
        Some(places)
    }

    fn branch(&mut self, stm: &Stm, cond: Atom, then: &Body, els: &Body) -> Option<Vec<Value>> {
        let cond = self.number(cond)?;
        if let Some(Scalar::Bool(holds)) = cond.constant() {
            return self.body(if holds { then } else { els });
        }
        let (then, values) = self.branch_body(then)?;
        let (els, _) = self.branch_body(els)?;
        let mut vars = Vec::new();
        let mut found = Vec::new();
        for (value, var) in values.into_iter().zip(&stm.vars) {
            let prim = self.names.ty(*var).elem()?.prim()?;
            let name = self.names.name(*var);
            let own: Vec<Var> =
                value.elements.iter().map(|_| self.names.fresh(&name, Type::scalar(prim))).collect();
            vars.extend(&own);
            found.push(Value { dims: value.dims, elements: own.into_iter().map(Atom::Var).collect() });
        }
        self.out.push(Stm { vars, exp: Exp::if_(cond, then, els), ..stm.clone() });
        Some(found)
    }

    /// What is read in a branch is not known outside.
    fn branch_body(&mut self, body: &Body) -> Option<(Body, Vec<Value>)> {
        let (outer, around) = (std::mem::take(&mut self.out), self.known.clone());
        let values = self.body(body)?;
        self.known = around;
        let stms = std::mem::replace(&mut self.out, outer);
        let result = values.iter().flat_map(|value| value.elements.iter().copied()).collect();
        Some((Body { stms, result }, values))
    }

    fn operator(&mut self, stm: &Stm, op: &Operator) -> Option<Vec<Value>> {
        let width = known(op.width())?;
        let inputs: Vec<Value> =
            op.inputs().iter().map(|input| self.value((*input).into())).collect::<Option<_>>()?;
        let row = |number: usize| inputs.iter().map(|input| input.row(number)).collect::<Vec<Value>>();
        let (lambda, scans, reductions): (Option<&Lambda>, &[Reduction], &[Reduction]) = match op {
            Operator::Map { lambda, .. } => (Some(lambda), &[], &[]),
            Operator::Reduce { op, .. } => (None, &[], std::slice::from_ref(op)),
            Operator::Scan { op, .. } => (None, std::slice::from_ref(op), &[]),
            Operator::Fused { lambda, scans, reductions, .. } => (Some(lambda), scans, reductions),
            _ => return None,
        };
        let ops: Vec<&Reduction> = scans.iter().chain(reductions).collect();
        let mut sums: Vec<Vec<Value>> = Vec::with_capacity(ops.len());
        for op in &ops {
            sums.push(op.neutral.iter().map(|atom| self.value(*atom)).collect::<Option<_>>()?);
        }
        let scanned: usize = scans.iter().map(|op| op.neutral.len()).sum();
        let reduced: usize = reductions.iter().map(|op| op.neutral.len()).sum();
        // Of each result that has an element for each of the operator's.
        let mut columns: Vec<Vec<Value>> = vec![Vec::with_capacity(width); stm.vars.len() - reduced];
        for number in 0..width {
            let mut values = match lambda {
                Some(lambda) => self.apply(lambda, row(number))?,
                None => row(number),
            };
            let kept = values.split_off(scanned + reduced);
            let mut values = values.into_iter();
            for (op, sums) in ops.iter().zip(&mut sums) {
                let own = values.by_ref().take(op.neutral.len());
                let args = sums.drain(..).chain(own).collect();
                *sums = self.apply(&op.lambda, args)?;
            }
            let scans = sums[..scans.len()].iter().flatten().cloned();
            columns.iter_mut().zip(scans.chain(kept)).for_each(|(column, value)| column.push(value));
        }
        let mut columns = columns.into_iter();
        let mut found = Vec::with_capacity(stm.vars.len());
        let totals = sums.split_off(scans.len());
        for (number, var) in stm.vars.iter().enumerate() {
            if (scanned..scanned + reduced).contains(&number) {
                continue;
            }
            let row: Vec<usize> = self.names.ty(*var).dims()[1..]
                .iter()
                .map(|dim| known(dim.atom()?))
                .collect::<Option<_>>()?;
            found.push(Value::of_rows(columns.next()?, &row));
        }
        let after = found.split_off(scanned);
        found.extend(totals.into_iter().flatten());
        found.extend(after);
        Some(found)
    }

    fn apply(&mut self, lambda: &Lambda, args: Vec<Value>) -> Option<Vec<Value>> {
        if lambda.params.len() != args.len() {
            return None;
        }
        self.known.extend(lambda.params.iter().copied().zip(args));
        self.body(&lambda.body)
    }

    /// An array of the elements, for those who need one.
    fn array(&mut self, value: &Value, ty: &Type) -> Atom {
        let rows: Vec<Atom> = match &value.dims[..] {
            [_] => value.elements.clone(),
            _ => {
                let row = ty.row().unwrap_or_else(|| panic!("single: a row of no array"));
                (0..value.dims[0]).map(|number| self.array(&value.row(number), &row)).collect()
            }
        };
        let dims = ty.dims().to_vec();
        let array = self.names.fresh("array", ty.with_dims(dims));
        self.out.push(Stm::new(vec![array], Exp::Array(ArrayExp::ArrayLit(rows)), self.span));
        array.into()
    }
}

fn known(atom: Atom) -> Option<usize> {
    match atom {
        Atom::Const(Scalar::I64(number)) => usize::try_from(number).ok(),
        Atom::Const(_) | Atom::Var(_) => None,
    }
}
