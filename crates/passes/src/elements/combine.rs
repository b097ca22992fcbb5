//! Segmented scans and reductions of the rows of a nest.

use super::Elements;
use super::nest::Nest;
use super::operators::NestResult;
use super::rows::{FlatDims, i64s};
use crate::nest::mentions;
use norn_ir::nest::{Atom, BinOp, Body, Dim, Exp, Lambda, Operator, Prim, Reduction, Type, Var};
use std::collections::HashSet;

impl Elements {
    /// Scans and reductions, and what is only kept.
    pub fn combined(
        &mut self,
        nest: &Nest,
        width: Atom,
        inputs: &[Var],
        lambda: Option<&Lambda>,
        scans: &[Reduction],
        reductions: &[Reduction],
    ) -> Option<Vec<NestResult>> {
        let plain = |op: &Reduction| {
            op.lambda.params.iter().all(|param| self.names.ty(*param).is_scalar())
                && !self.depends(&nest.bound, op)
        };
        if !scans.iter().chain(reductions).all(plain) {
            return None;
        }
        let joined = self.joined_levels(nest, width);
        let columns = self.columns(nest, &joined, inputs, lambda);
        let mut columns = columns.into_iter();
        let mut results = Vec::new();
        for op in scans {
            let own: Vec<Var> = columns.by_ref().take(op.neutral.len()).collect();
            let scanned = self.scan_rows(&joined, op, own);
            results.extend(scanned.into_iter().map(|array| NestResult::rows(&joined, array)));
        }
        for op in reductions {
            let own: Vec<Var> = columns.by_ref().take(op.neutral.len()).collect();
            let reduced = self.reduce_rows(nest, &joined, op, &own);
            results.extend(reduced.into_iter().map(NestResult::PerRow));
        }
        results.extend(columns.map(|array| NestResult::rows(&joined, array)));
        Some(results)
    }

    /// Whether an operator uses what is bound in the nest.
    pub fn depends(&self, bound: &HashSet<Var>, op: &Reduction) -> bool {
        let mut found = Vec::new();
        mentions::in_reduction(&self.names.vars, op, &mut found);
        found.iter().any(|var| bound.contains(var))
    }

    /// A segmented scan: it restarts where a row begins.
    fn scan_rows(&mut self, joined: &FlatDims, op: &Reduction, columns: Vec<Var>) -> Vec<Var> {
        let total = self.names.ty(columns[0]).dims()[0];
        let width = total.atom().unwrap_or(Atom::i64(0));
        let places = self.emit("places", i64s(width), Exp::iota(width));
        let place = self.names.fresh("place", Type::i64());
        let (mut inputs, mut params) = (vec![places], vec![place]);
        let mut stms = Vec::new();
        let within = match joined {
            FlatDims::Even(row) => self.again(&mut stms, "within", BinOp::Rem, place.into(), *row),
            FlatDims::Uneven(rows) => {
                let (_, start) = self.own_row(rows, &mut inputs, &mut params, &mut stms);
                self.again(&mut stms, "within", BinOp::Sub, place.into(), start.into())
            }
        };
        let begins = self.names.fresh("begins", Type::bool());
        stms.push(self.stm(vec![begins], Exp::bin(BinOp::Eq, Prim::I64, within.into(), Atom::i64(0))));
        let own: Vec<Var> = columns.iter().map(|column| self.names.row_params(*column)[0]).collect();
        let result = [begins].iter().chain(&own).map(|var| Atom::Var(*var)).collect();
        params.extend(own);
        inputs.extend(&columns);
        let lambda = Lambda::new(params, Body { stms, result });
        let mut vars = vec![self.names.fresh("begun", Type::array(Prim::Bool, vec![total]))];
        vars.extend(columns.iter().map(|column| {
            let (name, ty) = (self.names.name(*column), self.names.ty(*column).clone());
            self.names.fresh(&name, ty)
        }));
        let scans = vec![self.segmented(op)];
        self.bind(
            vars.clone(),
            Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions: Vec::new() }),
        );
        vars.split_off(1)
    }

    /// The operator on values that may begin a row: what comes before such a one does not matter.
    fn segmented(&mut self, op: &Reduction) -> Reduction {
        let Lambda { params, body } = self.names.copy_lambda(&op.lambda);
        let half = params.len() / 2;
        let [before, begins, either] =
            ["before", "begins", "either"].map(|name| self.names.fresh(name, Type::bool()));
        let mut own = vec![before];
        own.extend(&params[..half]);
        own.push(begins);
        own.extend(&params[half..]);
        let or = self.stm(vec![either], Exp::bin(BinOp::Or, Prim::Bool, before.into(), begins.into()));
        let then =
            Body { stms: Vec::new(), result: params[half..].iter().map(|var| (*var).into()).collect() };
        let vars: Vec<Var> = params[half..]
            .iter()
            .map(|var| {
                let (name, ty) = (self.names.name(*var), self.names.ty(*var).clone());
                self.names.fresh(&name, ty)
            })
            .collect();
        let choice = self.stm(vars.clone(), Exp::if_(begins.into(), then, body));
        let mut result: Vec<Atom> = vec![either.into()];
        result.extend(vars.iter().map(|var| Atom::Var(*var)));
        let mut neutral = vec![Atom::bool(false)];
        neutral.extend(&op.neutral);
        let lambda = Lambda::new(own, Body { stms: vec![or, choice], result });
        Reduction { lambda, neutral, commutative: false }
    }

    /// One value of each row.
    fn reduce_rows(&mut self, nest: &Nest, joined: &FlatDims, op: &Reduction, columns: &[Var]) -> Vec<Var> {
        let mut inputs = Vec::new();
        let mut params: Vec<Var> = Vec::new();
        let mut stms = Vec::new();
        let mut own: Vec<Var> = Vec::new();
        for column in columns {
            let ty = self.names.ty(*column).clone();
            let name = self.names.name(*column);
            let rows = self.in_fresh_rows(nest, joined, *column);
            let group = self.names.row_params(rows);
            inputs.push(rows);
            let mut row = group[group.len() - 1];
            // All are as long as the first.
            if let Some(first) = own.first() {
                let dims = self.names.ty(*first).dims().to_vec();
                let coerced = self.names.fresh(&name, ty.with_dims(dims.clone()));
                stms.push(self.stm(vec![coerced], Exp::coerce(row, dims)));
                row = coerced;
            }
            own.push(row);
            params.extend(group);
        }
        let width = self.names.ty(own[0]).dims()[0].atom().unwrap_or(Atom::i64(0));
        let op = Reduction { lambda: self.names.copy_lambda(&op.lambda), ..op.clone() };
        let scalar = |this: &mut Self, column: &Var| {
            let row = this.names.ty(*column).row().unwrap_or(Type::bool());
            let name = this.names.name(*column);
            let all = row.array_of(Dim::Size(nest.width));
            (this.names.fresh(&name, row), this.names.fresh(&name, all))
        };
        let (inner, vars): (Vec<Var>, Vec<Var>) = columns.iter().map(|column| scalar(self, column)).unzip();
        let result = inner.iter().map(|var| (*var).into()).collect();
        stms.push(self.stm(inner, Exp::reduce(width, op, own)));
        let lambda = Lambda::new(params, Body { stms, result });
        self.bind(vars.clone(), Exp::map(nest.width, inputs, lambda));
        vars
    }

    /// The elements of a column in rows again.
    pub fn in_fresh_rows(&mut self, nest: &Nest, joined: &FlatDims, column: Var) -> Var {
        let (name, ty) = (self.names.name(column), self.names.ty(column).clone());
        let second = match joined {
            FlatDims::Even(width) => Dim::Size(*width),
            FlatDims::Uneven(_) => Dim::Irregular,
        };
        let rows = self.names.fresh(&name, ty.with_dims(vec![Dim::Size(nest.width), second]));
        self.in_rows(rows, nest, joined, column);
        rows
    }
}
