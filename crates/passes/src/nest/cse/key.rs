//! Keys of expressions for common-subexpression elimination: two expressions have the same key exactly if they compute the same value
//! from the same variables.
//!
//! A key is a list of numbers: the operator, its types, and its operands. Variables that are bound inside (lambdas, bodies of loops)
//! are numbered in the order in which they are bound, so that lambdas that differ only in names have one key (alpha-equivalence).
//! Operands of commutative operators are ordered, but for `min` and `max` of floats, where the order decides between zeros.
//!
//! Refuses (`None`): what must not be shared, such as updates in place, writes to accumulators, and new regions; and expressions of more than
//! `LIMIT` numbers, so that the pass stays linear.

use norn_ir::nest::task::Join;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, CellExp, Check, ControlExp, Dim, DimIndex, Elem, Exp, LoopForm, Operator,
    Prim, ScalarExp, Stm, StreamForm, Type, Var, VarInfo,
};
use std::collections::HashMap;

/// How many numbers are written before an expression counts as large.
const LIMIT: usize = 2048;

/// None if the expression must not be shared, or is large.
pub fn key(vars: &[VarInfo], stm: &Stm) -> Option<Vec<u64>> {
    let mut writer = KeyWriter { vars, words: Vec::new(), inside: HashMap::new(), refused: false };
    stm.vars.iter().for_each(|var| writer.ty(*var));
    writer.push(stm.attrs.len() as u64);
    stm.attrs.iter().for_each(|attr| writer.text(attr));
    writer.exp(&stm.exp);
    (!writer.refused).then_some(writer.words)
}

struct KeyWriter<'a> {
    vars: &'a [VarInfo],
    words: Vec<u64>,
    /// The numbers of variables bound inside the expression.
    inside: HashMap<Var, u64>,
    refused: bool,
}

impl KeyWriter<'_> {
    fn push(&mut self, word: u64) {
        self.words.push(word);
        self.refused |= self.words.len() > LIMIT;
    }

    fn text(&mut self, text: &str) {
        self.push(text.len() as u64);
        text.bytes().for_each(|byte| self.push(byte.into()));
    }

    fn prim(&mut self, prim: Prim) {
        self.push(prim as u64);
    }

    fn atom(&mut self, atom: Atom) {
        match atom {
            Atom::Const(scalar) => {
                self.push(0);
                self.prim(scalar.prim());
                self.push(scalar.bits());
            }
            Atom::Var(var) => self.var(var),
        }
    }

    fn var(&mut self, var: Var) {
        match self.inside.get(&var).copied() {
            Some(number) => {
                self.push(1);
                self.push(number);
            }
            None => {
                self.push(2);
                self.push(var.0.into());
            }
        }
    }

    fn bind(&mut self, var: Var) {
        let number = self.inside.len() as u64;
        self.inside.insert(var, number);
        self.ty(var);
    }

    /// The type of a variable, without the names of sizes.
    fn ty(&mut self, var: Var) {
        match &self.vars[var.0 as usize].ty {
            Type::Value(elem, dims) => {
                self.push(dims.len() as u64);
                dims.iter().for_each(|dim| self.push((*dim == Dim::Irregular).into()));
                match elem {
                    Elem::Prim(prim) => self.prim(*prim),
                    Elem::Ref(data, region) => {
                        self.push(100 + u64::from(data.0));
                        region.iter().for_each(|region| self.var(*region));
                    }
                }
            }
            Type::Acc(_) | Type::Seg { .. } => self.refused = true,
            Type::Region => self.push(90),
            Type::Cert => self.push(91),
        }
    }

    fn body(&mut self, body: &Body) {
        self.push(body.stms.len() as u64);
        for stm in &body.stms {
            if self.refused {
                return;
            }
            self.push(stm.attrs.len() as u64);
            stm.attrs.iter().for_each(|attr| self.text(attr));
            self.exp(&stm.exp);
            self.push(stm.vars.len() as u64);
            stm.vars.iter().for_each(|var| self.bind(*var));
        }
        self.push(body.result.len() as u64);
        body.result.iter().for_each(|atom| self.atom(*atom));
    }

    fn exp(&mut self, exp: &Exp) {
        self.head(exp);
        let mut exp = exp;
        let swapped = in_order(exp);
        if let Some(swapped) = &swapped {
            exp = swapped;
        }
        exp.for_each_part(&mut |part| {
            if self.refused {
                return;
            }
            match part {
                Part::Atom(atom) => self.atom(*atom),
                Part::Var(var) => self.var(*var),
                Part::Binder(var) => self.bind(*var),
                Part::Body(body) => self.body(body),
                Part::Lambda(lambda) => {
                    self.push(lambda.params.len() as u64);
                    lambda.params.iter().for_each(|var| self.bind(*var));
                    self.body(&lambda.body);
                }
            }
        });
    }

    /// All that is no part: the operator, its types, and how many parts there are.
    fn head(&mut self, exp: &Exp) {
        match exp {
            // What consumes, and what makes regions or cells with arrays, which may be consumed, is not shared.
            Exp::Array(ArrayExp::Update { .. } | ArrayExp::FlatUpdate { .. } | ArrayExp::AccWrite { .. })
            | Exp::Op(Operator::Scatter { .. } | Operator::Hist { .. } | Operator::AccStream { .. })
            | Exp::Cell(CellExp::Region | CellExp::Alloc { region: None, .. }) => self.refused = true,
            Exp::Cell(CellExp::Alloc { region: Some(_), data, constr, fields }) => {
                let is_array =
                    |field: &Atom| field.var().is_some_and(|var| self.vars[var.0 as usize].ty.is_array());
                self.refused |= fields.iter().any(is_array);
                self.heads(&[46, data.0.into(), *constr as u64, fields.len() as u64]);
            }
            Exp::Scalar(ScalarExp::Atom(_)) => self.push(10),
            Exp::Scalar(ScalarExp::Un(op, prim, _)) => self.heads(&[11, *op as u64, *prim as u64]),
            Exp::Scalar(ScalarExp::Bin(op, prim, ..)) => self.heads(&[12, *op as u64, *prim as u64]),
            Exp::Scalar(ScalarExp::Tri(op, prim, ..)) => self.heads(&[13, *op as u64, *prim as u64]),
            Exp::Scalar(ScalarExp::Convert { from, to, value: _ }) => {
                self.heads(&[14, *from as u64, *to as u64])
            }
            Exp::Control(ControlExp::If { .. }) => self.push(15),
            Exp::Control(ControlExp::Switch { cases, .. }) => {
                self.heads(&[16, cases.len() as u64]);
                cases.iter().for_each(|(case, _)| self.push(*case as u64));
            }
            Exp::Control(ControlExp::Loop { params, form, body: _ }) => {
                self.refused |= params.iter().any(|(param, _)| param.unique);
                let form = match form {
                    LoopForm::For(..) => 0,
                    LoopForm::While(_) => 1,
                };
                self.heads(&[17, params.len() as u64, form]);
            }
            Exp::Control(ControlExp::Call { fun, args }) => {
                self.heads(&[18, fun.0.into(), args.len() as u64])
            }
            Exp::Control(ControlExp::Const(id)) => self.heads(&[19, id.0.into()]),
            Exp::Control(ControlExp::Check(check)) => self.check(check),
            Exp::Array(ArrayExp::ArrayLit(rows)) => self.heads(&[20, rows.len() as u64]),
            Exp::Array(ArrayExp::Range { prim, .. }) => self.heads(&[21, *prim as u64]),
            Exp::Array(ArrayExp::Replicate { .. }) => self.push(22),
            Exp::Array(ArrayExp::Index { array: _, slice }) => {
                self.heads(&[23, slice.len() as u64]);
                slice.iter().for_each(|dim| self.push(matches!(dim, DimIndex::Fix(_)).into()));
            }
            Exp::Array(ArrayExp::Concat { arrays, size: _ }) => self.heads(&[24, arrays.len() as u64]),
            Exp::Array(ArrayExp::Reshape { array: _, old, new }) => {
                self.heads(&[25, *old as u64, new.len() as u64])
            }
            Exp::Array(ArrayExp::Rearrange { array: _, perm }) => {
                self.heads(&[26, perm.len() as u64]);
                perm.iter().for_each(|i| self.push(*i as u64));
            }
            Exp::Array(ArrayExp::Copy(_)) => self.push(27),
            Exp::Array(ArrayExp::Coerce { array: _, dims }) => self.dims(28, dims),
            Exp::Array(ArrayExp::FlatIndex { dims, .. }) => self.heads(&[29, dims.len() as u64]),
            Exp::Array(ArrayExp::Lengths(_)) => self.push(30),
            Exp::Array(ArrayExp::Ends(_)) => self.push(43),
            Exp::Array(ArrayExp::JoinRows(_)) => self.push(31),
            Exp::Array(ArrayExp::Segment { .. }) => self.push(32),
            Exp::Op(Operator::Map { inputs, .. }) => self.heads(&[33, inputs.len() as u64]),
            Exp::Op(Operator::Reduce { inputs, op, .. }) => {
                self.heads(&[34, inputs.len() as u64, op.neutral.len() as u64, op.commutative.into()]);
            }
            Exp::Op(Operator::Scan { inputs, op, .. }) => {
                self.heads(&[35, inputs.len() as u64, op.neutral.len() as u64, op.commutative.into()]);
            }
            Exp::Op(Operator::Fused { inputs, scans, reductions, .. }) => {
                self.heads(&[36, inputs.len() as u64, scans.len() as u64, reductions.len() as u64]);
                for op in scans.iter().chain(reductions) {
                    self.heads(&[op.neutral.len() as u64, op.commutative.into()]);
                }
            }
            Exp::Op(Operator::Filter { inputs, .. }) => self.heads(&[37, inputs.len() as u64]),
            Exp::Op(Operator::Partition { inputs, .. }) => self.heads(&[38, inputs.len() as u64]),
            Exp::Op(Operator::Sort { width: _, keys: _, yields }) => self.heads(&[45, *yields as u64]),
            Exp::Op(Operator::Stream { inputs, form, .. }) => {
                let form = match form {
                    StreamForm::Map { any_order } => [0, (*any_order).into()],
                    StreamForm::Reduce { any_order, op: _ } => [1, (*any_order).into()],
                    StreamForm::Seq { init } => [2, init.len() as u64],
                };
                self.heads(&[39, inputs.len() as u64, form[0], form[1]]);
            }
            Exp::Op(Operator::Task(task)) => {
                self.heads(&[46, task.inputs.len() as u64, task.carries.len() as u64]);
                task.windows.iter().for_each(|window| self.push(window.arrays.len() as u64));
                for join in &task.joins {
                    match join {
                        Join::Rows => self.push(0),
                        Join::Kept(arrays) => self.heads(&[1, *arrays as u64]),
                        Join::Partial(op) => self.heads(&[2, op.neutral.len() as u64]),
                    }
                }
            }
            Exp::Cell(CellExp::Null(data)) => self.heads(&[40, data.0.into()]),
            Exp::Cell(CellExp::Tag { cell: _ }) => self.push(41),
            Exp::Cell(CellExp::Load { cell: _, constr }) => self.heads(&[42, *constr as u64]),
            Exp::Scalar(ScalarExp::Workers) => self.push(44),
            Exp::Scalar(ScalarExp::Tunable(number)) => self.heads(&[45, (*number).into()]),
        }
    }

    fn heads(&mut self, words: &[u64]) {
        words.iter().for_each(|word| self.push(*word));
    }

    fn dims(&mut self, head: u64, dims: &[Dim]) {
        self.heads(&[head, dims.len() as u64]);
        dims.iter().for_each(|dim| self.push((*dim == Dim::Irregular).into()));
    }

    fn check(&mut self, check: &Check) {
        match check {
            Check::Index { .. } => self.push(50),
            Check::Slice { .. } => self.push(51),
            Check::Size { .. } => self.push(52),
            Check::Shape { array: _, dims } => self.dims(53, dims),
            Check::NonNegative(_) => self.push(54),
            Check::NonZero(prim, _) => self.heads(&[55, *prim as u64]),
            Check::Exponent(prim, _) => self.heads(&[56, *prim as u64]),
            Check::Range { prim, .. } => self.heads(&[57, *prim as u64]),
            Check::Segments { .. } => self.push(58),
            Check::Flat { dims, .. } => self.heads(&[59, dims.len() as u64]),
            Check::Assert { cond: _, text } => {
                self.push(60);
                self.text(text);
            }
            Check::Fail { text } => {
                self.push(61);
                self.text(text);
            }
        }
    }
}

/// Operands in one order where the order does not matter. The smaller of two zeros depends on it.
fn in_order(exp: &Exp) -> Option<Exp> {
    let Exp::Scalar(ScalarExp::Bin(op, prim, x, y)) = exp else { return None };
    let exact = !prim.is_float() || matches!(op, BinOp::Add | BinOp::Mul | BinOp::Eq);
    let rank = |atom: &Atom| match atom {
        Atom::Const(scalar) => (1, scalar.bits()),
        Atom::Var(var) => (0, u64::from(var.0)),
    };
    (op.is_commutative() && exact && rank(y) < rank(x)).then_some(Exp::bin(*op, *prim, *y, *x))
}
