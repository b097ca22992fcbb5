//! Which statements of a host work on rows: of what is given row by row they make rows, each from its own alone.
//!
//! This is an analysis of dependences. Of a variable that has been made from rows it is known that row `i` depends on rows `i` of what it was made from, and on
//! nothing else that has rows. A statement takes such a variable row by row, or it is refused: an index into it, or a use in a lambda as
//! a free variable, may need any of its rows.

use super::are_outside;
use crate::nest::mentions;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Dim, DimIndex, Elem, Exp, Lambda, LoopForm, Operator, Prim, ScalarExp,
    Stm, Type, Var, VarInfo,
};
use std::collections::HashSet;

#[derive(Clone)]
pub struct TaskRows {
    pub width: Atom,
    /// What has been made row by row.
    pub made: HashSet<Var>,
    /// What else the group has made, which no part knows.
    pub joined: HashSet<Var>,
    /// What is made inside a loop or branch, the same for all parts. Parts take no rows of it.
    local: HashSet<Var>,
}

impl TaskRows {
    pub fn new(width: Atom) -> TaskRows {
        TaskRows { width, made: HashSet::new(), joined: HashSet::new(), local: HashSet::new() }
    }

    /// Whether nothing that the group has made is among these.
    pub fn are_outside(&self, found: &[Var]) -> bool {
        are_outside(found, &self.made) && are_outside(found, &self.joined)
    }

    /// Whether the type is one of rows, of which parts can be listed.
    pub fn is_rows(&self, ty: &Type) -> bool {
        let [first, rest @ ..] = ty.dims() else { return false };
        // Rows of rows of different lengths are never contiguous.
        *first == Dim::Size(self.width)
            && !rest.iter().skip(1).any(|dim| *dim == Dim::Irregular)
            && matches!(ty.elem(), Some(Elem::Prim(_)))
    }

    /// Whether an operator takes what the group has made as rows of its inputs, and in no other way.
    pub fn takes_inputs(&self, vars: &[VarInfo], stm: &Stm, op: &Operator) -> bool {
        if op.width() != self.width {
            return false;
        }
        let mut found = Vec::new();
        op.for_each_part(&mut |part| match part {
            Part::Atom(atom) => found.extend(atom.var()),
            Part::Lambda(lambda) => mentions::in_lambda(vars, lambda, &mut found),
            Part::Var(_) | Part::Binder(_) | Part::Body(_) => {}
        });
        found.extend(op.dests());
        stm.vars.iter().for_each(|var| mentions::in_type(vars, *var, &mut found));
        // A filter's results are as long as its first.
        found.retain(|var| !stm.vars.contains(var));
        let are_known = are_outside(op.inputs(), &self.joined) && are_outside(op.inputs(), &self.local);
        are_known && self.are_outside(&found) && !self.rounds_by_part(vars, op)
    }

    /// Whether it combines floats of rows of different lengths that the group has made. In which order threads do that follows from how many elements come before, which no part knows; of rows that a task takes, all know it.
    fn rounds_by_part(&self, vars: &[VarInfo], op: &Operator) -> bool {
        let is_own =
            |input: &Var| self.made.contains(input) && vars[input.0 as usize].ty.has_irregular_rows();
        op.inputs().iter().any(is_own)
            && op.lambda().is_some_and(|lambda| has_sums_of_floats(vars, &lambda.body))
    }

    /// Whether the statement works on rows. If so, what it makes of them is made.
    pub fn takes(&mut self, vars: &[VarInfo], stm: &Stm) -> bool {
        let taken = match &stm.exp {
            Exp::Op(op) => self.operator(vars, stm, op),
            Exp::Scalar(ScalarExp::Atom(Atom::Var(var))) if self.made.contains(var) => true,
            Exp::Array(exp) if self.views(exp) => true,
            Exp::Scalar(_) | Exp::Array(_) => {
                self.local.extend(&stm.vars);
                return self.is_free(vars, stm);
            }
            Exp::Control(ControlExp::If { cond, then, els }) => {
                self.knows(*cond) && self.branch(vars, then) && self.branch(vars, els)
            }
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) => {
                let mut bodies = cases.iter().map(|(_, body)| body).chain([default]);
                self.knows(*scrutinee) && bodies.all(|body| self.branch(vars, body))
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                return self.takes_loop(vars, stm, params, form, body);
            }
            Exp::Control(ControlExp::Call { .. } | ControlExp::Const(_) | ControlExp::Check(_))
            | Exp::Cell(_) => false,
        };
        let taken = taken && stm.vars.iter().all(|var| self.is_rows(&vars[var.0 as usize].ty));
        if taken {
            self.made.extend(&stm.vars);
        }
        taken
    }

    fn operator(&self, vars: &[VarInfo], stm: &Stm, op: &Operator) -> bool {
        let is_map = match op {
            Operator::Map { .. } => true,
            Operator::Fused { scans, reductions, .. } => scans.is_empty() && reductions.is_empty(),
            _ => false,
        };
        is_map && stm.grid.is_some() && self.takes_inputs(vars, stm, op)
    }

    /// Rows of rows, in memory or under another shape.
    fn views(&self, exp: &ArrayExp) -> bool {
        let is_made = |array: &Var| self.made.contains(array);
        match exp {
            ArrayExp::Index { array, slice } => {
                is_made(array) && slice.first() == Some(&DimIndex::whole(self.width))
            }
            ArrayExp::Reshape { array, old, new } => {
                is_made(array) && *old > 0 && new.first() == Some(&self.width)
            }
            ArrayExp::Rearrange { array, perm } => is_made(array) && perm.first() == Some(&0),
            ArrayExp::Copy(array) => is_made(array),
            ArrayExp::Coerce { array, dims } => {
                is_made(array) && dims.first() == Some(&Dim::Size(self.width))
            }
            _ => false,
        }
    }

    /// Whether it needs nothing that the group has made, and leaves memory as it is: every part can do it for itself.
    fn is_free(&self, vars: &[VarInfo], stm: &Stm) -> bool {
        let mut found = Vec::new();
        mentions::in_stm(vars, stm, &mut found);
        let overwrites = matches!(
            stm.exp,
            Exp::Array(ArrayExp::Update { .. } | ArrayExp::FlatUpdate { .. } | ArrayExp::AccWrite { .. })
        );
        !overwrites && self.are_outside(&found)
    }

    fn knows(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| self.are_outside(&[var]))
    }

    fn branch(&self, vars: &[VarInfo], body: &Body) -> bool {
        let mut inside = self.clone();
        inside.body(vars, body)
            && body.result.iter().all(|atom| atom.var().is_some_and(|var| inside.made.contains(&var)))
    }

    fn body(&mut self, vars: &[VarInfo], body: &Body) -> bool {
        body.stms.iter().all(|stm| self.takes(vars, stm))
    }

    /// Whether each step makes rows of those of the step before. Numbers that a loop carries are the same for all parts.
    fn takes_loop(
        &mut self,
        vars: &[VarInfo],
        stm: &Stm,
        params: &[(norn_ir::nest::Param, Atom)],
        form: &LoopForm,
        body: &Body,
    ) -> bool {
        let mut inside = self.clone();
        let mut rows = Vec::new();
        for (param, initial) in params {
            let ty = &vars[param.var.0 as usize].ty;
            let is_given = |var: Var| !self.joined.contains(&var) && !self.local.contains(&var);
            let has_rows = self.is_rows(ty) && initial.var().is_some_and(is_given);
            if !(has_rows || ty.is_scalar() && self.knows(*initial)) {
                return false;
            }
            // A loop that overwrites rows needs its own, and rows of different lengths are not copied.
            if has_rows && param.unique && ty.has_irregular_rows() {
                return false;
            }
            if has_rows {
                inside.made.insert(param.var);
            }
            rows.push(has_rows);
        }
        let begins = match form {
            LoopForm::For(_, bound) => self.knows(*bound),
            LoopForm::While(cond) => inside.clone().body(vars, cond),
        };
        if !begins || !inside.body(vars, body) {
            return false;
        }
        let is_made = |atom: &Atom| atom.var().is_some_and(|var| inside.made.contains(&var));
        if !body.result.iter().zip(&rows).all(|(atom, rows)| is_made(atom) == *rows) {
            return false;
        }
        for (var, rows) in stm.vars.iter().zip(rows) {
            if rows {
                self.made.insert(*var)
            } else {
                self.joined.insert(*var)
            };
        }
        true
    }
}

/// Whether operators in a body combine floats.
pub fn has_sums_of_floats(vars: &[VarInfo], body: &Body) -> bool {
    body.stms.iter().any(|stm| {
        let mut has =
            stm.exp.op().is_some_and(|op| op.reductions().iter().any(|op| combines_floats(vars, op)));
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => has |= has_sums_of_floats(vars, body),
            Part::Lambda(lambda) => has |= has_sums_of_floats(vars, &lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        has
    })
}

pub fn combines_floats(vars: &[VarInfo], op: &Lambda) -> bool {
    let is_float = |var: &Var| {
        let elem = vars[var.0 as usize].ty.elem();
        elem.and_then(|elem| elem.prim()).is_some_and(Prim::is_float)
    };
    op.params.iter().any(is_float)
}
