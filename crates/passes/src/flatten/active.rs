//! Loops in maps that run more often for some elements than for others: one loop outside, over those elements that are not
//! done yet.
//!
//! ```text
//! map n (xs) \(x) {                          loop (k = n, ts = 0 .. n-1, ys = xs, rs = xs) while k > 0 {
//!   let r = loop (y = x) while c y {           let cs = map k (ys) c
//!     f y                              ==>     let rs' = rs with ys at those ts where c does not hold
//!   }                                          let k', ts' = those ts where c holds
//!   in r                                       let ys' = map k' (..) f
//! }                                            in k', ts', ys', rs'
//! ```
//!
//! So each iteration does work for the elements that need it, and for no others.

use super::Distributor;
use super::context::{Context, Home, Stored};
use super::kernel::{Core, Wanted};
use crate::nest::mentions;
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Param, Prim, Stm, Type,
    Var,
};

impl Distributor<'_, '_> {
    /// Whether it found a way.
    pub fn varying_loop(&mut self, cx: &mut Context, at: u32, stm: &Stm) -> bool {
        let Exp::Control(ControlExp::Loop { params, form, body }) = &stm.exp else { return false };
        // Results are written where their element has its place, so all are of one size.
        let even = |this: &Self, var: Var| {
            let dims = this.names.ty(var).dims();
            dims.iter().all(|dim| {
                dim.atom().is_some_and(|size| {
                    cx.is_outside(size) && !params.iter().any(|(param, _)| Atom::Var(param.var) == size)
                })
            })
        };
        if params.is_empty() || !params.iter().all(|(param, _)| even(self, param.var)) {
            return false;
        }
        let mut roots = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut roots);
        mentions::certs(stm, &mut roots);
        let elements = self.elements(cx);
        let count = elements.count;

        // Initial values of all elements, one after the other.
        let wanted: Vec<Wanted> = params
            .iter()
            .map(|(param, initial)| Wanted {
                value: *initial,
                name: self.names.name(param.var),
                ty: cx.all(self.names.ty(param.var)),
            })
            .collect();
        let initial = self.results(cx, Core::new(), wanted, u32::MAX);
        let mut steps = Vec::new();
        let mut all: Vec<Var> = Vec::new();
        for (array, _) in initial {
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
        for ((param, _), flat) in params.iter().zip(&all) {
            let name = self.names.name(param.var);
            let row = self.names.ty(param.var).clone();
            let own = self.names.fresh(&name, row.array_of(Dim::size(active)));
            current.push(own);
            handed.push((Param::plain(own), (*flat).into()));
        }
        for ((param, _), flat) in params.iter().zip(&all) {
            let name = self.names.name(param.var);
            let ty = self.names.ty(param.var).array_of(Dim::Size(count));
            let copy = self.emit(&name, ty.clone(), Exp::copy(*flat));
            let own = self.names.fresh(&name, ty);
            done.push(own);
            handed.push((Param::unique(own), copy.into()));
        }
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
        let done = self.write_done(active, places, goes_on, &current, &done);
        let (left, left_places, left_rows) = self.those_left(active, places, goes_on);

        // An iteration, for those that are left.
        let mut part = self.some_of(cx, &elements, left_places, &roots);
        let row = self.names.fresh("row", Type::i64());
        part.add_input(left_rows, row);
        for ((param, _), own) in params.iter().zip(&current) {
            let slice = vec![DimIndex::Fix(row.into())];
            let stm = self.stm(vec![param.var], Exp::index(*own, slice), self.span);
            self.again(&mut part, stm);
        }
        let waiting = self.body(&mut part, body);
        let wanted: Vec<Wanted> = params
            .iter()
            .zip(&body.result)
            .map(|((param, _), value)| Wanted {
                value: *value,
                name: self.names.name(param.var),
                ty: part.all(self.names.ty(param.var)),
            })
            .collect();
        let next = self.results(&mut part, waiting, wanted, 0);
        let mut result: Vec<Atom> = vec![left.into(), left_places.into()];
        result.extend(next.into_iter().map(|(array, _)| Atom::Var(array)));
        result.extend(done.iter().map(|array| Atom::Var(*array)));
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
        let results: Vec<Var> = vars[2 + params.len()..2 + 2 * params.len()].to_vec();
        let exp = Exp::Control(ControlExp::Loop {
            params: handed,
            form: LoopForm::While(cond),
            body: Body { stms, result },
        });
        self.out.push(Stm { attrs: stm.attrs.clone(), ..Stm::new(vars, exp, stm.span) });
        for (var, array) in stm.vars.iter().zip(results) {
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
        let wanted = Wanted { value, name: "goes_on".into(), ty: part.all(&Type::bool()) };
        self.results(part, waiting, vec![wanted], u32::MAX)[0].0
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

    /// Those that go on: how many, their places among all, and among those that were active.
    fn those_left(&mut self, active: Var, places: Var, goes_on: Var) -> (Var, Var, Var) {
        let i64s = |size: Var| Type::array(Prim::I64, vec![Dim::size(size)]);
        let range = Exp::iota(active);
        let rows = self.emit("rows", i64s(active), range);
        let [place, on, row] = [places, goes_on, rows].map(|array| self.names.row_params(array)[0]);
        let body = Body { stms: Vec::new(), result: vec![on.into(), place.into(), row.into()] };
        let left = self.names.fresh("left", Type::i64());
        let left_places = self.names.fresh("ts", i64s(left));
        let left_rows = self.names.fresh("rows", i64s(left));
        let exp =
            Exp::filter(active.into(), vec![places, goes_on, rows], Lambda::new(vec![place, on, row], body));
        self.out.push(self.stm(vec![left, left_places, left_rows], exp, self.span));
        (left, left_places, left_rows)
    }
}
