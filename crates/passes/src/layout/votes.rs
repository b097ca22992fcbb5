//! Which of the two orders those who make arrays and read them like better.
//!
//! - A kernel with a thread for each row stores them transposed and saves a copy; any other kernel stores them row-major.
//! - Reads of the same element of neighbouring rows by neighbouring threads coalesce if the array is transposed. Who reads neighbouring elements of a row
//!   in neighbouring threads, or whole rows, the same for all threads or at places that come from memory, has more of them row by row.
//! - Who needs the array in one piece, as what a function yields, or under another shape, would copy it.
//!
//! What is inside a loop counts for more.

use super::Transposed;
use super::classes::{Classes, Origin};
use super::kernels::{Read, reads};
use super::views::{Moves, View};
use crate::imp_gen::{Inner, Kernel, KernelForm, counted_vars, uses_of_stm};
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, DimIndex, Exp, Fun, LoopForm, Operator, ScalarExp, Stm, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reading an array and writing another.
const COPY: i64 = 2;
/// So many steps a loop may have; those of many inside each other are not counted.
const STEPS: i64 = 8;
const MOST: i64 = 512;

/// The arrays that are to be stored transposed.
pub fn transposed(
    fun: &Fun,
    kernels: &FxHashMap<*const Operator, KernelForm>,
    classes: &Classes,
) -> Transposed {
    let counted = counted_vars(&fun.vars, &fun.body);
    let winners = [true, false].map(|together| {
        let (scores, refused, links) = (FxHashMap::default(), FxHashSet::default(), Vec::new());
        let counted = counted.clone();
        let mut votes = Votes { fun, kernels, counted, classes, together, scores, refused, links };
        fun.params.iter().for_each(|param| votes.refuse(param.var));
        let mut views = FxHashMap::default();
        votes.body(&fun.body, &mut views, 1);
        fun.body.result.iter().for_each(|atom| votes.copied(*atom, &views, 1));
        if together { votes.joint_winners() } else { votes.winners() }
    });
    let members = classes.members().into_iter().filter_map(|var| {
        let class = classes.of(var).filter(|class| winners.iter().any(|winners| winners.contains(class)))?;
        Some((var, classes.points(class)))
    });
    members.collect()
}

struct Votes<'a> {
    fun: &'a Fun,
    kernels: &'a FxHashMap<*const Operator, KernelForm>,
    counted: FxHashSet<Var>,
    classes: &'a Classes,
    /// Whether an array whose elements can be made in any order has the layout of its inputs; otherwise it is row-major.
    together: bool,
    /// How much better it is for a class to be transposed.
    scores: FxHashMap<Var, i64>,
    refused: FxHashSet<Var>,
    /// Classes that lie alike.
    links: Vec<(Var, Var)>,
}

impl Votes<'_> {
    fn wins(&self, class: Var) -> bool {
        !self.refused.contains(&class) && self.scores.get(&class).is_some_and(|score| *score > 0)
    }

    fn winners(&self) -> FxHashSet<Var> {
        self.scores.keys().copied().filter(|class| self.wins(*class)).collect()
    }

    /// Linked classes have one layout: all of them are transposed, or none.
    fn joint_winners(mut self) -> FxHashSet<Var> {
        let mut one: FxHashMap<Var, Var> =
            self.links.iter().flat_map(|(a, b)| [(*a, *a), (*b, *b)]).collect();
        for (a, b) in std::mem::take(&mut self.links) {
            let (from, to) = (one[&a], one[&b]);
            one.values_mut().filter(|of| **of == from).for_each(|of| *of = to);
        }
        for (class, of) in one.iter().filter(|(class, of)| class != of) {
            let score = self.scores.remove(class).unwrap_or(0);
            *self.scores.entry(*of).or_default() += score;
            if self.refused.contains(class) {
                self.refused.insert(*of);
            }
        }
        one.iter().filter(|(_, of)| self.wins(**of)).map(|(class, _)| *class).collect()
    }

    fn refuse(&mut self, var: Var) {
        self.refused.extend(self.classes.of(var));
    }

    fn vote(&mut self, var: Var, for_it: i64) {
        if let Some(class) = self.classes.of(var) {
            *self.scores.entry(class).or_default() += for_it;
        }
    }

    /// Somebody needs a copy that lies row by row.
    fn copied(&mut self, atom: Atom, views: &FxHashMap<Var, View>, weight: i64) {
        if let Some(var) = atom.var() {
            self.vote(array_of(views, var), -COPY * weight);
        }
    }

    fn body(&mut self, body: &Body, views: &mut FxHashMap<Var, View>, weight: i64) {
        for stm in &body.stms {
            self.made(stm, weight);
            self.stm(stm, views, weight);
        }
    }

    fn made(&mut self, stm: &Stm, weight: i64) {
        for var in &stm.vars {
            let Some(class) = self.classes.of(*var) else { continue };
            let points = self.classes.points(class);
            match self.classes.made(*var) {
                Origin::Rows(these) if these == points => self.vote(*var, COPY * weight),
                Origin::Rows(_) | Origin::Otherwise => self.vote(*var, -COPY * weight),
                // It is the way that is for most threads.
                Origin::Elements => self.refuse(*var),
                Origin::Free if !self.together || !self.classes.has_short_rows(&self.fun.vars, class) => {
                    self.refuse(*var)
                }
                Origin::Free => self.links.extend(self.classes.of(stm.vars[0]).map(|first| (first, class))),
                Origin::Joined => {}
            }
        }
    }

    fn view(&self, views: &FxHashMap<Var, View>, array: Var) -> Option<View> {
        let rank = self.fun.vars[array.0 as usize].ty.rank();
        let whole = || self.classes.of(array).map(|_| View::whole(array, rank));
        views.get(&array).cloned().or_else(whole)
    }

    fn stm(&mut self, stm: &Stm, views: &mut FxHashMap<Var, View>, weight: i64) {
        let view = match &stm.exp {
            Exp::Op(op) if stm.grid.is_some() => return self.operator(stm, op, views, weight),
            Exp::Scalar(ScalarExp::Atom(Atom::Var(array))) => views.get(array).cloned(),
            Exp::Scalar(_) | Exp::Array(ArrayExp::Range { .. }) => None,
            Exp::Array(ArrayExp::Coerce { array, .. }) => self.view(views, *array),
            Exp::Array(ArrayExp::Index { array, slice }) => self.view(views, *array).map(|view| {
                let fixed = slice.iter().map(|dim| (Moves::default(), matches!(dim, DimIndex::Fix(_))));
                view.at(fixed)
            }),
            Exp::Array(ArrayExp::Rearrange { array, perm }) => {
                self.view(views, *array).map(|view| view.rearranged(perm))
            }
            Exp::Array(ArrayExp::Reshape { array, .. } | ArrayExp::Copy(array)) => {
                return self.copied((*array).into(), views, weight);
            }
            Exp::Control(control) => return self.control(stm, control, views, weight),
            _ => return self.refuse_all(stm, views),
        };
        if let (Some(view), Some(var)) = (view, stm.vars.last()) {
            views.insert(*var, view);
        }
    }

    fn control(&mut self, stm: &Stm, control: &ControlExp, views: &mut FxHashMap<Var, View>, weight: i64) {
        match control {
            ControlExp::If { then, els, .. } => {
                for branch in [then, els] {
                    self.body(branch, views, weight);
                    self.joined(&stm.vars, &branch.result, views, weight);
                }
            }
            ControlExp::Switch { cases, default, .. } => {
                for branch in cases.iter().map(|(_, body)| body).chain([default]) {
                    self.body(branch, views, weight);
                    self.joined(&stm.vars, &branch.result, views, weight);
                }
            }
            ControlExp::Loop { params, form, body } => {
                let (own, initial): (Vec<Var>, Vec<Atom>) =
                    params.iter().map(|(param, initial)| (param.var, *initial)).unzip();
                self.joined(&own, &initial, views, weight);
                params.iter().filter(|(param, _)| param.unique).for_each(|(param, _)| self.refuse(param.var));
                let inside = (weight * STEPS).min(MOST);
                if let LoopForm::While(cond) = form {
                    self.body(cond, views, inside);
                }
                self.body(body, views, inside);
                self.joined(&own, &body.result, views, inside);
            }
            ControlExp::Call { .. } => self.refuse_all(stm, views),
            ControlExp::Const(_) | ControlExp::Check(_) => {}
        }
    }

    /// What becomes one of several lies as these do: what is of another class, or a part of an array, is copied.
    fn joined(&mut self, vars: &[Var], to: &[Atom], views: &FxHashMap<Var, View>, weight: i64) {
        for (var, atom) in vars.iter().zip(to) {
            let Some(other) = atom.var() else { continue };
            let class = self.classes.of(*var);
            if class.is_none() || class != self.classes.of(other) {
                self.copied(*atom, views, weight);
                self.vote(*var, -COPY * weight);
            }
        }
    }

    fn refuse_all(&mut self, stm: &Stm, views: &FxHashMap<Var, View>) {
        let mut mentioned = Vec::new();
        uses_of_stm(stm, &mut |var| mentioned.push(var));
        for var in mentioned {
            self.refuse(array_of(views, var));
        }
    }

    fn operator(&mut self, stm: &Stm, op: &Operator, views: &FxHashMap<Var, View>, weight: i64) {
        for dest in op.dests() {
            self.refuse(array_of(views, *dest));
        }
        let mut of_kernel = views.clone();
        let mut mentioned = Vec::new();
        uses_of_stm(stm, &mut |var| mentioned.push(var));
        for var in &mentioned {
            of_kernel.extend(self.view(views, *var).map(|view| (*var, view)));
        }
        let mut found = Vec::new();
        match self.kernels.get(&std::ptr::from_ref(op)) {
            // It is by rows or by elements, whichever of these there are more of.
            Some(KernelForm::Map { inner: Some(inner), .. })
                if matches!(**inner, Inner::Reduce(_)) && !inner.is_by_rows() => {}
            Some(KernelForm::Map { map, .. }) => match self.free_points(stm) {
                Some((class, points)) => {
                    let along = map.points[points - 1].var;
                    reads(&map.body, Some(along), &of_kernel, &self.counted, &mut found);
                    for var in &mentioned {
                        let other = self.classes.of(array_of(views, *var));
                        let alike = other.filter(|other| self.classes.points(*other) == points);
                        self.links.extend(alike.map(|other| (class, other)));
                    }
                }
                None => self.kernel_reads(map, &of_kernel, &mut found),
            },
            Some(
                KernelForm::Kernel(kernel) | KernelForm::Lengths(kernel, _) | KernelForm::Uneven(kernel),
            ) => self.kernel_reads(kernel, &of_kernel, &mut found),
            Some(KernelForm::Hists(hists)) => {
                hists.kernels.iter().for_each(|(kernel, _)| self.kernel_reads(kernel, &of_kernel, &mut found))
            }
            Some(KernelForm::Groups(_)) => {
                // A group has a row, and its threads the elements of that.
                let read: FxHashSet<Var> = mentioned.iter().map(|var| array_of(views, *var)).collect();
                read.into_iter().for_each(|array| self.vote(array, -weight));
            }
            None => return self.refuse_all(stm, views),
        }
        for read in found {
            self.vote(read.view.array, weight * self.for_transposed(&read));
        }
    }

    /// How much better it is for who reads this.
    fn for_transposed(&self, read: &Read) -> i64 {
        let View { array, at, .. } = &read.view;
        let Some(class) = self.classes.of(*array) else { return 0 };
        let (points, row) = at.split_at(self.classes.points(class).min(at.len()));
        let (last, before) =
            points.split_last().map_or((Moves::default(), points), |(last, rest)| (*last, rest));
        let is_along = |moves: &Moves| moves.along;
        let side_by_side = last.along && !last.loaded && !before.iter().chain(row).any(is_along);
        if side_by_side && !read.in_one_piece { read.times } else { -read.times }
    }

    /// Of an array whose elements can be made in any order, the class and the dimensions that come last if it is transposed.
    fn free_points(&self, stm: &Stm) -> Option<(Var, usize)> {
        let first = *stm.vars.first().filter(|_| self.together)?;
        let class = self.classes.of(first)?;
        (self.classes.made(first) == Origin::Free).then(|| (class, self.classes.points(class)))
    }

    fn kernel_reads(&self, kernel: &Kernel, views: &FxHashMap<Var, View>, found: &mut Vec<Read>) {
        let along = kernel.points.iter().chain(&kernel.through).last().map(|dim| dim.var);
        reads(&kernel.body, along, views, &self.counted, found);
    }
}

/// What a variable is a part of, or itself.
fn array_of(views: &FxHashMap<Var, View>, var: Var) -> Var {
    views.get(&var).map_or(var, |view| view.array)
}
