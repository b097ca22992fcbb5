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
//! A loop that ends when something holds is begun by the group, and the host goes on with it where the group has stopped, which is at its end unless it has very many iterations:
//!
//! ```text
//! let started: [n]f32 = if short { .. the loop, `limit` iterations at most, in one group .. } else { start }
//! let s: [n]f32 = loop (s: [n]f32 = started) while .. { .. each operator is a launch .. }
//! ```
//!
//! So no launch takes for ever: nobody can interrupt it. If only numbers decide about the end, the host counts the iterations before (`trip_count`), and the group does all of them.
//!
//! The rounds of a hash, the steps of a recurrence over a small state, and iterations over a small matrix are examples: a group is done with a thousand elements before the next
//! kernel would begin, and where the loop decides by what it has computed whether it goes on, the host need not wait for that in each iteration. It is the version with a
//! group for each element (`groups`) of a map with one element.
//!
//! Decides: by sizes at run time, as `groups::fit` does. Refuses: what no group can run (`groups::plan`); loops of so few iterations that nothing is saved; operators whose
//! elements are long, since their number does not say how much work there is; much code, which would be there twice; loops inside whose iterations nobody can count before. Loops inside a loop with this version have no version of their own.

use super::Distributor;
use super::context::Context;
use crate::imp_gen::inner_map;
use crate::nest::mentions::bound_inside;
use crate::nest::subst::Subst;
use crate::schedule::emit::Emit;
use norn_base::Span;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Param, Prim, Scalar, Stm, Type, Var,
};

/// Marks the statement in which a group begins a loop.
pub const BEGUN: &str = "begun";

/// A loop of fewer iterations saves too few launches.
const FEWEST_ITERATIONS: i64 = 4;
/// So many in one launch, those of loops inside included.
const MOST_ITERATIONS: i64 = 1 << 16;
/// Of more loops inside each other, the product of their bounds might not be a number.
const MOST_BOUNDS: usize = 3;
/// An element that goes through so many others in a loop of its own is still short.
const SHORT: i64 = 16;
/// A loop of more statements is not made twice.
const MOST_STATEMENTS: usize = 400;

impl Distributor<'_, '_> {
    /// The loop in one group, if a group can run it.
    pub fn loop_by_one_group(&mut self, stm: &Stm) -> Option<OneGroup> {
        let Exp::Control(ControlExp::Loop { form, body, .. }) = &stm.exp else { return None };
        let bounds = bounds_of(stm).filter(|bounds| bounds.len() <= MOST_BOUNDS)?;
        let is_brief =
            matches!(form, LoopForm::For(_, Atom::Const(Scalar::I64(count))) if *count < FEWEST_ITERATIONS);
        if is_brief || !has_short_elements(body) || statements(body) > MOST_STATEMENTS {
            return None;
        }
        let mut before = Vec::new();
        let trips = self.trip_count(stm, MOST_ITERATIONS + 1, &mut before);
        let counted = trips.as_ref().map(|trips| self.with_count(stm, trips.count));
        let bounds = trips.iter().map(|trips| trips.count.into()).chain(bounds).collect::<Vec<Atom>>();
        let (iterations, is_few) = self.iterations(&bounds, stm.span, &mut before);
        let map = self.map_of_one(counted.as_ref().unwrap_or(stm), iterations, &mut before);
        self.host_loops += 1;
        let at = self.tick();
        let branch =
            self.groups_branch(&mut Context::default(), at, &map, (self.host_loops, "loop.groups"))?;
        if branch.cond == Atom::bool(false) {
            return None;
        }
        before.extend(branch.tests);
        let mut emit = Emit::new(&mut self.names.vars, &mut before, stm.span);
        let cond = is_few.map_or(branch.cond, |is_few| emit.and("few", branch.cond, is_few));
        let mut body = branch.body;
        for array in &mut body.result {
            let ty = self.names.ty(array.var()?).clone();
            let row = self.names.fresh("row", ty.with_dims(ty.dims()[1..].to_vec()));
            let first = vec![DimIndex::Fix(Atom::i64(0))];
            body.stms.push(Stm::new(vec![row], Exp::index(array.var()?, first), stm.span));
            *array = row.into();
        }
        let does_all = trips.is_some() || matches!(form, LoopForm::For(..));
        for (at, number) in trips.into_iter().flat_map(|trips| trips.deciding) {
            body.result[at] = number.into();
        }
        self.names.memory.grow(self.names.vars.len());
        Some(OneGroup { before, cond, body, does_all })
    }

    /// The loop with so many iterations.
    fn with_count(&mut self, stm: &Stm, count: Var) -> Stm {
        let mut stm = stm.clone();
        if let Exp::Control(ControlExp::Loop { form, .. }) = &mut stm.exp {
            *form = LoopForm::For(self.names.fresh("i", Type::i64()), count.into());
        }
        stm
    }

    /// How many iterations loops with these bounds have, if they are inside each other, and, unless there are none, whether these are few enough for one launch.
    fn iterations(&mut self, bounds: &[Atom], span: Span, out: &mut Vec<Stm>) -> (Atom, Option<Atom>) {
        let most = Atom::i64(MOST_ITERATIONS);
        let mut emit = Emit::new(&mut self.names.vars, out, span);
        let (mut product, mut all) = (Atom::i64(1), None);
        let mut is_few = |emit: &mut Emit<'_>, count: Atom| {
            let is_few = emit.at_most("few", count, most);
            all = Some(all.map_or(is_few, |all| emit.and("few", all, is_few)));
        };
        for (number, bound) in bounds.iter().enumerate() {
            is_few(&mut emit, *bound);
            if number == 0 {
                product = *bound;
            } else {
                product = emit.bin(BinOp::Mul, "iterations", product, *bound);
                is_few(&mut emit, product);
            }
        }
        self.names.memory.grow(self.names.vars.len());
        (product, all)
    }

    /// The loop as a map of one element, where each iteration has so many in loops inside if nobody has counted its own. What it consumes is copied, since a lambda consumes nothing from outside.
    fn map_of_one(&mut self, stm: &Stm, iterations: Atom, out: &mut Vec<Stm>) -> Stm {
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
        self.limit_iterations(&mut own, iterations, out);
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

impl Distributor<'_, '_> {
    /// A loop that ends when something holds also ends after some iterations, each of which has so many in loops inside.
    fn limit_iterations(&mut self, stm: &mut Stm, inside: Atom, out: &mut Vec<Stm>) {
        let Exp::Control(ControlExp::Loop { params, form: LoopForm::While(cond), body }) = &mut stm.exp
        else {
            return;
        };
        let mut number = |name: &str| self.names.fresh(name, Type::i64());
        let (left, less, unused) = (number("left"), number("less"), number("left"));
        let [more, both] = ["more", "goes_on"].map(|name| self.names.fresh(name, Type::bool()));
        let bin = |var: Var, op: BinOp, prim: Prim, x: Atom, y: Atom| {
            Stm::new(vec![var], Exp::bin(op, prim, x, y), stm.span)
        };
        let most = match inside {
            Atom::Const(Scalar::I64(inside)) => Atom::i64(MOST_ITERATIONS / inside.max(1)),
            inside => {
                let mut emit = Emit::new(&mut self.names.vars, out, stm.span);
                let inside = emit.bin(BinOp::Max, "inside", inside, Atom::i64(1));
                emit.bin(BinOp::Quot, "most", Atom::i64(MOST_ITERATIONS), inside)
            }
        };
        params.push((Param::plain(left), most));
        cond.stms.push(bin(more, BinOp::Lt, Prim::I64, Atom::i64(0), left.into()));
        cond.stms.push(bin(both, BinOp::And, Prim::Bool, cond.result[0], more.into()));
        cond.result = vec![both.into()];
        body.stms.push(bin(less, BinOp::Sub, Prim::I64, left.into(), Atom::i64(1)));
        body.result.push(less.into());
        stm.vars.push(unused);
    }
}

/// The bounds of a loop that counts and of those inside of it; a counter is at most its own bound. None if one of them is not known before the loop, or ends when
/// something holds.
fn bounds_of(stm: &Stm) -> Option<Vec<Atom>> {
    fn of_loops(body: &Body, counters: &[(Var, Atom)], is_inside: &dyn Fn(Var) -> bool) -> Option<Vec<Atom>> {
        let mut bounds = Vec::new();
        for stm in &body.stms {
            let Exp::Control(ControlExp::Loop { form, body, .. }) = &stm.exp else {
                let mut inside = Some(Vec::new());
                stm.for_each_part(&mut |part| {
                    if let Part::Body(body) = part {
                        let own = of_loops(body, counters, is_inside);
                        inside = inside.take().zip(own).map(|(all, own)| [all, own].concat());
                    }
                });
                bounds.extend(inside?);
                continue;
            };
            let LoopForm::For(counter, bound) = form else { return None };
            let known = counters.iter().find(|(counter, _)| Atom::Var(*counter) == *bound);
            let bound = known.map_or(*bound, |(_, bound)| *bound);
            if bound.var().is_some_and(is_inside) {
                return None;
            }
            bounds.push(bound);
            bounds.extend(of_loops(body, &[counters, &[(*counter, bound)]].concat(), is_inside)?);
        }
        Some(bounds)
    }
    let Exp::Control(ControlExp::Loop { form, body, .. }) = &stm.exp else { return None };
    let inside = bound_inside(stm);
    let own = match form {
        LoopForm::For(counter, bound) => vec![(*counter, *bound)],
        LoopForm::While(_) => Vec::new(),
    };
    let bounds = of_loops(body, &own, &|var| inside.contains(&var))?;
    Some(own.into_iter().map(|(_, bound)| bound).chain(bounds).collect())
}

/// A loop in one group.
pub struct OneGroup {
    pub before: Vec<Stm>,
    /// Whether a group is fast enough.
    pub cond: Atom,
    /// Yields what the loop yields.
    pub body: Body,
    /// Or it may stop before the end, and somebody has to go on.
    pub does_all: bool,
}

impl OneGroup {
    /// The group, or this, which is what the loop yields otherwise; what the loop binds, `vars` are.
    pub fn or(self, apart: Body, vars: Vec<Var>, span: Span) -> Vec<Stm> {
        let OneGroup { mut before, cond, body, does_all } = self;
        let mut stm = Stm::new(vars, Exp::if_(cond, body, apart), span);
        stm.attrs.extend((!does_all).then(|| BEGUN.to_string()));
        before.push(stm);
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
