//! What a lambda computes that the reductions of points need: the operator in front yields it, one value for each row.

use crate::nest::subst::Names;
use norn_ir::nest::{Atom, Dim, Exp, Lambda, Operator, Stm, Type, Var};

/// What the operator in front yields.
pub struct Keeping<'a> {
    pub width: Atom,
    pub inputs: &'a [Var],
    pub lambda: &'a Lambda,
    /// How many results are combined; the others are what the operator yields for each row.
    pub combined: usize,
    /// Variables of the lambda, and the arrays of what they are for all rows.
    pub kept: Vec<(Var, Var)>,
    pub added: Vec<Added>,
}

/// A number that the lambda of a map computes, which the map, known by the first variable that it binds, is to yield in an array.
pub struct Added {
    pub map: Var,
    pub number: Var,
    pub array: Var,
}

impl Added {
    pub fn yield_from(&self, stms: &mut [Stm]) {
        let Some(stm) = stms.iter_mut().find(|stm| stm.vars[0] == self.map) else { return };
        if let Exp::Op(Operator::Map { lambda, .. } | Operator::Fused { lambda, .. }) = &mut stm.exp {
            lambda.body.result.push(self.number.into());
            stm.vars.push(self.array);
        }
    }
}

impl Keeping<'_> {
    /// The array of a number that the lambda of a map computes, one for each of its elements.
    pub fn add(&mut self, names: &mut Names, map: Var, width: Atom, number: Var) -> Var {
        if let Some(added) = self.added.iter().find(|added| added.number == number) {
            return added.array;
        }
        let ty = names.ty(number).array_of(Dim::Size(width));
        let array = names.fresh(&names.name(number), ty);
        self.added.push(Added { map, number, array });
        array
    }

    /// The array of what a variable of the lambda is for all rows.
    pub fn all(&mut self, names: &mut Names, stm: &Stm, var: Var) -> Option<Var> {
        if let Some(at) = self.lambda.params.iter().position(|param| *param == var) {
            return Some(self.inputs[at]);
        }
        let results = &self.lambda.body.result;
        if let Some(at) = (self.combined..results.len()).find(|at| results[*at] == Atom::Var(var)) {
            return Some(stm.vars[at]);
        }
        if let Some((_, all)) = self.kept.iter().find(|(kept, _)| *kept == var) {
            return Some(*all);
        }
        let ty = names.ty(var).clone();
        let is_bound = |size: Var| {
            self.lambda.params.contains(&size)
                || self.lambda.body.stms.iter().any(|stm| stm.vars.contains(&size))
        };
        let is_outside = |dim: &Dim| match dim {
            Dim::Size(size) => size.var().is_none_or(|size| !is_bound(size)),
            Dim::Irregular | Dim::Result(_) => false,
        };
        let is_value = matches!(ty, Type::Value(..)) && ty.dims().iter().all(is_outside);
        (is_value && !names.memory.is_taken(var)).then(|| {
            let all = names.fresh(&names.name(var), ty.array_of(Dim::Size(self.width)));
            self.kept.push((var, all));
            all
        })
    }
}
