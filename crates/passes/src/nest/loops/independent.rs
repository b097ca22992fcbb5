//! Loops whose iterations do not meet become maps.
//!
//! Before:
//! ```text
//! let ys: [n]i32, t: i32 = loop (zs: *[n]i32 = xs, s: i32 = 0i32) for i: i64 < n {
//!   let z: i32 = index zs [i]
//!   let y: i32 = mul.i32 z 3i32
//!   let zs.2: [n]i32 = update zs [i] y
//!   let s.2: i32 = add.i32 s y
//!   in zs.2, s.2
//! }
//! ```
//! After:
//! ```text
//! let r: [n]i64 = range.i64 n 0i64 1i64
//! let ys: [n]i32, ss: [n]i32 = map n (r, xs) \(i: i64, z: i32) {
//!   let y: i32 = mul.i32 z 3i32
//!   let s.2: i32 = add.i32 0i32 y
//!   in y, s.2
//! }
//! let t.2: i32 = reduce n commutative neutral (0i32) \(a: i32, b: i32) {..} (ss)
//! let t: i32 = add.i32 0i32 t.2
//! ```
//!
//! Each value that the loop hands on must be one of these:
//! - **Rows**: an array of which an iteration reads and writes one row, the same wherever it does so, whose number is `i` or `-i` and something that
//!   does not change. The iteration then works on its row alone, in branches and in loops inside, too; where the loop has no row for all
//!   iterations, or in another order, the rows are a slice of the array, which is updated. Rows of later iterations may be read, too: until then they are
//!   what they were before the loop, as in `for j < i { v[j] = f v[j] v[j + 1] }`, a tree of prices that is rolled back in place.
//!   An iteration must work on all of its row, or a map, which makes whole rows, would do more than the loop.
//! - **Sum**: a number that an iteration only combines with others, by one primitive operator that is associative and commutative to the bit.
//!   The iteration begins with the neutral element. A loop with nothing but sums stays if its iterations make arrays: it keeps one at a
//!   time, and a map would keep all; or if it runs only a few times.

use super::{LoopRewriter, mentions};
use crate::nest::mentions::bound_inside;
use crate::nest::polynomials::{Polynomial, add, polynomial};
use crate::nest::subst::Subst;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Param, Prim, Reduction,
    ScalarExp, Stm, Type, Var,
};

/// A sum of so many numbers, known when the program is compiled, is not worth an operator.
const FEW: i64 = 32;

/// What an iteration does to something that the loop hands on.
enum Role {
    Rows(IterationRow),
    Sum(BinOp, Prim),
}

/// Which row is whose: that of iteration `i` is `first + i`, or `first - i`.
struct IterationRow {
    forwards: bool,
    first: Polynomial,
    /// With the number of the iteration in it.
    own: Polynomial,
    reads_ahead: bool,
    /// What accesses rely on: whether rows are in the array may only be known if a check holds, which each iteration makes.
    certs: Vec<Var>,
}

/// The rows that an array is seen to be used at.
#[derive(Default)]
struct RowUses {
    written: Vec<Polynomial>,
    read: Vec<Polynomial>,
    certs: Vec<Var>,
}

/// Where the row of an iteration is, and the array before the loop, of which it may read later rows.
struct Place {
    own: Polynomial,
    before: Var,
}

/// In which order a map goes through the iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// As the loop; row `i` is that of iteration `i`, and all rows are there.
    Forwards,
    /// The last first, whose row is the first.
    Backwards,
    /// As the loop; rows are slices of the arrays.
    Slices,
}

/// A statement as seen by what is followed.
enum Step {
    /// It leaves the value as it is.
    Reads,
    /// The value is this afterwards.
    Becomes(Var),
}

/// What is known of a row while a body is rewritten.
#[derive(Clone, Copy)]
struct Row {
    value: Atom,
    /// It may be overwritten.
    owned: bool,
}

impl LoopRewriter<'_> {
    /// What computes the same without a loop, if iterations do not meet.
    pub(super) fn independent(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Control(ControlExp::Loop { params, form: LoopForm::For(index, bound), body }) = &stm.exp
        else {
            return None;
        };
        // What iterations show comes in their order.
        if *self.ty(*index) != Type::i64() || params.is_empty() || self.showing.exp(&stm.exp) {
            return None;
        }
        let inside = bound_inside(stm);
        let role = |(at, (param, _)): (usize, &(Param, Atom))| {
            if self.ty(param.var).is_array() {
                let mut place = RowUses::default();
                let found =
                    self.follow(body, param.var, &mut |stm, array| self.row_step(stm, array, &mut place))?;
                let rows = rows(place, *index)?;
                let invariant = rows.first.keys().flatten().all(|var| !inside.contains(var));
                (found == at && invariant && self.covers(body, param.var)).then_some(Role::Rows(rows))
            } else {
                let mut op = None;
                let found = self.follow(body, param.var, &mut |stm, sum| sum_step(stm, sum, &mut op))?;
                (found == at).then_some(op.map(|(op, prim)| Role::Sum(op, prim))?)
            }
        };
        let roles: Vec<Role> = params.iter().enumerate().map(role).collect::<Option<_>>()?;
        let only_sums = roles.iter().all(|role| matches!(role, Role::Sum(..)));
        let is_short = bound.constant().is_some_and(|bound| bound.bits() as i64 <= FEW);
        if only_sums && (is_short || self.makes_arrays(body)) {
            return None;
        }
        // A few elements are kept in registers.
        let reads_ahead = |role: &Role| matches!(role, Role::Rows(rows) if rows.reads_ahead);
        if is_short && roles.iter().any(reads_ahead) {
            return None;
        }
        let order = self.order(params, &roles, *bound);
        let certs = roles.iter().flat_map(|role| match role {
            Role::Rows(rows) => &rows.certs[..],
            Role::Sum(..) => &[],
        });
        let (checked, certs): (Vec<Var>, Vec<Var>) = certs.copied().partition(|cert| inside.contains(cert));
        if order == Order::Slices {
            let are_there = |(role, (param, _)): (&Role, &(Param, Atom))| match role {
                Role::Rows(rows) => {
                    self.always_touches(body, param.var, rows) || self.are_inside(param.var, rows, *bound)
                }
                Role::Sum(..) => true,
            };
            if !checked.is_empty() || !roles.iter().zip(params).all(are_there) {
                return None;
            }
        }
        let mut stm = stm.clone();
        stm.certs.extend(certs);
        stm.certs.sort_unstable();
        stm.certs.dedup();
        Some(self.mapped(&stm, &roles, order))
    }

    fn order(&self, params: &[(Param, Atom)], roles: &[Role], bound: Atom) -> Order {
        let (count, last) = (self.polynomial(bound), self.last(bound));
        let holds = |forwards: bool| {
            roles.iter().zip(params).all(|(role, (param, _))| match role {
                Role::Rows(rows) => {
                    let size = self.ty(param.var).dims()[0].atom().map(|size| self.polynomial(size));
                    let is_first = if forwards { rows.first.is_empty() } else { rows.first == last };
                    rows.forwards == forwards && is_first && size.as_ref() == Some(&count)
                }
                Role::Sum(..) => true,
            })
        };
        if holds(true) {
            Order::Forwards
        } else if holds(false) {
            Order::Backwards
        } else {
            Order::Slices
        }
    }

    /// Whether each iteration accesses its row, which is there then. In a branch it may be known to be there by the condition only.
    fn always_touches(&self, body: &Body, array: Var, rows: &IterationRow) -> bool {
        // A loop over all of a row: see `covers`.
        if self.ty(array).rank() > 1 {
            return true;
        }
        let mut names = vec![array];
        body.stms.iter().any(|stm| {
            let is_own = |array: &Var, slice: &[DimIndex]| {
                names.contains(array)
                    && matches!(slice.first(), Some(DimIndex::Fix(at)) if self.polynomial(*at) == rows.own)
            };
            let touches = match &stm.exp {
                Exp::Array(ArrayExp::Index { array, slice } | ArrayExp::Update { array, slice, .. }) => {
                    is_own(array, slice)
                }
                _ => false,
            };
            if names.iter().any(|name| mentions(&stm.exp, *name)) {
                names.extend(&stm.vars);
            }
            touches
        })
    }

    /// Whether all rows are known to be there by their numbers.
    fn are_inside(&self, array: Var, rows: &IterationRow, bound: Atom) -> bool {
        let Some(size) = self.ty(array).dims()[0].atom().map(|size| self.polynomial(size)) else {
            return false;
        };
        let is_natural = |number: &Polynomial| match number.iter().next() {
            None => true,
            Some((term, factor)) => number.len() == 1 && term.is_empty() && *factor >= 0,
        };
        let minus = |from: &Polynomial, other: &Polynomial| {
            let mut rest = from.clone();
            add(&mut rest, other, -1);
            rest
        };
        let last = self.last(bound);
        let behind_all = minus(&minus(&size, &Polynomial::from([(Vec::new(), 1)])), &rows.first);
        match rows.forwards {
            true => is_natural(&rows.first) && is_natural(&minus(&behind_all, &last)),
            false => is_natural(&minus(&rows.first, &last)) && is_natural(&behind_all),
        }
    }

    /// Whether an iteration does at least as much as a map, which makes the whole row: it writes the row as a whole, or loops as often as
    /// the row is long.
    fn covers(&self, body: &Body, array: Var) -> bool {
        let Some(row) = self.ty(array).row().filter(Type::is_array) else { return true };
        let Some(length) = row.dims()[0].atom().map(|size| self.polynomial(size)) else { return false };
        let mut now = array;
        for stm in body.stms.iter() {
            match &stm.exp {
                Exp::Array(ArrayExp::Update { array, slice, .. }) if *array == now => {
                    if slice.len() == 1 {
                        return true;
                    }
                    now = stm.vars[0];
                }
                Exp::Control(ControlExp::Loop { params, form: LoopForm::For(_, bound), .. })
                    if params.iter().any(|(_, init)| *init == Atom::from(now)) =>
                {
                    return self.polynomial(*bound) == length;
                }
                _ => {}
            }
        }
        false
    }

    /// Where among the results of a body a value comes out that its statements hand on from one to the next, and do nothing else with but
    /// what `step` allows.
    fn follow(
        &self,
        body: &Body,
        first: Var,
        step: &mut dyn FnMut(&Stm, Var) -> Option<Step>,
    ) -> Option<usize> {
        let (mut now, mut before) = (first, Vec::new());
        for stm in &body.stms {
            if before.iter().any(|old| mentions(&stm.exp, *old)) {
                return None;
            }
            if !mentions(&stm.exp, now) {
                continue;
            }
            let next = match step(stm, now) {
                Some(Step::Reads) => continue,
                Some(Step::Becomes(next)) => next,
                None => stm.vars[self.follow_inside(stm, now, step)?],
            };
            before.push(now);
            now = next;
        }
        let is = |atom: &Atom, vars: &[Var]| atom.var().is_some_and(|var| vars.contains(&var));
        let mut places = (0..body.result.len()).filter(|at| is(&body.result[*at], &[now]));
        let place = places.next()?;
        let is_alone = places.next().is_none() && !body.result.iter().any(|atom| is(atom, &before));
        is_alone.then_some(place)
    }

    /// The same through a branch or a loop.
    fn follow_inside(
        &self,
        stm: &Stm,
        now: Var,
        step: &mut dyn FnMut(&Stm, Var) -> Option<Step>,
    ) -> Option<usize> {
        match &stm.exp {
            Exp::Control(ControlExp::If { cond, then, els }) if *cond != Atom::from(now) => {
                let place = self.follow(then, now, step)?;
                (self.follow(els, now, step)? == place).then_some(place)
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                let mut places = (0..params.len()).filter(|at| params[*at].1 == Atom::from(now));
                let place = places.next()?;
                let inner = params[place].0.var;
                let is_tested = match form {
                    LoopForm::For(_, bound) => *bound == Atom::from(now),
                    LoopForm::While(cond) => body_mentions(cond, now) || body_mentions(cond, inner),
                };
                let is_alone = places.next().is_none() && !is_tested && !body_mentions(body, now);
                (is_alone && self.follow(body, inner, step)? == place).then_some(place)
            }
            _ => None,
        }
    }

    /// A statement that touches an array only at the row of the iteration.
    fn row_step(&self, stm: &Stm, array: Var, place: &mut RowUses) -> Option<Step> {
        match &stm.exp {
            Exp::Array(ArrayExp::Update { array: written, slice, value }) => {
                let is_own = *written == array
                    && *value != Atom::from(array)
                    && self.has_row(stm, slice, &mut place.certs, &mut place.written)
                    && !self.ty(array).dims().contains(&Dim::Irregular);
                is_own.then_some(Step::Becomes(stm.vars[0]))
            }
            _ => self.only_reads(stm, array, place).then_some(Step::Reads),
        }
    }

    /// Whether a statement and all inside it look at the array only there.
    fn only_reads(&self, stm: &Stm, array: Var, place: &mut RowUses) -> bool {
        if let Exp::Array(ArrayExp::Index { array: read, slice }) = &stm.exp
            && *read == array
        {
            return self.has_row(stm, slice, &mut place.certs, &mut place.read);
        }
        let mut only = true;
        let mut in_body = |body: &Body| {
            body.stms.iter().all(|stm| self.only_reads(stm, array, place))
                && !body.result.contains(&Atom::from(array))
        };
        stm.exp.for_each_part(&mut |part| match part {
            Part::Atom(atom) => only &= *atom != Atom::from(array),
            Part::Var(var) => only &= *var != array,
            Part::Binder(_) => {}
            Part::Body(body) => only = only && in_body(body),
            Part::Lambda(lambda) => only = only && in_body(&lambda.body),
        });
        only
    }

    /// Whether an access is to a row, which is noted.
    fn has_row(
        &self,
        stm: &Stm,
        slice: &[DimIndex],
        certs: &mut Vec<Var>,
        rows: &mut Vec<Polynomial>,
    ) -> bool {
        let Some(DimIndex::Fix(index)) = slice.first() else { return false };
        certs.extend(&stm.certs);
        let row = self.polynomial(*index);
        if !rows.contains(&row) {
            rows.push(row);
        }
        true
    }

    fn polynomial(&self, atom: Atom) -> Polynomial {
        polynomial(atom, Prim::I64, &|var| self.sums.get(&var))
    }

    /// Whether a body makes arrays, in which a map would keep what the loop has one at a time.
    fn makes_arrays(&self, body: &Body) -> bool {
        body.stms.iter().any(|stm| {
            let mut inside = false;
            stm.exp.for_each_part(&mut |part| match part {
                Part::Body(body) => inside = inside || self.makes_arrays(body),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) | Part::Lambda(_) => {}
            });
            inside || (!stm.exp.is_scalar_or_view() && stm.vars.iter().any(|var| self.ty(*var).is_array()))
        })
    }

    /// The map, and what makes of its results those of the loop.
    fn mapped(&mut self, stm: &Stm, roles: &[Role], order: Order) -> Vec<Stm> {
        let Exp::Control(ControlExp::Loop { params, form: LoopForm::For(index, bound), body }) = &stm.exp
        else {
            panic!("loops: what is made a map is no loop");
        };
        let mut out = Emit { stm, stms: Vec::new() };
        let width = self.width(&mut out, params, roles, *bound);
        let numbers = out.bind(self, "r", Type::array(Prim::I64, vec![Dim::Size(width)]), Exp::iota(width));
        let (mut inputs, mut body) = (vec![numbers], body.clone());
        let number = if order == Order::Backwards { self.new_var("e", Type::i64()) } else { *index };
        let mut lambda_params = vec![number];
        let mut results = Vec::new();
        // What follows the map.
        let mut after = Emit { stm, stms: Vec::new() };
        let mut vars = Vec::new();
        for (at, ((param, init), role)) in params.iter().zip(roles).enumerate() {
            match role {
                Role::Rows(rows) => {
                    let array = init.var().expect("an array is a variable");
                    let ty = self.ty(param.var).clone();
                    let row_ty = ty.row().expect("an array has rows");
                    let row = self.new_var("row", row_ty.clone());
                    lambda_params.push(row);
                    if order != Order::Slices {
                        inputs.push(array);
                        vars.push(stm.vars[at]);
                    } else {
                        let first = self.sum(&mut out, &rows.first);
                        let stride = Atom::i64(if rows.forwards { 1 } else { -1 });
                        let slice = vec![DimIndex::Slice { start: first, count: width, stride }];
                        let part_ty = row_ty.array_of(Dim::Size(width));
                        let part = Exp::index(array, slice.clone());
                        inputs.push(out.bind(self, "rows", part_ty.clone(), part));
                        let value = self.new_var("rows", part_ty);
                        vars.push(value);
                        let update = ArrayExp::Update { array, slice, value: value.into() };
                        after.stms.push(after.stm(vec![stm.vars[at]], Exp::Array(update)));
                    }
                    let place = Place { own: rows.own.clone(), before: array };
                    let row = Row { value: row.into(), owned: false };
                    let row = self.rewrite(&mut body, param.var, row, &place);
                    results.push(row.value);
                }
                Role::Sum(op, prim) => {
                    let neutral = Atom::Const(op.neutral(*prim).expect("the operator of a sum has one"));
                    Subst::of(&[param.var], [neutral]).body(&mut body);
                    results.push(body.result[at]);
                    let column = self.new_var("ss", Type::array(*prim, vec![Dim::Size(width)]));
                    vars.push(column);
                    let reduction = self.reduction(*op, *prim, neutral, stm);
                    let reduced = Exp::reduce(width, reduction, vec![column]);
                    let reduced = after.bind(self, "s", Type::scalar(*prim), reduced);
                    let combined = Exp::bin(*op, *prim, *init, reduced.into());
                    after.stms.push(after.stm(vec![stm.vars[at]], combined));
                }
            }
        }
        body.result = results;
        if number != *index {
            let first = self.sum(&mut out, &self.last(*bound));
            let exp = Exp::bin(BinOp::Sub, Prim::I64, first, number.into());
            body.stms.insert(0, Stm::new(vec![*index], exp, stm.span));
        }
        let map = Exp::map(width, inputs, Lambda::new(lambda_params, body));
        out.stms.push(Stm { attrs: stm.attrs.clone(), ..out.stm(vars, map) });
        out.stms.extend(after.stms);
        out.stms
    }

    /// How often the loop runs. A bound may be negative, unless it is the size of an array.
    fn width(&mut self, out: &mut Emit, params: &[(Param, Atom)], roles: &[Role], bound: Atom) -> Atom {
        let is_size = |((param, _), role): (&(Param, Atom), &Role)| {
            matches!(role, Role::Rows(_)) && self.ty(param.var).dims()[0] == Dim::Size(bound)
        };
        if params.iter().zip(roles).any(is_size) {
            return bound;
        }
        let exp = Exp::bin(BinOp::Max, Prim::I64, Atom::i64(0), bound);
        out.bind(self, "width", Type::i64(), exp).into()
    }

    /// `bound - 1`
    fn last(&self, bound: Atom) -> Polynomial {
        let mut last = self.polynomial(bound);
        add(&mut last, &Polynomial::from([(Vec::new(), 1)]), -1);
        last
    }

    /// A polynomial as statements.
    fn sum(&mut self, out: &mut Emit, polynomial: &Polynomial) -> Atom {
        let mut sum = Atom::i64(0);
        for (vars, factor) in polynomial {
            let mut term = Atom::i64(*factor as i64);
            for var in vars {
                let exp = Exp::bin(BinOp::Mul, Prim::I64, term, (*var).into());
                term = out.bind(self, "x", Type::i64(), exp).into();
            }
            let exp = Exp::bin(BinOp::Add, Prim::I64, sum, term);
            sum = out.bind(self, "x", Type::i64(), exp).into();
        }
        sum
    }

    fn reduction(&mut self, op: BinOp, prim: Prim, neutral: Atom, stm: &Stm) -> Reduction {
        let [a, b, both] = ["a", "b", "x"].map(|name| self.new_var(name, Type::scalar(prim)));
        let exp = Exp::bin(op, prim, a.into(), b.into());
        let body = Body { stms: vec![Stm::new(vec![both], exp, stm.span)], result: vec![both.into()] };
        Reduction { lambda: Lambda::new(vec![a, b], body), neutral: vec![neutral], commutative: true }
    }

    /// A body that works on the row of an array in place of the array. Yields what the row is at its end.
    fn rewrite(&mut self, body: &mut Body, array: Var, mut row: Row, rows: &Place) -> Row {
        let mut now = array;
        let row_ty = self.ty(array).row().expect("an array has rows");
        let mut stms = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            if !mentions(&stm.exp, now) {
                stms.push(stm);
                continue;
            }
            if self.only_reads(&stm, now, &mut RowUses::default()) {
                self.read_row(&mut stm, now, row.value, &row_ty, rows);
                stms.push(stm);
                continue;
            }
            let place = self.follow_inside(&stm, now, &mut |stm, array| {
                self.row_step(stm, array, &mut RowUses::default())
            });
            let next = stm.vars[place.unwrap_or(0)];
            match &mut stm.exp {
                Exp::Array(ArrayExp::Update { slice, value, .. }) if slice.len() == 1 => {
                    row = Row { value: *value, owned: false };
                    now = next;
                    continue;
                }
                Exp::Array(ArrayExp::Update { array, slice, .. }) => {
                    *array = self.own(&mut stms, row, &row_ty, &stm.certs.clone(), stm.span);
                    slice.remove(0);
                    row = Row { value: next.into(), owned: true };
                }
                Exp::Control(ControlExp::If { then, els, .. }) => {
                    let place = place.expect("a branch hands the array on");
                    for branch in [then, els] {
                        let mut last = self.rewrite(branch, now, row, rows);
                        // Both own what they yield, if one could: a copy in one branch is none in each iteration of a loop around.
                        if row.owned && !last.owned {
                            last.value = self.own(&mut branch.stms, last, &row_ty, &[], stm.span).into();
                        }
                        branch.result[place] = last.value;
                    }
                    row = Row { value: next.into(), owned: row.owned };
                }
                Exp::Control(ControlExp::Loop { params, body, .. }) => {
                    let place = place.expect("a loop hands the array on");
                    let (param, init) = &mut params[place];
                    let inner = param.var;
                    param.unique &= row_ty.is_array();
                    let unique = param.unique;
                    *init = row.value;
                    if unique {
                        *init = self.own(&mut stms, row, &row_ty, &[], stm.span).into();
                    }
                    let inside = Row { value: inner.into(), owned: unique };
                    let mut last = self.rewrite(body, inner, inside, rows);
                    if unique && !last.owned {
                        last.value = self.own(&mut body.stms, last, &row_ty, &[], stm.span).into();
                    }
                    body.result[place] = last.value;
                    self.vars[inner.0 as usize].ty = row_ty.clone();
                    row = Row { value: next.into(), owned: unique };
                }
                _ => panic!("loops: a statement that was not followed"),
            }
            self.vars[next.0 as usize].ty = row_ty.clone();
            now = next;
            stms.push(stm);
        }
        body.stms = stms;
        row
    }

    /// All that a statement reads of the array it reads of the row, and of later rows as they were before the loop.
    fn read_row(&self, stm: &mut Stm, array: Var, row: Atom, row_ty: &Type, place: &Place) {
        if let Exp::Array(ArrayExp::Index { array: read, slice }) = &mut stm.exp
            && *read == array
        {
            let is_own =
                matches!(slice.first(), Some(DimIndex::Fix(at)) if self.polynomial(*at) == place.own);
            stm.exp = match row.var().filter(|_| row_ty.is_array()) {
                _ if !is_own => Exp::index(place.before, std::mem::take(slice)),
                Some(row) if slice.len() == 1 => {
                    let count = row_ty.dims()[0].atom().expect("rows are regular");
                    Exp::index(row, vec![DimIndex::whole(count)])
                }
                Some(row) => Exp::index(row, slice[1..].to_vec()),
                None => Exp::atom(row),
            };
            return;
        }
        let in_body = |body: &mut Body| {
            body.stms.iter_mut().for_each(|stm| self.read_row(stm, array, row, row_ty, place));
        };
        stm.exp.for_each_part_mut(&mut |part| match part {
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            PartMut::Body(body) => in_body(body),
            PartMut::Lambda(lambda) => in_body(&mut lambda.body),
        });
    }

    /// The row, in memory that may be overwritten.
    fn own(&mut self, stms: &mut Vec<Stm>, row: Row, ty: &Type, certs: &[Var], span: norn_base::Span) -> Var {
        let var = row.value.var().expect("a row that is an array is a variable");
        if row.owned {
            return var;
        }
        let copy = self.new_var("row", ty.clone());
        stms.push(Stm { certs: certs.to_vec(), ..Stm::new(vec![copy], Exp::copy(var), span) });
        copy
    }
}

/// Statements that come from a loop.
struct Emit<'a> {
    stm: &'a Stm,
    stms: Vec<Stm>,
}

impl Emit<'_> {
    fn stm(&self, vars: Vec<Var>, exp: Exp) -> Stm {
        Stm { certs: self.stm.certs.clone(), ..Stm::new(vars, exp, self.stm.span) }
    }

    fn bind(&mut self, walk: &mut LoopRewriter, name: &str, ty: Type, exp: Exp) -> Var {
        let var = walk.new_var(name, ty);
        self.stms.push(self.stm(vec![var], exp));
        var
    }
}

/// The rows of all iterations, if each has one of its own, and reads besides only those of later ones.
fn rows(uses: RowUses, index: Var) -> Option<IterationRow> {
    let RowUses { written, read, certs } = uses;
    let own = written.first().or(read.first())?.clone();
    let mut first = own.clone();
    let factor = first.remove(&vec![index])?;
    let is_own = !first.keys().flatten().any(|var| *var == index);
    if factor.abs() != 1 || !is_own || written.iter().any(|row| *row != own) {
        return None;
    }
    let others: Vec<Polynomial> = read.into_iter().filter(|row| *row != own).collect();
    let is_later = |row: &Polynomial| {
        let mut distance = row.clone();
        add(&mut distance, &own, -1);
        distance.keys().all(|term| term.is_empty())
            && distance.get(&Vec::new()).is_some_and(|distance| distance * factor > 0)
    };
    let all_later = !written.is_empty() && others.iter().all(is_later);
    let reads_ahead = !others.is_empty();
    (!reads_ahead || all_later).then_some(IterationRow {
        forwards: factor == 1,
        first,
        own,
        reads_ahead,
        certs,
    })
}

/// A statement that only combines the sum with something, always by the same operator.
fn sum_step(stm: &Stm, sum: Var, op: &mut Option<(BinOp, Prim)>) -> Option<Step> {
    let Exp::Scalar(ScalarExp::Bin(own, prim, x, y)) = &stm.exp else { return None };
    let is_sum = |atom: &Atom| *atom == Atom::from(sum);
    let is_exact = own.is_associative(*prim) && own.is_commutative() && own.neutral(*prim).is_some();
    let is_same = *op.get_or_insert((*own, *prim)) == (*own, *prim);
    (is_sum(x) != is_sum(y) && is_exact && is_same).then_some(Step::Becomes(stm.vars[0]))
}

fn body_mentions(body: &Body, var: Var) -> bool {
    body.stms.iter().any(|stm| mentions(&stm.exp, var)) || body.result.contains(&Atom::from(var))
}
