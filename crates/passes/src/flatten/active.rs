//! Loops in maps that run more often for some elements than for others: one loop outside, over the active elements, those that are not
//! done yet.
//!
//! ```text
//! map n (xs) \(x) {                          loop (k = n, ts = 0 .. n-1, ys = xs, rs = xs) while k > 0 {
//!   let r = loop (y = x) while c y {           let cs = map k (ys) c
//!     f y                              ==>     let rs' = rs with ys at those ts where c does not hold
//!   }                                          let k', ts' = those ts where c holds       // compaction
//!   in r                                       let ys' = map k' (..) f
//! }                                            in k', ts', ys', rs'
//! ```
//!
//! So each iteration does work only for the elements that need it. A result of one size for all elements is scattered to its place when its
//! element is done; rows of different lengths have no places before all are done. They are kept in the order in which they came, and permuted once
//! at the end.

use super::Distributor;
use super::context::{Context, Home, Stored};
use super::kernel::{Core, Demand};
use crate::nest::mentions;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Param, Prim,
    Stm, Type, UnOp, Var,
};

impl Distributor<'_, '_> {
    /// Whether it found a way.
    pub fn varying_loop(&mut self, cx: &mut Context, at: u32, stm: &Stm) -> bool {
        let Exp::Control(ControlExp::Loop { params, form, body }) = &stm.exp else { return false };
        let Some(uneven) = self.rows_of_own_length(cx, params).filter(|_| !params.is_empty()) else {
            return false;
        };
        let mut roots = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut roots);
        mentions::certs(stm, &mut roots);
        let elements = self.elements(cx);
        let count = elements.count;

        // Initial values of all elements, one after the other.
        let types = self.stored_types(&mut cx.clone(), params);
        let demands: Vec<Demand> = params
            .iter()
            .zip(types)
            .map(|((param, initial), ty)| Demand { value: *initial, name: self.names.name(param.var), ty })
            .collect();
        let initial = self.results(cx, Core::new(), demands.clone(), u32::MAX);
        let mut steps = Vec::new();
        let mut all: Vec<Var> = Vec::new();
        for ((array, _), demand) in initial.into_iter().zip(&demands) {
            let array = self.in_pattern(array, demand);
            let (flat, found) = self.in_one_dimension(array, cx.depth());
            steps = found;
            all.push(flat);
        }
        let i64s = |size: Atom| Type::array(Prim::I64, vec![Dim::Size(size)]);
        let range = Exp::iota(count);
        let numbers = self.emit("ts", i64s(count), range);

        // What the loop hands on.
        let active = self.names.fresh("active", Type::i64());
        let places = self.names.fresh("ts", i64s(active.into()));
        let mut handed: Vec<(Param, Atom)> =
            vec![(Param::plain(active), count), (Param::plain(places), numbers.into())];
        let mut current = Vec::new();
        let mut done = Vec::new();
        for flat in &all {
            let own = self.names.fresh(&self.names.name(*flat), self.with_rows(*flat, active.into()));
            current.push(own);
            handed.push((Param::plain(own), (*flat).into()));
        }
        let those_that = |are_uneven: bool, arrays: &[Var]| -> Vec<Var> {
            let chosen = arrays.iter().zip(&uneven).filter(|(_, uneven)| **uneven == are_uneven);
            chosen.map(|(array, _)| *array).collect()
        };
        for flat in those_that(false, &all) {
            let (name, ty) = (self.names.name(flat), self.names.ty(flat).clone());
            let copy = self.emit(&name, ty.clone(), Exp::copy(flat));
            let own = self.names.fresh(&name, ty);
            done.push(own);
            handed.push((Param::unique(own), copy.into()));
        }
        let even_end = handed.len();
        let came = self.none_came(&those_that(true, &all), &mut handed);
        let came_end = handed.len();
        let counter = match form {
            LoopForm::For(counter, bound) => {
                let prim = self.prim_of(*bound);
                handed.push((Param::plain(*counter), Atom::int(prim, 0)));
                Some((*counter, prim))
            }
            LoopForm::While(_) => None,
        };

        let outer = std::mem::take(&mut self.out);
        let mut part = self.some_of(cx, &elements, places, &roots);
        for ((param, _), own) in params.iter().zip(&current) {
            part.set(param.var, Home::Stored(Stored { level: 1, array: *own, fresh: false, at }));
        }
        let goes_on = self.goes_on(&mut part, form);
        let done = self.write_done(active, places, goes_on, &those_that(false, &current), &done);
        let (left, left_places, left_rows) = self.those(active, places, goes_on, true);
        let came = self.come((active, left, places, goes_on), &those_that(true, &current), came);

        // An iteration, for those that are left.
        let mut part = self.some_of(cx, &elements, left_places, &roots);
        let row = self.names.fresh("row", Type::i64());
        part.add_input(left_rows, row);
        for ((param, _), own) in params.iter().zip(&current) {
            let slice = vec![DimIndex::Fix(row.into())];
            let mut vars = vec![param.var];
            if self.names.ty(*own).has_irregular_rows() {
                vars.insert(0, self.names.fresh("length", Type::i64()));
                part.rows.insert(param.var);
            }
            let stm = self.stm(vars, Exp::index(*own, slice), self.span);
            self.again(&mut part, stm);
        }
        let waiting = self.body(&mut part, body);
        let demands: Vec<Demand> = params
            .iter()
            .zip(&body.result)
            .map(|((param, _), value)| Demand {
                value: *value,
                name: self.names.name(param.var),
                ty: part.all(self.names.ty(param.var)),
            })
            .collect();
        let next = self.results(&mut part, waiting, demands, 0);
        let mut result: Vec<Atom> = vec![left.into(), left_places.into()];
        result.extend(next.into_iter().map(|(array, _)| Atom::Var(array)));
        result.extend(done.iter().chain(&came).map(|array| Atom::Var(*array)));
        if let Some((counter, prim)) = counter {
            let exp = Exp::bin(BinOp::Add, prim, counter.into(), Atom::int(prim, 1));
            result.push(self.emit("next", Type::scalar(prim), exp).into());
        }
        let stms = std::mem::replace(&mut self.out, outer);

        let some = self.names.fresh("some", Type::bool());
        let test =
            self.stm(vec![some], Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(0), active.into()), stm.span);
        let cond = Body { stms: vec![test], result: vec![some.into()] };
        let mut vars = Vec::new();
        let mut sizes = crate::nest::subst::Subst::default();
        for (param, _) in &handed {
            let var = self.names.fresh(&self.names.name(param.var), self.names.ty(param.var).clone());
            sizes.types_of(&mut self.names.vars, &[var]);
            sizes.set(param.var, var);
            vars.push(var);
        }
        let exp = Exp::Control(ControlExp::Loop {
            params: handed,
            form: LoopForm::While(cond),
            body: Body { stms, result },
        });
        self.out.push(Stm { attrs: stm.attrs.clone(), ..Stm::new(vars.clone(), exp, stm.span) });
        let mut even = vars[2 + params.len()..even_end].iter().copied();
        let mut rows = self.in_place(count, numbers, &vars[even_end..came_end]).into_iter();
        for (var, uneven) in stm.vars.iter().zip(&uneven) {
            let Some(array) = (if *uneven { rows.next() } else { even.next() }) else { break };
            let array = self.take_apart(array, &steps);
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array, fresh: true, at }));
        }
        true
    }

    fn prim_of(&self, atom: Atom) -> Prim {
        match atom {
            Atom::Var(var) => self.names.ty(var).prim().unwrap_or(Prim::I64),
            Atom::Const(scalar) => scalar.prim(),
        }
    }

    /// Of each element, whether there is another iteration.
    fn goes_on(&mut self, part: &mut Context, form: &LoopForm) -> Var {
        let (value, waiting) = match form {
            LoopForm::For(counter, bound) => {
                let prim = self.prim_of(*bound);
                let less = self.names.fresh("less", Type::bool());
                let stm =
                    self.stm(vec![less], Exp::bin(BinOp::Lt, prim, (*counter).into(), *bound), self.span);
                self.again(part, stm);
                (less.into(), Core::new())
            }
            LoopForm::While(cond) => {
                let waiting = self.body(part, cond);
                (cond.result[0], waiting)
            }
        };
        let demand = Demand { value, name: "goes_on".into(), ty: part.all(&Type::bool()) };
        self.results(part, waiting, vec![demand], u32::MAX)[0].0
    }

    /// The values of elements that are done, at the places of these.
    fn write_done(
        &mut self,
        active: Var,
        places: Var,
        goes_on: Var,
        current: &[Var],
        done: &[Var],
    ) -> Vec<Var> {
        let mut written = Vec::new();
        for (current, done) in current.iter().zip(done) {
            let [place, on] = [places, goes_on].map(|array| self.names.row_params(array)[0]);
            let value = self.names.row_params(*current)[0];
            // Nothing is written at -1.
            let at = self.names.fresh("at", Type::i64());
            let then = Body { stms: Vec::new(), result: vec![Atom::i64(-1)] };
            let els = Body { stms: Vec::new(), result: vec![place.into()] };
            let stms = vec![self.stm(vec![at], Exp::if_(on.into(), then, els), self.span)];
            let body = Body { stms, result: vec![at.into(), value.into()] };
            let exp = Exp::Op(Operator::Scatter {
                width: active.into(),
                dests: vec![*done],
                inputs: vec![places, goes_on, *current],
                lambda: Lambda::new(vec![place, on, value], body),
            });
            let ty = self.names.ty(*done).clone();
            written.push(self.emit(&self.names.name(*done), ty, exp));
        }
        written
    }

    /// Those that go on, or those that do not: how many, their places among all, and among those that were active.
    fn those(&mut self, active: Var, places: Var, goes_on: Var, going_on: bool) -> (Var, Var, Var) {
        let i64s = |size: Var| Type::array(Prim::I64, vec![Dim::size(size)]);
        let range = Exp::iota(active);
        let rows = self.emit("rows", i64s(active), range);
        let [place, on, row] = [places, goes_on, rows].map(|array| self.names.row_params(array)[0]);
        let mut stms = Vec::new();
        let mut kept = on;
        if !going_on {
            kept = self.names.fresh("done", Type::bool());
            stms.push(self.stm(vec![kept], Exp::un(UnOp::Not, Prim::Bool, on.into()), self.span));
        }
        let body = Body { stms, result: vec![kept.into(), place.into(), row.into()] };
        let left = self.names.fresh("left", Type::i64());
        let left_places = self.names.fresh("ts", i64s(left));
        let left_rows = self.names.fresh("rows", i64s(left));
        let exp =
            Exp::filter(active.into(), vec![places, goes_on, rows], Lambda::new(vec![place, on, row], body));
        self.out.push(self.stm(vec![left, left_places, left_rows], exp, self.span));
        (left, left_places, left_rows)
    }

    /// Of each parameter of a loop, whether its rows have lengths of their own. None if not even that is all there is to say.
    fn rows_of_own_length(&self, cx: &Context, params: &[(Param, Atom)]) -> Option<Vec<bool>> {
        let is_even = |dim: &Dim| {
            dim.atom().is_some_and(|size| {
                cx.is_outside(size) && !params.iter().any(|(param, _)| Atom::Var(param.var) == size)
            })
        };
        let uneven = |(param, _): &(Param, Atom)| match self.names.ty(param.var).dims() {
            [] => Some(false),
            [first, others @ ..] if others.iter().all(|dim| is_even(dim) || *dim == Dim::Irregular) => {
                Some(!is_even(first) || others.contains(&Dim::Irregular))
            }
            [..] => None,
        };
        params.iter().map(uneven).collect()
    }

    /// The type of an array like this one with so many rows.
    pub fn with_rows(&self, array: Var, rows: Atom) -> Type {
        let ty = self.names.ty(array);
        ty.with_dims([&[Dim::Size(rows)], &ty.dims()[1..]].concat())
    }

    /// What the loop hands on of rows of different lengths whose elements are done: how many there are, whose they are, and for each of these arrays
    /// the rows. There are none at first.
    fn none_came(&mut self, arrays: &[Var], handed: &mut Vec<(Param, Atom)>) -> Vec<Var> {
        if arrays.is_empty() {
            return Vec::new();
        }
        let count = self.names.fresh("came", Type::i64());
        handed.push((Param::plain(count), Atom::i64(0)));
        let i64s = |size: Atom| Type::array(Prim::I64, vec![Dim::Size(size)]);
        let mut came = vec![count];
        let types = arrays.iter().map(|array| {
            (self.names.name(*array), [Atom::i64(0), count.into()].map(|rows| self.with_rows(*array, rows)))
        });
        let whose = ("ts".into(), [Atom::i64(0), count.into()].map(i64s));
        let types: Vec<(String, [Type; 2])> = [whose].into_iter().chain(types).collect();
        for (name, [none, ty]) in types {
            let none = self.emit(&name, none, Exp::array(Vec::new()));
            let own = self.names.fresh(&name, ty);
            handed.push((Param::plain(own), none.into()));
            came.push(own);
        }
        came
    }

    /// Those that are done come to what came before, if there are any.
    fn come(
        &mut self,
        (active, left, places, goes_on): (Var, Var, Var, Var),
        current: &[Var],
        came: Vec<Var>,
    ) -> Vec<Var> {
        let [count, before @ ..] = &came[..] else { return came };
        let some = Exp::bin(BinOp::Lt, Prim::I64, left.into(), active.into());
        let some = self.emit("some", Type::bool(), some);
        let outer = std::mem::take(&mut self.out);
        let (new, numbers, rows) = self.those(active, places, goes_on, false);
        let mut added = vec![numbers];
        for array in current {
            added.push(self.rows_at(*array, rows));
        }
        let all = Exp::bin(BinOp::Add, Prim::I64, (*count).into(), new.into());
        let all = self.emit("came", Type::i64(), all);
        let mut result = vec![Atom::Var(all)];
        for (before, added) in before.iter().zip(added) {
            let ty = self.with_rows(*before, all.into());
            let exp = Exp::Array(ArrayExp::Concat { arrays: vec![*before, added], size: all.into() });
            result.push(self.emit(&self.names.name(*before), ty, exp).into());
        }
        let then = Body { stms: std::mem::replace(&mut self.out, outer), result };
        let els = Body { stms: Vec::new(), result: came.iter().map(|var| Atom::Var(*var)).collect() };
        let all = self.names.fresh("came", Type::i64());
        let mut vars = vec![all];
        for before in before {
            let ty = self.with_rows(*before, all.into());
            vars.push(self.names.fresh(&self.names.name(*before), ty));
        }
        let exp = Exp::if_(some.into(), then, els);
        self.out.push(self.stm(vars.clone(), exp, self.span));
        vars
    }

    /// Rows that came in some order, now that all have come: in that of their elements.
    fn in_place(&mut self, count: Atom, numbers: Var, came: &[Var]) -> Vec<Var> {
        let [_, whose, rows @ ..] = came else { return Vec::new() };
        let mut as_many = |array: &Var| {
            let ty = self.with_rows(*array, count);
            self.emit(&self.names.name(*array), ty.clone(), Exp::coerce(*array, ty.dims().to_vec()))
        };
        let whose = as_many(whose);
        let rows: Vec<Var> = rows.iter().map(as_many).collect();
        let mut inverse = None;
        rows.into_iter().map(|array| self.put_back(whose, numbers, array, &mut inverse)).collect()
    }
}
