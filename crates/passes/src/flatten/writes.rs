//! Writes in maps: a scatter, a histogram or an update of rows is one of all rows, with a thread for each element that is written.
//!
//! ```text
//! map n (iss, xss) \(is, xs) {                      let ds: [n][k]f32 = map n () \() { .. replicate k 0f32 .. }
//!   let d: [k]f32 = replicate k 0f32                let ts: [count]i64 = range.i64 count 0i64 1i64      // count = n * m
//!   let r: [k]f32 =                          ==>    let rs: [n][k]f32 = scatter count (ds) from (ts) \(t: i64) {
//!     scatter m (d) from (is, xs) \(i, x) ..          let row: i64 = quot.i64 t m
//!   in r                                              let j: i64 = rem.i64 t m
//! }                                                   .. in row, i, x
//!                                                   }
//! ```
//!
//! The number of the row, at each level, comes in front of the indices, so what lies outside of a row is ignored as before. Rows may have different
//! numbers of elements to write (`parts` knows which element belongs to which row). Where they have different lengths themselves, they are one row, joined: the index
//! is counted from the beginning of the element's own row, and is -1 if it is outside of it.
//!
//! The destination is the array of all rows. If it is stored, and nobody needs what is in it any more, it is overwritten: a loop that
//! goes outside hands it on from iteration to iteration without a copy. Else it is copied once, by all threads.
//!
//! Refuses: histograms that no kernel can do, whose rows stay with their threads; operators that depend on the row.

use super::Distributor;
use super::body::{Rest, Strategy};
use super::context::{Context, Home, Stored};
use super::kernel::{Core, Demand};
use super::shape::Step;
use super::worth::{is_marked, is_small};
use crate::nest::memory::consumed;
use crate::nest::mentions;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Prim, Reduction,
    ScalarExp, Stm, Type, Var,
};
use std::collections::HashSet;
use std::rc::Rc;

/// What a scatter or a histogram consists of.
struct Write<'a> {
    width: Atom,
    dests: &'a [Var],
    op: Option<&'a Reduction>,
    inputs: &'a [Var],
    lambda: &'a Lambda,
}

/// Where the values of a destination are.
enum Base {
    /// In this array outside.
    Stored(Var),
    /// This variable is a copy, or replicated: who needs it makes it.
    Made(Var),
}

fn write_of(exp: &Exp) -> Option<Write<'_>> {
    match exp {
        Exp::Op(Operator::Scatter { width, dests, inputs, lambda }) => {
            Some(Write { width: *width, dests, op: None, inputs, lambda })
        }
        Exp::Op(Operator::Hist { width, dests, op, inputs, lambda }) => {
            Some(Write { width: *width, dests, op: Some(op), inputs, lambda })
        }
        _ => None,
    }
}

impl Distributor<'_, '_> {
    /// Whether the statement, in maps, can be one for all rows.
    pub fn can_write(&self, cx: &Context, stm: &Stm) -> bool {
        let Some(Write { dests, op, .. }) = write_of(&stm.exp) else { return false };
        let is_even = |dim: &Dim| dim.atom().is_some_and(|size| cx.is_outside(size));
        let first = dests.first().and_then(|dest| self.names.ty(*dest).dims().first());
        let is_able = |dest: &Var| match self.names.ty(*dest).dims() {
            [own, inner @ ..] => {
                inner.iter().all(is_even) && (is_even(own) || Some(own) == first && *own != Dim::Irregular)
            }
            [] => false,
        };
        let is_same_for_all = |op: &Reduction| {
            let mut used = Vec::new();
            mentions::in_reduction(&self.names.vars, op, &mut used);
            used.into_iter().all(|var| cx.is_outside(var.into()))
        };
        cx.depth() > 0 && dests.iter().all(is_able) && op.is_none_or(is_same_for_all)
    }

    /// Whether the rows that are written to have different lengths.
    fn writes_uneven_rows(&self, cx: &Context, dests: &[Var]) -> bool {
        let is_even = |dest: &Var| {
            let first = self.names.ty(*dest).dims().first().and_then(|dim| dim.atom());
            first.is_some_and(|size| cx.is_outside(size))
        };
        !dests.iter().all(is_even)
    }

    /// Whether what is written to is no small array of a thread's own.
    pub fn is_worth_writing(&self, stm: &Stm) -> bool {
        let large = |dest: &Var| !is_small(self.names.ty(*dest));
        !is_marked(stm, "sequential")
            && write_of(&stm.exp).is_some_and(|Write { dests, .. }| dests.iter().all(large))
    }

    /// Whether it found a way to write to all rows at once.
    pub fn write(&mut self, cx: &mut Context, at: u32, stm: &Stm, rest: &Rest, waiting: &mut Core) -> bool {
        let Some(Write { width, dests, op, inputs, lambda }) = write_of(&stm.exp) else { return false };
        if !self.can_write(cx, stm) {
            return false;
        }
        self.taken_out += 1;
        let uneven = self.writes_uneven_rows(cx, dests);
        let mut wholes = Vec::with_capacity(dests.len());
        for dest in dests {
            let whole = self.owned(cx, *dest, (stm, dests), rest, waiting);
            let is_even = cx.levels.iter().all(|level| cx.is_outside(level.width));
            let dimensions = match (uneven, is_even) {
                (true, _) => cx.depth() + 1,
                (false, true) => 1,
                (false, false) => cx.depth(),
            };
            wholes.push(self.in_one_dimension(whole, dimensions));
        }
        let lengths = match wholes.first().and_then(|(_, steps)| steps.last()) {
            Some(Step::Joined(lengths)) if uneven => Some(*lengths),
            Some(Step::Joined(_) | Step::Merged(..)) | None => None,
        };
        let ends = lengths.map(|lengths| (lengths, self.ends(lengths).0));

        let mut inner = cx.clone();
        inner.push(self.level(width, inputs, lambda));
        let elements = self.elements(&inner);
        let count = elements.count;
        let numbers = Type::array(Prim::I64, vec![Dim::Size(count)]);
        let numbers = self.emit("ts", numbers, Exp::iota(count));
        let mut roots = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut roots);
        mentions::in_lambda(&self.names.vars, lambda, &mut roots);
        mentions::certs(stm, &mut roots);
        roots.extend(&lambda.params);
        roots.retain(|var| !dests.contains(var));
        let (mut part, rows) = self.some_in_rows(&inner, &elements, numbers, &roots);

        let indices = lambda.body.result.len() - dests.len();
        let i64s = Type::array(Prim::I64, vec![Dim::Size(count)]);
        let row = |row: Var| Demand { value: row.into(), name: "row".into(), ty: i64s.clone() };
        let mut core: Core = lambda.body.stms.iter().map(|stm| (self.tick(), stm.clone())).collect();
        let mut results = lambda.body.result.clone();
        let mut demands: Vec<Demand> = Vec::new();
        match ends {
            None => demands.extend(rows.in_each.into_iter().map(row)),
            Some((lengths, ends)) => {
                let length = self.again_entry(&mut part, lengths, rows.in_all);
                let end = self.again_entry(&mut part, ends, rows.in_all);
                results[0] = self.place_in_row(&mut core, results[0], length, end).into();
            }
        }
        for (number, value) in results.iter().enumerate() {
            let ty = match number.checked_sub(indices) {
                None => i64s.clone(),
                Some(column) => {
                    let ty = self.names.ty(dests[column]);
                    let dims = [Dim::Size(count)].into_iter().chain(ty.dims()[indices..].iter().copied());
                    ty.with_dims(dims.collect())
                }
            };
            demands.push(Demand { value: *value, name: "value".into(), ty });
        }
        self.kernel(&part, core, &demands, stm.span);
        let (inputs, lambda) = match self.out.pop().map(|nest| nest.exp) {
            Some(Exp::Op(Operator::Map { width: _, inputs, lambda })) => (inputs, lambda),
            _ => panic!("distribute: what a write needs is no map"),
        };
        let flat: Vec<Var> = wholes.iter().map(|(whole, _)| *whole).collect();
        let written = self.names.like(&flat);
        let exp = match op {
            None => Operator::Scatter { width: count, dests: flat, inputs, lambda },
            Some(op) => {
                let op = Reduction { lambda: self.names.copy_lambda(&op.lambda), ..op.clone() };
                Operator::Hist { width: count, dests: flat, op, inputs, lambda }
            }
        };
        self.out.push(self.stm(written.clone(), Exp::Op(exp), stm.span));
        for ((var, written), (_, steps)) in stm.vars.iter().zip(written).zip(wholes) {
            let array = self.take_apart(written, &steps);
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array, fresh: true, at }));
        }
        true
    }

    /// Where an index of a row is among the elements of all rows: -1 if it is outside of the row.
    fn place_in_row(&mut self, core: &mut Core, index: Atom, length: Var, end: Var) -> Var {
        let place = self.names.fresh("place", Type::i64());
        let mut stms = Vec::new();
        let inside = self.scalars(&mut stms, |emit| {
            let last = emit.bin(BinOp::Sub, "last", length.into(), Atom::i64(1));
            let from = emit.at_most("from", Atom::i64(0), index);
            let to = emit.at_most("to", index, last);
            emit.and("inside", from, to)
        });
        let mut then = Vec::new();
        let at = self.scalars(&mut then, |emit| {
            let start = emit.bin(BinOp::Sub, "start", end.into(), length.into());
            emit.bin(BinOp::Add, "at", start, index)
        });
        let then = Body { stms: then, result: vec![at] };
        let els = Body { stms: Vec::new(), result: vec![Atom::i64(-1)] };
        stms.push(self.stm(vec![place], Exp::if_(inside, then, els), self.span));
        core.extend(stms.into_iter().map(|stm| (self.tick(), stm)));
        place
    }

    /// Whether a map writes to rows.
    pub fn holds_writes(&self, cx: &Context, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return false };
        let mut cx = cx.clone();
        cx.push(self.level(*width, inputs, lambda));
        self.writes_in(&cx, &lambda.body)
    }

    fn writes_in(&self, cx: &Context, body: &Body) -> bool {
        body.stms.iter().any(|stm| {
            let mut found = self.can_write(cx, stm) && self.is_worth_writing(stm);
            stm.exp.for_each_part(&mut |part| match part {
                Part::Body(body) => found = found || self.writes_in(cx, body),
                Part::Lambda(lambda) => found = found || self.writes_in(cx, &lambda.body),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
            found
        })
    }

    // # Updates

    /// Whether an update in maps is one of all rows. What only a thread changes afterwards stays with the thread.
    pub fn is_written_apart(&self, cx: &Context, stm: &Stm, rest: &Rest) -> bool {
        let Exp::Array(ArrayExp::Update { array, .. }) = &stm.exp else { return false };
        let ty = self.names.ty(*array);
        let is_even = ty.dims().iter().all(|dim| dim.atom().is_some_and(|size| cx.is_outside(size)));
        if cx.depth() == 0 || !is_even || is_small(ty) {
            return false;
        }
        let class = self.names.memory.class(*array);
        let by_thread = |later: &Stm| {
            let write =
                matches!(&later.exp, Exp::Array(ArrayExp::Update { .. })) || self.can_write(cx, later);
            !write && !self.worth.in_stm(later) && self.overwrites(later, class)
        };
        self.is_stored(cx, *array) || !rest.stms.iter().skip(1).any(by_thread)
    }

    /// The dimensions of the rows that a map makes of others, or of one value, by updates: these are copied in the first place, which many
    /// threads do.
    pub fn updated_rows(&self, cx: &Context, stm: &Stm) -> Option<Vec<Atom>> {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return None };
        let mut cx = cx.clone();
        cx.push(self.level(*width, inputs, lambda));
        let bound = mentions::bound_inside(stm);
        let class = |var: Var| self.names.memory.class(var);
        let is_result = |array: Var| {
            lambda
                .body
                .result
                .iter()
                .filter_map(|atom| atom.var())
                .any(|result| class(result) == class(array))
        };
        lambda.body.stms.iter().enumerate().find_map(|(number, stm)| {
            let Exp::Array(ArrayExp::Update { array, .. }) = &stm.exp else { return None };
            let rest = Rest { stms: &lambda.body.stms[number..], result: &lambda.body.result, after: None };
            let sizes: Option<Vec<Atom>> =
                self.names.ty(*array).dims().iter().map(|dim| dim.atom()).collect();
            let sizes = sizes?;
            let is_even = sizes.iter().all(|size| size.var().is_none_or(|size| !bound.contains(&size)));
            (is_even && is_result(*array) && self.is_written_apart(&cx, stm, &rest)).then_some(sizes)
        })
    }

    fn is_stored(&self, cx: &Context, array: Var) -> bool {
        matches!(self.base_of(cx, array, 0), Some((Base::Stored(_), _)))
    }

    pub fn overwrites(&self, stm: &Stm, class: u32) -> bool {
        let consumed = consumed(&self.names.vars, stm, self.signatures);
        consumed.into_iter().any(|var| self.names.memory.class(var) == class)
    }

    /// An update as a scatter, and what that needs.
    pub fn update_as_scatter(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Array(ArrayExp::Update { array, slice, value }) = &stm.exp else { return None };
        let dims = self.names.ty(*array).dims().to_vec();
        let mut slice = slice.clone();
        for dim in &dims[slice.len()..] {
            slice.push(DimIndex::Slice { start: Atom::i64(0), count: dim.atom()?, stride: Atom::i64(1) });
        }
        let mut before = Vec::new();
        let mut width: Option<Atom> = None;
        for index in &slice {
            let DimIndex::Slice { count, .. } = index else { continue };
            width = Some(match width {
                None => *count,
                Some(width) => self.bin_of(&mut before, BinOp::Mul, width, *count),
            });
        }
        let width = width.unwrap_or(Atom::i64(1));
        let range = self.names.fresh("ts", Type::array(Prim::I64, vec![Dim::Size(width)]));
        before.push(self.stm(vec![range], Exp::iota(width), stm.span));

        let number = self.names.fresh("t", Type::i64());
        let mut body = Body::default();
        let mut left: Atom = number.into();
        let mut counts = slice.iter().filter(|index| matches!(index, DimIndex::Slice { .. })).count();
        let (mut indices, mut places) = (Vec::new(), Vec::new());
        for index in slice.iter().rev() {
            indices.push(match index {
                DimIndex::Fix(at) => *at,
                DimIndex::Slice { start, count, stride } => {
                    counts -= 1;
                    let mut within = left;
                    if counts > 0 {
                        within = self.bin_of(&mut body.stms, BinOp::Rem, left, *count);
                        left = self.bin_of(&mut body.stms, BinOp::Quot, left, *count);
                    }
                    places.push(DimIndex::Fix(within));
                    let step = match *stride == Atom::i64(1) {
                        true => within,
                        false => self.bin_of(&mut body.stms, BinOp::Mul, within, *stride),
                    };
                    match *start == Atom::i64(0) {
                        true => step,
                        false => self.bin_of(&mut body.stms, BinOp::Add, *start, step),
                    }
                }
            });
        }
        indices.reverse();
        places.reverse();
        let value = match value {
            Atom::Var(values) if !places.is_empty() => {
                let value = self.names.fresh("value", self.names.ty(*array).with_dims(Vec::new()));
                body.stms.push(self.stm(vec![value], Exp::index(*values, places), stm.span));
                value.into()
            }
            value => *value,
        };
        body.result = indices.into_iter().chain([value]).collect();
        let lambda = Lambda::new(vec![number], body);
        let exp = Operator::Scatter { width, dests: vec![*array], inputs: vec![range], lambda };
        before.push(Stm { exp: Exp::Op(exp), ..stm.clone() });
        Some(before)
    }

    fn bin_of(&mut self, stms: &mut Vec<Stm>, op: BinOp, x: Atom, y: Atom) -> Atom {
        let var = self.names.fresh("i", Type::i64());
        stms.push(self.stm(vec![var], Exp::bin(op, Prim::I64, x, y), self.span));
        var.into()
    }

    // # Destinations

    /// The array of all rows of a destination, which nobody else has.
    fn owned(
        &mut self,
        cx: &mut Context,
        dest: Var,
        (stm, dests): (&Stm, &[Var]),
        rest: &Rest,
        waiting: &mut Core,
    ) -> Var {
        let mut roots = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut roots);
        roots.retain(|var| !dests.contains(var));
        if let Some(array) = self.handed_over(cx, dest, roots, rest, waiting) {
            return array;
        }
        let demand = self.demand(cx, dest);
        let (array, fresh) = self.results(cx, Core::new(), vec![demand], u32::MAX)[0];
        self.fresh_copy(array, fresh)
    }

    /// The array of all values of a variable that nobody else has, if it is stored and nothing that comes later, nor what these variables
    /// need, reads it, or if it is made for this.
    pub fn handed_over(
        &mut self,
        cx: &mut Context,
        var: Var,
        later: Vec<Var>,
        rest: &Rest,
        waiting: &mut Core,
    ) -> Option<Var> {
        let (base, views) = self.base_of(cx, var, self.body_began)?;
        let mut array = match base {
            Base::Stored(array) => self.is_last_use(cx, array, later, rest, waiting).then_some(array)?,
            // What is not seen in another form is made by whoever asks for it.
            Base::Made(_) if views.is_empty() => return None,
            Base::Made(made) => {
                let demand = self.demand(cx, made);
                self.copy_of_all(cx, made, &demand)
            }
        };
        for view in views.iter().rev() {
            let ty = cx.all(self.names.ty(view.vars[0]));
            let exp = match &view.exp {
                Exp::Array(ArrayExp::Coerce { .. }) => Exp::coerce(array, ty.dims().to_vec()),
                Exp::Array(ArrayExp::Reshape { old, new, .. }) => {
                    let outer = cx.levels.iter().map(|level| level.width);
                    let new = outer.chain(new.iter().copied()).collect();
                    Exp::reshape(array, cx.depth() + old, new)
                }
                _ => continue,
            };
            let name = self.names.name(view.vars[0]);
            array = self.emit(&name, ty, exp);
        }
        Some(array)
    }

    /// Whether nobody reads the array later. What waits and reads it does so now.
    fn is_last_use(
        &mut self,
        cx: &mut Context,
        array: Var,
        mut later: Vec<Var>,
        rest: &Rest,
        waiting: &mut Core,
    ) -> bool {
        let reads = |stm: &Stm| {
            let mut roots = Vec::new();
            mentions::in_stm(&self.names.vars, stm, &mut roots);
            let slice = cx.slice(&self.names.vars, roots, &HashSet::new());
            slice.loads.values().any(|load| load.array == array)
        };
        if waiting.iter().any(|(_, stm)| reads(stm)) {
            self.flush(cx, rest, waiting);
        }
        rest.mentions_after_first(&self.names.vars, &mut later);
        self.settle_readers(cx, array, &later)
    }

    /// Where the values of a variable are, as the innermost level has them and nobody else, if they are stored since then; and how they are
    /// seen.
    fn base_of(&self, cx: &Context, mut var: Var, since: u32) -> Option<(Base, Vec<Rc<Stm>>)> {
        let mut views = Vec::new();
        loop {
            match cx.home(var)? {
                Home::Stored(stored) => {
                    let own = stored.level == cx.depth() && stored.fresh && stored.at >= since;
                    return own.then_some((Base::Stored(stored.array), views));
                }
                Home::Again { level, stm, .. } if *level == cx.depth() => {
                    var = match &stm.exp {
                        Exp::Scalar(ScalarExp::Atom(Atom::Var(same))) => *same,
                        Exp::Array(ArrayExp::Coerce { array, .. } | ArrayExp::Reshape { array, .. })
                            if cx.levels.iter().all(|level| cx.is_outside(level.width)) =>
                        {
                            *array
                        }
                        Exp::Array(ArrayExp::Copy(_) | ArrayExp::Replicate { .. }) => {
                            return Some((Base::Made(var), views));
                        }
                        _ => return None,
                    };
                    views.push(stm.clone());
                }
                Home::Again { .. } | Home::Param { .. } | Home::Waiting | Home::Check => return None,
            }
        }
    }

    /// Scalars that are read from the array by whoever needs them, now or later, are read before it is overwritten. Whether nothing else
    /// reads it.
    fn settle_readers(&mut self, cx: &mut Context, array: Var, later: &[Var]) -> bool {
        loop {
            let slice = cx.slice(&self.names.vars, later.to_vec(), &HashSet::new());
            let readers: HashSet<Var> =
                slice.loads.iter().filter(|(_, load)| load.array == array).map(|(var, _)| *var).collect();
            if readers.is_empty() {
                return true;
            }
            let rows = slice
                .groups
                .iter()
                .any(|(level, group)| readers.contains(&cx.levels[level - 1].groups[*group].input));
            if rows || later.iter().any(|var| readers.contains(var)) {
                return false;
            }
            let reads = |stm: &Stm| {
                let mut used = Vec::new();
                mentions::in_stm(&self.names.vars, stm, &mut used);
                used.iter().any(|var| readers.contains(var))
            };
            let again: Vec<(usize, u32, Rc<Stm>)> = slice
                .again
                .iter()
                .filter(|(_, stm)| reads(stm))
                .map(|((level, at), stm)| (*level, *at, stm.clone()))
                .collect();
            let scalars = |stm: &Stm| stm.vars.iter().all(|var| self.names.ty(*var).is_scalar());
            if again.is_empty() || !again.iter().all(|(level, _, stm)| *level == cx.depth() && scalars(stm)) {
                return false;
            }
            for (_, at, stm) in again {
                let stm = (*stm).clone();
                let vars = stm.vars.clone();
                self.compute(cx, vec![(at, stm)], vars);
            }
        }
    }

    // # Loops

    /// Whether a loop that goes outside overwrites the array without a copy in each iteration.
    pub fn is_overwritten_apart(&self, cx: &Context, param: Var, body: &Body) -> bool {
        let class = self.names.memory.class(param);
        body.stms.iter().filter(|stm| self.overwrites(stm, class)).all(|stm| match &stm.exp {
            Exp::Array(ArrayExp::Update { .. }) => !is_small(self.names.ty(param)),
            Exp::Control(ControlExp::Loop { form: LoopForm::For(..), body, .. }) => {
                self.strategy(cx, stm) == Strategy::Loop && self.is_overwritten_apart(cx, param, body)
            }
            _ => self.can_write(cx, stm),
        })
    }
}
