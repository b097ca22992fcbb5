//! Branches and calls on the way back.
//!
//! ```text
//! let y = if c then f x else g x       let x_adj = if c then { forward sweep of f; return sweep } else { the same of g }
//! ```
//!
//! The adjoints of what branches take from outside go into them and come out with more added: an array is updated in place. Those of arrays outside of the
//! lambda come out as entries; a branch that has none has entries that miss.

use super::Reverse;
use super::adjoint::{Adjoint, At, Dense, Entry};
use norn_ir::nest::derivative::Mode;
use norn_ir::nest::{Atom, Body, ControlExp, Dim, Exp, FunId, Stm, Type, Var};
use norn_ir::skeleton::build::OpenBody;
use norn_ir::skeleton::free::Free;
use std::collections::{BTreeMap, BTreeSet};

/// A branch that is not closed yet: the adjoints that come out of it.
struct Branch {
    open: OpenBody<norn_ir::nest::Operator>,
    inside: Vec<Atom>,
    foreign: BTreeMap<Var, Adjoint>,
}

/// What branches yield of the adjoint of an array from outside of the lambda.
struct Plan {
    var: Var,
    /// Some branch has it dense.
    is_dense: bool,
    /// All entries, with the branches that they are of.
    entries: Vec<(usize, Entry)>,
    /// Of each entry the places that are known outside of its branch: whether it is taken or not, they are no results.
    known: Vec<Vec<Option<Atom>>>,
}

impl Reverse<'_, '_> {
    pub(super) fn control(&mut self, stm: &Stm, exp: &ControlExp) {
        match exp {
            ControlExp::If { cond, then, els } => {
                let cond = self.w.atom(*cond);
                self.branches(stm, &[then, els], &mut |mut bodies| {
                    let (els, then) = (bodies.pop().unwrap_or_default(), bodies.pop().unwrap_or_default());
                    Exp::if_(cond, then, els)
                });
            }
            ControlExp::Switch { scrutinee, cases, default } => {
                let scrutinee = self.w.atom(*scrutinee);
                let bodies: Vec<&Body> = cases.iter().map(|(_, body)| body).chain([default]).collect();
                self.branches(stm, &bodies, &mut |mut bodies| {
                    let default = bodies.pop().unwrap_or_default();
                    let cases = cases.iter().map(|(tag, _)| *tag).zip(bodies).collect();
                    Exp::Control(ControlExp::Switch { scrutinee, cases, default })
                });
            }
            ControlExp::Loop { params, form, body } => self.loop_back(stm, params, form, body),
            ControlExp::Call { fun, args } => self.call(stm, *fun, args),
            ControlExp::Const(_) | ControlExp::Check(_) => self.drop_adjoints(&stm.vars),
        }
    }

    /// The active variables that bodies take from outside: those whose adjoints are here, and those outside of the lambda, of arrays.
    pub(super) fn surroundings(&self, bodies: &[&Body]) -> Vec<Var> {
        let free = bodies.iter().flat_map(|body| Free::of_body(&self.w.old, body));
        let free: BTreeSet<Var> = free.filter(|var| self.is_active(*var)).collect();
        free.into_iter().filter(|var| !self.is_entered(*var)).collect()
    }

    /// Whether its adjoint inside of a lambda is made of what leaves it.
    pub(super) fn is_entered(&self, var: Var) -> bool {
        self.is_foreign(var) && self.w.old_ty(var).is_array()
    }

    fn branches(&mut self, stm: &Stm, bodies: &[&Body], make: &mut dyn FnMut(Vec<Body>) -> Exp) {
        let weights: Vec<Option<Dense>> = stm.vars.iter().map(|var| self.take(*var)).collect();
        let inside = self.surroundings(bodies);
        let start: Vec<Atom> = inside.iter().map(|var| self.take_owned(*var)).collect();
        let outer = std::mem::take(&mut self.adjoints);
        let mut branches = Vec::new();
        for body in bodies {
            self.w.b.begin_body();
            for (var, value) in inside.iter().zip(&start) {
                self.add((*var).into(), *value, true);
            }
            self.forward_sweep(body);
            for (result, weight) in body.result.iter().zip(&weights) {
                if let Some(weight) = weight {
                    self.add(*result, weight.value, weight.owned);
                }
            }
            self.return_sweep(body);
            let inside = inside.iter().map(|var| self.take_owned(*var)).collect();
            let foreign = std::mem::take(&mut self.adjoints);
            branches.push(Branch { open: self.w.b.suspend(), inside, foreign });
        }
        self.adjoints = outer;
        self.join(&inside, branches, make);
    }

    /// All branches yield the same: the adjoints of what is inside, and of what is foreign in one of them.
    fn join(&mut self, inside: &[Var], branches: Vec<Branch>, make: &mut dyn FnMut(Vec<Body>) -> Exp) {
        let mut vars: Vec<Var> = Vec::new();
        for var in inside {
            let ty = self.w.ty_of(*var);
            vars.push(self.w.b.new_var("adjoint", ty));
        }
        let foreign: BTreeSet<Var> = branches.iter().flat_map(|b| b.foreign.keys().copied()).collect();
        let mut plans: Vec<Plan> = Vec::new();
        for var in foreign {
            let is_dense = branches.iter().any(|b| b.foreign.get(&var).is_some_and(|a| a.dense.is_some()));
            let entries = branches.iter().enumerate().flat_map(|(at, branch)| {
                let entries = branch.foreign.get(&var).map_or(&[][..], |adjoint| &adjoint.entries[..]);
                entries.iter().map(move |entry| (at, entry.clone()))
            });
            let entries: Vec<(usize, Entry)> = entries.collect();
            let known = entries.iter().map(|(_, entry)| self.known_places(entry)).collect();
            plans.push(Plan { var, is_dense, entries, known });
        }
        let mut bodies = Vec::new();
        for (at, branch) in branches.into_iter().enumerate() {
            self.w.b.resume(branch.open);
            let mut result = branch.inside;
            for Plan { var, is_dense, entries, known } in &plans {
                if *is_dense {
                    let dense = branch.foreign.get(var).and_then(|adjoint| adjoint.dense);
                    result.push(match dense {
                        Some(dense) => self.owned(dense),
                        None => {
                            let value = self.w.atom((*var).into());
                            self.w.zeros_like(value)
                        }
                    });
                }
                for ((owner, entry), known) in entries.iter().zip(known) {
                    if *owner == at {
                        result.extend(entry.count);
                        let places = entry.places().into_iter().zip(known);
                        result.extend(places.filter(|(_, known)| known.is_none()).map(|(place, _)| place));
                        result.push(entry.value);
                    } else {
                        self.miss(*var, entry, known, &mut result);
                    }
                }
            }
            bodies.push(self.w.b.end_body(result));
        }
        // What comes out.
        let first = vars.len();
        let mut out = Vec::new();
        for Plan { var, is_dense, entries, known } in &plans {
            if *is_dense {
                let ty = self.w.ty_of(*var);
                let dense = self.w.b.new_var("adjoint", ty);
                vars.push(dense);
                out.push((
                    *var,
                    Adjoint { dense: Some(Dense { value: dense.into(), owned: true }), entries: Vec::new() },
                ));
            }
            for ((_, entry), known) in entries.iter().zip(known) {
                let entry = self.entry_vars(*var, entry, known, &mut vars);
                out.push((*var, Adjoint { dense: None, entries: vec![entry] }));
            }
        }
        if vars.is_empty() {
            return;
        }
        let sums: Vec<Var> = vars[..first].to_vec();
        self.w.bind_new(vars, make(bodies));
        for (var, sum) in inside.iter().zip(sums) {
            self.add((*var).into(), sum.into(), true);
        }
        out.into_iter().for_each(|(var, adjoint)| self.add_all(var.into(), adjoint));
    }

    /// The places of one entry that are known in the body that is open.
    fn known_places(&mut self, entry: &Entry) -> Vec<Option<Atom>> {
        let places = entry.places();
        match entry.count {
            None => places.into_iter().map(|place| self.place_outside(place, 0)).collect(),
            Some(_) => vec![None; places.len()],
        }
    }

    /// Results in place of an entry that a branch does not have.
    fn miss(&mut self, var: Var, entry: &Entry, known: &[Option<Atom>], result: &mut Vec<Atom>) {
        let count = entry.count.map(|_| Atom::i64(0));
        result.extend(count);
        for _ in known.iter().filter(|known| known.is_none()) {
            result.push(match count {
                None => Atom::i64(-1),
                Some(none) => {
                    let ty = Type::array(norn_ir::nest::Prim::I64, vec![Dim::size(none)]);
                    self.w.emit("places", ty, Exp::replicate(none, none)).into()
                }
            });
        }
        let ty = self.type_of_entry(var, &entry.at, count);
        result.push(self.w.zeros(&ty));
    }

    /// New variables for an entry, which are bound with others.
    fn entry_vars(&mut self, var: Var, entry: &Entry, known: &[Option<Atom>], vars: &mut Vec<Var>) -> Entry {
        let count = entry.count.map(|_| self.w.b.new_var("count", Type::i64()));
        vars.extend(count);
        let count = count.map(Atom::Var);
        let place = match count {
            None => Type::i64(),
            Some(count) => Type::array(norn_ir::nest::Prim::I64, vec![Dim::size(count)]),
        };
        let mut known = known.iter();
        let mut at = Vec::new();
        for part in &entry.at {
            at.push(match part {
                At::Whole => At::Whole,
                At::Place(_) => At::Place(match known.next().copied().flatten() {
                    Some(known) => known,
                    None => {
                        vars.push(self.w.b.new_var("place", place.clone()));
                        Atom::Var(vars[vars.len() - 1])
                    }
                }),
            });
        }
        let ty = self.type_of_entry(var, &entry.at, count);
        let value = self.w.b.new_var("value", ty);
        vars.push(value);
        Entry { at, value: value.into(), count, may_miss: true }
    }

    /// The type of what an entry of a variable has as its value.
    pub(super) fn type_of_entry(&self, var: Var, at: &[At], count: Option<Atom>) -> Type {
        let ty = self.w.ty_of(var);
        let row = ty.with_dims(self.dims_of_entry(&ty, at));
        match count {
            Some(count) => row.array_of(Dim::size(count)),
            None => row,
        }
    }

    fn call(&mut self, stm: &Stm, fun: FunId, args: &[Atom]) {
        let custom = self.work.customs.iter().find(|custom| custom.of == fun).cloned();
        let numbers = custom.as_ref().map_or(self.numbers, |custom| custom.numbers);
        let weights: Vec<Atom> = {
            let results = numbers.results(&self.work.prog.funs[fun.0 as usize]);
            results.into_iter().map(|at| self.take_or_zeros(stm.vars[at])).collect()
        };
        let mut all = self.w.atoms(args);
        let (derivative, active, own) = match custom {
            Some(custom) => {
                all.extend(stm.vars.iter().map(|var| self.w.atom((*var).into())));
                (custom.reverse, custom.active, 0)
            }
            None => {
                let active: Vec<usize> =
                    (0..args.len()).filter(|at| self.is_active_atom(args[*at])).collect();
                let sizes = self.work.prog.funs[fun.0 as usize].returned_sizes();
                all.extend(stm.vars[..sizes].iter().map(|var| self.w.atom((*var).into())));
                (self.work.derivative(fun, Mode::Reverse, numbers, active.clone()), active, stm.vars.len())
            }
        };
        all.extend(weights);
        // Its value once more, which nobody needs.
        let mut vars: Vec<Var> = stm.vars[..own].iter().map(|var| self.w.bind(*var)).collect();
        for at in &active {
            let ty = self.w.old_atom_ty(args[*at]);
            let ty = self.w.ty(&ty);
            vars.push(self.w.b.new_var("adjoint", ty));
        }
        if vars.is_empty() {
            return;
        }
        let adjoints: Vec<Var> = vars[own..].to_vec();
        self.w.bind_new(vars, Exp::call(derivative, all));
        for (at, adjoint) in active.iter().zip(adjoints) {
            self.add(args[*at], adjoint.into(), false);
        }
    }
}
