//! Move out of loops, lambdas and branches what does not depend on them.
//!
//! Before:
//! ```text
//! let ys: [n]f32 = map n (xs) \(x: f32) {
//!   let r: [k]i64 = range.i64 k 0i64 1i64
//!   let s: i64 = reduce k (r) ..
//!   let t: f32 = convert.i64.f32 s
//!   let y: f32 = mul.f32 x t
//!   in y
//! }
//! ```
//! After:
//! ```text
//! let r: [k]i64 = range.i64 k 0i64 1i64
//! let s: i64 = reduce k (r) ..
//! let t: f32 = convert.i64.f32 s
//! let ys: [n]f32 = map n (xs) \(x: f32) {
//!   let y: f32 = mul.f32 x t
//!   in y
//! }
//! ```
//!
//! Needs: a valid program. Gives: bodies of loops and lambdas without invariant statements of the kinds below.
//! Keeps: results and failures. A statement may run now although it did not before, as a loop may have no
//! iteration; so it must be total where it goes. What relies on checks moves only to where these have passed; a
//! check moves only out of a loop or an operator that certainly applies its body.
//! Refuses: arrays that somebody writes to (each iteration needs its own), unchecked accesses, calls that may
//! fail, cells and regions.
//!
//! A statement leaves a branch only together with the loop or operator around the branch, and only if it is cheap, since the branch may never be
//! taken: a scalar operation, a constant of the program, a view, or an operator whose work and memory are linear in the size of arrays that exist
//! anyway (a concatenation, a copy, a map, reduction or scan of scalars over such arrays, a `replicate` or range of their length). So `(xs ++ ys)[i]` in
//! a branch of a map concatenates once, not once for each element. Larger arrays stay: the branch may be there to avoid them. Apart from that,
//! a few cheap operations on scalars come out of a branch where that leaves it empty: it becomes a choice between values.
//! Method: let-lifting (Harlan, OOPSLA 2014, 5.5.2) in one walk: bodies inside first; what comes out of one is then
//! looked at in the body around it.
//! Cost: linear in the size of the program times the depth of its bodies.

use super::bounds::{Bounds, yields_facts};
use super::effects::{Effects, effects};
use super::inputs::{applied, param_groups};
use super::memory::{Memory, memory, signatures};
use super::mentions;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    Applied, ArrayExp, Atom, BinOp, Body, Check, ControlExp, Dim, DimIndex, Exp, Fun, LoopForm, Operator,
    Prim, Prog, Scalar, ScalarExp, Stm, UnOp, Var, VarInfo,
};
use rustc_hash::FxHashSet;

/// A new array of at most this many elements is small enough to be made in vain.
const FEW: i64 = 1 << 12;

/// As many cheap statements are computed in vain rather than branched around.
const SPECULATED: usize = 3;

pub fn hoist(prog: &mut Prog) {
    let (effects, signatures) = (effects(prog), signatures(prog));
    for fun in &mut prog.funs {
        let memory = memory(&signatures, fun);
        hoist_fun(fun, memory, &effects, Leaving::All);
    }
}

/// Only what is work, and what that needs: before operators are fused, so that work is not done again as part of one that stays. What is computed in a few
/// operations from arrays that are read anyway is better done again than stored.
pub fn hoist_work(prog: &mut Prog) {
    let (effects, signatures) = (effects(prog), signatures(prog));
    for fun in &mut prog.funs {
        let mut trial = fun.clone();
        let tried = hoist_fun(&mut trial, memory(&signatures, fun), &effects, Leaving::Tried(Vec::new()));
        let Leaving::Tried(left) = tried else { panic!("hoist: a trial is another") };
        let needed = needed_by_work(&fun.vars, &left);
        if !needed.is_empty() {
            let memory = memory(&signatures, fun);
            hoist_fun(fun, memory, &effects, Leaving::Only(needed));
        }
    }
}

/// What may leave bodies of a function.
enum Leaving {
    All,
    /// All; this is what left.
    Tried(Vec<Stm>),
    /// What binds these.
    Only(FxHashSet<Var>),
}

/// What binds these, of what leaves a body: operators that do more than something simple for each element, loops, calls, and what these need.
fn needed_by_work(vars: &[VarInfo], leaving: &[Stm]) -> FxHashSet<Var> {
    let mut needed: FxHashSet<Var> = FxHashSet::default();
    for stm in leaving.iter().rev() {
        if is_work(stm) || stm.vars.iter().any(|var| needed.contains(var)) {
            let mut operands = stm.vars.clone();
            mentions::in_stm(vars, stm, &mut operands);
            mentions::certs(stm, &mut operands);
            needed.extend(operands);
        }
    }
    needed
}

fn is_work(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Op(Operator::Map { lambda, .. }) => lambda.body.stms.iter().any(holds_work),
        _ => holds_work(stm),
    }
}

fn holds_work(stm: &Stm) -> bool {
    let mut found =
        matches!(&stm.exp, Exp::Op(_) | Exp::Control(ControlExp::Loop { .. } | ControlExp::Call { .. }));
    stm.exp.for_each_part(&mut |part| match part {
        Part::Body(body) => found = found || body.stms.iter().any(holds_work),
        Part::Lambda(_) | Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    found
}

fn hoist_fun(fun: &mut Fun, memory: Memory, effects: &Effects, leaving: Leaving) -> Leaving {
    let mut body = std::mem::take(&mut fun.body);
    let count = fun.vars.len();
    let mut walk = Hoister {
        vars: &fun.vars,
        memory,
        effects,
        bounds: Bounds::of(&fun.vars),
        marks: vec![0],
        owners: vec![Owner::Fun],
        is_size: vec![false; count],
        level: vec![0; count],
        iota: vec![None; count],
        checks: (0..count).map(|_| None).collect(),
        depth: 0,
        leaving,
    };
    fun.params.iter().for_each(|param| walk.bind(param.var, &[]));
    let out = walk.body(&mut body, Owner::Fun);
    debug_assert!(out.is_empty());
    let leaving = walk.leaving;
    fun.body = body;
    normalise_fun(fun);
    leaving
}

/// Whose body it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Fun,
    /// It runs any number of times.
    Repeated,
    /// It runs at least once.
    Certain,
    Branch,
}

struct Hoister<'a> {
    vars: &'a [VarInfo],
    memory: Memory,
    effects: &'a Effects,
    bounds: Bounds,
    /// Of each body around, what was known where it begins.
    marks: Vec<usize>,
    /// Whose they are.
    owners: Vec<Owner>,
    /// Of integers, whether an array has so many rows, columns and so on.
    is_size: Vec<bool>,
    /// How deep in bodies each variable is bound.
    level: Vec<u32>,
    /// Of arrays `0, 1, ..`, how many numbers there are.
    iota: Vec<Option<Atom>>,
    /// The check that each certificate stands for.
    checks: Vec<Option<Check>>,
    depth: u32,
    leaving: Leaving,
}

/// A statement that leaves a body, and the depth of the body that it goes to at least.
struct Lifted {
    stm: Stm,
    to: u32,
}

impl Hoister<'_> {
    /// What comes with these checks.
    fn bind(&mut self, var: Var, certs: &[Var]) {
        self.level[var.0 as usize] = self.depth;
        // What is made in a branch may never be there.
        let is_certain = !self.owners.contains(&Owner::Branch);
        for dim in self.vars[var.0 as usize].ty.dims() {
            if let Some(Atom::Var(size)) = dim.atom().filter(|_| is_certain) {
                self.is_size[size.0 as usize] = true;
            }
        }
        self.bounds.sizes(self.vars[var.0 as usize].ty.dims(), certs);
    }

    /// The statements that go in front of the owner.
    fn body(&mut self, body: &mut Body, owner: Owner) -> Vec<Lifted> {
        let known = self.bounds.mark();
        let mut lifted = Vec::new();
        let mut stms = Vec::with_capacity(body.stms.len());
        let mut owner = owner;
        for mut stm in std::mem::take(&mut body.stms) {
            for inner in self.inside(&mut stm) {
                self.place(inner, owner, &mut stms, &mut lifted);
            }
            let to = self.depth;
            // What was shown before a failure is shown: checks stay behind it.
            let shows = self.effects.stm_shows(&stm);
            self.place(Lifted { stm, to }, owner, &mut stms, &mut lifted);
            if shows && owner == Owner::Certain {
                owner = Owner::Repeated;
            }
        }
        body.stms = stms;
        self.bounds.forget(known);
        lifted
    }

    fn place(&mut self, stm: Lifted, owner: Owner, stms: &mut Vec<Stm>, lifted: &mut Vec<Lifted>) {
        let Lifted { stm, to } = stm;
        if let (Exp::Control(ControlExp::Check(check)), [cert]) = (&stm.exp, &stm.vars[..]) {
            self.checks[cert.0 as usize] = Some(check.clone());
        }
        let to = if to < self.depth { Some(to) } else { self.destination(&stm, owner) };
        if let Some(to) = to {
            // Bound outside from now on; how far outside, those around decide.
            stm.vars.iter().for_each(|var| self.level[var.0 as usize] = to);
            self.define(&stm, Some(to));
            if let Leaving::Tried(left) = &mut self.leaving {
                left.push(stm.clone());
            }
            lifted.push(Lifted { stm, to });
        } else {
            stm.vars.iter().for_each(|var| self.bind(*var, &stm.certs));
            self.define(&stm, None);
            stms.push(stm);
        }
    }

    /// The depth of the body that the statement goes to, if it leaves this one.
    fn destination(&mut self, stm: &Stm, owner: Owner) -> Option<u32> {
        if let Leaving::Only(vars) = &self.leaving
            && !stm.vars.iter().any(|var| vars.contains(var))
        {
            return None;
        }
        match owner {
            Owner::Fun => None,
            Owner::Repeated | Owner::Certain => {
                self.may_leave(stm, self.depth, owner == Owner::Certain).then(|| self.depth - 1)
            }
            Owner::Branch => {
                let is_repeated = |owner: &Owner| matches!(owner, Owner::Repeated | Owner::Certain);
                let repeated = self.owners.iter().rposition(is_repeated)? as u32;
                (self.costs_little(&stm.exp) && self.may_leave(stm, repeated, false)).then(|| repeated - 1)
            }
        }
    }

    /// Records the facts about integers that follow from a statement; if it moves to an outer body, those that hold there.
    fn define(&mut self, stm: &Stm, to: Option<u32>) {
        let [var] = stm.vars[..] else { return };
        if let Exp::Array(ArrayExp::Range { prim: Prim::I64, count, start, step }) = &stm.exp
            && (*start, *step) == (Atom::i64(0), Atom::i64(1))
        {
            self.iota[var.0 as usize] = Some(*count);
        }
        if yields_facts(&stm.exp) {
            self.bounds.see_until(to.map(|to| self.marks[to as usize + 1]));
            self.bounds.define(var, &stm.exp);
            self.bounds.see_until(None);
        }
    }

    /// Facts about the parameters of an operator's lambda, or the counter of a loop.
    fn count(&mut self, exp: &Exp) {
        if let Exp::Control(ControlExp::Loop { form: LoopForm::For(var, bound), .. }) = exp {
            self.bounds.count(*var, *bound);
        }
        let Some(Applied { inputs, lambda, skipped, .. }) = applied(exp) else { return };
        let groups = param_groups(self.vars, inputs, &lambda.params[skipped..]);
        for (input, group) in inputs.iter().zip(groups) {
            if let (Some(count), [param]) = (self.iota[input.0 as usize], group) {
                self.bounds.count(*param, count);
            }
        }
    }

    /// What comes out of the bodies of a statement.
    fn inside(&mut self, stm: &mut Stm) -> Vec<Lifted> {
        let owner = owner(&stm.exp);
        let mut lifted = Vec::new();
        self.depth += 1;
        let mark = self.bounds.mark();
        self.marks.push(mark);
        self.owners.push(owner);
        // Binders are bound before the bodies that see them.
        stm.for_each_part(&mut |part| {
            if let Part::Binder(var) = part {
                self.bind(*var, &[]);
            }
        });
        self.count(&stm.exp);
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => lifted.extend(self.body(body, owner)),
            PartMut::Lambda(lambda) => {
                lambda.params.iter().for_each(|param| self.bind(*param, &[]));
                lifted.extend(self.body(&mut lambda.body, owner));
            }
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
        self.bounds.forget(mark);
        self.marks.pop();
        self.owners.pop();
        self.depth -= 1;
        if let Exp::Control(ControlExp::If { cond: _, then, els }) = &mut stm.exp {
            let count = then.stms.len() + els.stms.len();
            if count <= SPECULATED
                && then.stms.iter().chain(&els.stms).all(|stm| is_less_than_a_branch(&stm.exp))
            {
                let to = self.depth;
                lifted.extend(then.stms.drain(..).chain(els.stms.drain(..)).map(|stm| Lifted { stm, to }));
            }
        }
        lifted
    }

    /// Whether the statement can stand in front of the owner of the body at this depth, which is the one that we are in, or around it.
    fn may_leave(&mut self, stm: &Stm, border: u32, checks_may: bool) -> bool {
        let mut outside = stm.certs.iter().all(|cert| self.is_outside(*cert, border));
        for var in &stm.vars {
            self.vars[var.0 as usize].ty.for_each_var(&mut |var| {
                // A size that the statement itself binds goes with it.
                outside &= stm.vars.contains(&var) || self.is_outside(var, border);
            });
        }
        if !outside || !self.uses_only_outside(&stm.exp, border) {
            return false;
        }
        if let Exp::Control(ControlExp::Check(_)) = stm.exp {
            return checks_may;
        }
        self.bounds.see_until(Some(self.marks[border as usize]));
        let total = self.is_total(&stm.exp, &stm.certs);
        self.bounds.see_until(None);
        total && stm.vars.iter().all(|var| !self.is_written(*var))
    }

    fn is_outside(&self, var: Var, border: u32) -> bool {
        self.level[var.0 as usize] < border
    }

    fn is_written(&mut self, var: Var) -> bool {
        self.vars[var.0 as usize].ty.prim().is_none() && self.memory.is_taken(var)
    }

    /// Nothing that is bound in the body at this depth or between it and the expression, apart from what the expression binds inside itself.
    fn uses_only_outside(&self, exp: &Exp, border: u32) -> bool {
        let mut outside = true;
        exp.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => outside &= self.is_outside_or_inner(*var, border),
            Part::Atom(Atom::Const(_)) => {}
            Part::Binder(var) => outside &= self.type_is_outside(*var, border),
            Part::Body(body) => outside = outside && self.body_uses_only_outside(body, border),
            Part::Lambda(lambda) => {
                outside &= lambda.params.iter().all(|param| self.type_is_outside(*param, border));
                outside = outside && self.body_uses_only_outside(&lambda.body, border);
            }
        });
        outside
    }

    fn body_uses_only_outside(&self, body: &Body, border: u32) -> bool {
        body.stms.iter().all(|stm| {
            stm.certs.iter().all(|cert| self.is_outside_or_inner(*cert, border))
                && stm.vars.iter().all(|var| self.type_is_outside(*var, border))
                && self.uses_only_outside(&stm.exp, border)
        }) && body
            .result
            .iter()
            .all(|atom| atom.var().is_none_or(|var| self.is_outside_or_inner(var, border)))
    }

    /// What is deeper than the body that we are in is bound by the expression itself.
    fn is_outside_or_inner(&self, var: Var, border: u32) -> bool {
        let level = self.level[var.0 as usize];
        level < border || level > self.depth
    }

    fn type_is_outside(&self, var: Var, border: u32) -> bool {
        let mut outside = true;
        self.vars[var.0 as usize]
            .ty
            .for_each_var(&mut |var| outside &= self.is_outside_or_inner(var, border));
        outside
    }

    /// Whether its work and memory are linear in the size of arrays that exist anyway, so that it may run although nobody needs it.
    fn costs_little(&self, exp: &Exp) -> bool {
        let is_there = |count: Atom| match count {
            Atom::Const(Scalar::I64(count)) => count <= FEW,
            Atom::Const(_) => false,
            Atom::Var(var) => self.is_size[var.0 as usize],
        };
        match exp {
            Exp::Scalar(_)
            | Exp::Control(ControlExp::Const(_))
            | Exp::Array(ArrayExp::Lengths(_) | ArrayExp::Ends(_) | ArrayExp::ArrayLit(_)) => true,
            Exp::Array(
                ArrayExp::Concat { .. }
                | ArrayExp::Rearrange { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::JoinRows(_),
            ) => true,
            Exp::Array(ArrayExp::Index { .. }) => true,
            Exp::Array(ArrayExp::Range { count, .. }) => is_there(*count),
            Exp::Array(ArrayExp::Replicate { count, value }) => is_there(*count) && self.is_scalar(*value),
            Exp::Op(op) => {
                op.is_sweep() && (has_inputs(exp) || is_there(op.width())) && self.bodies_are_scalar(exp)
            }
            Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. }) => self.bodies_are_scalar(exp),
            Exp::Control(ControlExp::Loop { .. } | ControlExp::Call { .. } | ControlExp::Check(_))
            | Exp::Array(
                ArrayExp::Update { .. }
                | ArrayExp::Reshape { .. }
                | ArrayExp::Coerce { .. }
                | ArrayExp::FlatIndex { .. }
                | ArrayExp::FlatUpdate { .. }
                | ArrayExp::Segment { .. }
                | ArrayExp::AccWrite { .. },
            )
            | Exp::Cell(_) => false,
        }
    }

    fn is_scalar(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| self.vars[var.0 as usize].ty.is_scalar())
    }

    /// Nothing but scalars is computed inside, without loops and operators.
    fn bodies_are_scalar(&self, exp: &Exp) -> bool {
        let stm_is_scalar = |stm: &Stm| {
            let plain = matches!(
                stm.exp,
                Exp::Scalar(
                    ScalarExp::Atom(_)
                        | ScalarExp::Un(..)
                        | ScalarExp::Bin(..)
                        | ScalarExp::Tri(..)
                        | ScalarExp::Convert { .. }
                ) | Exp::Array(ArrayExp::Index { .. })
                    | Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. })
            );
            plain
                && self.bodies_are_scalar(&stm.exp)
                && stm.vars.iter().all(|var| self.vars[var.0 as usize].ty.is_scalar())
        };
        let body_is_scalar = |body: &Body| {
            body.stms.iter().all(stm_is_scalar) && body.result.iter().all(|atom| self.is_scalar(*atom))
        };
        let mut scalar = true;
        exp.for_each_part(&mut |part| match part {
            Part::Body(body) => scalar = scalar && body_is_scalar(body),
            Part::Lambda(lambda) => scalar = scalar && body_is_scalar(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        scalar
    }

    /// It yields a value wherever its operands are there and the checks have passed.
    fn is_total(&self, exp: &Exp, certs: &[Var]) -> bool {
        match exp {
            Exp::Scalar(_) => true,
            Exp::Array(
                ArrayExp::ArrayLit(_)
                | ArrayExp::Concat { .. }
                | ArrayExp::Rearrange { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::Lengths(_)
                | ArrayExp::Ends(_)
                | ArrayExp::JoinRows(_),
            ) => true,
            Exp::Array(ArrayExp::Range { count, .. } | ArrayExp::Replicate { count, value: _ }) => {
                self.is_size(*count, certs)
            }
            Exp::Array(ArrayExp::Index { array, slice }) => {
                let dims = self.vars[array.0 as usize].ty.dims();
                slice
                    .iter()
                    .zip(dims)
                    .all(|(part, dim)| self.is_checked(part, certs) || self.is_inside(part, *dim))
            }
            // That the sizes fit is checked, and not only known of what surrounds it.
            Exp::Array(ArrayExp::Reshape { .. }) => !certs.is_empty(),
            Exp::Array(ArrayExp::Coerce { .. } | ArrayExp::FlatIndex { .. } | ArrayExp::Segment { .. }) => {
                false
            }
            Exp::Control(ControlExp::Const(_)) => !self.effects.fails_itself(exp),
            Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. }) => self.bodies_are_total(exp),
            Exp::Op(op) => {
                let is_there = has_inputs(exp) || self.is_size(op.width(), certs);
                op.is_sweep() && is_there && self.bodies_are_total(exp)
            }
            Exp::Control(ControlExp::Loop { .. } | ControlExp::Call { .. } | ControlExp::Check(_))
            | Exp::Array(ArrayExp::Update { .. } | ArrayExp::FlatUpdate { .. } | ArrayExp::AccWrite { .. })
            | Exp::Cell(_) => false,
        }
    }

    fn bodies_are_total(&self, exp: &Exp) -> bool {
        let mut total = true;
        let body_is_total = |body: &Body| body.stms.iter().all(|stm| self.is_total(&stm.exp, &stm.certs));
        exp.for_each_part(&mut |part| match part {
            Part::Body(body) => total = total && body_is_total(body),
            Part::Lambda(lambda) => total = total && body_is_total(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        total
    }

    /// Known not to be negative where the statement would go.
    fn is_size(&self, atom: Atom, certs: &[Var]) -> bool {
        self.bounds.not_negative(atom).is_some_and(|others| others.is_empty())
            || self.is_certified(certs, |check| *check == Check::NonNegative(atom))
    }

    /// Known to lie within the dimension where the statement would go.
    fn is_inside(&self, part: &DimIndex, dim: Dim) -> bool {
        let Some(length) = dim.atom() else { return false };
        let proof = match part {
            DimIndex::Fix(index) => self.bounds.is_index(*index, length),
            DimIndex::Slice { start, count, stride } => self.bounds.is_slice(*start, *count, *stride, length),
        };
        proof.is_some_and(|others| others.is_empty())
    }

    /// Whether a check among these ensures that the part lies within the array.
    fn is_checked(&self, part: &DimIndex, certs: &[Var]) -> bool {
        self.is_certified(certs, |check| match (part, check) {
            (DimIndex::Fix(i), Check::Index { index, length: _ }) => i == index,
            (
                DimIndex::Slice { start: s, count: c, stride: t },
                Check::Slice { start, count, stride, length: _ },
            ) => (s, c, t) == (start, count, stride),
            _ => false,
        })
    }

    fn is_certified(&self, certs: &[Var], what: impl Fn(&Check) -> bool) -> bool {
        certs.iter().any(|cert| self.checks[cert.0 as usize].as_ref().is_some_and(&what))
    }
}

fn has_inputs(exp: &Exp) -> bool {
    match exp {
        Exp::Op(Operator::Reduce { inputs, .. } | Operator::Scan { inputs, .. }) => !inputs.is_empty(),
        _ => applied(exp).is_some_and(|applied| !applied.inputs.is_empty()),
    }
}

fn owner(exp: &Exp) -> Owner {
    let positive = |count: &Atom| match count {
        Atom::Const(Scalar::I8(n)) => *n > 0,
        Atom::Const(Scalar::I16(n)) => *n > 0,
        Atom::Const(Scalar::I32(n)) => *n > 0,
        Atom::Const(Scalar::I64(n)) => *n > 0,
        Atom::Const(scalar) => scalar.prim().is_int() && scalar.bits() > 0,
        Atom::Var(_) => false,
    };
    match exp {
        Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. }) => Owner::Branch,
        Exp::Control(ControlExp::Loop { form: LoopForm::For(_, bound), .. }) if positive(bound) => {
            Owner::Certain
        }
        Exp::Op(Operator::Map { width, .. }) if positive(width) => Owner::Certain,
        _ => Owner::Repeated,
    }
}

/// Not worth a branch.
fn is_less_than_a_branch(exp: &Exp) -> bool {
    match exp {
        Exp::Scalar(ScalarExp::Atom(_) | ScalarExp::Convert { .. }) => true,
        Exp::Scalar(ScalarExp::Un(op, ..)) => {
            matches!(op, UnOp::Neg | UnOp::Not | UnOp::Abs | UnOp::IsNan | UnOp::IsInf)
        }
        Exp::Scalar(ScalarExp::Bin(op, ..)) => matches!(
            op,
            BinOp::Add
                | BinOp::Sub
                | BinOp::Mul
                | BinOp::And
                | BinOp::Or
                | BinOp::Xor
                | BinOp::Shl
                | BinOp::Ashr
                | BinOp::Lshr
                | BinOp::Min
                | BinOp::Max
                | BinOp::Eq
                | BinOp::Lt
                | BinOp::Le
        ),
        _ => false,
    }
}
