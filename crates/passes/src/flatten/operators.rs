//! Distributes one operator, in a nest or at the top: it stays as it is, or is taken apart so that the parallelism inside it is used as well.
//!
//! - A `map` becomes a level of the nest, and its body is distributed (rule G2).
//! - Any other operator whose lambda holds parallelism becomes a `map` with the lambda, and the operator of what that yields.
//! - What reduces rows by an operator that works on each element is a reduction of columns: loop interchange (rule G5, in `columns`).
//!
//! ```text
//! reduce n (xss, ys) op with a lambda that sums each row     ==>     let ss = map n (xss) \xs { sum xs }  let r = reduce n (ss, ys) op
//! ```
//!
//! It decides between these by what is worth it (`worth`); versions of an operator are chosen in `versions`. It leaves alone what no rule takes apart:
//! operators whose width varies in a way that no nest can have stay sequential in the thread.

use super::Distributor;
use super::body::{MOST_AGAIN, Rest, Strategy};
use super::context::{Context, Group, Home, Level, Stored};
use super::kernel::{Core, Demand};
use crate::nest::inputs::{applied, param_groups};
use crate::nest::mentions::bound_inside;
use norn_ir::nest::{Applied, Atom, Body, ControlExp, Dim, Exp, Lambda, Operator, Reduction, Stm, Type, Var};
use std::rc::Rc;

impl Distributor<'_, '_> {
    /// Whether it found a way.
    pub fn operator(
        &mut self,
        cx: &mut Context,
        at: u32,
        stm: &Stm,
        rest: &Rest,
        waiting: &mut Core,
    ) -> bool {
        if let Some(list) = self
            .by_columns(cx, stm)
            .or_else(|| self.with_nothing(stm, &|atom| cx.is_outside(atom)))
            .or_else(|| self.as_words(stm))
        {
            self.list(cx, &list, rest, waiting);
            return true;
        }
        if let Some(list) = (cx.depth() == 0).then(|| self.rows_combined(stm)).flatten() {
            list.into_iter().for_each(|stm| self.host_statement(stm));
            return true;
        }
        if let Some(list) = (cx.depth() > 0).then(|| self.unmixed(stm)).flatten() {
            self.list(cx, &list, rest, waiting);
            return true;
        }
        let inside =
            self.worth.inside(stm) || self.reduces_rows(cx, stm) || self.updated_rows(cx, stm).is_some();
        if self.can_write(cx, stm) {
            if self.worth.inside(stm)
                && let Some(list) = self.map_first(stm)
            {
                self.list(cx, &list, rest, waiting);
                return true;
            }
            if !self.worth.inside(stm) && self.write(cx, at, stm, rest, waiting) {
                return true;
            }
        }
        if self.is_perfect(cx, stm) || !inside && cx.depth() == 0 {
            // A nest of its own, whoever it was part of.
            self.taken_out += usize::from(cx.depth() == 0 && self.worth.inside(stm));
            self.alone(cx, at, stm);
            return true;
        }
        if !inside {
            return self.ragged_operator(cx, at, stm);
        }
        if self.ends_in_chosen_elements(cx, stm) && self.split(cx, at, stm) {
            return true;
        }
        // A map has a version with groups of threads, which need no launches in loops.
        if self.loops_inside(stm)
            && let Some(list) = self.map_first(stm)
        {
            self.list(cx, &list, rest, waiting);
            return true;
        }
        self.versions(cx, at, stm)
    }

    /// Whether there is parallelism in loops of elements, in an operator that is no map.
    fn loops_inside(&self, stm: &Stm) -> bool {
        let is_loop =
            |stm: &Stm| matches!(stm.exp, Exp::Control(ControlExp::Loop { .. })) && self.worth.in_stm(stm);
        match &stm.exp {
            Exp::Op(Operator::Map { .. }) => false,
            Exp::Op(op) => op.lambda().is_some_and(|lambda| lambda.body.stms.iter().any(is_loop)),
            _ => false,
        }
    }

    /// What combines rows outside of all maps, in a way that a device has kernels for.
    fn rows_combined(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        match &stm.exp {
            Exp::Op(Operator::Reduce { .. }) => self.selected(stm).or_else(|| self.by_pairs(stm)),
            Exp::Op(Operator::Scan { .. }) => self.by_sweeps(stm),
            Exp::Op(Operator::Fused { scans, reductions, .. })
                if scans.iter().chain(reductions).any(|op| self.combines_rows(op)) =>
            {
                self.map_first(stm).or_else(|| self.each_alone(stm))
            }
            _ => None,
        }
    }

    /// Whether a nest around it can run it in parallel as it is: its index space is regular, or that of an irregular
    /// array, and what is inside it is one perfect nest or holds nothing worth it.
    pub fn is_perfect(&self, cx: &Context, stm: &Stm) -> bool {
        let Some(operator) = stm.exp.op() else { return false };
        let is_plain =
            !self.reduces_rows(cx, stm) && !self.has_varying_neutral(cx, stm) && !self.can_write(cx, stm);
        let is_plain = is_plain && (cx.depth() == 0 || !self.is_mixed(stm));
        if !self.is_described(cx, stm, operator.width()) || !is_plain {
            return false;
        }
        if !self.worth.inside(stm) {
            return self.updated_rows(cx, stm).is_none();
        }
        self.ends_in(cx, stm, &|cx, stm, kind| kind == Strategy::Operator && self.is_perfect(cx, stm))
    }

    /// Whether it is a map that does what is cheap and then one thing that holds, of which it yields the results.
    pub fn ends_in(&self, cx: &Context, stm: &Stm, holds: &dyn Fn(&Context, &Stm, Strategy) -> bool) -> bool {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return false };
        let mut cx = cx.clone();
        cx.push(self.level(*width, inputs, lambda));
        let mut last: Option<&Stm> = None;
        let is_stored = |stm: &&Stm| stm.vars.iter().all(|var| self.may_be_stored(*var));
        if lambda.body.stms.iter().filter(is_stored).count() > MOST_AGAIN {
            return false;
        }
        for stm in &lambda.body.stms {
            match self.strategy(&cx, stm) {
                _ if last.is_some() => return false,
                Strategy::Again(cost) => {
                    let home = Home::Again { level: cx.depth(), at: 0, stm: Rc::new(stm.clone()), cost };
                    stm.vars.iter().for_each(|var| cx.set(*var, home.clone()));
                }
                kind if holds(&cx, stm, kind) => last = Some(stm),
                _ => return false,
            }
        }
        let yields =
            |atom: &Atom| last.is_some_and(|last| atom.var().is_some_and(|var| last.vars.contains(&var)));
        lambda.body.result.iter().all(yields)
    }

    /// Whether the width is the same everywhere, or the length of rows of an irregular array at the innermost level.
    pub fn is_described(&self, cx: &Context, stm: &Stm, width: Atom) -> bool {
        let Some(width) = width.var().filter(|_| !cx.is_outside(width)) else { return true };
        match cx.home(width) {
            Some(Home::Param { level, group }) if cx.levels[level - 1].groups[*group].params.len() == 2 => {
                return *level == cx.depth();
            }
            Some(Home::Param { .. } | Home::Stored(_) | Home::Again { .. } | Home::Waiting | Home::Check)
            | None => {}
        }
        // Then it is the length of what is stored in such an array, if such a thing is among the inputs.
        let inputs = stm.exp.op().map_or(&[][..], |operator| operator.inputs());
        inputs.iter().any(|input| {
            let first = self.names.ty(*input).dims().first().and_then(|dim| dim.atom());
            let by_itself = match cx.home(width) {
                Some(Home::Param { level, .. }) | Some(Home::Stored(Stored { level, .. })) => {
                    *level == cx.depth()
                }
                Some(Home::Again { level, stm, .. }) => *level == cx.depth() && stm.vars == [width],
                Some(Home::Waiting | Home::Check) | None => false,
            };
            let stored = matches!(cx.home(*input), Some(Home::Stored(stored)) if stored.level == cx.depth());
            stored && by_itself && first == Some(width.into())
        })
    }

    pub fn level(&self, width: Atom, inputs: &[Var], lambda: &Lambda) -> Level {
        let groups = param_groups(&self.names.vars, inputs, &lambda.params);
        let group = |(input, params): (&Var, &[Var])| Group { input: *input, params: params.to_vec() };
        Level { width, groups: inputs.iter().zip(groups).map(group).collect() }
    }

    /// The statement taken apart. Whether it found a way.
    pub fn split(&mut self, cx: &mut Context, at: u32, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else {
            let Some(list) = self.map_first(stm) else { return false };
            let rest = Rest { stms: &[], result: &[], after: None };
            let mut waiting = Core::new();
            self.list(cx, &list, &rest, &mut waiting);
            return waiting.is_empty();
        };
        let mut level = self.level(*width, inputs, lambda);
        if !self.is_described(cx, stm, *width) && !self.describe(cx, &mut level, stm) {
            return false;
        }
        cx.push(level);
        let since = self.tick();
        let waiting = self.body(cx, &lambda.body);
        let demands = lambda.body.result.iter().zip(&stm.vars);
        let demands: Vec<Demand> = demands
            .map(|(value, var)| {
                let ty = self.whole(cx, self.names.ty(*var));
                Demand { value: *value, name: self.names.name(*var), ty }
            })
            .collect();
        let arrays = self.results(cx, waiting, demands, since);
        cx.pop();
        for (var, (array, fresh)) in stm.vars.iter().zip(arrays) {
            if cx.depth() == 0 {
                let array = self.fresh_copy(array, fresh);
                self.subst.set(*var, array);
            } else {
                cx.set(*var, Home::Stored(Stored { level: cx.depth(), array, fresh, at }));
            }
        }
        true
    }

    /// The type of the array of all values of a variable that a map binds which is the innermost level.
    fn whole(&self, cx: &Context, ty: &Type) -> Type {
        let mut outer = cx.clone();
        outer.pop();
        outer.all(ty)
    }

    /// The array, or a copy if others have its memory.
    pub fn fresh_copy(&mut self, array: Var, fresh: bool) -> Var {
        if fresh {
            return array;
        }
        let copy = self.names.fresh(&self.names.name(array), self.names.ty(array).clone());
        self.out.push(self.stm(vec![copy], Exp::copy(array), self.span));
        copy
    }

    /// Statements that take the place of another.
    pub fn list(&mut self, cx: &mut Context, list: &[Stm], rest: &Rest, waiting: &mut Core) {
        for number in 0..list.len() {
            if cx.depth() == 0 {
                self.host_statement(list[number].clone());
                continue;
            }
            let rest = Rest { stms: &list[number..], result: &[], after: Some(rest) };
            self.statement(cx, &list[number], &rest, waiting);
        }
    }

    /// A `map` with the lambda of an operator, and the operator of what that yields.
    pub fn map_first(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Applied { width, inputs, lambda, skipped: 0 } = applied(&stm.exp)? else { return None };
        let bound = bound_inside(stm);
        let folded = match &stm.exp {
            Exp::Op(Operator::Fused { scans, reductions, .. }) => {
                let ops: Vec<&Reduction> = scans.iter().chain(reductions).collect();
                if ops.iter().any(|op| has_varying_columns(&self.names.vars, op)) {
                    return None;
                }
                ops.iter().map(|op| op.neutral.len()).sum()
            }
            Exp::Op(Operator::Hist { op, .. }) if has_varying_columns(&self.names.vars, op) => return None,
            _ => usize::MAX,
        };
        let groups = param_groups(&self.names.vars, inputs, &lambda.params);
        let groups: Vec<(Var, Vec<Var>)> =
            inputs.iter().copied().zip(groups.iter().map(|g| g.to_vec())).collect();

        // Of what the lambda yields: the arrays that these are rows of.
        let mut columns: Vec<(usize, Column)> = Vec::new();
        let mut mapped: Vec<(Var, Atom)> = Vec::new();
        let mut kept: Vec<bool> = vec![true; stm.vars.len()];
        // First what is only kept: it may be what is combined, too.
        let results = lambda.body.result.iter().enumerate();
        let (combined, only_kept): (Vec<_>, Vec<_>) = results.partition(|(number, _)| *number < folded);
        for (number, result) in only_kept.into_iter().chain(combined) {
            let input =
                groups.iter().find(|(_, params)| params.last().map(|p| Atom::Var(*p)) == Some(*result));
            let before = mapped.iter().find(|(_, atom)| atom == result);
            let column = match (result.var().filter(|var| bound.contains(var)), input, before) {
                (None, ..) => Column::Same(*result),
                (Some(_), Some((input, _)), _) => Column::Rows(*input),
                (Some(_), None, Some((array, _))) => Column::Rows(*array),
                (Some(var), None, None) => {
                    // What a fused operator only keeps, the map yields.
                    let place = number
                        .checked_sub(folded)
                        .map(|after| stm.vars.len() - (lambda.body.result.len() - folded) + after);
                    let array = match place {
                        Some(place) => {
                            kept[place] = false;
                            stm.vars[place]
                        }
                        None => self.array_for(width, var, &bound),
                    };
                    mapped.push((array, *result));
                    if place.is_some() { Column::Gone } else { Column::Rows(array) }
                }
            };
            columns.push((number, column));
        }
        columns.sort_by_key(|(number, _)| *number);
        let columns: Vec<Column> = columns.into_iter().map(|(_, column)| column).collect();
        if mapped.is_empty() {
            return None;
        }
        let (vars, result): (Vec<Var>, Vec<Atom>) = mapped.into_iter().unzip();
        let body = Body { stms: lambda.body.stms.clone(), result };
        let map = Exp::map(width, inputs.clone(), Lambda::new(lambda.params.clone(), body));
        let map = Stm { vars, exp: map, ..stm.clone() };
        let vars: Vec<Var> =
            stm.vars.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(var, _)| *var).collect();
        if vars.is_empty() {
            return Some(vec![map]);
        }
        let (inputs, lambda) = self.rows_of(&columns);
        let exp = self.with_lambda(&stm.exp, inputs, lambda);
        Some(vec![map, Stm { vars, exp, ..stm.clone() }])
    }

    /// A variable for the array of all values of this one, which the lambda of an operator binds.
    pub fn array_for(&mut self, width: Atom, var: Var, bound: &std::collections::HashSet<Var>) -> Var {
        let ty = self.names.ty(var).clone();
        let inside = |dim: &Dim| match dim {
            Dim::Size(Atom::Var(size)) if bound.contains(size) => Dim::Irregular,
            Dim::Size(_) | Dim::Irregular | Dim::Result(_) => *dim,
        };
        let ty = ty.with_dims(ty.dims().iter().map(inside).collect());
        let name = self.names.name(var);
        self.names.fresh(&name, ty.array_of(Dim::Size(width)))
    }

    /// Inputs, and a lambda that yields their elements.
    pub fn rows_of(&mut self, columns: &[Column]) -> (Vec<Var>, Lambda) {
        let mut inputs: Vec<(Var, Atom)> = Vec::new();
        let mut lambda = Lambda::new(Vec::new(), Body::default());
        for column in columns {
            let array = match column {
                Column::Same(atom) => {
                    lambda.body.result.push(*atom);
                    continue;
                }
                Column::Gone => continue,
                Column::Rows(array) => *array,
            };
            let row = match inputs.iter().find(|(input, _)| *input == array) {
                Some((_, row)) => *row,
                None => {
                    let params = self.names.row_params(array);
                    let row = params[params.len() - 1].into();
                    lambda.params.extend(params);
                    inputs.push((array, row));
                    row
                }
            };
            lambda.body.result.push(row);
        }
        (inputs.into_iter().map(|(input, _)| input).collect(), lambda)
    }

    /// The operator of other inputs. A `fused` one that only reduces or scans its inputs says so.
    pub fn with_lambda(&self, exp: &Exp, new: Vec<Var>, new_lambda: Lambda) -> Exp {
        let plain = new_lambda.params.iter().map(|param| Atom::Var(*param)).eq(new_lambda
            .body
            .result
            .iter()
            .copied());
        match exp {
            Exp::Op(Operator::Fused { width, scans, reductions, .. })
                if plain
                    && scans.is_empty()
                    && reductions.len() == 1
                    && reductions[0].neutral.len() == new.len() =>
            {
                Exp::reduce(*width, reductions[0].clone(), new)
            }
            Exp::Op(Operator::Fused { width, scans, reductions, .. })
                if plain
                    && reductions.is_empty()
                    && scans.len() == 1
                    && scans[0].neutral.len() == new.len() =>
            {
                Exp::scan(*width, scans[0].clone(), new)
            }
            exp => {
                let mut exp = exp.clone();
                if let Some(Applied { inputs, lambda, .. }) = crate::nest::inputs::applied_mut(&mut exp) {
                    *inputs = new;
                    *lambda = new_lambda;
                }
                exp
            }
        }
    }
}

/// What an operator takes for a value that its lambda yielded.
pub enum Column {
    /// The same value for all.
    Same(Atom),
    Rows(Var),
    /// Nothing: a `map` yields it.
    Gone,
}

/// Whether values that are combined vary in size, so that lengths come with them.
pub fn has_varying_columns(vars: &[norn_ir::nest::VarInfo], op: &Reduction) -> bool {
    op.lambda.params.iter().any(|param| {
        let first = vars[param.0 as usize].ty.dims().first().and_then(|dim| dim.atom()).and_then(Atom::var);
        first.is_some_and(|size| op.lambda.params.contains(&size))
    })
}
