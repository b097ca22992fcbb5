//! Branches in maps.
//!
//! A condition that is the same for all elements is tested once, outside, and each branch has nests of its own. By a condition
//! that varies the elements are parted: each branch has nests over its own elements only, and what they yield
//! is assembled from the parts.
//!
//! ```text
//! map n (cs, xss) \(c, xs) {                let k, ts = partition n (range n, cs) ..   // those with c first
//!   let r = if c { reduce m (xs) .. }       let thens = map k (ts[0:k]) \t { let xs = index xss [t]; reduce m (xs) .. }
//!           else { .. }               ==>   let elses = map (n-k) (ts[k:n-k]) ..
//!   in r                                    let at = .. scan n (cs) ..                      // where each element is among the parts
//! }                                         let rs = map n (at) \j { if j < k { thens[j] } else { elses[j - k] } }
//! ```
//!
//! A chain of conditions (`else if`, or the cases of a `switch`) parts the elements into as many pieces as there are branches,
//! which are concatenated once, at the end: not once at each condition, for all columns each time.

use super::Distributor;
use super::body::{Rest, Strategy};
use super::context::{Context, Home, Stored};
use super::kernel::{Core, Demand};
use super::parts::Elements;
use super::picked_rows::{PartResult, has_plain_rows};
use crate::nest::mentions;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Elem, Exp, Lambda, Operator, Prim, Stm, Type, Var,
};

/// What a branch yields for some of the elements.
struct Piece {
    /// The numbers of these.
    numbers: Var,
    /// For each result of the statement, what it is for each of them.
    yielded: Vec<PartResult>,
}

/// The numbers of all elements, as they were and as they are after they were parted.
struct Split {
    numbers: Var,
    places: Var,
    /// By what, and for how many it holds.
    conds: Var,
    holds: Var,
}

fn numbers_of(size: Atom) -> Type {
    Type::array(Prim::I64, vec![Dim::Size(size)])
}

/// The body of a branch that yields, in place of its own results, what the body around the branch yields. The branch binds these
/// variables there.
fn instead_of(vars: &[Var], branch: Body, around: &[Atom]) -> Body {
    let result = around.iter().map(|atom| {
        let own = atom.var().and_then(|var| vars.iter().position(|own| *own == var));
        own.map_or(*atom, |own| branch.result[own])
    });
    Body { result: result.collect(), stms: branch.stms }
}

impl Distributor<'_, '_> {
    /// Whether it found a way.
    pub fn branch(&mut self, cx: &mut Context, at: u32, stm: &Stm) -> bool {
        if stm.vars.iter().any(|var| !self.can_be_stored(*var)) {
            return false;
        }
        match &stm.exp {
            Exp::Control(ControlExp::If { cond, then, els }) if cx.is_outside(*cond) => {
                let (then, then_fresh) = self.outside_branch(cx, stm, then);
                let (els, els_fresh) = self.outside_branch(cx, stm, els);
                let fresh = then_fresh.iter().zip(els_fresh).map(|(a, b)| *a && b).collect();
                self.chosen(cx, at, stm, Exp::if_(*cond, then, els), fresh);
                true
            }
            Exp::Control(ControlExp::If { cond: Atom::Var(cond), then, els }) => {
                self.parted(cx, at, stm, *cond, then, els);
                true
            }
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) if cx.is_outside(*scrutinee) => {
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
                self.chosen(
                    cx,
                    at,
                    stm,
                    Exp::Control(ControlExp::Switch { scrutinee: *scrutinee, cases: made, default }),
                    fresh,
                );
                true
            }
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) => {
                let Some(prim) = scrutinee.var().and_then(|var| self.names.ty(var).prim()) else {
                    return false;
                };
                let (is_it, then, els) = self.first_case(cx, stm, (prim, *scrutinee), cases, default);
                self.parted(cx, at, stm, is_it, &then, &els);
                true
            }
            _ => false,
        }
    }

    /// A choice among several is one among two after the other: the test for the first case, its body, and all that
    /// is left.
    fn first_case(
        &mut self,
        cx: &mut Context,
        stm: &Stm,
        (prim, scrutinee): (Prim, Atom),
        cases: &[(i64, Body)],
        default: &Body,
    ) -> (Var, Body, Body) {
        let Some(((number, then), others)) = cases.split_first() else {
            // The default is all there is.
            let own = self.names.fresh("always", Type::bool());
            let always = self.stm(vec![own], Exp::atom(Atom::bool(true)), stm.span);
            self.again(cx, always);
            return (own, default.clone(), default.clone());
        };
        let is_it = self.names.fresh("is_it", Type::bool());
        let test = Exp::bin(BinOp::Eq, prim, scrutinee, Atom::int(prim, i128::from(*number)));
        let test = self.stm(vec![is_it], test, stm.span);
        self.again(cx, test);
        let els = match others {
            [] => default.clone(),
            [..] => {
                let vars = self.names.like(&stm.vars);
                let result = vars.iter().map(|var| Atom::Var(*var)).collect();
                let exp = Exp::Control(ControlExp::Switch {
                    scrutinee,
                    cases: others.to_vec(),
                    default: default.clone(),
                });
                Body { stms: vec![Stm { vars, exp, ..stm.clone() }], result }
            }
        };
        (is_it, then.clone(), els)
    }

    /// The elements are parted by the condition. A branch that ends in a branch that varies is parted further: what
    /// all of them yield is concatenated once.
    fn parted(&mut self, cx: &mut Context, at: u32, stm: &Stm, cond: Var, then: &Body, els: &Body) {
        let elements = self.elements(cx);
        let count = elements.count;
        let (conds, steps) = self.all_in_one(cx, cond);
        let mut pieces = Vec::new();
        let first = self.part_by(cx, &elements, None, (stm, stm), (conds, [then, els]), &mut pieces);
        let places = match &pieces[..] {
            [_, _] => first.places,
            [..] => {
                let arrays = pieces.iter().map(|piece| piece.numbers).collect();
                self.emit("ts", numbers_of(count), Exp::Array(ArrayExp::Concat { arrays, size: count }))
            }
        };

        let mut inverse = None;
        let mut merged = Vec::new();
        for (i, var) in stm.vars.iter().enumerate() {
            let parts: Vec<PartResult> = pieces.iter().map(|piece| piece.yielded[i].clone()).collect();
            let (name, own) = (self.names.name(*var), self.names.ty(*var));
            let (prim, elem) = (own.prim(), own.elem());
            let plain = parts.iter().all(|part| match part {
                PartResult::Array(array) => has_plain_rows(self.names.ty(*array)),
                PartResult::Row(_) => true,
            });
            let mut inverse_of = |this: &mut Self| {
                *inverse.get_or_insert_with(|| match pieces.len() {
                    2 => this.places_after(count, &first),
                    _ => this.scattered(count, Prim::I64, places, first.numbers),
                })
            };
            let all = match (prim, elem) {
                (Some(prim), _) => {
                    let inverse = inverse_of(self);
                    let arrays: Vec<Var> = parts.iter().map(PartResult::array).collect();
                    self.picked(count, prim, inverse, &arrays)
                }
                (None, Some(Elem::Prim(prim))) if plain => {
                    let inverse = inverse_of(self);
                    self.picked_rows(count, inverse, &parts, &name, prim)
                }
                (None, _) => {
                    let arrays: Vec<Var> = parts.iter().map(PartResult::array).collect();
                    let ty = self.with_rows(arrays[0], count);
                    let all = self.emit(&name, ty, Exp::Array(ArrayExp::Concat { arrays, size: count }));
                    self.put_back(places, first.numbers, all, &mut inverse)
                }
            };
            merged.push(self.take_apart(all, &steps));
        }
        for (var, array) in stm.vars.iter().zip(merged) {
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array, fresh: true, at }));
        }
    }

    /// Two parts of the elements, for the branches of `inner`, which yield what the statement `stm` does. The
    /// elements are those with these numbers among those of `stm`, or all of them.
    fn part_by(
        &mut self,
        cx: &mut Context,
        elements: &Elements,
        among: Option<Var>,
        (stm, inner): (&Stm, &Stm),
        (conds, branches): (Var, [&Body; 2]),
        pieces: &mut Vec<Piece>,
    ) -> Split {
        let count = elements.count;
        let numbers = self.emit("ts", numbers_of(count), Exp::iota(count));
        let holds = self.names.fresh("holds", Type::i64());
        let parted = self.names.fresh("ts", numbers_of(count));
        let params = [numbers, conds].map(|array| self.names.row_params(array)[0]);
        let body = Body { stms: Vec::new(), result: vec![params[1].into(), params[0].into()] };
        let lambda = Lambda::new(params.to_vec(), body);
        let exp = Exp::Op(Operator::Partition { width: count, inputs: vec![numbers, conds], lambda });
        self.out.push(self.stm(vec![holds, parted], exp, inner.span));
        let others = self.emit("others", Type::i64(), Exp::bin(BinOp::Sub, Prim::I64, count, holds.into()));

        let mut roots = Vec::new();
        mentions::in_stm(&self.names.vars, inner, &mut roots);
        branches.iter().for_each(|body| mentions::in_atoms(&body.result, &mut roots));
        mentions::certs(inner, &mut roots);
        for var in stm.vars.iter().chain(&inner.vars) {
            mentions::in_type(&self.names.vars, *var, &mut roots);
        }
        let [then, els] = branches;
        for (body, start, size) in [(then, Atom::i64(0), holds), (els, holds.into(), others)] {
            let slice = vec![DimIndex::Slice { start, count: size.into(), stride: Atom::i64(1) }];
            let own = self.emit("ts", numbers_of(size.into()), Exp::index(parted, slice));
            let mut part = self.some_of(cx, elements, own, &roots);
            let numbers = match among {
                None => own,
                Some(among) => self.looked_up(among, own),
            };
            self.part(&mut part, numbers, stm, body, pieces);
        }
        Split { numbers, places: parted, conds, holds }
    }

    /// What a branch yields for its elements, in pieces if it ends in a branch itself.
    fn part(&mut self, part: &mut Context, numbers: Var, stm: &Stm, body: &Body, pieces: &mut Vec<Piece>) {
        stm.vars.iter().for_each(|var| part.set(*var, Home::Waiting));
        let types: Vec<Type> = stm.vars.iter().map(|var| part.all(self.names.ty(*var))).collect();
        let mut waiting = Core::new();
        for (number, own) in body.stms.iter().enumerate() {
            let rest = Rest { stms: &body.stms[number..], result: &body.result, after: None };
            if number + 1 == body.stms.len()
                && let Some((cond, then, els)) = self.last_branch(part, own)
            {
                self.span = own.span;
                self.note(own);
                self.flush(part, &rest, &mut waiting);
                own.vars.iter().for_each(|var| part.set(*var, Home::Waiting));
                let elements = self.elements(part);
                let (conds, _) = self.all_in_one(part, cond);
                let [then, els] = [then, els].map(|branch| instead_of(&own.vars, branch, &body.result));
                self.part_by(part, &elements, Some(numbers), (stm, own), (conds, [&then, &els]), pieces);
                return;
            }
            self.statement(part, own, &rest, &mut waiting);
        }
        let demands = body.result.iter().zip(&stm.vars).zip(types);
        let demands: Vec<Demand> = demands
            .map(|((value, var), ty)| Demand { value: *value, name: self.names.name(*var), ty })
            .collect();
        let there: Vec<_> = demands.iter().map(|demand| self.row_there(part, demand)).collect();
        let made = demands.into_iter().zip(&there).filter(|(_, there)| there.is_none());
        let made = made.map(|(demand, _)| demand).collect();
        let mut made = self.results(part, waiting, made, 0).into_iter().map(|(array, _)| array);
        let yielded = there.into_iter().filter_map(|there| match there {
            Some(there) => Some(PartResult::Row(there)),
            None => made.next().map(PartResult::Array),
        });
        pieces.push(Piece { numbers, yielded: yielded.collect() });
    }

    /// The condition and the branches of a statement by which elements are to be parted.
    fn last_branch(&mut self, cx: &mut Context, stm: &Stm) -> Option<(Var, Body, Body)> {
        if self.strategy(cx, stm) != Strategy::Branch || stm.vars.iter().any(|var| !self.can_be_stored(*var))
        {
            return None;
        }
        match &stm.exp {
            Exp::Control(ControlExp::If { cond: Atom::Var(cond), then, els })
                if !cx.is_outside((*cond).into()) =>
            {
                Some((*cond, then.clone(), els.clone()))
            }
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) if !cx.is_outside(*scrutinee) => {
                let prim = self.names.ty(scrutinee.var()?).prim()?;
                Some(self.first_case(cx, stm, (prim, *scrutinee), cases, default))
            }
            _ => None,
        }
    }

    /// Where elements are that were parted once: behind those before them for which it holds, too, or behind all of these.
    fn places_after(&mut self, count: Atom, split: &Split) -> Var {
        let [holds, one] =
            [("holds", Type::bool()), ("one", Type::i64())].map(|(name, ty)| self.names.fresh(name, ty));
        let convert = self.stm(vec![one], Exp::convert(Prim::Bool, Prim::I64, holds.into()), self.span);
        let sums = Exp::Op(Operator::Fused {
            width: count,
            inputs: vec![split.conds],
            lambda: Lambda::new(vec![holds], Body { stms: vec![convert], result: vec![one.into()] }),
            scans: vec![self.names.sum(self.span)],
            reductions: Vec::new(),
        });
        let upto = self.emit("upto", numbers_of(count), sums);
        let inputs = vec![split.numbers, split.conds, upto];
        let params: Vec<Var> = inputs.iter().map(|array| self.names.row_params(*array)[0]).collect();
        let [number, holds, upto] = params[..] else { panic!("distribute: a row that is no number") };
        let mut bin = |body: &mut Body, op: BinOp, x: Atom, y: Atom| {
            let var = self.names.fresh("place", Type::i64());
            body.stms.push(self.stm(vec![var], Exp::bin(op, Prim::I64, x, y), self.span));
            body.result = vec![var.into()];
            Atom::Var(var)
        };
        let (mut then, mut els) = (Body::default(), Body::default());
        bin(&mut then, BinOp::Sub, upto.into(), Atom::i64(1));
        let others = bin(&mut els, BinOp::Sub, number.into(), upto.into());
        bin(&mut els, BinOp::Add, split.holds.into(), others);
        let place = self.names.fresh("place", Type::i64());
        let choice = self.stm(vec![place], Exp::if_(holds.into(), then, els), self.span);
        let lambda = Lambda::new(params, Body { stms: vec![choice], result: vec![place.into()] });
        self.emit("ts", numbers_of(count), Exp::map(count, inputs, lambda))
    }

    /// The numbers at these places of an array of numbers.
    fn looked_up(&mut self, numbers: Var, places: Var) -> Var {
        let ty = self.names.ty(places).clone();
        let width = ty.dims()[0].atom().unwrap_or(Atom::i64(0));
        let at = self.names.row_params(places)[0];
        let number = self.names.fresh("t", Type::i64());
        let slice = vec![DimIndex::Fix(at.into())];
        let stm = self.stm(vec![number], Exp::index(numbers, slice), self.span);
        let lambda = Lambda::new(vec![at], Body { stms: vec![stm], result: vec![number.into()] });
        self.emit("ts", ty, Exp::map(width, vec![places], lambda))
    }

    /// Row `j` of the array becomes row `places[j]`.
    pub fn put_back(&mut self, places: Var, numbers: Var, array: Var, inverse: &mut Option<Var>) -> Var {
        let ty = self.names.ty(array).clone();
        let width = ty.dims()[0].atom().unwrap_or(Atom::i64(0));
        let inverse = match *inverse {
            Some(inverse) => inverse,
            None => *inverse.insert(self.scattered(width, Prim::I64, places, numbers)),
        };
        self.rows_at(array, inverse)
    }

    /// Of arrays of scalars that would stand one after the other, the elements with these numbers.
    fn picked(&mut self, count: Atom, prim: Prim, numbers: Var, arrays: &[Var]) -> Var {
        let name = self.names.name(arrays[0]);
        let number = self.names.row_params(numbers)[0];
        let body = self.pick(prim, number, arrays);
        let ty = Type::array(prim, vec![Dim::Size(count)]);
        self.emit(&name, ty, Exp::map(count, vec![numbers], Lambda::new(vec![number], body)))
    }

    /// A body that yields the element with this number.
    fn pick(&mut self, prim: Prim, number: Var, arrays: &[Var]) -> Body {
        let Some((first, others)) = arrays.split_first() else { return Body::default() };
        let own = match self.replicated.get(first) {
            Some(value) => Body { stms: Vec::new(), result: vec![*value] },
            None => {
                let found = self.names.fresh("found", Type::scalar(prim));
                let index = Exp::index(*first, vec![DimIndex::Fix(number.into())]);
                Body { stms: vec![self.stm(vec![found], index, self.span)], result: vec![found.into()] }
            }
        };
        if others.is_empty() {
            return own;
        }
        let size = self.names.ty(*first).dims()[0].atom().unwrap_or(Atom::i64(0));
        let [inside, later] =
            [("inside", Type::bool()), ("later", Type::i64())].map(|(name, ty)| self.names.fresh(name, ty));
        let test = self.stm(vec![inside], Exp::bin(BinOp::Lt, Prim::I64, number.into(), size), self.span);
        let mut els = self.pick(prim, later, others);
        let minus = Exp::bin(BinOp::Sub, Prim::I64, number.into(), size);
        els.stms.insert(0, self.stm(vec![later], minus, self.span));
        let picked = self.names.fresh("picked", Type::scalar(prim));
        let choice = self.stm(vec![picked], Exp::if_(inside.into(), own, els), self.span);
        Body { stms: vec![test, choice], result: vec![picked.into()] }
    }

    /// The rows of an array that have these numbers.
    pub fn rows_at(&mut self, array: Var, numbers: Var) -> Var {
        let width = self.names.ty(numbers).dims()[0].atom().unwrap_or(Atom::i64(0));
        let (ty, name) = (self.with_rows(array, width), self.names.name(array));
        let at = self.names.fresh("t", Type::i64());
        let vars = self.names.row_params(array);
        let slice = vec![DimIndex::Fix(at.into())];
        let row = vars[vars.len() - 1];
        let copy = self.names.fresh(&name, self.names.ty(row).clone());
        let stms = vec![
            self.stm(vars, Exp::index(array, slice), self.span),
            self.stm(vec![copy], Exp::copy(row), self.span),
        ];
        let lambda = Lambda::new(vec![at], Body { stms, result: vec![copy.into()] });
        self.emit(&name, ty, Exp::map(width, vec![numbers], lambda))
    }

    /// Scalars each at its place.
    fn scattered(&mut self, width: Atom, prim: Prim, places: Var, values: Var) -> Var {
        let ty = Type::array(prim, vec![Dim::Size(width)]);
        let name = self.names.name(values);
        let dest = self.emit(&name, ty.clone(), Exp::replicate(width, Atom::int(prim, 0)));
        let params = [places, values].map(|array| self.names.row_params(array)[0]);
        let body = Body { stms: Vec::new(), result: params.iter().map(|param| (*param).into()).collect() };
        let lambda = Lambda::new(params.to_vec(), body);
        self.emit(
            &name,
            ty,
            Exp::Op(Operator::Scatter { width, dests: vec![dest], inputs: vec![places, values], lambda }),
        )
    }

    /// The statement outside, whose results are stored.
    fn chosen(&mut self, cx: &mut Context, at: u32, stm: &Stm, exp: Exp, fresh: Vec<bool>) {
        let demands: Vec<Demand> = stm.vars.iter().map(|var| self.demand(cx, *var)).collect();
        let vars: Vec<Var> =
            demands.into_iter().map(|demand| self.names.fresh(&demand.name, demand.ty)).collect();
        for ((var, array), fresh) in stm.vars.iter().zip(&vars).zip(fresh) {
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array: *array, fresh, at }));
        }
        self.out.push(Stm { attrs: stm.attrs.clone(), ..Stm::new(vars, exp, stm.span) });
    }

    /// A branch distributed; which of its results have memory of their own.
    fn outside_branch(&mut self, cx: &mut Context, stm: &Stm, body: &Body) -> (Body, Vec<bool>) {
        let outer = std::mem::take(&mut self.out);
        let around = cx.clone();
        let since = self.tick();
        stm.vars.iter().for_each(|var| cx.set(*var, Home::Waiting));
        let types: Vec<Type> = stm.vars.iter().map(|var| cx.all(self.names.ty(*var))).collect();
        let waiting = self.body(cx, body);
        let demands = body.result.iter().zip(&stm.vars).zip(types);
        let demands = demands
            .map(|((value, var), ty)| Demand { value: *value, name: self.names.name(*var), ty })
            .collect();
        let (arrays, fresh): (Vec<Var>, Vec<bool>) =
            self.results(cx, waiting, demands, since).into_iter().unzip();
        let stms = std::mem::replace(&mut self.out, outer);
        // What is stored in the branch is not there outside.
        *cx = around;
        stm.vars.iter().for_each(|var| cx.set(*var, Home::Waiting));
        (Body { stms, result: arrays.into_iter().map(Atom::Var).collect() }, fresh)
    }
}
