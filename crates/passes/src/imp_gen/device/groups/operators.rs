//! Operators that all threads of a group do together.

use super::super::empty_rows::may_fail;
use super::super::kernels::array_inside;
use super::rows::split_row;
use crate::imp_gen::operators::accs::lent;
use crate::imp_gen::operators::hist::Hist;
use crate::imp_gen::operators::sweep::Sweep;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use crate::imp_gen::views::At;
use norn_ir::imp::{Exp, GroupArray};
use norn_ir::nest::{Atom, Body, Lambda, Operator, Stm, Var};

/// Maps right inside each other, the outermost first: the widths and inputs of each, and its lambda.
pub(super) struct Level<'a> {
    pub width: Atom,
    pub inputs: &'a [Var],
    pub lambda: &'a Lambda,
}

/// The map that is the last thing a lambda does, and yields all that it does.
pub fn inner_map(lambda: &Lambda) -> Option<&Stm> {
    let last = lambda.body.stms.last()?;
    let yields = last.vars.iter().map(|var| Atom::Var(*var));
    let same = lambda.body.result.iter().copied().eq(yields);
    (same && matches!(last.exp.op(), Some(Operator::Map { .. }))).then_some(last)
}

/// What a map that ends in another does before that.
fn before_inner<'a>(level: &Level<'a>) -> &'a [Stm] {
    let (_, before) = level.lambda.body.stms.split_last().expect("imp_gen: a map that is not there");
    before
}

impl Gen<'_> {
    pub fn group_operator(&mut self, vars: &[Var], op: &Operator) {
        let mut arrays = Vec::new();
        match op {
            Operator::Map { width, inputs, lambda } => {
                self.group_map(&mut arrays, vars, *width, inputs, lambda);
            }
            Operator::Reduce { .. } | Operator::Scan { .. } | Operator::Fused { .. } => {
                let op = op.combining().expect("imp_gen: a sweep that combines nothing");
                let sweep = Sweep::of(op, vars);
                self.group_sweep(&mut arrays, &sweep);
            }
            Operator::Scatter { width, dests, inputs, lambda } => {
                let hist = Hist { name: "scatter", width: *width, dests, op: None, inputs, lambda, vars };
                self.group_hist(&mut arrays, &hist);
            }
            Operator::Hist { width, dests, op, inputs, lambda } => {
                let hist = Hist { name: "hist", width: *width, dests, op: Some(op), inputs, lambda, vars };
                self.group_hist(&mut arrays, &hist);
            }
            _ => panic!("imp_gen: a group of threads cannot do this operator in {}", self.fun.name),
        }
        self.end_group_operator(arrays);
    }

    pub fn group_outs(&mut self, vars: &[Var]) -> Vec<Array> {
        let mut outs = Vec::with_capacity(vars.len());
        for var in vars {
            let ty = self.ty(*var);
            let sizes: Vec<Exp> = self.sizes(ty.dims()).into_iter().flatten().collect();
            let prim = prim_of(ty.elem().expect("imp_gen: an output of no values"));
            outs.push(self.new_array(*var, prim, &sizes, "map"));
        }
        outs
    }

    fn group_map<'a>(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        vars: &[Var],
        width: Atom,
        inputs: &'a [Var],
        lambda: &'a Lambda,
    ) {
        let mut levels = vec![Level { width, inputs, lambda }];
        while let Some(inner) = inner_map(levels[levels.len() - 1].lambda) {
            let Some(Operator::Map { width, inputs, lambda }) = inner.exp.op() else { break };
            levels.push(Level { width: *width, inputs, lambda });
        }
        let widths: Vec<Exp> = levels.iter().map(|level| self.scalar(level.width)).collect();
        let outs = self.group_outs(vars);
        self.check_empty_rows_of_group(&levels, &widths);
        let count = self.code.atom("count", Exp::product(widths.iter().cloned()));
        match split_row(levels[levels.len() - 1].lambda) {
            Some(row) => self.group_rows(arrays, &levels, &row, &widths, &count, &outs),
            None => self.by_elements(&count, &mut |this, i| {
                let indices = this.indices_of_sizes(i, &widths);
                this.group_element(&levels, &indices, &indices, &outs);
            }),
        }
        for (var, out) in vars.iter().zip(outs) {
            self.bind(*var, Repr::Array(out));
        }
    }

    /// As `check_empty_rows`, by the threads of the group.
    fn check_empty_rows_of_group(&mut self, levels: &[Level], widths: &[Exp]) {
        for inner in 1..levels.len() {
            let outer = &levels[..inner];
            if !outer.iter().any(|level| before_inner(level).iter().any(may_fail)) {
                continue;
            }
            self.code.open();
            let count = self.code.atom("count", Exp::product(widths[..inner].iter().cloned()));
            self.by_elements(&count, &mut |this, i| {
                let indices = this.indices_of_sizes(i, &widths[..inner]);
                this.check_element(outer, &indices);
            });
            let checks = self.code.close();
            self.code.when(widths[inner].clone().eq(Exp::i64(0)), checks);
        }
    }

    /// What stands before the maps inside these, at an index of each.
    fn check_element(&mut self, levels: &[Level], indices: &[Exp]) {
        let ([level, inner @ ..], [index, left @ ..]) = (levels, indices) else { return };
        for (param, row) in level.lambda.params.iter().zip(self.rows_at(level.inputs, index)) {
            self.env.insert(*param, row);
        }
        let before = Body { stms: before_inner(level).to_vec(), result: Vec::new() };
        self.run_body(&before, &[], &mut |this| this.check_element(inner, left));
    }

    /// One element of the maps that are left, at the indices that are.
    fn group_element(&mut self, levels: &[Level], left: &[Exp], indices: &[Exp], outs: &[Array]) {
        self.in_innermost(levels, left, &mut |this, lambda| this.yield_body(&lambda.body, indices, outs));
    }

    /// What the innermost lambda does, where its parameters are those at these indices.
    pub(super) fn in_innermost(
        &mut self,
        levels: &[Level],
        left: &[Exp],
        with: &mut dyn FnMut(&mut Self, &Lambda),
    ) {
        let ([level, inner @ ..], [index, left @ ..]) = (levels, left) else { return };
        for (param, row) in level.lambda.params.iter().zip(self.rows_at(level.inputs, index)) {
            self.env.insert(*param, row);
        }
        if inner.is_empty() {
            return with(self, level.lambda);
        }
        let before = Body { stms: before_inner(level).to_vec(), result: Vec::new() };
        self.run_body(&before, &[], &mut |this| this.in_innermost(inner, left, with));
    }

    /// What a body yields is stored at these indices.
    pub(super) fn yield_body(&mut self, body: &Body, indices: &[Exp], outs: &[Array]) {
        let mut targets: Vec<(Atom, Option<Array>)> = Vec::with_capacity(outs.len());
        for (out, result) in outs.iter().zip(&body.result) {
            let at: Vec<At> = indices.iter().cloned().map(At::Fix).collect();
            let row = (out.rank() > at.len()).then(|| self.part_of(out, &at).pop()).flatten();
            targets.push((*result, row.map(|row| lent(&array_inside(row)))));
        }
        self.run_body(body, &targets, &mut |this| {
            for (out, (result, place)) in outs.iter().zip(&targets) {
                match place {
                    Some(place) => this.deliver(*result, place),
                    None => {
                        let value = this.scalar(*result);
                        this.store(out, indices, value);
                    }
                }
            }
        });
    }
}
