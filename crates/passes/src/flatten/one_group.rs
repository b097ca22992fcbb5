//! Loops of the host whose operators are short: a single group of threads runs the whole loop, in one launch.
//!
//! Before:
//! ```text
//! let s: [n]f32 = loop (s: [n]f32 = start) for i < k { .. a map, a scan and a reduction over n elements .. }
//! ```
//! After:
//! ```text
//! let s: [n]f32 = if short {
//!   let ss: [1][n]f32 = map 1 (only) \(at: i64) { .. the loop, with its operators in `grid`s .. }
//!   let s: [n]f32 = index ss [0]
//!   in s
//! } else {
//!   .. the loop, each operator of which is a launch in each iteration ..
//! }
//! ```
//!
//! The rounds of a hash, the steps of a recurrence over a small state, and iterations over a small matrix are examples: a group is done with a thousand elements before the next
//! kernel would begin, and where the loop decides by what it has computed whether it goes on, the host need not wait for that in each iteration. It is the version with a
//! group for each element (`groups`) of a map with one element.
//!
//! Decides: by sizes at run time, as `groups::fit` does. Refuses: what no group can run (`groups::plan`); loops of so few iterations that nothing is saved; operators whose
//! elements are long, since their number does not say how much work there is; much code, which would be there twice. Loops inside a loop with this version have no version of their own.

use super::Distributor;
use super::context::Context;
use crate::imp_gen::inner_map;
use crate::nest::subst::Subst;
use norn_base::Span;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    Atom, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Prim, Scalar, Stm, Type, Var,
};

/// A loop of fewer iterations saves too few launches.
const FEWEST_ITERATIONS: i64 = 4;
/// An element that goes through so many others in a loop of its own is still short.
const SHORT: i64 = 16;
/// A loop of more statements is not made twice.
const MOST_STATEMENTS: usize = 400;

impl Distributor<'_, '_> {
    /// The loop in one group, if a group can run it.
    pub fn loop_by_one_group(&mut self, stm: &Stm) -> Option<OneGroup> {
        let Exp::Control(ControlExp::Loop { form, body, .. }) = &stm.exp else { return None };
        let is_brief =
            matches!(form, LoopForm::For(_, Atom::Const(Scalar::I64(count))) if *count < FEWEST_ITERATIONS);
        if is_brief || !has_short_elements(body) || statements(body) > MOST_STATEMENTS {
            return None;
        }
        let mut before = Vec::new();
        let map = self.map_of_one(stm, &mut before);
        self.host_loops += 1;
        let at = self.tick();
        let branch =
            self.groups_branch(&mut Context::default(), at, &map, (self.host_loops, "loop.groups"))?;
        if branch.cond == Atom::bool(false) {
            return None;
        }
        before.extend(branch.tests);
        let mut body = branch.body;
        for array in &mut body.result {
            let ty = self.names.ty(array.var()?).clone();
            let row = self.names.fresh("row", ty.with_dims(ty.dims()[1..].to_vec()));
            let first = vec![DimIndex::Fix(Atom::i64(0))];
            body.stms.push(Stm::new(vec![row], Exp::index(array.var()?, first), stm.span));
            *array = row.into();
        }
        self.names.memory.grow(self.names.vars.len());
        Some(OneGroup { before, cond: branch.cond, body })
    }

    /// The loop as a map of one element. What it consumes is copied, since a lambda consumes nothing from outside.
    fn map_of_one(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> Stm {
        let one = Atom::i64(1);
        let only = self.names.fresh("only", Type::array(Prim::I64, vec![Dim::Size(one)]));
        out.push(Stm::new(vec![only], Exp::iota(one), stm.span));
        let mut own = self.names.copy_stm(&mut Subst::default(), stm);
        let certs = std::mem::take(&mut own.certs);
        let mut body = Body::default();
        if let Exp::Control(ControlExp::Loop { params, .. }) = &mut own.exp {
            for (param, initial) in params.iter_mut().filter(|(param, _)| param.unique) {
                let Some(array) = initial.var().filter(|_| self.names.ty(param.var).is_array()) else {
                    continue;
                };
                let copy = self.names.like(&[array])[0];
                body.stms.push(Stm::new(vec![copy], Exp::copy(array), stm.span));
                *initial = copy.into();
            }
        }
        body.result = own.vars.iter().map(|var| (*var).into()).collect();
        let of_all = |ty: Type| ty.array_of(Dim::Size(one));
        let arrays: Vec<Var> = (stm.vars.iter())
            .map(|var| self.names.fresh(&self.names.name(*var), of_all(self.names.ty(*var).clone())))
            .collect();
        body.stms.push(own);
        self.names.memory.grow(self.names.vars.len());
        let exp = Exp::map(one, vec![only], Lambda::new(self.names.row_params(only), body));
        Stm { certs, ..Stm::new(arrays, exp, stm.span) }
    }
}

/// A loop in one group.
pub struct OneGroup {
    pub before: Vec<Stm>,
    /// Whether a group is fast enough.
    pub cond: Atom,
    /// Yields what the loop yields.
    pub body: Body,
}

impl OneGroup {
    /// The group, or the statements of the loop, which yield `result`; what the loop binds, `vars` are.
    pub fn or(self, apart: Body, vars: Vec<Var>, span: Span) -> Vec<Stm> {
        let OneGroup { mut before, cond, body } = self;
        before.push(Stm::new(vars, Exp::if_(cond, body, apart), span));
        before
    }
}

/// Whether the elements of all operators are about equally much work, which is little.
fn has_short_elements(body: &Body) -> bool {
    body.stms.iter().all(|stm| {
        let mut short = true;
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => short &= has_short_elements(body),
            Part::Lambda(lambda) => short &= is_short(lambda),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        short
    })
}

/// An element that is an operator again counts as so many elements; so does the only reduction of an element.
fn is_short(lambda: &Lambda) -> bool {
    if let Some(inner) = inner_map(lambda) {
        let mut short = true;
        inner.for_each_part(&mut |part| {
            if let Part::Lambda(lambda) = part {
                short &= is_short(lambda);
            }
        });
        return short;
    }
    let operators = lambda.body.stms.iter().filter(|stm| stm.exp.op().is_some()).count();
    lambda.body.stms.iter().all(|stm| match (&stm.exp, stm.exp.op()) {
        (_, Some(op)) => operators == 1 || is_few(op.width()),
        (exp, None) => is_short_control(exp),
    })
}

fn is_short_control(exp: &Exp) -> bool {
    let is_short_body = |body: &Body| {
        body.stms.iter().all(|stm| match stm.exp.op() {
            Some(op) => is_few(op.width()),
            None => is_short_control(&stm.exp),
        })
    };
    match exp {
        Exp::Control(ControlExp::Loop { form: LoopForm::For(_, bound), body, .. }) => {
            is_few(*bound) && is_short_body(body)
        }
        Exp::Control(ControlExp::Loop { form: LoopForm::While(_), .. } | ControlExp::Call { .. }) => false,
        exp => {
            let mut short = true;
            exp.for_each_part(&mut |part| {
                if let Part::Body(body) = part {
                    short &= is_short_body(body);
                }
            });
            short
        }
    }
}

fn is_few(count: Atom) -> bool {
    matches!(count, Atom::Const(Scalar::I64(count)) if count <= SHORT)
}

fn statements(body: &Body) -> usize {
    body.stms.iter().fold(body.stms.len(), |mut count, stm| {
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => count += statements(body),
            Part::Lambda(lambda) => count += statements(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        count
    })
}
