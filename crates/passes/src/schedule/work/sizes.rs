//! Symbolic sizes for work estimates: each integer as a polynomial (`Amount`) in variables that are bound further out.
//!
//! The estimate of a nest must be computed before the nest, so it may only mention what is visible there. A variable that is bound inside
//! is replaced by what is known about it (`about`): the sum, product or minimum of outer sizes, the average length of a row (all
//! elements over all rows), the elements of an array of integers, or `SOME` where nothing is known.
//!
//! ```text
//! map n (xss) \xs: [m]f32 { let k = quot m 2 .. map k .. }     the inner width is about m / 2, so the nest is about n * m / 2
//! ```
//!
//! It never fails and never decides anything itself: it serves `work`, whose result only chooses between versions.

use crate::nest::inputs::param_groups;
use crate::schedule::amount::{Amount, Factor, Term};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, ControlExp, Dim, Exp, Lambda, Operator, Param, Scalar, ScalarExp, Stm, Var,
    VarInfo,
};

/// A size of which nothing is known.
const SOME: u64 = 64;
/// How many elements an irregular array has of which nothing is known.
const MANY: u64 = 1024;

pub struct Sizes<'a> {
    vars: &'a [VarInfo],
    /// How deep in bodies each variable is bound; parameters of the function are at 0.
    level: Vec<u32>,
    /// About what each variable is, in terms of those at lower levels.
    about: Vec<Option<Amount>>,
    /// About what the elements of an array of integers are, in terms of what is visible where it is bound.
    elements: Vec<Option<Amount>>,
    depth: u32,
}

/// What a lambda takes of an input: a row, and the row's length if that varies; or a chunk.
pub struct RowOf {
    input: Var,
    length: Option<Var>,
    row: Var,
    /// How often the input's rows are to be joined to be what all these are together.
    joins: u32,
}

impl<'a> Sizes<'a> {
    pub fn new(vars: &'a [VarInfo]) -> Sizes<'a> {
        let count = vars.len();
        Sizes { vars, level: vec![0; count], about: vec![None; count], elements: vec![None; count], depth: 0 }
    }

    pub fn enter(&mut self) {
        self.depth += 1;
    }

    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    pub fn depth(&self) -> u32 {
        self.depth
    }

    pub fn level(&self, var: Var) -> u32 {
        self.level[var.0 as usize]
    }

    /// `about` is in terms of what is visible here.
    pub fn bind(&mut self, var: Var, about: Option<Amount>) {
        let about = about.filter(|_| self.is_integer(var)).map(|about| self.outside(&about));
        self.level[var.0 as usize] = self.depth;
        self.about[var.0 as usize] = about;
    }

    fn is_integer(&self, var: Var) -> bool {
        self.vars[var.0 as usize].ty.prim().is_some_and(|prim| prim.is_int())
    }

    // # Amounts

    pub fn atom(&self, atom: Atom) -> Amount {
        match atom {
            Atom::Var(var) if self.is_integer(var) => Factor::Size(var).into(),
            Atom::Var(_) => SOME.into(),
            Atom::Const(scalar) => constant(scalar).into(),
        }
    }

    /// How many elements a value has: none if it is a scalar.
    pub fn elements(&self, var: Var) -> Amount {
        let dims = self.vars[var.0 as usize].ty.dims();
        let Some(first) = dims.first() else { return Amount::default() };
        let irregular = dims[1..].iter().take_while(|dim| **dim == Dim::Irregular).count();
        let start = match irregular {
            0 => self.dim(*first),
            joins => Factor::Rows(var, joins as u32).into(),
        };
        dims[1 + irregular..].iter().fold(start, |product, dim| product.times(&self.dim(*dim)))
    }

    fn dim(&self, dim: Dim) -> Amount {
        dim.atom().map_or(SOME.into(), |atom| self.atom(atom))
    }

    /// An amount of the innermost body, as it looks from outside.
    pub fn outside(&self, amount: &Amount) -> Amount {
        amount.terms().iter().fold(Amount::default(), |sum, term| sum.plus(&self.term_outside(term)))
    }

    fn term_outside(&self, term: &Term) -> Amount {
        let seen = |factor: &Factor| {
            let at = factor.var().0 as usize;
            if self.level[at] < self.depth {
                return Amount::from(*factor);
            }
            match factor {
                Factor::Size(_) => self.about[at].clone().unwrap_or(SOME.into()),
                Factor::Rows(..) => MANY.into(),
            }
        };
        term.factors.iter().fold(term.times.into(), |product, factor| product.times(&seen(factor)))
    }

    /// The work of a lambda, which is the innermost body, for all elements.
    pub fn of_all_rows(&self, amount: &Amount, width: &Amount, rows: &[RowOf]) -> Amount {
        let mut sum = Amount::default();
        for term in amount.terms() {
            let joined = term.factors.iter().enumerate().find_map(|(at, factor)| {
                let total = rows.iter().find_map(|row| match factor {
                    Factor::Size(var) if row.length == Some(*var) => Some(Factor::Rows(row.input, 1)),
                    Factor::Rows(var, joins) if row.row == *var => {
                        Some(Factor::Rows(row.input, row.joins + joins))
                    }
                    Factor::Size(_) | Factor::Rows(..) => None,
                });
                total.map(|total| (at, total))
            });
            let product = match joined {
                Some((at, total)) => {
                    let mut rest = term.clone();
                    rest.factors.remove(at);
                    self.term_outside(&rest).times(&total.into())
                }
                None => self.term_outside(term).times(width),
            };
            sum = sum.plus(&product);
        }
        sum
    }

    /// The work of a function, in terms of its parameters, where it is called.
    pub fn with_arguments(&self, amount: &Amount, params: &[Param], args: &[Atom]) -> Amount {
        let passed = |factor: &Factor| {
            let arg = params.iter().position(|param| param.var == factor.var()).and_then(|at| args.get(at));
            match (factor, arg) {
                (Factor::Size(_), Some(arg)) => self.atom(*arg),
                (Factor::Rows(_, joins), Some(Atom::Var(arg))) => Factor::Rows(*arg, *joins).into(),
                (Factor::Size(_), None) => SOME.into(),
                (Factor::Rows(..), Some(Atom::Const(_)) | None) => MANY.into(),
            }
        };
        let term = |term: &Term| {
            term.factors.iter().fold(term.times.into(), |product: Amount, f| product.times(&passed(f)))
        };
        amount.terms().iter().fold(Amount::default(), |sum, t| sum.plus(&term(t)))
    }

    // # What is bound to what

    /// The parameters of an operator's lambda, at the level of the lambda.
    pub fn bind_params(&mut self, exp: &Exp, operator: &Operator, lambda: &Lambda) -> Vec<RowOf> {
        let params = &lambda.params;
        params.iter().for_each(|param| self.bind(*param, None));
        if let Exp::Op(Operator::Stream { .. }) = exp {
            // As if each element were a chunk; all chunks together are the input.
            params.iter().take(1).for_each(|size| self.bind(*size, Some(1.into())));
            let chunks = &params[params.len().saturating_sub(operator.inputs().len())..];
            let whole =
                |(input, chunk): (&Var, &Var)| RowOf { input: *input, length: None, row: *chunk, joins: 0 };
            return operator.inputs().iter().zip(chunks).map(whole).collect();
        }
        // An accumulator comes first.
        let taken = if let Exp::Op(Operator::AccStream { .. }) = exp { 1 } else { 0 };
        self.rows(operator, params.get(taken..).unwrap_or_default())
    }

    fn rows(&mut self, operator: &Operator, params: &[Var]) -> Vec<RowOf> {
        let mut rows = Vec::new();
        for (input, group) in operator.inputs().iter().zip(param_groups(self.vars, operator.inputs(), params))
        {
            match group {
                [row] => {
                    let about = self.elements[input.0 as usize].clone();
                    self.bind(*row, about);
                }
                [length, row] => {
                    rows.push(RowOf { input: *input, length: Some(*length), row: *row, joins: 1 });
                }
                [..] => {}
            }
        }
        rows
    }

    /// About what the result of an expression with this number is.
    pub fn about(&self, exp: &Exp, at: usize) -> Option<Amount> {
        match exp {
            Exp::Scalar(ScalarExp::Atom(atom) | ScalarExp::Convert { from: _, to: _, value: atom }) => {
                Some(self.atom(*atom))
            }
            Exp::Scalar(ScalarExp::Bin(op, _, x, y)) => {
                let (x, y) = (self.atom(*x), self.atom(*y));
                match op {
                    BinOp::Add | BinOp::Or | BinOp::Xor => Some(x.plus(&y)),
                    BinOp::Mul => Some(x.times(&y)),
                    BinOp::Max => Some(x.max(&y)),
                    BinOp::Min => Some(if y.constant().is_some() { y } else { x }),
                    BinOp::Mod | BinOp::Rem => Some(y),
                    // At most.
                    BinOp::Sub | BinOp::Div | BinOp::Quot | BinOp::Ashr | BinOp::Lshr | BinOp::And => Some(x),
                    BinOp::Shl
                    | BinOp::MulHi
                    | BinOp::Pow
                    | BinOp::Eq
                    | BinOp::Lt
                    | BinOp::Le
                    | BinOp::Atan2
                    | BinOp::Atan2pi
                    | BinOp::Hypot
                    | BinOp::Copysign
                    | BinOp::Nextafter
                    | BinOp::Ldexp => None,
                }
            }
            Exp::Op(Operator::Filter { width, .. } | Operator::Partition { width, .. }) => {
                Some(self.atom(*width))
            }
            Exp::Array(ArrayExp::JoinRows(array)) => Some(Factor::Rows(*array, 1).into()),
            Exp::Control(ControlExp::Loop { params, .. }) => {
                params.get(at).map(|(_, initial)| self.atom(*initial))
            }
            _ => None,
        }
    }

    pub fn note_elements(&mut self, stm: &Stm) {
        if let (Exp::Array(ArrayExp::Range { count, start, step, .. }), [var]) = (&stm.exp, &stm.vars[..]) {
            let last = self.atom(*start).plus(&self.atom(*count).times(&self.atom(*step)));
            self.elements[var.0 as usize] = Some(last);
        }
    }
}

/// The value of an integer that counts something.
fn constant(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::I8(x) => x.max(0) as u64,
        Scalar::I16(x) => x.max(0) as u64,
        Scalar::I32(x) => x.max(0) as u64,
        Scalar::I64(x) => x.max(0) as u64,
        Scalar::U8(x) => x.into(),
        Scalar::U16(x) => x.into(),
        Scalar::U32(x) => x.into(),
        Scalar::U64(x) => x,
        Scalar::F16(_) | Scalar::F32(_) | Scalar::F64(_) | Scalar::Bool(_) => 0,
    }
}
