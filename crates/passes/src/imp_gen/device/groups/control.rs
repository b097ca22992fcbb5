//! Loops that all threads of a group go through together.
//!
//! An array that a loop hands on has two places: an iteration reads in one and writes to the other, then they change their parts. An array
//! that iterations only update has one.

use crate::imp_gen::in_place::origin;
use crate::imp_gen::owners::used_in_loop;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Exp, LoopForm as ImpLoopForm, Prim, Type, Var as ImpVar};
use norn_ir::nest::{Atom, Body, LoopForm, Param, Var};
use rustc_hash::FxHashSet;

/// Where a parameter is.
enum ParamHome {
    Scalar(ImpVar),
    /// The array of this iteration, and that of the next one.
    Places(Box<[Array; 2]>),
    /// What it was before the loop, updated.
    InPlace,
}

impl Gen<'_> {
    pub fn group_loop(&mut self, vars: &[Var], params: &[(Param, Atom)], form: &LoopForm, body: &Body) {
        let used = used_in_loop(form, body);
        let mut homes = Vec::with_capacity(params.len());
        for (at, (param, initial)) in params.iter().enumerate() {
            let in_place = origin(&self.fun.vars, body, body.result[at]) == Some(param.var);
            homes.push(self.group_home(param.var, *initial, in_place, &used));
        }
        let mark = self.mark();
        match form {
            LoopForm::For(var, bound) => {
                let prim = self.scalar_prim(*bound);
                let to = self.scalar(*bound).convert(prim, Prim::I64);
                let to = self.code.atom("bound", to);
                let counter = self.code.new_i64(self.name(*var));
                self.code.open();
                self.bind_scalar(*var, Exp::Var(counter).convert(Prim::I64, prim));
                self.group_iteration(params, &homes, body, mark);
                let block = self.code.close();
                self.code.for_(counter, 0, to, ImpLoopForm::Plain, block);
            }
            LoopForm::While(cond) => {
                self.code.open();
                self.note_read();
                self.bind_homes(params, &homes);
                self.begin_body(cond, &[]);
                let mut holds = self.scalar(cond.result[0]);
                if let Some(fine) = self.is_fine() {
                    holds = holds.and(fine);
                }
                let holds = self.code.bind("goes_on", holds);
                self.end_body();
                self.free_from(mark);
                let before = self.code.close();
                self.code.open();
                self.group_iteration(params, &homes, body, mark);
                let block = self.code.close();
                self.code.while_(before, holds, block);
            }
        }
        self.note_read();
        for ((var, (param, _)), home) in vars.iter().zip(params).zip(homes) {
            let value = match home {
                ParamHome::Scalar(scalar) => Repr::Scalar(scalar.into()),
                ParamHome::Places(places) => {
                    let [now, _] = *places;
                    Repr::Array(now)
                }
                ParamHome::InPlace => self.repr(param.var).clone(),
            };
            self.bind(*var, value);
        }
    }

    fn group_home(&mut self, param: Var, initial: Atom, in_place: bool, used: &FxHashSet<Var>) -> ParamHome {
        match self.value(initial) {
            Repr::Scalar(value) => {
                let scalar =
                    self.code.new_var(self.name(param), Type::Scalar(self.scalar_prim(param.into())));
                self.code.set(scalar, value);
                ParamHome::Scalar(scalar)
            }
            Repr::Array(array) if in_place => {
                self.env.insert(param, Repr::Array(array));
                ParamHome::InPlace
            }
            Repr::Array(mut array) => {
                let owner = array.data.owner.filter(|_| array.is_row_major());
                let now = match owner.is_some_and(|owner| self.owners.take_dying(owner, used)) {
                    // Nobody else needs it any more.
                    true => {
                        array.data.ptr = self.code.bind(self.name(param), array.data.ptr).into();
                        array.borrowed()
                    }
                    false => {
                        let now = self.place_like(param);
                        self.group_copy(&now, &array);
                        now
                    }
                };
                let next = self.place_like(param);
                ParamHome::Places(Box::new([now, next]))
            }
            Repr::Acc(_) | Repr::Region(_) | Repr::Cert => {
                panic!("imp_gen: a group hands on what is no value")
            }
        }
    }

    /// Memory for an array of a variable's type, by a pointer that can be changed.
    pub fn place_like(&mut self, var: Var) -> Array {
        let ty = self.ty(var);
        let sizes: Vec<Exp> = self.sizes(ty.dims()).into_iter().flatten().collect();
        let prim = prim_of(ty.elem().expect("imp_gen: a place for no values"));
        self.new_array_named(self.name(var), prim, &sizes, "loop")
    }

    fn bind_homes(&mut self, params: &[(Param, Atom)], homes: &[ParamHome]) {
        for ((param, _), home) in params.iter().zip(homes) {
            let value = match home {
                ParamHome::Scalar(scalar) => Repr::Scalar((*scalar).into()),
                ParamHome::Places(places) => Repr::Array(places[0].clone()),
                ParamHome::InPlace => continue,
            };
            self.env.insert(param.var, value);
        }
    }

    fn group_iteration(&mut self, params: &[(Param, Atom)], homes: &[ParamHome], body: &Body, mark: ImpVar) {
        // Whoever is still in the iteration before may read.
        self.note_read();
        self.bind_homes(params, homes);
        let mut targets: Vec<(Atom, Option<Array>)> = Vec::with_capacity(homes.len());
        for (home, result) in homes.iter().zip(&body.result) {
            targets.push(match home {
                ParamHome::Places(places) => (*result, Some(places[1].clone())),
                ParamHome::Scalar(_) | ParamHome::InPlace => (*result, None),
            });
        }
        let mut sets = Vec::new();
        self.run_body(body, &targets, &mut |this| {
            for (home, (result, _)) in homes.iter().zip(&targets) {
                match home {
                    ParamHome::Scalar(scalar) => sets.push((*scalar, this.scalar(*result))),
                    ParamHome::Places(places) => {
                        let [now, next] = &**places;
                        this.deliver(*result, next);
                        let (Exp::Var(now), Exp::Var(next)) = (&now.data.ptr, &next.data.ptr) else {
                            panic!("imp_gen: a place that cannot be changed")
                        };
                        sets.push((*now, Exp::Var(*next)));
                        sets.push((*next, Exp::Var(*now)));
                    }
                    ParamHome::InPlace => {}
                }
            }
        });
        self.assign(sets);
        self.free_from(mark);
    }
}
