//! Loops: counted and conditional, over scalars, over arrays that they consume, and over arrays whose size changes.

use super::scope::{is_array, is_regular, width};
use super::{Facts, Gen};
use norn_ir::nest::{Atom, BinOp, ControlExp, Dim, Exp, LoopForm, Param, Prim, Type, Var};

/// A parameter of a loop in the making.
struct Carried {
    param: Param,
    initial: Atom,
    ty: Type,
}

impl Gen {
    pub(super) fn loop_stm(&mut self) -> Option<()> {
        let bound = self.size();
        let times = self.bound(bound).min(4);
        let is_while = self.one_in(3);
        if !self.affords(times * 12) || self.bound(bound) > 12 {
            return None;
        }
        let times = self.bound(bound);
        let mut carried: Vec<Carried> = Vec::new();
        // Initial values that are consumed share nothing with one another.
        let unique = if self.one_in(2) { self.destination() } else { None };
        let plain = if self.one_in(2) { self.some_array() } else { None };
        let plain = plain.filter(|var| unique.is_none_or(|unique| !self.shares(unique, *var)));
        let sized = if self.one_in(3) { self.some(|ty, _| is_array(ty) && ty.rank() == 1) } else { None };
        let sized = sized.filter(|var| unique.is_none_or(|unique| !self.shares(unique, *var)));
        // A number made of all that the iterations compute.
        let scalar = Prim::I64;
        let start = self.scalar(scalar);
        let inside = self.facts.len() as u32;
        if let Some(var) = unique {
            self.consume(var);
            carried.push(self.carried("u", self.ty(var), var.into(), Facts::default(), true));
        }
        if let Some(var) = plain {
            let facts = Facts { frozen: true, ..self.alias(&[var]) };
            carried.push(self.carried("p", self.ty(var), var.into(), facts, false));
        }
        let number = carried.len();
        carried.push(self.carried("s", Type::scalar(scalar), start, Facts::default(), false));
        let at = carried.len();
        if let Some(var) = sized {
            let n = width(&self.ty(var));
            let facts = Facts { size: Some(self.bound(n)), ..Facts::default() };
            carried.push(self.carried("k", Type::i64(), n, facts, false));
            let ty = self.ty(var).with_dims(vec![Dim::size(carried[at].param.var)]);
            let facts = Facts { frozen: true, ..self.alias(&[var]) };
            carried.push(self.carried("v", ty, var.into(), facts, false));
        }
        let counter = self.size_var("i", times);
        let barrier = std::mem::replace(&mut self.barrier, inside);
        let mark = self.scope.len();
        self.scope.extend(carried.iter().map(|one| one.param.var));
        self.scope.push(counter);
        let form = if is_while {
            LoopForm::While(self.body(|cx| {
                let exp = Exp::bin(BinOp::Lt, Prim::I64, counter.into(), bound);
                vec![cx.emit("go", Type::bool(), exp).into()]
            }))
        } else {
            LoopForm::For(counter, bound)
        };
        let mut yielded = Vec::new();
        let body = self.repeated(times + 1, |cx| {
            cx.body(|cx| {
                let mark = cx.scope.len();
                let count = 1 + cx.rng.below(5);
                cx.stms(count);
                yielded = cx.next_values(&carried, sized.map(|_| at), inside);
                let digest = cx.digest(mark);
                let so_far = carried[number].param.var;
                let sum = Exp::bin(BinOp::Add, Prim::I64, so_far.into(), digest);
                yielded[number] = cx.emit("d", Type::i64(), sum).into();
                let mut all = yielded.clone();
                if is_while {
                    let exp = Exp::bin(BinOp::Add, Prim::I64, counter.into(), Atom::i64(1));
                    all.push(cx.emit("i", Type::i64(), exp).into());
                }
                all
            })
        });
        self.scope.truncate(mark);
        self.barrier = barrier;
        let mut params: Vec<(Param, Atom)> =
            carried.iter().map(|one| (one.param.clone(), one.initial)).collect();
        if is_while {
            params.push((Param::plain(counter), Atom::i64(0)));
        }
        self.results_of_loop(
            &carried,
            &yielded,
            sized.map(|_| at),
            inside,
            is_while,
            Exp::Control(ControlExp::Loop { params, form, body }),
        );
        Some(())
    }

    fn carried(&mut self, name: &str, ty: Type, initial: Atom, facts: Facts, unique: bool) -> Carried {
        let longest = initial.var().map_or(0, |var| self.facts(var).longest);
        let shared = facts.roots.clone();
        let var = self.var(name, ty.clone(), Facts { longest, whole: false, ..facts });
        if !shared.is_empty() {
            self.facts[var.0 as usize].roots.insert(var);
        }
        Carried { param: Param { var, unique }, initial, ty }
    }

    /// What the body yields; an array whose size changes gets no longer.
    fn next_values(&mut self, carried: &[Carried], sized: Option<usize>, inside: u32) -> Vec<Atom> {
        let mut results = Vec::new();
        for (i, one) in carried.iter().enumerate() {
            match sized {
                Some(at) if i == at => {
                    let max = self.bound(one.param.var.into());
                    let elem = carried[at + 1].ty.elem();
                    let fitting = self.all(|ty, _| is_array(ty) && ty.rank() == 1 && ty.elem() == elem);
                    let fitting: Vec<Var> =
                        fitting.into_iter().filter(|var| self.bound(width(&self.ty(*var))) <= max).collect();
                    let next = self.pick(&fitting).unwrap_or(carried[at + 1].param.var);
                    results.push(width(&self.ty(next)));
                    results.push(next.into());
                }
                Some(at) if i == at + 1 => {}
                Some(_) | None => results.push(self.next_value(one)),
            }
        }
        let unique: Vec<bool> = carried.iter().map(|one| one.param.unique).collect();
        self.uniquely(&mut results, &unique, inside);
        results
    }

    /// A row must not become longer from one iteration to the next.
    fn next_value(&mut self, one: &Carried) -> Atom {
        let longest = self.facts(one.param.var).longest;
        let result = self.value(&one.ty);
        match result.var() {
            Some(var) if !is_regular(&one.ty) && one.ty.is_array() && self.facts(var).longest > longest => {
                one.param.var.into()
            }
            Some(_) | None => result,
        }
    }

    fn results_of_loop(
        &mut self,
        carried: &[Carried],
        yielded: &[Atom],
        sized: Option<usize>,
        inside: u32,
        is_while: bool,
        exp: Exp,
    ) {
        let mut outer = std::collections::BTreeSet::new();
        for atom in carried.iter().map(|one| one.initial).chain(yielded.iter().copied()) {
            if let Some(var) = atom.var().filter(|var| self.ty(*var).is_array()) {
                outer.extend(self.facts(var).roots.iter().copied().filter(|root| root.0 < inside));
            }
        }
        let mut vars: Vec<Var> = Vec::new();
        for (i, one) in carried.iter().enumerate() {
            let old = self.facts(one.param.var).clone();
            let mut facts = Facts {
                size: old.size.filter(|_| sized == Some(i)),
                longest: old.longest,
                ..Facts::default()
            };
            let mut ty = one.ty.clone();
            if sized.is_some_and(|at| i == at + 1) {
                ty = ty.with_dims(vec![Dim::size(vars[i - 1])]);
            }
            let shared = ty.is_array() && !one.param.unique;
            facts.frozen = shared;
            let var = self.var("l", ty, facts);
            if shared {
                // Those that were consumed at the start are not among what is shared.
                let alive =
                    outer.iter().copied().filter(|root| !self.facts(*root).consumed).collect::<Vec<_>>();
                self.facts[var.0 as usize].roots.extend(alive);
            }
            vars.push(var);
        }
        if is_while {
            vars.push(self.var("n", Type::i64(), Facts::default()));
        }
        self.bind(&vars, exp);
    }
}
