//! A version of a nest in which each element is done by a group of threads: its operators are `grid`s inside the map.
//!
//! What the operators make of a row stays in memory that the threads of a group share, so it pays where rows are long enough for a group
//! and short enough for that memory.

use super::Distributor;
use super::worth::is_narrow;
use crate::imp_gen::{ROW, scan_room};
use crate::schedule::emit::Emit;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, Check, ControlExp, DimIndex, Elem, Exp, Grid, Lambda, LoopForm, Operator,
    Reduction, ScalarExp, Stm, Var,
};

/// Shorter rows leave most threads of a group without work.
const SHORT: i64 = 64;
/// All that a group makes of a row takes at most so many bytes.
const ROOM: i64 = 40 << 10;

impl Distributor<'_, '_> {
    /// The bytes of what an operator combines.
    fn accumulators(&self, op: &Lambda) -> i64 {
        op.params[..op.params.len() / 2].iter().map(|var| self.names.ty(*var).elem_bytes()).sum()
    }

    /// The map with its operators in `grid`s, if groups can do it, and the widths of these.
    pub fn by_groups(&self, stm: &Stm) -> Option<(Exp, Vec<Atom>)> {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return None };
        let mut widths: Vec<Atom> = Vec::new();
        let mut bytes = 0;
        let mut stms = Vec::with_capacity(lambda.body.stms.len());
        let is_bound = |atom: Atom| {
            let bound = |var: Var| {
                lambda.params.contains(&var) || lambda.body.stms.iter().any(|stm| stm.vars.contains(&var))
            };
            atom.var().is_some_and(bound)
        };
        for stm in &lambda.body.stms {
            let Some(operator) = stm.exp.op() else {
                if !self.is_for_all(stm) {
                    return None;
                }
                stms.push(stm.clone());
                continue;
            };
            if is_bound(operator.width()) || is_narrow(operator.width()) || !self.is_for_groups(&stm.exp) {
                return None;
            }
            if !widths.contains(&operator.width()) {
                widths.push(operator.width());
            }
            bytes += operator.reductions().iter().map(|op| scan_room(self.accumulators(op))).sum::<i64>();
            for var in &stm.vars {
                let ty = self.names.ty(*var);
                let Some(Elem::Prim(prim)) = ty.elem() else { return None };
                bytes += if ty.is_array() { ROW * prim.size() as i64 } else { 0 };
            }
            stms.push(Stm { grid: Some(Grid { work: Atom::i64(0), balance: None }), ..stm.clone() });
        }
        let is_value = |atom: &Atom| {
            let Some(var) = atom.var() else { return true };
            let ty = self.names.ty(var);
            ty.rank() <= 1 && matches!(ty.elem(), Some(Elem::Prim(_)))
        };
        let regular = stm.vars.iter().all(|var| !self.names.ty(*var).has_irregular_rows());
        let made: Vec<Var> = stms.iter().flat_map(|stm| stm.vars.clone()).collect();
        let in_parts = lambda.body.stms.iter().any(|stm| takes_part(&stm.exp, &made));
        let fits = !in_parts
            && bytes <= ROOM
            && !widths.is_empty()
            && regular
            && lambda.body.result.iter().all(is_value);
        fits.then(|| {
            let body = Body { stms, result: lambda.body.result.clone() };
            let lambda = Lambda::new(lambda.params.clone(), body);
            (Exp::map(*width, inputs.clone(), lambda), widths)
        })
    }

    /// Whether all rows are as long as they should be.
    pub fn rows_fit(&mut self, widths: &[Atom], tests: &mut Vec<Stm>) -> Atom {
        let mut emit = Emit::new(&mut self.names.vars, tests, self.span);
        let mut all: Option<Atom> = None;
        for width in widths {
            let long = emit.at_most("long", Atom::i64(SHORT), *width);
            let fits = emit.at_most("fits", *width, Atom::i64(ROW));
            let both = emit.and("fits", long, fits);
            all = Some(all.map_or(both, |all| emit.and("fits", all, both)));
        }
        self.names.memory.grow(self.names.vars.len());
        all.unwrap_or(Atom::bool(false))
    }

    /// A statement that every thread may do for itself: it makes no arrays and does not fail.
    fn is_for_all(&self, stm: &Stm) -> bool {
        self.is_plain(stm) && !self.effects.stm_fails(stm)
    }

    fn is_for_groups(&self, exp: &Exp) -> bool {
        let scalars = |lambda: &Lambda| {
            let scalar = |atom: &Atom| atom.var().is_none_or(|var| self.names.ty(var).is_scalar());
            lambda.body.result.iter().all(scalar) && self.is_plain_body(&lambda.body)
        };
        let combines = |op: &Reduction| {
            let scalar = |var: &Var| self.names.ty(*var).prim().is_some();
            op.lambda.params.iter().all(scalar) && self.is_plain_body(&op.lambda.body)
        };
        match exp {
            Exp::Op(Operator::Map { lambda, .. }) => scalars(lambda),
            Exp::Op(Operator::Reduce { op, .. } | Operator::Scan { op, .. }) => combines(op),
            Exp::Op(Operator::Fused { lambda, scans, reductions, .. }) => {
                scalars(lambda) && scans.iter().chain(reductions).all(combines)
            }
            _ => false,
        }
    }

    fn is_plain_body(&self, body: &Body) -> bool {
        body.stms.iter().all(|stm| self.is_plain(stm))
    }

    /// Scalars, elements, views and control flow.
    fn is_plain(&self, stm: &Stm) -> bool {
        let scalars = stm.vars.iter().all(|var| self.names.ty(*var).prim().is_some());
        match &stm.exp {
            Exp::Array(ArrayExp::Index { .. } | ArrayExp::Range { .. } | ArrayExp::Rearrange { .. }) => true,
            Exp::Control(ControlExp::Check(check)) => {
                !matches!(check, Check::Shape { .. } | Check::Segments { .. })
            }
            Exp::Scalar(
                ScalarExp::Atom(_)
                | ScalarExp::Un(..)
                | ScalarExp::Bin(..)
                | ScalarExp::Tri(..)
                | ScalarExp::Convert { .. },
            ) => scalars,
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                scalars && self.is_plain_body(then) && self.is_plain_body(els)
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                scalars
                    && cases.iter().all(|(_, body)| self.is_plain_body(body))
                    && self.is_plain_body(default)
            }
            Exp::Control(ControlExp::Loop { params: _, form, body }) => {
                let tested = match form {
                    LoopForm::For(..) => true,
                    LoopForm::While(cond) => self.is_plain_body(cond),
                };
                scalars && tested && self.is_plain_body(body)
            }
            _ => false,
        }
    }
}

/// Whether more than an element is taken of one of these arrays otherwise than by an operator: there are no views of shared memory.
fn takes_part(exp: &Exp, made: &[Var]) -> bool {
    let mut takes = match exp {
        Exp::Array(ArrayExp::Index { array, slice }) => {
            made.contains(array) && slice.iter().any(|index| matches!(index, DimIndex::Slice { .. }))
        }
        Exp::Array(ArrayExp::Rearrange { array, .. }) => made.contains(array),
        _ => false,
    };
    let in_body = |body: &Body| body.stms.iter().any(|stm| takes_part(&stm.exp, made));
    exp.for_each_part(&mut |part| match part {
        Part::Body(body) => takes = takes || in_body(body),
        Part::Lambda(lambda) => takes = takes || in_body(&lambda.body),
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    takes
}
