//! Which traces can be data.
//!
//! Not those of values of recursive types, whose cells are in regions; those of accumulating streams, whose lambdas yield
//! nothing but the accumulator; those of scans and histograms of rows of different lengths; and those of constants that an operator is the first to ask for: any number of threads may compute
//! a constant at the same time. Programs with such traces are interpreted.

use super::{Tracing, tracing_consts};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Body, ControlExp, Elem, Exp, Lambda, Observed, Operator, Prog, Stm};

pub fn can_be_data(prog: &Prog) -> bool {
    let tracing = Tracing::of(prog);
    let shows_refs = |observed: Observed| match observed.iface(prog) {
        Some((_, iface)) => iface.columns.iter().any(|column| matches!(column.elem, Elem::Ref(..))),
        None => true,
    };
    if prog.funs.iter().filter_map(Observed::of).any(shows_refs) {
        return false;
    }
    let mut search =
        Search { tracing: &tracing, consts: tracing_consts(prog, &tracing), called_inside: Vec::new() };
    if !prog.funs.iter().all(|fun| search.body(&fun.body, false)) {
        return false;
    }
    // What operators call is inside of them, too.
    let mut seen = vec![false; prog.funs.len()];
    while let Some(fun) = search.called_inside.pop() {
        if !std::mem::replace(&mut seen[fun], true) && !search.body(&prog.funs[fun].body, true) {
            return false;
        }
    }
    true
}

struct Search<'a> {
    tracing: &'a Tracing,
    consts: Vec<bool>,
    /// Functions that are called inside of operators.
    called_inside: Vec<usize>,
}

impl Search<'_> {
    /// Whether all is well in a body that is inside of an operator, or not.
    fn body(&mut self, body: &Body, inside: bool) -> bool {
        body.stms.iter().all(|stm| self.stm(stm, inside))
    }

    fn stm(&mut self, stm: &Stm, inside: bool) -> bool {
        let exp = &stm.exp;
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = exp
            && inside
        {
            self.called_inside.push(fun.0 as usize);
        }
        let lambda = |lambda: &Lambda| self.tracing.body(&lambda.body);
        let fits = match exp {
            Exp::Control(ControlExp::Const(id)) => !(inside && self.consts[id.0 as usize]),
            Exp::Op(Operator::AccStream { .. } | Operator::Fused { .. }) => !self.tracing.exp(exp),
            // Rows of different lengths cannot be overwritten one by one.
            Exp::Op(Operator::Scan { op, .. } | Operator::Hist { op, .. }) => {
                !lambda(&op.lambda) || op.lambda.params.len() == 2 * stm.vars.len()
            }
            _ => true,
        };
        let mut all = fits;
        // The chunk of a traced stream is all of its input.
        let is_chunk = matches!(exp, Exp::Op(Operator::Stream { .. })) && self.tracing.exp(exp);
        exp.for_each_part(&mut |part| match part {
            Part::Body(body) => all = all && self.body(body, inside),
            Part::Lambda(lambda) => all = all && self.body(&lambda.body, inside || !is_chunk),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        all
    }
}
