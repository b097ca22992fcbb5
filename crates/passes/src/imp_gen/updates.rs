//! Which maps can be computed right in the array that is updated with what they make.
//!
//! ```text
//! let row: [m]f64 = index a [k, k1:m:1]
//! let sub: [m][m]f64 = index a [k1:m:1, k1:m:1]
//! let new: [m][m]f64 = map m (column, sub) \(l, r) { map m (row, r) \(u, x) { .. } }      is computed in `a`
//! let b: [n][n]f64 = update a [k1:m:1, k1:m:1] new                                       nothing is left to do
//! ```
//!
//! Each element of the map has a place in the array. That is right if a lambda reads the array only where its own element will be, before that is written, or
//! outside of all that the map writes; if nobody looks at the array between the map and the update; and if all that says where the elements are, and
//! that they are within the array, is known before the map.
//!
//! Method: what the lambda sees of the array is a view of it, for each dimension an index or where a range begins, as a linear form of variables and of the numbers of the
//! maps' elements. Refuses what has no such form: transposed and reshaped views, other operators than maps, rows that loops make of what they read.

use super::in_place::before;
use crate::nest::memory::{Memory, memory, signatures};
use crate::nest::mentions;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Fun, Lambda, LoopForm, Operator, Prim, Prog,
    Scalar, ScalarExp, Stm, Var, VarInfo,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of a function.
pub struct Updates<'a> {
    vars: &'a [VarInfo],
    memory: Memory,
    /// What views, numbers and ranges are bound to.
    bound: FxHashMap<Var, Exp>,
}

/// So many sums are looked through.
const DEPTH: usize = 8;

impl<'a> Updates<'a> {
    pub fn of(prog: &Prog, fun: &'a Fun) -> Updates<'a> {
        let mut bound = FxHashMap::default();
        note_bound(&fun.body, &mut bound);
        Updates { vars: &fun.vars, memory: memory(&signatures(prog), fun), bound }
    }

    /// Where the value that the statement `by` updates an array with can be computed by the statement `at`, which binds it: the array as it is before that, if it can.
    pub fn made_in(&self, body: &Body, at: usize, by: usize) -> Option<Var> {
        let Exp::Array(ArrayExp::Update { array, slice, value: Atom::Var(value) }) = &body.stms[by].exp
        else {
            return None;
        };
        let dims = self.vars[array.0 as usize].ty.dims();
        // Rows that are not side by side are better made elsewhere and copied.
        let is_contiguous = match slice.get(dims.len() - 1) {
            None => true,
            Some(DimIndex::Slice { stride, .. }) => *stride == Atom::i64(1),
            Some(DimIndex::Fix(_)) => false,
        };
        let irregular = dims.contains(&Dim::Irregular);
        if irregular
            || !is_contiguous
            || body.stms[by].certs.iter().any(|cert| binds(&body.stms[at..], *cert))
        {
            return None;
        }
        let same = self.same_memory(body, *array);
        let there = same.iter().copied().find(|var| !binds(&body.stms[at..], *var))?;
        let mut reading = Reading {
            all: self,
            classes: same.iter().map(|var| self.memory.class(*var)).collect(),
            same,
            region: Vec::new(),
            forms: FxHashMap::default(),
            views: FxHashMap::default(),
        };
        reading.region = reading.viewed(*array).and_then(|whole| reading.part(&whole, slice))?;
        if reading.region.iter().any(|dim| dim.first.is_none()) {
            return None;
        }
        let is_seen = |stm: &Stm| reading.mentions(stm) && !reading.updates_elsewhere(stm);
        let is_made = !body.stms[at + 1..by].iter().any(is_seen) && reading.makes(&body.stms[at], *value, 0);
        is_made.then_some(there)
    }

    /// The array and what it was before updates, the last first: all have one layout.
    fn same_memory(&self, body: &Body, array: Var) -> Vec<Var> {
        let mut same = Vec::new();
        let mut next = Some(array);
        while let Some(var) = next {
            same.push(var);
            let stm = body.stms.iter().find(|stm| stm.vars.contains(&var));
            next = stm.and_then(|stm| before(self.vars, stm, var));
        }
        same
    }
}

fn binds(stms: &[Stm], var: Var) -> bool {
    stms.iter().any(|stm| stm.vars.contains(&var))
}

fn note_bound(body: &Body, bound: &mut FxHashMap<Var, Exp>) {
    for stm in &body.stms {
        if let ([var], Exp::Scalar(_) | Exp::Array(_)) = (&stm.vars[..], &stm.exp) {
            bound.insert(*var, stm.exp.clone());
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => note_bound(body, bound),
            Part::Lambda(lambda) => note_bound(&lambda.body, bound),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}

/// A sum of variables, each some times, and a number.
#[derive(Clone, PartialEq, Default, Debug)]
struct Form {
    terms: Vec<(Term, i64)>,
    number: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Term {
    Var(Var),
    /// The number of the element of the map at this depth.
    Element(usize),
}

impl Form {
    fn number(number: i64) -> Form {
        Form { terms: Vec::new(), number }
    }

    fn term(term: Term) -> Form {
        Form { terms: vec![(term, 1)], number: 0 }
    }

    fn plus(&self, other: &Form, times: i64) -> Form {
        let mut terms = self.terms.clone();
        for (term, factor) in &other.terms {
            match terms.iter_mut().find(|(own, _)| own == term) {
                Some((_, own)) => *own = own.wrapping_add(factor.wrapping_mul(times)),
                None => terms.push((*term, factor.wrapping_mul(times))),
            }
        }
        terms.retain(|(_, factor)| *factor != 0);
        terms.sort();
        Form { terms, number: self.number.wrapping_add(other.number.wrapping_mul(times)) }
    }

    fn minus(&self, other: &Form) -> Form {
        self.plus(other, -1)
    }

    fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.number)
    }
}

/// What a view may have of a dimension of the array: so many from an index on, side by side. Nothing where that has no form.
#[derive(Clone, Debug)]
struct Extent {
    first: Option<Form>,
    count: Option<Form>,
    /// The view has this dimension; otherwise it has one index of it.
    is_kept: bool,
    /// Which index that is, is not known.
    is_somewhere: bool,
}

impl Extent {
    fn one(first: Option<Form>) -> Extent {
        Extent { first, count: Some(Form::number(1)), is_kept: false, is_somewhere: false }
    }

    fn range(first: Option<Form>, count: Option<Form>) -> Extent {
        Extent { first, count, is_kept: true, is_somewhere: false }
    }
}

type View = Vec<Extent>;

/// Looks for all that a statement reads of an array.
struct Reading<'b, 'a> {
    all: &'b Updates<'a>,
    /// Of all that may share its memory, and of rows that lambdas take of it.
    classes: FxHashSet<u32>,
    same: Vec<Var>,
    /// What is written.
    region: View,
    /// Of parameters of lambdas.
    forms: FxHashMap<Var, Form>,
    views: FxHashMap<Var, View>,
}

impl Reading<'_, '_> {
    fn is_shared(&self, var: Var) -> bool {
        self.classes.contains(&self.all.memory.class(var))
    }

    /// Whether a statement mentions the array, anywhere.
    fn mentions(&self, stm: &Stm) -> bool {
        let mut mentioned = Vec::new();
        mentions::in_stm(self.all.vars, stm, &mut mentioned);
        mentioned.into_iter().any(|var| self.is_shared(var))
    }

    fn rank(&self, var: Var) -> usize {
        self.all.vars[var.0 as usize].ty.rank()
    }

    /// Whether a statement only updates the array, and elsewhere.
    fn updates_elsewhere(&self, stm: &Stm) -> bool {
        let Exp::Array(ArrayExp::Update { array, slice, value }) = &stm.exp else { return false };
        let part = self.viewed(*array).and_then(|whole| self.part(&whole, slice));
        value.var().is_none_or(|var| !self.is_shared(var)) && part.is_some_and(|part| self.is_disjoint(&part))
    }

    // # Where

    fn form(&self, atom: Atom) -> Form {
        self.form_within(atom, DEPTH)
    }

    fn form_within(&self, atom: Atom, depth: usize) -> Form {
        let var = match atom {
            Atom::Const(Scalar::I64(number)) => return Form::number(number),
            Atom::Const(_) => return Form::default(),
            Atom::Var(var) => var,
        };
        if let Some(form) = self.forms.get(&var) {
            return form.clone();
        }
        let plain = || Form::term(Term::Var(var));
        let Some(less) = depth.checked_sub(1) else { return plain() };
        match self.all.bound.get(&var) {
            Some(Exp::Scalar(ScalarExp::Bin(BinOp::Add, Prim::I64, x, y))) => {
                self.form_within(*x, less).plus(&self.form_within(*y, less), 1)
            }
            Some(Exp::Scalar(ScalarExp::Bin(BinOp::Sub, Prim::I64, x, y))) => {
                self.form_within(*x, less).minus(&self.form_within(*y, less))
            }
            Some(Exp::Scalar(ScalarExp::Atom(atom))) => self.form_within(*atom, less),
            _ => plain(),
        }
    }

    /// What a variable shows of the array.
    fn viewed(&self, var: Var) -> Option<View> {
        if let Some(view) = self.views.get(&var) {
            return Some(view.clone());
        }
        if self.same.contains(&var) {
            let size = |dim: &Dim| dim.atom().map(|size| self.form(size));
            let whole = |dim: &Dim| Extent::range(Some(Form::number(0)), size(dim));
            return Some(self.all.vars[var.0 as usize].ty.dims().iter().map(whole).collect());
        }
        match self.all.bound.get(&var)? {
            Exp::Array(ArrayExp::Index { array, slice }) => self.part(&self.viewed(*array)?, slice),
            Exp::Array(ArrayExp::Coerce { array, .. }) => self.viewed(*array),
            Exp::Scalar(ScalarExp::Atom(Atom::Var(array))) => self.viewed(*array),
            _ => None,
        }
    }

    /// A part of a view.
    fn part(&self, view: &View, slice: &[DimIndex]) -> Option<View> {
        let mut rest = slice.iter();
        let mut part = view.clone();
        for extent in part.iter_mut().filter(|extent| extent.is_kept) {
            let Some(dim) = rest.next() else { break };
            let moved = |by: &Atom| extent.first.as_ref().map(|first| first.plus(&self.form(*by), 1));
            *extent = match dim {
                DimIndex::Fix(at) => Extent::one(moved(at)),
                DimIndex::Slice { start, count, stride } => {
                    let first = moved(start).filter(|_| *stride == Atom::i64(1));
                    Extent::range(first, Some(self.form(*count)))
                }
            };
        }
        rest.next().is_none().then_some(part)
    }

    /// The row of a view for each element of a map: at this number, if that is known.
    fn row(&self, view: &View, number: Option<Form>) -> Option<View> {
        let mut row = view.clone();
        let extent = row.iter_mut().find(|extent| extent.is_kept)?;
        match number {
            None => (extent.is_kept, extent.is_somewhere) = (false, true),
            Some(number) => {
                *extent = Extent::one(extent.first.as_ref().map(|first| first.plus(&number, 1)));
            }
        }
        Some(row)
    }

    /// Whether a view has nothing of what is written but in the rows of this element, so many maps deep.
    fn is_own(&self, view: &View, depth: usize) -> bool {
        let mut maps = 0;
        self.region.iter().zip(view).all(|(written, seen)| {
            let own = match (&written.first, written.is_kept) {
                (Some(first), false) => first.clone(),
                (Some(first), true) => {
                    maps += 1;
                    if maps > depth {
                        return true;
                    }
                    first.plus(&Form::term(Term::Element(maps - 1)), 1)
                }
                (None, _) => return false,
            };
            !seen.is_kept && !seen.is_somewhere && seen.first == Some(own)
        })
    }

    /// Whether a view has nothing of what is written: all of it is in front, or behind, in some dimension.
    fn is_disjoint(&self, view: &View) -> bool {
        let end = |extent: &Extent| Some(extent.first.as_ref()?.plus(extent.count.as_ref()?, 1));
        let is_in_front = |one: &Extent, other: &Extent| match (end(one), &other.first) {
            (Some(end), Some(first)) => first.minus(&end).as_number().is_some_and(|gap| gap >= 0),
            (_, _) => false,
        };
        self.region
            .iter()
            .zip(view)
            .any(|(written, seen)| is_in_front(written, seen) || is_in_front(seen, written))
    }

    fn may_be_read(&self, view: &View, depth: usize) -> bool {
        self.is_own(view, depth) || self.is_disjoint(view)
    }

    // # What is read

    /// What a parameter of a lambda shows of the array.
    fn show(&mut self, param: Var, view: View) {
        if self.rank(param) > 0 {
            self.classes.insert(self.all.memory.class(param));
        }
        self.views.insert(param, view);
    }

    /// Whether the statement can write this array, of elements so many maps deep, to where it belongs.
    fn makes(&mut self, stm: &Stm, var: Var, depth: usize) -> bool {
        let Some(at) = stm.vars.iter().position(|bound| *bound == var) else { return false };
        match &stm.exp {
            Exp::Op(Operator::Map { width: _, inputs, lambda }) => {
                self.enter(inputs, lambda, depth)
                    && self.yields(&lambda.body, lambda.body.result[at], depth + 1)
            }
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                [then, els].into_iter().all(|body| self.yields(body, body.result[at], depth))
            }
            _ => false,
        }
    }

    /// The same for the result of a body.
    fn yields(&mut self, body: &Body, result: Atom, depth: usize) -> bool {
        let rank = self.region.iter().filter(|extent| extent.is_kept).count();
        if depth == rank {
            return self.reads(body, depth);
        }
        // Other results are stored after this one, and must not show what it has overwritten.
        if body.result.iter().filter_map(|atom| atom.var()).any(|var| self.is_shared(var)) {
            return false;
        }
        let Some(var) = result.var() else { return false };
        let Some(maker) = body.stms.iter().position(|stm| stm.vars.contains(&var)) else {
            return self.reads(body, depth);
        };
        let before = body.stms[..maker].iter().all(|stm| self.reads_in(stm, depth));
        let is_made = match self.mentions(&body.stms[maker]) {
            true => self.makes(&body.stms[maker], var, depth),
            false => true,
        };
        before && is_made && !body.stms[maker + 1..].iter().any(|stm| self.mentions(stm))
    }

    /// The parameters of the map at this depth. Each row is seen by its element.
    fn enter(&mut self, inputs: &[Var], lambda: &Lambda, depth: usize) -> bool {
        if inputs.len() != lambda.params.len() {
            return false;
        }
        let element = Form::term(Term::Element(depth));
        for (input, param) in inputs.iter().zip(&lambda.params) {
            match self.all.bound.get(input) {
                Some(Exp::Array(ArrayExp::Range { prim: Prim::I64, count: _, start, step }))
                    if *step == Atom::i64(1) =>
                {
                    let number = self.form(*start).plus(&element, 1);
                    self.forms.insert(*param, number);
                }
                _ if !self.is_shared(*input) => {}
                _ => {
                    let view = self.viewed(*input).and_then(|view| self.row(&view, Some(element.clone())));
                    let Some(view) = view else { return false };
                    if self.rank(*param) == 0 && !self.may_be_read(&view, depth + 1) {
                        return false;
                    }
                    self.show(*param, view);
                }
            }
        }
        true
    }

    fn reads(&mut self, body: &Body, depth: usize) -> bool {
        let is_result = body.result.iter().filter_map(|atom| atom.var()).any(|var| self.is_shared(var));
        !is_result && body.stms.iter().all(|stm| self.reads_in(stm, depth))
    }

    /// Whether all that a statement reads of the array may be read by an element so many maps deep.
    fn reads_in(&mut self, stm: &Stm, depth: usize) -> bool {
        if !self.mentions(stm) {
            return true;
        }
        let may_be_read = |this: &Self, var: Var| {
            !this.is_shared(var) || this.viewed(var).is_some_and(|view| this.may_be_read(&view, depth))
        };
        match &stm.exp {
            Exp::Array(ArrayExp::Index { array, slice }) => {
                let part = self.viewed(*array).and_then(|view| self.part(&view, slice));
                let is_view = self.rank(stm.vars[0]) > 0;
                part.is_some_and(|part| is_view || self.may_be_read(&part, depth))
            }
            Exp::Array(ArrayExp::Coerce { array, .. }) => self.viewed(*array).is_some(),
            Exp::Op(op @ (Operator::Map { .. } | Operator::Reduce { .. } | Operator::Fused { .. })) => {
                if !op.inputs().iter().all(|input| may_be_read(self, *input)) {
                    return false;
                }
                if let Some(lambda) = op.lambda() {
                    if op.inputs().len() != lambda.params.len() {
                        return false;
                    }
                    for (input, param) in op.inputs().iter().zip(&lambda.params) {
                        let view = self.viewed(*input).filter(|_| self.is_shared(*input));
                        if let Some(row) = view.and_then(|view| self.row(&view, None)) {
                            self.show(*param, row);
                        }
                    }
                    if !self.reads(&lambda.body, depth) {
                        return false;
                    }
                }
                let takes_rows = |lambda: &&Lambda| lambda.params.iter().any(|param| self.rank(*param) > 0);
                !op.reductions().iter().any(takes_rows)
                    && op.reductions().iter().all(|lambda| self.reads(&lambda.body, depth))
            }
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                self.reads(then, depth) && self.reads(els, depth)
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                let is_carried = |initial: &Atom| initial.var().is_some_and(|var| self.is_shared(var));
                let carried = params.iter().any(|(_, initial)| is_carried(initial));
                let cond = match form {
                    LoopForm::For(..) => true,
                    LoopForm::While(cond) => self.reads(cond, depth),
                };
                !carried && cond && self.reads(body, depth)
            }
            _ => false,
        }
    }
}
