//! Arrays that control flow joins, in classes: the initial value, parameter and result of a loop; the results of branches.
//!
//! All arrays of a class must have one layout. For each array, `Origin` records how it is made: by a thread for each row, by a thread for each element (in
//! an order that matters or not), or otherwise.
//!
//! ```text
//! let r = loop (x = xs) { let y = map .. in y }        one class: xs's copy, x, y, r
//! ```
//!
//! Refuses arrays that are overwritten, and those that functions take or yield: these are row-major and in no class.

use super::interchange::is_interchangeable;
use crate::imp_gen::{KernelForm, uses_of_stm};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    Atom, Body, ControlExp, Dim, Elem, Exp, Fun, Operator, Scalar, ScalarExp, Stm, Var, VarInfo,
};
use rustc_hash::FxHashMap;

/// So many elements are few.
const SHORT_ROW: i64 = 64;

/// How an array comes into being.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// By a thread for each row, of which so many dimensions are points.
    Rows(usize),
    /// By a thread for each element, so that neighbours make neighbours.
    Elements,
    /// The same, and which elements are neighbours does not matter (`interchange`).
    Free,
    /// It is one of several.
    Joined,
    Otherwise,
}

pub struct Classes {
    /// Another one of the same class, up to one that is its own.
    up: FxHashMap<Var, Var>,
    made: FxHashMap<Var, Origin>,
    /// Of each class, by that one, how many dimensions of its rows' makers are points.
    points: FxHashMap<Var, usize>,
    /// What each kernel in any order makes, and what it mentions.
    free: Vec<(Vec<Var>, Vec<Var>)>,
}

impl Classes {
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    fn root(&self, var: Var) -> Var {
        let mut var = var;
        while let Some(up) = self.up.get(&var).filter(|up| **up != var) {
            var = *up;
        }
        var
    }

    /// The class of an array that may be transposed.
    pub fn of(&self, var: Var) -> Option<Var> {
        let root = self.up.contains_key(&var).then(|| self.root(var))?;
        self.points.contains_key(&root).then_some(root)
    }

    pub fn points(&self, class: Var) -> usize {
        self.points[&class]
    }

    pub fn made(&self, var: Var) -> Origin {
        self.made.get(&var).copied().unwrap_or(Origin::Otherwise)
    }

    /// All arrays of some class, in their order.
    pub fn members(&self) -> Vec<Var> {
        let mut members: Vec<Var> = self.up.keys().copied().filter(|var| self.of(*var).is_some()).collect();
        members.sort_unstable();
        members
    }

    /// Whether rows have a few elements, a number that is known: a record of neighbours.
    pub fn has_short_rows(&self, vars: &[VarInfo], class: Var) -> bool {
        let row = &vars[class.0 as usize].ty.dims()[self.points[&class]..];
        let length = row.iter().try_fold(1i64, |product, dim| match dim {
            Dim::Size(Atom::Const(Scalar::I64(size))) => product.checked_mul(*size),
            _ => None,
        });
        length.is_some_and(|length| length <= SHORT_ROW)
    }

    /// What is made in any order may lie as what it is made of does, if it has as many dimensions.
    fn points_of_neighbours(&mut self, vars: &[VarInfo]) {
        let rank = |var: &Var| vars[var.0 as usize].ty.rank();
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for (made, read) in &self.free {
                let known = made.iter().chain(read).filter(|var| rank(var) == rank(&made[0]));
                let points = known.filter_map(|var| Some(self.points[&self.of(*var)?])).max();
                let Some(points) = points else { continue };
                let missing = made.iter().filter(|var| self.of(**var).is_none()).map(|var| self.root(*var));
                for class in missing.collect::<Vec<_>>() {
                    has_changed |= self.points.insert(class, points).is_none();
                }
            }
        }
    }

    fn join(&mut self, vars: &[VarInfo], one: Var, other: Atom) {
        let Some(other) = other.var().filter(|other| is_regular(vars, one) && is_regular(vars, *other))
        else {
            return;
        };
        let [one, other] = [one, other].map(|var| {
            self.up.entry(var).or_insert(var);
            self.root(var)
        });
        self.up.insert(one, other);
    }
}

/// The classes of a host function in which some array is made by a thread for each row.
pub fn classes(fun: &Fun, kernels: &FxHashMap<*const Operator, KernelForm>) -> Classes {
    let up = FxHashMap::default();
    let (made, points) = (FxHashMap::default(), FxHashMap::default());
    let mut classes = Classes { up, made, points, free: Vec::new() };
    in_body(&mut classes, &fun.vars, kernels, &fun.body);
    let rows = classes.made.iter().filter_map(|(var, made)| match made {
        Origin::Rows(points) => Some((classes.root(*var), *points)),
        Origin::Elements | Origin::Free | Origin::Joined | Origin::Otherwise => None,
    });
    let mut points: FxHashMap<Var, usize> = FxHashMap::default();
    for (class, these) in rows {
        let most = points.entry(class).or_default();
        *most = (*most).max(these);
    }
    classes.points = points;
    classes.points_of_neighbours(&fun.vars);
    classes
}

fn in_body(
    classes: &mut Classes,
    vars: &[VarInfo],
    kernels: &FxHashMap<*const Operator, KernelForm>,
    body: &Body,
) {
    for stm in &body.stms {
        joins_of(classes, vars, kernels, stm);
        if stm.grid.is_none() {
            stm.exp.for_each_part(&mut |part| match part {
                Part::Body(body) => in_body(classes, vars, kernels, body),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) | Part::Lambda(_) => {}
            });
            joins_of_results(classes, vars, stm);
        }
    }
}

fn joins_of(
    classes: &mut Classes,
    vars: &[VarInfo],
    kernels: &FxHashMap<*const Operator, KernelForm>,
    stm: &Stm,
) {
    let made = match &stm.exp {
        Exp::Op(op) if stm.grid.is_some() => match kernels.get(&std::ptr::from_ref(op)) {
            Some(KernelForm::Map { map, inner, .. })
                if inner.as_ref().is_none_or(|inner| inner.is_by_rows()) =>
            {
                Origin::Rows(map.points.len())
            }
            Some(KernelForm::Groups(_)) => Origin::Elements,
            _ => Origin::Otherwise,
        },
        Exp::Control(ControlExp::Loop { .. } | ControlExp::If { .. } | ControlExp::Switch { .. })
        | Exp::Scalar(ScalarExp::Atom(_)) => Origin::Joined,
        _ => Origin::Otherwise,
    };
    let is_free = matches!(made, Origin::Rows(_))
        && stm.vars.iter().all(|var| is_regular(vars, *var))
        && is_interchangeable(vars, stm);
    if is_free {
        let mut mentioned = Vec::new();
        uses_of_stm(stm, &mut |var| mentioned.push(var));
        classes.free.push((stm.vars.clone(), mentioned));
    }
    for var in stm.vars.iter().filter(|var| is_regular(vars, **var)) {
        let made = match made {
            Origin::Rows(points) if vars[var.0 as usize].ty.rank() == points && is_free => Origin::Free,
            Origin::Rows(points) if vars[var.0 as usize].ty.rank() <= points => Origin::Elements,
            made => made,
        };
        classes.up.entry(*var).or_insert(*var);
        classes.made.insert(*var, made);
    }
    match (&stm.exp, &stm.vars[..]) {
        (Exp::Scalar(ScalarExp::Atom(atom)), [var]) => classes.join(vars, *var, *atom),
        (Exp::Control(ControlExp::Loop { params, .. }), _) => {
            for (param, initial) in params {
                classes.made.insert(param.var, Origin::Joined);
                // What comes from elsewhere is transposed once, before.
                if initial.var().is_some_and(|var| classes.made(var) != Origin::Otherwise) {
                    classes.join(vars, param.var, *initial);
                }
            }
        }
        _ => {}
    }
}

fn joins_of_results(classes: &mut Classes, vars: &[VarInfo], stm: &Stm) {
    match &stm.exp {
        Exp::Control(ControlExp::Loop { params, body, .. }) => {
            for (((param, _), next), last) in params.iter().zip(&body.result).zip(&stm.vars) {
                classes.join(vars, param.var, *next);
                classes.join(vars, param.var, (*last).into());
            }
        }
        Exp::Control(ControlExp::If { then, els, .. }) => {
            for branch in [then, els] {
                stm.vars
                    .iter()
                    .zip(&branch.result)
                    .for_each(|(var, result)| classes.join(vars, *var, *result));
            }
        }
        Exp::Control(ControlExp::Switch { cases, default, .. }) => {
            for branch in cases.iter().map(|(_, body)| body).chain([default]) {
                stm.vars
                    .iter()
                    .zip(&branch.result)
                    .for_each(|(var, result)| classes.join(vars, *var, *result));
            }
        }
        _ => {}
    }
}

/// Whether it is an array of numbers with at least two dimensions, whose rows are of one length.
fn is_regular(vars: &[VarInfo], var: Var) -> bool {
    let ty = &vars[var.0 as usize].ty;
    let is_plain = matches!(ty.elem(), Some(Elem::Prim(_)));
    is_plain && ty.rank() >= 2 && ty.dims().iter().all(|dim| matches!(dim, Dim::Size(_)))
}
