//! Which arrays the thread of a kernel traverses element by element: an analysis for `layouts`.
//!
//! ```text
//! \xs { loop s = 0 for j < m do s * a + xs[j] }        xs
//! \xs { reduce m (xs) op }                             xs
//! \xs { xs[0] + xs[k] }                                nothing
//! \xs { map k (iota) \i { reduce m (xs) .. i .. } }    xs, again and again
//! \k { map h (xsss[k]) \xs { reduce m (xs) op } }      xsss, whose row `k` neighbours share
//! ```
//!
//! Neighbouring threads have neighbouring rows, so element `j` of these should be contiguous (`layouts`). In that
//! layout a row is strided, so an array is not listed if something needs its rows contiguous (a call, a loop parameter, a reshape).

use super::kernel::Kernel;
use crate::imp_gen::owners::uses_of_stm;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, DimIndex, Exp, LoopForm, Operator, ScalarExp, Stm, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// An array of which each thread of a map walks through a row.
pub struct Walked {
    pub array: Var,
    /// The row is behind so many dimensions at which neighbouring threads have the same index, whatever it is.
    pub shared: usize,
    /// And then behind so many: the last ones of the space.
    pub outer: usize,
    /// A thread walks through it again and again: in a loop whose iterations all begin at the same element.
    pub again: bool,
}

pub fn walked(map: &Kernel) -> Vec<Walked> {
    let points: Vec<Var> = map.points.iter().map(|dim| dim.var).collect();
    let depth = depths(&points, &map.body);
    // Of each view at single indices: the array, and all of them.
    let mut views: FxHashMap<Var, (Var, Vec<Atom>)> = FxHashMap::default();
    // Of each that is a row of a thread: the array, and the numbers of dimensions before.
    let mut rows: FxHashMap<Var, (Var, usize, usize)> = FxHashMap::default();
    for stm in &map.body.stms {
        let (Exp::Array(ArrayExp::Index { array, slice }), [var]) = (&stm.exp, &stm.vars[..]) else {
            continue;
        };
        let fixed: Option<Vec<Atom>> = slice.iter().map(fixed_to).collect();
        let Some(fixed) = fixed else { continue };
        let (of, mut indices) = views.get(array).cloned().unwrap_or((*array, Vec::new()));
        indices.extend(fixed);
        let outer = (1..=points.len().min(indices.len())).rev().find(|outer| {
            let behind = indices[indices.len() - outer..].iter().map(|index| index.var());
            behind.eq(points[points.len() - outer..].iter().map(|point| Some(*point)))
        });
        if let Some(outer) = outer {
            let shared = indices.len() - outer;
            let is_shared = |index: &Atom| match index {
                Atom::Var(var) => depth.get(var).is_none_or(|depth| *depth <= points.len() - outer),
                Atom::Const(_) => true,
            };
            if indices[..shared].iter().all(is_shared) {
                rows.insert(*var, (of, shared, outer));
            }
        }
        views.insert(*var, (of, indices));
    }
    let views = rows.keys().map(|row| (*row, View { row: *row, moves: 0 })).collect();
    let mut walks = Walks { views, ..Walks::default() };
    walks.body(&map.body);
    let mut found: Vec<Walked> = Vec::new();
    for stm in &map.body.stms {
        for row in stm.vars.iter().filter(|var| walks.walked.contains(var) && !walks.whole.contains(var)) {
            let Some((array, shared, outer)) = rows.get(row).copied() else { continue };
            let again = walks.again.contains(row);
            match found.iter_mut().find(|known| known.array == array) {
                Some(known) => known.again |= again,
                None => found.push(Walked { array, shared, outer, again }),
            }
        }
    }
    found
}

/// How many of the points it takes, the first ones, to know what is computed of them.
fn depths(points: &[Var], body: &Body) -> FxHashMap<Var, usize> {
    let mut depths: FxHashMap<Var, usize> = points.iter().copied().zip(1..).collect();
    for stm in &body.stms {
        let mut depth = 0;
        uses_of_stm(stm, &mut |var| depth = depths.get(&var).copied().unwrap_or(0).max(depth));
        depths.extend(stm.vars.iter().map(|var| (*var, depth)));
    }
    depths
}

/// What a dimension is fixed to.
fn fixed_to(dim: &DimIndex) -> Option<Atom> {
    match dim {
        DimIndex::Fix(index) => Some(*index),
        DimIndex::Slice { .. } => None,
    }
}

/// A part of a row of the thread.
#[derive(Clone, Copy)]
struct View {
    row: Var,
    /// Of so many of the loops around, each iteration has another part.
    moves: usize,
}

#[derive(Default)]
struct Walks {
    views: FxHashMap<Var, View>,
    /// How many loops there are around, operators included.
    loops: usize,
    /// What changes by steps from one iteration of a loop to the next, and the number of that loop, from the outside.
    counters: FxHashMap<Var, usize>,
    /// Arrays of numbers that follow each other.
    ranges: FxHashSet<Var>,
    walked: FxHashSet<Var>,
    again: FxHashSet<Var>,
    /// Those that are needed in one piece.
    whole: FxHashSet<Var>,
}

impl Walks {
    fn body(&mut self, body: &Body) {
        for stm in &body.stms {
            self.stm(stm);
        }
    }

    fn stm(&mut self, stm: &Stm) {
        let (vars, exp) = (&stm.vars, &stm.exp);
        match exp {
            _ if stm.grid.is_some() => self.needs_all(exp),
            Exp::Scalar(ScalarExp::Atom(Atom::Var(var))) => {
                self.view(vars, *var, 0);
                self.counts(vars, &[Atom::Var(*var)]);
            }
            Exp::Scalar(ScalarExp::Un(_, _, x) | ScalarExp::Convert { value: x, .. }) => {
                self.counts(vars, &[*x])
            }
            Exp::Scalar(ScalarExp::Bin(_, _, x, y)) => self.counts(vars, &[*x, *y]),
            Exp::Array(ArrayExp::Range { .. }) => self.ranges.extend(vars),
            Exp::Array(ArrayExp::Index { array, slice }) => {
                let counter = |dim: &DimIndex| self.counters.get(&fixed_to(dim)?.var()?).copied();
                let innermost = slice.iter().filter_map(counter).max();
                if let Some(innermost) = innermost {
                    self.walk(*array, innermost - 1);
                }
                self.view(vars, *array, usize::from(innermost.is_some()));
            }
            Exp::Array(ArrayExp::Rearrange { array, .. } | ArrayExp::Coerce { array, .. }) => {
                self.view(vars, *array, 0)
            }
            Exp::Array(ArrayExp::Copy(array)) => self.walk(*array, self.loops),
            Exp::Array(ArrayExp::Concat { arrays, .. }) => {
                arrays.iter().for_each(|array| self.walk(*array, self.loops))
            }
            Exp::Op(
                Operator::Map { inputs, lambda, .. }
                | Operator::Filter { inputs, lambda, .. }
                | Operator::Partition { inputs, lambda, .. }
                | Operator::Fused { inputs, lambda, .. },
            ) => {
                inputs.iter().for_each(|input| self.walk(*input, self.loops));
                if inputs.len() == lambda.params.len() {
                    for (input, param) in inputs.iter().zip(&lambda.params) {
                        self.view(&[*param], *input, 1);
                        if self.ranges.contains(input) {
                            self.counters.insert(*param, self.loops + 1);
                        }
                    }
                } else {
                    inputs.iter().for_each(|input| self.needs_whole(*input));
                }
                self.inside(exp);
            }
            Exp::Op(Operator::Reduce { inputs, .. } | Operator::Scan { inputs, .. }) => {
                inputs.iter().for_each(|input| self.walk(*input, self.loops));
                self.inside(exp);
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                params.iter().filter_map(|(_, initial)| initial.var()).for_each(|var| self.needs_whole(var));
                match form {
                    LoopForm::For(counter, _) => {
                        self.counters.insert(*counter, self.loops + 1);
                    }
                    LoopForm::While(_) => {
                        let steps = params.iter().zip(&body.result);
                        let steps = steps.filter(|((param, _), next)| goes_by_steps(body, param.var, **next));
                        self.counters.extend(steps.map(|((param, _), _)| (param.var, self.loops + 1)));
                    }
                }
                self.inside(exp);
            }
            // Anything else needs what it mentions as it is.
            _ => self.needs_all(exp),
        }
    }

    fn needs_all(&mut self, exp: &Exp) {
        exp.for_each_part(&mut |part| match part {
            Part::Var(var) | Part::Atom(Atom::Var(var)) => self.needs_whole(*var),
            Part::Atom(Atom::Const(_)) | Part::Binder(_) | Part::Body(_) | Part::Lambda(_) => {}
        });
        self.inside(exp);
    }

    /// Bodies inside of an expression. What they yield is needed as it is.
    fn inside(&mut self, exp: &Exp) {
        let repeats = matches!(exp, Exp::Op(_) | Exp::Control(ControlExp::Loop { .. }));
        exp.for_each_part(&mut |part| {
            let body = match part {
                Part::Body(body) => body,
                Part::Lambda(lambda) => &lambda.body,
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => return,
            };
            self.loops += usize::from(repeats);
            self.body(body);
            self.loops -= usize::from(repeats);
            body.result.iter().filter_map(|atom| atom.var()).for_each(|var| self.needs_whole(var));
        });
    }

    /// These are parts of an array. `moves`: each iteration of one more loop has another part.
    fn view(&mut self, vars: &[Var], array: Var, moves: usize) {
        if let (Some(view), [.., var]) = (self.views.get(&array).copied(), vars) {
            self.views.insert(*var, View { moves: view.moves + moves, ..view });
        }
    }

    /// A loop inside of so many others goes through the array.
    fn walk(&mut self, array: Var, around: usize) {
        if let Some(view) = self.views.get(&array) {
            self.walked.insert(view.row);
            if view.moves < around {
                self.again.insert(view.row);
            }
        }
    }

    fn needs_whole(&mut self, array: Var) {
        self.whole.extend(self.views.get(&array).map(|view| view.row));
    }

    fn counts(&mut self, vars: &[Var], operands: &[Atom]) {
        let operands = operands.iter().filter_map(|atom| atom.var());
        if let Some(innermost) = operands.filter_map(|var| self.counters.get(&var).copied()).max() {
            self.counters.extend(vars.iter().map(|var| (*var, innermost)));
        }
    }
}

/// Whether the next value of a parameter is this one and a constant more or less.
fn goes_by_steps(body: &Body, param: Var, next: Atom) -> bool {
    let Some(next) = next.var() else { return false };
    body.stms.iter().any(|stm| {
        let step = match &stm.exp {
            Exp::Scalar(ScalarExp::Bin(BinOp::Add, _, x, y)) => {
                [(*x, *y), (*y, *x)].iter().any(|pair| is_step(*pair, param))
            }
            Exp::Scalar(ScalarExp::Bin(BinOp::Sub, _, x, y)) => is_step((*x, *y), param),
            _ => false,
        };
        step && stm.vars.contains(&next)
    })
}

fn is_step((from, by): (Atom, Atom), param: Var) -> bool {
    from.var() == Some(param) && by.var().is_none()
}
