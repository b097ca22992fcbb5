//! Statements that compute how much work there is, in front of what depends on it.

use super::amount::{Amount, Factor, Term};
use norn_base::Span;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Dim, Exp, Prim, Scalar, ScalarExp, Stm, Type, UnOp, Var, VarInfo,
};
use std::collections::HashMap;

pub struct Emit<'a> {
    pub vars: &'a mut Vec<VarInfo>,
    pub stms: &'a mut Vec<Stm>,
    pub span: Span,
    /// Sizes of other types, as `i64`.
    converted: HashMap<Var, Atom>,
    /// Of irregular arrays, how many rows there are in all, and these.
    joined: HashMap<Var, (Var, Var)>,
}

impl<'a> Emit<'a> {
    pub fn new(vars: &'a mut Vec<VarInfo>, stms: &'a mut Vec<Stm>, span: Span) -> Emit<'a> {
        Emit { vars, stms, span, converted: HashMap::new(), joined: HashMap::new() }
    }

    pub fn amount(&mut self, amount: &Amount) -> Atom {
        let mut sum: Option<Atom> = None;
        for term in amount.leading() {
            let term = self.term(&term);
            sum = Some(match sum {
                Some(sum) => self.bin(BinOp::Add, "work", sum, term),
                None => term,
            });
        }
        sum.unwrap_or(Atom::i64(0))
    }

    fn term(&mut self, term: &Term) -> Atom {
        let times = Atom::i64(i64::try_from(term.times).unwrap_or(i64::MAX));
        let mut product = None;
        for factor in &term.factors {
            let factor = self.factor(*factor);
            product = Some(match product {
                Some(product) => self.bin(BinOp::Mul, "work", product, factor),
                None => factor,
            });
        }
        match product {
            Some(product) if term.times == 1 => product,
            Some(product) => self.bin(BinOp::Mul, "work", product, times),
            None => times,
        }
    }

    fn factor(&mut self, factor: Factor) -> Atom {
        match factor {
            Factor::Size(var) => self.size(var),
            Factor::Rows(array, joins) => {
                let mut found = (array, array);
                for _ in 0..joins {
                    found = self.join_rows(found.1);
                }
                found.0.into()
            }
        }
    }

    fn size(&mut self, var: Var) -> Atom {
        let from = match self.vars[var.0 as usize].ty.prim() {
            Some(Prim::I64) | None => return var.into(),
            Some(prim) => prim,
        };
        if let Some(size) = self.converted.get(&var) {
            return *size;
        }
        let size = self.stm("size", Type::i64(), Exp::convert(from, Prim::I64, var.into()));
        self.converted.insert(var, size);
        size
    }

    fn join_rows(&mut self, array: Var) -> (Var, Var) {
        if let Some(joined) = self.joined.get(&array) {
            return *joined;
        }
        let count = self.new_var("rows", Type::i64());
        let ty = &self.vars[array.0 as usize].ty;
        let mut dims = ty.dims().get(1..).unwrap_or_default().to_vec();
        dims.iter_mut().take(1).for_each(|first| *first = Dim::size(count));
        let ty = ty.with_dims(dims);
        let all = self.new_var("all", ty);
        self.push(vec![count, all], Exp::Array(ArrayExp::JoinRows(array)));
        self.joined.insert(array, (count, all));
        (count, all)
    }

    /// A choice between versions.
    pub fn at_most(&mut self, name: &str, x: Atom, y: Atom) -> Atom {
        self.stm(name, Type::bool(), Exp::bin(BinOp::Le, Prim::I64, x, y))
    }

    pub fn or(&mut self, name: &str, x: Atom, y: Atom) -> Atom {
        self.stm(name, Type::bool(), Exp::bin(BinOp::Or, Prim::Bool, x, y))
    }

    pub fn and(&mut self, name: &str, x: Atom, y: Atom) -> Atom {
        self.stm(name, Type::bool(), Exp::bin(BinOp::And, Prim::Bool, x, y))
    }

    pub fn not(&mut self, name: &str, x: Atom) -> Atom {
        self.stm(name, Type::bool(), Exp::Scalar(ScalarExp::Un(UnOp::Not, Prim::Bool, x)))
    }

    pub fn workers(&mut self) -> Atom {
        self.stm("workers", Type::i64(), Exp::Scalar(ScalarExp::Workers))
    }

    /// What a tunable is set to when the program runs; -1 if nothing sets it.
    pub fn tunable(&mut self, number: u32) -> Atom {
        self.stm("set", Type::i64(), Exp::Scalar(ScalarExp::Tunable(number)))
    }

    /// The first if something sets the tunable, which has this value; otherwise the second.
    pub fn by_tunable(&mut self, value: Atom, if_set: Atom, usual: Atom) -> Atom {
        let is_set = self.at_most("is_set", Atom::i64(0), value);
        let if_set = self.and("if_set", is_set, if_set);
        let is_not = self.not("is_not", is_set);
        let usual = self.and("usual", is_not, usual);
        self.or("chosen", if_set, usual)
    }

    pub fn bin(&mut self, op: BinOp, name: &str, x: Atom, y: Atom) -> Atom {
        if let (BinOp::Mul, Atom::Const(Scalar::I64(x)), Atom::Const(Scalar::I64(y))) = (op, x, y) {
            return Atom::i64(x.saturating_mul(y));
        }
        self.stm(name, Type::i64(), Exp::bin(op, Prim::I64, x, y))
    }

    fn stm(&mut self, name: &str, ty: Type, exp: Exp) -> Atom {
        let var = self.new_var(name, ty);
        self.push(vec![var], exp);
        var.into()
    }

    fn new_var(&mut self, name: &str, ty: Type) -> Var {
        self.vars.push(VarInfo::new(name, ty));
        Var(self.vars.len() as u32 - 1)
    }

    fn push(&mut self, vars: Vec<Var>, exp: Exp) {
        self.stms.push(Stm::new(vars, exp, self.span));
    }
}
