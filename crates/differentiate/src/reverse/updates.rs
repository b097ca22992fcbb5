//! Arrays that a loop updates in place, element by element: they are undone instead of kept.
//!
//! ```text
//! loop ys for i < n do                   forward: the tapes get i + 1 and what is at ys[i + 1], not ys
//!   let y = f ys[i]                      back:    ys with [i + 1] = old; forward sweep, which updates ys once more; return sweep, which undoes that where
//!   in ys with [i + 1] = y                        it comes to the update
//! ```
//!
//! So an iteration costs as much as it did, and not as much as the array is long. This needs that the versions of the array follow each other in the body of the loop, and that
//! only elements are read of them: nothing else may be a view of what is overwritten.

use super::Reverse;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, DimIndex, Exp, Param, ScalarExp, Stm, Type, Var};

/// The versions of an array that a loop carries.
pub struct Versions {
    /// At which place among the parameters it is.
    pub param: usize,
    pub updates: Vec<Replaced>,
}

/// An update: the names of the version before it, the version it makes, and where.
pub struct Replaced {
    before: Vec<Var>,
    pub result: Var,
    pub places: Vec<Atom>,
}

/// What an update has replaced, in new values.
pub struct Undo {
    before: Vec<Var>,
    places: Vec<Atom>,
    value: Atom,
}

/// The arrays that can be undone.
pub fn versions(vars: &dyn Fn(Var) -> Type, params: &[(Param, Atom)], body: &Body) -> Vec<Versions> {
    let mut found = Vec::new();
    for (at, (param, _)) in params.iter().enumerate() {
        let ty = vars(param.var);
        if param.unique && ty.is_array() && !ty.dims().contains(&Dim::Irregular) {
            found.extend(versions_of(at, param.var, ty.rank(), body));
        }
    }
    found
}

fn versions_of(param: usize, var: Var, rank: usize, body: &Body) -> Option<Versions> {
    let mut names = vec![var];
    let mut all = vec![var];
    let mut updates = Vec::new();
    for stm in &body.stms {
        match &stm.exp {
            Exp::Array(ArrayExp::Update { array, slice, value }) if names.contains(array) => {
                if value.var().is_some_and(|value| all.contains(&value)) {
                    return None;
                }
                let place = |dim: &DimIndex| match dim {
                    DimIndex::Fix(place) => Some(*place),
                    DimIndex::Slice { .. } => None,
                };
                let places = slice.iter().map(place).collect::<Option<Vec<Atom>>>()?;
                let before = std::mem::replace(&mut names, vec![stm.vars[0]]);
                updates.push(Replaced { before, result: stm.vars[0], places });
                all.push(stm.vars[0]);
            }
            Exp::Scalar(ScalarExp::Atom(Atom::Var(other))) if names.contains(other) => {
                names.push(stm.vars[0]);
                all.push(stm.vars[0]);
            }
            Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => {
                if !reads_elements(stm, &all, rank) {
                    return None;
                }
            }
        }
    }
    let is_last = |(at, atom): (usize, &Atom)| match atom.var() {
        Some(result) if all.contains(&result) => at == param && names.contains(&result),
        Some(_) | None => at != param,
    };
    let holds = !updates.is_empty() && body.result.iter().enumerate().all(is_last);
    holds.then_some(Versions { param, updates })
}

/// Whether all that a statement does with these arrays is to read elements.
fn reads_elements(stm: &Stm, arrays: &[Var], rank: usize) -> bool {
    let is_element =
        |slice: &[DimIndex]| slice.len() == rank && slice.iter().all(|dim| matches!(dim, DimIndex::Fix(_)));
    if let Exp::Array(ArrayExp::Index { slice, .. }) = &stm.exp
        && is_element(slice)
    {
        return true;
    }
    let mut holds = true;
    let body_holds = |body: &Body| {
        let results = body.result.iter().filter_map(|atom| atom.var());
        body.stms.iter().all(|stm| reads_elements(stm, arrays, rank))
            && results.into_iter().all(|var| !arrays.contains(&var))
    };
    stm.for_each_part(&mut |part| match part {
        Part::Atom(Atom::Var(var)) | Part::Var(var) => holds &= !arrays.contains(var),
        Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
        Part::Body(body) => holds &= body_holds(body),
        Part::Lambda(lambda) => holds &= body_holds(&lambda.body),
    });
    holds
}

impl Reverse<'_, '_> {
    /// What is at these places, in memory of its own.
    pub(super) fn replaced(&mut self, array: Var, places: &[Atom]) -> Atom {
        let value = self.w.index(array, places);
        self.fresh_copy(value)
    }

    /// In the return sweep of a loop: the update happens in place, and can be undone.
    pub(super) fn update_in_place(&mut self, stm: &Stm) {
        let Some(update) = self.in_place.get(&stm.vars[0]) else { return };
        let before = update.before.clone();
        let places = self.w.atoms(&update.places);
        let array = self.w.var(before[0]);
        let value = self.replaced(array, &places);
        self.w.copy(stm);
        self.undos.insert(stm.vars[0], Undo { before, places, value });
    }

    /// The version before an update is there again.
    pub(super) fn undo(&mut self, result: Var) {
        let Some(Undo { before, places, value }) = self.undos.remove(&result) else { return };
        let array = self.w.var(result);
        let restored = self.w.update(array, &places, value);
        before.into_iter().for_each(|var| self.w.set(var, restored));
    }

    /// Whether a return sweep has to undo an update.
    pub(super) fn is_undone(&self, var: Var) -> bool {
        self.undos.contains_key(&var)
    }
}
