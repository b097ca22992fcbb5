//! Loops, branches and reductions that carry small arrays along: they carry the elements.

use super::{SMALL, Scalars, atoms};
use crate::nest::subst::Subst;
use norn_ir::nest::{
    Atom, Body, Combining, ControlExp, Exp, Lambda, LoopForm, Operator, Param, Reduction, Scalar, Stm, Var,
};

impl Scalars<'_> {
    /// Whether the statement has been replaced.
    pub fn carry(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> bool {
        match &stm.exp {
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                self.carry_in_loop(stm, params, form, body, out)
            }
            Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. }) => {
                self.carry_out_of_branches(stm, out)
            }
            Exp::Op(Operator::Reduce { .. } | Operator::Fused { .. }) => self.carry_in_reductions(stm, out),
            _ => false,
        }
    }

    fn carry_in_loop(
        &mut self,
        stm: &Stm,
        params: &[(Param, Atom)],
        form: &LoopForm,
        body: &Body,
        out: &mut Vec<Stm>,
    ) -> bool {
        let is_carried = |this: &Self, param: Var, body: &Body| {
            this.is_small(param)
                && this.is_friendly(param, body)
                && match form {
                    LoopForm::For(..) => true,
                    LoopForm::While(cond) => this.is_friendly(param, cond),
                }
        };
        let which = |this: &Self, body: &Body| -> Vec<bool> {
            params.iter().map(|(param, _)| is_carried(this, param.var, body)).collect()
        };
        let mut body = body.clone();
        let mut carried = which(self, &body);
        let is_left = |(at, (param, _)): (usize, &(Param, Atom))| !carried[at] && self.is_small(param.var);
        if params.iter().enumerate().any(is_left) && has_short_loops(&body) {
            // Loops inside ask for elements by numbers that are known when they are written out.
            let (known, ranges, room) = (self.known.clone(), self.ranges.clone(), self.room);
            let mut written = body.clone();
            self.body(&mut written);
            let then = which(self, &written);
            if then.iter().filter(|carried| **carried).count()
                > carried.iter().filter(|carried| **carried).count()
            {
                (body, carried) = (written, then);
            } else {
                (self.known, self.ranges, self.room) = (known, ranges, room);
            }
        }
        if !carried.contains(&true) {
            return false;
        }
        let mut inner = Body::default();
        let mut elements_of: Vec<(Var, Vec<Atom>)> = Vec::new();
        let mut carries: Vec<(Param, Atom)> = Vec::new();
        for ((param, init), carried) in params.iter().zip(&carried) {
            if !carried {
                carries.push((param.clone(), *init));
                continue;
            }
            let elements = self.element_vars(param.var);
            let inits = self.elements(*init, &self.names.ty(param.var).clone(), stm, out);
            carries.extend(elements.iter().map(|var| Param::plain(*var)).zip(inits));
            self.assemble(param.var, atoms(&elements), stm, &mut inner.stms);
            elements_of.push((param.var, atoms(&elements)));
        }
        body.stms.iter().for_each(|own| self.statement(own.clone(), &mut inner.stms));
        let carriers: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
        inner.result = self.carried_elements(&body.result, &carriers, &carried, stm, &mut inner.stms);
        let form = match form {
            LoopForm::For(..) => form.clone(),
            LoopForm::While(own) => {
                let mut own = own.clone();
                // What the body binds, the condition binds under other names.
                let (mut cond, mut in_cond) = (Body::default(), Subst::default());
                for (param, elements) in elements_of {
                    let again = self.names.like(&[param])[0];
                    self.assemble(again, elements, stm, &mut cond.stms);
                    in_cond.set(param, again);
                }
                in_cond.body_and_types(&mut self.names.vars, &mut own);
                own.stms.into_iter().for_each(|own| self.statement(own, &mut cond.stms));
                LoopForm::While(Body { result: own.result, ..cond })
            }
        };
        self.yield_elements(
            stm,
            &carried,
            Exp::Control(ControlExp::Loop { params: carries, form, body: inner }),
            out,
        );
        true
    }

    fn carry_out_of_branches(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> bool {
        let mut exp = stm.exp.clone();
        let mut branches: Vec<&mut Body> = match &mut exp {
            Exp::Control(ControlExp::If { cond: _, then, els }) => vec![then, els],
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                cases.iter_mut().map(|(_, body)| body).chain([default]).collect()
            }
            _ => return false,
        };
        branches.iter_mut().for_each(|body| self.body(body));
        let is_known = |atom: Atom| atom.var().is_some_and(|var| self.known.contains_key(&var));
        let carried: Vec<bool> = (0..stm.vars.len())
            .map(|at| self.is_small(stm.vars[at]) && branches.iter().any(|body| is_known(body.result[at])))
            .collect();
        for body in branches {
            let result = std::mem::take(&mut body.result);
            body.result = self.carried_elements(&result, &stm.vars, &carried, stm, &mut body.stms);
        }
        self.yield_elements(stm, &carried, exp, out);
        true
    }

    fn carry_in_reductions(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> bool {
        let Some(Combining { width, inputs, lambda, scans, reductions }) =
            stm.exp.op().and_then(Operator::combining)
        else {
            return false;
        };
        let is_carried = |op: &Reduction| {
            let friendly = |param: &Var| {
                self.names.ty(*param).is_scalar()
                    || self.is_small(*param) && self.is_friendly(*param, &op.lambda.body)
            };
            op.lambda.params.iter().any(|param| self.is_small(*param))
                && op.lambda.params.iter().all(friendly)
        };
        let carried: Vec<bool> = reductions.iter().map(is_carried).collect();
        if !carried.contains(&true) || inputs.iter().any(|input| self.names.ty(*input).has_irregular_rows()) {
            return false;
        }
        let mut lambda = self.names.lambda_or_rows(lambda, inputs);
        self.lambda(&mut lambda);
        // Which of the columns, and of the results, are carried by their elements.
        let scanned: usize = scans.iter().map(|op| op.neutral.len()).sum();
        let mut columns = vec![false; scanned];
        for (op, carried) in reductions.iter().zip(&carried) {
            let is_small = |param: &Var| *carried && self.is_small(*param);
            columns.extend(op.lambda.params[..op.neutral.len()].iter().map(is_small));
        }
        columns.resize(stm.vars.len(), false);
        let result = std::mem::take(&mut lambda.body.result);
        lambda.body.result = self.carried_elements(&result, &stm.vars, &columns, stm, &mut lambda.body.stms);
        let reductions = reductions
            .iter()
            .zip(&carried)
            .map(|(op, carried)| if *carried { self.of_elements(op, stm, out) } else { op.clone() })
            .collect();
        let scans = scans.to_vec();
        let exp = Exp::Op(Operator::Fused { width, inputs: inputs.to_vec(), lambda, scans, reductions });
        self.yield_elements(stm, &columns, exp, out);
        true
    }

    /// The operator on elements.
    pub fn of_elements(&mut self, op: &Reduction, stm: &Stm, out: &mut Vec<Stm>) -> Reduction {
        let Lambda { params, body } = &op.lambda;
        let small: Vec<bool> = params.iter().map(|param| self.is_small(*param)).collect();
        let mut lambda = Lambda::new(Vec::new(), Body::default());
        for (param, small) in params.iter().zip(&small) {
            if !small {
                lambda.params.push(*param);
                continue;
            }
            let elements = self.element_vars(*param);
            self.assemble(*param, atoms(&elements), stm, &mut lambda.body.stms);
            lambda.params.extend(elements);
        }
        body.stms.iter().for_each(|own| self.statement(own.clone(), &mut lambda.body.stms));
        let small = &small[..op.neutral.len()];
        lambda.body.result = self.carried_elements(&body.result, params, small, stm, &mut lambda.body.stms);
        let neutral = self.carried_elements(&op.neutral, params, small, stm, out);
        Reduction { lambda, neutral, commutative: op.commutative }
    }

    /// These values, with elements in place of those that are carried, by variables of these types.
    pub fn carried_elements(
        &mut self,
        values: &[Atom],
        carriers: &[Var],
        carried: &[bool],
        stm: &Stm,
        out: &mut Vec<Stm>,
    ) -> Vec<Atom> {
        let mut elements = Vec::with_capacity(values.len());
        for ((value, carrier), carried) in values.iter().zip(carriers).zip(carried) {
            match carried {
                true => {
                    let small = self.names.ty(*carrier).clone();
                    elements.extend(self.elements(*value, &small, stm, out));
                }
                false => elements.push(*value),
            }
        }
        elements
    }

    /// The statement with another expression, which yields elements in place of what is carried.
    fn yield_elements(&mut self, stm: &Stm, carried: &[bool], exp: Exp, out: &mut Vec<Stm>) {
        let mut vars = Vec::with_capacity(stm.vars.len());
        let mut arrays = Vec::new();
        for (var, carried) in stm.vars.iter().zip(carried) {
            if !carried {
                vars.push(*var);
                continue;
            }
            let elements = self.element_vars(*var);
            arrays.push((*var, atoms(&elements)));
            vars.extend(elements);
        }
        let mut whole = Stm { vars, exp, ..stm.clone() };
        self.take_columns(&mut whole, out);
        out.push(whole);
        for (var, elements) in arrays {
            self.assemble(var, elements, stm, out);
        }
    }
}

/// Whether a body has loops of a few iterations.
fn has_short_loops(body: &Body) -> bool {
    body.stms.iter().any(|stm| match &stm.exp {
        Exp::Control(ControlExp::Loop {
            form: LoopForm::For(_, Atom::Const(Scalar::I64(count))), ..
        }) => *count <= SMALL,
        Exp::Control(ControlExp::Loop { form: LoopForm::For(..), body, .. }) => has_short_loops(body),
        Exp::Control(ControlExp::If { cond: _, then, els }) => has_short_loops(then) || has_short_loops(els),
        _ => false,
    })
}
