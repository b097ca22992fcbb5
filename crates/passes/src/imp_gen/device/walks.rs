//! Which arrays the thread of a kernel goes through, one element after the other.
//!
//! ```text
//! \xs { loop s = 0 for j < m do s * a + xs[j] }        xs
//! \xs { reduce m (xs) op }                             xs
//! \xs { xs[0] + xs[k] }                                nothing
//! ```
//!
//! Neighbouring threads have neighbouring rows: they should find element `j` of theirs next to each other (`layouts`). That is a
//! layout in which a row is not in one piece, so that whatever needs it so (a call, a loop's parameter, a reshape) takes it out.

use super::kernel::Kernel;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, DimIndex, Exp, LoopForm, Operator, ScalarExp, Stm, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The arrays of which each thread of a map walks through a row, and how many dimensions of each the row is behind: the last ones of the
/// space.
pub fn walked(map: &Kernel) -> Vec<(Var, usize)> {
    let points: Vec<Var> = map.points.iter().map(|dim| dim.var).collect();
    // Of each view at indices of the space: the array, and the points from and up to which its indices are.
    let mut rows: FxHashMap<Var, (Var, usize, usize)> = FxHashMap::default();
    for stm in &map.body.stms {
        let (Exp::Array(ArrayExp::Index { array, slice }), [var]) = (&stm.exp, &stm.vars[..]) else {
            continue;
        };
        let indices: Option<Vec<Var>> = slice.iter().map(fixed_var).collect();
        let Some(indices) = indices else { continue };
        let (of, first, next) = match rows.get(array) {
            Some(view) => *view,
            None => match points.iter().position(|point| Some(point) == indices.first()) {
                Some(begin) => (*array, begin, begin),
                None => continue,
            },
        };
        if points[next..].starts_with(&indices) {
            rows.insert(*var, (of, first, next + indices.len()));
        }
    }
    let whole = rows.iter().filter(|(_, (_, _, next))| *next == points.len());
    let views = whole.clone().map(|(row, _)| (*row, *row)).collect();
    let mut walks = Walks { views, ..Walks::default() };
    walks.body(&map.body);
    let mut found: Vec<(Var, usize)> = Vec::new();
    for stm in &map.body.stms {
        for row in stm.vars.iter().filter(|var| walks.walked.contains(var) && !walks.whole.contains(var)) {
            if let Some((array, first, _)) = rows.get(row)
                && !found.iter().any(|(known, _)| known == array)
            {
                found.push((*array, points.len() - first));
            }
        }
    }
    found
}

/// The variable that a dimension is fixed to.
fn fixed_var(dim: &DimIndex) -> Option<Var> {
    match dim {
        DimIndex::Fix(index) => index.var(),
        DimIndex::Slice { .. } => None,
    }
}

#[derive(Default)]
struct Walks {
    /// Of views, what they are views of.
    views: FxHashMap<Var, Var>,
    /// What changes by steps from one iteration of a loop to the next.
    counters: FxHashSet<Var>,
    /// Arrays of numbers that follow each other.
    ranges: FxHashSet<Var>,
    walked: FxHashSet<Var>,
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
                self.view(vars, *var);
                self.counts(vars, &[Atom::Var(*var)]);
            }
            Exp::Scalar(ScalarExp::Un(_, _, x) | ScalarExp::Convert { value: x, .. }) => {
                self.counts(vars, &[*x])
            }
            Exp::Scalar(ScalarExp::Bin(_, _, x, y)) => self.counts(vars, &[*x, *y]),
            Exp::Array(ArrayExp::Range { .. }) => self.ranges.extend(vars),
            Exp::Array(ArrayExp::Index { array, slice }) => {
                let moves = |dim: &DimIndex| match dim {
                    DimIndex::Fix(Atom::Var(index)) => self.counters.contains(index),
                    DimIndex::Fix(Atom::Const(_)) => false,
                    DimIndex::Slice { .. } => false,
                };
                if slice.iter().any(moves) {
                    self.walk(*array);
                }
                self.view(vars, *array);
            }
            Exp::Array(ArrayExp::Rearrange { array, .. } | ArrayExp::Coerce { array, .. }) => {
                self.view(vars, *array)
            }
            Exp::Array(ArrayExp::Copy(array)) => self.walk(*array),
            Exp::Array(ArrayExp::Concat { arrays, .. }) => arrays.iter().for_each(|array| self.walk(*array)),
            Exp::Op(
                Operator::Map { inputs, lambda, .. }
                | Operator::Filter { inputs, lambda, .. }
                | Operator::Partition { inputs, lambda, .. }
                | Operator::Fused { inputs, lambda, .. },
            ) => {
                inputs.iter().for_each(|input| self.walk(*input));
                if inputs.len() == lambda.params.len() {
                    for (input, param) in inputs.iter().zip(&lambda.params) {
                        self.view(&[*param], *input);
                        if self.ranges.contains(input) {
                            self.counters.insert(*param);
                        }
                    }
                } else {
                    inputs.iter().for_each(|input| self.needs_whole(*input));
                }
                self.inside(exp);
            }
            Exp::Op(Operator::Reduce { inputs, .. } | Operator::Scan { inputs, .. }) => {
                inputs.iter().for_each(|input| self.walk(*input));
                self.inside(exp);
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                params.iter().filter_map(|(_, initial)| initial.var()).for_each(|var| self.needs_whole(var));
                match form {
                    LoopForm::For(counter, _) => {
                        self.counters.insert(*counter);
                    }
                    LoopForm::While(_) => {
                        let steps = params.iter().zip(&body.result);
                        let steps = steps.filter(|((param, _), next)| goes_by_steps(body, param.var, **next));
                        self.counters.extend(steps.map(|((param, _), _)| param.var));
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
        exp.for_each_part(&mut |part| {
            let body = match part {
                Part::Body(body) => body,
                Part::Lambda(lambda) => &lambda.body,
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => return,
            };
            self.body(body);
            body.result.iter().filter_map(|atom| atom.var()).for_each(|var| self.needs_whole(var));
        });
    }

    fn view(&mut self, vars: &[Var], array: Var) {
        if let (Some(of), [.., var]) = (self.views.get(&array).copied(), vars) {
            self.views.insert(*var, of);
        }
    }

    fn walk(&mut self, array: Var) {
        self.walked.extend(self.views.get(&array));
    }

    fn needs_whole(&mut self, array: Var) {
        self.whole.extend(self.views.get(&array));
    }

    fn counts(&mut self, vars: &[Var], operands: &[Atom]) {
        if operands.iter().filter_map(|atom| atom.var()).any(|var| self.counters.contains(&var)) {
            self.counters.extend(vars);
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
