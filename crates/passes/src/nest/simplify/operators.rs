//! Parallel operators whose results are known without applying their lambdas.

use super::{Outcome, Walk, same_shape};
use crate::nest::inputs::param_groups;
use norn_ir::nest::{Atom, Exp, Prim, Stm, Var};

impl Walk<'_> {
    pub(super) fn operator(&mut self, mut stm: Stm) -> Outcome {
        if let Exp::Reduce { width, op, inputs: _ } = &stm.exp
            && *width == Atom::i64(0)
        {
            let neutral = op.neutral.clone();
            let known = stm.vars.iter().zip(&neutral).all(|(var, atom)| match atom {
                Atom::Const(_) => true,
                Atom::Var(atom) => self.ty(*var).is_scalar() || self.memory.share(*var, *atom),
            });
            if known {
                for (var, atom) in stm.vars.iter().zip(neutral) {
                    self.replace(*var, atom);
                }
                return Outcome::Gone;
            }
        }
        let Exp::Map { width, inputs, lambda } = &mut stm.exp else { return self.inside(stm) };
        let width = *width;
        let inputs = inputs.clone();
        let groups: Vec<Vec<Var>> =
            param_groups(&self.vars, &inputs, &lambda.params).iter().map(|group| group.to_vec()).collect();
        for (input, group) in inputs.iter().zip(&groups) {
            if let [param] = group[..] {
                self.element_of(param, *input);
            }
        }
        let clock = self.clock;
        self.lambda(lambda);
        let results = lambda.body.result.clone();
        let mut left = Vec::new();
        for (i, (var, result)) in stm.vars.clone().into_iter().zip(results).enumerate() {
            let input = inputs.iter().zip(&groups).find(|(_, group)| group.last().copied() == result.var());
            if let Some((input, _)) = input
                && self.agree(var, *input)
            {
                if !self.replace_shared(var, *input) {
                    self.instead(var, Exp::Copy(*input), &stm);
                }
            } else if self.is_older(result, clock) && self.is_row(var, result) {
                self.instead(var, Exp::Replicate { count: width, value: result }, &stm);
            } else {
                left.push(i);
            }
        }
        if left.len() < stm.vars.len() {
            self.changed = true;
            stm.vars = left.iter().map(|i| stm.vars[*i]).collect();
            if let Exp::Map { lambda, .. } = &mut stm.exp {
                lambda.body.result = left.iter().map(|i| lambda.body.result[*i]).collect();
                if left.is_empty() && lambda.body.stms.is_empty() {
                    return Outcome::Gone;
                }
            }
        }
        Outcome::Keep(stm)
    }

    /// What is known of the elements of an input.
    fn element_of(&mut self, param: Var, input: Var) {
        match self.def(input.into()) {
            Some(Exp::Range { prim: Prim::I64, count, start, step })
                if *start == Atom::i64(0) && *step == Atom::i64(1) =>
            {
                let count = *count;
                self.known_mut(param).below = Some(count);
            }
            Some(Exp::Replicate { count: _, value }) => {
                let value = *value;
                if self.ty(param).is_scalar() {
                    self.replace(param, value);
                }
            }
            _ => {}
        }
    }

    /// Another statement binds a result.
    fn instead(&mut self, var: Var, exp: Exp, stm: &Stm) {
        let stm = Stm { vars: vec![var], certs: stm.certs.clone(), exp, attrs: Vec::new(), span: stm.span };
        self.push(stm);
    }

    /// Whether replicating the value yields an array of the variable's type.
    fn is_row(&self, var: Var, value: Atom) -> bool {
        let Some(row) = self.ty(var).row() else { return false };
        match value {
            Atom::Const(scalar) => row.prim() == Some(scalar.prim()),
            Atom::Var(value) => same_shape(&row, self.ty(value)),
        }
    }
}
