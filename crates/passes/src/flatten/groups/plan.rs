//! Decides whether a group of threads can run the body of a map, and plans what the group needs for it.
//!
//! `Plan` walks the body of one element. Each operator in it becomes a `grid` of the group's threads; the walk collects the counts
//! of their elements, the arrays that need shared memory or the group's pool, the bytes that reductions and scans share, and facts by
//! which `fit` and `versions` choose between this version and others (`is_deep`, `has_long_loops`, ..).
//!
//! Example: in `map (\xs -> let ys = scan (+) 0 xs in map (/ last ys) xs)` a group can do each row: the plan has one count, the width
//! of `xs`, and memory for `ys`.
//!
//! Refuses (returns `None` at the first such statement): arrays whose sizes the host does not know, more than `MOST_DIMS`
//! dimensions, and types and statements for which a group has no code (`is_for_groups`).

use super::{MOST_DIMS, TOGETHER};
use crate::flatten::Distributor;
use crate::flatten::context::Context;
use crate::flatten::worth::is_narrow;
use crate::imp_gen::{made_in_place, origin, uses_of_stm};
use crate::nest::mentions::{self, bound_inside};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Elem, Exp, LoopForm, Operator, Prim, Scalar, ScalarExp, Stm,
    Type, Var,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// So many iterations of a loop save few launches.
const SHORT_LOOP: i64 = 16;

pub(super) struct Plan<'a, 'd, 'f> {
    pub around: &'a Distributor<'d, 'f>,
    pub cx: &'a Context,
    pub bound: HashSet<Var>,
    pub counts: Vec<Vec<Atom>>,
    pub arrays: Vec<(i64, Vec<Atom>)>,
    /// Bytes by the type of what operators combine: those of one are there for the next.
    pub shared: BTreeMap<Prim, i64>,
    /// Variables that are made in memory which is there before them.
    pub placed: HashSet<Var>,
    /// Arrays that are row-major.
    pub in_order: HashSet<Var>,
    /// Arrays that are used once: a loop can take their memory.
    pub given_up: HashSet<Var>,
    /// About how large sizes that are not known outside are at most.
    pub estimates: HashMap<Var, Atom>,
    /// There are reductions in elements, or histograms, or neutral elements that differ. Kernels for all elements at once do these faster, but for the launches that each
    /// iteration of a loop takes.
    pub is_deep: bool,
    /// How many have been found, and how many loops are around.
    pub operators: usize,
    pub in_loops: usize,
    /// The sizes of matrices whose rows elements reduce, outside of loops.
    pub matrices: Vec<Vec<Atom>>,
    /// Some loop with operators inside has more than a few iterations.
    pub has_long_loops: bool,
    /// There are loops with operators inside, and such without, in which all threads of a group do the same.
    pub has_loops: bool,
    pub has_sequences: bool,
    /// There is one group.
    pub is_alone: bool,
}

impl Plan<'_, '_, '_> {
    /// The body with its operators in `grid`s. `into`: there are places for what it yields.
    pub(super) fn body(&mut self, body: &Body, into: bool) -> Option<Body> {
        if into {
            self.placed.extend(made_in_place(&self.around.names.vars, body));
        }
        let mut uses: HashMap<Var, usize> = HashMap::new();
        let mut use_of = |var: Var| *uses.entry(var).or_default() += 1;
        body.stms.iter().for_each(|stm| uses_of_stm(stm, &mut use_of));
        body.result.iter().filter_map(|atom| atom.var()).for_each(use_of);
        for stm in &body.stms {
            let given = match &stm.exp {
                Exp::Array(ArrayExp::Reshape { array, .. }) => self.given_up.contains(array),
                exp => makes(exp),
            };
            let once = |var: &Var| given && uses.get(var) == Some(&1) && !self.placed.contains(var);
            let once: Vec<Var> = stm.vars.iter().copied().filter(once).collect();
            self.given_up.extend(once);
        }
        for stm in &body.stms {
            if let Exp::Array(ArrayExp::Concat { arrays, size: _ }) = &stm.exp {
                self.placed.extend(arrays.iter().filter(|array| self.given_up.contains(array)));
            }
        }
        let stms: Option<Vec<Stm>> = body.stms.iter().map(|stm| self.statement(stm)).collect();
        Some(Body { stms: stms?, result: body.result.clone() })
    }

    fn statement(&mut self, stm: &Stm) -> Option<Stm> {
        if makes(&stm.exp) || matches!(stm.exp, Exp::Control(_)) {
            self.in_order.extend(&stm.vars);
        }
        if !stm.vars.iter().all(|var| self.around.is_for_groups(*var)) {
            return None;
        }
        if self.around.is_plain(stm) {
            self.estimate(stm);
            self.make_range(stm)?;
            return Some(stm.clone());
        }
        match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(_)) | Exp::Array(ArrayExp::Coerce { .. }) => Some(stm.clone()),
            Exp::Array(
                ArrayExp::Replicate { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::Concat { .. }
                | ArrayExp::ArrayLit(_),
            ) => {
                self.make(&stm.vars)?;
                Some(stm.clone())
            }
            Exp::Array(ArrayExp::Reshape { array, .. }) => {
                if !self.in_order.contains(array) {
                    self.make(&stm.vars)?;
                }
                self.in_order.insert(stm.vars[0]);
                Some(stm.clone())
            }
            Exp::Array(ArrayExp::Update { .. }) => Some(stm.clone()),
            Exp::Op(op) => {
                let op = self.operator(op, &bound_inside(stm))?;
                self.operators += 1;
                if op.dests().is_empty() {
                    self.make(&stm.vars)?;
                }
                Some(Stm { exp: Exp::Op(op), grid: Some(TOGETHER), ..stm.clone() })
            }
            Exp::Control(exp) => {
                let exp = self.control(stm, exp)?;
                Some(Stm { exp: Exp::Control(exp), ..stm.clone() })
            }
            _ => None,
        }
    }

    fn control(&mut self, stm: &Stm, exp: &ControlExp) -> Option<ControlExp> {
        match exp {
            ControlExp::If { cond, then, els } => {
                self.make(&stm.vars)?;
                Some(ControlExp::If { cond: *cond, then: self.body(then, true)?, els: self.body(els, true)? })
            }
            ControlExp::Switch { scrutinee, cases, default } => {
                self.make(&stm.vars)?;
                let case = |(number, body): &(i64, Body)| Some((*number, self.body(body, true)?));
                let cases: Option<Vec<(i64, Body)>> = cases.iter().map(case).collect();
                Some(ControlExp::Switch {
                    scrutinee: *scrutinee,
                    cases: cases?,
                    default: self.body(default, true)?,
                })
            }
            ControlExp::Loop { params, form, body } => {
                let before = self.operators;
                self.in_loops += 1;
                for (at, (param, initial)) in params.iter().enumerate() {
                    if !self.around.is_for_groups(param.var) {
                        return None;
                    }
                    self.in_order.insert(param.var);
                    if origin(&self.around.names.vars, body, body.result[at]) == Some(param.var) {
                        continue;
                    }
                    // One to read, which may be there, one to write.
                    self.make(&[param.var])?;
                    if !initial.var().is_some_and(|initial| self.given_up.contains(&initial)) {
                        self.make(&[param.var])?;
                    }
                }
                let form = match form {
                    LoopForm::For(counter, bound) => {
                        self.estimates.extend(self.estimated(*bound).map(|bound| (*counter, bound)));
                        LoopForm::For(*counter, *bound)
                    }
                    LoopForm::While(cond) => LoopForm::While(self.body(cond, false)?),
                };
                let body = self.body(body, true)?;
                self.in_loops -= 1;
                let is_short =
                    matches!(form, LoopForm::For(_, Atom::Const(Scalar::I64(times))) if times <= SHORT_LOOP);
                match self.operators > before {
                    true => (self.has_loops, self.has_long_loops) = (true, self.has_long_loops || !is_short),
                    false => self.has_sequences = true,
                }
                Some(ControlExp::Loop { params: params.clone(), form, body })
            }
            ControlExp::Check(_) | ControlExp::Call { .. } | ControlExp::Const(_) => None,
        }
    }

    /// A size that is known outside.
    pub(super) fn known(&self, size: Atom) -> Option<Atom> {
        let is_bound = size.var().is_some_and(|var| self.bound.contains(&var));
        (!is_bound && self.cx.is_outside(size)).then_some(size)
    }

    /// As `known`, or a size that is known outside and about as large as this one ever is.
    pub(super) fn estimated(&self, size: Atom) -> Option<Atom> {
        self.known(size).or_else(|| self.estimates.get(&size.var()?).copied())
    }

    fn estimate(&mut self, stm: &Stm) {
        let (first, second) = match &stm.exp {
            Exp::Scalar(ScalarExp::Bin(BinOp::Sub | BinOp::Add, _, first, _)) => (*first, *first),
            Exp::Scalar(ScalarExp::Bin(BinOp::Min | BinOp::Max, _, first, second)) => (*first, *second),
            _ => return,
        };
        if let Some(size) = self.estimated(first).or_else(|| self.estimated(second)) {
            self.estimates.insert(stm.vars[0], size);
        }
    }

    /// An operator whose width may be different in each iteration of a loop: all threads agree about it.
    pub(super) fn varying_count(&mut self, width: Atom, op: &Operator) -> Option<()> {
        match self.estimated(width) {
            Some(width) => self.count(vec![width]),
            None => self.unknown_count(op),
        }
    }

    /// An operator over so many elements that only the group knows. The others do not wait for that in vain if it is alone: it hardly has more than the arrays have that it reads or
    /// writes.
    pub(super) fn unknown_count(&mut self, op: &Operator) -> Option<()> {
        if !self.is_alone {
            return Some(());
        }
        let stm = Stm::new(Vec::new(), Exp::Op(op.clone()), self.around.span);
        let mut mentioned = Vec::new();
        mentions::in_stm(&self.around.names.vars, &stm, &mut mentioned);
        let mut some = None;
        for var in mentioned {
            let dims = self.around.names.ty(var).dims();
            let sizes: Option<Vec<Atom>> = dims.iter().map(|dim| self.known(dim.atom()?)).collect();
            if let Some(sizes) = sizes.filter(|sizes| !sizes.is_empty()) {
                self.count(sizes)?;
                some = Some(());
            }
        }
        some
    }

    pub(super) fn count(&mut self, count: Vec<Atom>) -> Option<()> {
        if count.len() > MOST_DIMS {
            return None;
        }
        let matters = count.len() > 1 || !is_narrow(count[0]);
        if matters && !self.counts.contains(&count) {
            self.counts.push(count);
        }
        Some(())
    }

    /// Memory for these, as far as they are arrays.
    fn make(&mut self, vars: &[Var]) -> Option<()> {
        for var in vars {
            let ty = self.around.names.ty(*var);
            let Type::Value(Elem::Prim(prim), dims) = ty else { continue };
            if dims.is_empty() || self.placed.contains(var) {
                continue;
            }
            let sizes: Option<Vec<Atom>> = dims.iter().map(|dim| self.known(dim.atom()?)).collect();
            let sizes = sizes.filter(|sizes| sizes.len() <= MOST_DIMS)?;
            self.arrays.push((prim.size() as i64, sizes));
        }
        Some(())
    }

    /// A range is materialised if more than its elements is used.
    fn make_range(&mut self, stm: &Stm) -> Option<()> {
        match &stm.exp {
            Exp::Array(ArrayExp::Range { .. }) => self.make(&stm.vars),
            _ => Some(()),
        }
    }
}

/// The statement makes memory of its own for what it binds, unless there is a place for it.
fn makes(exp: &Exp) -> bool {
    match exp {
        Exp::Op(op) => op.dests().is_empty(),
        Exp::Array(exp) => matches!(
            exp,
            ArrayExp::Replicate { .. }
                | ArrayExp::Range { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::Concat { .. }
                | ArrayExp::ArrayLit(_)
        ),
        Exp::Scalar(_) | Exp::Control(_) | Exp::Cell(_) => false,
    }
}
