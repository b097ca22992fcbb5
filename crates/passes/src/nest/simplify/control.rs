//! Simplifies branches and loops.
//!
//! - A branch or switch whose choice is known becomes the chosen body (`splice`); results that are equal in all branches leave it.
//! - A branch between two slices of one array becomes a branch between their offsets (`chosen_views`), so that no copy is made.
//! - Branches between `true` and `false` become `and`, `or`, `not` (`truth`).
//! - Loop parameters that never change become the initial value; a loop that runs at most once becomes its body.
//!
//! ```text
//! let x: bool = if c { true } else { y }      ==>      let x: bool = or c y
//! ```
//!
//! For a processor, short branches are computed in front of the choice (`speculate`), and elements that only one branch updates are written anyway (`updated_anyway`).
//!
//! Refuses to move what may fail or show something out of a branch: a result leaves only if it is bound outside.

use super::{Outcome, Simplifier, counter};
use crate::nest::bounds::{Certs, yields_facts};
use crate::nest::effects::AWAITED;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, DimIndex, Exp, LoopForm, Param, Prim, Scalar, ScalarExp, Stm,
    Type, UnOp, Var,
};

/// So many statements of both branches together run whatever the choice is.
const MOST_SPECULATED: usize = 6;

impl Simplifier<'_> {
    pub(super) fn control(&mut self, stm: Stm) -> Outcome {
        let Stm { vars, certs, grid: _, exp, attrs, span } = stm;
        match exp {
            Exp::Control(ControlExp::If { cond: Atom::Const(cond), then, els }) => {
                let body = if cond == Scalar::Bool(true) { then } else { els };
                self.splice(&vars, &certs, body)
            }
            Exp::Control(ControlExp::Switch { scrutinee: Atom::Const(c), cases, default }) => {
                let chosen =
                    cases.into_iter().find(|(case, _)| Scalar::from_int(c.prim(), (*case).into()) == c);
                self.splice(&vars, &certs, chosen.map_or(default, |(_, body)| body))
            }
            Exp::Control(ControlExp::If { cond, mut then, mut els }) => {
                let (mut vars, clock) = (vars, self.clock);
                self.branch(&mut then, cond, true);
                self.branch(&mut els, cond, false);
                let mut after = self.updated_anyway(&mut vars, &certs, [&mut then, &mut els], clock);
                self.speculate(&vars, [&mut then, &mut els], clock);
                let bodies = [&then, &els];
                let mut left = self.equal_results(&vars, &bodies, clock);
                left.retain(|i| {
                    !self.truth(cond, vars[*i], then.result[*i], els.result[*i], clock, &certs, span)
                });
                let is_empty = left.is_empty() && then.stms.is_empty() && els.stms.is_empty();
                if is_empty && after.is_empty() {
                    return Outcome::Gone;
                }
                let mut kept = Stm { certs, attrs, ..Stm::new(vars, Exp::if_(cond, then, els), span) };
                self.select(&mut kept, &left);
                after.extend(self.chosen_views(&mut kept, clock));
                if after.is_empty() {
                    return Outcome::Keep(kept);
                }
                self.changed = true;
                if !is_empty {
                    self.push(kept);
                }
                for mut stm in after {
                    self.subst.operands_of(&mut stm);
                    self.emit_simplified(stm);
                }
                Outcome::Gone
            }
            Exp::Control(ControlExp::Switch { scrutinee, mut cases, mut default }) => {
                let clock = self.clock;
                cases.iter_mut().for_each(|(_, body)| self.body(body));
                self.body(&mut default);
                let mut bodies: Vec<&Body> = cases.iter().map(|(_, body)| body).collect();
                bodies.push(&default);
                let left = self.equal_results(&vars, &bodies, clock);
                let empty = bodies.iter().all(|body| body.stms.is_empty());
                if left.is_empty() && empty {
                    return Outcome::Gone;
                }
                let exp = Exp::Control(ControlExp::Switch { scrutinee, cases, default });
                let mut kept = Stm { certs, attrs, ..Stm::new(vars, exp, span) };
                self.select(&mut kept, &left);
                Outcome::Keep(kept)
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                self.loop_(vars, certs, (params, form, body), attrs, span)
            }
            exp => Outcome::Keep(Stm { certs, attrs, ..Stm::new(vars, exp, span) }),
        }
    }

    fn branch(&mut self, body: &mut Body, cond: Atom, holds: bool) {
        self.in_scope(|walk| {
            walk.bounds.assume(cond, holds);
            walk.block(body);
        });
    }

    /// If-conversion: what short branches compute stands in front of them, if it can run whatever the choice is. An unpredictable jump takes longer than a few operations.
    fn speculate(&mut self, vars: &[Var], branches: [&mut Body; 2], clock: u32) {
        let statements: usize = branches.iter().map(|body| body.stms.len()).sum();
        let is_number = |var: &Var| self.ty(*var).prim().is_some();
        if !self.speculates || !(1..=MOST_SPECULATED).contains(&statements) || !vars.iter().all(is_number) {
            return;
        }
        let mark = self.bounds.mark();
        let stms = branches.iter().flat_map(|body| &body.stms);
        let relied: Option<Vec<Certs>> = stms.map(|stm| self.runs_anyway(stm, clock)).collect();
        self.bounds.forget(mark);
        let Some(relied) = relied else { return };
        let stms = branches.into_iter().flat_map(|body| std::mem::take(&mut body.stms));
        let stms: Vec<Stm> = stms.collect();
        for (mut stm, certs) in stms.into_iter().zip(relied) {
            stm.certs.extend(certs);
            self.push(stm);
        }
        self.changed = true;
    }

    /// Of a branch that updates elements which were read before it, or leaves them: which value they get. Yields the updates, which come after it.
    ///
    /// ```text
    /// let old: i32 = index a [i]                         let old: i32 = index a [i]
    /// let b: [n]i32 = if c {                             let x: i32 = if c { in new } else { in old }
    ///   let d: [n]i32 = update a [i] new          ==>    let b: [n]i32 = update a [i] x
    ///   in d
    /// } else { in a }
    /// ```
    fn updated_anyway(
        &mut self,
        vars: &mut [Var],
        certs: &[Var],
        [then, els]: [&mut Body; 2],
        clock: u32,
    ) -> Vec<Stm> {
        let (own, other) = match (then.stms.is_empty(), els.stms.is_empty()) {
            (false, true) => (then, els),
            (true, false) => (els, then),
            (_, _) => return Vec::new(),
        };
        if !self.speculates || own.stms.len() > MOST_SPECULATED {
            return Vec::new();
        }
        let (updates, others): (Vec<&Stm>, Vec<&Stm>) =
            own.stms.iter().partition(|stm| matches!(stm.exp, Exp::Array(ArrayExp::Update { .. })));
        let mark = self.bounds.mark();
        let are_cheap = others.into_iter().all(|stm| self.runs_anyway(stm, clock).is_some());
        self.bounds.forget(mark);
        let found: Option<Vec<(usize, Atom, Var, Stm)>> =
            updates.into_iter().map(|stm| self.updated_element(stm, own, other, clock)).collect();
        let Some(found) = found.filter(|found| are_cheap && !found.is_empty()) else { return Vec::new() };
        own.stms.retain(|stm| !matches!(stm.exp, Exp::Array(ArrayExp::Update { .. })));
        let mut after = Vec::with_capacity(found.len());
        for (at, value, old, mut update) in found {
            let ty = self.ty(old).clone();
            let chosen = self.new_var("x", ty);
            (own.result[at], other.result[at]) = (value, old.into());
            if let Exp::Array(ArrayExp::Update { value, .. }) = &mut update.exp {
                *value = chosen.into();
            }
            update.certs.extend(certs);
            update.vars = vec![std::mem::replace(&mut vars[at], chosen)];
            after.push(update);
        }
        self.changed = true;
        after
    }

    /// Which result of a branch an update is, its value, and what was read before where it writes.
    fn updated_element(
        &self,
        stm: &Stm,
        own: &Body,
        other: &Body,
        clock: u32,
    ) -> Option<(usize, Atom, Var, Stm)> {
        let Exp::Array(ArrayExp::Update { array, slice, value }) = &stm.exp else { return None };
        let at = own.result.iter().position(|result| *result == stm.vars[0].into())?;
        let is_certain = stm.certs.iter().all(|cert| self.is_older((*cert).into(), clock));
        let read = self.out.iter().rev().find_map(|before| match &before.exp {
            Exp::Array(ArrayExp::Index { array: from, slice: there }) if from == array && there == slice => {
                before.vars.last().copied()
            }
            _ => None,
        })?;
        let is_number = self.ty(read).prim().is_some() && self.is_older(read.into(), clock);
        (is_certain && is_number && other.result[at] == (*array).into())
            .then(|| (at, *value, read, stm.clone()))
    }

    /// Whether a statement of a branch is cheap and cannot fail outside of it, and what that relies on.
    fn runs_anyway(&mut self, stm: &Stm, clock: u32) -> Option<Certs> {
        let [var] = stm.vars[..] else { return None };
        if stm.is_opaque() || !stm.certs.iter().all(|cert| self.is_older((*cert).into(), clock)) {
            return None;
        }
        match &stm.exp {
            Exp::Scalar(exp) if is_cheap(exp) => {
                if yields_facts(&stm.exp) {
                    self.bounds.define(var, &stm.exp);
                }
                Some(Certs::new())
            }
            Exp::Array(ArrayExp::Index { array, slice }) if self.is_older((*array).into(), clock) => {
                let dims = self.ty(*array).dims();
                if dims.len() != slice.len() {
                    return None;
                }
                let mut certs = Certs::new();
                for (dim, part) in dims.iter().zip(slice) {
                    let DimIndex::Fix(index) = part else { return None };
                    certs.extend(self.bounds.is_index(*index, self.subst.atom(dim.atom()?))?);
                }
                Some(certs)
            }
            _ => None,
        }
    }

    /// The statements of a body in place of the statement that owns it.
    pub(super) fn splice(&mut self, vars: &[Var], certs: &[Var], mut body: Body) -> Outcome {
        self.changed = true;
        for stm in &mut body.stms {
            if !matches!(stm.exp, Exp::Control(ControlExp::Check(_))) {
                stm.certs.extend(certs);
            }
        }
        self.stms(body.stms);
        for (var, result) in vars.iter().zip(body.result) {
            let result = self.subst.atom(result);
            self.replace(*var, result);
        }
        Outcome::Gone
    }

    /// Replace results that are one and the same in all branches. Yields the positions of the others.
    fn equal_results(&mut self, vars: &[Var], bodies: &[&Body], clock: u32) -> Vec<usize> {
        let mut left = Vec::new();
        for (i, var) in vars.iter().enumerate() {
            let first = bodies[0].result[i];
            if bodies.iter().all(|body| body.result[i] == first) && self.is_older(first, clock) {
                self.replace(*var, first);
            } else {
                left.push(i);
            }
        }
        left
    }

    /// Of a branch between parts of one array, the branch chooses where the part is: what reads it need not wait for a copy. Yields the
    /// statements that come after the branch.
    fn chosen_views(&mut self, stm: &mut Stm, clock: u32) -> Vec<Stm> {
        let Exp::Control(ControlExp::If { then, els, .. }) = &mut stm.exp else { return Vec::new() };
        let (mut views, mut at) = (Vec::new(), 0);
        while at < stm.vars.len() {
            let parts = part_of(then, then.result[at]).zip(part_of(els, els.result[at]));
            let parts = parts.filter(|((array, _), (other, _))| {
                array == other && self.ty(stm.vars[at]).is_array() && self.is_older((*array).into(), clock)
            });
            let Some((array, places)) = parts.and_then(|((array, x), (_, y))| Some((array, places(&x, &y)?)))
            else {
                at += 1;
                continue;
            };
            let (var, _, _) = (stm.vars.remove(at), then.result.remove(at), els.result.remove(at));
            let slice = places.into_iter().map(|(index, chosen)| match chosen {
                None => index,
                Some((x, y)) => {
                    let place = self.new_var("at", Type::i64());
                    stm.vars.push(place);
                    then.result.push(x);
                    els.result.push(y);
                    with_start(index, place.into())
                }
            });
            let exp = Exp::index(array, slice.collect());
            views.push(Stm { certs: stm.certs.clone(), ..Stm::new(vec![var], exp, stm.span) });
        }
        views
    }

    /// `if c { true } else { x }` and its like are operations on `bool`. Whether the result was replaced.
    #[allow(clippy::too_many_arguments)]
    fn truth(
        &mut self,
        cond: Atom,
        var: Var,
        then: Atom,
        els: Atom,
        clock: u32,
        certs: &[Var],
        span: norn_base::Span,
    ) -> bool {
        if *self.ty(var) != Type::bool() || !self.is_older(then, clock) || !self.is_older(els, clock) {
            return false;
        }
        let (yes, no) = (Atom::bool(true), Atom::bool(false));
        let exp = match (then, els) {
            (t, e) if t == yes && e == no => Exp::atom(cond),
            (t, e) if t == no && e == yes => Exp::un(UnOp::Not, Prim::Bool, cond),
            (t, e) if t == yes => Exp::bin(BinOp::Or, Prim::Bool, cond, e),
            (t, e) if e == no => Exp::bin(BinOp::And, Prim::Bool, cond, t),
            _ => return false,
        };
        self.changed = true;
        let stm = Stm { certs: certs.to_vec(), ..Stm::new(vec![var], exp, span) };
        self.emit_simplified(stm);
        true
    }

    /// Keep only these results.
    fn select(&mut self, stm: &mut Stm, left: &[usize]) {
        if left.len() == stm.vars.len() {
            return;
        }
        let pick = |result: &mut Vec<Atom>| *result = left.iter().map(|i| result[*i]).collect();
        match &mut stm.exp {
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                pick(&mut then.result);
                pick(&mut els.result);
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                cases.iter_mut().for_each(|(_, body)| pick(&mut body.result));
                pick(&mut default.result);
            }
            _ => return,
        }
        stm.vars = left.iter().map(|i| stm.vars[*i]).collect();
    }

    fn loop_(
        &mut self,
        mut vars: Vec<Var>,
        certs: Vec<Var>,
        (mut params, mut form, mut body): (Vec<(Param, Atom)>, LoopForm, Body),
        mut attrs: Vec<String>,
        span: norn_base::Span,
    ) -> Outcome {
        let trips = counter(&form).and_then(|(_, bound)| bound.constant());
        if let Some(trips) = trips {
            let counts = |count: i128| trips == Scalar::from_int(trips.prim(), count);
            let is_negative = matches!(trips, Scalar::I8(x) if x < 0)
                || matches!(trips, Scalar::I16(x) if x < 0)
                || matches!(trips, Scalar::I32(x) if x < 0)
                || matches!(trips, Scalar::I64(x) if x < 0);
            if counts(0) || is_negative {
                vars.iter().zip(&params).for_each(|(var, (_, initial))| {
                    self.replace(*var, *initial);
                });
                return Outcome::Gone;
            }
            if counts(1) {
                if let Some((var, _)) = counter(&form) {
                    self.replace(var, Scalar::zero(trips.prim()).into());
                }
                params.iter().for_each(|(param, initial)| {
                    self.replace(param.var, *initial);
                });
                return self.splice(&vars, &certs, body);
            }
        }
        // What the body hands on unchanged is what it was at the start.
        let is_mentioned =
            |walk: &Self, var: Var| walk.mentioned.get(var.0 as usize).is_none_or(|known| *known);
        let mut known_before_the_end = false;
        let mut i = 0;
        while i < params.len() {
            let (param, initial) = &params[i];
            if body.result[i] == Atom::Var(param.var) || body.result[i] == *initial && !param.unique {
                self.replace(param.var, *initial);
                self.replace(vars[i], *initial);
                known_before_the_end |= is_mentioned(self, vars[i]);
                params.remove(i);
                vars.remove(i);
                body.result.remove(i);
            } else {
                i += 1;
            }
        }
        if let LoopForm::While(_) = form
            && known_before_the_end
            && !vars.iter().any(|var| is_mentioned(self, *var))
            && !attrs.iter().any(|attr| attr == AWAITED)
        {
            attrs.push(AWAITED.to_string());
        }
        let invariants = self.invariants(&params, &form, &body);
        self.in_owner(|walk| {
            walk.assume(&params, &invariants);
            for (param, _) in params.iter().filter(|(param, _)| param.unique) {
                walk.known_mut(param.var).own_of = Some(walk.owner);
            }
            let inside: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
            walk.bind_all(&inside, &[]);
            match &mut form {
                LoopForm::For(var, bound) => {
                    walk.bind_all(&[*var], &[]);
                    walk.bounds.count(*var, *bound);
                }
                LoopForm::While(cond) => {
                    walk.body(cond);
                    walk.bounds.assume_unchecked(cond.result[0], true);
                }
            }
            walk.block(&mut body);
        });
        Outcome::Keep(Stm {
            certs,
            attrs,
            ..Stm::new(vars, Exp::Control(ControlExp::Loop { params, form, body }), span)
        })
    }
}

/// Operations that take a cycle or a few, and yield something whatever their operands are.
fn is_cheap(exp: &ScalarExp) -> bool {
    match exp {
        ScalarExp::Un(op, prim, _) => *prim != Prim::F16 && matches!(op, UnOp::Neg | UnOp::Not | UnOp::Abs),
        ScalarExp::Bin(op, prim, ..) => {
            *prim != Prim::F16
                && matches!(
                    op,
                    BinOp::Add
                        | BinOp::Sub
                        | BinOp::Mul
                        | BinOp::Min
                        | BinOp::Max
                        | BinOp::And
                        | BinOp::Or
                        | BinOp::Xor
                        | BinOp::Eq
                        | BinOp::Lt
                        | BinOp::Le
                )
        }
        ScalarExp::Convert { from, to, .. } => !from.is_float() && *to != Prim::F16,
        _ => false,
    }
}

/// The array of which a result of a branch is a part, and which.
fn part_of(branch: &Body, result: Atom) -> Option<(Var, Vec<DimIndex>)> {
    let var = result.var()?;
    let stm = branch.stms.iter().find(|stm| stm.vars[..] == [var])?;
    match &stm.exp {
        Exp::Array(ArrayExp::Index { array, slice }) => Some((*array, slice.clone())),
        _ => None,
    }
}

/// Where two parts begin, if that is not the same.
type Starts = Option<(Atom, Atom)>;

/// Two parts of an array that differ in where they are, dimension by dimension: the one, and where both begin if that is not the same.
fn places(x: &[DimIndex], y: &[DimIndex]) -> Option<Vec<(DimIndex, Starts)>> {
    let place = |(x, y): (&DimIndex, &DimIndex)| match (x, y) {
        (DimIndex::Fix(a), DimIndex::Fix(b)) => Some((x.clone(), (a != b).then_some((*a, *b)))),
        (
            DimIndex::Slice { start: a, count, stride },
            DimIndex::Slice { start: b, count: other_count, stride: other_stride },
        ) if count == other_count && stride == other_stride => {
            Some((x.clone(), (a != b).then_some((*a, *b))))
        }
        (DimIndex::Fix(_) | DimIndex::Slice { .. }, _) => None,
    };
    if x.len() == y.len() { x.iter().zip(y).map(place).collect() } else { None }
}

fn with_start(index: DimIndex, start: Atom) -> DimIndex {
    match index {
        DimIndex::Fix(_) => DimIndex::Fix(start),
        DimIndex::Slice { count, stride, .. } => DimIndex::Slice { start, count, stride },
    }
}
