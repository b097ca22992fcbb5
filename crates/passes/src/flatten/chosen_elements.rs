//! A branch that chooses between rows which are computed element by element is a row of branches.
//!
//! ```text
//! let r = if c { in xs }                                  let r = map m (range m) \j {
//!         else { let ys = map m (zs) \z { .. } in ys }  ==>     let e = if c { in xs[j] } else { let z = zs[j] .. in y }
//!                                                               in e
//!                                                         }
//! ```
//!
//! So nothing is split and merged again, and the host need not know how many rows there are of each kind. Threads that have elements of
//! one row take one way. Refuses: rows whose length differs from element to element, and branches that do more than such maps, since all of it
//! would be done for each element of a row.

use super::Distributor;
use super::body::Strategy;
use super::context::Context;
use super::worth::is_marked;
use crate::nest::mentions;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Dim, DimIndex, Exp, Lambda, Operator, Prim, Stm, Type, Var,
};

impl Distributor<'_, '_> {
    /// Whether it is a nest of maps around such a branch: taken apart, it is one kernel with a thread for each element.
    pub fn ends_in_chosen_elements(&self, cx: &Context, stm: &Stm) -> bool {
        self.ends_in(cx, stm, &|cx, stm, kind| match kind {
            Strategy::Branch => self.chosen_width(&|atom| cx.is_outside(atom), stm).is_some(),
            Strategy::Operator => self.ends_in_chosen_elements(cx, stm),
            Strategy::Again(_)
            | Strategy::Wait
            | Strategy::Alone
            | Strategy::Segment
            | Strategy::Loop
            | Strategy::Call => false,
        })
    }

    /// A map in place of the branch.
    pub fn chosen_elements(&mut self, cx: &Context, stm: &Stm) -> Option<Vec<Stm>> {
        let width = self.chosen_width(&|atom| cx.is_outside(atom), stm)?;
        let [numbers, map] = self.map_of_branch(width, stm);
        self.out.push(numbers);
        Some(vec![map])
    }

    /// The same where the statement is the last of a lambda, and everything is outside that the lambda does not bind.
    pub fn choose_by_elements(&mut self, lambda: &mut Lambda, is_outside: &dyn Fn(Atom) -> bool) {
        let Some(last) = lambda.body.stms.last() else { return };
        let Some(width) = self.chosen_width(is_outside, last) else { return };
        let last = last.clone();
        let map = self.map_of_branch(width, &last);
        lambda.body.stms.pop();
        lambda.body.stms.extend(map);
    }

    /// The numbers of the elements, and the map.
    fn map_of_branch(&mut self, width: Atom, stm: &Stm) -> [Stm; 2] {
        let numbers = self.names.fresh("js", Type::array(Prim::I64, vec![Dim::Size(width)]));
        let j = self.names.fresh("j", Type::i64());
        let chosen = self.chosen_element(j, stm);
        let result = chosen.vars.iter().map(|var| Atom::Var(*var)).collect();
        let lambda = Lambda::new(vec![j], Body { stms: vec![chosen], result });
        let map = Stm { exp: Exp::map(width, vec![numbers], lambda), ..stm.clone() };
        [self.stm(vec![numbers], Exp::iota(width), self.span), map]
    }

    /// What a branch chooses for the element with this number.
    fn chosen_element(&mut self, j: Var, stm: &Stm) -> Stm {
        let exp = match &stm.exp {
            Exp::Control(ControlExp::If { cond, then, els }) => {
                Exp::if_(*cond, self.element_of(j, then), self.element_of(j, els))
            }
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) => {
                let cases = cases.iter().map(|(number, body)| (*number, self.element_of(j, body))).collect();
                let default = self.element_of(j, default);
                Exp::Control(ControlExp::Switch { scrutinee: *scrutinee, cases, default })
            }
            _ => panic!("distribute: no branch"),
        };
        let elements = stm.vars.iter().map(|var| self.element_like(*var)).collect();
        self.stm(elements, exp, stm.span)
    }

    /// How long the rows are, if they are chosen by elements.
    fn chosen_width(&self, is_outside: &dyn Fn(Atom) -> bool, stm: &Stm) -> Option<Atom> {
        let width = self.names.ty(*stm.vars.first()?).dims().first()?.atom()?;
        let is_even = |var: &Var| {
            let mut dims = self.names.ty(*var).dims().iter();
            self.is_row(width, *var) && dims.all(|dim| dim.atom().is_some_and(is_outside))
        };
        let varies = match &stm.exp {
            Exp::Control(ControlExp::If { cond: by, .. } | ControlExp::Switch { scrutinee: by, .. }) => {
                !is_outside(*by)
            }
            _ => false,
        };
        if !varies || !stm.vars.iter().all(is_even) || is_marked(stm, "sequential") {
            return None;
        }
        self.chooses_by_elements(width, stm).then_some(width)
    }

    /// Whether all branches of a statement are like that; false if it has none.
    fn chooses_by_elements(&self, width: Atom, stm: &Stm) -> bool {
        match &stm.exp {
            Exp::Control(ControlExp::If { then, els, .. }) => {
                [then, els].into_iter().all(|body| self.is_by_elements(width, body))
            }
            Exp::Control(ControlExp::Switch { cases, default, .. }) => {
                let mut bodies = cases.iter().map(|(_, body)| body).chain([default]);
                bodies.all(|body| self.is_by_elements(width, body))
            }
            _ => false,
        }
    }

    /// Whether a branch does little but maps of this width, of which it yields the results, and nothing else needs them.
    fn is_by_elements(&self, width: Atom, body: &Body) -> bool {
        let mut mapped: Vec<Var> = Vec::new();
        for stm in &body.stms {
            let mut used = Vec::new();
            mentions::in_stm(&self.names.vars, stm, &mut used);
            if used.iter().any(|var| mapped.contains(var)) {
                return false;
            }
            match &stm.exp {
                Exp::Op(Operator::Map { width: own, inputs, lambda }) => {
                    let is_even = inputs.len() == lambda.params.len();
                    if *own != width || !is_even || !self.holds_only_maps(&lambda.body) {
                        return false;
                    }
                    mapped.extend(&stm.vars);
                }
                Exp::Array(ArrayExp::Replicate { count, .. }) if *count == width => mapped.extend(&stm.vars),
                Exp::Control(ControlExp::Check(_)) => {}
                exp if exp.is_scalar_or_view() => {}
                _ if stm.vars.iter().all(|var| self.is_row(width, *var))
                    && self.chooses_by_elements(width, stm) =>
                {
                    mapped.extend(&stm.vars);
                }
                _ => return false,
            }
        }
        true
    }

    /// Nothing is worth being taken out of it, but for maps of the same kind.
    fn holds_only_maps(&self, body: &Body) -> bool {
        body.stms.iter().all(|stm| match &stm.exp {
            Exp::Op(Operator::Map { lambda, .. }) => self.holds_only_maps(&lambda.body),
            _ => !self.worth.in_stm(stm),
        })
    }

    /// What a branch yields for the element with this number.
    fn element_of(&mut self, j: Var, body: &Body) -> Body {
        let mut stms = Vec::new();
        let mut elements: Vec<(Var, Atom)> = Vec::new();
        for stm in &body.stms {
            match &stm.exp {
                Exp::Op(Operator::Map { inputs, lambda, .. }) => {
                    let lambda = self.names.copy_lambda(lambda);
                    for (input, param) in inputs.iter().zip(&lambda.params) {
                        let exp = Exp::index(*input, vec![DimIndex::Fix(j.into())]);
                        stms.push(Stm { vars: vec![*param], exp, ..stm.clone() });
                    }
                    stms.extend(lambda.body.stms);
                    elements.extend(stm.vars.iter().copied().zip(lambda.body.result));
                }
                Exp::Array(ArrayExp::Replicate { value, .. }) => elements.push((stm.vars[0], *value)),
                Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. })
                    if self.names.ty(stm.vars[0]).is_array() =>
                {
                    let chosen = self.chosen_element(j, stm);
                    elements
                        .extend(stm.vars.iter().copied().zip(chosen.vars.iter().map(|var| Atom::Var(*var))));
                    stms.push(chosen);
                }
                _ => stms.push(stm.clone()),
            }
        }
        let mut result = Vec::with_capacity(body.result.len());
        for atom in &body.result {
            let array = atom.var().expect("distribute: a row that is no variable");
            result.push(match elements.iter().find(|(own, _)| *own == array) {
                Some((_, element)) => *element,
                None => {
                    let element = self.element_like(array);
                    let exp = Exp::index(array, vec![DimIndex::Fix(j.into())]);
                    stms.push(self.stm(vec![element], exp, self.span));
                    element.into()
                }
            });
        }
        Body { stms, result }
    }

    fn is_row(&self, width: Atom, var: Var) -> bool {
        self.names.ty(var).dims().first().is_some_and(|dim| dim.atom() == Some(width))
    }

    fn element_like(&mut self, array: Var) -> Var {
        let ty = self.names.ty(array).row().expect("distribute: a row of scalars");
        self.names.fresh("e", ty)
    }
}
