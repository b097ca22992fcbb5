//! Branches in maps.
//!
//! A condition that is the same for all elements is tested once, outside, and each branch has nests of its own. By a condition
//! that varies the elements are parted: each branch has nests over its own elements only, and what they yield
//! is put together again.
//!
//! ```text
//! map n (cs, xss) \(c, xs) {                let k, ts = partition n (range n, cs) ..   // those with c first
//!   let r = if c { reduce m (xs) .. }       let thens = map k (ts[0:k]) \t { let xs = index xss [t]; reduce m (xs) .. }
//!           else { .. }               ==>   let elses = map (n-k) (ts[k:n-k]) ..
//!   in r                                    let rs = scatter n .. from (ts, concat n (thens, elses)) ..
//! }
//! ```

use super::Distributor;
use super::context::{Context, Home, Stored};
use super::kernel::{Core, Wanted};
use crate::nest::mentions;
use norn_ir::nest::{Atom, BinOp, Body, Dim, DimIndex, Exp, Lambda, Prim, Stm, Type, Var};

impl Distributor<'_, '_> {
    /// Whether it found a way.
    pub fn branch(&mut self, cx: &mut Context, at: u32, stm: &Stm) -> bool {
        if stm.vars.iter().any(|var| !self.can_be_stored(*var)) {
            return false;
        }
        match &stm.exp {
            Exp::If { cond, then, els } if cx.is_outside(*cond) => {
                let (then, then_fresh) = self.outside_branch(cx, stm, then);
                let (els, els_fresh) = self.outside_branch(cx, stm, els);
                let fresh = then_fresh.iter().zip(els_fresh).map(|(a, b)| *a && b).collect();
                self.chosen(cx, at, stm, Exp::If { cond: *cond, then, els }, fresh);
                true
            }
            Exp::If { cond: Atom::Var(cond), then, els } => {
                self.parted(cx, at, stm, *cond, then, els);
                true
            }
            Exp::Switch { scrutinee, cases, default } if cx.is_outside(*scrutinee) => {
                let mut fresh: Vec<bool> = vec![true; stm.vars.len()];
                let mut join =
                    |found: Vec<bool>| fresh.iter_mut().zip(found).for_each(|(all, one)| *all &= one);
                let mut made = Vec::new();
                for (number, body) in cases {
                    let (body, found) = self.outside_branch(cx, stm, body);
                    join(found);
                    made.push((*number, body));
                }
                let (default, found) = self.outside_branch(cx, stm, default);
                join(found);
                self.chosen(cx, at, stm, Exp::Switch { scrutinee: *scrutinee, cases: made, default }, fresh);
                true
            }
            Exp::Switch { scrutinee, cases, default } => {
                let Some(prim) = scrutinee.var().and_then(|var| self.names.ty(var).prim()) else {
                    return false;
                };
                self.case_by_case(cx, at, stm, (prim, *scrutinee), cases, default);
                true
            }
            _ => false,
        }
    }

    /// A choice among several is one among two after the other.
    fn case_by_case(
        &mut self,
        cx: &mut Context,
        at: u32,
        stm: &Stm,
        (prim, scrutinee): (Prim, Atom),
        cases: &[(i64, Body)],
        default: &Body,
    ) {
        let Some(((number, then), others)) = cases.split_first() else {
            // The default is all there is.
            let own = self.names.fresh("always", Type::bool());
            let always = self.stm(vec![own], Exp::Atom(Atom::bool(true)), stm.span);
            self.again(cx, always);
            return self.parted(cx, at, stm, own, default, default);
        };
        let is_it = self.names.fresh("is_it", Type::bool());
        let test = Exp::Bin(BinOp::Eq, prim, scrutinee, Atom::int(prim, i128::from(*number)));
        let test = self.stm(vec![is_it], test, stm.span);
        self.again(cx, test);
        let els = match others {
            [] => default.clone(),
            [..] => {
                let vars = self.names.like(&stm.vars);
                let result = vars.iter().map(|var| Atom::Var(*var)).collect();
                let exp = Exp::Switch { scrutinee, cases: others.to_vec(), default: default.clone() };
                Body { stms: vec![Stm { vars, exp, ..stm.clone() }], result }
            }
        };
        self.parted(cx, at, stm, is_it, then, &els);
    }

    /// The elements are parted by the condition.
    fn parted(&mut self, cx: &mut Context, at: u32, stm: &Stm, cond: Var, then: &Body, els: &Body) {
        let elements = self.elements(cx);
        let count = elements.count;
        let (conds, steps) = self.all_in_one(cx, cond);
        let i64s = |size: Atom| Type::array(Prim::I64, vec![Dim::Size(size)]);
        let range = Exp::iota(count);
        let numbers = self.emit("ts", i64s(count), range);
        let holds = self.names.fresh("holds", Type::i64());
        let parted = self.names.fresh("ts", i64s(count));
        let params = [numbers, conds].map(|array| self.names.row_params(array)[0]);
        let body = Body { stms: Vec::new(), result: vec![params[1].into(), params[0].into()] };
        let lambda = Lambda::new(params.to_vec(), body);
        let exp = Exp::Partition { width: count, inputs: vec![numbers, conds], lambda };
        self.out.push(self.stm(vec![holds, parted], exp, stm.span));
        let others = self.emit("others", Type::i64(), Exp::Bin(BinOp::Sub, Prim::I64, count, holds.into()));

        let mut roots = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut roots);
        mentions::certs(stm, &mut roots);
        stm.vars.iter().for_each(|var| mentions::in_type(&self.names.vars, *var, &mut roots));
        let mut arrays: Vec<Vec<Var>> = Vec::new();
        for (body, start, size) in [(then, Atom::i64(0), holds), (els, holds.into(), others)] {
            let slice = vec![DimIndex::Slice { start, count: size.into(), stride: Atom::i64(1) }];
            let own = self.emit("ts", i64s(size.into()), Exp::Index { array: parted, slice });
            let mut part = self.some_of(cx, &elements, own, &roots);
            arrays.push(self.part(&mut part, stm, body));
        }

        let mut inverse = None;
        let mut merged = Vec::new();
        for (then, els) in arrays[0].clone().into_iter().zip(arrays[1].clone()) {
            let mut dims = self.names.ty(then).dims().to_vec();
            dims[0] = Dim::Size(count);
            let ty = self.names.ty(then).with_dims(dims);
            let name = self.names.name(then);
            let both = self.emit(&name, ty, Exp::Concat { arrays: vec![then, els], size: count });
            let all = self.put_back(parted, numbers, both, &mut inverse);
            merged.push(self.take_apart(all, &steps));
        }
        for (var, array) in stm.vars.iter().zip(merged) {
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array, fresh: true, at }));
        }
    }

    /// The arrays of what a branch yields for its elements.
    fn part(&mut self, part: &mut Context, stm: &Stm, body: &Body) -> Vec<Var> {
        stm.vars.iter().for_each(|var| part.set(*var, Home::Waiting));
        let types: Vec<Type> = stm.vars.iter().map(|var| part.all(self.names.ty(*var))).collect();
        let waiting: Core = self.body(part, body);
        let wanted = body.result.iter().zip(&stm.vars).zip(types);
        let wanted = wanted
            .map(|((value, var), ty)| Wanted { value: *value, name: self.names.name(*var), ty })
            .collect();
        self.results(part, waiting, wanted, 0).into_iter().map(|(array, _)| array).collect()
    }

    /// Row `j` of the array becomes row `places[j]`.
    pub fn put_back(&mut self, places: Var, numbers: Var, array: Var, inverse: &mut Option<Var>) -> Var {
        let ty = self.names.ty(array).clone();
        let width = ty.dims()[0].atom().unwrap_or(Atom::i64(0));
        let name = self.names.name(array);
        let scalar = ty.row().and_then(|row| row.prim());
        if let Some(prim) = scalar {
            return self.scattered(width, prim, places, array);
        }
        let inverse = match *inverse {
            Some(inverse) => inverse,
            None => *inverse.insert(self.scattered(width, Prim::I64, places, numbers)),
        };
        let at = self.names.fresh("t", Type::i64());
        let mut vars = self.names.row_params(array);
        let slice = vec![DimIndex::Fix(at.into())];
        let row = vars[vars.len() - 1];
        let copy = self.names.fresh(&name, self.names.ty(row).clone());
        let stms = vec![
            self.stm(std::mem::take(&mut vars), Exp::Index { array, slice }, self.span),
            self.stm(vec![copy], Exp::Copy(row), self.span),
        ];
        let lambda = Lambda::new(vec![at], Body { stms, result: vec![copy.into()] });
        self.emit(&name, ty, Exp::Map { width, inputs: vec![inverse], lambda })
    }

    /// Scalars each at its place.
    fn scattered(&mut self, width: Atom, prim: Prim, places: Var, values: Var) -> Var {
        let ty = Type::array(prim, vec![Dim::Size(width)]);
        let name = self.names.name(values);
        let dest = self.emit(&name, ty.clone(), Exp::Replicate { count: width, value: Atom::int(prim, 0) });
        let params = [places, values].map(|array| self.names.row_params(array)[0]);
        let body = Body { stms: Vec::new(), result: params.iter().map(|param| (*param).into()).collect() };
        let lambda = Lambda::new(params.to_vec(), body);
        self.emit(&name, ty, Exp::Scatter { width, dests: vec![dest], inputs: vec![places, values], lambda })
    }

    /// The statement outside, whose results are stored.
    fn chosen(&mut self, cx: &mut Context, at: u32, stm: &Stm, exp: Exp, fresh: Vec<bool>) {
        let wanted: Vec<Wanted> = stm.vars.iter().map(|var| self.wanted(cx, *var)).collect();
        let vars: Vec<Var> =
            wanted.into_iter().map(|wanted| self.names.fresh(&wanted.name, wanted.ty)).collect();
        for ((var, array), fresh) in stm.vars.iter().zip(&vars).zip(fresh) {
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array: *array, fresh, at }));
        }
        self.out.push(Stm { vars, certs: Vec::new(), exp, attrs: stm.attrs.clone(), span: stm.span });
    }

    /// A branch distributed; which of its results have memory of their own.
    fn outside_branch(&mut self, cx: &mut Context, stm: &Stm, body: &Body) -> (Body, Vec<bool>) {
        let outer = std::mem::take(&mut self.out);
        let around = cx.clone();
        let since = self.tick();
        stm.vars.iter().for_each(|var| cx.set(*var, Home::Waiting));
        let types: Vec<Type> = stm.vars.iter().map(|var| cx.all(self.names.ty(*var))).collect();
        let waiting = self.body(cx, body);
        let wanted = body.result.iter().zip(&stm.vars).zip(types);
        let wanted = wanted
            .map(|((value, var), ty)| Wanted { value: *value, name: self.names.name(*var), ty })
            .collect();
        let (arrays, fresh): (Vec<Var>, Vec<bool>) =
            self.results(cx, waiting, wanted, since).into_iter().unzip();
        let stms = std::mem::replace(&mut self.out, outer);
        // What is stored in the branch is not there outside.
        *cx = around;
        stm.vars.iter().for_each(|var| cx.set(*var, Home::Waiting));
        (Body { stms, result: arrays.into_iter().map(Atom::Var).collect() }, fresh)
    }
}
