//! Branches and loops: where control flow joins, values are in variables of their own and arrays are row-major.
//!
//! ```text
//! let ys: [n]i64 = if c { in xs } else { in zs }
//!
//! if (c) { retain xs; ys = xs } else { ys = zs }        zs dies here, so its reference is handed on
//! ```
//!
//! An array that reaches the join from several ways has one layout there, so whatever is a view with strides is copied before. Two
//! cases need neither variables nor copies: a place is already reserved for the result, into which every way writes
//! (`Join::Place`), and every way updates the same array or leaves it alone (`Join::InPlace`), as in `if c then xs with [i] = v
//! else xs`. Loops are the same with a join for each parameter: what an iteration yields becomes the parameter of the next, all
//! at once, since one may be read where another is written (`assign`).
//!
//! Each body owns what it makes and releases it at its end; what was owned around a branch and is not used afterwards is released
//! on every way, or handed on.

use super::in_place::{before, origin, same_origin};
use super::owners::{OwnerId, used_in_loop};
use super::repr::{Array, Part, Repr, prim_of};
use super::state::{Gen, Where, part_elems};
use norn_ir::imp::{Block, Exp, LoopForm as ImpLoopForm, Prim, Stmt, Type, Var as ImpVar};
use norn_ir::nest::{Atom, Body, LoopForm, Param, Var};
use rustc_hash::FxHashSet;

/// Where a value is on whichever way it comes.
enum Join {
    Scalar(ImpVar),
    /// Pointer and block of each part.
    Parts(Vec<(ImpVar, ImpVar)>),
    /// Memory that was there before, and into which every way writes.
    Place(Array),
    /// An array that every way updates in place, or leaves.
    InPlace(Array),
    /// An accumulator: the same on every way.
    Same,
}

impl Gen<'_> {
    pub fn if_(&mut self, vars: &[Var], cond: Exp, then: &Body, els: &Body) {
        let joins = self.branch_joins(vars, &[then, els]);
        let dying = self.owners.dying();
        let members = self.owners.members(&dying);
        let yes = self.branch(vars, then, &joins, &dying);
        self.owners.set_members(&dying, &members);
        let no = self.branch(vars, els, &joins, &dying);
        self.owners.handed(&dying);
        self.code.if_(cond, yes, no);
        self.bind_joins(vars, joins);
    }

    pub fn switch(&mut self, vars: &[Var], scrutinee: Exp, cases: &[(i64, Body)], default: &Body) {
        let bodies: Vec<&Body> = cases.iter().map(|(_, body)| body).chain([default]).collect();
        let joins = self.branch_joins(vars, &bodies);
        let dying = self.owners.dying();
        let members = self.owners.members(&dying);
        let mut blocks = Vec::with_capacity(cases.len());
        for (number, body) in cases {
            blocks.push((*number, self.branch(vars, body, &joins, &dying)));
            self.owners.set_members(&dying, &members);
        }
        let default = self.branch(vars, default, &joins, &dying);
        self.owners.handed(&dying);
        self.code.push(Stmt::Switch { scrutinee, cases: blocks, default });
        self.bind_joins(vars, joins);
    }

    fn branch(&mut self, vars: &[Var], body: &Body, joins: &[Join], dying: &[OwnerId]) -> Block {
        self.code.open();
        let mark = (self.at == Where::Group).then(|| self.mark());
        for (join, atom) in joins.iter().zip(&body.result) {
            if let (Join::Place(place), Atom::Var(var)) = (join, atom) {
                self.set_target(body, *var, place);
            }
        }
        self.begin_body(body, dying);
        let mut sets = Vec::new();
        for ((join, atom), var) in joins.iter().zip(&body.result).zip(vars) {
            match join {
                Join::Same => {
                    let value = self.value(*atom);
                    self.env.insert(*var, value);
                }
                Join::Scalar(_) | Join::Parts(_) => self.yield_to(join, *atom, &mut sets),
                Join::Place(place) => self.deliver(*atom, place),
                Join::InPlace(_) => {}
            }
        }
        self.end_body();
        self.assign(sets);
        if let Some(mark) = mark {
            self.free_from(mark);
            // In the other branches threads may have read.
            self.note_read();
        }
        self.code.close()
    }

    fn branch_joins(&mut self, vars: &[Var], bodies: &[&Body]) -> Vec<Join> {
        let mut joins = Vec::with_capacity(vars.len());
        for (at, var) in vars.iter().enumerate() {
            let join = match same_origin(&self.fun.vars, bodies, at) {
                Some(origin) => self.in_place_join(*var, origin),
                None => self.new_join(*var),
            };
            joins.push(join);
        }
        joins
    }

    /// The memory of `origin` is that of the variable: it lives as long as that is used.
    fn in_place_join(&mut self, var: Var, origin: Var) -> Join {
        let array = self.array(origin);
        let owners: Vec<OwnerId> = array.parts().filter_map(|part| part.owner).collect();
        owners.into_iter().for_each(|owner| self.owners.join(owner, var));
        Join::InPlace(array)
    }

    fn new_join(&mut self, var: Var) -> Join {
        if let Some(place) = self.places.remove(&var) {
            return Join::Place(place);
        }
        let (ty, name) = (self.ty(var), self.name(var));
        match ty {
            norn_ir::nest::Type::Value(elem, dims) if dims.is_empty() => {
                Join::Scalar(self.code.new_var(name, Type::Scalar(prim_of(*elem))))
            }
            norn_ir::nest::Type::Value(..) if self.at == Where::Group => Join::Place(self.place_like(var)),
            norn_ir::nest::Type::Value(..) => {
                let parts = part_elems(ty).into_iter().map(|elem| {
                    (self.code.new_var(name, self.pointer(elem)), self.code.new_var(name, Type::Block))
                });
                Join::Parts(parts.collect())
            }
            norn_ir::nest::Type::Acc(_)
            | norn_ir::nest::Type::Seg { .. }
            | norn_ir::nest::Type::Region
            | norn_ir::nest::Type::Cert => Join::Same,
        }
    }

    /// After all ways have joined, the variables have their values, and this body owns the arrays among them.
    fn bind_joins(&mut self, vars: &[Var], joins: Vec<Join>) {
        for (var, join) in vars.iter().zip(joins) {
            match join {
                Join::Scalar(imp) => self.bind(*var, Repr::Scalar(imp.into())),
                Join::Parts(parts) => {
                    let array = self.array_in(*var, &parts);
                    let array = self.own_array(array);
                    self.bind(*var, Repr::Array(array));
                }
                Join::Place(array) | Join::InPlace(array) => self.bind(*var, Repr::Array(array)),
                Join::Same => {}
            }
        }
    }

    /// The array of a variable's type in these parts.
    fn array_in(&mut self, var: Var, parts: &[(ImpVar, ImpVar)]) -> Array {
        let ty = self.ty(var);
        let sizes = self.sizes(ty.dims());
        let parts = parts.iter().map(|(ptr, block)| Part::borrowed((*ptr).into(), (*block).into())).collect();
        self.array_of_parts(ty, &sizes, parts)
    }

    /// The assignments that hand a result of the open body to where it is expected.
    fn yield_to(&mut self, join: &Join, atom: Atom, sets: &mut Vec<(ImpVar, Exp)>) {
        match (join, self.keep(atom)) {
            (Join::Scalar(var), Repr::Scalar(exp)) => sets.push((*var, exp)),
            (Join::Parts(parts), Repr::Array(array)) => {
                for ((ptr, block), part) in parts.iter().zip(array.parts()) {
                    sets.push((*ptr, part.ptr.clone()));
                    sets.push((*block, part.block.clone()));
                }
            }
            (Join::Scalar(_) | Join::Parts(_) | Join::Place(_) | Join::InPlace(_) | Join::Same, _) => {
                panic!("imp_gen: a result of another kind in {}", self.fun.name)
            }
        }
    }

    /// All at once: what one assignment reads another may write.
    pub fn assign(&mut self, sets: Vec<(ImpVar, Exp)>) {
        let targets: FxHashSet<ImpVar> = sets.iter().map(|(var, _)| *var).collect();
        let sets: Vec<(ImpVar, Exp)> = sets
            .into_iter()
            .filter(|(var, exp)| *exp != Exp::Var(*var))
            .map(|(var, exp)| match exp {
                Exp::Var(read) if targets.contains(&read) => (var, self.code.bind("next", exp).into()),
                exp => (var, exp),
            })
            .collect();
        for (var, exp) in sets {
            self.code.set(var, exp);
        }
    }

    // # Places

    /// The value of this variable, bound in the body, is to be computed in this place. Whatever it is an update of lies
    /// there too.
    pub fn set_target(&mut self, body: &Body, var: Var, place: &Array) {
        let mut next = Some(var);
        while let Some(var) = next {
            let Some(stm) = body.stms.iter().find(|stm| stm.vars.contains(&var)) else { return };
            if self.places.contains_key(&var) {
                return;
            }
            self.places.insert(var, place.clone());
            next = before(&self.fun.vars, stm, var);
        }
    }

    /// A result of the open body, in its place.
    pub fn deliver(&mut self, atom: Atom, place: &Array) {
        self.places.retain(|_, other| other.data.ptr != place.data.ptr);
        if let Repr::Array(array) = self.value(atom)
            && array.data.ptr != place.data.ptr
        {
            self.copy_into(place, &array);
        }
    }

    // # Loops

    pub fn loop_(&mut self, vars: &[Var], params: &[(Param, Atom)], form: &LoopForm, body: &Body) {
        if self.at == Where::Group {
            return self.group_loop(vars, params, form, body);
        }
        let used = used_in_loop(form, body);
        let mut joins = Vec::with_capacity(params.len());
        for (at, (param, initial)) in params.iter().enumerate() {
            let in_place = origin(&self.fun.vars, body, body.result[at]) == Some(param.var);
            let join = match initial {
                Atom::Var(initial) if in_place => self.in_place_join(vars[at], *initial),
                Atom::Var(_) | Atom::Const(_) => self.new_join(param.var),
            };
            self.begin_param(&join, *initial, param.var, &used);
            joins.push(join);
        }
        match form {
            LoopForm::For(var, bound) => self.for_loop(params, &joins, *var, *bound, body),
            LoopForm::While(cond) => self.while_loop(params, &joins, cond, body),
        }
        // The sizes in the types of results are results too, which are bound first.
        for ((var, (param, _)), join) in vars.iter().zip(params).zip(joins) {
            match join {
                Join::Same => {
                    let value = self.repr(param.var).clone();
                    self.bind(*var, value);
                }
                Join::Scalar(_) | Join::Parts(_) | Join::Place(_) | Join::InPlace(_) => {
                    self.bind_joins(&[*var], vec![join]);
                }
            }
        }
    }

    fn for_loop(&mut self, params: &[(Param, Atom)], joins: &[Join], var: Var, bound: Atom, body: &Body) {
        let prim = self.scalar_prim(bound);
        let to = self.scalar(bound).convert(prim, Prim::I64);
        let to = self.code.atom("bound", to);
        let counter = self.code.new_i64(self.name(var));
        self.code.open();
        self.bind_params(params, joins);
        self.owners.enter(body);
        let number = Exp::Var(counter).convert(Prim::I64, prim);
        self.bind_scalar(var, number);
        self.iteration(params, joins, body);
        let body = self.code.close();
        self.code.for_(counter, 0, to, ImpLoopForm::Plain, body);
    }

    fn while_loop(&mut self, params: &[(Param, Atom)], joins: &[Join], cond: &Body, body: &Body) {
        self.code.open();
        self.bind_params(params, joins);
        self.begin_body(cond, &[]);
        let holds = self.scalar(cond.result[0]);
        let holds = self.code.bind("goes_on", holds);
        self.end_body();
        let before = self.code.close();
        self.code.open();
        self.owners.enter(body);
        self.iteration(params, joins, body);
        let body = self.code.close();
        self.code.while_(before, holds, body);
    }

    /// The first value of a parameter. It takes over an array that is used by nothing else.
    fn begin_param(&mut self, join: &Join, initial: Atom, param: Var, used: &FxHashSet<Var>) {
        let value = self.value(initial);
        match (join, value) {
            (Join::Scalar(var), Repr::Scalar(exp)) => self.code.set(*var, exp),
            (Join::Parts(parts), Repr::Array(array)) => {
                let array = self.keep_initial(array, used);
                for ((ptr, block), part) in parts.iter().zip(array.parts()) {
                    self.code.set(*ptr, part.ptr.clone());
                    self.code.set(*block, part.block.clone());
                }
            }
            (Join::Same | Join::InPlace(_), value) => {
                self.env.insert(param, value);
            }
            (Join::Scalar(_) | Join::Parts(_) | Join::Place(_), _) => {
                panic!("imp_gen: an initial value of another kind in {}", self.fun.name)
            }
        }
    }

    fn keep_initial(&mut self, array: Array, used: &FxHashSet<Var>) -> Array {
        let kept = array.is_row_major() && array.parts().all(Part::can_be_kept);
        let mut array = if kept { array } else { self.copy_array("initial", &array, "loop") };
        for part in array.parts_mut() {
            let taken = part.owner.is_some_and(|owner| self.owners.take_dying(owner, used));
            if !taken {
                self.code.retain(part.block.clone());
            }
            part.owner = None;
        }
        array
    }

    /// The parameters of an iteration, borrowed.
    fn bind_params(&mut self, params: &[(Param, Atom)], joins: &[Join]) {
        for ((param, _), join) in params.iter().zip(joins) {
            match join {
                Join::Scalar(var) => {
                    self.env.insert(param.var, Repr::Scalar((*var).into()));
                }
                Join::Parts(parts) => {
                    let array = self.array_in(param.var, parts);
                    self.env.insert(param.var, Repr::Array(array));
                }
                Join::Place(_) | Join::InPlace(_) | Join::Same => {}
            }
        }
    }

    /// An iteration, whose scope has been entered: it owns the parameters, and hands on the next ones.
    fn iteration(&mut self, params: &[(Param, Atom)], joins: &[Join], body: &Body) {
        for ((param, _), join) in params.iter().zip(joins) {
            match join {
                Join::Parts(_) => {
                    let array = self.array(param.var);
                    let array = self.own_array(array);
                    self.bind(param.var, Repr::Array(array));
                }
                Join::Scalar(_) | Join::Place(_) | Join::InPlace(_) | Join::Same => {}
            }
        }
        self.statements(body);
        let mut sets = Vec::new();
        for (join, atom) in joins.iter().zip(&body.result) {
            match join {
                Join::Scalar(_) | Join::Parts(_) => self.yield_to(join, *atom, &mut sets),
                Join::Place(_) | Join::InPlace(_) | Join::Same => {}
            }
        }
        self.end_body();
        self.assign(sets);
    }
}
