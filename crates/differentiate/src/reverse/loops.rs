//! Loops: a tape on the way forth, a loop in the opposite order on the way back.
//!
//! ```text
//! loop x = x0 for i < n do f x        forward: loop x = x0, tape = .. for i < n do f x, tape with [i] = x
//!                                     back:    loop x_adj = .. for j < n do let x = tape[n-1-j]; forward sweep of f; return sweep; in x_adj
//! ```
//!
//! The tape has what the loop carries, as it is when an iteration begins; of arrays that are updated in place only what is replaced (`updates`). A `while` loop runs once more, first of all, to count its iterations. What a loop carries unchanged needs no tape. An
//! array that changes its size from iteration to iteration has none, and is refused.
//!
//! The loop back carries the adjoints of what iterations take from outside. Entries of arrays outside of the lambda leave it as they leave lambdas.

use super::Reverse;
use super::adjoint::{Adjoint, Dense, Entry};
use super::maps::{Reach, many};
use super::updates::versions;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, CellExp, ControlExp, Dim, Elem, Exp, LoopForm, Operator, Param, Prim,
    Scalar, Stm, Type, Var,
};
use norn_ir::skeleton::build::OpenBody;
use std::collections::BTreeSet;

pub struct Tape {
    trip: Atom,
    /// Of each parameter, unless it does not change, or is undone.
    states: Vec<Option<Var>>,
    undone: Vec<Undone>,
}

/// An array that is undone: for each update of an iteration, lists of its places and of what it replaced.
struct Undone {
    param: usize,
    updates: Vec<(Vec<Var>, Var)>,
}

/// A parameter of a loop that is being written: what it starts with, and what the next iteration gets.
struct Carried {
    var: Var,
    initial: Atom,
    next: Atom,
}

impl Reverse<'_, '_> {
    pub(super) fn loop_with_tape(
        &mut self,
        stm: &Stm,
        params: &[(Param, Atom)],
        form: &LoopForm,
        body: &Body,
    ) {
        let trip = match form {
            LoopForm::For(_, bound) => {
                let from = self.w.old_atom_ty(*bound).prim().unwrap_or(Prim::I64);
                let bound = self.w.atom(*bound);
                self.w.b.convert("trip", from, Prim::I64, bound, stm.span)
            }
            LoopForm::While(cond) => self.counted(params, cond, body),
        };
        // A negative bound is no iteration.
        let trip = match trip {
            Atom::Const(Scalar::I64(n)) if n >= 0 => trip,
            _ => self.w.bin(BinOp::Max, Prim::I64, trip, Atom::i64(0)),
        };
        let fixed = self.bind_fixed(params, body);
        let varying: BTreeSet<Var> =
            params.iter().zip(&fixed).filter(|(_, fixed)| !**fixed).map(|((p, _), _)| p.var).collect();
        let mut initials: Vec<(bool, Atom)> = Vec::new();
        for (param, initial) in params {
            let initial = self.w.atom(*initial);
            initials.push((param.unique, self.own_if(param.unique, initial)));
        }
        let body_stms: Vec<Var> = body.stms.iter().filter_map(|stm| stm.vars.first()).copied().collect();
        let versions = versions(&|var| self.w.old_ty(var).clone(), params, body);
        // The tapes, empty.
        let mut tapes: Vec<Option<Var>> = Vec::new();
        for (at, ((param, _), fixed)) in params.iter().zip(&fixed).enumerate() {
            let mut changes_size = false;
            self.w.old_ty(param.var).for_each_var(&mut |size| changes_size |= varying.contains(&size));
            if changes_size || matches!(self.w.old_ty(param.var), Type::Acc(_)) {
                self.unsupported("a loop that carries an array whose size changes");
            }
            tapes.push(if *fixed || changes_size || versions.iter().any(|versions| versions.param == at) {
                None
            } else {
                let ty = self.w.ty_of(param.var).array_of(Dim::Size(trip));
                Some(self.blank(&ty))
            });
        }
        self.w.b.begin_body();
        let vars: Vec<Var> = params.iter().map(|(param, _)| self.bind(param.var)).collect();
        let counter = self.w.b.new_var("i", Type::i64());
        self.bind_counter(form, counter.into());
        let mut all: Vec<(Param, Atom)> = Vec::new();
        for (var, (unique, initial)) in vars.iter().zip(&initials) {
            all.push((Param { var: *var, unique: *unique }, *initial));
        }
        let mut saved = Vec::new();
        for (tape, var) in tapes.iter().zip(&vars) {
            let Some(tape) = tape else { continue };
            let ty = self.w.b.ty(*tape).clone();
            let param = self.w.b.new_var("tape", ty);
            all.push((Param::unique(param), (*tape).into()));
            saved.push(Atom::Var(self.w.update(param, &[counter.into()], (*var).into())));
        }
        let mut lists: Vec<Carried> = Vec::new();
        for stm in &body.stms {
            let update = versions.iter().flat_map(|versions| &versions.updates);
            if let Some(update) = update.into_iter().find(|update| stm.vars.contains(&update.result))
                && let Exp::Array(ArrayExp::Update { array, .. }) = &stm.exp
            {
                let (array, places) = (self.w.var(*array), self.w.atoms(&update.places));
                let value = self.replaced(array, &places);
                for value in places.into_iter().chain([value]) {
                    let ty = self.w.b.atom_ty(value);
                    self.list(trip, counter.into(), value, ty, &mut lists);
                }
            }
            self.w.copy(stm);
        }
        let mut result = self.w.atoms(&body.result);
        result.extend(saved);
        result.extend(lists.iter().map(|list| list.next));
        all.extend(lists.iter().map(|list| (Param::unique(list.var), list.initial)));
        let body = self.w.b.end_body(result);
        let mut bound: Vec<Var> = stm.vars.iter().map(|var| self.bind(*var)).collect();
        let states: Vec<Option<Var>> = tapes
            .iter()
            .map(|tape| {
                let ty = self.w.b.ty((*tape)?).clone();
                Some(self.w.b.new_var("tape", ty))
            })
            .collect();
        bound.extend(states.iter().flatten());
        let mut found = Vec::new();
        for list in &lists {
            let ty = self.w.b.ty(list.var).clone();
            found.push(self.w.b.new_var("list", ty));
        }
        bound.extend(&found);
        let form = LoopForm::For(counter, trip);
        self.w.bind_new(bound, Exp::Control(ControlExp::Loop { params: all, form, body }));
        let mut undone: Vec<Undone> = Vec::new();
        for versions in &versions {
            undone.push(Undone { param: versions.param, updates: Vec::new() });
        }
        // The lists are in the order of the statements.
        let mut found = found.into_iter();
        for stm in &body_stms {
            for (versions, undone) in versions.iter().zip(&mut undone) {
                let Some(update) = versions.updates.iter().find(|update| *stm == update.result) else {
                    continue;
                };
                let places = found.by_ref().take(update.places.len()).collect();
                let value = found.next().unwrap_or_else(|| panic!("differentiate: an update without a list"));
                undone.updates.push((places, value));
            }
        }
        for update in versions.into_iter().flat_map(|versions| versions.updates) {
            self.in_place.insert(update.result, update);
        }
        self.tapes.insert(stm.vars[0], Tape { trip, states, undone });
    }

    /// How many iterations a `while` loop has.
    fn counted(&mut self, params: &[(Param, Atom)], cond: &Body, body: &Body) -> Atom {
        let mut all = Vec::new();
        for (param, initial) in params {
            let initial = self.w.atom(*initial);
            all.push((param.unique, self.own_if(param.unique, initial)));
        }
        self.w.b.begin_body();
        let vars: Vec<Var> = params.iter().map(|(param, _)| self.bind(param.var)).collect();
        let mut all: Vec<(Param, Atom)> = vars
            .iter()
            .zip(all)
            .map(|(var, (unique, initial))| (Param { var: *var, unique }, initial))
            .collect();
        let count = self.w.b.new_var("count", Type::i64());
        all.push((Param::plain(count), Atom::i64(0)));
        let form = LoopForm::While(self.w.copy_body(cond));
        body.stms.iter().for_each(|stm| self.w.copy(stm));
        let mut result = self.w.atoms(&body.result);
        result.push(self.w.i64(BinOp::Add, count.into(), Atom::i64(1)));
        let body = self.w.b.end_body(result);
        let mut bound: Vec<Var> = Vec::new();
        for (param, _) in params {
            bound.push(self.w.bind(param.var));
        }
        let count = self.w.b.new_var("count", Type::i64());
        bound.push(count);
        self.w.bind_new(bound, Exp::Control(ControlExp::Loop { params: all, form, body }));
        count.into()
    }

    /// What a loop passes on as it is has its first value in all iterations. Yields which parameters these are.
    fn bind_fixed(&mut self, params: &[(Param, Atom)], body: &Body) -> Vec<bool> {
        let mut fixed = Vec::new();
        for ((param, initial), next) in params.iter().zip(&body.result) {
            let is_fixed = *next == Atom::Var(param.var) && !param.unique;
            if is_fixed {
                let initial = self.w.atom(*initial);
                self.bind_to(param.var, initial);
            }
            fixed.push(is_fixed);
        }
        fixed
    }

    fn bind_counter(&mut self, form: &LoopForm, counter: Atom) {
        if let LoopForm::For(var, _) = form {
            let prim = self.w.old_ty(*var).prim().unwrap_or(Prim::I64);
            let counter = self.w.b.convert("i", Prim::I64, prim, counter, self.w.span);
            self.bind_to(*var, counter);
        }
    }

    fn own_if(&mut self, unique: bool, value: Atom) -> Atom {
        match value {
            Atom::Var(array) if unique && self.w.b.ty(array).is_array() => self.w.array_copy(array).into(),
            value => value,
        }
    }

    /// An array of anything, to be overwritten.
    fn blank(&mut self, ty: &Type) -> Var {
        let zeros = match ty.elem() {
            Some(Elem::Ref(data, _)) => {
                let null = ty.with_dims(Vec::new());
                let mut value: Atom = self.w.emit("null", null, Exp::Cell(CellExp::Null(data))).into();
                for at in (0..ty.rank()).rev() {
                    let Some(count) = ty.dims()[at].atom() else { continue };
                    let part = ty.with_dims(ty.dims()[at..].to_vec());
                    value = self.w.emit("blank", part, Exp::replicate(count, value)).into();
                }
                value
            }
            Some(Elem::Prim(_)) | None => {
                if ty.dims().contains(&Dim::Irregular) {
                    self.unsupported("a loop that carries an array with rows of different lengths");
                    let dims = ty.dims().iter().map(|dim| dim.atom().unwrap_or(Atom::i64(0)));
                    let ty = ty.with_dims(dims.map(Dim::Size).collect());
                    self.w.zeros(&ty)
                } else {
                    self.w.zeros(ty)
                }
            }
        };
        zeros.var().unwrap_or_else(|| panic!("differentiate: a tape is an array"))
    }

    pub(super) fn loop_back(&mut self, stm: &Stm, params: &[(Param, Atom)], form: &LoopForm, body: &Body) {
        let Some(tape) = self.tapes.remove(&stm.vars[0]) else {
            return self.drop_adjoints(&stm.vars);
        };
        let active: Vec<usize> = (0..params.len()).filter(|at| self.is_active(params[*at].0.var)).collect();
        let mut initials: Vec<Atom> = active.iter().map(|at| self.take_owned(stm.vars[*at])).collect();
        for undone in &tape.undone {
            let last = self.w.var(stm.vars[undone.param]);
            initials.push(self.w.array_copy(last).into());
        }
        let own: BTreeSet<Var> = params.iter().map(|(param, _)| param.var).collect();
        let inside: Vec<Var> =
            self.surroundings(&[body]).into_iter().filter(|var| !own.contains(var)).collect();
        let last = self.loop_in_reverse(tape.trip, &initials, &inside, |r, at, carried| {
            r.bind_fixed(params, body);
            for ((param, _), state) in params.iter().zip(&tape.states) {
                if let Some(state) = state {
                    let value = r.w.index(*state, &[at]);
                    let value = r.own_if(param.unique, value);
                    r.bind_to(param.var, value);
                }
            }
            for (undone, last) in tape.undone.iter().zip(&carried[active.len()..]) {
                let mut array = *last;
                for (places, value) in undone.updates.iter().rev() {
                    let places: Vec<Atom> = places.iter().map(|list| r.w.index(*list, &[at])).collect();
                    let value = r.w.index(*value, &[at]);
                    array = array.var().map_or(array, |array| r.w.update(array, &places, value).into());
                }
                r.bind_to(params[undone.param].0.var, array);
            }
            r.bind_counter(form, at);
            r.forward_sweep(body);
            for (at, carried) in active.iter().zip(carried) {
                r.add(body.result[*at], *carried, true);
            }
            r.return_sweep(body);
            let mut next: Vec<Atom> = active.iter().map(|at| r.take_owned(params[*at].0.var)).collect();
            next.extend(tape.undone.iter().map(|undone| r.w.atom(params[undone.param].0.var.into())));
            next
        });
        for (at, last) in active.iter().zip(last) {
            self.add(params[*at].1, last.into(), true);
        }
    }

    /// A loop from `trip - 1` down to 0, whose iterations have return sweeps. It carries values that start with `initials`, which it consumes; the body gets the number of the
    /// iteration and these values, and yields the next ones, which nobody else uses.
    pub(super) fn loop_in_reverse(
        &mut self,
        trip: Atom,
        initials: &[Atom],
        inside: &[Var],
        body: impl FnOnce(&mut Self, Atom, &[Atom]) -> Vec<Atom>,
    ) -> Vec<Var> {
        let start: Vec<Atom> = inside.iter().map(|var| self.take_owned(*var)).collect();
        let outer = std::mem::take(&mut self.adjoints);
        self.w.b.begin_body();
        let mut carried: Vec<Carried> = Vec::new();
        for initial in initials.iter().chain(&start) {
            let ty = self.w.b.atom_ty(*initial);
            let var = self.w.b.new_var("adjoint", ty);
            carried.push(Carried { var, initial: *initial, next: *initial });
        }
        let counter = self.w.b.new_var("j", Type::i64());
        let last = self.w.i64(BinOp::Sub, trip, Atom::i64(1));
        let at = self.w.i64(BinOp::Sub, last, counter.into());
        let count = initials.len();
        for (var, carried) in inside.iter().zip(&carried[count..]) {
            self.add((*var).into(), carried.var.into(), true);
        }
        let values: Vec<Atom> = carried[..count].iter().map(|carried| Atom::Var(carried.var)).collect();
        let next = body(self, at, &values);
        carried.iter_mut().zip(next).for_each(|(carried, next)| carried.next = next);
        for (var, carried) in inside.iter().zip(&mut carried[count..]) {
            carried.next = self.take_owned(*var);
        }
        // What leaves the loop: for a variable its whole adjoint, an entry whose values are added up, or one for each iteration.
        let mut leaving = Vec::new();
        for (var, adjoint) in std::mem::take(&mut self.adjoints) {
            let ty = self.w.ty_of(var);
            let is_simple = |r: &Self, entry: &Entry| entry.count.is_none_or(|count| r.is_outside(count));
            if adjoint.dense.is_some() || !adjoint.entries.iter().all(|entry| is_simple(self, entry)) {
                let zeros = self.before(|r| {
                    let value = r.w.atom(var.into());
                    r.w.zeros_like(value)
                });
                let sum = self.w.b.new_var("adjoint", ty);
                let mut all = Adjoint {
                    dense: Some(Dense { value: sum.into(), owned: true }),
                    entries: adjoint.entries,
                };
                if let Some(dense) = adjoint.dense {
                    let value = self.w.add(sum.into(), dense.value);
                    all.dense = Some(Dense { value, owned: true });
                }
                let next = self.dense(var, all).map_or(zeros, |dense| dense.value);
                leaving.push((var, Leaving::Dense(carried.len())));
                carried.push(Carried { var: sum, initial: zeros, next });
                continue;
            }
            for entry in adjoint.entries {
                let first = carried.len();
                let own = at.var();
                let reach = match entry.count {
                    None => self.reach(&ty, &entry, trip, own.as_slice()),
                    Some(_) => None,
                };
                let value = ty.with_dims(self.dims_of_entry(&ty, &entry.at));
                match reach {
                    Some(Reach::Same) => {
                        let zeros = self.before(|r| r.w.zeros(&value));
                        let sum = self.w.b.new_var("sum", value);
                        let next = self.w.add(sum.into(), entry.value);
                        carried.push(Carried { var: sum, initial: zeros, next });
                        leaving.push((var, Leaving::Sum(entry, first)));
                    }
                    Some(Reach::Own(own)) => {
                        self.list(trip, at, entry.value, value, &mut carried);
                        leaving.push((var, Leaving::Own(entry, own, first)));
                    }
                    None | Some(Reach::Shifted(..)) => {
                        let many = |ty: Type| match entry.count {
                            Some(count) => ty.array_of(Dim::Size(count)),
                            None => ty,
                        };
                        for place in entry.places() {
                            self.list(trip, at, place, many(Type::i64()), &mut carried);
                        }
                        self.list(trip, at, entry.value, many(value), &mut carried);
                        leaving.push((var, Leaving::Many(entry, first)));
                    }
                }
            }
        }
        let result = carried.iter().map(|carried| carried.next).collect();
        let body = self.w.b.end_body(result);
        self.adjoints = outer;
        let mut params = Vec::new();
        let mut vars = Vec::new();
        for Carried { var, initial, next: _ } in &carried {
            let ty = self.w.b.ty(*var).clone();
            params.push((Param { var: *var, unique: ty.is_array() }, *initial));
            vars.push(self.w.b.new_var("adjoint", ty));
        }
        if vars.is_empty() {
            return vars;
        }
        let form = LoopForm::For(counter, trip);
        self.w.bind_new(vars.clone(), Exp::Control(ControlExp::Loop { params, form, body }));
        for (var, last) in inside.iter().zip(&vars[count..]) {
            self.add((*var).into(), (*last).into(), true);
        }
        for (var, leaving) in leaving {
            self.leave_loop(var, leaving, trip, &vars);
        }
        vars.truncate(count);
        vars
    }

    fn leave_loop(&mut self, var: Var, leaving: Leaving, trip: Atom, vars: &[Var]) {
        match leaving {
            Leaving::Dense(at) => self.add(var.into(), vars[at].into(), true),
            Leaving::Sum(entry, at) => {
                self.add_entry(var, Entry { value: vars[at].into(), ..entry });
            }
            Leaving::Own(entry, own, at) => self.add_own(var, entry, own, vars[at]),
            Leaving::Many(entry, first) => {
                let lists = vars[first..first + entry.places().len() + 1].to_vec();
                let (count, lists) = match entry.count {
                    None => (trip, lists),
                    Some(count) => self.joined(trip, Some(count), &lists),
                };
                let entry = many(&entry, count, &mut lists.into_iter());
                entry.into_iter().for_each(|entry| self.add_entry(var, entry));
            }
        }
    }

    /// A value of each iteration, in an array of all.
    fn list(&mut self, trip: Atom, at: Atom, value: Atom, ty: Type, carried: &mut Vec<Carried>) {
        let all = ty.array_of(Dim::Size(trip));
        let initial = self.before(|r| r.w.zeros(&all));
        let var = self.w.b.new_var("list", all);
        let next = self.w.update(var, &[at], value);
        carried.push(Carried { var, initial, next: next.into() });
    }

    /// Statements in front of the one whose body is open.
    fn before(&mut self, f: impl FnOnce(&mut Self) -> Atom) -> Atom {
        let open: OpenBody<Operator> = self.w.b.suspend();
        let value = f(self);
        self.w.b.resume(open);
        value
    }
}

/// How an adjoint leaves a loop; the number is that of the first value that the loop carries for it.
enum Leaving {
    Dense(usize),
    Sum(Entry, usize),
    Own(Entry, usize, usize),
    Many(Entry, usize),
}
