//! What is known of integers: bounds, and equalities, of the form `a + 2 b - i >= 0`.
//!
//! A pass records what it sees (`define`, `count`, `size`, `learn`, `assume`) and queries (`is_index`, `compare`, ..). Facts
//! hold from where they were recorded to the end of the body, so the pass forgets them there (`mark`, `forget`). A
//! fact that rests on a check is known together with the check's certificate; who uses it must rely on that.
//!
//! **Words and integers.** Operations wrap around, so `i + 1` may be negative though `i` is not. Two forms are kept for a
//! variable: one that is equal to it up to multiples of 2^64 (its *residue*: sums and products of residues are
//! residues), and one that is equal to it (*exact*), which is the residue where that provably lies in the range of the
//! type. Facts are about exact forms. If a residue lies between 0 and a length, then it is the index itself.
//!
//! **Refuses** what needs more than facts multiplied by variables: divisions by variables are just some number.

pub mod form;
mod prove;
mod scalars;

pub use form::Form;
pub use prove::Certs;

use norn_ir::nest::{Atom, BinOp, Check, Dim, Exp, Prim, Scalar, ScalarExp, Var, VarInfo};
use prove::prove;

/// No machine has memory for more: addresses have 48 bits.
const MOST_ELEMENTS: i128 = 1 << 48;

#[derive(Default)]
pub struct Bounds {
    vars: Vec<VarFacts>,
    facts: Vec<Fact>,
    /// The sizes of matrices that lie in memory.
    matrices: Vec<(Var, Var)>,
    /// Facts that were recorded later than this are ignored, if it is set.
    until: Option<usize>,
}

/// What is known of a variable wherever it is visible.
#[derive(Clone, Default)]
struct VarFacts {
    prim: Option<Prim>,
    residue: Option<Form>,
    exact: Option<(Form, Certs)>,
    /// Of several values it is one.
    cases: Option<Vec<Case>>,
    /// Of a `bool`, when it is true.
    truth: Option<Truth>,
    /// The facts that mention it.
    facts: Vec<u32>,
}

impl VarFacts {
    /// The facts of its definition, which may be derived again when other facts are known.
    fn forget(&mut self) {
        (self.residue, self.exact, self.cases, self.truth) = (None, None, None, None);
    }
}

#[derive(Clone, Debug)]
pub struct Fact {
    /// Not negative.
    pub form: Form,
    pub certs: Certs,
}

/// A multiple of a number `y` that is not above another, `x`, by no more than `2 y`.
pub struct Multiple {
    pub times: i128,
    /// Even the next multiple is above it.
    pub is_next_above: bool,
    /// Part of what is left of `x` is `y`.
    pub cancels: bool,
}

#[derive(Clone, Debug)]
pub struct Case {
    /// None of these is negative if it is this case.
    pub when: Vec<Form>,
    pub value: Form,
    pub certs: Certs,
}

#[derive(Clone, Debug)]
enum Truth {
    NotNegative(Form, Certs),
    Zero(Form, Certs),
    Both(Atom, Atom),
    Either(Atom, Atom),
    Not(Atom),
}

impl Bounds {
    /// Nothing is known about these variables, but for their types.
    pub fn of(vars: &[VarInfo]) -> Bounds {
        let mut bounds = Bounds::default();
        bounds.grow(vars);
        bounds
    }

    pub fn grow(&mut self, vars: &[VarInfo]) {
        for info in &vars[self.vars.len()..] {
            self.vars.push(VarFacts { prim: info.ty.prim(), ..VarFacts::default() });
        }
    }

    pub fn mark(&self) -> usize {
        self.facts.len()
    }

    pub fn forget(&mut self, mark: usize) {
        while self.facts.len() > mark {
            let Some(fact) = self.facts.pop() else { return };
            let mut mentioned: Vec<Var> = fact.form.vars().collect();
            mentioned.sort_unstable();
            mentioned.dedup();
            for var in mentioned {
                self.vars[var.0 as usize].facts.pop();
            }
        }
    }

    /// Reason only with what was known at a mark, or again with all.
    pub fn see_until(&mut self, mark: Option<usize>) {
        self.until = mark;
    }

    // # Telling

    /// `0 <= var < bound`
    pub fn count(&mut self, var: Var, bound: Atom) {
        self.fact(Form::var(var), Vec::new());
        let (bound, certs) = self.exact(bound);
        self.fact_of(bound.plus_constant(-1).and_then(|last| last.minus(&Form::var(var))), certs.clone());
        // With a row there is a column, and memory bounds the number of columns.
        for at in 0..self.matrices.len() {
            let (rows, columns) = self.matrices[at];
            for (this, other) in [(rows, columns), (columns, rows)] {
                if bound == Form::var(this) {
                    self.fact_of(Form::constant(MOST_ELEMENTS).minus(&Form::var(other)), certs.clone());
                }
            }
        }
    }

    /// A size, or something else that is at least this.
    pub fn at_least(&mut self, atom: Atom, least: i128, certs: &[Var]) {
        let (form, mut relied) = self.exact(atom);
        relied.extend(certs);
        self.fact_of(form.plus_constant(-least), relied);
    }

    pub fn at_most(&mut self, var: Var, most: Atom) {
        let (most, certs) = self.exact(most);
        self.fact_of(most.minus(&Form::var(var)), certs);
    }

    /// That an array has these dimensions, as far as they are sizes.
    pub fn sizes(&mut self, dims: &[Dim], certs: &[Var]) {
        for size in dims.iter().filter_map(|dim| dim.atom()) {
            if size.var().is_some() && !self.is_at_least_zero(size) {
                self.at_least(size, 0, certs);
            }
        }
    }

    /// That an array with these dimensions lies in memory, so it has no more elements than memory has places.
    pub fn volume(&mut self, dims: &[Dim]) {
        let count = match dims {
            [Dim::Size(Atom::Var(count))] => Some(Form::var(*count)),
            [Dim::Size(Atom::Var(rows)), Dim::Size(Atom::Var(columns))] => {
                self.matrices.push((*rows, *columns));
                Form::var(*rows).times_var(*columns)
            }
            _ => None,
        };
        self.fact_of(count.and_then(|count| Form::constant(MOST_ELEMENTS).minus(&count)), Vec::new());
    }

    /// Records the facts of a check that has passed.
    pub fn learn(&mut self, check: &Check, cert: Var) {
        let relied = |certs: Certs| [certs, vec![cert]].concat();
        match check {
            Check::Index { index, length } => {
                let ((index, own), (length, more)) = (self.exact(*index), self.exact(*length));
                let certs = relied([own, more].concat());
                self.fact(index.clone(), certs.clone());
                self.fact_of(length.minus(&index).and_then(|rest| rest.plus_constant(-1)), certs);
            }
            Check::Size { expected, found } => {
                let ((a, own), (b, more)) = (self.exact(*expected), self.exact(*found));
                let certs = relied([own, more].concat());
                self.fact_of(a.minus(&b), certs.clone());
                self.fact_of(b.minus(&a), certs);
            }
            Check::NonNegative(size) => {
                let (form, certs) = self.exact(*size);
                self.fact(form, relied(certs));
                self.learn_unwrapped(*size, cert);
            }
            Check::Slice { start, count, stride, length } => {
                self.learn_slice([*start, *count, *stride, *length], cert)
            }
            Check::Assert { cond, text: _ } => self.assume_resting(*cond, true, &[cert]),
            Check::NonZero(..)
            | Check::Exponent(..)
            | Check::Shape { .. }
            | Check::Range { .. }
            | Check::Segments { .. }
            | Check::Flat { .. }
            | Check::Fail { .. } => {}
        }
    }

    /// Of a number that is not negative by a check: it is its residue if that would be negative as a word wherever it does not fit. So `n - k + 1` is itself, although it is
    /// beyond all numbers if `n` is the largest and `k` is 0.
    fn learn_unwrapped(&mut self, atom: Atom, cert: Var) {
        let Atom::Var(var) = atom else { return };
        let VarFacts { prim: Some(prim), residue: Some(residue), exact: None, .. } =
            &self.vars[var.0 as usize]
        else {
            return;
        };
        let (low, high) = range_of(*prim);
        let above = residue.plus_constant(-low).and_then(|form| prove(self, &form));
        let below = Form::constant(high - low).minus(residue).and_then(|form| prove(self, &form));
        if let (Some(above), Some(below)) = (above, below) {
            let certs = [above, below, vec![cert]].concat();
            let difference = residue.minus(&Form::var(var));
            self.fact_of(difference.as_ref().and_then(Form::negated), certs.clone());
            self.fact_of(difference, certs);
        }
    }

    fn learn_slice(&mut self, operands: [Atom; 4], cert: Var) {
        let [(start, a), (count, b), (stride, c), (length, d)] = operands.map(|atom| self.exact(atom));
        let certs = [a, b, c, d, vec![cert]].concat();
        self.fact(count.clone(), certs.clone());
        // An empty slice may start anywhere.
        if let Some(one) = count.plus_constant(-1)
            && let Some(proof) = prove(self, &one)
        {
            let certs = [certs, proof].concat();
            let last = one.times(&stride).and_then(|steps| steps.plus(&start));
            for end in [Some(start), last].into_iter().flatten() {
                self.fact(end.clone(), certs.clone());
                self.fact_of(length.minus(&end).and_then(|rest| rest.plus_constant(-1)), certs.clone());
            }
        }
    }

    /// In a branch that is taken if the condition is this.
    pub fn assume(&mut self, cond: Atom, holds: bool) {
        self.assume_resting(cond, holds, &[]);
    }

    /// As `assume`, for a condition that was computed where its checks cannot be relied on.
    pub fn assume_unchecked(&mut self, cond: Atom, holds: bool) {
        let mark = self.mark();
        self.assume(cond, holds);
        if self.facts[mark..].iter().any(|fact| !fact.certs.is_empty()) {
            self.forget(mark);
        }
    }

    fn assume_resting(&mut self, cond: Atom, holds: bool, on: &[Var]) {
        let Some(truth) = cond.var().and_then(|var| self.vars[var.0 as usize].truth.clone()) else { return };
        match truth {
            Truth::NotNegative(form, certs) => {
                let known =
                    if holds { Some(form) } else { form.negated().and_then(|form| form.plus_constant(-1)) };
                self.fact_of(known, [certs, on.to_vec()].concat());
            }
            Truth::Zero(form, certs) => {
                let certs = [certs, on.to_vec()].concat();
                for side in [Some(form.clone()), form.negated()].into_iter().flatten() {
                    if holds {
                        self.fact(side, certs.clone());
                    } else if let Some(proof) = prove(self, &side) {
                        // Not negative and not zero.
                        self.fact_of(side.plus_constant(-1), [certs.clone(), proof].concat());
                    }
                }
            }
            Truth::Both(a, b) => {
                if holds {
                    self.assume_resting(a, true, on);
                    self.assume_resting(b, true, on);
                }
            }
            Truth::Either(a, b) => {
                if !holds {
                    self.assume_resting(a, false, on);
                    self.assume_resting(b, false, on);
                }
            }
            Truth::Not(other) => self.assume_resting(other, !holds, on),
        }
    }

    /// That one is no more than the other.
    pub fn order(&mut self, less: Atom, more: Atom) {
        let ((a, own), (b, certs)) = (self.exact(less), self.exact(more));
        self.fact_of(b.minus(&a), [own, certs].concat());
    }

    /// Whether one is no more than the other, without relying on any check.
    pub fn is_ordered(&self, less: Atom, more: Atom) -> bool {
        self.compare(BinOp::Le, less, more) == Some(true)
    }

    /// Of a variable, that it is the one value if the condition holds and else the other.
    pub fn choose(&mut self, var: Var, cond: Atom, then: Atom, els: Atom) {
        self.vars[var.0 as usize].forget();
        if self.prim(var) == Some(Prim::Bool) {
            self.vars[var.0 as usize].truth = match (then, els) {
                (then, Atom::Const(Scalar::Bool(false))) => Some(Truth::Both(cond, then)),
                (Atom::Const(Scalar::Bool(true)), els) => Some(Truth::Either(cond, els)),
                _ => None,
            };
            return;
        }
        if !self.prim(var).is_some_and(Prim::is_int) {
            return;
        }
        let case = |bounds: &mut Bounds, holds: bool, value: Atom| {
            let mark = bounds.mark();
            bounds.assume_unchecked(cond, holds);
            let when = bounds.facts[mark..].iter().map(|fact| fact.form.clone()).collect();
            bounds.forget(mark);
            // Checks in the branches cannot be relied on outside.
            let (value, certs) = bounds.exact(value);
            certs.is_empty().then_some(Case { when, value, certs })
        };
        let cases = [case(self, true, then), case(self, false, els)];
        self.vars[var.0 as usize].cases = cases.into_iter().collect();
    }

    fn fact(&mut self, form: Form, certs: Certs) {
        if form.is_constant() {
            return;
        }
        let mut mentioned: Vec<Var> = form.vars().collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        for var in mentioned {
            self.vars[var.0 as usize].facts.push(self.facts.len() as u32);
        }
        self.facts.push(Fact { form, certs });
    }

    fn fact_of(&mut self, form: Option<Form>, certs: Certs) {
        if let Some(form) = form {
            self.fact(form, certs);
        }
    }

    // # Asking

    fn prim(&self, var: Var) -> Option<Prim> {
        self.vars[var.0 as usize].prim
    }

    fn cases(&self, var: Var) -> Option<&[Case]> {
        self.vars[var.0 as usize].cases.as_deref()
    }

    /// The latest first: they are the closest.
    fn facts_of(&self, var: Var) -> impl Iterator<Item = &Fact> {
        let visible = self.until.unwrap_or(self.facts.len());
        let latest = self.vars[var.0 as usize].facts.iter().rev().map(|at| *at as usize);
        latest.filter(move |at| *at < visible).map(|at| &self.facts[at])
    }

    fn exact(&self, atom: Atom) -> (Form, Certs) {
        match atom {
            Atom::Const(scalar) => (Form::constant(integer(scalar).unwrap_or(0)), Vec::new()),
            Atom::Var(var) => {
                let exact = &self.vars[var.0 as usize].exact;
                exact.clone().unwrap_or_else(|| (Form::var(var), Vec::new()))
            }
        }
    }

    fn residue(&self, atom: Atom) -> (Form, Certs) {
        let residue = atom.var().and_then(|var| self.vars[var.0 as usize].residue.clone());
        residue.map_or_else(|| self.exact(atom), |form| (form, Vec::new()))
    }

    /// `0 <= index < length`
    pub fn is_index(&self, index: Atom, length: Atom) -> Option<Certs> {
        let (length, more) = self.exact(length);
        self.any_form(index, &|index| {
            let low = prove(self, index)?;
            let high = prove(self, &length.minus(index)?.plus_constant(-1)?)?;
            Some([more.clone(), low, high].concat())
        })
    }

    /// Asks for a number that is an index if this can be proved of it: of the number itself, for which a condition may have recorded facts, or else of
    /// what it was computed from, which is equal to it then.
    fn any_form(&self, number: Atom, prove: &dyn Fn(&Form) -> Option<Certs>) -> Option<Certs> {
        let of = |(form, certs): (Form, Certs)| Some(sorted([certs, prove(&form)?].concat()));
        of(self.residue(number)).or_else(|| of(self.exact(number)))
    }

    /// One of the multiples -1, 0 and 1 of a number such that another is no less, but less than the next but one.
    pub fn multiple_below(&self, number: Atom, of: Atom) -> Option<Multiple> {
        let ((x, _), (y, _)) = (self.exact(number), self.exact(of));
        [0, 1, -1].into_iter().find_map(|times| {
            let rest = x.plus_scaled(&y, -times)?;
            let is_less = |most: i128| prove(self, &y.scaled(most)?.minus(&rest)?.plus_constant(-1)?);
            prove(self, &rest)?;
            is_less(2)?;
            let cancels = rest.minus(&y)?.terms().len() < rest.terms().len();
            Some(Multiple { times, is_next_above: is_less(1).is_some(), cancels })
        })
    }

    pub fn is_slice(&self, start: Atom, count: Atom, stride: Atom, length: Atom) -> Option<Certs> {
        let [(count, b), (stride, c), (length, d)] = [count, stride, length].map(|atom| self.exact(atom));
        let certs = [b, c, d, prove(self, &count)?].concat();
        let step = stride.is_constant().then_some(stride.constant);
        self.any_form(start, &|start| {
            let last = || count.plus_constant(-1)?.times(&stride)?.plus(start);
            let rest = |end: &Form| length.minus(end)?.plus_constant(-1);
            // The first and the last element, if there are any, with the others between them. An empty slice may be anywhere.
            let needed = match step {
                // Except for this most frequent query: it may only be at the end.
                Some(1) => vec![length.minus(start)?.minus(&count)?, start.clone()],
                Some(2..) => vec![rest(&last()?)?, start.clone()],
                Some(..0) => vec![last()?, rest(start)?],
                Some(0) | None => vec![rest(&last()?)?, last()?, rest(start)?, start.clone()],
            };
            let mut certs = certs.clone();
            for form in &needed {
                certs.extend(prove(self, form)?);
            }
            Some(certs)
        })
    }

    pub fn is_at_least_zero(&self, atom: Atom) -> bool {
        self.not_negative(atom).is_some()
    }

    pub fn not_negative(&self, atom: Atom) -> Option<Certs> {
        let (form, certs) = self.exact(atom);
        Some(sorted([certs, prove(self, &form)?].concat()))
    }

    pub fn not_zero(&self, atom: Atom) -> Option<Certs> {
        let (form, certs) = self.exact(atom);
        let above = form.plus_constant(-1).and_then(|form| prove(self, &form));
        let proof = above.or_else(|| prove(self, &form.negated()?.plus_constant(-1)?))?;
        Some(sorted([certs, proof].concat()))
    }

    /// The same word, whatever the variables in it are.
    pub fn are_equal(&self, a: Atom, b: Atom) -> Option<Certs> {
        let ((x, own), (y, more)) = (self.residue(a), self.residue(b));
        if x == y {
            return Some(sorted([own, more].concat()));
        }
        let ((x, own), (y, more)) = (self.exact(a), self.exact(b));
        let (low, high) = (prove(self, &x.minus(&y)?)?, prove(self, &y.minus(&x)?)?);
        Some(sorted([own, more, low, high].concat()))
    }

    /// Whether a comparison of integers holds, if that is known without relying on any check.
    pub fn compare(&self, op: BinOp, x: Atom, y: Atom) -> Option<bool> {
        let ((a, own), (b, more)) = (self.exact(x), self.exact(y));
        if !own.is_empty() || !more.is_empty() {
            return None;
        }
        let (below, above) = (b.minus(&a)?, a.minus(&b)?);
        let (less, more) = (below.plus_constant(-1)?, above.plus_constant(-1)?);
        let always = |form: &Form| prove(self, form).is_some_and(|certs| certs.is_empty());
        match op {
            BinOp::Lt if always(&less) => Some(true),
            BinOp::Lt if always(&above) => Some(false),
            BinOp::Le if always(&below) => Some(true),
            BinOp::Le if always(&more) => Some(false),
            BinOp::Eq if below.is_constant() => Some(below.constant == 0),
            BinOp::Eq if always(&less) || always(&more) => Some(false),
            _ => None,
        }
    }
}

fn sorted(mut certs: Certs) -> Certs {
    certs.sort_unstable();
    certs.dedup();
    certs
}

/// The least and the largest number of an integer type; a condition is 0 or 1.
fn range_of(prim: Prim) -> (i128, i128) {
    if prim.is_int() { prim.extremes() } else { (0, 1) }
}

fn integer(scalar: Scalar) -> Option<i128> {
    match scalar {
        Scalar::I8(x) => Some(x.into()),
        Scalar::I16(x) => Some(x.into()),
        Scalar::I32(x) => Some(x.into()),
        Scalar::I64(x) => Some(x.into()),
        Scalar::U8(x) => Some(x.into()),
        Scalar::U16(x) => Some(x.into()),
        Scalar::U32(x) => Some(x.into()),
        Scalar::U64(x) => Some(x.into()),
        Scalar::Bool(x) => Some(x.into()),
        Scalar::F16(_) | Scalar::F32(_) | Scalar::F64(_) => None,
    }
}

/// Whether facts about an integer or a condition follow from a definition.
pub fn yields_facts(exp: &Exp) -> bool {
    match exp {
        Exp::Scalar(ScalarExp::Un(_, prim, _) | ScalarExp::Bin(_, prim, ..)) => !prim.is_float(),
        Exp::Scalar(ScalarExp::Convert { from, to, .. }) => !from.is_float() && !to.is_float(),
        _ => false,
    }
}
